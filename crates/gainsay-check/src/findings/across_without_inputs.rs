//! An `across` that binds no input.

use gainsay_source::{Diagnostic, Span, codes};

/// An `across` that binds no input.
#[derive(Debug, Clone)]
pub(crate) struct AcrossWithoutInputs {
    pub(crate) span: Span,
}

impl From<AcrossWithoutInputs> for Diagnostic {
    fn from(it: AcrossWithoutInputs) -> Self {
        let message = "this `across` binds no input";
        Diagnostic::new(codes::ACROSS_WITHOUT_INPUTS, it.span, message)
            .with_note("every case would be the same")
            .with_help("bind an input, as in `across (n: Int)`, or remove the `across`")
    }
}

//! A property with zero cases.

use gainsay_source::{Diagnostic, Span, codes};

/// A property with zero cases.
#[derive(Debug, Clone)]
pub(crate) struct NoCases {
    /// The span of the number.
    pub(crate) span: Span,
}

impl From<NoCases> for Diagnostic {
    fn from(it: NoCases) -> Self {
        Diagnostic::new(codes::NO_CASES, it.span, "this property runs no cases")
            .with_note("without cases it passes no matter what the code does")
            .with_help("run at least one case, or write `@ignore(reason = \"..\")` to skip it")
    }
}

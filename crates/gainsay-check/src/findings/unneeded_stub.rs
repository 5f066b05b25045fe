//! A stub for an effect the function cannot reach.

use gainsay_source::{Diagnostic, Span, codes};

/// A stub for an effect the function cannot reach.
#[derive(Debug, Clone)]
pub(crate) struct UnneededStub {
    pub(crate) op: String,
    pub(crate) function: String,
    pub(crate) span: Span,
}

impl From<UnneededStub> for Diagnostic {
    fn from(it: UnneededStub) -> Self {
        Diagnostic::new(
            codes::UNNEEDED_STUB,
            it.span,
            format!("`{}` never performs `{}`", it.function, it.op),
        )
        .with_help("remove this `given`")
    }
}

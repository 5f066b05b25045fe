//! A function without a body.

use gainsay_source::{Diagnostic, Span, codes};

/// A function without a body.
#[derive(Debug, Clone)]
pub(crate) struct MissingBody {
    pub(crate) name: String,
    pub(crate) span: Span,
}

impl From<MissingBody> for Diagnostic {
    fn from(it: MissingBody) -> Self {
        Diagnostic::new(
            codes::MISSING_BODY,
            it.span,
            format!("the function `{}` has no body", it.name),
        )
        .with_help("add `{ .. }`")
    }
}

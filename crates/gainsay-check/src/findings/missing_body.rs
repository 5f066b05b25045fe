//! A function without a body.

use gainsay_source::{Diagnostic, Span, codes};

/// A function without a body.
#[derive(Debug, Clone)]
pub(crate) struct MissingBody {
    pub(crate) name: String,
    pub(crate) span: Span,
    /// Whether the result type ends with a brace that touches it.
    pub(crate) refined: bool,
}

impl From<MissingBody> for Diagnostic {
    fn from(it: MissingBody) -> Self {
        Diagnostic::new(
            codes::MISSING_BODY,
            it.span,
            format!("the function `{}` has no body", it.name),
        )
        .with_help(if it.refined {
            "put a space before the `{` of the body: `{` right after a type starts a refinement"
        } else {
            "add a body: `{ .. }`"
        })
    }
}

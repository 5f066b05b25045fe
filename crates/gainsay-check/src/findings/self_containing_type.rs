//! An inferred type that would contain itself.

use gainsay_source::{Diagnostic, Span, codes};

/// An inferred type that would contain itself.
#[derive(Debug, Clone)]
pub(crate) struct SelfContainingType {
    pub(crate) left: String,
    pub(crate) right: String,
    pub(crate) span: Span,
}

impl From<SelfContainingType> for Diagnostic {
    fn from(it: SelfContainingType) -> Self {
        Diagnostic::new(
            codes::SELF_CONTAINING_TYPE,
            it.span,
            format!(
                "`{}` cannot be the same type as `{}`, which contains it",
                it.left, it.right
            ),
        )
    }
}

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
        let message = "this requires a type that contains itself";
        Diagnostic::new(codes::SELF_CONTAINING_TYPE, it.span, message)
            .with_note(format!(
                "`{}` and `{}` would have to be the same type",
                it.left, it.right
            ))
            .with_help("declare a sum or record type instead: those may be recursive")
    }
}

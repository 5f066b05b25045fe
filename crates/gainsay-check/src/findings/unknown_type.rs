//! A type name that nothing in scope has.

use gainsay_source::{Diagnostic, Span, codes};

/// A type name that nothing in scope has.
#[derive(Debug, Clone)]
pub(crate) struct UnknownType {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) close: Option<String>,
}

impl From<UnknownType> for Diagnostic {
    fn from(it: UnknownType) -> Self {
        Diagnostic::new(
            codes::UNKNOWN_TYPE,
            it.span,
            format!("there is no type called `{}`", it.name),
        )
        .with_phrase("not found in this scope")
        .with_suggestion(it.span, it.close.as_deref())
    }
}

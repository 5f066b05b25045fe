//! A constructor name that nothing in scope has.

use gainsay_source::{Diagnostic, Span, codes};

/// A constructor name that nothing in scope has.
#[derive(Debug, Clone)]
pub(crate) struct UnknownConstructor {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) close: Option<String>,
}

impl From<UnknownConstructor> for Diagnostic {
    fn from(it: UnknownConstructor) -> Self {
        Diagnostic::new(
            codes::UNKNOWN_CONSTRUCTOR,
            it.span,
            format!("there is no constructor called `{}`", it.name),
        )
        .with_phrase("not found in this scope")
        .with_suggestion(it.span, it.close.as_deref())
    }
}

//! An effect or operation that is not declared.

use gainsay_source::{Diagnostic, Span, codes};

/// An effect or operation that is not declared.
#[derive(Debug, Clone)]
pub(crate) struct UnknownEffect {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) close: Option<String>,
}

impl From<UnknownEffect> for Diagnostic {
    fn from(it: UnknownEffect) -> Self {
        Diagnostic::new(
            codes::UNKNOWN_EFFECT,
            it.span,
            format!("cannot find effect `{}`", it.name),
        )
        .with_suggestion(it.span, it.close.as_deref())
    }
}

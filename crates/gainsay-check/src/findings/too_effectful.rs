//! An effectful function where a purer one is wanted.

use gainsay_source::{Diagnostic, Span, codes};

use super::phrases::join_quoted;

/// An effectful function where a purer one is wanted.
#[derive(Debug, Clone)]
pub(crate) struct TooEffectful {
    pub(crate) effects: Vec<String>,
    pub(crate) span: Span,
}

impl From<TooEffectful> for Diagnostic {
    fn from(it: TooEffectful) -> Self {
        Diagnostic::new(
            codes::TOO_EFFECTFUL,
            it.span,
            format!("a function that performs {} is not wanted here", join_quoted(&it.effects)),
        )
        .with_help(
            "let the parameter allow it: `(A) -> B ! [e]`, with `e` in the row of the function",
        )
    }
}

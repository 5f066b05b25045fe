//! An effectful function where a purer one is expected.

use gainsay_source::{Diagnostic, Span, codes};

use super::phrases::join_quoted;

/// An effectful function where a purer one is expected.
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
            format!("expected a function that does not perform {}", join_quoted(&it.effects)),
        )
        .with_help(
            "allow the effect in the parameter type: `(A) -> B ! [e]`, with `e` in the effects of \
             the function",
        )
    }
}

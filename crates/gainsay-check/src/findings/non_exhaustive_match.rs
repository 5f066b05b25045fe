//! A match that does not cover all values.

use gainsay_source::{Diagnostic, Span, codes};

use super::phrases::join_quoted;

/// A match that does not cover all values.
#[derive(Debug, Clone)]
pub(crate) struct NonExhaustiveMatch {
    pub(crate) missing: Vec<String>,
    pub(crate) span: Span,
    /// Whether some arm has a guard.
    pub(crate) guarded: bool,
}

impl From<NonExhaustiveMatch> for Diagnostic {
    fn from(it: NonExhaustiveMatch) -> Self {
        let message = format!("this match does not cover {}", join_quoted(&it.missing));
        let found = Diagnostic::new(codes::NON_EXHAUSTIVE_MATCH, it.span, message);
        let found = if it.guarded {
            found.with_note("arms with guards do not count: a guard may not hold")
        } else {
            found
        };
        found.with_help(format!("add an arm `{} => ..`", it.missing[0]))
    }
}

//! A match that leaves values out.

use gainsay_source::{Diagnostic, Span, codes};

use super::words::listed;

/// A match that leaves values out.
#[derive(Debug, Clone)]
pub(crate) struct NonExhaustiveMatch {
    pub(crate) missing: Vec<String>,
    pub(crate) span: Span,
}

impl From<NonExhaustiveMatch> for Diagnostic {
    fn from(it: NonExhaustiveMatch) -> Self {
        Diagnostic::new(
            codes::NON_EXHAUSTIVE_MATCH,
            it.span,
            format!("this match does not cover {}", listed(&it.missing)),
        )
        .with_help(format!("add an arm `{} => ..`", it.missing[0]))
    }
}

//! A rule of a relation that is not put together right.

use gainsay_source::{Diagnostic, Span, codes};

/// A rule of a relation that is not put together right.
#[derive(Debug, Clone)]
pub(crate) struct BadRule {
    pub(crate) problem: String,
    pub(crate) help: String,
    pub(crate) span: Span,
}

impl From<BadRule> for Diagnostic {
    fn from(it: BadRule) -> Self {
        Diagnostic::new(codes::BAD_RULE, it.span, it.problem).with_help(it.help)
    }
}

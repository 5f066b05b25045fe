//! A verify block that is not put together right.

use gainsay_source::{Diagnostic, Span, codes};

/// A verify block that is not put together right.
#[derive(Debug, Clone)]
pub(crate) struct BadVerify {
    pub(crate) problem: String,
    pub(crate) help: String,
    pub(crate) span: Span,
}

impl From<BadVerify> for Diagnostic {
    fn from(it: BadVerify) -> Self {
        Diagnostic::new(codes::BAD_VERIFY, it.span, it.problem).with_help(it.help)
    }
}

//! A `let` or parameter whose pattern does not always match.

use gainsay_source::{Diagnostic, Span, codes};

use super::phrases::join_quoted;

/// A `let` or parameter whose pattern does not always match.
#[derive(Debug, Clone)]
pub(crate) struct RefutablePattern {
    pub(crate) missing: Vec<String>,
    pub(crate) span: Span,
}

impl From<RefutablePattern> for Diagnostic {
    fn from(it: RefutablePattern) -> Self {
        Diagnostic::new(
            codes::REFUTABLE_PATTERN,
            it.span,
            format!("this pattern does not cover {}", join_quoted(&it.missing)),
        )
        .with_help("use `match`, and handle the other values")
    }
}

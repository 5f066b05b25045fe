//! A `?` where it cannot leave the function.

use gainsay_source::{Diagnostic, Span, codes};

/// A `?` where it cannot leave the function.
#[derive(Debug, Clone)]
pub(crate) struct BadTry {
    pub(crate) actual: Option<String>,
    pub(crate) result: String,
    pub(crate) span: Span,
}

impl From<BadTry> for Diagnostic {
    fn from(it: BadTry) -> Self {
        match it.actual {
            Some(actual) => Diagnostic::new(
                codes::BAD_TRY,
                it.span,
                format!("`?` needs an `Option` or a `Result`, not `{actual}`"),
            ),
            None => Diagnostic::new(
                codes::BAD_TRY,
                it.span,
                format!("`?` cannot leave a function that gives `{}`", it.result),
            )
            .with_help("give the function an `Option` or `Result` type, or use `match`"),
        }
    }
}

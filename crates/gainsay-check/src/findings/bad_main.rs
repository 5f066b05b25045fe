//! A `main` that cannot be run.

use gainsay_source::{Diagnostic, Span, codes};

/// A `main` that cannot be run.
#[derive(Debug, Clone)]
pub(crate) struct BadMain {
    pub(crate) span: Span,
    pub(crate) reason: String,
}

impl From<BadMain> for Diagnostic {
    fn from(it: BadMain) -> Self {
        Diagnostic::new(
            codes::BAD_MAIN,
            it.span,
            format!("`main` cannot be run: {}", it.reason),
        )
        .with_help(
            "write `fn main() ! [Console.print] { .. }`; it may also return `Result<Unit, E>`",
        )
    }
}

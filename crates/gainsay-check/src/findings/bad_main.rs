//! A `main` that cannot be run.

use gainsay_source::{Diagnostic, Span, codes};

/// A `main` that cannot be run.
#[derive(Debug, Clone)]
pub(crate) struct BadMain {
    pub(crate) span: Span,
    pub(crate) problem: MainProblem,
}

/// Why `main` cannot be run.
#[derive(Debug, Clone)]
pub(crate) enum MainProblem {
    /// It performs an operation that the real world does not handle.
    UnansweredOperation(String),
    TakesParameters,
    /// Its result has this type.
    Gives(String),
}

impl From<BadMain> for Diagnostic {
    fn from(it: BadMain) -> Self {
        let reason = match it.problem {
            MainProblem::UnansweredOperation(op) => {
                format!("nothing answers `{op}` outside claims")
            }
            MainProblem::TakesParameters => "it takes parameters".to_owned(),
            MainProblem::Gives(ty) => format!("it returns `{ty}`"),
        };
        Diagnostic::new(codes::BAD_MAIN, it.span, format!("`main` cannot be run: {reason}"))
            .with_help(
                "write `fn main() ! [Console.print] { .. }`; it may also return `Result<Unit, E>`",
            )
    }
}

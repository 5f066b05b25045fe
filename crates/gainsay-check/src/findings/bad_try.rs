//! A `?` that cannot return from the function.

use gainsay_source::{Diagnostic, Span, codes};

/// Why `?` cannot return from the function.
#[derive(Debug, Clone)]
pub(crate) enum TryProblem {
    /// Its operand is neither a `Result` nor an `Option`.
    NotOptionOrResult { actual: String },
    /// The function returns neither a `Result` nor an `Option`.
    IncompatibleResult { result: String },
    /// Both are results, with different error types.
    ErrorMismatch { found: String, wanted: String },
    /// It is in a block that runs on its own.
    InBlock,
    /// A `Result` in a function that returns an `Option`.
    ResultInOption,
    /// An `Option` in a function that returns a `Result`.
    OptionInResult,
}

/// A `?` that cannot return from the function.
#[derive(Debug, Clone)]
pub(crate) struct BadTry {
    pub(crate) problem: TryProblem,
    pub(crate) span: Span,
}

impl From<BadTry> for Diagnostic {
    fn from(it: BadTry) -> Self {
        let (message, help) = match it.problem {
            TryProblem::NotOptionOrResult { actual } => (
                format!("`?` needs an `Option` or `Result`, found `{actual}`"),
                "remove the `?`",
            ),
            TryProblem::IncompatibleResult { result } => (
                format!("`?` cannot be used in a function that returns `{result}`"),
                "return an `Option` or `Result` from the function, or use `match`",
            ),
            TryProblem::ErrorMismatch { found, wanted } => (
                format!("`?` would return an error of type `{found}`, expected `{wanted}`"),
                "convert the error with `.map_err(..)?`",
            ),
            TryProblem::InBlock => (
                "`?` cannot be used in a `throws`, `under` or `par` block".to_owned(),
                "use `match`, or move the code that uses `?` into its own function",
            ),
            TryProblem::ResultInOption => (
                "`?` on a `Result` in a function that returns an `Option`".to_owned(),
                "discard the error with `.ok()?`",
            ),
            TryProblem::OptionInResult => (
                "`?` on an `Option` in a function that returns a `Result`".to_owned(),
                "supply an error with `.ok_or(..)?`",
            ),
        };
        Diagnostic::new(codes::BAD_TRY, it.span, message).with_help(help)
    }
}

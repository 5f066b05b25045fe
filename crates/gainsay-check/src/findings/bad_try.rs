//! A `?` where it cannot leave the function.

use gainsay_source::{Diagnostic, Span, codes};

/// Why `?` cannot leave the function.
#[derive(Debug, Clone)]
pub(crate) enum TryProblem {
    /// It stands on something else.
    NotOptionOrResult { actual: String },
    /// The function gives something else.
    IncompatibleResult { result: String },
    /// Both are results, with different errors.
    ErrorMismatch { found: String, wanted: String },
    /// It stands in a block that runs on its own.
    InBlock,
    /// A `Result` in a function that gives an `Option`.
    ResultInOption,
    /// An `Option` in a function that gives a `Result`.
    OptionInResult,
}

/// A `?` where it cannot leave the function.
#[derive(Debug, Clone)]
pub(crate) struct BadTry {
    pub(crate) problem: TryProblem,
    pub(crate) span: Span,
}

impl From<BadTry> for Diagnostic {
    fn from(it: BadTry) -> Self {
        let (message, help) = match it.problem {
            TryProblem::NotOptionOrResult { actual } => (
                format!("`?` needs an `Option` or a `Result`, not `{actual}`"),
                "remove the `?`",
            ),
            TryProblem::IncompatibleResult { result } => (
                format!("`?` cannot leave a function that gives `{result}`"),
                "give the function an `Option` or `Result` type, or use `match`",
            ),
            TryProblem::ErrorMismatch { found, wanted } => (
                format!("`?` would leave with an error of type `{found}`, not `{wanted}`"),
                "turn the one into the other before, with `.map_err(..)?`",
            ),
            TryProblem::InBlock => (
                "`?` cannot leave a `throws`, `under` or `par` block".to_owned(),
                "use `match`, or put what may leave into a function of its own",
            ),
            TryProblem::ResultInOption => (
                "this is a `Result`, and the function gives an `Option`".to_owned(),
                "forget the error before, with `.ok()?`",
            ),
            TryProblem::OptionInResult => (
                "this is an `Option`, and the function gives a `Result`".to_owned(),
                "say what the error is before, with `.ok_or(..)?`",
            ),
        };
        Diagnostic::new(codes::BAD_TRY, it.span, message).with_help(help)
    }
}

//! A malformed verify block.

use gainsay_source::{Diagnostic, Span, codes};

/// A malformed verify block.
#[derive(Debug, Clone)]
pub(crate) struct BadVerify {
    pub(crate) problem: VerifyProblem,
    pub(crate) span: Span,
}

/// What is wrong with a verify block.
#[derive(Debug, Clone)]
pub(crate) enum VerifyProblem {
    ClaimsNothing,
    /// A law with several claims.
    SeveralClaims(usize),
    /// A stub for a whole effect; this is one of its operations.
    StubOfEffect {
        op: String,
    },
    SecondWhen,
    /// A `let` with a destructuring pattern.
    LetPattern,
}

impl From<BadVerify> for Diagnostic {
    fn from(it: BadVerify) -> Self {
        let help = match &it.problem {
            VerifyProblem::ClaimsNothing => "add a line `lhs => rhs`".to_owned(),
            VerifyProblem::SeveralClaims(_) => {
                "write a law for each line, or drop `law` to list cases".to_owned()
            }
            VerifyProblem::StubOfEffect { op } => format!("write `{op}`"),
            VerifyProblem::SecondWhen => "join the conditions with `&&`".to_owned(),
            VerifyProblem::LetPattern => {
                "bind the whole value, and destructure it where it is used".to_owned()
            }
        };
        let message = match it.problem {
            VerifyProblem::ClaimsNothing => "this verify block compares nothing".to_owned(),
            VerifyProblem::SeveralClaims(n) => {
                format!("a law must have exactly one `=>` line, found {n}")
            }
            VerifyProblem::StubOfEffect { .. } => {
                "a stub answers one operation, not a whole effect".to_owned()
            }
            VerifyProblem::SecondWhen => "a verify block can have only one `when`".to_owned(),
            VerifyProblem::LetPattern => {
                "a `let` in a verify block must bind a single name".to_owned()
            }
        };
        Diagnostic::new(codes::BAD_VERIFY, it.span, message).with_help(help)
    }
}

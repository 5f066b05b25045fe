//! A verify block that is not put together right.

use gainsay_source::{Diagnostic, Span, codes};

/// A verify block that is not put together right.
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
    /// A stub for an effect, of which this is an operation.
    StubOfEffect {
        op: String,
    },
    SecondWhen,
    /// A `let` that takes a value apart.
    LetPattern,
}

impl From<BadVerify> for Diagnostic {
    fn from(it: BadVerify) -> Self {
        let help = match &it.problem {
            VerifyProblem::ClaimsNothing => "add a line `lhs => rhs`".to_owned(),
            VerifyProblem::SeveralClaims(_) => {
                "write one law for each, or drop `law` to list cases".to_owned()
            }
            VerifyProblem::StubOfEffect { op } => format!("write `{op}`"),
            VerifyProblem::SecondWhen => "join the two with `&&`".to_owned(),
            VerifyProblem::LetPattern => {
                "bind the whole, and take it apart where it is used".to_owned()
            }
        };
        let message = match it.problem {
            VerifyProblem::ClaimsNothing => "this verify block claims nothing".to_owned(),
            VerifyProblem::SeveralClaims(n) => {
                format!("a law is one claim, and this one has {n}")
            }
            VerifyProblem::StubOfEffect { .. } => {
                "a stub answers one operation, not a whole effect".to_owned()
            }
            VerifyProblem::SecondWhen => "a verify block has one `when`".to_owned(),
            VerifyProblem::LetPattern => "a `let` of a verify block binds one name".to_owned(),
        };
        Diagnostic::new(codes::BAD_VERIFY, it.span, message).with_help(help)
    }
}

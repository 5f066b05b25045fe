//! An operation that no system can answer.

use gainsay_source::{Diagnostic, Span, codes};

/// An operation that no system can answer.
#[derive(Debug, Clone)]
pub(crate) struct BadSystem {
    pub(crate) operation: String,
    pub(crate) problem: SystemProblem,
    pub(crate) span: Span,
}

/// What is wrong with the operation of a system.
#[derive(Debug, Copy, Clone)]
pub(crate) enum SystemProblem {
    /// It has an attribute.
    Attribute,
    /// It has type parameters.
    TypeParameter,
    /// It takes or returns functions.
    Function,
}

impl From<BadSystem> for Diagnostic {
    fn from(it: BadSystem) -> Self {
        let name = it.operation;
        let (message, help) = match it.problem {
            SystemProblem::Attribute => (
                format!("`{name}` is an operation of a system, which takes no attributes"),
                "remove the attributes: every operation of a system acts and answers",
            ),
            SystemProblem::TypeParameter => (
                format!("`{name}` is an operation of a system, which has no type parameters"),
                "declare an operation for each type",
            ),
            SystemProblem::Function => (
                format!("`{name}` passes a function to or from a system"),
                "pass data: functions cannot leave the program",
            ),
        };
        Diagnostic::new(codes::BAD_SYSTEM, it.span, message).with_help(help)
    }
}

//! A malformed rule of a relation.

use gainsay_source::{Diagnostic, Span, codes};

use super::phrases::count_noun;

/// A malformed rule of a relation.
#[derive(Debug, Clone)]
pub(crate) struct BadRule {
    pub(crate) relation: String,
    pub(crate) problem: RuleProblem,
    pub(crate) span: Span,
}

/// What is wrong with a rule.
#[derive(Debug, Copy, Clone)]
pub(crate) enum RuleProblem {
    /// Its conclusion has a different number of arguments from the relation.
    WrongArity { expected: usize, actual: usize },
    /// Its conclusion is not the relation.
    NoConclusion,
}

impl From<BadRule> for Diagnostic {
    fn from(it: BadRule) -> Self {
        let name = it.relation;
        let (message, help) = match it.problem {
            RuleProblem::WrongArity { expected, actual } => (
                format!(
                    "`{name}` takes {}, but got {actual}",
                    count_noun(expected, "argument")
                ),
                "write `_` for arguments that may be anything".to_owned(),
            ),
            RuleProblem::NoConclusion => (
                format!("a rule of `{name}` must conclude `{name}(..)`"),
                format!("write `label: {name}(..) <- ..`"),
            ),
        };
        Diagnostic::new(codes::BAD_RULE, it.span, message).with_help(help)
    }
}

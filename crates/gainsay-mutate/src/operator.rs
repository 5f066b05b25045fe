//! The definition of a mutation operator, and the table of all operators.

use crate::mutation_site::{MutationSite, TermRole};
use crate::operators;

/// A mutation operator: a way to make mutants.
pub struct Operator {
    /// Its name, as in `--operator comparison`.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Where it applies.
    pub(crate) scope: OperatorScope,
    /// Makes the mutants of one term.
    pub(crate) make: fn(&mut MutationSite<'_, '_>),
}

/// Where an operator applies.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum OperatorScope {
    /// To the code of functions.
    Code,
    /// To predicates of refinement types.
    Refinements,
    /// To clauses of contracts.
    Clauses,
}

impl OperatorScope {
    /// Whether the operator applies to terms with a role.
    pub(crate) fn includes(self, role: TermRole) -> bool {
        self == match role {
            TermRole::Value | TermRole::Root | TermRole::Condition | TermRole::Guard => {
                Self::Code
            }
            TermRole::Refinement => Self::Refinements,
            TermRole::Clause => Self::Clauses,
        }
    }
}

/// All operators, in the order in which their mutants of one term are listed.
pub const OPERATORS: &[Operator] = &[
    operators::arithmetic::OPERATOR,
    operators::comparison::OPERATOR,
    operators::boolean::OPERATOR,
    operators::constant::OPERATOR,
    operators::branch::OPERATOR,
    operators::arm::OPERATOR,
    operators::guard::OPERATOR,
    operators::argument::OPERATOR,
    operators::call::OPERATOR,
    operators::constructor::OPERATOR,
    operators::list::OPERATOR,
    operators::operand::OPERATOR,
    operators::default::OPERATOR,
    operators::effect::OPERATOR,
    operators::par::OPERATOR,
    operators::refinement::OPERATOR,
    operators::contract::OPERATOR,
];

//! What an operator is, and the table of all.

use crate::mutation_site::{MutationSite, TermRole};
use crate::operators;

/// A way to make mutants.
pub struct Operator {
    /// Its name, as in `--operator comparison`.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Where it works.
    pub(crate) scope: OperatorScope,
    /// Makes the mutants of one term.
    pub(crate) make: fn(&mut MutationSite<'_, '_>),
}

/// Where an operator works.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum OperatorScope {
    /// In what functions do.
    Code,
    /// In predicates of refinement types.
    Refinements,
    /// On clauses of contracts.
    Clauses,
}

impl OperatorScope {
    /// Whether a term of this role stands there.
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

//! What an operator is, and the table of all.

use crate::context::{Role, Site};
use crate::operators;

/// A way to make mutants.
pub struct Operator {
    /// Its name, as in `--operator comparison`.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Where it works.
    pub(crate) place: Place,
    /// Makes the mutants of one term.
    pub(crate) make: fn(&mut Site<'_, '_>),
}

/// Where an operator works.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// In what functions do.
    Code,
    /// In predicates of refinement types.
    Refinements,
    /// On clauses of contracts.
    Clauses,
}

impl Place {
    /// Whether a term of this role stands there.
    pub(crate) fn has(self, role: Role) -> bool {
        self == match role {
            Role::Value | Role::Root | Role::Condition | Role::Guard => Self::Code,
            Role::Refinement => Self::Refinements,
            Role::Clause => Self::Clauses,
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

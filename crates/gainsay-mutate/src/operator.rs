//! What an operator is, and the table of all.

use crate::context::Site;
use crate::operators;

/// A way to make mutants.
pub struct Operator {
    /// Its name, as in `--operator comparison`.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Makes the mutants of one term.
    pub(crate) make: fn(&mut Site<'_, '_>),
}

/// All operators, in the order in which their mutants of one term are listed.
pub const OPERATORS: &[Operator] = &[
    operators::arithmetic::OPERATOR,
    operators::comparison::OPERATOR,
    operators::boolean::OPERATOR,
    operators::constant::OPERATOR,
    operators::branch::OPERATOR,
    operators::operand::OPERATOR,
];

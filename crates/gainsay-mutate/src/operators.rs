//! The mutation operators, one file each. The table of all is in [`crate::operator`].

pub(crate) mod argument;
pub(crate) mod arithmetic;
pub(crate) mod arm;
pub(crate) mod boolean;
pub(crate) mod branch;
pub(crate) mod call;
pub(crate) mod comparison;
pub(crate) mod constant;
pub(crate) mod constructor;
pub(crate) mod contract;
pub(crate) mod default;
pub(crate) mod effect;
pub(crate) mod guard;
pub(crate) mod list;
pub(crate) mod operand;
pub(crate) mod par;
pub(crate) mod refinement;

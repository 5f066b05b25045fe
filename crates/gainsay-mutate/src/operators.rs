//! The operators, one file each.

pub(crate) mod arithmetic;
pub(crate) mod boolean;
pub(crate) mod branch;
pub(crate) mod comparison;
pub(crate) mod constant;
pub(crate) mod operand;

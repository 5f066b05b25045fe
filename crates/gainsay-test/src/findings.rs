//! What is found of claims, apart from counterexamples: one file per kind.

mod ungenerated;

pub(crate) use self::ungenerated::Ungenerated;

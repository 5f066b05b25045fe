//! Satisfiability of formulas: hash-consed terms, a solver for them, and SMT-LIB text.
//!
//! - An arena of terms ([`Terms`]) keeps every term in a normal form: linear sums, strict order as
//!   weak order, negations at atoms, equations between constructors taken apart.
//! - [`solve`] decides conjunctions over truth values, linear integers, data types, uninterpreted
//!   sorts and functions. It answers [`Answer::Unsat`] only with a proof that nothing was cut off,
//!   and [`Answer::Sat`] only with a model that it has evaluated. Its limit is a number of steps.
//! - [`Axiom`]s are instantiated with the terms of a query; the solver itself knows no quantifiers.
//! - [`smtlib`] prints and reads SMT-LIB, and asks other solvers. It is the only part that talks
//!   to the outside.
//!
//! The crate knows nothing of the language, of traces or of proofs.

mod axioms;
mod linear;
mod rewrite;
mod signature;
pub mod smtlib;
mod solver;
mod terms;

pub use axioms::{Axiom, AxiomLimits, instances};
pub use linear::LinearSum;
pub use rewrite::{
    Interpretation, Model, SmtValue, Substitution, default_value, evaluate, evaluate_formula,
};
pub use signature::{
    FunId, FunInfo, Signature, Sort, SortId, SortInfo, SortKind, VarId, VarInfo,
};
pub use solver::{Answer, SolverLimits, UnknownReason, solve, solve_counted};
pub use terms::{TermId, TermNode, Terms, children};

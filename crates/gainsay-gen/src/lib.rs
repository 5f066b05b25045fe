//! Generators from types and refinements: turns a checked program into one whose claims can be
//! run case by case.
//!
//! **Invariant:** Every decision is a draw; the search program and the record program draw the
//! same.
//!
//! ```text
//! types, refinements ── solve ──► domains ── plan ──► a graph ── derive ──► functions
//! bodies             ── rewrite: `across`, `Gen.any` and their like become calls of these
//! ```
//!
//! Generators are functions of core like any others, so that they are compiled with the code
//! under test. They perform operations of the effect [`Draw`](DrawOps), which a runner answers
//! from a source of choices.

mod constants;
mod derive;
mod describe;
mod domain;
mod draw;
mod edges;
mod emit;
mod explore;
mod hostile;
mod lower;
mod lowered;
mod nesting;
mod oracle;
mod plan;
mod rewrite;
mod site;
mod solve;
mod spans;

pub use self::describe::{Description, describe};
pub use self::draw::{ClaimOps, DrawOps, GenOps};
pub use self::explore::Worlds;
pub use self::hostile::{Hostility, Profile};
pub use self::lower::{Purpose, lower, lower_for};
pub use self::lowered::{
    Binder, Container, Filter, FilterReason, Lowered, NoGenerator, Sample, Site,
};

//! Generators from types and refinements: turns a checked program into one whose claims can be run
//! case by case.
//!
//! **Invariant:** Every decision is a draw; the search program and the record program draw the same
//! values.
//!
//! ```text
//! types, refinements ── solve ──► domains ── plan ──► a graph ── derive ──► functions
//! bodies             ── rewrite: `across`, `Gen.any` and similar become calls of these
//! ```
//!
//! Generators are ordinary functions in core, so they are compiled with the code under test. They
//! perform operations of the effect [`Draw`](DrawOps), which a runner handles with a source of
//! choices.

mod across_nesting;
mod constants;
mod core_builder;
mod derive;
mod describe;
mod domain;
mod draw_effect;
mod edge_cases;
mod generator_plan;
mod generator_spans;
mod hostile;
mod law_exploration;
mod library_domains;
mod lower;
mod lowered;
mod random_stub;
mod rewrite;
mod site;
mod solve;
mod value_trace;

pub use self::describe::{DomainDescription, describe_domain};
pub use self::draw_effect::{ClaimOps, DrawOps, GenOps, WalkOps};
pub use self::hostile::{HostilePlan, HostileProfile, ProfileRule};
pub use self::law_exploration::ExploredWorlds;
pub use self::lower::{LoweringOptions, SearchMode, lower, lower_with_options};
pub use self::lowered::{
    ConditionWay, ContainerKind, ContainerShape, FieldShape, FilterReason, InputBinder,
    InputSite, LoweredProgram, NarrowedQuery, NoGenerator, QueryUnknown, RejectionFilter,
    SampleTarget, SiteId, ValueShape, ValueShapeId,
};
pub use self::value_trace::TraceInserter;

//! Predicates run backwards: finds values on which a predicate or relation holds.
//!
//! **Invariant:** Every value that is returned satisfies the predicate, and "unsatisfiable" is said
//! only if nothing was left out.
//!
//! ```text
//! core ── compile ──► code without type parameters ── machine ──► values
//!                                                     terms with unknowns, a store of integers,
//!                                                     goals that wait, choices that are taken back
//! ```

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most terms and cells are handled alike; those that matter are named"
)]

mod bundle;
mod code;
mod compile;
mod derivation;
mod machine;
mod query;
mod ranges;
mod relation_solver;
mod small_values;
mod store;

pub use self::bundle::{
    BundleId, BundleKind, GeneratorRecipe, IntBounds, NotDerived, PartStep, PickStep,
    RecipeBundle, RecipeExpr, RecipeMatch, RecipePattern, RecipeRule, RecipeStep, RecipeTest,
    SizePath, SizeShare, SymVar, derive_recipe,
};
pub use self::compile::NotSolvable;
pub use self::derivation::{Derivation, DerivationFinder, RelationGoal, demanded_relations};
pub use self::machine::{
    Budget, Chooser, Effort, Machine, NoSolution, SolverQuery, SolverRequest,
};
pub use self::query::{compile_preconditions, compile_predicate, compile_relation};
pub use self::relation_solver::RelationSolver;
pub use self::small_values::{SMALL_INTEGERS, SmallValues};

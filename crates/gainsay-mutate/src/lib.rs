//! Mutants of a program, and whether its claims notice them.
//!
//! **Invariant:** A verdict depends on the program, the seed and nothing else: not on the number
//! of threads, not on the order in which claims are tried, not on a clock.
//!
//! ```text
//! program ─ find ──► mutants: terms that stand for others, with the edit of the source each is
//!         ─ hunt ──► verdicts: which claims reach a mutant, and which of them notice it
//!         ─ why ───► for each survivor the strongest true statement, and what would kill it
//! ```

mod context;
mod edit;
mod find;
mod hunt;
mod identity;
mod known;
mod operator;
mod operators;
mod report;
mod scan;
mod simplify;
mod subjects;
mod watcher;
mod why;

pub use self::find::{Group, Mutant, Mutants, find};
pub use self::hunt::{Hunt, Way, hunt, mutated, switches, with_mutants};
pub use self::operator::{OPERATORS, Operator};
pub use self::report::{
    ClaimReport, ClauseReport, Counts, Explanation, Judgement, Killing, LeftOut, Leverage,
    MutantReport, Reason, Report, Suggestion, Survivors, Unfit, Verdict,
};
pub use self::subjects::Scope;
pub use self::watcher::{Stage, Watcher};
pub use self::why::Depth;

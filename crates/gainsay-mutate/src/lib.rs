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
//!
//! Claims are run by `gainsay-test`; how a mutant is tried (`mutant_runner`) and how it is compared
//! with the original (`differential`) is decided here.

mod constant_reachability;
mod differential;
mod expected_type;
mod find_mutants;
mod mutant_id;
mod mutant_runner;
mod mutated_functions;
mod mutation_listener;
mod mutation_run;
mod mutation_site;
mod operator;
mod operators;
mod report;
mod source_edit;
mod survivor_analysis;
mod syntax_trees;
mod value_log;
mod value_numbering;

pub use self::find_mutants::{Mutant, MutantGroup, Mutants, find_mutants};
pub use self::mutant_runner::{
    BaselineTrace, ClaimDetection, ContractBoundary, DetectingCase, MutantProgram,
    MutantRunReport, MutantRunner,
};
pub use self::mutated_functions::MutationScope;
pub use self::mutation_listener::{MutationListener, MutationStage};
pub use self::mutation_run::{
    MutantExecution, MutationRun, apply_mutant, mutant_switches, run_mutants, with_mutants,
};
pub use self::operator::{OPERATORS, Operator};
pub use self::report::{
    BaselineFailed, CallOutcome, ClaimMutationReport, ClaimWeakness, ClauseReport,
    ExcludedFunction, HighLeverageTest, KillingCase, MutantCounts, MutantReport, MutantStatus,
    MutationReport, SurvivalReason, SurvivorCounts, SurvivorExplanation, TestSuggestion,
};
pub use self::survivor_analysis::AnalysisDepth;

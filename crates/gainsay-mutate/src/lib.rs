//! Mutation testing: makes mutants of a program and determines whether its claims detect them.
//!
//! **Invariant:** The status of a mutant depends on the program, the seed and nothing else: not on
//! the number of threads, the order in which claims are run, or a clock.
//!
//! ```text
//! program ─ find_mutants ──────► mutants: replacement terms, each with its source edit
//!         ─ mutation_run ──────► status: which claims reach a mutant, and which detect it
//!         ─ survivor_analysis ─► for each survivor the strongest true statement, and a killing
//!         test
//! ```
//!
//! `gainsay-test` runs the claims; this crate decides how a mutant is run (`mutant_runner`) and how
//! it is compared with the original (`differential`).

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

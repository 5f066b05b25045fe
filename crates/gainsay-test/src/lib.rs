//! The test runner: runs tests, properties and `verify` blocks case by case, shrinks and saves
//! counterexamples, and reports the results. Start reading at `run` (all claims) and
//! `claim_runner` (one claim).
//!
//! **Invariant:** A verdict is a value: nothing here prints, and nothing depends on the clock, on
//! the number of threads or on their scheduling, except for the reported durations.

mod branch_coverage;
mod claim_runner;
mod datum_conversion;
mod failure_identity;
mod findings;
mod flake_injection;
mod function_text;
mod host;
mod replay;
mod report;
mod run;
mod run_listener;
mod sample;
mod saved_cases;
mod settings;
mod statistics;
mod systems;
mod tally;
mod threads;
mod trace_locals;
mod trace_subexpressions;
mod value_diff;
mod value_tracer;
mod verify;

pub use self::claim_runner::{ReadValue, SavedCases};
pub use self::datum_conversion::{datum_to_value, value_to_datum};
pub use self::flake_injection::FlakeInjection;
pub use self::function_text::function_text;
pub use self::host::{NarrowingCounts, UntestedReason};
pub use self::replay::{
    ReplayCase, ReplayEnd, ReplayFit, ReplayJob, ReplayReport, ReplayRequest, replay,
};
pub use self::report::{
    BranchCoverage, CaseRunEnd, CaseRunReport, CheckCounts, ClaimReport, ClaimStatus,
    ClaimType, ClaimWarning, ClassCount, CombinationCoverage, ComparisonSides, CoverReport,
    CoverVerdict, DiscardCounts, FailedVerifyCase, Failure, FailureCause, Flake,
    HostileFailureGroup, HostileOrigin, LabelCount, NarrowedPredicate, ObservedCase,
    RelatedFailure, Report, ReportedInput, SavedCaseReport, SavedCaseState, ShrinkOutcome,
    ShrinkSummary, SiteReport, SiteStopReason, VerifyReport, WalkCounts,
};
pub use self::run::{TestJob, run, run_with_flakes};
pub use self::run_listener::RunListener;
pub use self::sample::{
    SampleEnd, SampleFault, SampleFilter, SampleJob, SampleReport, SampledInput, SampledValue,
    sample,
};
pub use self::saved_cases::{
    CASES_FOLDER, CaseFileError, CaseFileOperation, CaseFiles, CaseLineError, CaseStore,
    CaseStoreError, ClaimName, FolderEntry, FolderEntryKind, MarkOutcome, MemoryCaseFiles,
    ReplaceOutcome, SaveOutcome, SavedCase, SavedCaseFile, SavedValue,
};
pub use self::settings::{CaseCount, HostileMode, RunProfile, SavedCasePolicy, Settings};
pub use self::statistics::{
    CharClass, FloatClass, Histogram, HistogramBucket, HistogramMetric, Statistics, TextClass,
};
pub use self::systems::{SystemCallCounts, SystemConnections, Systems};
pub use self::threads::parallel_map;
pub use self::value_tracer::{SharedTracer, ValueTracer};
pub use self::verify::SavedLawKinds;

/// Claims, case by case: for callers that run them with their own engines and judge each case
/// themselves.
pub mod claims {
    pub use crate::claim_runner::{
        CaseOutcome, CaseRunner, ClaimEngines, ClaimRunner, SitePlan,
    };
    pub use crate::host::{CaseAnnotations, CaseHost, CaseStart, EnteredSite, new_source};
    pub use crate::tally::CaseTally;
    pub use crate::verify::{
        DeclaredCase, EnumerationError, VerifyFailure, VerifyOutcome, VerifyPart,
    };
}

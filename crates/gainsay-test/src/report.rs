//! The results of a run as plain data. Wording and layout are up to the caller.

use std::collections::BTreeMap;
use std::time::Duration;

use gainsay_source::{Diagnostic, Span};

use crate::host::{NarrowingCounts, UntestedReason};
use crate::systems::SystemCallCounts;

/// A whole run.
#[derive(Debug, Clone)]
pub struct Report {
    /// The seed of the run.
    pub seed: u64,
    /// The requested claims, in source order.
    pub claims: Vec<ClaimReport>,
    /// Whether the user interrupted it.
    pub interrupted: bool,
    /// How long it took.
    pub time: Duration,
}

/// The result of a claim.
#[derive(Debug, Clone)]
pub struct ClaimReport {
    /// Its module, as `ledger` or `bank.ledger`.
    pub module: String,
    /// Its name.
    pub name: String,
    /// Its kind.
    pub ty: ClaimType,
    /// The span of its name.
    pub span: Span,
    /// The verdict.
    pub status: ClaimStatus,
    /// Cases that counted; 1 for a test without inputs.
    pub cases: u64,
    /// Discarded cases.
    pub discards: DiscardCounts,
    /// Number of observations, over all cases.
    pub n_observations: u64,
    /// Coverage of the branches in the user's functions that the claim may call.
    pub branch_coverage: Option<BranchCoverage>,
    /// Each `across` of a test; one for a property.
    pub sites: Vec<SiteReport>,
    /// Counterexamples, the smallest first.
    pub failures: Vec<Failure>,
    /// Predicates whose values a solver found.
    pub narrowed: Vec<NarrowedPredicate>,
    /// What became of the walks of a test against a specification; `None` for other claims.
    pub walks: Option<WalkCounts>,
    /// Warnings about the claim.
    pub warnings: Vec<ClaimWarning>,
    /// What answered for the systems that it used, as arguments of `--against`.
    pub against: Vec<String>,
    /// How often each operation of a system was answered in its cases, by name.
    pub system_calls: BTreeMap<String, SystemCallCounts>,
    /// The counts of a `verify` block; `None` for other claims.
    pub verify: Option<VerifyReport>,
    /// Why the claim is undecided, if it was declined.
    pub reason: Option<Diagnostic>,
    /// The flaky case, if there is one.
    pub flake: Option<Flake>,
    /// How long it took, over all threads.
    pub time: Duration,
}

impl ClaimReport {
    /// A unique id for people to write: `ledger::transfer keeps the sum`.
    pub fn id(&self) -> String {
        format!("{}::{}", self.module, self.name)
    }
}

/// What became of the walks of a test against a specification.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WalkCounts {
    /// Whether the test expects answers: it does, unless its goal is a violation.
    pub expects_answers: bool,
    /// Those in which every answer was as expected.
    pub as_expected: u64,
    /// Those in which the system did what the trace of the generator does not foresee.
    pub deviated: u64,
    /// Why others tested nothing, and how often.
    pub untested: Vec<(UntestedReason, u64)>,
}

/// A predicate whose values a solver found, by running it with unknowns.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct NarrowedPredicate {
    /// The span of the predicate.
    pub span: Span,
    /// What it took.
    pub counts: NarrowingCounts,
}

impl NarrowedPredicate {
    /// Whether every search ended with the proof that no value satisfies the predicate.
    pub fn is_unsatisfiable(&self) -> bool {
        let counts = &self.counts;
        counts.n_unsatisfiable > 0 && counts.n_found + counts.n_gave_up == 0
    }
}

/// The kinds of claims.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum ClaimType {
    /// `test`.
    Test,
    /// `@property fn`.
    Property,
    /// `verify`.
    Verify,
}

/// The verdict on a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClaimStatus {
    /// No failure was found.
    Pass,
    /// A counterexample was found, or `cover` is not met.
    Fail,
    /// Hardly any case satisfied the guards: nothing was tested.
    Vacuous,
    /// A case ran out of steps, depth or memory, and no other failure was found.
    Limit,
    /// It could not be run: a type has no generator, or a form is not supported.
    Declined,
    /// The user interrupted the run before it was decided.
    Interrupted,
    /// The same case did not behave the same way twice.
    Flaky,
    /// `@ignore(reason = "..")`: not run, and why.
    Ignored(String),
    /// Not run, because the run ended before.
    Skipped,
    /// Not run, because nothing is bound to this system.
    Unbound(String),
}

impl ClaimStatus {
    /// The status that the failures of a claim imply.
    pub(crate) fn of_failures(failures: &[Failure]) -> Self {
        if failures.is_empty() {
            return Self::Pass;
        }
        let is_limit = failures.iter().all(|it| it.cause == FailureCause::Limit);
        if is_limit { Self::Limit } else { Self::Fail }
    }

    /// Its name in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Fail => "FAIL",
            Self::Vacuous => "VACUOUS",
            Self::Limit => "LIMIT",
            Self::Declined => "DECLINED",
            Self::Interrupted => "INTERRUPTED",
            Self::Flaky => "FLAKY",
            Self::Ignored(_) => "IGNORED",
            Self::Skipped => "SKIPPED",
            Self::Unbound(_) => "UNBOUND",
        }
    }
}

/// Discarded cases, by reason.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DiscardCounts {
    /// `assume` and `where` that did not hold.
    pub assumptions: u64,
    /// Generators that gave up.
    pub generators: u64,
    /// How many of those were cut off, because they took more choices than a case may have.
    pub cut_off: u64,
    /// Values rejected by a filter, because a refinement could not be solved; their cases went on
    /// with other values.
    pub filtered: u64,
    /// Each place, and how often it was the reason, the most frequent first.
    pub places: Vec<(Span, u64)>,
}

impl DiscardCounts {
    /// The number of discarded cases.
    pub fn cases(&self) -> u64 {
        self.assumptions + self.generators
    }
}

/// Branch coverage.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub struct BranchCoverage {
    /// Branches reached at least once.
    pub reached: u64,
    /// All branches in the user's functions that the claim may call.
    pub total: u64,
}

/// The result of an `across`, or of a property.
#[derive(Debug, Clone)]
pub struct SiteReport {
    /// Its span.
    pub span: Span,
    /// Cases that counted.
    pub cases: u64,
    /// Discarded cases.
    pub discards: u64,
    /// Cases with the same inputs as an earlier one, among the compared ones.
    pub duplicates: u64,
    /// Cases that were compared for duplicates.
    pub compared: u64,
    /// Whether these are all possible cases.
    pub exhaustive: bool,
    /// Why it stopped.
    pub stop_reason: SiteStopReason,
    /// The labels of `collect`, the most frequent first.
    pub labels: Vec<LabelCount>,
    /// The counts of `classify`.
    pub classes: Vec<ClassCount>,
    /// The requirements of `cover`.
    pub covers: Vec<CoverReport>,
    /// The best score of `target`.
    pub best_score: Option<f64>,
    /// Executions of hill climbing, besides the cases.
    pub hill_climbing_runs: u64,
    /// The inputs: name, and type as written.
    pub inputs: Vec<(String, String)>,
}

/// Why a site stopped.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum SiteStopReason {
    /// It has the requested number of cases.
    EnoughCases,
    /// There are no other cases.
    Exhausted,
    /// A counterexample was found.
    Failed,
    /// The deadline passed.
    Timeout,
    /// Too many cases were discarded.
    TooManyDiscards,
    /// Too many cases could not be finished.
    TooManyLimits,
    /// The user interrupted it.
    Interrupted,
}

/// A label that `collect` was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelCount {
    /// The label.
    pub text: String,
    /// The number of cases with it.
    pub cases: u64,
}

/// A class that `classify` was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassCount {
    /// The name.
    pub name: String,
    /// The number of cases in which it held.
    pub cases: u64,
}

/// A requirement of `cover`, and what the cases show.
#[derive(Debug, Clone, PartialEq)]
pub struct CoverReport {
    /// The name.
    pub name: String,
    /// The minimum percentage.
    pub percent: i64,
    /// The number of cases in which it held.
    pub cases: u64,
    /// The 99.9 % confidence interval of the true percentage.
    pub interval: (f64, f64),
    /// The verdict.
    pub verdict: CoverVerdict,
}

/// Whether a requirement of `cover` is met.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum CoverVerdict {
    /// It is.
    Holds,
    /// It is not.
    Fails,
    /// There were too few cases to decide.
    Unclear,
}

/// A failure of a claim.
#[derive(Debug, Clone)]
pub struct Failure {
    /// Distinguishes it from other failures of the claim; stable under edits elsewhere.
    pub id: String,
    /// The fault as a complete diagnostic: message, place, notes, calls.
    pub fault: Diagnostic,
    /// The kind of failure.
    pub cause: FailureCause,
    /// Both sides of the comparison that failed, as source text.
    pub sides: Option<ComparisonSides>,
    /// The subexpressions of the failed observation: the span of each, and its value as source
    /// text.
    pub subexpressions: Vec<(Span, String)>,
    /// The locals of the claim that were bound by then: names, and values as source text.
    pub locals: Vec<(String, String)>,
    /// The choices, one line each, if the case failed before it had drawn all its inputs.
    pub drawn: Vec<String>,
    /// The last operations of systems that the case performed, the first one first, a line each.
    pub system_calls: Vec<String>,
    /// The inputs, as source text; empty for a test without inputs.
    pub arguments: Vec<ReportedInput>,
    /// The `across` they are inputs of.
    pub site: Option<Span>,
    /// How it was found and shrunk; `None` for tests without inputs.
    pub shrink: Option<ShrinkSummary>,
    /// The case as `gainsay replay` takes it: `gs1-..`.
    pub replay_token: Option<String>,
    /// The file it is saved to, if any.
    pub saved: Option<SavedCaseReport>,
    /// Other failures of the same claim with the same inputs.
    pub related: Vec<RelatedFailure>,
    /// The case of a `verify` block, if it is one.
    pub verify_case: Option<FailedVerifyCase>,
}

/// The results of the cases of a `verify` block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// The function under test.
    pub function: String,
    /// The name of the law; `None` for plain cases.
    pub law: Option<String>,
    /// Whether it looks at traces.
    pub traced: bool,
    /// Cases declared in the block.
    pub declared: CheckCounts,
    /// Hostile cases.
    pub hostile: CheckCounts,
    /// Cases that `when` skips.
    pub skipped: u64,
    /// Cases that exceeded a limit.
    pub declined: u64,
    /// Failing cases that are neither reported nor in the group of a reported one.
    pub unreported: u64,
    /// The hostile failure groups, the reported ones first.
    pub failing: Vec<HostileFailureGroup>,
    /// The coverage of a product that is too large to run; `None` if all combinations ran.
    pub coverage: Option<CombinationCoverage>,
}

/// Hostile cases in which a law fails for the same reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostileFailureGroup {
    /// The hostile choices that together cause the failure.
    pub origin: Vec<HostileOrigin>,
    /// The number of cases in the group.
    pub cases: u64,
}

/// Coverage of a product of choices that is too large to run.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub struct CombinationCoverage {
    /// The number of combinations.
    pub combinations: u64,
    /// Any this many choices of different axes met in some case: 2 for pairs, 3 for triples.
    pub strength: u32,
    /// For one choice more than that, how many tuples met and how many there are, if it was tried.
    pub partial: Option<(u64, u64)>,
    /// Tuples of `strength` choices that `when` skipped wherever they were tried.
    pub excluded: u64,
}

impl VerifyReport {
    /// All cases that were compared.
    pub fn checks(&self) -> CheckCounts {
        let (a, b) = (self.declared, self.hostile);
        CheckCounts { passed: a.passed + b.passed, failed: a.failed + b.failed }
    }
}

/// Numbers of passed and failed cases.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub struct CheckCounts {
    /// Both sides were equal.
    pub passed: u64,
    /// They differed, or evaluating one of them failed.
    pub failed: u64,
}

impl CheckCounts {
    /// Their sum.
    pub fn total(self) -> u64 {
        self.passed + self.failed
    }
}

/// A failed case of a `verify` block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedVerifyCase {
    /// The assertion with the given values substituted: `is_positive(0) => true`.
    pub case: String,
    /// The assertion as written, for a law.
    pub law: Option<String>,
    /// Whether it is a hostile case.
    pub from_hostile: bool,
    /// The hostile choices that matter.
    pub origin: Vec<HostileOrigin>,
    /// The number of other cases in the same failure group.
    pub others: u64,
    /// The world as a declaration ready to paste, if it is a hostile or generated one.
    pub world: Option<String>,
}

/// A hostile choice in a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostileOrigin {
    /// A given has a boundary value of its type.
    Boundary,
    /// A hostile profile stubs an operation.
    Profile {
        /// The operation.
        op: String,
        /// The profile.
        name: String,
    },
    /// The branches of `par` were evaluated in this order.
    Order(Vec<u32>),
    /// The inputs were generated by exploration.
    Explored,
    /// The world was generated.
    Generated,
}

/// The kind of a failure.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum FailureCause {
    /// The two sides of a `=>` differ.
    Mismatch,
    /// An `observe` failed.
    Observe,
    /// A contract, a refinement, a division by zero, `fail`, ..
    Fault,
    /// The case ran out of steps, depth or memory.
    Limit,
    /// A `cover` is not met.
    Cover,
}

/// A case that did not behave the same way twice.
#[derive(Debug, Clone, PartialEq)]
pub struct Flake {
    /// The number of the case, from 1.
    pub case: u64,
    /// How often it was run until two runs differed.
    pub runs: u64,
    /// One run.
    pub first: CaseRunReport,
    /// Another run, which differs.
    pub second: CaseRunReport,
}

/// One run of a case.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseRunReport {
    /// The inputs, as source text.
    pub arguments: Vec<ReportedInput>,
    /// The choices, one line each, as in saved cases.
    pub drawn: Vec<String>,
    /// The number of observations, if counted.
    pub observed: Option<u64>,
    /// The number of steps, if counted.
    pub steps: Option<u64>,
    /// How it ended.
    pub end: CaseRunEnd,
}

/// How a run of a case ended.
#[derive(Debug, Clone, PartialEq)]
pub enum CaseRunEnd {
    /// It passed.
    Passed,
    /// It failed; with the fault, if known.
    Failed(Option<Diagnostic>),
    /// It could not be finished; with the limit or unsupported form, if known.
    Unfinished(Option<Diagnostic>),
    /// It was discarded.
    Discarded,
}

/// Another failure with the same inputs.
#[derive(Debug, Clone)]
pub struct RelatedFailure {
    /// The fault.
    pub fault: Diagnostic,
}

/// Both sides of a comparison, as source text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparisonSides {
    /// The comparison: `==`, `<`, ...
    pub operator: String,
    /// The left side.
    pub left: String,
    /// The right side.
    pub right: String,
    /// Where they differ: paths into the values such as `[3].cents`, with both values there.
    pub differences: Vec<(String, String, String)>,
}

/// An input of a failing case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedInput {
    /// Its name.
    pub name: String,
    /// Which input of that name it is in this case, from 1: a nested `across` may be reached
    /// several times.
    pub occurrence: u64,
    /// Its type, as written.
    pub ty: String,
    /// Its value, as source text.
    pub value: String,
    /// Whether every other value that was tried in its place failed as well.
    pub is_irrelevant: bool,
    /// The number of other values tried, if it is irrelevant.
    pub others_tried: Option<u64>,
}

/// How a failing case was found and shrunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShrinkSummary {
    /// The number of the case, from 1; 0 for a saved case of an earlier run.
    pub case: u64,
    /// Number of choices of the case as found.
    pub original_choices: u64,
    /// Number of choices of the shrunk case.
    pub choices: u64,
    /// Number of executions for shrinking.
    pub executions: u64,
    /// Whether the case is locally minimal; otherwise why shrinking stopped early.
    pub outcome: ShrinkOutcome,
    /// The inputs as found, as source text.
    pub original_inputs: Vec<ReportedInput>,
    /// The number for `@property(seed = ..)` that draws them again, if there is one.
    pub seed: Option<u64>,
}

impl ShrinkSummary {
    /// A saved case of an earlier run.
    pub(crate) fn from_saved_case() -> Self {
        Self {
            case: 0,
            original_choices: 0,
            choices: 0,
            executions: 0,
            outcome: ShrinkOutcome::FromSavedCase,
            original_inputs: Vec::new(),
            seed: None,
        }
    }
}

/// How shrinking ended.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum ShrinkOutcome {
    /// The case is locally minimal.
    Minimal,
    /// The deadline passed.
    Timeout,
    /// The maximum number of executions was reached.
    BudgetExhausted,
    /// Each execution takes long, because it hits a limit: only a few were made.
    TooSlow,
    /// The user interrupted it.
    Interrupted,
    /// Not shrunk: the case came from a file and still fails.
    FromSavedCase,
}

/// A saved case in a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedCaseReport {
    /// The file, as seen by the reader of the report.
    pub path: String,
    /// Its state.
    pub state: SavedCaseState,
}

/// The state of a saved case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SavedCaseState {
    /// Written by this run.
    New,
    /// It existed before, and still fails.
    StillFails,
    /// It existed before, and now passes.
    Fixed,
    /// It no longer applies, and why.
    Stale(String),
    /// It cannot be parsed, and why.
    Broken(String),
    /// It could not be written, and why.
    WriteFailed(String),
}

/// A warning about a claim.
#[derive(Debug, Clone, PartialEq)]
pub enum ClaimWarning {
    /// Nothing is observed: it would pass whatever the code does.
    Placebo,
    /// More than a third of the cases were discarded, or a case was cut off.
    ManyDiscards,
    /// More than nine tenths of the cases had the inputs of an earlier one.
    ManyDuplicates,
    /// A refinement that is filtered instead of solved, and rejected values.
    Filtered {
        /// The span of the filter.
        span: Span,
        /// The name of its predicate.
        predicate: String,
        /// Number of values tried.
        tried: u64,
        /// Number of values kept, approximately.
        kept: u64,
    },
    /// A predicate for which a solver found no value in some cases.
    GaveUp(NarrowedPredicate),
    /// A filtered refinement that keeps hardly anything but one value.
    WeakGenerator {
        /// Where the input is bound.
        span: Span,
        /// Its name.
        name: String,
        /// How often the most frequent value came.
        same: u64,
        /// The number of values.
        all: u64,
    },
    /// An input under a condition that hardly anything but trivial values satisfies.
    TrivialInputs {
        /// Where the input is bound.
        span: Span,
        /// Its name.
        name: String,
        /// How many of the values that were looked at have size 0 or 1.
        n_trivial: u64,
        /// The number of values that were looked at.
        n_seen: u64,
    },
    /// An `across` that no case reached: its span.
    Unreached(Span),
    /// Too few cases to decide whether `cover` is met.
    UnclearCover(String),
    /// A saved case that is fixed, stale or broken.
    SavedCase(SavedCaseReport),
    /// There are more hostile combinations than were run.
    PartialCoverage(CombinationCoverage),
    /// `when` skipped every hostile case, this many.
    NoHostileCase(u64),
}

/// One case, for a listener that wants to see all of them.
#[derive(Debug, Clone, PartialEq)]
pub struct ObservedCase {
    /// The inputs: name and value as source text.
    pub arguments: Vec<(String, String)>,
    /// `passed`, `failed` or `gave_up`.
    pub status: &'static str,
    /// Why, unless it passed.
    pub reason: String,
    /// How the case was produced; currently always `generate`.
    pub phase: &'static str,
    /// The annotations of `collect`, `classify`, `cover` and `target`.
    pub features: Vec<(String, String)>,
    /// Duration in seconds.
    pub seconds: f64,
}

impl ClaimReport {
    /// Turns it into the report of a claim that was not run.
    pub(crate) fn skip(&mut self) {
        self.status = ClaimStatus::Skipped;
        self.cases = 0;
        self.discards = DiscardCounts::default();
        self.n_observations = 0;
        self.branch_coverage = None;
        self.sites.clear();
        self.failures.clear();
        self.narrowed.clear();
        self.walks = None;
        self.warnings.clear();
        self.verify = None;
        self.reason = None;
        self.flake = None;
        self.time = Duration::ZERO;
    }
}

//! What became of claims: facts only. Words are put to them at the edge.

use std::time::Duration;

use gainsay_source::{Diagnostic, Span};

/// A whole run.
#[derive(Debug, Clone)]
pub struct Report {
    /// Where the random numbers started.
    pub seed: u64,
    /// The claims that were wanted, in the order of the sources.
    pub claims: Vec<ClaimReport>,
    /// Whether the user stopped it.
    pub interrupted: bool,
    /// How long it took.
    pub time: Duration,
}

/// What became of a claim.
#[derive(Debug, Clone)]
pub struct ClaimReport {
    /// Its module, as `ledger` or `bank.ledger`.
    pub module: String,
    /// What it is called.
    pub name: String,
    /// What it is.
    pub ty: ClaimType,
    /// Where its name stands.
    pub span: Span,
    /// In a word.
    pub status: ClaimStatus,
    /// Cases that counted; 1 for a test without inputs.
    pub cases: u64,
    /// Cases that did not.
    pub discards: DiscardCounts,
    /// Observations that were made, over all cases.
    pub n_observations: u64,
    /// Branches of the module's own functions that were reached.
    pub branch_coverage: Option<BranchCoverage>,
    /// Each `across` of a test; one for a property.
    pub sites: Vec<SiteReport>,
    /// Counterexamples, the simplest first.
    pub failures: Vec<Failure>,
    /// What else somebody should know.
    pub warnings: Vec<ClaimWarning>,
    /// What the cases of a `verify` block came to; of nothing else.
    pub verify: Option<VerifyReport>,
    /// Why it could not be decided, if it was declined.
    pub reason: Option<Diagnostic>,
    /// The case that did not go the same way twice, if there is one.
    pub flake: Option<Flake>,
    /// How long it took, over all threads.
    pub time: Duration,
}

impl ClaimReport {
    /// What tells it from all others, as people write it: `ledger::transfer keeps the sum`.
    pub fn id(&self) -> String {
        format!("{}::{}", self.module, self.name)
    }
}

/// The kinds of claim.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum ClaimType {
    /// `test`.
    Test,
    /// `@property fn`.
    Property,
    /// `verify`.
    Verify,
}

/// What became of a claim, in a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClaimStatus {
    /// Nothing was found against it.
    Pass,
    /// A counterexample, or too little of what `cover` demands.
    Fail,
    /// Hardly any case got past its guards: nothing was tested.
    Vacuous,
    /// A case ran out of steps, depth or memory, and nothing else was found against it.
    Limit,
    /// It could not be run: a type has no generator, or a form is not supported.
    Declined,
    /// The user stopped the run before it was decided.
    Interrupted,
    /// The same case did not go the same way twice.
    Flaky,
    /// `@ignore(reason = "..")`: not run, and why.
    Ignored(String),
    /// Not run, because the run ended before.
    Skipped,
}

impl ClaimStatus {
    /// What follows from what was found against a claim.
    pub(crate) fn of_failures(failures: &[Failure]) -> Self {
        if failures.is_empty() {
            return Self::Pass;
        }
        let is_limit = failures.iter().all(|it| it.cause == FailureCause::Limit);
        if is_limit { Self::Limit } else { Self::Fail }
    }

    /// The word for it.
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
        }
    }
}

/// Cases that did not count, by why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DiscardCounts {
    /// `assume` and `where` that did not hold.
    pub assumptions: u64,
    /// Generators that gave up.
    pub generators: u64,
    /// How many of those were cut off, because they took more choices than a case may have.
    pub cut_off: u64,
    /// Values that were thrown away because a refinement could only be filtered; the cases
    /// went on with others.
    pub filtered: u64,
    /// Each place, and how often it was the reason, the most frequent first.
    pub places: Vec<(Span, u64)>,
}

impl DiscardCounts {
    /// Cases that did not count.
    pub fn cases(&self) -> u64 {
        self.assumptions + self.generators
    }
}

/// How many branches there are, and how many were reached.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub struct BranchCoverage {
    /// Reached at least once.
    pub reached: u64,
    /// All that there are in what the claim may call, in the modules of the user.
    pub total: u64,
}

/// An `across`, or a property.
#[derive(Debug, Clone)]
pub struct SiteReport {
    /// Where it stands.
    pub span: Span,
    /// Cases that counted.
    pub cases: u64,
    /// Cases that did not.
    pub discards: u64,
    /// Cases that drew the same inputs as an earlier one, as far as that was looked for.
    pub duplicates: u64,
    /// Cases among which duplicates were looked for.
    pub compared: u64,
    /// Whether these were all cases there are.
    pub exhaustive: bool,
    /// Why it ended.
    pub stop_reason: SiteStopReason,
    /// What `collect` counted, the most frequent first.
    pub labels: Vec<LabelCount>,
    /// What `classify` counted.
    pub classes: Vec<ClassCount>,
    /// What `cover` demands.
    pub covers: Vec<CoverReport>,
    /// The best score of `target`.
    pub best_score: Option<f64>,
    /// Runs that were made to come to it, besides the cases.
    pub hill_climbing_runs: u64,
    /// The inputs: name, type as written, and how they are made.
    pub inputs: Vec<(String, String)>,
}

/// Why the cases of a site ended.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum SiteStopReason {
    /// As many as were wanted.
    EnoughCases,
    /// There are no others.
    Exhausted,
    /// A counterexample.
    Failed,
    /// The time was over.
    Timeout,
    /// Too many did not count.
    TooManyDiscards,
    /// Too many reached a limit.
    TooManyLimits,
    /// The user.
    Interrupted,
}

/// A value that `collect` was given, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelCount {
    /// The text.
    pub text: String,
    /// How many cases.
    pub cases: u64,
}

/// A name that `classify` was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassCount {
    /// The name.
    pub name: String,
    /// Cases in which it held.
    pub cases: u64,
}

/// What `cover` demands, and what there was.
#[derive(Debug, Clone, PartialEq)]
pub struct CoverReport {
    /// The name.
    pub name: String,
    /// At least so many percent.
    pub percent: i64,
    /// Cases in which it held.
    pub cases: u64,
    /// Between which percentages the true share lies, with 99.9 % confidence.
    pub interval: (f64, f64),
    /// What follows.
    pub verdict: CoverVerdict,
}

/// Whether something is so.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum CoverVerdict {
    /// It is.
    Holds,
    /// It is not.
    Fails,
    /// There were too few cases to tell.
    Unclear,
}

/// Something found against a claim.
#[derive(Debug, Clone)]
pub struct Failure {
    /// What tells it from other failures of the claim, stable over edits elsewhere.
    pub id: String,
    /// What happened, ready to be shown: message, place, notes, calls.
    pub fault: Diagnostic,
    /// What kind of thing happened.
    pub cause: FailureCause,
    /// Both sides of the comparison that did not hold, as source.
    pub sides: Option<ComparisonSides>,
    /// The parts of what was observed: where each stands, and its value as source.
    pub subexpressions: Vec<(Span, String)>,
    /// The locals of the claim that were bound by then: names, and values as source.
    pub locals: Vec<(String, String)>,
    /// What was drawn, a line for each choice, if it failed before it had all its inputs.
    pub drawn: Vec<String>,
    /// The inputs, as source; empty for a test without.
    pub arguments: Vec<ReportedInput>,
    /// The `across` they are inputs of.
    pub site: Option<Span>,
    /// How it was found and made simpler; not for tests without inputs.
    pub shrink: Option<ShrinkSummary>,
    /// The case as `gainsay replay` takes it: `gs1-..`.
    pub replay_token: Option<String>,
    /// The file it is kept in, if it is.
    pub saved: Option<SavedCaseReport>,
    /// Other failures of the same claim with the same inputs.
    pub related: Vec<RelatedFailure>,
    /// Which case of a `verify` block it is.
    pub verify_case: Option<FailedVerifyCase>,
}

/// What the cases of a `verify` block came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// The function it is about.
    pub function: String,
    /// The name of the law; none for cases.
    pub law: Option<String>,
    /// Whether it looks at traces.
    pub traced: bool,
    /// Cases that are written in the block.
    pub declared: CheckCounts,
    /// Cases that hostility added.
    pub hostile: CheckCounts,
    /// Cases that `when` leaves out.
    pub skipped: u64,
    /// Cases that took more than they may.
    pub declined: u64,
    /// Cases that failed and are neither told nor like one that is.
    pub unreported: u64,
    /// Each thing that hostility did which the law does not survive, those that are told first.
    pub failing: Vec<HostileFailureGroup>,
    /// What was tried of a product that is too large to be run; none if all of it was run.
    pub coverage: Option<CombinationCoverage>,
}

/// Something that hostility did which a law does not survive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostileFailureGroup {
    /// What it did: everything that is to blame at once.
    pub origin: Vec<HostileOrigin>,
    /// How many cases fail by it.
    pub cases: u64,
}

/// What was tried of a product of choices that is too large to be run.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub struct CombinationCoverage {
    /// How many combinations there are.
    pub combinations: u64,
    /// Any so many choices of different axes met in some case: 2 for pairs, 3 for triples.
    pub strength: u32,
    /// How many combinations of one choice more than that met, and how many there are, if it was
    /// tried.
    pub partial: Option<(u64, u64)>,
    /// Combinations of so many choices that `when` left out wherever they were tried.
    pub excluded: u64,
}

impl VerifyReport {
    /// All cases that were compared.
    pub fn checks(&self) -> CheckCounts {
        let (a, b) = (self.declared, self.hostile);
        CheckCounts { passed: a.passed + b.passed, failed: a.failed + b.failed }
    }
}

/// How many cases went which way.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub struct CheckCounts {
    /// Both sides were the same.
    pub passed: u64,
    /// They were not, or there was none to compare.
    pub failed: u64,
}

impl CheckCounts {
    /// All of them.
    pub fn total(self) -> u64 {
        self.passed + self.failed
    }
}

/// A case of a `verify` block that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedVerifyCase {
    /// The claim with the given values in it: `is_positive(0) => true`.
    pub case: String,
    /// The claim as it is written, of a law.
    pub law: Option<String>,
    /// Whether hostility added it.
    pub from_hostile: bool,
    /// What hostility did to it, as far as it matters.
    pub origin: Vec<HostileOrigin>,
    /// How many more cases fail, whatever the givens are that do not matter.
    pub others: u64,
    /// A world that can be pasted, for one that was made up.
    pub world: Option<String>,
}

/// What hostility did to a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostileOrigin {
    /// A given has a value at the boundary of its type.
    Boundary,
    /// An operation is answered by a profile.
    Profile {
        /// The operation.
        op: String,
        /// The profile.
        name: String,
    },
    /// Branches of `par` were evaluated in this order.
    Order(Vec<u32>),
    /// The inputs were explored.
    Explored,
    /// The world was made up.
    Generated,
}

/// What kind of thing happened.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum FailureCause {
    /// The two sides of a `=>` are not the same.
    Mismatch,
    /// An `observe` did not hold.
    Observe,
    /// A contract, a refinement, a division by zero, `fail`, ..
    Fault,
    /// The case ran out of steps, depth or memory.
    Limit,
    /// `cover` demands more.
    Cover,
}

/// A case that did not go the same way twice.
#[derive(Debug, Clone, PartialEq)]
pub struct Flake {
    /// Which case it was, from 1.
    pub case: u64,
    /// How often it was run until two runs differed.
    pub runs: u64,
    /// What one run did.
    pub first: CaseRunReport,
    /// What another did.
    pub second: CaseRunReport,
}

/// What one run of a case did.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseRunReport {
    /// The inputs, as source.
    pub arguments: Vec<ReportedInput>,
    /// What was drawn, a line for each choice, as kept cases have them.
    pub drawn: Vec<String>,
    /// Observations that were made, if they were counted.
    pub observed: Option<u64>,
    /// Steps that were taken, if they were counted.
    pub steps: Option<u64>,
    /// How it ended.
    pub end: CaseRunEnd,
}

/// How a run of a case ended.
#[derive(Debug, Clone, PartialEq)]
pub enum CaseRunEnd {
    /// Nothing was wrong.
    Passed,
    /// Something was, and what, if that is known.
    Failed(Option<Diagnostic>),
    /// A limit was reached, and which, if that is known.
    Unfinished(Option<Diagnostic>),
    /// It does not count.
    Discarded,
}

/// Another failure with the same inputs.
#[derive(Debug, Clone)]
pub struct RelatedFailure {
    /// What happened.
    pub fault: Diagnostic,
}

/// Both sides of a comparison, as source.
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
    /// The how-manieth input of that name it is in this case, from 1: an `across` inside of
    /// another may be come to several times.
    pub occurrence: u64,
    /// Its type, as written.
    pub ty: String,
    /// Its value, as source.
    pub value: String,
    /// Whether other values in its place were seen to fail as well, every one that was tried.
    pub is_irrelevant: bool,
    /// How many others were tried then.
    pub others_tried: Option<u64>,
}

/// How a failing case was found and made simpler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShrinkSummary {
    /// Which case it was, from 1; 0 if it was kept by an earlier run.
    pub case: u64,
    /// Choices of the case as found.
    pub original_choices: u64,
    /// Choices of the simplest.
    pub choices: u64,
    /// How often the claim was run to make it simpler.
    pub executions: u64,
    /// Whether nothing simpler is near; otherwise why it was stopped early.
    pub outcome: ShrinkOutcome,
    /// The inputs as they were found, as source.
    pub original_inputs: Vec<ReportedInput>,
    /// What `@property(seed = ..)` takes to draw them again, if there is such a number.
    pub seed: Option<u64>,
}

impl ShrinkSummary {
    /// A case that an earlier run found and saved.
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

/// How making a case simpler ended.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum ShrinkOutcome {
    /// Nothing simpler fails as far as it looks.
    Minimal,
    /// The time was over.
    Timeout,
    /// The tries were used up.
    BudgetExhausted,
    /// Each run takes long, because it reaches a limit: only a few were made.
    TooSlow,
    /// The user.
    Interrupted,
    /// It was not tried: the case came from a file and still fails.
    FromSavedCase,
}

/// A kept case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedCaseReport {
    /// The file, as it is seen by whoever reads the report.
    pub path: String,
    /// What is to be said of it.
    pub state: SavedCaseState,
}

/// What is to be said of a kept case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SavedCaseState {
    /// Written by this run.
    New,
    /// It was there before, and fails still.
    StillFails,
    /// It was there before, and passes now.
    Fixed,
    /// It cannot be used any more, and why.
    Stale(String),
    /// It cannot be read, and why.
    Broken(String),
    /// It could not be written, and why.
    WriteFailed(String),
}

/// Something somebody should know of a claim.
#[derive(Debug, Clone, PartialEq)]
pub enum ClaimWarning {
    /// Nothing is observed: it would pass whatever the code does.
    Placebo,
    /// More than a third of the cases did not count.
    ManyDiscards,
    /// More than nine tenths of the cases had the inputs of an earlier one.
    ManyDuplicates,
    /// A predicate that is filtered, not solved: where, and how many values it threw away.
    Filtered {
        /// Where the predicate stands.
        span: Span,
        /// Its text.
        predicate: String,
        /// Values that were tried.
        tried: u64,
        /// Values that were kept, about.
        kept: u64,
    },
    /// A refinement that is filtered, and keeps hardly anything but one value.
    WeakGenerator {
        /// Where the input is bound.
        span: Span,
        /// Its name.
        name: String,
        /// How often the most frequent value came.
        same: u64,
        /// How many values there were.
        all: u64,
    },
    /// An `across` that no case came to: where it stands.
    Unreached(Span),
    /// Too few cases to say whether `cover` is met.
    UnclearCover(String),
    /// A kept case that is not simply replayed.
    SavedCase(SavedCaseReport),
    /// Hostility has more combinations than are run.
    PartialCoverage(CombinationCoverage),
    /// `when` left out every case that hostility added, so many.
    NoHostileCase(u64),
}

/// One case, for whoever wants to see all of them.
#[derive(Debug, Clone, PartialEq)]
pub struct ObservedCase {
    /// The inputs: name and value as source.
    pub arguments: Vec<(String, String)>,
    /// `passed`, `failed` or `gave_up`.
    pub status: &'static str,
    /// Why, unless it passed.
    pub reason: String,
    /// Generated, shrunk, replayed, ..
    pub phase: &'static str,
    /// What `collect`, `classify` and `target` said.
    pub features: Vec<(String, String)>,
    /// Seconds it took.
    pub seconds: f64,
}

impl ClaimReport {
    /// Makes it the report of a claim that was not run.
    pub(crate) fn skip(&mut self) {
        self.status = ClaimStatus::Skipped;
        self.cases = 0;
        self.discards = DiscardCounts::default();
        self.n_observations = 0;
        self.branch_coverage = None;
        self.sites.clear();
        self.failures.clear();
        self.warnings.clear();
        self.verify = None;
        self.reason = None;
        self.flake = None;
        self.time = Duration::ZERO;
    }
}

//! The results of a mutation run as plain data; renderers turn it into text.

use gainsay_core::{ClaimId, FailureKind, ObserveStrength};
use gainsay_source::Span;

use crate::find_mutants::{Mutant, MutantGroup};
use crate::mutant_runner::ContractBoundary;

/// The results for all mutants of a program.
#[derive(Debug, Clone, Default)]
pub struct MutationReport {
    /// Each mutant, in source order.
    pub mutants: Vec<MutantReport>,
    /// The claims that were run, in the order of the program.
    pub claims: Vec<ClaimMutationReport>,
    /// The clauses of contracts, in source order.
    pub clauses: Vec<ClauseReport>,
    /// Test lines that would kill survivors, those that kill most first.
    pub leverage: Vec<HighLeverageTest>,
    /// The number of mutants dropped as equivalent to the original or to another mutant.
    pub n_equivalent: u64,
    /// Functions without mutants because claims use them only as oracles or helpers.
    pub excluded: Vec<ExcludedFunction>,
    /// Whether the user interrupted the run before all mutants were run and survivors analysed.
    pub interrupted: bool,
    /// Mutants that were not run because of that.
    pub n_remaining: usize,
}

/// A function that claims use only as an oracle or to select cases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExcludedFunction {
    /// The display name of its module.
    pub module: String,
    /// Its name.
    pub name: String,
}

/// The results for one mutant.
#[derive(Debug, Clone)]
pub struct MutantReport {
    /// The mutant.
    pub mutant: Mutant,
    /// The declaration it is in.
    pub declaration: String,
    /// Its status.
    pub status: MutantStatus,
    /// The claims that reach it, as positions in [`MutationReport::claims`].
    pub reached_by: Vec<usize>,
    /// The claims that detected it, among those run until one killed it.
    pub detected_by: Vec<usize>,
    /// How it was detected.
    pub killing_case: Option<KillingCase>,
    /// Why it survived, for survivors.
    pub explanation: Option<SurvivorExplanation>,
}

/// How a mutant was detected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KillingCase {
    /// The claim, as a position in [`MutationReport::claims`].
    pub claim: usize,
    /// The inputs of the detecting case, not shrunk: names and source text. Empty for a claim
    /// without inputs.
    pub inputs: Vec<(String, String)>,
}

/// Why a mutant survived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurvivorExplanation {
    /// The strongest statement that is true.
    pub reason: SurvivalReason,
    /// A test that would kill it.
    pub suggestion: Option<TestSuggestion>,
}

/// Why a mutant survived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SurvivalReason {
    /// No claim evaluates it.
    Unreached,
    /// Claims evaluate it, but its changes reach no observation.
    Unobserved,
    /// Its changes reach an observation that holds either way.
    WeaklyObserved {
        /// The span of the observation.
        observe: Span,
        /// How much it pins down.
        strength: ObserveStrength,
        /// Its claim, as a position in [`MutationReport::claims`].
        claim: usize,
    },
    /// It changes nothing on any input of any claim.
    SameOnClaimInputs,
}

/// An input that distinguishes a mutant from the original, and the line that tests for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestSuggestion {
    /// The line, as in `observe add(2, 3) == 5`.
    pub line: String,
    /// The call, as in `add(2, 3)`.
    pub call: String,
    /// The result of the original.
    pub original: CallOutcome,
    /// The result of the mutant.
    pub mutant: CallOutcome,
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallOutcome {
    /// A value, as source text.
    Value(String),
    /// It fails.
    Failure(FailureKind),
    /// No result within the limits.
    Undecided,
}

/// A test line that would kill survivors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HighLeverageTest {
    /// The line.
    pub line: String,
    /// The survivors that it kills, as positions in [`MutationReport::mutants`].
    pub kills: Vec<usize>,
}

/// The status of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MutantStatus {
    /// A claim fails on it.
    Killed,
    /// A contract or refinement rejects it; no claim does.
    KilledByContract(ContractBoundary),
    /// A claim takes more than ten times its steps on the original.
    Timeout,
    /// All claims pass on it.
    Survived,
    /// All claims pass on it, and none of the inputs tried distinguishes it from the original. That
    /// is no proof of equivalence.
    NoDifference {
        /// Distinct inputs tried.
        n_inputs: u64,
    },
    /// No claim evaluates it.
    Unreached,
    /// It was not run, for a reason stated in the source.
    Suppressed(String),
}

impl MutantStatus {
    /// Whether the claims detected it.
    pub fn is_detected(&self) -> bool {
        match self {
            Self::Killed | Self::KilledByContract(_) | Self::Timeout => true,
            Self::Survived
            | Self::NoDifference { .. }
            | Self::Unreached
            | Self::Suppressed(_) => false,
        }
    }
}

/// The results for one claim.
#[derive(Debug, Clone)]
pub struct ClaimMutationReport {
    /// The claim.
    pub claim: ClaimId,
    /// The display name of its module.
    pub module: String,
    /// Its name.
    pub name: String,
    /// Its span.
    pub span: Span,
    /// Whether it is undecided on the original, and so was excluded.
    pub is_undecided: bool,
    /// Whether it is vacuous on the original, and so was excluded.
    pub is_vacuous: bool,
    /// How many mutants it reaches.
    pub n_reached: usize,
    /// How many mutants it is credited with: those of which it is the last detecting claim.
    pub n_detected: usize,
    /// What is wrong with it, if it detects none.
    pub weakness: Option<ClaimWeakness>,
}

impl ClaimMutationReport {
    /// Whether no mutant was run with it.
    pub fn is_excluded(&self) -> bool {
        self.is_undecided || self.is_vacuous
    }
}

/// Why a claim detects no mutant.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum ClaimWeakness {
    /// It observes nothing.
    Placebo,
    /// It reaches none: the code it tests has no mutants in this run.
    ReachesNone,
    /// It only makes comparisons that hold for many values.
    WeaklyObserves,
    /// It reaches some, and passes on all of them.
    DetectsNone,
}

/// The results for one contract clause.
#[derive(Debug, Clone)]
pub struct ClauseReport {
    /// Its span.
    pub span: Span,
    /// The function it belongs to.
    pub function: String,
    /// How many mutants it detected.
    pub n_detected: usize,
}

impl ClauseReport {
    /// Whether a boundary is this clause.
    pub(crate) fn is_at(&self, boundary: ContractBoundary) -> bool {
        match boundary {
            ContractBoundary::In(span) | ContractBoundary::Out(span) => span == self.span,
            ContractBoundary::Refinement => false,
        }
    }
}

/// How many mutants have which status.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default)]
pub struct MutantCounts {
    /// Detected by a claim itself.
    pub killed: usize,
    /// Detected only by contracts.
    pub by_contract: usize,
    /// Detected by exceeding the step limit.
    pub timeouts: usize,
    /// Not detected.
    pub survived: usize,
    /// Not detected, and no input was found that distinguishes them from the original.
    pub no_difference: usize,
    /// The minimum and maximum of the inputs tried for each of these.
    pub n_inputs: Option<(u64, u64)>,
    /// Not evaluated by any claim.
    pub unreached: usize,
    /// Not run.
    pub suppressed: usize,
}

impl MutantCounts {
    /// How many were detected.
    pub fn detected(&self) -> usize {
        self.killed + self.by_contract + self.timeouts
    }

    /// How many count toward the score.
    pub fn total(&self) -> usize {
        self.detected() + self.survived + self.no_difference + self.unreached
    }

    /// The percentage of those that count which were detected; `None` if none counts.
    pub fn score(&self) -> Option<f64> {
        (self.total() > 0).then(|| self.detected() as f64 * 100.0 / self.total() as f64)
    }
}

/// How many mutants survived for which reason.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default)]
pub struct SurvivorCounts {
    /// No claim evaluates them.
    pub unreached: usize,
    /// Their changes reach no observation.
    pub unobserved: usize,
    /// Their changes reach an observation that holds either way.
    pub weakly_observed: usize,
    /// They change nothing on the claims' inputs, but other inputs distinguish them, or may.
    pub same_on_claim_inputs: usize,
    /// No input was found that distinguishes them.
    pub no_difference: usize,
    /// Not analysed.
    pub unexplained: usize,
}

impl MutationReport {
    /// Why mutants of both groups survived.
    pub fn survivors(&self) -> SurvivorCounts {
        let mut survivors = SurvivorCounts::default();
        for it in &self.mutants {
            let reason = it.explanation.as_ref().map(|it| &it.reason);
            let count = match (&it.status, reason) {
                (MutantStatus::Unreached, _) => &mut survivors.unreached,
                (MutantStatus::NoDifference { .. }, _) => &mut survivors.no_difference,
                (MutantStatus::Survived, Some(SurvivalReason::Unreached)) => {
                    &mut survivors.unreached
                }
                (MutantStatus::Survived, Some(SurvivalReason::Unobserved)) => {
                    &mut survivors.unobserved
                }
                (MutantStatus::Survived, Some(SurvivalReason::WeaklyObserved { .. })) => {
                    &mut survivors.weakly_observed
                }
                (MutantStatus::Survived, Some(SurvivalReason::SameOnClaimInputs)) => {
                    &mut survivors.same_on_claim_inputs
                }
                (MutantStatus::Survived, None) => &mut survivors.unexplained,
                (
                    MutantStatus::Killed
                    | MutantStatus::KilledByContract(_)
                    | MutantStatus::Timeout
                    | MutantStatus::Suppressed(_),
                    _,
                ) => continue,
            };
            *count += 1;
        }
        survivors
    }

    /// How many mutants of a group have which status.
    pub fn counts(&self, group: MutantGroup) -> MutantCounts {
        let mut counts = MutantCounts::default();
        for it in self.mutants.iter().filter(|it| it.mutant.group == group) {
            let count = match it.status {
                MutantStatus::Killed => &mut counts.killed,
                MutantStatus::KilledByContract(_) => &mut counts.by_contract,
                MutantStatus::Timeout => &mut counts.timeouts,
                MutantStatus::Survived => &mut counts.survived,
                MutantStatus::NoDifference { n_inputs } => {
                    let (least, most) = counts.n_inputs.unwrap_or((n_inputs, n_inputs));
                    counts.n_inputs = Some((least.min(n_inputs), most.max(n_inputs)));
                    &mut counts.no_difference
                }
                MutantStatus::Unreached => &mut counts.unreached,
                MutantStatus::Suppressed(_) => &mut counts.suppressed,
            };
            *count += 1;
        }
        counts
    }
}

/// Why there are no results: claims that do not hold on the original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaselineFailed {
    /// The claims that fail on the original.
    pub claims: Vec<ClaimId>,
}

//! What came of the mutants: facts only.

use gainsay_core::{ClaimId, FailureKind, ObserveStrength};
use gainsay_source::Span;

use crate::find_mutants::{Mutant, MutantGroup};
use crate::mutant_runner::ContractBoundary;

/// What came of all mutants of a program.
#[derive(Debug, Clone, Default)]
pub struct MutationReport {
    /// Each mutant, in the order of the sources.
    pub mutants: Vec<MutantReport>,
    /// The claims that were tried, in the order of the program.
    pub claims: Vec<ClaimMutationReport>,
    /// The clauses of contracts, in the order of the sources.
    pub clauses: Vec<ClauseReport>,
    /// Lines that would kill survivors, those that kill most first.
    pub leverage: Vec<HighLeverageTest>,
    /// Mutants that would have meant the same as the program, or as another mutant.
    pub n_equivalent: u64,
    /// Functions without mutants because claims only test with them.
    pub excluded: Vec<ExcludedFunction>,
    /// Whether the user ended it before all were tried, and survivors looked into.
    pub interrupted: bool,
    /// Mutants that were not tried because of that.
    pub n_remaining: usize,
}

/// A function that claims only use to say what they expect, or of which cases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExcludedFunction {
    /// Its module, as it is called in reports.
    pub module: String,
    /// Its name.
    pub name: String,
}

/// What came of a mutant.
#[derive(Debug, Clone)]
pub struct MutantReport {
    /// The mutant.
    pub mutant: Mutant,
    /// The declaration it is in.
    pub declaration: String,
    /// What came of it.
    pub status: MutantStatus,
    /// The claims that reach it, as positions in [`MutationReport::claims`].
    pub reached_by: Vec<usize>,
    /// The claims that noticed it, among those that were tried until one was enough.
    pub detected_by: Vec<usize>,
    /// How it was noticed.
    pub killing_case: Option<KillingCase>,
    /// Why nothing noticed it, for those that nothing noticed.
    pub explanation: Option<SurvivorExplanation>,
}

/// How a mutant was noticed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KillingCase {
    /// The claim, as a position in [`MutationReport::claims`].
    pub claim: usize,
    /// The inputs with which it did, as they were found: names and source. A claim that draws
    /// nothing has none.
    pub inputs: Vec<(String, String)>,
}

/// Why nothing noticed a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurvivorExplanation {
    /// The strongest statement that is true.
    pub reason: SurvivalReason,
    /// What would kill it.
    pub suggestion: Option<TestSuggestion>,
}

/// Why nothing noticed a mutant; what says less comes later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SurvivalReason {
    /// No claim evaluates it.
    Unreached,
    /// Claims evaluate it, and what it changes comes to no observation.
    Unobserved,
    /// What it changes comes to an observation that holds either way.
    WeaklyObserved {
        /// Where the observation stands.
        observe: Span,
        /// How much it pins down.
        strength: ObserveStrength,
        /// Its claim, as a position in [`MutationReport::claims`].
        claim: usize,
    },
    /// It changes nothing on any input of any claim.
    SameOnClaimInputs,
}

/// An input that tells a mutant from the program, and the line that says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestSuggestion {
    /// The line, as in `observe add(2, 3) == 5`.
    pub line: String,
    /// The call, as in `add(2, 3)`.
    pub call: String,
    /// What the program gives.
    pub original: CallOutcome,
    /// What the mutant gives.
    pub mutant: CallOutcome,
}

/// What comes of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallOutcome {
    /// A value, as source.
    Value(String),
    /// It fails.
    Failure(FailureKind),
    /// Nothing within the limits.
    Undecided,
}

/// A line that would kill survivors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HighLeverageTest {
    /// The line.
    pub line: String,
    /// The survivors that it kills, as positions in [`MutationReport::mutants`].
    pub kills: Vec<usize>,
}

/// What came of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MutantStatus {
    /// A claim does not hold of it.
    Killed,
    /// A contract or a refinement refuses what it does; no claim does.
    KilledByContract(ContractBoundary),
    /// A claim takes more than ten times the steps.
    Timeout,
    /// All claims hold of it as well.
    Survived,
    /// All claims hold of it as well, and none of some inputs tells it from the program. That is
    /// no proof that none does.
    NoDifference {
        /// Different inputs that were tried.
        n_inputs: u64,
    },
    /// No claim evaluates it.
    Unreached,
    /// It was not tried, for a reason that somebody gave.
    Suppressed(String),
}

impl MutantStatus {
    /// Whether the claims noticed it.
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

/// A claim, as far as mutants are concerned.
#[derive(Debug, Clone)]
pub struct ClaimMutationReport {
    /// The claim.
    pub claim: ClaimId,
    /// Its module, as it is called in reports.
    pub module: String,
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// Whether it cannot be decided of the program itself, and so was left out.
    pub is_undecided: bool,
    /// Whether it tests nothing of the program itself, and so was left out.
    pub is_vacuous: bool,
    /// How many mutants it reaches.
    pub n_reached: usize,
    /// How many it noticed first.
    pub n_detected: usize,
    /// What is the matter with it, if it notices none.
    pub weakness: Option<ClaimWeakness>,
}

impl ClaimMutationReport {
    /// Whether no mutant was tried with it.
    pub fn is_excluded(&self) -> bool {
        self.is_undecided || self.is_vacuous
    }
}

/// What is the matter with a claim that notices no mutant.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum ClaimWeakness {
    /// It observes nothing.
    Placebo,
    /// It comes to none: what it is about has no mutants here.
    ReachesNone,
    /// All it does is to compare in a way that holds of many values.
    WeaklyObserves,
    /// It comes to some, and holds of all of them.
    DetectsNone,
}

/// A clause of a contract, as far as mutants are concerned.
#[derive(Debug, Clone)]
pub struct ClauseReport {
    /// Where it stands.
    pub span: Span,
    /// The function it belongs to.
    pub function: String,
    /// How many mutants it noticed.
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

/// How many mutants came to what.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default)]
pub struct MutantCounts {
    /// Noticed by a claim itself.
    pub killed: usize,
    /// Noticed by contracts only.
    pub by_contract: usize,
    /// Noticed by how long they take.
    pub timeouts: usize,
    /// Not noticed.
    pub survived: usize,
    /// Not noticed, and no input was found that tells them from the program.
    pub no_difference: usize,
    /// The inputs that were tried for each of these, at least and at most.
    pub n_inputs: Option<(u64, u64)>,
    /// Not evaluated by any claim.
    pub unreached: usize,
    /// Not tried.
    pub suppressed: usize,
}

impl MutantCounts {
    /// How many were noticed.
    pub fn detected(&self) -> usize {
        self.killed + self.by_contract + self.timeouts
    }

    /// How many count.
    pub fn total(&self) -> usize {
        self.detected() + self.survived + self.no_difference + self.unreached
    }

    /// How many of a hundred that count were noticed; nothing if none counts.
    pub fn score(&self) -> Option<f64> {
        (self.total() > 0).then(|| self.detected() as f64 * 100.0 / self.total() as f64)
    }
}

/// How many mutants survived for which reason.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default)]
pub struct SurvivorCounts {
    /// No claim evaluates them.
    pub unreached: usize,
    /// What they change comes to no observation.
    pub unobserved: usize,
    /// It comes to an observation that holds either way.
    pub weakly_observed: usize,
    /// They change nothing on the inputs of the claims, and other inputs tell them apart, or may.
    pub same_on_claim_inputs: usize,
    /// No input was found that tells them apart.
    pub no_difference: usize,
    /// Nobody asked.
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

    /// How many mutants of a group came to what.
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

/// Why there are no verdicts: claims that do not hold of the program itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaselineFailed {
    /// The claims that do not hold, or cannot be decided.
    pub claims: Vec<ClaimId>,
}

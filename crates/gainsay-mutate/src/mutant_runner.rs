//! Runs one claim on one mutant and reports whether the claim detects it.
//!
//! The cases are those of an ordinary run, but nothing is shrunk, explained or saved. A run ends at
//! the first case that fails an assertion. Weaker detections (earlier in the order of
//! [`ClaimDetection`]) do not end it, so the result does not depend on the order of the cases.

mod baseline_trace;
mod detecting_case;
mod verify_blocks;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay_choice::{EnumerationControl, EnumerationOutcome};
use gainsay_core::{ClaimId, ClaimKind, FunctionId};
use gainsay_gen::LoweredProgram;
use gainsay_source::Span;
use gainsay_test::claims::{
    CaseOutcome, CaseRunner, CaseTally, ClaimEngines, ClaimRunner, SitePlan,
};
use gainsay_test::{CoverVerdict, Settings, SiteStopReason};
use gainsay_vm::{
    ClauseKind, EngineKind, FaultKind, Instrumentation, Limits, MutantId, SwitchId,
};

pub use self::baseline_trace::BaselineTrace;
pub use self::detecting_case::DetectingCase;
use crate::constant_reachability::ConstantReachability;
use crate::value_log::ValueLog;

/// What a claim detected, from weakest to strongest: the derived order ranks detections.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClaimDetection {
    /// Every case passed.
    #[default]
    Nothing,
    /// A case exceeded its step, depth or memory limit.
    Limit,
    /// A contract or refinement inside the program was violated.
    Boundary(ContractBoundary),
    /// The claim does not hold, or can no longer be evaluated.
    Assertion,
    /// The user interrupted the run.
    Interrupted,
}

/// A boundary inside a program at which values are checked.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContractBoundary {
    /// An `in` clause, by its span.
    In(Span),
    /// An `out` clause, by its span.
    Out(Span),
    /// A refinement type.
    Refinement,
}

/// The result of running one claim on one mutant.
#[derive(Debug, Clone, Default)]
pub struct MutantRunReport {
    /// The strongest detection.
    pub detection: ClaimDetection,
    /// Whether the claim failed because it tested no case.
    pub is_vacuous: bool,
    /// The number of the detecting case, to be tried first on the next mutant.
    pub detecting_case_number: Option<u64>,
    /// The detecting case, if there is one.
    pub detecting_case: Option<DetectingCase>,
    /// The most steps taken by a single case.
    pub max_case_steps: u64,
    /// The steps of all cases together.
    pub steps: u64,
}

/// A program with mutant switches, shared by threads.
pub struct MutantProgram<'l> {
    engines: ClaimEngines<'l>,
    constant_reachability: ConstantReachability<'l>,
    settings: &'l Settings,
}

/// Cases of one claim that may exceed a limit before the remaining cases are skipped. A case tried
/// early (the hint) may fail an assertion on a mutant that would otherwise be abandoned this way;
/// it is detected in both cases.
const MAX_LIMITS: u64 = 3;

impl<'l> MutantProgram<'l> {
    /// Builds a program that can run mutants or record which of them are reached.
    pub fn new(
        lowered: &'l LoweredProgram,
        kind: EngineKind,
        instruments: Instrumentation,
        settings: &'l Settings,
        interrupt: Arc<AtomicBool>,
    ) -> Self {
        let engines = ClaimEngines::instrumented(lowered, kind, instruments, interrupt);
        let constants =
            ConstantReachability::new(lowered, engines.search.clone(), &engines.interrupt);
        Self { engines, constant_reachability: constants, settings }
    }

    /// A runner for one thread.
    pub fn runner(&'l self) -> MutantRunner<'l> {
        let mut claim_runner = ClaimRunner::new(&self.engines, None);
        let value_log = Rc::new(RefCell::new(ValueLog::default()));
        claim_runner.search.host.tracer = Some(value_log.clone());
        MutantRunner {
            claim_runner,
            value_log,
            settings: self.settings,
            step_limit: None,
            mutant: None,
            constant_reachability: &self.constant_reachability,
        }
    }
}

/// Runs claims on one thread.
pub struct MutantRunner<'l> {
    claim_runner: ClaimRunner<'l>,
    /// The values of traced terms, over all cases.
    value_log: Rc<RefCell<ValueLog>>,
    settings: &'l Settings,
    /// Step limit for a case, if lower than in an ordinary run.
    step_limit: Option<u64>,
    mutant: Option<MutantId>,
    constant_reachability: &'l ConstantReachability<'l>,
}

/// Whether the baseline of a claim is recorded, reused or ignored.
enum BaselineMode<'c> {
    Unused,
    /// Record it.
    Record(&'c mut BaselineTrace),
    /// The trace without mutants, and the infection flag of the active mutant.
    Reuse(&'c BaselineTrace, SwitchId),
}

impl MutantRunner<'_> {
    /// Activates a mutant, or none.
    pub fn set_mutant(&mut self, mutant: Option<MutantId>) {
        self.mutant = mutant;
        self.claim_runner.search.worker.set_mutant(mutant);
        self.claim_runner.record.worker.set_mutant(mutant);
    }

    /// Sets the step limit of a case; `None` means that of an ordinary run.
    pub fn set_step_limit(&mut self, steps: Option<u64>) {
        self.step_limit = steps;
    }

    /// Runs a claim with all mutants off and records which of their terms it reaches.
    pub fn record_baseline(&mut self, claim: ClaimId) -> (MutantRunReport, BaselineTrace) {
        let mut trace = BaselineTrace::default();
        self.set_mutant(None);
        self.claim_runner.search.worker.watch_mutants();
        let tried = self.run_with_baseline(claim, None, &mut BaselineMode::Record(&mut trace));
        trace.add_reached(&self.claim_runner.search.worker.reached_flags());
        (tried, trace)
    }

    /// Whether a claim reaches the term of a mutant.
    pub fn is_reached(&self, trace: &BaselineTrace, mutant: MutantId) -> bool {
        let switch = self.claim_runner.search.worker.switch_of(mutant);
        switch.is_some_and(|it| trace.is_reached(it))
    }

    /// From now on, logs a sample of the values of traced terms instead of all of them.
    pub(crate) fn sample_values(&mut self) {
        self.value_log.replace(ValueLog::sampling());
    }

    /// The values of traced terms since the last call.
    pub(crate) fn take_value_log(&mut self) -> ValueLog {
        self.value_log.borrow_mut().take()
    }

    /// Runs a claim.
    pub fn run(&mut self, claim: ClaimId) -> MutantRunReport {
        self.run_with_baseline(claim, None, &mut BaselineMode::Unused)
    }

    /// Runs a claim with the active mutant. Cases that do not reach the mutant, or in which it
    /// changes no value, take their outcome from the baseline trace. The hint, the case that
    /// detected a similar mutant before, is run first.
    pub fn run_mutant(
        &mut self,
        claim: ClaimId,
        hint: Option<u64>,
        trace: &BaselineTrace,
    ) -> MutantRunReport {
        let mark =
            self.mutant.and_then(|it| self.claim_runner.search.worker.infection_flag(it));
        let mut baseline = match mark {
            // A mutated constant can influence every case, reached or not, so its baseline is
            // unusable.
            Some(mark) if !self.constant_reachability.is_reached(mark) => {
                // No case is infected, so all of them pass as they do in the baseline.
                if !trace.is_reached(mark) {
                    return MutantRunReport::default();
                }
                BaselineMode::Reuse(trace, mark)
            }
            Some(_) | None => BaselineMode::Unused,
        };
        self.run_with_baseline(claim, hint, &mut baseline)
    }

    fn run_with_baseline(
        &mut self,
        claim: ClaimId,
        hint: Option<u64>,
        baseline: &mut BaselineMode<'_>,
    ) -> MutantRunReport {
        let lowered = self.claim_runner.engines.lowered;
        let limits = self.claim_runner.limits_of(claim, self.settings);
        let steps = self.step_limit.unwrap_or(limits.steps).min(limits.steps);
        // Never more than in an ordinary run: a claim with a lower limit of its own keeps it.
        self.claim_runner.set_limits(Limits { steps, ..limits });
        let mut run = DetectionProgress::default();
        match (lowered.entries[claim.index()], &lowered.search.claim(claim).kind) {
            (Some(entry), _) => self.run_entry(claim, entry, hint, baseline, &mut run),
            (None, ClaimKind::Verify(verify)) => {
                self.run_block(verify, &mut run);
            }
            (None, ClaimKind::Test(_) | ClaimKind::Property(..)) => {}
        }
        let DetectionProgress {
            detection,
            is_vacuous,
            detecting_case_number: hint,
            detecting_case: culprit,
            max_case_steps: most_steps,
            steps,
            ..
        } = run;
        MutantRunReport {
            detection,
            is_vacuous,
            detecting_case_number: hint,
            detecting_case: culprit,
            max_case_steps: most_steps,
            steps,
        }
    }

    fn run_entry(
        &mut self,
        claim: ClaimId,
        entry: FunctionId,
        hint: Option<u64>,
        baseline: &mut BaselineMode<'_>,
        run: &mut DetectionProgress,
    ) {
        let end = self.claim_runner.search_outside_sites(entry);
        // Taken now, because every case of a site resets the host.
        let passed = self.claim_runner.search.host.passed_sites.clone();
        run.record_outcome(&end, &self.claim_runner.search);
        if matches!(
            end,
            CaseOutcome::AssumptionFailed(_)
                | CaseOutcome::GeneratorGaveUp(_)
                | CaseOutcome::NoSolution(_)
                | CaseOutcome::TooManyChoices
                | CaseOutcome::SiteNotReached
        ) {
            run.is_vacuous = !matches!(end, CaseOutcome::SiteNotReached);
            run.record_detection(ClaimDetection::Assertion);
        }
        // The code around the `across` sites is part of each of their cases: if it fails, they all
        // do.
        if end != CaseOutcome::Passed {
            return;
        }
        for (number, site) in passed.iter().enumerate() {
            if run.is_over() {
                return;
            }
            let plan = self
                .claim_runner
                .site_plan(claim, number as u32, *site, self.settings)
                .with_fixed_count();
            if self.claim_runner.engines.lowered.site(plan.site).no_generator.is_some() {
                run.record_detection(ClaimDetection::Limit);
                continue;
            }
            // The hint does not say which site it belongs to, and a case beyond `min_cases` is not
            // run for every mutant: using it would make detection depend on the order.
            let hint = hint.filter(|it| passed.len() == 1 && *it < plan.min_cases);
            self.run_site(&plan, hint, baseline, run);
        }
    }

    fn run_site(
        &mut self,
        plan: &SitePlan,
        hint: Option<u64>,
        baseline: &mut BaselineMode<'_>,
        run: &mut DetectionProgress,
    ) {
        let mut site = SiteProgress::default();
        if !self.run_exhaustively(plan, run, &mut site) {
            // Run in addition: the case has its turn again below, where it counts toward the tally.
            if let Some(hint) = hint {
                let end = self.claim_runner.search_case(plan, hint);
                let mut culprit = || DetectingCase::drawn(plan, hint);
                run.record_case(hint, &end, &self.claim_runner.search, &mut culprit);
            }
            self.run_random_cases(plan, baseline, run, &mut site);
        }
        if run.is_over() {
            return;
        }
        let tally = site.tally;
        // A mutant may fail a `cover` although every case passes.
        let is_uncovered = tally.covers().iter().any(|it| it.verdict == CoverVerdict::Fails);
        let is_vacuous = site.stop_reason == Some(SiteStopReason::TooManyDiscards)
            || (tally.cases == 0 && tally.n_run() > 0 && tally.declined == 0);
        if is_uncovered || is_vacuous {
            run.is_vacuous = !is_uncovered;
            run.record_detection(ClaimDetection::Assertion);
        }
    }

    /// Runs all cases of a site if there are few of them; returns false if there are too many.
    fn run_exhaustively(
        &mut self,
        plan: &SitePlan,
        run: &mut DetectionProgress,
        site: &mut SiteProgress,
    ) -> bool {
        let n_inputs = self.claim_runner.engines.lowered.site(plan.site).n_inputs;
        // A pinned seed selects random cases.
        if n_inputs.is_none_or(|it| it > plan.min_cases) || plan.pinned_seed.is_some() {
            return false;
        }
        let before = run.clone();
        let max_cases = plan.min_cases;
        let ended =
            self.claim_runner.enumerate_cases(plan, max_cases, &mut |runner, end, source| {
                run.record_case(0, end, runner, &mut || {
                    DetectingCase::enumerated(plan, source.recorded_case())
                });
                runner.count_case(end, &mut site.tally);
                if run.is_over() {
                    EnumerationControl::Stop
                } else {
                    EnumerationControl::Continue
                }
            });
        // Enumeration gave up halfway: discard its results and let random cases start afresh.
        if ended == EnumerationOutcome::LimitExceeded {
            *run = before;
            *site = SiteProgress::default();
            return false;
        }
        // Enumerated cases have no number that could serve as a hint for random cases.
        run.detecting_case_number = None;
        true
    }

    fn run_random_cases(
        &mut self,
        plan: &SitePlan,
        baseline: &mut BaselineMode<'_>,
        run: &mut DetectionProgress,
        site: &mut SiteProgress,
    ) {
        for number in 0.. {
            // Step counts must not influence when to stop: a reused case has none.
            site.stop_reason = plan.stop_reason(number, &site.tally, 0);
            if site.stop_reason.is_some() || run.is_over() {
                return;
            }
            if let BaselineMode::Reuse(trace, mark) = baseline
                && let Some(trace) = trace.site(plan.number, plan.site)
                && let Some((end, annotations)) = trace.outcome_without(number, *mark)
            {
                // Replayed into the tally, since discards and covers decide when a site stops.
                site.tally.add_case(end, annotations);
                continue;
            }
            let end = self.claim_runner.search_case(plan, number);
            let mut culprit = || DetectingCase::drawn(plan, number);
            run.record_case(number, &end, &self.claim_runner.search, &mut culprit);
            let runner = &mut self.claim_runner.search;
            runner.count_case(&end, &mut site.tally);
            // Flags accumulate until they are reset, so reset them to attribute them to single
            // cases.
            if let BaselineMode::Record(trace) = baseline {
                let reached = runner.worker.reached_flags();
                runner.worker.watch_mutants();
                trace.add_reached(&reached);
                let annotations = runner.host.annotations.clone();
                trace.site_mut(plan.number, plan.site).push(end, annotations, &reached);
            }
        }
    }
}

/// Progress on the cases of one site.
#[derive(Default)]
struct SiteProgress {
    tally: CaseTally,
    stop_reason: Option<SiteStopReason>,
}

/// Progress on the cases of one claim.
#[derive(Debug, Clone, Default)]
struct DetectionProgress {
    detection: ClaimDetection,
    is_vacuous: bool,
    detecting_case_number: Option<u64>,
    detecting_case: Option<DetectingCase>,
    max_case_steps: u64,
    steps: u64,
    n_limits: u64,
}

impl DetectionProgress {
    fn record_detection(&mut self, detection: ClaimDetection) {
        self.n_limits += u64::from(detection == ClaimDetection::Limit);
        if detection > self.detection {
            self.detection = detection;
        }
    }

    /// Whether nothing stronger can be detected, or too many cases exceeded a limit.
    fn is_over(&self) -> bool {
        // `Interrupted` ranks above `Assertion`, so this includes it.
        self.detection >= ClaimDetection::Assertion || self.n_limits >= MAX_LIMITS
    }

    /// Adds the steps of a case.
    fn add_steps(&mut self, steps: u64) {
        self.max_case_steps = self.max_case_steps.max(steps);
        self.steps = self.steps.saturating_add(steps);
    }

    fn record_case(
        &mut self,
        number: u64,
        end: &CaseOutcome,
        runner: &CaseRunner<'_>,
        culprit: &mut dyn FnMut() -> DetectingCase,
    ) {
        let was_over = self.is_over();
        let before = self.detection.clone();
        self.record_outcome(end, runner);
        if self.detection > before {
            self.detecting_case = Some(culprit());
        }
        // Only the case that decides the run becomes a hint; weaker detections do not end a run.
        if !was_over && self.detection == ClaimDetection::Assertion {
            self.detecting_case_number = Some(number);
        }
    }

    fn record_outcome(&mut self, end: &CaseOutcome, runner: &CaseRunner<'_>) {
        self.add_steps(runner.steps);
        match end {
            CaseOutcome::Passed
            | CaseOutcome::AssumptionFailed(_)
            | CaseOutcome::NoSolution(_)
            | CaseOutcome::GeneratorGaveUp(_)
            | CaseOutcome::TooManyChoices => {}
            CaseOutcome::Declined(_) | CaseOutcome::SiteNotReached => {
                self.record_detection(ClaimDetection::Limit)
            }
            CaseOutcome::Interrupted => self.record_detection(ClaimDetection::Interrupted),
            CaseOutcome::Failed(_) => self.record_fault(runner.fault.as_ref()),
        }
    }

    /// Records the fault that ended a case.
    fn record_fault(&mut self, kind: Option<&FaultKind>) {
        let detection = match kind {
            Some(FaultKind::Contract { clause: ClauseKind::In, at, .. }) => {
                ClaimDetection::Boundary(ContractBoundary::In(*at))
            }
            Some(FaultKind::Contract { clause: ClauseKind::Out, at, .. }) => {
                ClaimDetection::Boundary(ContractBoundary::Out(*at))
            }
            Some(FaultKind::Refinement { .. }) => {
                ClaimDetection::Boundary(ContractBoundary::Refinement)
            }
            Some(FaultKind::Interrupted) => ClaimDetection::Interrupted,
            Some(kind) if kind.is_limit() => ClaimDetection::Limit,
            Some(_) | None => ClaimDetection::Assertion,
        };
        self.record_detection(detection);
    }
}

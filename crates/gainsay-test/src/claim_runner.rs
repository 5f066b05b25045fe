//! Runs one claim: its saved, exhaustive and random cases, shrinking, and the report of each
//! failure. The submodules add these phases to [`ClaimRunner`]; this file holds the state that
//! they share and runs a single case.

mod exhaustive;
mod failure_report;
mod flaky_case;
mod hill_climbing;
mod parallel;
mod random_cases;
mod replay;
mod report_case;
mod run_claim;
mod sampling;
mod saved_cases;
mod shrinking;
mod subexpression_values;
mod trivial_inputs;
mod walks;

pub(crate) use self::failure_report::{fault_diagnostic, sides_of};
pub(crate) use self::flaky_case::FlakyCase;
pub(crate) use self::hill_climbing::SCORE;
pub use self::random_cases::SitePlan;
pub(crate) use self::replay::{ReplayDetails, report_failure};
pub(crate) use self::run_claim::worse_status;
pub(crate) use self::sampling::SampledSite;
pub(crate) use self::saved_cases::SavedCaseOutcome;
pub use self::saved_cases::{ReadValue, SavedCases};

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use gainsay_choice::{FailureIdentity, RunStopReason, RunVerdict, Source, Subject};
use gainsay_core::{ClaimId, ClaimKind, FunctionId, OpId, Program};
use gainsay_gen::LoweredProgram;
use gainsay_solve::RelationSolver;
use gainsay_source::{SourceMap, Span};
use gainsay_vm::{
    Branch, Engine, EngineKind, Fault, FaultKind, Instrumentation, Limits, ProbeOutcome, Worker,
};

use self::parallel::add_counters;
use crate::branch_coverage::{branch_coverage, reachable_functions};
use crate::failure_identity::identity;
use crate::host::{CaseHost, EnteredSite, new_source};
use crate::report::BranchCoverage;
use crate::run_listener::RunListener;
use crate::settings::Settings;
use crate::systems::{SharedConnections, Systems};
use crate::tally::CaseTally;

/// State shared by all threads: the program, compiled for searching and for recording.
pub struct ClaimEngines<'l> {
    /// Both versions of the program, with its input sites.
    pub lowered: &'l LoweredProgram,
    /// Runs the version that searches for failures.
    pub search: Engine,
    record: Engine,
    branches: Vec<Branch>,
    /// Stops a run soon after it is set.
    pub interrupt: Arc<AtomicBool>,
    pub(crate) clock: &'l (dyn Fn() -> Duration + Sync),
    /// Number of threads that one claim may use.
    pub(crate) threads_per_claim: usize,
    /// The source texts of the program, if reports quote them.
    pub(crate) files: Option<&'l SourceMap>,
    /// Display names of modules by module index; the program's own names where absent.
    pub(crate) modules: &'l [String],
    systems: Option<&'l dyn Systems>,
}

impl<'l> ClaimEngines<'l> {
    pub(crate) fn new(
        lowered: &'l LoweredProgram,
        kind: EngineKind,
        interrupt: Arc<AtomicBool>,
        clock: &'l (dyn Fn() -> Duration + Sync),
        threads_per_claim: usize,
    ) -> Self {
        let counting = Instrumentation::default().with_branches(&lowered.search);
        let branches = counting.branches().to_vec();
        let instrumented = if kind == EngineKind::Jit {
            Engine::instrumented(Arc::clone(&lowered.search), counting)
        } else {
            None
        };
        // Only instrumented code counts branches; without counters there is no coverage to report.
        let branches = if instrumented.is_some() { branches } else { Vec::new() };
        let search =
            instrumented.unwrap_or_else(|| Engine::new(Arc::clone(&lowered.search), kind));
        // Never instrumented: reruns and shrinking must not count as coverage.
        let record = Engine::new(Arc::clone(&lowered.record), kind);
        Self {
            branches,
            clock,
            threads_per_claim,
            ..Self::single_threaded(lowered, search, record, interrupt)
        }
    }

    /// Two engines on one thread, without a clock.
    fn single_threaded(
        lowered: &'l LoweredProgram,
        search: Engine,
        record: Engine,
        interrupt: Arc<AtomicBool>,
    ) -> Self {
        let relations = RelationSolver::for_program(&lowered.search);
        Self {
            lowered,
            search: search.with_relations(relations.clone()),
            record: record.with_relations(relations),
            branches: Vec::new(),
            interrupt,
            clock: &|| Duration::ZERO,
            threads_per_claim: 1,
            files: None,
            modules: &[],
            systems: None,
        }
    }

    /// The program with mutant switches or counters compiled in. It records nothing: `search` and
    /// `record` are the same engine.
    pub fn instrumented(
        lowered: &'l LoweredProgram,
        kind: EngineKind,
        instruments: Instrumentation,
        interrupt: Arc<AtomicBool>,
    ) -> Self {
        let program = Arc::clone(&lowered.search);
        let instrumented = if kind == EngineKind::Jit {
            Engine::instrumented(Arc::clone(&program), instruments)
        } else {
            None
        };
        let search = instrumented.unwrap_or_else(|| Engine::new(program, kind));
        // Compiled once for both: mutants are judged by outcomes, and nothing is recorded.
        let record = search.clone();
        Self::single_threaded(lowered, search, record, interrupt)
    }

    /// Attaches the source texts of the program.
    pub(crate) fn with_files(mut self, files: Option<&'l SourceMap>) -> Self {
        self.files = files;
        self
    }

    /// Connects the systems under test.
    pub(crate) fn with_systems(mut self, systems: Option<&'l dyn Systems>) -> Self {
        self.systems = systems;
        self
    }

    /// Overrides the display names of modules.
    pub(crate) fn with_modules(mut self, modules: &'l [String]) -> Self {
        self.modules = modules;
        self
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    pub(crate) fn program(&self) -> &'l Program {
        &self.lowered.record
    }
}

/// Runs the cases of claims on one thread.
pub struct ClaimRunner<'l> {
    /// What it shares with other threads.
    pub engines: &'l ClaimEngines<'l>,
    /// Runs the version that searches for failures.
    pub search: CaseRunner<'l>,
    /// Runs the version that reports its inputs.
    pub record: CaseRunner<'l>,
    pub(crate) saved_cases: Option<&'l SavedCases<'l>>,
    /// The listener, and the number by which it knows the claim.
    listener: Option<(&'l dyn RunListener, usize)>,
    /// The same, if it wants single cases.
    case_listener: Option<(&'l dyn RunListener, usize)>,
    /// How often other threads took each branch for this claim.
    branch_counters: Vec<u64>,
    /// Number of observations made by saved cases.
    n_saved_observations: u64,
    /// A spare source, for runs with a source other than the one of the host.
    spare_source: Option<Source>,
    /// The limits of one case.
    limits: Limits,
}

/// One of the two programs, with the host that handles its effects.
pub struct CaseRunner<'l> {
    /// Calls its functions.
    pub worker: Worker,
    /// Handles its effects.
    pub host: CaseHost<'l>,
    /// Steps of the last case.
    pub steps: u64,
    /// The fault of the last case that failed or was declined.
    pub fault: Option<FaultKind>,
}

impl CaseRunner<'_> {
    /// Ends a case soon after a flag is set.
    fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.worker.set_interrupt(Arc::clone(&flag));
        self.host.set_interrupt(flag);
    }
}

impl<'l> ClaimRunner<'l> {
    /// A runner for one thread; it replays and writes saved cases if given a store.
    pub fn new(engines: &'l ClaimEngines<'l>, saved_cases: Option<&'l SavedCases<'l>>) -> Self {
        let connections = SharedConnections::to(engines.systems);
        let runner = |engine: &Engine, program: &'l Program| {
            let mut worker = engine.worker(Limits::default());
            worker.set_interrupt(Arc::clone(&engines.interrupt));
            let mut host = CaseHost::new(engines.lowered, program);
            host.set_interrupt(Arc::clone(&engines.interrupt));
            host.connections = connections.clone();
            CaseRunner { worker, host, steps: 0, fault: None }
        };
        let lowered = engines.lowered;
        Self {
            engines,
            search: runner(&engines.search, &lowered.search),
            record: runner(&engines.record, &lowered.record),
            saved_cases,
            listener: None,
            case_listener: None,
            branch_counters: Vec::new(),
            n_saved_observations: 0,
            spare_source: None,
            limits: Limits::default(),
        }
    }

    /// Sets the limits of the cases that follow.
    pub fn set_limits(&mut self, limits: Limits) {
        if limits != self.limits {
            self.limits = limits;
            self.search.worker.set_limits(limits);
            self.record.worker.set_limits(limits);
        }
    }

    /// The limits of a case of a claim.
    pub fn limits_of(&self, claim: ClaimId, settings: &Settings) -> Limits {
        let asked = match &self.engines.lowered.record.claim(claim).kind {
            ClaimKind::Property(_, asked) => asked.steps,
            ClaimKind::Test(_) | ClaimKind::Verify(_) => None,
        };
        settings.limits(asked)
    }

    /// Takes the spare source, or a new one. Pass it to [`Self::return_source`] afterwards.
    pub(crate) fn take_source(&mut self) -> Source {
        let lowered = self.engines.lowered;
        self.spare_source.take().unwrap_or_else(|| new_source(lowered).0)
    }

    /// Runs `work` without user interrupts in the recording program: a failure that was found must
    /// be reported even if the user has interrupted the run. The limits still bound a single run.
    fn without_interrupts<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        // A flag that nobody sets.
        self.record.set_interrupt(Arc::default());
        let done = work(self);
        self.record.set_interrupt(Arc::clone(&self.engines.interrupt));
        done
    }

    /// Reports the progress of the following claim to a listener, and each case if it wants cases.
    pub(crate) fn set_listener(&mut self, listener: &'l dyn RunListener, claim: usize) {
        self.listener = Some((listener, claim));
        self.case_listener = self.listener.filter(|_| listener.wants_cases());
    }

    /// Gives a source back for reuse.
    pub(crate) fn return_source(&mut self, source: Source) {
        self.spare_source = Some(source);
    }

    /// Moves the counts of the search host into the tally.
    fn collect_counts(&mut self, tally: &mut CaseTally) {
        let host = &mut self.search.host;
        tally.observed += std::mem::take(&mut host.n_observed);
        tally.add_rejected(&std::mem::take(&mut host.rejected));
        tally.add_accepted(&std::mem::take(&mut host.accepted));
        tally.add_narrowings(std::mem::take(&mut host.narrowings));
        tally.add_untested(std::mem::take(&mut host.untested));
        tally.add_system_calls(&std::mem::take(&mut host.system_calls));
        tally.add_entered_sites(host.take_entered_sites());
    }

    fn discard_counts(&mut self) {
        self.collect_counts(&mut CaseTally::default());
    }

    /// The coverage of the user's branches by the last claim.
    fn branch_coverage(&self, claim: ClaimId) -> Option<BranchCoverage> {
        let lowered = self.engines.lowered;
        // A `verify` block runs in parts and has no entry of its own: what counts is its function.
        let entry = lowered.entries[claim.index()].or_else(|| {
            match &lowered.search.claim(claim).kind {
                ClaimKind::Verify(verify) => Some(verify.function),
                ClaimKind::Test(_) | ClaimKind::Property(..) => None,
            }
        })?;
        // An entry that is not compiled runs without counters.
        if !self.engines.search.compiles(entry) {
            return None;
        }
        let functions = reachable_functions(&lowered.search, entry);
        let mut counters = self.branch_counters.clone();
        add_counters(&mut counters, self.search.worker.counters());
        branch_coverage(&functions, &self.engines.branches, &counters)
    }
}

/// Maximum number of failures reported for one claim.
const MAX_FAILURES: usize = 5;

/// How a case ended.
#[derive(Debug, Clone, PartialEq)]
pub enum CaseOutcome {
    /// It passed.
    Passed,
    /// It was discarded by `assume` or `where`.
    AssumptionFailed(Span),
    /// It was discarded because a generator gave up.
    GeneratorGaveUp(Option<Span>),
    /// A solver found no input that satisfies a predicate.
    NoSolution(Span),
    /// It was discarded because its inputs took more choices than a case may have.
    TooManyChoices,
    /// It could not be finished.
    Declined(FaultKind),
    /// It failed.
    Failed(FailureIdentity),
    /// It did not reach the requested `across`.
    SiteNotReached,
    /// The user interrupted it.
    Interrupted,
}

impl CaseRunner<'_> {
    /// Whether a case with this outcome hit a limit.
    pub(crate) fn is_at_limit(&self, end: &CaseOutcome) -> bool {
        // The fault alone would not do: it is that of the last case that had one.
        matches!(end, CaseOutcome::Failed(_))
            && self.fault.as_ref().is_some_and(FaultKind::is_limit)
    }

    /// Runs a claim once and returns its fault, if any, with all details. The source must have been
    /// started.
    fn run_for_fault(&mut self, entry: FunctionId, entered: EnteredSite) -> Option<Fault> {
        self.host.begin();
        self.host.entered = entered;
        self.worker.call(entry, &[], &mut self.host).result.err()
    }

    /// Runs a claim once with the given source instead of the one of the host.
    pub(crate) fn run_with_source(
        &mut self,
        source: &mut Source,
        entry: FunctionId,
        entered: EnteredSite,
    ) -> CaseOutcome {
        std::mem::swap(&mut self.host.source, source);
        let end = self.run(entry, entered);
        std::mem::swap(&mut self.host.source, source);
        end
    }

    /// Runs a claim once. The source must have been started.
    #[inline]
    pub fn run(&mut self, entry: FunctionId, entered: EnteredSite) -> CaseOutcome {
        self.host.begin();
        self.host.entered = entered;
        let probe = self.worker.probe(entry, &[], &mut self.host);
        self.steps = probe.steps;
        if probe.result.is_ok() {
            return match entered {
                EnteredSite::Only(number) if self.host.passed_sites.len() as u32 <= number => {
                    // The sites are numbered in the order in which the run passes them, so a run
                    // that passed at most `number` of them never came to the requested one.
                    CaseOutcome::SiteNotReached
                }
                EnteredSite::Only(_) | EnteredSite::None => CaseOutcome::Passed,
            };
        }
        self.outcome_of(probe)
    }

    #[cold]
    fn outcome_of(&mut self, probe: ProbeOutcome) -> CaseOutcome {
        let Err(kind) = probe.result else { return CaseOutcome::Passed };
        // Only on this cold path: a case that passes must not pay for it.
        self.fault = Some(kind.clone());
        match kind {
            FaultKind::Discarded => {
                // `assume` does not stop the source, so a stopped source means that a generator
                // ended the case.
                match (self.host.source.stop_reason(), self.host.given_up) {
                    (None, Some(place)) if !self.host.given_up_by_generator => {
                        CaseOutcome::AssumptionFailed(place)
                    }
                    (Some(RunStopReason::Overrun), _) => CaseOutcome::TooManyChoices,
                    (_, Some(place)) if self.host.found_no_solution => {
                        CaseOutcome::NoSolution(place)
                    }
                    (_, place) => CaseOutcome::GeneratorGaveUp(place),
                }
            }
            FaultKind::Unsupported(_) | FaultKind::AdapterFailed(_) => {
                CaseOutcome::Declined(kind)
            }
            FaultKind::Unanswered(op) if is_of_system(self.host.program(), op) => {
                CaseOutcome::Declined(kind)
            }
            FaultKind::Interrupted => CaseOutcome::Interrupted,
            FaultKind::Contract { .. }
            | FaultKind::Refinement { .. }
            | FaultKind::DivByZero
            | FaultKind::OutOfRange { .. }
            | FaultKind::Fail { .. }
            | FaultKind::SystemError { .. }
            | FaultKind::SystemCrashed { .. }
            | FaultKind::Observe
            | FaultKind::StepLimit
            | FaultKind::DepthLimit
            | FaultKind::MemoryLimit
            | FaultKind::Unanswered(_)
            | FaultKind::HostFailed(_) => {
                CaseOutcome::Failed(identity(&kind, probe.fault_location))
            }
        }
    }
}

/// Whether an operation is one of a system under test.
pub(crate) fn is_of_system(program: &Program, op: OpId) -> bool {
    program.effect(program.op(op).effect).is_system
}

/// Whether a case could not ask a system under test. Then no further case can be decided either.
fn needs_system(end: &CaseOutcome) -> bool {
    matches!(end, CaseOutcome::Declined(FaultKind::AdapterFailed(_) | FaultKind::Unanswered(_)))
}

/// Adapts a claim to the shrinker: runs it on the choices that the shrinker proposes.
pub(crate) struct ClaimSubject<'a, 'l> {
    pub(crate) runner: &'a mut CaseRunner<'l>,
    pub(crate) entry: FunctionId,
    pub(crate) entered: EnteredSite,
}

impl Subject for ClaimSubject<'_, '_> {
    fn run(&mut self, source: &mut Source) -> RunVerdict {
        let end = self.runner.run_with_source(source, self.entry, self.entered);
        subject_verdict(&end, source)
    }
}

/// Translates an outcome into the verdict that the choice engine understands.
pub(crate) fn subject_verdict(end: &CaseOutcome, source: &Source) -> RunVerdict {
    match end {
        CaseOutcome::Passed => RunVerdict::Pass,
        CaseOutcome::Failed(identity) => RunVerdict::Fail(*identity),
        CaseOutcome::TooManyChoices => RunVerdict::Stopped,
        // The source itself stopped: there was nothing left to draw from.
        CaseOutcome::GeneratorGaveUp(_) if source.stop_reason().is_some() => {
            RunVerdict::Stopped
        }
        CaseOutcome::AssumptionFailed(_)
        | CaseOutcome::GeneratorGaveUp(_)
        | CaseOutcome::NoSolution(_)
        | CaseOutcome::Declined(_) => RunVerdict::Invalid,
        CaseOutcome::SiteNotReached | CaseOutcome::Interrupted => RunVerdict::Invalid,
    }
}

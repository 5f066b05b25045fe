//! The attack on one claim: its cases, and what they come to.

mod cases;
mod climbing;
mod exhaustive;
mod failing;
mod flaky;
mod kept;
mod parallel;
mod replay;
mod sampling;
mod shrinking;
mod single;
mod summary;
mod telling;

pub(crate) use self::cases::{SitePlan, max_discards};
pub(crate) use self::climbing::SCORE;
pub(crate) use self::failing::{sides_of, told_fault};
pub(crate) use self::flaky::Flaky;
pub(crate) use self::kept::Replayed as KeptEnd;
pub use self::kept::{Keeper, Read};
pub(crate) use self::replay::{Replaying, fails};
pub(crate) use self::summary::worse;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use gainsay_choice::{Identity, Source, Stop, Subject, Verdict};
use gainsay_core::{ClaimKind, FunctionId, Program};
use gainsay_gen::Lowered;
use gainsay_source::{Files, Span};
use gainsay_vm::{
    Branch, Engine, EngineKind, Fault, FaultKind, Instruments, Limits, Probe, Worker,
};

use self::parallel::add_counters;
use crate::audience::Audience;
use crate::host::{CaseHost, Entered, new_source};
use crate::identity::identity;
use crate::reach::{reach, reachable};
use crate::report::Reach;
use crate::settings::Settings;
use crate::tally::Tally;

/// What all threads share: the program, ready to run in both ways.
pub(crate) struct Engines<'l> {
    pub(crate) lowered: &'l Lowered,
    pub(crate) search: Engine,
    record: Engine,
    branches: Vec<Branch>,
    pub(crate) interrupt: Arc<AtomicBool>,
    pub(crate) clock: &'l (dyn Fn() -> Duration + Sync),
    /// Threads that one claim may have for itself.
    pub(crate) threads_per_claim: usize,
    /// The texts of the program, if somebody is to read of them.
    pub(crate) files: Option<&'l Files>,
    /// What modules are called in reports, by their number; as in the program if it is not said.
    pub(crate) modules: &'l [String],
}

impl<'l> Engines<'l> {
    pub(crate) fn new(
        lowered: &'l Lowered,
        kind: EngineKind,
        interrupt: Arc<AtomicBool>,
        clock: &'l (dyn Fn() -> Duration + Sync),
        threads_per_claim: usize,
    ) -> Self {
        let counting = Instruments::default().with_branches(&lowered.search);
        let branches = counting.branches().to_vec();
        let instrumented = if kind == EngineKind::Jit {
            Engine::instrumented(Arc::clone(&lowered.search), counting)
        } else {
            None
        };
        let branches = if instrumented.is_some() { branches } else { Vec::new() };
        let search =
            instrumented.unwrap_or_else(|| Engine::new(Arc::clone(&lowered.search), kind));
        let record = Engine::new(Arc::clone(&lowered.record), kind);
        Self {
            branches,
            clock,
            threads_per_claim,
            ..Self::plain(lowered, search, record, interrupt)
        }
    }

    /// Two engines on one thread, without a clock.
    fn plain(
        lowered: &'l Lowered,
        search: Engine,
        record: Engine,
        interrupt: Arc<AtomicBool>,
    ) -> Self {
        Self {
            lowered,
            search,
            record,
            branches: Vec::new(),
            interrupt,
            clock: &|| Duration::ZERO,
            threads_per_claim: 1,
            files: None,
            modules: &[],
        }
    }

    /// The program with switches or counters in it, in which a mutant can be on. Nothing is
    /// recorded: both ways of running are the same.
    pub(crate) fn instrumented(
        lowered: &'l Lowered,
        kind: EngineKind,
        instruments: Instruments,
        interrupt: Arc<AtomicBool>,
    ) -> Self {
        let program = Arc::clone(&lowered.search);
        let instrumented = if kind == EngineKind::Jit {
            Engine::instrumented(Arc::clone(&program), instruments)
        } else {
            None
        };
        let search = instrumented.unwrap_or_else(|| Engine::new(program, kind));
        let record = search.clone();
        Self::plain(lowered, search, record, interrupt)
    }

    /// The same, with the texts of the program.
    pub(crate) fn with_files(mut self, files: Option<&'l Files>) -> Self {
        self.files = files;
        self
    }

    /// Calls modules by other names.
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

/// Runs cases on one thread.
pub(crate) struct Attacker<'l> {
    pub(crate) engines: &'l Engines<'l>,
    pub(crate) search: Runner<'l>,
    pub(crate) record: Runner<'l>,
    pub(crate) keeper: Option<&'l Keeper<'l>>,
    /// Who wants to see each case, and the number of the claim there.
    told_to: Option<(&'l dyn Audience, usize)>,
    /// How often other threads took each branch for the claim.
    counters: Vec<u64>,
    /// Observations that kept cases made.
    n_kept_observed: u64,
    /// A source that is free while the runners have theirs.
    spare: Option<Source>,
    /// What a case may use.
    limits: Limits,
}

/// One of the two programs, with what answers it.
pub(crate) struct Runner<'l> {
    pub(crate) worker: Worker,
    pub(crate) host: CaseHost<'l>,
    /// Steps of the last case.
    pub(crate) steps: u64,
    /// The fault of the last case that failed or was declined.
    pub(crate) fault: Option<FaultKind>,
}

impl<'l> Attacker<'l> {
    pub(crate) fn new(engines: &'l Engines<'l>, keeper: Option<&'l Keeper<'l>>) -> Self {
        let runner = |engine: &Engine, program: &'l Program| {
            let mut worker = engine.worker(Limits::default());
            worker.set_interrupt(Arc::clone(&engines.interrupt));
            let host = CaseHost::new(engines.lowered, program);
            Runner { worker, host, steps: 0, fault: None }
        };
        let lowered = engines.lowered;
        Self {
            engines,
            search: runner(&engines.search, &lowered.search),
            record: runner(&engines.record, &lowered.record),
            keeper,
            told_to: None,
            counters: Vec::new(),
            n_kept_observed: 0,
            spare: None,
            limits: Limits::default(),
        }
    }

    /// Lets the cases that follow use as much as those of a claim may.
    pub(crate) fn set_limits(&mut self, limits: Limits) {
        if limits != self.limits {
            self.limits = limits;
            self.search.worker.set_limits(limits);
            self.record.worker.set_limits(limits);
        }
    }

    /// What a case of a claim may use.
    pub(crate) fn limits_of(&self, claim: usize, settings: &Settings) -> Limits {
        let asked = match &self.engines.lowered.record.claims[claim].kind {
            ClaimKind::Property(_, asked) => asked.steps,
            ClaimKind::Test(_) | ClaimKind::Verify(_) => None,
        };
        settings.limits(asked)
    }

    /// A source of its own for whoever runs cases with a runner of ours. It is to be given
    /// back.
    pub(crate) fn take_source(&mut self) -> Source {
        let lowered = self.engines.lowered;
        self.spare.take().unwrap_or_else(|| new_source(lowered).0)
    }

    /// Does something with the recording program that the user cannot interrupt: what was found
    /// is told, however it came to an end. A single run comes to its own end soon.
    fn undisturbed<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.record.worker.set_interrupt(Arc::default());
        let done = work(self);
        self.record.worker.set_interrupt(Arc::clone(&self.engines.interrupt));
        done
    }

    /// Lets an audience see each case of the next claims.
    pub(crate) fn perform_for(&mut self, audience: &'l dyn Audience, claim: usize) {
        self.told_to = audience.wants_cases().then_some((audience, claim));
    }

    pub(crate) fn give_back(&mut self, source: Source) {
        self.spare = Some(source);
    }

    /// Adds what the host of the search counted.
    fn collect_counts(&mut self, tally: &mut Tally) {
        let host = &mut self.search.host;
        tally.observed += std::mem::take(&mut host.n_observed);
        tally.reject(&std::mem::take(&mut host.rejected));
        tally.accept(&std::mem::take(&mut host.accepted));
        tally.enter(host.take_entered_sites());
    }

    fn forget_counts(&mut self) {
        self.collect_counts(&mut Tally::default());
    }

    /// How many branches of the user's code the last claim reached.
    fn reach(&self, claim: usize) -> Option<Reach> {
        let lowered = self.engines.lowered;
        let entry =
            lowered.entries[claim].or_else(|| match &lowered.search.claims[claim].kind {
                ClaimKind::Verify(verify) => Some(verify.function),
                ClaimKind::Test(_) | ClaimKind::Property(..) => None,
            })?;
        if !self.engines.search.compiles(entry) {
            return None;
        }
        let functions = reachable(&lowered.search, entry);
        let mut counters = self.counters.clone();
        add_counters(&mut counters, self.search.worker.counters());
        reach(&functions, &self.engines.branches, &counters)
    }
}

/// Failures that are told of one claim.
const MAX_FAILURES: usize = 5;

/// How a case ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum End {
    /// Nothing was wrong.
    Passed,
    /// It does not count: `assume` or `where`.
    Assumed(Span),
    /// It does not count: a generator gave up.
    GaveUp(Option<Span>),
    /// It does not count: its inputs took more choices than a case may have.
    CutOff,
    /// It could not be finished.
    Declined(FaultKind),
    /// Something was wrong.
    Failed(Identity),
    /// The `across` was not reached.
    Missed,
    /// The user.
    Interrupted,
}

impl Runner<'_> {
    /// Whether a case that ended has reached a limit.
    pub(crate) fn is_at_limit(&self, end: &End) -> bool {
        matches!(end, End::Failed(_)) && self.fault.as_ref().is_some_and(FaultKind::is_limit)
    }

    /// The fault of running a claim once, if there is one, with all there is to know of it. The
    /// source has been begun.
    fn fault(&mut self, entry: FunctionId, entered: Entered) -> Option<Fault> {
        self.host.begin();
        self.host.entered = entered;
        self.worker.call(entry, &[], &mut self.host).result.err()
    }

    /// Runs a claim once with a source of somebody else.
    pub(crate) fn run_with(
        &mut self,
        source: &mut Source,
        entry: FunctionId,
        entered: Entered,
    ) -> End {
        std::mem::swap(&mut self.host.source, source);
        let end = self.run(entry, entered);
        std::mem::swap(&mut self.host.source, source);
        end
    }

    /// Runs a claim once. The source has been begun.
    #[inline]
    pub(crate) fn run(&mut self, entry: FunctionId, entered: Entered) -> End {
        self.host.begin();
        self.host.entered = entered;
        let probe = self.worker.probe(entry, &[], &mut self.host);
        self.steps = probe.steps;
        if probe.result.is_ok() {
            return match entered {
                Entered::Only(number) if self.host.passed.len() as u32 <= number => End::Missed,
                Entered::Only(_) | Entered::None => End::Passed,
            };
        }
        self.ended(probe)
    }

    #[cold]
    fn ended(&mut self, probe: Probe) -> End {
        let Err(kind) = probe.result else { return End::Passed };
        self.fault = Some(kind.clone());
        match kind {
            FaultKind::Discarded => match (self.host.source.stop(), self.host.given_up) {
                (None, Some(place)) if !self.host.is_generator => End::Assumed(place),
                (Some(Stop::Overrun), _) => End::CutOff,
                (_, place) => End::GaveUp(place),
            },
            FaultKind::Unsupported(_) => End::Declined(kind),
            FaultKind::Interrupted => End::Interrupted,
            FaultKind::Contract { .. }
            | FaultKind::Refinement { .. }
            | FaultKind::DivByZero
            | FaultKind::OutOfRange { .. }
            | FaultKind::Fail { .. }
            | FaultKind::Observe
            | FaultKind::StepLimit
            | FaultKind::DepthLimit
            | FaultKind::MemoryLimit
            | FaultKind::Unanswered(_)
            | FaultKind::HostFailed(_) => End::Failed(identity(&kind, probe.place)),
        }
    }
}

/// A claim that is run with what a shrinker proposes.
pub(crate) struct Claimed<'a, 'l> {
    pub(crate) runner: &'a mut Runner<'l>,
    pub(crate) entry: FunctionId,
    pub(crate) entered: Entered,
}

impl Subject for Claimed<'_, '_> {
    fn run(&mut self, source: &mut Source) -> Verdict {
        let end = self.runner.run_with(source, self.entry, self.entered);
        as_verdict(&end, source)
    }
}

/// How a case ended, for the engine of choices.
pub(crate) fn as_verdict(end: &End, source: &Source) -> Verdict {
    match end {
        End::Passed => Verdict::Pass,
        End::Failed(identity) => Verdict::Fail(*identity),
        End::CutOff => Verdict::Stopped,
        End::GaveUp(_) if source.stop().is_some() => Verdict::Stopped,
        End::Assumed(_) | End::GaveUp(_) | End::Declined(_) => Verdict::Invalid,
        End::Missed | End::Interrupted => Verdict::Invalid,
    }
}

//! Differential execution: runs the original and the mutated version of a function on the same
//! inputs until their results differ, and shrinks the distinguishing input. The submodules provide
//! the inputs: random, varied, systematic, and directed by branch distance.

mod alternating_variable;
mod batches;
mod dictionary;
mod given_inputs;
mod input_variation;
mod part_replacement;
mod seed_inputs;
mod tried_inputs;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay_choice::{
    Budget, Case, FailureIdentity, RunVerdict, Seed, Source, Subject, case_size, shrink,
};
use gainsay_core::{Datum, FailureKind, FunctionId, OpId};
use gainsay_gen::LoweredProgram;
use gainsay_solve::RelationSolver;
use gainsay_test::claims::{CaseHost, CaseStart, new_source};
use gainsay_vm::{Engine, EngineKind, Instrumentation, Limits, MutantId, Value, Worker, same};

pub(crate) use self::batches::MutantSearchResult;
pub(crate) use self::tried_inputs::InputFingerprints;
use self::tried_inputs::TriedInputs;
use crate::constant_reachability::ConstantReachability;

/// A program with switches between versions of its functions, shared by threads.
pub(crate) struct DifferentialEngine<'l> {
    lowered: &'l LoweredProgram,
    engine: Engine,
    constant_reachability: ConstantReachability<'l>,
    seed: u64,
    interrupt: Arc<AtomicBool>,
}

/// A function, where its inputs come from, and the world it is called in.
#[derive(Debug, Clone)]
pub(crate) struct DifferentialCall {
    /// The function under comparison.
    pub(crate) function: FunctionId,
    /// The parameterless function that generates its arguments as a tuple.
    pub(crate) input_generator: FunctionId,
    /// The handlers of its effects: parameterless functions that return the stubs.
    pub(crate) world: Vec<(OpId, FunctionId)>,
}

/// The result of a call.
#[derive(Debug, Clone)]
pub(crate) enum VersionOutcome {
    /// A value.
    Value(Value),
    /// A failure that `throws` can observe.
    Failure(FailureKind),
    /// It did not terminate within its limits, or performed an unhandled effect.
    Undecided,
}

/// An input on which two versions differ.
#[derive(Debug, Clone)]
pub(crate) struct DistinguishingInput {
    /// How to reproduce the input.
    pub(crate) input: ReproducibleInput,
    /// The arguments.
    pub(crate) args: Vec<Value>,
    /// The arguments as source text.
    pub(crate) texts: Vec<String>,
    /// The result of the original.
    pub(crate) original: VersionOutcome,
    /// The result of the mutant.
    pub(crate) mutated: VersionOutcome,
}

/// An input in a form from which it can be reproduced.
#[derive(Debug, Clone)]
pub(crate) enum ReproducibleInput {
    /// The choices of a generator, and the size.
    Drawn(Case, u32),
    /// The arguments themselves, as a tuple.
    Given(Datum),
}

/// Step limit of one call.
const MAX_STEPS: u64 = 50_000;
/// Step budget of one search for each version, input generation included.
const MAX_SEARCH_STEPS: u64 = 500_000;

/// Executions that shrinking a distinguishing input may take.
const MAX_SHRINKS: u64 = 2_000;

/// There is only one way to fail here: the results differ.
const DIFFERS: FailureIdentity = FailureIdentity(1);

impl<'l> DifferentialEngine<'l> {
    /// Builds a program whose mutants are in the order of the instrumentation; `None` without a
    /// JIT.
    pub(crate) fn new(
        lowered: &'l LoweredProgram,
        instruments: Instrumentation,
        seed: u64,
        interrupt: Arc<AtomicBool>,
    ) -> Option<Self> {
        let engine = if EngineKind::Jit.is_available() {
            // The record program, because shrinking needs the choices and spans of an input.
            Engine::instrumented(Arc::clone(&lowered.record), instruments)?
                .with_relations(RelationSolver::for_program(&lowered.record))
        } else {
            return None;
        };
        let constants = ConstantReachability::new(lowered, engine.clone(), &interrupt);
        Some(Self { lowered, engine, constant_reachability: constants, seed, interrupt })
    }

    /// A runner for one thread.
    pub(crate) fn runner(&'l self) -> DifferentialRunner<'l> {
        let worker = || {
            let limits = Limits { steps: MAX_STEPS, ..Limits::default() };
            let mut worker = self.engine.worker(limits);
            worker.set_interrupt(Arc::clone(&self.interrupt));
            worker
        };
        DifferentialRunner {
            // Two workers, so that switching the mutant does not invalidate the constants of the
            // original.
            original: worker(),
            mutated: worker(),
            host: CaseHost::new(self.lowered, &self.lowered.record),
            spare_source: Some(new_source(self.lowered).0),
            seed: self.seed,
            steps_left: 0,
            constant_reachability: &self.constant_reachability,
            tried_inputs: TriedInputs::default(),
        }
    }
}

/// Runs both versions on one thread.
pub(crate) struct DifferentialRunner<'l> {
    original: Worker,
    mutated: Worker,
    host: CaseHost<'l>,
    spare_source: Option<Source>,
    seed: u64,
    /// What is left of the step budget of the search.
    steps_left: u64,
    constant_reachability: &'l ConstantReachability<'l>,
    tried_inputs: TriedInputs,
}

impl DifferentialRunner<'_> {
    /// Sets the mutant to compare with.
    pub(crate) fn set_mutant(&mut self, mutant: MutantId) {
        self.mutated.set_mutant(Some(mutant));
    }

    /// Starts counting distinct inputs, excluding those tried before.
    pub(crate) fn count_distinct_after(&mut self, before: Arc<InputFingerprints>) {
        self.tried_inputs = TriedInputs::after(before);
    }

    /// The number of distinct inputs tried since counting started.
    pub(crate) fn n_distinct_inputs(&self) -> u64 {
        self.tried_inputs.len()
    }

    /// All inputs tried, including those before counting started.
    pub(crate) fn take_fingerprints(&mut self) -> InputFingerprints {
        std::mem::take(&mut self.tried_inputs).into_all()
    }

    /// Draws random inputs until each mutant is distinguished; returns the input numbers.
    pub(crate) fn distinguish_randomly(
        &mut self,
        pairing: &DifferentialCall,
        n_inputs: u64,
        mutants: &[MutantId],
    ) -> Vec<MutantSearchResult<u64>> {
        let mut numbers = 0..n_inputs;
        let mut next = |runner: &mut Self| {
            let number = numbers.next()?;
            Some(runner.draw_numbered(pairing, number, n_inputs).map(|args| (number, args)))
        };
        let mut again =
            |runner: &mut Self, number: &u64| runner.draw_numbered(pairing, *number, n_inputs);
        self.run_batches(pairing, mutants, &mut next, &mut again)
    }

    /// Shrinks a distinguishing input, given by its number, to a locally minimal one.
    pub(crate) fn shrink_drawn(
        &mut self,
        pairing: &DifferentialCall,
        number: u64,
        n_inputs: u64,
    ) -> Option<DistinguishingInput> {
        self.enter_world(pairing)?;
        let size = case_size(number, n_inputs);
        self.host.record(CaseStart::new(self.seed(pairing, number), size));
        let compared = self.draw_and_compare(pairing);
        // Drawn anew and with recording: the search kept nothing but the number of the input.
        let is_found = compared.is_some_and(|it| it.differs());
        let simplest = is_found.then(|| self.shrink_current(pairing, size)).flatten();
        self.leave_world();
        simplest
    }

    /// The seed of a numbered input: equal for every mutant of a function.
    fn seed(&self, pairing: &DifferentialCall, case: u64) -> Seed {
        Seed { run: self.seed, claim: u64::from(pairing.function.0), case }
    }

    /// Draws the input with a number.
    fn draw_numbered(
        &mut self,
        pairing: &DifferentialCall,
        number: u64,
        of: u64,
    ) -> Option<Vec<Value>> {
        self.host.record(CaseStart::new(self.seed(pairing, number), case_size(number, of)));
        self.draw_inputs(pairing)
    }

    /// Draws an input from the source, which has been started.
    fn draw_inputs(&mut self, pairing: &DifferentialCall) -> Option<Vec<Value>> {
        self.host.begin();
        // By the original, like the stubs: a mutant in a generator must not change the inputs.
        let drawn = self.original.probe(pairing.input_generator, &[], &mut self.host);
        self.spend(drawn.steps);
        Some(drawn.result.ok()?.fields().to_vec())
    }

    fn spend(&mut self, steps: u64) {
        self.steps_left = self.steps_left.saturating_sub(steps);
    }

    fn call_both(&mut self, pairing: &DifferentialCall, args: Vec<Value>) -> OutcomePair {
        self.tried_inputs.insert(&args);
        let (original, steps) =
            call(&mut self.original, pairing.function, &args, &mut self.host);
        let (other, more) = call(&mut self.mutated, pairing.function, &args, &mut self.host);
        self.spend(steps + more);
        OutcomePair { args, original, mutated: other }
    }

    /// Whether an input distinguishes the versions.
    pub(crate) fn differs(
        &mut self,
        pairing: &DifferentialCall,
        input: &ReproducibleInput,
    ) -> bool {
        if self.enter_world(pairing).is_none() {
            return false;
        }
        let compared = match input {
            ReproducibleInput::Drawn(case, size) => {
                self.host.replay(case, *size);
                self.draw_and_compare(pairing)
            }
            ReproducibleInput::Given(datum) => self.compare_given(pairing, datum),
        };
        self.leave_world();
        compared.is_some_and(|it| it.differs())
    }

    /// Installs the stubs of the call in both versions.
    fn enter_world(&mut self, pairing: &DifferentialCall) -> Option<()> {
        if pairing.world.is_empty() {
            return Some(());
        }
        let mut answers = Vec::new();
        for (op, stub) in &pairing.world {
            // Both versions get the same stubs, built by the original: a mutant in a stub's code
            // must not change the world that the two are compared in.
            let stub = self.original.probe(*stub, &[], &mut self.host).result.ok()?;
            answers.push((*op, stub));
        }
        self.original.set_stubs(answers.clone());
        self.mutated.set_stubs(answers);
        Some(())
    }

    fn leave_world(&mut self) {
        self.original.set_stubs(Vec::new());
        self.mutated.set_stubs(Vec::new());
    }

    /// Draws an input and calls both versions with it. The source has been started.
    fn draw_and_compare(&mut self, pairing: &DifferentialCall) -> Option<OutcomePair> {
        let args = self.draw_inputs(pairing)?;
        Some(self.call_both(pairing, args))
    }

    /// Shrinks the input that was just found to differ.
    fn shrink_current(
        &mut self,
        pairing: &DifferentialCall,
        size: u32,
    ) -> Option<DistinguishingInput> {
        let first = self.host.source.recorded_case();
        let mut source = self.spare_source.take()?;
        self.host.case_size = size;
        let budget = Budget { max_executions: MAX_SHRINKS, should_continue: &mut || true };
        let mut subject = DifferentialSubject { runner: self, call: pairing };
        let shrunk = shrink(&mut subject, &mut source, &first, DIFFERS, budget);
        self.spare_source = Some(source);
        self.host.replay(&shrunk.case, size);
        // Once more, for the values: the shrinker reports choices only.
        let compared = self.draw_and_compare(pairing).filter(OutcomePair::differs)?;
        let texts = compared.args.iter().map(|it| self.host.text(it, usize::MAX));
        let texts = texts.collect();
        let input = ReproducibleInput::Drawn(shrunk.case, size);
        let OutcomePair { args, original, mutated: other } = compared;
        Some(DistinguishingInput { input, args, texts, original, mutated: other })
    }

    /// A value as source text.
    pub(crate) fn text(&self, value: &Value) -> String {
        self.host.text(value, usize::MAX)
    }
}

/// The results of both versions.
struct OutcomePair {
    args: Vec<Value>,
    original: VersionOutcome,
    mutated: VersionOutcome,
}

impl OutcomePair {
    fn differs(&self) -> bool {
        self.original.differs_from(&self.mutated)
    }
}

impl VersionOutcome {
    /// Whether a test could distinguish two outcomes, the first being the original's.
    pub(crate) fn differs_from(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Value(a), Self::Value(b)) => !same(a, b),
            (Self::Failure(a), Self::Failure(b)) => a != b,
            // An original that terminates differs from a mutant that does not. The converse is no
            // difference: no test can state that the original does not terminate.
            (Self::Value(_), Self::Failure(_) | Self::Undecided) => true,
            (Self::Failure(_), Self::Value(_) | Self::Undecided) => true,
            (Self::Undecided, _) => false,
        }
    }
}

fn call(
    worker: &mut Worker,
    function: FunctionId,
    args: &[Value],
    host: &mut CaseHost<'_>,
) -> (VersionOutcome, u64) {
    let probe = worker.probe(function, args, host);
    let gave = match probe.result {
        Ok(value) => VersionOutcome::Value(value),
        Err(kind) => {
            // Limits and effects without a stub decide nothing about the function.
            kind.failure_kind().map_or(VersionOutcome::Undecided, VersionOutcome::Failure)
        }
    };
    (gave, probe.steps)
}

/// Both versions, run on the candidates of the shrinker.
struct DifferentialSubject<'a, 'l> {
    runner: &'a mut DifferentialRunner<'l>,
    call: &'a DifferentialCall,
}

impl Subject for DifferentialSubject<'_, '_> {
    fn run(&mut self, source: &mut Source) -> RunVerdict {
        // The host draws from its own source, so lend it the shrinker's for this run.
        std::mem::swap(&mut self.runner.host.source, source);
        let compared = self.runner.draw_and_compare(self.call);
        std::mem::swap(&mut self.runner.host.source, source);
        match compared {
            Some(it) if it.differs() => RunVerdict::Fail(DIFFERS),
            Some(_) => RunVerdict::Pass,
            None if source.stop_reason().is_some() => RunVerdict::Stopped,
            None => RunVerdict::Invalid,
        }
    }
}

//! One version of a function against another: the same inputs for both, until they differ.

mod approach;
mod bases;
mod given;
mod laps;
mod nearby;
mod systematic;
mod tried;
mod vocabulary;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay_choice::{Budget, Case, Identity, Seed, Source, Subject, Verdict, shrink, size_of};
use gainsay_core::{Datum, FailureKind, FunctionId, OpId};
use gainsay_gen::Lowered;
use gainsay_vm::{Engine, EngineKind, Instruments, Limits, Value, Worker, same};

pub use self::laps::Told;
pub use self::tried::Fingerprints;
use self::tried::Tried;
use crate::constants::Constants;
use crate::host::{CaseHost, Start, new_source};

/// A program with switches between versions of its functions, shared by threads.
pub struct Opponents<'l> {
    lowered: &'l Lowered,
    engine: Engine,
    constants: Constants<'l>,
    seed: u64,
    interrupt: Arc<AtomicBool>,
}

/// What is called with which inputs.
#[derive(Debug, Clone)]
pub struct Pairing {
    /// The function.
    pub function: FunctionId,
    /// The function without parameters that draws its arguments as a tuple.
    pub inputs: FunctionId,
    /// Who answers its effects: functions without parameters that give the stubs.
    pub world: Vec<(OpId, FunctionId)>,
}

/// What a call gave.
#[derive(Debug, Clone)]
pub enum Gave {
    /// A value.
    Value(Value),
    /// A failure that `throws` sees.
    Failure(FailureKind),
    /// It did not come to an end, or asked for what nobody answers.
    Neither,
}

/// Inputs that tell two versions apart.
#[derive(Debug, Clone)]
pub struct Difference {
    /// What they are drawn from.
    pub input: Input,
    /// The inputs.
    pub args: Vec<Value>,
    /// The inputs as source.
    pub texts: Vec<String>,
    /// What the program gives.
    pub original: Gave,
    /// What the other version gives.
    pub other: Gave,
}

/// What inputs are drawn from, to be drawn again.
#[derive(Debug, Clone)]
pub enum Input {
    /// By a generator.
    Drawn(Case, u32),
    /// They are these, as a tuple.
    Given(Datum),
}

/// Steps that one call may take.
const MAX_STEPS: u64 = 50_000;
/// Steps that all calls of one search may take of each version, drawing included.
const MAX_ALL_STEPS: u64 = 500_000;

/// How often a difference is tried to be made simpler.
const MAX_SHRINKS: u64 = 2_000;

/// The one way to differ.
const DIFFERS: Identity = Identity(1);

impl<'l> Opponents<'l> {
    /// A program with mutants in it, in the order of the instruments; nothing where code cannot
    /// be made.
    pub fn new(
        lowered: &'l Lowered,
        instruments: Instruments,
        seed: u64,
        interrupt: Arc<AtomicBool>,
    ) -> Option<Self> {
        let engine = if EngineKind::Jit.is_available() {
            Engine::instrumented(Arc::clone(&lowered.record), instruments)?
        } else {
            return None;
        };
        let constants = Constants::new(lowered, engine.clone(), &interrupt);
        Some(Self { lowered, engine, constants, seed, interrupt })
    }

    /// For one thread.
    pub fn versus(&'l self) -> Versus<'l> {
        let worker = || {
            let limits = Limits { steps: MAX_STEPS, ..Limits::default() };
            let mut worker = self.engine.worker(limits);
            worker.set_interrupt(Arc::clone(&self.interrupt));
            worker
        };
        Versus {
            original: worker(),
            other: worker(),
            host: CaseHost::new(self.lowered, &self.lowered.record),
            spare: Some(new_source(self.lowered).0),
            seed: self.seed,
            steps_left: 0,
            constants: &self.constants,
            tried: Tried::default(),
        }
    }
}

/// Runs two versions on one thread.
pub struct Versus<'l> {
    original: Worker,
    other: Worker,
    host: CaseHost<'l>,
    spare: Option<Source>,
    seed: u64,
    /// Steps that the search may still take of one version.
    steps_left: u64,
    constants: &'l Constants<'l>,
    tried: Tried,
}

impl Versus<'_> {
    /// Says which mutant is the other version.
    pub fn set_mutant(&mut self, mutant: usize) {
        self.other.set_mutant(Some(mutant));
    }

    /// Counts inputs anew, without those that were tried before.
    pub fn count_after(&mut self, before: Arc<Fingerprints>) {
        self.tried = Tried::after(before);
    }

    /// How many different inputs were tried since it is counted.
    pub fn n_tried(&self) -> u64 {
        self.tried.len()
    }

    /// All inputs that were tried, those before it was counted included.
    pub fn take_tried(&mut self) -> Fingerprints {
        std::mem::take(&mut self.tried).into_all()
    }

    /// Draws inputs until some tell the versions apart, for each mutant; their numbers.
    pub fn tell_apart(
        &mut self,
        pairing: &Pairing,
        n_inputs: u64,
        mutants: &[usize],
    ) -> Vec<Told<u64>> {
        let mut numbers = 0..n_inputs;
        let mut next = |versus: &mut Self| {
            let number = numbers.next()?;
            Some(versus.draw(pairing, number, n_inputs).map(|args| (number, args)))
        };
        let mut again =
            |versus: &mut Self, number: &u64| versus.draw(pairing, *number, n_inputs);
        self.laps(pairing, mutants, &mut next, &mut again)
    }

    /// The simplest inputs that tell the versions apart, from some that do.
    pub fn simplest(
        &mut self,
        pairing: &Pairing,
        number: u64,
        n_inputs: u64,
    ) -> Option<Difference> {
        self.enter(pairing)?;
        let size = size_of(number, n_inputs);
        self.host.record(Start::new(self.seed(pairing, number), size));
        let compared = self.compare(pairing);
        let is_found = compared.is_some_and(|it| it.differs());
        let simplest = is_found.then(|| self.simpler(pairing, size)).flatten();
        self.leave();
        simplest
    }

    /// What names some inputs.
    fn seed(&self, pairing: &Pairing, case: u64) -> Seed {
        Seed { run: self.seed, claim: u64::from(pairing.function.0), case }
    }

    /// Draws some inputs.
    fn draw(&mut self, pairing: &Pairing, number: u64, of: u64) -> Option<Vec<Value>> {
        self.host.record(Start::new(self.seed(pairing, number), size_of(number, of)));
        self.drawn(pairing)
    }

    /// Draws inputs. The source has been begun.
    fn drawn(&mut self, pairing: &Pairing) -> Option<Vec<Value>> {
        self.host.begin();
        let drawn = self.original.probe(pairing.inputs, &[], &mut self.host);
        self.spend(drawn.steps);
        Some(drawn.result.ok()?.fields().to_vec())
    }

    fn spend(&mut self, steps: u64) {
        self.steps_left = self.steps_left.saturating_sub(steps);
    }

    fn call_both(&mut self, pairing: &Pairing, args: Vec<Value>) -> Compared {
        self.tried.insert(&args);
        let (original, steps) =
            call(&mut self.original, pairing.function, &args, &mut self.host);
        let (other, more) = call(&mut self.other, pairing.function, &args, &mut self.host);
        self.spend(steps + more);
        Compared { args, original, other }
    }

    /// Whether some inputs tell the versions apart.
    pub fn differs(&mut self, pairing: &Pairing, input: &Input) -> bool {
        if self.enter(pairing).is_none() {
            return false;
        }
        let compared = match input {
            Input::Drawn(case, size) => {
                self.host.replay(case, *size);
                self.compare(pairing)
            }
            Input::Given(datum) => self.compare_given(pairing, datum),
        };
        self.leave();
        compared.is_some_and(|it| it.differs())
    }

    /// Sets up the world of both.
    fn enter(&mut self, pairing: &Pairing) -> Option<()> {
        if pairing.world.is_empty() {
            return Some(());
        }
        let mut answers = Vec::new();
        for (op, stub) in &pairing.world {
            let stub = self.original.probe(*stub, &[], &mut self.host).result.ok()?;
            answers.push((*op, stub));
        }
        self.original.answer_with(answers.clone());
        self.other.answer_with(answers);
        Some(())
    }

    fn leave(&mut self) {
        self.original.answer_with(Vec::new());
        self.other.answer_with(Vec::new());
    }

    /// Draws inputs, and calls both versions with them. The source has been begun.
    fn compare(&mut self, pairing: &Pairing) -> Option<Compared> {
        let args = self.drawn(pairing)?;
        Some(self.call_both(pairing, args))
    }

    /// The simplest inputs that tell the versions apart, from those that just did.
    fn simpler(&mut self, pairing: &Pairing, size: u32) -> Option<Difference> {
        let first = self.host.source.case();
        let mut source = self.spare.take()?;
        self.host.case_size = size;
        let budget = Budget { executions: MAX_SHRINKS, keep_going: &mut || true };
        let mut subject = Differing { versus: self, pairing };
        let shrunk = shrink(&mut subject, &mut source, &first, DIFFERS, budget);
        self.spare = Some(source);
        self.host.replay(&shrunk.case, size);
        let compared = self.compare(pairing).filter(Compared::differs)?;
        let texts = compared.args.iter().map(|it| self.host.text(it, usize::MAX));
        let texts = texts.collect();
        let input = Input::Drawn(shrunk.case, size);
        let Compared { args, original, other } = compared;
        Some(Difference { input, args, texts, original, other })
    }

    /// A value as source.
    pub fn text(&self, value: &Value) -> String {
        self.host.text(value, usize::MAX)
    }
}

/// What both versions gave.
struct Compared {
    args: Vec<Value>,
    original: Gave,
    other: Gave,
}

impl Compared {
    fn differs(&self) -> bool {
        self.original.differs_from(&self.other)
    }
}

impl Gave {
    /// Whether something that can be said tells two outcomes apart.
    pub fn differs_from(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Value(a), Self::Value(b)) => !same(a, b),
            (Self::Failure(a), Self::Failure(b)) => a != b,
            // Whoever does not come to an end is told apart by who does.
            (Self::Value(_), Self::Failure(_) | Self::Neither) => true,
            (Self::Failure(_), Self::Value(_) | Self::Neither) => true,
            (Self::Neither, _) => false,
        }
    }
}

fn call(
    worker: &mut Worker,
    function: FunctionId,
    args: &[Value],
    host: &mut CaseHost<'_>,
) -> (Gave, u64) {
    let probe = worker.probe(function, args, host);
    let gave = match probe.result {
        Ok(value) => Gave::Value(value),
        Err(kind) => kind.failure().map_or(Gave::Neither, Gave::Failure),
    };
    (gave, probe.steps)
}

/// Two versions that are run with what a shrinker proposes.
struct Differing<'a, 'l> {
    versus: &'a mut Versus<'l>,
    pairing: &'a Pairing,
}

impl Subject for Differing<'_, '_> {
    fn run(&mut self, source: &mut Source) -> Verdict {
        std::mem::swap(&mut self.versus.host.source, source);
        let compared = self.versus.compare(self.pairing);
        std::mem::swap(&mut self.versus.host.source, source);
        match compared {
            Some(it) if it.differs() => Verdict::Fail(DIFFERS),
            Some(_) => Verdict::Pass,
            None if source.stop().is_some() => Verdict::Stopped,
            None => Verdict::Invalid,
        }
    }
}

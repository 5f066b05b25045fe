//! One version of a function against another: the same inputs for both, until they differ.

mod approach;
mod nearby;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay_choice::{
    Budget, Case, Identity, Random, Seed, Source, Subject, Verdict, shrink, size_of,
};
use gainsay_core::{Datum, FailureKind, FunctionId, OpId, Program, Ty, TyId};
use gainsay_gen::Lowered;
use gainsay_vm::{Engine, EngineKind, Instruments, Limits, Value, Worker, same};

use self::approach::{Approach, Measured};
use self::nearby::{Nearby, simpler};
use crate::data::{datum_of, value_of};
use crate::heard::Heard;
use crate::host::{CaseHost, new_source};

/// A program with switches between versions of its functions, shared by threads.
pub struct Opponents<'l> {
    lowered: &'l Lowered,
    engine: Engine,
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

/// How often inputs that were given are varied, one slip after the other.
const MOST_SLIPS: usize = 3;
/// Inputs by a generator that are varied like those that are given.
const N_DRAWN: u64 = 20;
/// Inputs that are tried on the way to where versions part, and from how many it starts.
const MAX_APPROACH: usize = 1_000;
const MOST_STARTS: usize = 6;
/// How often inputs that were given are tried to be made simpler.
const MAX_SIMPLER: usize = 400;

/// Steps that one call may take.
const MAX_STEPS: u64 = 50_000;
/// Steps that all calls of one search may take.
const MAX_ALL_STEPS: u64 = 1_000_000;

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
        Some(Self { lowered, engine, seed, interrupt })
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
    /// Steps that the search may still take.
    steps_left: u64,
}

impl Versus<'_> {
    /// Says which mutant is the other version.
    pub fn set_mutant(&mut self, mutant: usize) {
        self.other.set_mutant(Some(mutant));
    }

    /// Whether inputs can be found that tell the versions apart.
    pub fn is_told_apart(&mut self, pairing: &Pairing, n_inputs: u64) -> bool {
        if self.enter(pairing).is_none() {
            return false;
        }
        let found = self.first_difference(pairing, n_inputs);
        self.leave();
        found.is_some()
    }

    /// Looks for inputs that tell the versions apart, and makes them as simple as it can.
    pub fn differ(&mut self, pairing: &Pairing, n_inputs: u64) -> Option<Difference> {
        self.enter(pairing)?;
        let found = self.first_difference(pairing, n_inputs);
        let difference = found.and_then(|size| self.simplest(pairing, size));
        self.leave();
        difference
    }

    /// Draws inputs until some tell the versions apart; how large these are.
    fn first_difference(&mut self, pairing: &Pairing, n_inputs: u64) -> Option<u32> {
        self.steps_left = MAX_ALL_STEPS;
        for number in 0..n_inputs {
            if self.steps_left == 0 {
                break;
            }
            let size = size_of(number, n_inputs);
            self.host.record(self.seed(pairing, number), size);
            if self.compare(pairing).is_some_and(|it| it.differs()) {
                return Some(size);
            }
        }
        None
    }

    /// Looks for inputs that tell the versions apart among some that are given, and those that
    /// are like them.
    ///
    /// Where it is known between which two values the versions part, they are told at two places,
    /// and inputs are looked for with which they come close to each other.
    pub fn differ_near(
        &mut self,
        pairing: &Pairing,
        seeds: &[Datum],
        parting: Option<(i64, i64)>,
        n_inputs: u64,
    ) -> Option<Difference> {
        self.enter(pairing)?;
        self.steps_left = MAX_ALL_STEPS;
        let mut seeds = seeds.to_vec();
        seeds.extend(self.drawn(pairing));
        let found = self.near(pairing, &seeds, parting, n_inputs);
        self.leave();
        found
    }

    /// What names some inputs.
    fn seed(&self, pairing: &Pairing, case: u64) -> Seed {
        Seed { run: self.seed, claim: u64::from(pairing.function.0), case }
    }

    /// Some inputs by a generator.
    fn drawn(&mut self, pairing: &Pairing) -> Vec<Datum> {
        let mut drawn = Vec::new();
        for number in 0..N_DRAWN {
            self.host.record(self.seed(pairing, number), size_of(number, N_DRAWN));
            self.host.begin();
            let value = self.original.probe(pairing.inputs, &[], &mut self.host).result.ok();
            drawn.extend(value.as_ref().and_then(datum_of));
        }
        drawn
    }

    /// How far inputs are from where the versions part: from where two values are so far from
    /// each other.
    fn measure(
        &mut self,
        pairing: &Pairing,
        places: (i64, i64),
        wanted: f64,
        input: &Datum,
    ) -> Measured {
        if self.steps_left == 0 {
            return Measured::Unknown;
        }
        self.host.heard = Heard::default();
        let Some(compared) = self.compare_given(pairing, input) else {
            return Measured::Unknown;
        };
        if compared.differs() {
            return Measured::Found;
        }
        let heard = std::mem::take(&mut self.host.heard);
        let distance = heard.distance(places.0, places.1);
        distance.map_or(Measured::Unknown, |it| Measured::Distance((it - wanted).abs()))
    }

    fn approach(
        &mut self,
        pairing: &Pairing,
        seeds: &[Datum],
        places: (i64, i64),
        types: &[TyId],
    ) -> Option<Datum> {
        // A bound that is off by one is told apart one step beside it.
        [0.0, 1.0]
            .into_iter()
            .find_map(|wanted| self.approach_at(pairing, seeds, places, wanted, types))
    }

    fn approach_at(
        &mut self,
        pairing: &Pairing,
        seeds: &[Datum],
        places: (i64, i64),
        wanted: f64,
        types: &[TyId],
    ) -> Option<Datum> {
        let program = Arc::clone(self.original.program());
        let mut starts: Vec<(f64, &Datum)> = Vec::new();
        for seed in seeds {
            match self.measure(pairing, places, wanted, seed) {
                Measured::Found => return Some(seed.clone()),
                Measured::Distance(distance) => starts.push((distance, seed)),
                Measured::Unknown => {}
            }
        }
        starts.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Starts from all over: those that are near may be on a plain.
        let n_starts = starts.len().min(MOST_STARTS);
        let starts: Vec<&Datum> = (0..n_starts)
            .map(|at| starts[at * (starts.len() - 1) / (n_starts - 1).max(1)].1)
            .collect();
        let mut measure = |input: &Datum| self.measure(pairing, places, wanted, input);
        let mut approach =
            Approach { program: &program, types, budget: MAX_APPROACH, measure: &mut measure };
        starts.iter().find_map(|start| approach.from(start))
    }

    fn near(
        &mut self,
        pairing: &Pairing,
        seeds: &[Datum],
        parting: Option<(i64, i64)>,
        n_inputs: u64,
    ) -> Option<Difference> {
        if seeds.is_empty() {
            return None;
        }
        let program = Arc::clone(self.original.program());
        let params = program.function(pairing.function).params.iter();
        let types: Vec<TyId> = params.map(|it| it.ty).collect();
        let random = |case| Random::new(self.seed(pairing, case));
        let (mut slips, mut order) = (random(0), random(1));
        let mut nearby = Nearby::new(&program, random(2), seeds);
        let mut found = match parting {
            Some(places) => self.approach(pairing, seeds, places, &types),
            None => seeds.iter().find(|it| self.tells(pairing, it)).cloned(),
        };
        for _ in 0..n_inputs {
            if found.is_some() || self.steps_left == 0 {
                break;
            }
            let mut input = seeds[order.below(seeds.len() as u64) as usize].clone();
            for _ in 0..=slips.below(MOST_SLIPS as u64) {
                input = nearby.vary_arguments(&input, &types);
            }
            found = Some(input).filter(|it| self.tells(pairing, it));
        }
        let mut input = found?;
        let mut n_tries = 0;
        'again: loop {
            for simpler in simpler(&program, &input, &types) {
                n_tries += 1;
                if n_tries > MAX_SIMPLER || self.steps_left == 0 {
                    break 'again;
                }
                if self.tells(pairing, &simpler) {
                    input = simpler;
                    continue 'again;
                }
            }
            break;
        }
        let compared = self.compare_given(pairing, &input)?;
        let texts = compared.args.iter().map(|it| self.text(it)).collect();
        let Compared { args, original, other } = compared;
        Some(Difference { input: Input::Given(input), args, texts, original, other })
    }

    fn tells(&mut self, pairing: &Pairing, input: &Datum) -> bool {
        self.compare_given(pairing, input).is_some_and(|it| it.differs())
    }

    /// Calls both versions with inputs that are given.
    fn compare_given(&mut self, pairing: &Pairing, input: &Datum) -> Option<Compared> {
        self.host.begin();
        let program = Arc::clone(self.original.program());
        let params = &program.function(pairing.function).params;
        let Datum::Tuple(parts) = input else { return None };
        // A refinement of a parameter itself is looked at by the call.
        let fits = parts
            .iter()
            .zip(params)
            .all(|(part, param)| self.fits(&program, part, program.types.base(param.ty)));
        if !fits {
            return None;
        }
        let args = value_of(input, &mut |_| None)?.fields().to_vec();
        Some(self.call_both(pairing, args))
    }

    /// Whether what is inside a datum is of the refined types that are inside a type.
    fn fits(&mut self, program: &Program, datum: &Datum, ty: TyId) -> bool {
        if let Ty::Refined { base, predicate, .. } = program.types.get(ty) {
            let value = value_of(datum, &mut |_| None);
            return self.fits(program, datum, *base)
                && value.is_some_and(|value| {
                    let probe = self.original.probe(*predicate, &[value], &mut self.host);
                    matches!(probe.result, Ok(Value::Bool(true)))
                });
        }
        match (datum, program.types.get(ty)) {
            (Datum::Tuple(parts), Ty::Tuple(types)) => {
                parts.iter().zip(types).all(|(part, ty)| self.fits(program, part, *ty))
            }
            (Datum::Data(ctor, fields), Ty::Named(_, args)) => {
                let types = program.ctor(*ctor).fields.iter().map(|it| it.ty);
                fields.iter().zip(types).all(|(field, ty)| {
                    let ty = if let Ty::Param(at) = program.types.get(ty) {
                        args.get(*at as usize).copied().unwrap_or(ty)
                    } else {
                        ty
                    };
                    self.fits(program, field, ty)
                })
            }
            (Datum::List(items), Ty::List(item)) | (Datum::Set(items), Ty::Set(item)) => {
                items.iter().all(|it| self.fits(program, it, *item))
            }
            (Datum::Map(entries), Ty::Map(key, value)) => entries
                .iter()
                .all(|(a, b)| self.fits(program, a, *key) && self.fits(program, b, *value)),
            _ => true,
        }
    }

    fn call_both(&mut self, pairing: &Pairing, args: Vec<Value>) -> Compared {
        let (original, steps) =
            call(&mut self.original, pairing.function, &args, &mut self.host);
        let (other, more) = call(&mut self.other, pairing.function, &args, &mut self.host);
        self.steps_left = self.steps_left.saturating_sub(steps + more);
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
        self.host.begin();
        let drawn = self.original.probe(pairing.inputs, &[], &mut self.host);
        self.steps_left = self.steps_left.saturating_sub(drawn.steps);
        let args = drawn.result.ok()?.fields().to_vec();
        Some(self.call_both(pairing, args))
    }

    /// The simplest inputs that tell the versions apart, from those that just did.
    fn simplest(&mut self, pairing: &Pairing, size: u32) -> Option<Difference> {
        let first = self.host.source.case();
        let mut source = self.spare.take()?;
        self.host.case_size = size;
        // A difference that was found is worth its own steps.
        self.steps_left = MAX_ALL_STEPS;
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

//! Looks for inputs that tell survivors from the program.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gainsay_core::{Datum, FailureKind, FunctionId};
use gainsay_gen::{Purpose, Sample, lower_for};
use gainsay_test::{Difference, Gave, Opponents, Pairing, Versus, numbered};
use gainsay_vm::{Instruments, Value};

use super::Depth;
use super::leverage::{self, Known};
use super::listening;
use super::pairings::{Call, Calls, calls};
use super::parting::{self, Parting};
use super::scope;
use crate::find::Mutant;
use crate::hunt::{Hunt, switch, with_mutants};
use crate::report::{Leverage, Report, Suggestion};

/// What was found out about a survivor.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    pub(super) is_likely_equivalent: bool,
    pub(super) suggestion: Option<Suggestion>,
}

/// What was found out about all survivors.
#[derive(Debug, Default)]
pub(super) struct Searched {
    pub(super) found: Vec<Found>,
    pub(super) leverage: Vec<Leverage>,
}

/// A call and the function that draws its inputs.
pub(super) struct Target {
    pub(super) call: Call,
    pub(super) pairing: Pairing,
}

/// All calls for one declaration.
struct Targets {
    list: Vec<Target>,
    /// Whether nothing else about the declaration can be told apart.
    is_complete: bool,
}

/// Longer values are not written into a line.
const LONGEST_TEXT: usize = 300;

/// Looks for inputs that tell each survivor from the program.
pub(super) fn search(job: &Hunt<'_>, report: &Report, survivors: &[usize]) -> Searched {
    let nothing =
        || Searched { found: vec![Found::default(); survivors.len()], leverage: Vec::new() };
    let mut program = job.program.clone();
    let mut by_home: BTreeMap<FunctionId, Calls> = BTreeMap::new();
    for at in survivors {
        let home = report.mutants[*at].mutant.home;
        by_home.entry(home).or_insert_with(|| calls(&mut program, home));
    }
    let samples: Vec<Sample> = by_home
        .values()
        .flat_map(|it| it.list.iter().map(|call| Sample::Type(call.inputs)))
        .collect();
    let purpose = Purpose { samples: &samples, ..Purpose::default() };
    let lowered = with_mutants(&lower_for(&program, &purpose), job.mutants);
    let mut drawn = lowered.samples.iter();
    let mut targets: BTreeMap<FunctionId, Targets> = BTreeMap::new();
    for (home, calls) in by_home {
        let mut list = Vec::new();
        let mut is_complete = calls.is_complete;
        for call in calls.list {
            let Some(Ok(inputs)) = drawn.next() else {
                is_complete = false;
                continue;
            };
            let (function, world) = (call.function, call.answers.clone());
            let pairing = Pairing { function, inputs: *inputs, world };
            list.push(Target { call, pairing });
        }
        targets.insert(home, Targets { list, is_complete });
    }
    let switches: Vec<gainsay_vm::Mutant> =
        survivors.iter().map(|at| switch(&report.mutants[*at].mutant)).collect();
    let instruments = Instruments::default().with_mutants(&switches);
    let interrupt = Arc::clone(&job.interrupt);
    let Some(opponents) = Opponents::new(&lowered, instruments, job.settings.seed, interrupt)
    else {
        return nothing();
    };
    let mut known = on_each(job, survivors.len(), &opponents, &|versus, at| {
        let home = report.mutants[survivors[at]].mutant.home;
        versus.set_mutant(at);
        match job.depth {
            Depth::Everything => find(job, versus, &targets[&home]),
            Depth::None | Depth::Equivalence => Told::of(versus, &targets[&home]),
        }
    });
    // What generators do not find may be near to what claims use.
    let is_open = |it: &Told<'_>| it.known.is_none() && !it.is_told_apart;
    let mut open: Vec<usize> = (0..known.len()).filter(|at| is_open(&known[*at])).collect();
    if job.depth < Depth::Everything {
        // Only what would be called likely equivalent is worth looking for further.
        open.retain(|at| known[*at].is_likely_equivalent);
    }
    let homes = open.iter().map(|at| report.mutants[survivors[*at]].mutant.home);
    let inputs = listening::inputs(job, report, &homes.collect());
    let open_mutants: Vec<&Mutant> =
        open.iter().map(|at| &report.mutants[survivors[*at]].mutant).collect();
    let (watched, partings) = parting::watched(&lowered, &open_mutants);
    let switches: Vec<gainsay_vm::Mutant> = open_mutants.iter().map(|it| switch(it)).collect();
    let instruments = Instruments::default().with_mutants(&switches);
    let interrupt = Arc::clone(&job.interrupt);
    let near = match Opponents::new(&watched, instruments, job.settings.seed, interrupt) {
        Some(opponents) => on_each(job, open.len(), &opponents, &|versus, number| {
            let home = open_mutants[number].home;
            versus.set_mutant(number);
            let seeds = inputs.get(&home).map_or(&[][..], Vec::as_slice);
            find_near(job, versus, &targets[&home].list, seeds, partings[number])
        }),
        None => Vec::new(),
    };
    for (at, near) in open.into_iter().zip(near) {
        if near.is_some() {
            known[at] = Told { known: near, ..Told::default() };
        }
    }
    let found = known.iter().map(|it| Found {
        is_likely_equivalent: it.is_likely_equivalent,
        suggestion: it.known.as_ref().and_then(|it| it.suggestion.clone()),
    });
    let found = found.collect();
    let known: Vec<Option<Known<'_>>> = known.into_iter().map(|it| it.known).collect();
    if job.depth < Depth::Everything {
        return Searched { found, leverage: Vec::new() };
    }
    let leverage = leverage::leverage(job, report, survivors, &known, &opponents);
    Searched { found, leverage }
}

/// What came of one survivor.
#[derive(Default)]
struct Told<'t> {
    is_likely_equivalent: bool,
    is_told_apart: bool,
    known: Option<Known<'t>>,
}

impl Told<'_> {
    /// Whether a survivor can be told apart at all.
    fn of(versus: &mut Versus<'_>, targets: &Targets) -> Self {
        let is_complete = targets.is_complete;
        let is_told_apart = is_complete
            && targets
                .list
                .iter()
                .any(|it| versus.is_told_apart(&it.pairing, it.call.n_inputs));
        Self { is_likely_equivalent: is_complete && !is_told_apart, is_told_apart, known: None }
    }
}

fn find<'t>(job: &Hunt<'_>, versus: &mut Versus<'_>, targets: &'t Targets) -> Told<'t> {
    for target in &targets.list {
        let Some(difference) = versus.differ(&target.pairing, target.call.n_inputs) else {
            continue;
        };
        let known = Some(known(job, versus, target, difference));
        return Told { known, ..Told::default() };
    }
    Told { is_likely_equivalent: targets.is_complete, ..Told::default() }
}

fn known<'t>(
    job: &Hunt<'_>,
    versus: &Versus<'_>,
    target: &'t Target,
    it: Difference,
) -> Known<'t> {
    let mut values: Vec<&Value> = it.args.iter().collect();
    if let Gave::Value(value) = &it.original {
        values.push(value);
    }
    let module = job.program.function(target.call.function).module;
    // A line that names what its file does not know would not check.
    let can_be_said = scope::knows(job.program, job.files, module, &values);
    let suggestion = suggestion(versus, &target.call, &it.texts, &it.original, &it.other);
    let suggestion = suggestion.filter(|_| can_be_said);
    Known { target, input: it.input, suggestion }
}

/// Inputs near to those of the claims that are tried for one survivor.
const NEAR_INPUTS: u64 = 1_500;

fn find_near<'t>(
    job: &Hunt<'_>,
    versus: &mut Versus<'_>,
    targets: &'t [Target],
    seeds: &[Datum],
    parting: Parting,
) -> Option<Known<'t>> {
    // Each world once: what the inputs are drawn from does not matter here.
    let mut worlds = BTreeSet::new();
    for target in targets.iter().filter(|it| !it.call.is_indirect) {
        if !worlds.insert(target.call.world.clone()) {
            continue;
        }
        if let Some(difference) =
            versus.differ_near(&target.pairing, seeds, parting, NEAR_INPUTS)
        {
            return Some(known(job, versus, target, difference));
        }
    }
    None
}

/// The line that says what the program gives.
fn suggestion(
    versus: &Versus<'_>,
    call: &Call,
    args: &[String],
    original: &Gave,
    other: &Gave,
) -> Option<Suggestion> {
    let written = if call.is_constant {
        call.name.clone()
    } else {
        format!("{}({})", call.name, args.join(", "))
    };
    let observed = match original {
        Gave::Value(value) if is_comparable(value) => {
            let text = versus.text(value);
            if let Value::Bool(truth) = value {
                format!("observe {}{written}", if *truth { "" } else { "!" })
            } else {
                format!("observe {written} == {text}")
            }
        }
        Gave::Failure(kind) => format!("observe throws({}) {{ {written} }}", kind.name()),
        Gave::Value(_) | Gave::Neither => return None,
    };
    if observed.len() > LONGEST_TEXT {
        return None;
    }
    let line = match &call.world {
        Some(world) => format!("under {world} {{ {observed} }}"),
        None => observed,
    };
    let (original, mutant) = (told(versus, original), told(versus, other));
    Some(Suggestion { line, call: written, original, mutant })
}

fn told(versus: &Versus<'_>, gave: &Gave) -> String {
    match gave {
        Gave::Value(value) => versus.text(value),
        Gave::Failure(kind) => format!("a failure, {}", kind_phrase(*kind)),
        Gave::Neither => "no value within the limits".to_owned(),
    }
}

fn kind_phrase(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Contract => "of a contract",
        FailureKind::Refinement => "of a refinement",
        FailureKind::DivByZero => "a division by zero",
        FailureKind::OutOfRange => "out of range",
        FailureKind::Fail => "by `fail`",
    }
}

/// Whether `==` says that a value is this one.
fn is_comparable(value: &Value) -> bool {
    match value {
        Value::Int(_) | Value::Big(_) | Value::Bool(_) | Value::Char(_) | Value::Str(_) => true,
        Value::Float(float) => !float.is_nan(),
        Value::Tuple(fields) | Value::Data(_, fields) => {
            fields.as_slice().iter().all(is_comparable)
        }
        Value::List(list) => list.iter().all(is_comparable),
        Value::Map(map) => {
            map.iter().all(|(key, value)| is_comparable(key) && is_comparable(value))
        }
        Value::Set(set) => set.iter().all(|(key, _)| is_comparable(key)),
        Value::Closure(..) => false,
    }
}

/// Does something for each number, on as many threads as wanted.
fn on_each<'l, T: Send + Default>(
    job: &Hunt<'_>,
    n: usize,
    opponents: &'l Opponents<'l>,
    work: &(dyn Fn(&mut Versus<'l>, usize) -> T + Sync),
) -> Vec<T> {
    let is_over = || job.is_interrupted();
    let done = numbered(job.settings.jobs, n, &is_over, &|| opponents.versus(), work);
    done.into_iter().map(Option::unwrap_or_default).collect()
}

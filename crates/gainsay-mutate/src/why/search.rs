//! Looks for inputs that tell survivors from the program.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use gainsay_core::{Datum, FailureKind, FunctionId};
use gainsay_gen::{Lowered, Purpose, Sample, lower_for};
use gainsay_test::{Difference, Fingerprints, Gave, Opponents, Pairing, Versus, numbered};
use gainsay_vm::Value;

use super::Depth;
use super::leverage::{self, Known};
use super::listening;
use super::pairings::{Call, Calls, calls};
use super::parting;
use super::scope;
use crate::find::Mutant;
use crate::hunt::{Hunt, switches, with_mutants};
use crate::report::{Leverage, Report, Suggestion};
use crate::watcher::Stage;

/// What was found out about a survivor.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    /// How many inputs were tried, if none of them tells it apart and nothing else could.
    pub(super) no_difference: Option<u64>,
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
    let switches = switches(survivors.iter().map(|at| &report.mutants[*at].mutant));
    let instruments = switches.with_infections();
    let interrupt = Arc::clone(&job.interrupt);
    let Some(opponents) = Opponents::new(&lowered, instruments, job.settings.seed, interrupt)
    else {
        return nothing();
    };
    let mut groups: BTreeMap<FunctionId, Vec<usize>> = BTreeMap::new();
    for (at, survivor) in survivors.iter().enumerate() {
        groups.entry(report.mutants[*survivor].mutant.home).or_default().push(at);
    }
    let groups: Vec<Group<'_>> = groups
        .into_iter()
        .map(|(home, mutants)| {
            let tried = Arc::default();
            Group { home, targets: &targets[&home], mutants, tried }
        })
        .collect();
    let mut groups = groups;
    let told =
        on_each(job, groups.len(), &opponents, &|versus, at| find(job, versus, &groups[at]));
    let mut known: Vec<Told<'_>> = survivors.iter().map(|_| Told::default()).collect();
    for (group, (told, tried)) in groups.iter_mut().zip(told) {
        group.tried = Arc::new(tried);
        for (mutant, told) in group.mutants.iter().zip(told) {
            known[*mutant] = told;
        }
    }
    let search = Search { job, report, survivors, lowered: &lowered, opponents: &opponents };
    let near = search.near(&groups, &known);
    for (at, near) in near {
        known[at] = near;
    }
    let found = known.iter().map(|it| Found {
        no_difference: (it.is_complete && !it.is_told_apart).then_some(it.n_inputs),
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

/// Survivors of one declaration.
struct Group<'t> {
    home: FunctionId,
    targets: &'t Targets,
    /// Their positions in the list of survivors.
    mutants: Vec<usize>,
    /// Inputs that were tried for them.
    tried: Arc<Fingerprints>,
}

/// What came of one survivor.
#[derive(Default)]
struct Told<'t> {
    /// Whether nothing but its values could tell it apart.
    is_complete: bool,
    is_told_apart: bool,
    /// Different inputs that were tried.
    n_inputs: u64,
    known: Option<Known<'t>>,
    /// Inputs with which the program comes to one that was not told apart.
    reaching: Vec<Datum>,
}

impl<'t> Told<'t> {
    /// A survivor that is told apart.
    fn apart(known: Option<Known<'t>>) -> Self {
        Self { is_told_apart: true, known, ..Self::default() }
    }
}

/// Looks for inputs by generators that tell the survivors of a declaration apart.
fn find<'t>(
    job: &Hunt<'_>,
    versus: &mut Versus<'_>,
    group: &Group<'t>,
) -> (Vec<Told<'t>>, Fingerprints) {
    versus.count_after(Arc::default());
    let targets = group.targets;
    let is_wanted = job.depth == Depth::Everything || targets.is_complete;
    let mut told: Vec<Option<Told<'t>>> = group.mutants.iter().map(|_| None).collect();
    let mut left: Vec<Told<'t>> = group.mutants.iter().map(|_| Told::default()).collect();
    for target in targets.list.iter().filter(|_| is_wanted) {
        let open: Vec<usize> = (0..told.len()).filter(|it| told[*it].is_none()).collect();
        let mutants: Vec<usize> = open.iter().map(|it| group.mutants[*it]).collect();
        let (pairing, n_inputs) = (&target.pairing, target.call.n_inputs);
        let outcomes = versus.tell_apart(pairing, n_inputs, &mutants);
        for ((at, mutant), outcome) in open.into_iter().zip(mutants).zip(outcomes) {
            let Some(number) = outcome.found else {
                left[at].n_inputs += outcome.n_inputs;
                left[at].reaching.extend(versus.data(pairing, &outcome.reaching, n_inputs));
                continue;
            };
            let difference = (job.depth == Depth::Everything).then(|| {
                versus.set_mutant(mutant);
                versus.simplest(pairing, number, n_inputs)
            });
            let known = difference.flatten().map(|it| known(job, versus, target, it));
            told[at] = Some(Told::apart(known));
        }
    }
    let is_complete = targets.is_complete;
    let told = told.into_iter().zip(left);
    let told = told.map(|(it, left)| it.unwrap_or(Told { is_complete, ..left }));
    (told.collect(), versus.take_tried())
}

/// What is searched, after generators have found what they do.
struct Search<'a> {
    job: &'a Hunt<'a>,
    report: &'a Report,
    survivors: &'a [usize],
    lowered: &'a Lowered,
    opponents: &'a Opponents<'a>,
}

impl Search<'_> {
    /// What generators do not find may be near to what claims use, or where the versions part.
    fn near<'t>(&self, groups: &[Group<'t>], known: &[Told<'t>]) -> Vec<(usize, Told<'t>)> {
        let Self { job, report, opponents, .. } = *self;
        // Without an explanation, only what may turn out to have no difference is looked for further.
        let is_open = |at: &usize| {
            let it = &known[*at];
            !it.is_told_apart && (job.depth == Depth::Everything || it.is_complete)
        };
        let open: Vec<Group<'t>> = groups
            .iter()
            .map(|it| {
                let mutants = it.mutants.iter().copied().filter(is_open).collect();
                let tried = Arc::clone(&it.tried);
                Group { home: it.home, targets: it.targets, mutants, tried }
            })
            .filter(|it| !it.mutants.is_empty())
            .collect();
        let inputs = listening::inputs(job, report, &open.iter().map(|it| it.home).collect());
        let seeds = |home: &FunctionId| inputs.get(home).map_or(&[][..], Vec::as_slice);
        let told = on_each(job, open.len(), opponents, &|versus, at| {
            let group = &open[at];
            let mut seeds = seeds(&group.home).to_vec();
            let n_claimed = seeds.len();
            // What comes to the mutants is closer to them than what comes to the function.
            for reaching in group.mutants.iter().flat_map(|it| &known[*it].reaching) {
                if seeds.len() < MOST_SEEDS && !seeds.contains(reaching) {
                    seeds.push(reaching.clone());
                }
            }
            find_near(job, versus, group, (&seeds, n_claimed))
        });
        let mut found = Vec::new();
        let mut left = Vec::new();
        for (group, (told, tried)) in open.iter().zip(told) {
            let tried = Arc::new(tried);
            for (at, mut it) in told {
                if it.is_told_apart {
                    found.push((at, it));
                    continue;
                }
                let before = &known[at];
                it.is_complete = before.is_complete;
                it.n_inputs += before.n_inputs;
                it.reaching.splice(..0, before.reaching.iter().cloned());
                left.push(Left { at, group, told: it, tried: Arc::clone(&tried) });
            }
        }
        found.extend(self.close_in(left));
        found
    }

    /// Looks for inputs where the versions part, for what nothing told apart.
    fn close_in<'t>(&self, left: Vec<Left<'_, 't>>) -> Vec<(usize, Told<'t>)> {
        let Self { job, report, survivors, lowered, .. } = *self;
        let mutants: Vec<&Mutant> =
            left.iter().map(|it| &report.mutants[survivors[it.at]].mutant).collect();
        let (watched, partings) = parting::watched(lowered, &mutants);
        let instruments = switches(mutants.iter().copied()).with_infections();
        let interrupt = Arc::clone(&job.interrupt);
        let Some(opponents) =
            Opponents::new(&watched, instruments, job.settings.seed, interrupt)
        else {
            return left.into_iter().map(|it| (it.at, it.told)).collect();
        };
        let outcomes = on_each(job, left.len(), &opponents, &|versus, number| {
            let Left { group, told, tried, .. } = &left[number];
            versus.count_after(Arc::clone(tried));
            let found = worlds(group.targets).find_map(|target| {
                let parting = partings[number];
                let input =
                    versus.close_in(&target.pairing, &told.reaching, parting, number)?;
                Some(told_given(job, versus, target, input))
            });
            (found, versus.n_tried())
        });
        let outcomes = left.into_iter().zip(outcomes).map(|(it, (found, n_tried))| {
            let n_inputs = it.told.n_inputs + n_tried;
            (it.at, found.unwrap_or(Told { n_inputs, ..it.told }))
        });
        outcomes.collect()
    }
}

/// A survivor that was not told apart by what is like the inputs of claims.
struct Left<'g, 't> {
    /// Its position in the list of survivors.
    at: usize,
    group: &'g Group<'t>,
    told: Told<'t>,
    /// Inputs that were tried for it.
    tried: Arc<Fingerprints>,
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

/// Inputs that others are made of.
const MOST_SEEDS: usize = 80;

/// Inputs near to those of the claims that are tried for the survivors of a declaration.
const NEAR_INPUTS: u64 = 1_500;

/// Each world once: what the inputs are drawn from does not matter for those that are given.
fn worlds(targets: &Targets) -> impl Iterator<Item = &Target> {
    let mut seen = BTreeSet::new();
    let direct = targets.list.iter().filter(|it| !it.call.is_indirect);
    direct.filter(move |it| seen.insert(it.call.world.clone()))
}

fn find_near<'t>(
    job: &Hunt<'_>,
    versus: &mut Versus<'_>,
    group: &Group<'t>,
    seeds: (&[Datum], usize),
) -> (Vec<(usize, Told<'t>)>, Fingerprints) {
    versus.count_after(Arc::clone(&group.tried));
    let mut told: Vec<(usize, Told<'t>)> =
        group.mutants.iter().map(|it| (*it, Told::default())).collect();
    for target in worlds(group.targets) {
        let open: Vec<usize> =
            (0..told.len()).filter(|it| !told[*it].1.is_told_apart).collect();
        let mutants: Vec<usize> = open.iter().map(|it| told[*it].0).collect();
        let outcomes = versus.tell_apart_near(&target.pairing, seeds, NEAR_INPUTS, &mutants);
        for (at, outcome) in open.into_iter().zip(outcomes) {
            let (mutant, told) = &mut told[at];
            if let Some(input) = outcome.found {
                versus.set_mutant(*mutant);
                *told = told_given(job, versus, target, input);
            } else {
                told.n_inputs += outcome.n_inputs;
                told.reaching.extend(outcome.reaching);
            }
        }
    }
    (told, versus.take_tried())
}

/// A survivor that some inputs tell apart.
fn told_given<'t>(
    job: &Hunt<'_>,
    versus: &mut Versus<'_>,
    target: &'t Target,
    input: Datum,
) -> Told<'t> {
    let difference = (job.depth == Depth::Everything)
        .then(|| versus.simplest_given(&target.pairing, input))
        .flatten();
    Told::apart(difference.map(|it| known(job, versus, target, it)))
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
    let n_done = AtomicUsize::new(0);
    let work = |versus: &mut Versus<'l>, at| {
        let done = work(versus, at);
        job.tell(Stage::Survivors, &n_done, n);
        done
    };
    let done = numbered(job.settings.jobs, n, &is_over, &|| opponents.versus(), &work);
    done.into_iter().map(Option::unwrap_or_default).collect()
}

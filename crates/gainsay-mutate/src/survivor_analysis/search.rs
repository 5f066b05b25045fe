//! Searches for inputs that distinguish survivors from the original, in three stages of increasing
//! cost: random inputs, variations of inputs that claims use, and a directed search per survivor.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use gainsay_core::{Datum, FunctionId};
use gainsay_gen::{LoweredProgram, LoweringOptions, SampleTarget, lower_with_options};
use gainsay_test::parallel_map;
use gainsay_vm::{MutantId, Value};

use super::AnalysisDepth;
use super::branch_distance;
use super::candidate_calls::{CandidateCall, CandidateCalls, candidate_calls};
use super::leverage::{self, SurvivorDifference};
use super::name_visibility;
use super::value_tracing;
use crate::differential::{
    DifferentialCall, DifferentialEngine, DifferentialRunner, DistinguishingInput,
    InputFingerprints, VersionOutcome,
};
use crate::find_mutants::Mutant;
use crate::mutation_listener::MutationStage;
use crate::mutation_run::{MutationRun, mutant_switches, with_mutants};
use crate::report::{CallOutcome, HighLeverageTest, MutationReport, TestSuggestion};

/// What the search found for one survivor.
#[derive(Debug, Clone, Default)]
pub(super) struct SurvivorFinding {
    /// The number of inputs tried, if none distinguishes it and nothing but its result could.
    pub(super) no_difference: Option<u64>,
    pub(super) suggestion: Option<TestSuggestion>,
}

/// What the search found for all survivors.
#[derive(Debug, Default)]
pub(super) struct SearchReport {
    pub(super) found: Vec<SurvivorFinding>,
    pub(super) leverage: Vec<HighLeverageTest>,
}

/// A candidate call and the function that generates its inputs.
pub(super) struct SearchTarget {
    pub(super) call: CandidateCall,
    pub(super) differential_call: DifferentialCall,
}

/// All candidate calls for one declaration.
struct SearchTargets {
    list: Vec<SearchTarget>,
    /// Whether the results of these calls are all that is observable of the declaration.
    is_complete: bool,
}

/// Lines with longer text are not suggested.
const MAX_TEXT: usize = 300;

/// Searches for inputs that distinguish each survivor from the original.
pub(super) fn search(
    job: &MutationRun<'_>,
    report: &MutationReport,
    survivors: &[usize],
) -> SearchReport {
    let nothing = || SearchReport {
        found: vec![SurvivorFinding::default(); survivors.len()],
        leverage: Vec::new(),
    };
    // A copy, because the calls need types (tuples of parameters) that the program has not
    // interned.
    let mut program = job.program.clone();
    let mut by_home: BTreeMap<FunctionId, CandidateCalls> = BTreeMap::new();
    for at in survivors {
        let home = report.mutants[*at].mutant.declaration;
        by_home.entry(home).or_insert_with(|| candidate_calls(&mut program, home));
    }
    let samples: Vec<SampleTarget> = by_home
        .values()
        .flat_map(|it| it.list.iter().map(|call| SampleTarget::Type(call.inputs)))
        .collect();
    // One lowering for all calls, because it is costly.
    let purpose = LoweringOptions { samples: &samples, ..LoweringOptions::default() };
    let lowered = with_mutants(&lower_with_options(&program, &purpose), job.mutants);
    let mut drawn = lowered.samples.iter();
    let mut targets: BTreeMap<FunctionId, SearchTargets> = BTreeMap::new();
    for (home, calls) in by_home {
        let mut list = Vec::new();
        let mut is_complete = calls.is_complete;
        for call in calls.list {
            // Samples are in the order of the flattened calls, so the iterators advance together.
            let Some(Ok(inputs)) = drawn.next() else {
                // Without a generator the call is not tried, and silence about it proves nothing.
                is_complete = false;
                continue;
            };
            let (function, world) = (call.function, call.stubs.clone());
            let pairing = DifferentialCall { function, input_generator: *inputs, world };
            list.push(SearchTarget { call, differential_call: pairing });
        }
        targets.insert(home, SearchTargets { list, is_complete });
    }
    let switches = mutant_switches(survivors.iter().map(|at| &report.mutants[*at].mutant));
    let instruments = switches.with_infections();
    let interrupt = Arc::clone(&job.interrupt);
    let Some(engine) =
        DifferentialEngine::new(&lowered, instruments, job.settings.seed, interrupt)
    else {
        return nothing();
    };
    let mut groups: BTreeMap<FunctionId, Vec<MutantId>> = BTreeMap::new();
    for (id, survivor) in MutantId::all(survivors.len()).zip(survivors) {
        groups.entry(report.mutants[*survivor].mutant.declaration).or_default().push(id);
    }
    let groups: Vec<SurvivorGroup<'_>> = groups
        .into_iter()
        .map(|(home, mutants)| {
            let tried = Arc::default();
            SurvivorGroup { declaration: home, targets: &targets[&home], mutants, tried }
        })
        .collect();
    let mut groups = groups;
    let by_group = parallel_map_with_runner(job, groups.len(), &engine, &|runner, at| {
        search_randomly(job, runner, &groups[at])
    });
    let mut results: Vec<SurvivorSearchResult<'_>> =
        survivors.iter().map(|_| SurvivorSearchResult::default()).collect();
    for (group, (group_results, tried)) in groups.iter_mut().zip(by_group) {
        group.tried = Arc::new(tried);
        for (mutant, result) in group.mutants.iter().zip(group_results) {
            results[mutant.index()] = result;
        }
    }
    let search =
        DifferenceSearch { job, report, survivors, lowered: &lowered, engine: &engine };
    let near = search.search_near(&groups, &results);
    for (mutant, near) in near {
        results[mutant.index()] = near;
    }
    let found = results.iter().map(|it| SurvivorFinding {
        no_difference: (it.is_complete && !it.is_distinguished).then_some(it.n_inputs),
        suggestion: it.difference.as_ref().and_then(|it| it.suggestion.clone()),
    });
    let found = found.collect();
    let differences: Vec<Option<SurvivorDifference<'_>>> =
        results.into_iter().map(|it| it.difference).collect();
    if job.depth < AnalysisDepth::Everything {
        return SearchReport { found, leverage: Vec::new() };
    }
    let leverage = leverage::high_leverage_tests(job, report, survivors, &differences, &engine);
    SearchReport { found, leverage }
}

/// The survivors in one declaration.
struct SurvivorGroup<'t> {
    declaration: FunctionId,
    targets: &'t SearchTargets,
    /// As they are numbered in the list of survivors.
    mutants: Vec<MutantId>,
    /// Inputs tried for them.
    tried: Arc<InputFingerprints>,
}

/// The search result for one survivor.
#[derive(Default)]
struct SurvivorSearchResult<'t> {
    /// Whether it is observable only through its results.
    is_complete: bool,
    is_distinguished: bool,
    /// Distinct inputs tried.
    n_inputs: u64,
    difference: Option<SurvivorDifference<'t>>,
    /// Inputs that reach it, for one that is not distinguished yet.
    reaching_inputs: Vec<Datum>,
}

impl<'t> SurvivorSearchResult<'t> {
    /// A survivor that an input distinguishes.
    fn distinguished(difference: Option<SurvivorDifference<'t>>) -> Self {
        Self { is_distinguished: true, difference, ..Self::default() }
    }
}

/// Searches random inputs for some that distinguish the survivors in a declaration.
fn search_randomly<'t>(
    job: &MutationRun<'_>,
    runner: &mut DifferentialRunner<'_>,
    group: &SurvivorGroup<'t>,
) -> (Vec<SurvivorSearchResult<'t>>, InputFingerprints) {
    runner.count_distinct_after(Arc::default());
    // All survivors of a declaration share their inputs, which run on the original only once.
    let targets = group.targets;
    // Without explanations, only the verdict "no difference" matters, which needs complete calls.
    let is_wanted = job.depth == AnalysisDepth::Everything || targets.is_complete;
    let mut results: Vec<Option<SurvivorSearchResult<'t>>> =
        group.mutants.iter().map(|_| None).collect();
    let mut left: Vec<SurvivorSearchResult<'t>> =
        group.mutants.iter().map(|_| SurvivorSearchResult::default()).collect();
    for target in targets.list.iter().filter(|_| is_wanted) {
        // Later targets, such as unrefined inputs, are tried only for survivors that are still
        // open.
        let open: Vec<usize> = (0..results.len()).filter(|it| results[*it].is_none()).collect();
        let mutants: Vec<MutantId> = open.iter().map(|it| group.mutants[*it]).collect();
        let (pairing, n_inputs) = (&target.differential_call, target.call.n_inputs);
        let outcomes = runner.distinguish_randomly(pairing, n_inputs, &mutants);
        for ((at, mutant), outcome) in open.into_iter().zip(mutants).zip(outcomes) {
            let Some(number) = outcome.distinguishing_input else {
                left[at].n_inputs += outcome.n_inputs;
                left[at].reaching_inputs.extend(runner.drawn_data(
                    pairing,
                    &outcome.reaching_inputs,
                    n_inputs,
                ));
                continue;
            };
            let difference = (job.depth == AnalysisDepth::Everything).then(|| {
                runner.set_mutant(mutant);
                runner.shrink_drawn(pairing, number, n_inputs)
            });
            let difference =
                difference.flatten().map(|it| survivor_difference(job, runner, target, it));
            results[at] = Some(SurvivorSearchResult::distinguished(difference));
        }
    }
    let is_complete = targets.is_complete;
    let results = results.into_iter().zip(left);
    let results =
        results.map(|(it, left)| it.unwrap_or(SurvivorSearchResult { is_complete, ..left }));
    (results.collect(), runner.take_fingerprints())
}

/// The stages of the search after random inputs.
struct DifferenceSearch<'a> {
    job: &'a MutationRun<'a>,
    report: &'a MutationReport,
    survivors: &'a [usize],
    lowered: &'a LoweredProgram,
    engine: &'a DifferentialEngine<'a>,
}

impl DifferenceSearch<'_> {
    /// Searches near the inputs that claims use, then where the versions diverge.
    fn search_near<'t>(
        &self,
        groups: &[SurvivorGroup<'t>],
        first_results: &[SurvivorSearchResult<'t>],
    ) -> Vec<(MutantId, SurvivorSearchResult<'t>)> {
        let Self { job, report, engine, .. } = *self;
        // Without explanations, continue only for survivors that may turn out to have no
        // difference.
        let is_open = |mutant: &MutantId| {
            let it = &first_results[mutant.index()];
            !it.is_distinguished && (job.depth == AnalysisDepth::Everything || it.is_complete)
        };
        let open: Vec<SurvivorGroup<'t>> = groups
            .iter()
            .map(|it| {
                let mutants = it.mutants.iter().copied().filter(is_open).collect();
                let tried = Arc::clone(&it.tried);
                SurvivorGroup {
                    declaration: it.declaration,
                    targets: it.targets,
                    mutants,
                    tried,
                }
            })
            .filter(|it| !it.mutants.is_empty())
            .collect();
        // Claims know which inputs are meaningful; a random generator has to guess.
        let inputs = value_tracing::claim_inputs(
            job,
            report,
            &open.iter().map(|it| it.declaration).collect(),
        );
        let seeds = |home: &FunctionId| inputs.get(home).map_or(&[][..], Vec::as_slice);
        let results = parallel_map_with_runner(job, open.len(), engine, &|runner, at| {
            let group = &open[at];
            let mut seeds = seeds(&group.declaration).to_vec();
            let n_claimed = seeds.len();
            // Inputs that reach the mutants are closer to them than those that only reach the
            // function.
            for reaching in
                group.mutants.iter().flat_map(|it| &first_results[it.index()].reaching_inputs)
            {
                if seeds.len() < MAX_SEEDS && !seeds.contains(reaching) {
                    seeds.push(reaching.clone());
                }
            }
            search_variations(job, runner, group, (&seeds, n_claimed))
        });
        let mut found = Vec::new();
        let mut left = Vec::new();
        for (group, (results, tried)) in open.iter().zip(results) {
            let tried = Arc::new(tried);
            for (mutant, mut it) in results {
                if it.is_distinguished {
                    found.push((mutant, it));
                    continue;
                }
                let before = &first_results[mutant.index()];
                it.is_complete = before.is_complete;
                // Each stage counts only inputs that the earlier ones did not try, so that the
                // counts add up.
                it.n_inputs += before.n_inputs;
                // Random inputs that reach the mutant come before their variations.
                it.reaching_inputs.splice(..0, before.reaching_inputs.iter().cloned());
                left.push(RemainingSurvivor {
                    mutant,
                    group,
                    result: it,
                    tried: Arc::clone(&tried),
                });
            }
        }
        found.extend(self.search_where_versions_part(left));
        found
    }

    /// Directed search where the versions diverge, for the survivors that are left.
    fn search_where_versions_part<'t>(
        &self,
        left: Vec<RemainingSurvivor<'_, 't>>,
    ) -> Vec<(MutantId, SurvivorSearchResult<'t>)> {
        let Self { job, report, survivors, lowered, .. } = *self;
        let mutants: Vec<&Mutant> = left
            .iter()
            .map(|it| &report.mutants[survivors[it.mutant.index()]].mutant)
            .collect();
        // A program of its own: tracing costs time in every run, and the first two stages do not
        // need it.
        let (traced, comparison_traces) = branch_distance::trace_comparisons(lowered, &mutants);
        // Numbered anew, over the survivors that are left: `number` below is both the index in
        // `left` and the mutant to switch on.
        let instruments = mutant_switches(mutants.iter().copied()).with_infections();
        let interrupt = Arc::clone(&job.interrupt);
        let Some(engine) =
            DifferentialEngine::new(&traced, instruments, job.settings.seed, interrupt)
        else {
            return left.into_iter().map(|it| (it.mutant, it.result)).collect();
        };
        let outcomes = parallel_map_with_runner(job, left.len(), &engine, &|runner, number| {
            let RemainingSurvivor { group, result, tried, .. } = &left[number];
            runner.count_distinct_after(Arc::clone(tried));
            let found = targets_by_world(group.targets).find_map(|target| {
                let comparison = comparison_traces[number];
                let input = runner.distinguish_reached(
                    &target.differential_call,
                    &result.reaching_inputs,
                    comparison,
                    MutantId(number as u32),
                )?;
                Some(distinguished_by_given(job, runner, target, input))
            });
            (found, runner.n_distinct_inputs())
        });
        let outcomes = left.into_iter().zip(outcomes).map(|(it, (found, n_tried))| {
            let n_inputs = it.result.n_inputs + n_tried;
            (it.mutant, found.unwrap_or(SurvivorSearchResult { n_inputs, ..it.result }))
        });
        outcomes.collect()
    }
}

/// A survivor that variations of the claims' inputs did not distinguish.
struct RemainingSurvivor<'g, 't> {
    /// As it is numbered in the list of survivors.
    mutant: MutantId,
    group: &'g SurvivorGroup<'t>,
    result: SurvivorSearchResult<'t>,
    /// Inputs tried for it.
    tried: Arc<InputFingerprints>,
}

fn survivor_difference<'t>(
    job: &MutationRun<'_>,
    runner: &DifferentialRunner<'_>,
    target: &'t SearchTarget,
    it: DistinguishingInput,
) -> SurvivorDifference<'t> {
    let mut values: Vec<&Value> = it.args.iter().collect();
    if let VersionOutcome::Value(value) = &it.original {
        values.push(value);
    }
    let module = job.program.function(target.call.function).module;
    // A line with names that its file does not import would not compile.
    let can_be_named = name_visibility::can_name_types(job.program, job.files, module, &values);
    let suggestion = suggested_test(runner, &target.call, &it.texts, &it.original, &it.mutated);
    let suggestion = suggestion.filter(|_| can_be_named);
    SurvivorDifference { target, input: it.input, suggestion }
}

/// Seed inputs of one declaration.
const MAX_SEEDS: usize = 80;

/// Variations tried for the survivors in one declaration.
const NEAR_INPUTS: u64 = 1_500;

/// One target per world: given inputs do not depend on the generator.
fn targets_by_world(targets: &SearchTargets) -> impl Iterator<Item = &SearchTarget> {
    let mut seen = BTreeSet::new();
    // The inputs belong to the declaration itself and do not fit the parameters of other functions.
    let direct = targets.list.iter().filter(|it| !it.call.is_indirect);
    direct.filter(move |it| seen.insert(it.call.world.clone()))
}

fn search_variations<'t>(
    job: &MutationRun<'_>,
    runner: &mut DifferentialRunner<'_>,
    group: &SurvivorGroup<'t>,
    seeds: (&[Datum], usize),
) -> (Vec<(MutantId, SurvivorSearchResult<'t>)>, InputFingerprints) {
    runner.count_distinct_after(Arc::clone(&group.tried));
    let mut results: Vec<(MutantId, SurvivorSearchResult<'t>)> =
        group.mutants.iter().map(|it| (*it, SurvivorSearchResult::default())).collect();
    for target in targets_by_world(group.targets) {
        let open: Vec<usize> =
            (0..results.len()).filter(|it| !results[*it].1.is_distinguished).collect();
        let mutants: Vec<MutantId> = open.iter().map(|it| results[*it].0).collect();
        let outcomes = runner.distinguish_by_variation(
            &target.differential_call,
            seeds,
            NEAR_INPUTS,
            &mutants,
        );
        for (at, outcome) in open.into_iter().zip(outcomes) {
            let (mutant, result) = &mut results[at];
            if let Some(input) = outcome.distinguishing_input {
                runner.set_mutant(*mutant);
                *result = distinguished_by_given(job, runner, target, input);
            } else {
                result.n_inputs += outcome.n_inputs;
                result.reaching_inputs.extend(outcome.reaching_inputs);
            }
        }
    }
    (results, runner.take_fingerprints())
}

/// The result for a survivor that a given input distinguishes.
fn distinguished_by_given<'t>(
    job: &MutationRun<'_>,
    runner: &mut DifferentialRunner<'_>,
    target: &'t SearchTarget,
    input: Datum,
) -> SurvivorSearchResult<'t> {
    let difference = (job.depth == AnalysisDepth::Everything)
        .then(|| runner.shrink_given(&target.differential_call, input))
        .flatten();
    SurvivorSearchResult::distinguished(
        difference.map(|it| survivor_difference(job, runner, target, it)),
    )
}

/// The test line that states the result of the original.
fn suggested_test(
    runner: &DifferentialRunner<'_>,
    call: &CandidateCall,
    args: &[String],
    original: &VersionOutcome,
    other: &VersionOutcome,
) -> Option<TestSuggestion> {
    let written = if call.is_constant {
        call.name.clone()
    } else {
        format!("{}({})", call.name, args.join(", "))
    };
    // The original defines what is right: the line states its result, and fails on the mutant.
    let observed = match original {
        VersionOutcome::Value(value) if is_comparable(value) => {
            let text = runner.text(value);
            if let Value::Bool(truth) = value {
                format!("observe {}{written}", if *truth { "" } else { "!" })
            } else {
                format!("observe {written} == {text}")
            }
        }
        VersionOutcome::Failure(kind) => {
            format!("observe throws({}) {{ {written} }}", kind.name())
        }
        VersionOutcome::Value(_) | VersionOutcome::Undecided => return None,
    };
    // Nobody would put such a line into a test.
    if observed.len() > MAX_TEXT {
        return None;
    }
    let line = match &call.world {
        Some(world) => format!("under {world} {{ {observed} }}"),
        None => observed,
    };
    let (original, mutant) = (call_outcome(runner, original), call_outcome(runner, other));
    Some(TestSuggestion { line, call: written, original, mutant })
}

fn call_outcome(runner: &DifferentialRunner<'_>, gave: &VersionOutcome) -> CallOutcome {
    match gave {
        VersionOutcome::Value(value) => CallOutcome::Value(runner.text(value)),
        VersionOutcome::Failure(kind) => CallOutcome::Failure(*kind),
        VersionOutcome::Undecided => CallOutcome::Undecided,
    }
}

/// Whether `==` can state a value exactly.
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

/// Runs a task for each index on the configured number of threads, one runner per thread.
fn parallel_map_with_runner<'l, T: Send + Default>(
    job: &MutationRun<'_>,
    n: usize,
    engine: &'l DifferentialEngine<'l>,
    work: &(dyn Fn(&mut DifferentialRunner<'l>, usize) -> T + Sync),
) -> Vec<T> {
    let is_over = || job.is_interrupted();
    let n_done = AtomicUsize::new(0);
    let work = |runner: &mut DifferentialRunner<'l>, at| {
        let done = work(runner, at);
        job.report_progress(MutationStage::Survivors, &n_done, n);
        done
    };
    let done = parallel_map(job.settings.jobs, n, &is_over, &|| engine.runner(), &work);
    done.into_iter().map(Option::unwrap_or_default).collect()
}

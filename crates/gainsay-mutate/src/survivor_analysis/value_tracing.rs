//! Traces the values at observations and declarations, with and without a mutant, to explain why it
//! survived; and the inputs that claims pass to declarations.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gainsay_core::builtin::{self, BOOL_NOT};
use gainsay_core::{
    Body, ClaimId, ClaimKind, Datum, FunctionId, FunctionKind, Literal, LocalId,
    ObserveStrength, OpId, Operation, Program, Statement, Term, TermId, Ty, TyId, TypeTable,
};
use gainsay_gen::{LoweredProgram, TraceInserter};
use gainsay_source::Span;
use gainsay_test::{Settings, parallel_map};
use gainsay_vm::{Instrumentation, MutantId};

use crate::mutant_runner::{MutantProgram, MutantRunner};
use crate::mutated_functions::enclosing_declaration;
use crate::mutation_run::{MutationRun, mutant_switches, with_mutants};
use crate::report::{MutationReport, SurvivalReason};
use crate::value_log::ValueLog;

/// A traced observation.
#[derive(Debug, Copy, Clone)]
struct TracedObservation {
    span: Span,
    strength: ObserveStrength,
}

/// Claims run per survivor.
const MAX_CLAIMS: usize = 20;

/// Cases of each claim whose inputs are collected.
const TRACED_CASES: u64 = 20;

/// Inputs collected per declaration.
const MAX_INPUTS: usize = 60;

/// Why each survivor was not detected.
pub(super) fn survival_reasons(
    job: &MutationRun<'_>,
    report: &MutationReport,
    survivors: &[usize],
) -> Vec<SurvivalReason> {
    let extended = with_mutants(job.lowered, job.mutants);
    let homes: BTreeSet<FunctionId> =
        survivors.iter().map(|at| report.mutants[*at].mutant.declaration).collect();
    let (lowered, places) = traced_program(&extended, &homes);
    let mutants = survivors.iter().map(|at| &report.mutants[*at].mutant);
    let trials = job.mutant_program(&lowered, mutant_switches(mutants));
    let listener = || TracingRunner { runner: trials.runner(), original_logs: BTreeMap::new() };
    let reasons = parallel_map(
        job.settings.jobs,
        survivors.len(),
        &|| job.is_interrupted(),
        &listener,
        &|tracer, at| {
            let mutant = MutantId(at as u32);
            survival_reason(job, report, survivors[at], &places, tracer, mutant)
        },
    );
    // The reasons of an interrupted run are discarded, so any filler will do.
    reasons.into_iter().map(|it| it.unwrap_or(SurvivalReason::SameOnClaimInputs)).collect()
}

/// A runner with value tracing, for one thread.
struct TracingRunner<'l> {
    runner: MutantRunner<'l>,
    /// Value logs of claims on the original, computed once per thread.
    original_logs: BTreeMap<usize, ValueLog>,
}

/// Why a survivor, active as this mutant, was not detected.
fn survival_reason(
    job: &MutationRun<'_>,
    report: &MutationReport,
    survivor: usize,
    places: &[TracedObservation],
    tracer: &mut TracingRunner<'_>,
    mutant: MutantId,
) -> SurvivalReason {
    let it = &report.mutants[survivor];
    if it.reached_by.is_empty() {
        return SurvivalReason::Unreached;
    }
    // From weakest to strongest: same everywhere, different but not observed, observed too loosely.
    // The strongest reason that any claim gives is reported.
    let mut reason = SurvivalReason::SameOnClaimInputs;
    for claim in it.reached_by.iter().take(MAX_CLAIMS) {
        if job.is_interrupted() {
            break;
        }
        let number = report.claims[*claim].claim;
        let TracingRunner { runner: trial, original_logs: originals } = &mut *tracer;
        let original =
            originals.entry(*claim).or_insert_with(|| trace_claim(trial, number, None));
        let other = trace_claim(trial, number, Some(mutant));
        for place in original.differing_places(&other) {
            // Observations have places from 0; negative places are the declarations themselves.
            let traced = usize::try_from(place).ok().and_then(|place| places.get(place));
            if let Some(place) = traced {
                let (observe, strength) = (place.span, place.strength);
                // Nothing is stronger, so no further claim is run.
                return SurvivalReason::WeaklyObserved { observe, strength, claim: *claim };
            }
            reason = SurvivalReason::Unobserved;
        }
    }
    reason
}

/// The inputs with which claims call some declarations, as tuples.
pub(super) fn claim_inputs(
    job: &MutationRun<'_>,
    report: &MutationReport,
    homes: &BTreeSet<FunctionId>,
) -> BTreeMap<FunctionId, Vec<Datum>> {
    let homes: Vec<FunctionId> = homes
        .iter()
        .copied()
        .filter(|it| !job.lowered.search.function(*it).params.is_empty())
        .collect();
    let mut reached_by: BTreeMap<FunctionId, BTreeSet<usize>> =
        homes.iter().map(|it| (*it, BTreeSet::new())).collect();
    for it in &report.mutants {
        if let Some(claims) = reached_by.get_mut(&it.mutant.declaration) {
            claims.extend(&it.reached_by);
        }
    }
    let claims: BTreeSet<usize> = reached_by.values().flatten().copied().collect();
    if homes.is_empty() || claims.is_empty() {
        return BTreeMap::new();
    }
    // Prefix each body with a traced tuple of the parameters; the place is the function's number.
    let mut program = Program::clone(&job.lowered.search);
    for home in &homes {
        let params: Box<[TyId]> =
            program.function(*home).params.iter().map(|it| it.ty).collect();
        let ty = program.types.intern(Ty::Tuple(params.clone()));
        let body = &mut program.functions[home.index()].body;
        let Some(root) = body.root else { continue };
        let (root_ty, span) = (body.ty(root), body.span(root));
        let locals = params.iter().enumerate();
        let locals =
            locals.map(|(at, ty)| body.add(Term::Local(LocalId(at as u32)), *ty, span));
        let locals = locals.collect();
        let tuple = body.add(Term::Tuple(locals), ty, span);
        let traced =
            TraceInserter::new(body, job.lowered.ops.tell).traced(tuple, home.0.into());
        let statements = Box::new([Statement::Drop(traced)]);
        let block = body.add(Term::Block { statements, result: root }, root_ty, span);
        body.root = Some(block);
    }
    let search = Arc::new(program);
    let lowered = LoweredProgram { record: Arc::clone(&search), search, ..job.lowered.clone() };
    // A few cases of each claim suffice as seeds.
    let settings = Settings { cases: Some(TRACED_CASES), ..job.settings.clone() };
    let interrupt = Arc::clone(&job.interrupt);
    let instruments = Instrumentation::default();
    let trials = MutantProgram::new(&lowered, job.engine, instruments, &settings, interrupt);
    let mut trial = trials.runner();
    trial.sample_values();
    let mut arguments: BTreeMap<FunctionId, Vec<Datum>> = BTreeMap::new();
    for claim in claims {
        // Filter per declaration, so that its inputs do not depend on which others are asked for.
        let is_wanted = |home: &&FunctionId| {
            let n_known = arguments.get(home).map_or(0, Vec::len);
            n_known < MAX_INPUTS && reached_by[home].contains(&claim)
        };
        let wanted: Vec<&FunctionId> = homes.iter().filter(is_wanted).collect();
        if job.is_interrupted() || wanted.is_empty() {
            continue;
        }
        let all = trace_claim(&mut trial, report.claims[claim].claim, None);
        for home in wanted {
            let inputs = arguments.entry(*home).or_default();
            for datum in all.data(i64::from(home.0)) {
                if inputs.len() < MAX_INPUTS && !inputs.contains(&datum) {
                    inputs.push(datum);
                }
            }
        }
    }
    arguments
}

fn trace_claim(
    trial: &mut MutantRunner<'_>,
    claim: ClaimId,
    mutant: Option<MutantId>,
) -> ValueLog {
    trial.set_mutant(mutant);
    // What an earlier claim logged.
    trial.take_value_log();
    trial.run(claim);
    trial.take_value_log()
}

/// The program with every observation, the results of some declarations, and all effects traced.
/// Observations have places from 0, declarations below 0.
fn traced_program(
    lowered: &LoweredProgram,
    homes: &BTreeSet<FunctionId>,
) -> (LoweredProgram, Vec<TracedObservation>) {
    let mut program = Program::clone(&lowered.search);
    let mut places = Vec::new();
    let tell = lowered.ops.tell;
    let claims = claim_functions(&program);
    for at in 0..program.functions.len() {
        let id = FunctionId(at as u32);
        if claims.contains(&enclosing_declaration(&program, id)) {
            trace_observes(&mut program.functions[at].body, tell, &mut places);
        }
    }
    for claim in &lowered.search.claims {
        let ClaimKind::Verify(verify) = &claim.kind else { continue };
        for assertion in &verify.assertions {
            let function = &mut program.functions[assertion.lhs.index()];
            let Some(root) = function.body.root else { continue };
            // A comparison of values pins down the whole value; only a truth value can hide a
            // difference.
            if function.body.ty(root) != TypeTable::BOOL {
                continue;
            }
            let number = places.len() as i64;
            places.push(TracedObservation {
                span: assertion.span,
                strength: ObserveStrength::Relation,
            });
            let mut inserter = TraceInserter::new(&mut function.body, tell);
            let root = traced_condition(&mut inserter, root, number);
            function.body.root = Some(root);
        }
    }
    // Effects performed by a lambda count as those of the enclosing declaration.
    let effects = effect_operations(&program, tell);
    for at in 0..program.functions.len() {
        let home = enclosing_declaration(&program, FunctionId(at as u32));
        let number = -1 - i64::from(home.0);
        trace_effects(&mut program.functions[at].body, &effects, tell, number);
    }
    for home in homes {
        let body = &mut program.functions[home.index()].body;
        let Some(root) = body.root else { continue };
        let number = -1 - i64::from(home.0);
        let root = TraceInserter::new(body, tell).traced(root, number);
        program.functions[home.index()].body.root = Some(root);
    }
    let search = Arc::new(program);
    (LoweredProgram { record: Arc::clone(&search), search, ..lowered.clone() }, places)
}

/// The functions of claims, without lambdas inside them.
fn claim_functions(program: &Program) -> BTreeSet<FunctionId> {
    let ids = (0..program.functions.len() as u32).map(FunctionId);
    let mut all: BTreeSet<FunctionId> =
        ids.filter(|it| program.function(*it).kind == FunctionKind::Claim).collect();
    for claim in &program.claims {
        if let ClaimKind::Property(function, _) = claim.kind {
            all.insert(function);
        }
    }
    all
}

fn trace_observes(body: &mut Body, tell: OpId, places: &mut Vec<TracedObservation>) {
    for at in 0..body.terms.len() {
        let Term::Observe { condition, strength } = body.terms[at] else { continue };
        let number = places.len() as i64;
        places.push(TracedObservation { span: body.spans[at], strength });
        let mut inserter = TraceInserter::new(body, tell);
        let condition = traced_condition(&mut inserter, condition, number);
        body.terms[at] = Term::Observe { condition, strength };
    }
}

/// Which operations are effects of the program: neither those of claims and generators, nor the one
/// added for tracing.
fn effect_operations(program: &Program, tell: OpId) -> Vec<bool> {
    let added = program.op(tell).effect;
    let is_effect = |op: &Operation| {
        let effect = program.effect(op.effect);
        let is_std = program.module(effect.module).is_std;
        op.effect != added && !(is_std && matches!(&*effect.name, "Gen" | "Claim"))
    };
    program.ops.iter().map(is_effect).collect()
}

/// Traces performed operations, with their arguments, at the place of the declaration.
fn trace_effects(body: &mut Body, effects: &[bool], tell: OpId, number: i64) {
    // The range is fixed before terms are added, so that what tracing adds is not traced in turn.
    for at in 0..body.terms.len() {
        let Term::Perform { op, type_args, args } = body.terms[at].clone() else { continue };
        if !effects[op.index()] {
            continue;
        }
        let (ty, span) = (body.tys[at], body.spans[at]);
        let name = Term::Literal(Literal::Int(i64::from(op.0)));
        let name = body.add(name, TypeTable::INT, span);
        let mut inserter = TraceInserter::new(body, tell);
        let traced = inserter.traced(name, number);
        let args = args.iter().map(|it| inserter.traced(*it, number)).collect();
        let result = body.add(Term::Perform { op, type_args, args }, ty, span);
        let statements = Box::new([Statement::Drop(traced)]);
        body.terms[at] = Term::Block { statements, result };
    }
}

/// A condition with both sides of its comparisons traced.
fn traced_condition(inserter: &mut TraceInserter<'_>, id: TermId, number: i64) -> TermId {
    let term = inserter.body.term(id).clone();
    let rebuilt = if let Term::And(a, b) = term {
        let a = traced_condition(inserter, a, number);
        Term::And(a, traced_condition(inserter, b, number))
    } else if let Term::Or(a, b) = term {
        let a = traced_condition(inserter, a, number);
        Term::Or(a, traced_condition(inserter, b, number))
    } else if let Term::Builtin { builtin: BOOL_NOT, type_args, args } = term {
        let args = args.iter().map(|it| traced_condition(inserter, *it, number)).collect();
        Term::Builtin { builtin: BOOL_NOT, type_args, args }
    } else if let Term::Builtin { builtin, type_args, args } = term
        && builtin::get(builtin).total_comparison.is_some()
    {
        let args = args.iter().map(|it| inserter.traced(*it, number)).collect();
        Term::Builtin { builtin, type_args, args }
    } else {
        return inserter.traced(id, number);
    };
    let (ty, span) = (inserter.body.ty(id), inserter.body.span(id));
    inserter.body.add(rebuilt, ty, span)
}

//! Locates the comparison that a mutant changes and traces both of its sides, so that the search
//! can minimize the branch distance.

use std::collections::BTreeMap;
use std::sync::Arc;

use gainsay_core::builtin;
use gainsay_core::{Body, FunctionId, Program, Term, TermId, Ty};
use gainsay_gen::{LoweredProgram, TraceInserter};

use crate::find_mutants::Mutant;

/// Ancestors of a mutated term among which the comparison is looked for.
const MAX_ENCLOSING: usize = 4;

/// The two places at which the sides of a comparison are traced.
pub(super) type ComparisonTrace = Option<(i64, i64)>;

/// The program with the sides of the mutants' comparisons traced, and the places for each mutant.
pub(super) fn trace_comparisons(
    lowered: &LoweredProgram,
    mutants: &[&Mutant],
) -> (LoweredProgram, Vec<ComparisonTrace>) {
    let mut program = Program::clone(&lowered.record);
    let mut places: BTreeMap<(FunctionId, TermId), (i64, i64)> = BTreeMap::new();
    let mut parents: BTreeMap<FunctionId, Vec<Option<TermId>>> = BTreeMap::new();
    let mut traces = Vec::new();
    for mutant in mutants {
        let function = mutant.function;
        let body = &lowered.record.function(function).body;
        let parents = parents.entry(function).or_insert_with(|| body.parents());
        let Some(comparison) = comparison_around(&program, body, parents, mutant.term) else {
            traces.push(None);
            continue;
        };
        // Mutants of the same comparison share one pair of places.
        let next = 2 * places.len() as i64;
        let is_new = !places.contains_key(&(function, comparison));
        let pair = *places.entry((function, comparison)).or_insert((next, next + 1));
        if is_new {
            let body = &mut program.functions[function.index()].body;
            // The traced program is modified while terms are looked up in the original: tracing
            // adds terms, but keeps the ids of the existing ones.
            trace_sides(body, comparison, lowered.ops.tell, pair);
        }
        traces.push(Some(pair));
    }
    let record = Arc::new(program);
    (LoweredProgram { record, ..lowered.clone() }, traces)
}

/// The comparison of numbers or characters that a term is, or is part of.
fn comparison_around(
    program: &Program,
    body: &Body,
    parents: &[Option<TermId>],
    term: TermId,
) -> Option<TermId> {
    let mut at = Some(term);
    for _ in 0..MAX_ENCLOSING {
        let id = at?;
        if let Term::Builtin { builtin, args, .. } = body.term(id)
            && builtin::get(*builtin).comparison.is_some()
            && let Some(first) = args.first()
        {
            let ty = program.types.base(body.ty(*first));
            let is_number = matches!(program.types.get(ty), Ty::Int | Ty::Float | Ty::Char);
            // The innermost comparison decides: one of another type has no distance, and an outer
            // one compares something else.
            return is_number.then_some(id);
        }
        at = parents.get(id.index()).copied().flatten();
    }
    None
}

fn trace_sides(
    body: &mut Body,
    comparison: TermId,
    tell: gainsay_core::OpId,
    (left, right): (i64, i64),
) {
    let Term::Builtin { builtin, type_args, args } = body.term(comparison).clone() else {
        return;
    };
    let [a, b] = *args else { return };
    let mut inserter = TraceInserter::new(body, tell);
    let args = Box::new([inserter.traced(a, left), inserter.traced(b, right)]);
    body.terms[comparison.index()] = Term::Builtin { builtin, type_args, args };
}

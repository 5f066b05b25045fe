//! Finds high-leverage tests: suggested lines that kill many survivors at once, determined by
//! running each line on each survivor.

use std::collections::BTreeSet;

use super::search::SearchTarget;
use crate::differential::{DifferentialEngine, ReproducibleInput};
use crate::mutation_run::MutationRun;
use crate::report::{HighLeverageTest, MutantStatus, MutationReport, TestSuggestion};
use gainsay_core::{FunctionId, Program};
use gainsay_vm::MutantId;

/// An input that distinguishes a survivor from the original.
pub(super) struct SurvivorDifference<'t> {
    pub(super) target: &'t SearchTarget,
    pub(super) input: ReproducibleInput,
    pub(super) suggestion: Option<TestSuggestion>,
}

/// Lines that are reported.
const MAX_LINES: usize = 5;
/// Lines that are tried.
const MAX_TRIED_LINES: usize = 200;

/// The lines that together kill most survivors, by greedy set cover (Chvátal, "A greedy heuristic
/// for the set-covering problem", 1979): each line counts only the survivors that the lines before
/// it leave.
pub(super) fn high_leverage_tests(
    job: &MutationRun<'_>,
    report: &MutationReport,
    survivors: &[usize],
    differences: &[Option<SurvivorDifference<'_>>],
    engine: &DifferentialEngine<'_>,
) -> Vec<HighLeverageTest> {
    let mut runner = engine.runner();
    let mut seen = BTreeSet::new();
    let mut lines: Vec<(String, BTreeSet<usize>)> = Vec::new();
    for it in differences.iter().flatten().take(MAX_TRIED_LINES) {
        let Some(suggestion) = &it.suggestion else { continue };
        // Survivors of one line are found by running it; running it twice finds nothing new.
        if !seen.insert(suggestion.line.clone()) {
            continue;
        }
        let reachable = reachable_functions(job.program, it.target.differential_call.function);
        let mut kills = BTreeSet::new();
        for (id, survivor) in MutantId::all(survivors.len()).zip(survivors) {
            let mutant = &report.mutants[*survivor];
            let counts = mutant.status == MutantStatus::Survived
                || mutant.status == MutantStatus::Unreached;
            // A call that cannot reach the mutant cannot differ.
            if !counts || !reachable.contains(&mutant.mutant.function) || job.is_interrupted() {
                continue;
            }
            runner.set_mutant(id);
            if runner.differs(&it.target.differential_call, &it.input) {
                kills.insert(*survivor);
            }
        }
        lines.push((suggestion.line.clone(), kills));
    }
    let mut chosen = Vec::new();
    while chosen.len() < MAX_LINES {
        // `max_by_key` returns the last maximum, hence `rev`: the first in source order wins ties.
        let best = (0..lines.len()).rev().max_by_key(|at| lines[*at].1.len());
        // A line that kills a single survivor is that survivor's own suggestion already.
        let Some(best) = best.filter(|at| lines[*at].1.len() > 1) else { break };
        let (line, kills) = lines.remove(best);
        lines.iter_mut().for_each(|(_, others)| others.retain(|it| !kills.contains(it)));
        chosen.push(HighLeverageTest { line, kills: kills.into_iter().collect() });
    }
    chosen
}

/// The functions that a call may reach.
fn reachable_functions(program: &Program, from: FunctionId) -> BTreeSet<FunctionId> {
    let mut seen: BTreeSet<FunctionId> = [from].into();
    let mut pending = vec![from];
    while let Some(function) = pending.pop() {
        for term in &program.function(function).body.terms {
            let named = program.referenced_function(term);
            // The standard library has no mutants, and calls no code of the project except through
            // function values, which are named where they are made.
            let is_new = named.is_some_and(|it| {
                !program.module(program.function(it).module).is_std && seen.insert(it)
            });
            if let Some(named) = named.filter(|_| is_new) {
                pending.push(named);
            }
        }
    }
    seen
}

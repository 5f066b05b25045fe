//! The reference implementation: one program per mutant, every claim run to its end. It defines
//! what the status of a mutant is, and is the fallback where mutant switches are unavailable.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use gainsay_core::{FunctionId, Program, Term, TermId};
use gainsay_gen::LoweredProgram;
use gainsay_vm::Instrumentation;

use super::{
    ClaimBaseline, MutantResult, MutationRun, max_steps, recording_program, with_mutants,
};
use crate::find_mutants::{Mutant, Mutants};
use crate::mutant_runner::ClaimDetection;
use crate::mutation_listener::MutationStage;
use crate::report::BaselineFailed;

impl MutationRun<'_> {
    /// Runs each claim on the original, and for each term with mutants on a program in which
    /// evaluating that term fails, to see which claims reach it.
    pub(super) fn baseline_separately(
        &self,
        lowered: &LoweredProgram,
    ) -> Result<Vec<ClaimBaseline>, BaselineFailed> {
        let trials = self.mutant_program(lowered, Instrumentation::default());
        let baselines = self.on_threads(self.claims.len(), &trials, &|trial, at| {
            trial.set_mutant(None);
            let tried = trial.run(self.claims[at]);
            let (max_steps, cost) = (max_steps(tried.max_case_steps), tried.steps);
            let (detection, is_vacuous) = (tried.detection, tried.is_vacuous);
            ClaimBaseline { detection, is_vacuous, max_steps, cost, ..ClaimBaseline::default() }
        });
        let mut baselines = self.check_baseline(baselines)?;
        let mut last: Option<((FunctionId, TermId), Vec<bool>)> = None;
        for mutant in &self.mutants.list {
            let place = (mutant.function, mutant.term);
            // Mutants are sorted by position, so those of one term are mostly adjacent.
            let reached = match last.take() {
                Some((before, reached)) if before == place => reached,
                _ => self.claims_reaching(lowered, place),
            };
            for (baseline, is_reached) in baselines.iter_mut().zip(&reached) {
                baseline
                    .reached_mutants
                    // A claim that does not pass on the original would count every hole as reached.
                    .push(*is_reached && baseline.detection == ClaimDetection::Nothing);
            }
            last = Some((place, reached));
        }
        Ok(baselines)
    }

    /// Which claims evaluate a term.
    fn claims_reaching(
        &self,
        lowered: &LoweredProgram,
        place: (FunctionId, TermId),
    ) -> Vec<bool> {
        // A hole fails when evaluated, so a claim reaches the term if it no longer passes.
        let broken = with_term(lowered, place, &Term::Hole);
        let trials = self.mutant_program(&broken, Instrumentation::default());
        let ran = self.on_threads(self.claims.len(), &trials, &|trial, at| {
            trial.set_mutant(None);
            trial.run(self.claims[at]).detection != ClaimDetection::Nothing
        });
        ran.into_iter().map(|it| it.unwrap_or(false)).collect()
    }

    /// Runs all claims on each mutant.
    pub(super) fn run_separately(
        &self,
        lowered: &LoweredProgram,
        baselines: &[ClaimBaseline],
    ) -> Vec<Option<MutantResult>> {
        let n_done = AtomicUsize::new(0);
        let found = self.mutants.list.iter().map(|mutant| {
            self.report_progress(MutationStage::Mutants, &n_done, self.mutants.list.len());
            if mutant.suppressed.is_some() || self.is_interrupted() {
                return None;
            }
            let body = &lowered.search.function(mutant.function).body;
            let instead = body.term(mutant.replacement_term).clone();
            let mutated = with_term(lowered, (mutant.function, mutant.term), &instead);
            let trials = self.mutant_program(&mutated, Instrumentation::default());
            let ran = self.on_threads(self.claims.len(), &trials, &|trial, at| {
                trial.set_mutant(None);
                trial.set_step_limit(Some(baselines[at].max_steps));
                let tried = trial.run(self.claims[at]);
                (tried.detection, tried.detecting_case)
            });
            let mut found = MutantResult::default();
            for (at, ran) in ran.into_iter().enumerate() {
                // As with switches, where such a claim reaches nothing and is never run.
                let is_decided = baselines[at].detection == ClaimDetection::Nothing;
                let ran = ran.filter(|it| is_decided && it.0 != ClaimDetection::Nothing);
                let Some((detection, culprit)) = ran else { continue };
                found.detected_by.push(at);
                if detection > found.detection {
                    found.killing = Some((at, culprit));
                    found.detection = detection;
                }
            }
            if let (true, Some((at, Some(culprit)))) = (self.with_inputs, &found.killing) {
                let recording = recording_program(&mutated);
                let trials = self.mutant_program(&recording, Instrumentation::default());
                let mut trial = trials.runner();
                trial.set_step_limit(Some(baselines[*at].max_steps));
                found.inputs = trial.detecting_inputs(culprit);
            }
            Some(found)
        });
        found.collect()
    }
}

/// The program with a mutant applied.
pub fn apply_mutant(
    lowered: &LoweredProgram,
    mutants: &Mutants,
    mutant: &Mutant,
) -> LoweredProgram {
    let extended = with_mutants(lowered, mutants);
    let body = &extended.search.function(mutant.function).body;
    let instead = body.term(mutant.replacement_term).clone();
    with_term(&extended, (mutant.function, mutant.term), &instead)
}

/// The program with one term replaced.
fn with_term(
    lowered: &LoweredProgram,
    (function, at): (FunctionId, TermId),
    term: &Term,
) -> LoweredProgram {
    let replaced = |program: &Arc<Program>| {
        let mut program = Program::clone(program);
        program.functions[function.index()].body.terms[at.index()] = term.clone();
        Arc::new(program)
    };
    LoweredProgram {
        search: replaced(&lowered.search),
        record: replaced(&lowered.record),
        ..lowered.clone()
    }
}

//! The plain way: a program for each mutant, and every claim to its end. It is the definition of
//! what a verdict is, and what is left where code cannot be made.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use gainsay_core::{FunctionId, Program, Term, TermId};
use gainsay_gen::Lowered;
use gainsay_test::Noticed;
use gainsay_vm::Instruments;

use super::{Found, Hunt, Known, max_steps, recording, with_mutants};
use crate::find::{Mutant, Mutants};
use crate::report::Unfit;
use crate::watcher::Stage;

impl Hunt<'_> {
    /// Runs each claim on the program itself, and for each term that has mutants on one in which
    /// that term cannot be evaluated.
    pub(super) fn known_apart(&self, lowered: &Lowered) -> Result<Vec<Known>, Unfit> {
        let trials = self.trials(lowered, Instruments::default());
        let known = self.on_threads(self.claims.len(), &trials, &|trial, at| {
            trial.set_mutant(None);
            let tried = trial.run(self.claims[at]);
            let (max_steps, cost) = (max_steps(tried.most_steps), tried.steps);
            let (noticed, is_vacuous) = (tried.noticed, tried.is_vacuous);
            Known { noticed, is_vacuous, max_steps, cost, ..Known::default() }
        });
        let mut known = self.fit(known)?;
        let mut last: Option<((FunctionId, TermId), Vec<bool>)> = None;
        for mutant in &self.mutants.list {
            let place = (mutant.function, mutant.term);
            let reached = match last.take() {
                Some((before, reached)) if before == place => reached,
                _ => self.reached(lowered, place),
            };
            for (known, is_reached) in known.iter_mut().zip(&reached) {
                known.reaches.push(*is_reached && known.noticed == Noticed::Nothing);
            }
            last = Some((place, reached));
        }
        Ok(known)
    }

    /// Which claims evaluate a term.
    fn reached(&self, lowered: &Lowered, place: (FunctionId, TermId)) -> Vec<bool> {
        let broken = with_term(lowered, place, &Term::Hole);
        let trials = self.trials(&broken, Instruments::default());
        let ran = self.on_threads(self.claims.len(), &trials, &|trial, at| {
            trial.set_mutant(None);
            trial.run(self.claims[at]).noticed != Noticed::Nothing
        });
        ran.into_iter().map(|it| it.unwrap_or(false)).collect()
    }

    /// Runs all claims on each mutant.
    pub(super) fn apart(&self, lowered: &Lowered, known: &[Known]) -> Vec<Option<Found>> {
        let n_done = AtomicUsize::new(0);
        let found = self.mutants.list.iter().map(|mutant| {
            self.tell(Stage::Mutants, &n_done, self.mutants.list.len());
            if mutant.suppressed.is_some() || self.is_interrupted() {
                return None;
            }
            let body = &lowered.search.function(mutant.function).body;
            let instead = body.term(mutant.instead).clone();
            let mutated = with_term(lowered, (mutant.function, mutant.term), &instead);
            let trials = self.trials(&mutated, Instruments::default());
            let ran = self.on_threads(self.claims.len(), &trials, &|trial, at| {
                trial.set_mutant(None);
                trial.set_steps(Some(known[at].max_steps));
                let tried = trial.run(self.claims[at]);
                (tried.noticed, tried.culprit)
            });
            let mut found = Found::default();
            for (at, ran) in ran.into_iter().enumerate() {
                let is_decided = known[at].noticed == Noticed::Nothing;
                let ran = ran.filter(|it| is_decided && it.0 != Noticed::Nothing);
                let Some((noticed, culprit)) = ran else { continue };
                found.by.push(at);
                if noticed > found.noticed {
                    found.killing = Some((at, culprit));
                    found.noticed = noticed;
                }
            }
            if let (true, Some((at, Some(culprit)))) = (self.with_inputs, &found.killing) {
                let recording = recording(&mutated);
                let trials = self.trials(&recording, Instruments::default());
                let mut trial = trials.trial();
                trial.set_steps(Some(known[*at].max_steps));
                found.inputs = trial.inputs(culprit);
            }
            Some(found)
        });
        found.collect()
    }
}

/// The program with a mutant in place of the original.
pub fn mutated(lowered: &Lowered, mutants: &Mutants, mutant: &Mutant) -> Lowered {
    let extended = with_mutants(lowered, mutants);
    let body = &extended.search.function(mutant.function).body;
    let instead = body.term(mutant.instead).clone();
    with_term(&extended, (mutant.function, mutant.term), &instead)
}

/// The program with another term in place of one.
fn with_term(lowered: &Lowered, (function, at): (FunctionId, TermId), term: &Term) -> Lowered {
    let replaced = |program: &Arc<Program>| {
        let mut program = Program::clone(program);
        program.functions[function.index()].body.terms[at.index()] = term.clone();
        Arc::new(program)
    };
    Lowered {
        search: replaced(&lowered.search),
        record: replaced(&lowered.record),
        ..lowered.clone()
    }
}

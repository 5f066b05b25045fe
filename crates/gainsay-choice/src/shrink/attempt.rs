//! The gate: every candidate passes here, and nothing else changes the best case.

use std::ops::Range;
use std::rc::Rc;

use super::forest::Forest;
use super::seen::Shape;
use super::{End, N_STAGES, Shrinker, Step};
use crate::case::{Choice, Digest, Trail, compare_choices};
use crate::source::{Special, Stop, Tail};
use crate::subject::Verdict;
use crate::value::Value;

/// A change of a case: values put in, and stretches left out.
#[derive(Debug, Clone, Default)]
pub(super) struct Patch {
    /// New values, by the number of the choice.
    pub(super) sets: Vec<(usize, Value)>,
    /// What is left out: sorted, and apart from each other.
    pub(super) cuts: Vec<Range<usize>>,
    /// A span that a part of it takes the place of, and that part.
    pub(super) opened: Option<(usize, usize)>,
}

impl Patch {
    /// New values for some choices.
    pub(super) fn set(sets: impl IntoIterator<Item = (usize, Value)>) -> Self {
        Patch { sets: sets.into_iter().collect(), ..Patch::default() }
    }

    /// Leaves out stretches, which may overlap.
    pub(super) fn cut(cuts: impl IntoIterator<Item = Range<usize>>) -> Self {
        Patch::default().and_cut(cuts)
    }

    /// Leaves out one stretch.
    pub(super) fn without(cut: Range<usize>) -> Self {
        Patch::default().and_without(cut)
    }

    /// The same, leaving out one more stretch.
    pub(super) fn and_without(self, cut: Range<usize>) -> Self {
        self.and_cut(std::iter::once(cut))
    }

    /// The same, with a new value.
    pub(super) fn and_set(mut self, at: usize, value: Value) -> Self {
        self.sets.push((at, value));
        self
    }

    /// The same, leaving out more.
    pub(super) fn and_cut(mut self, cuts: impl IntoIterator<Item = Range<usize>>) -> Self {
        self.cuts.extend(cuts);
        self.cuts.sort_by_key(|it| (it.start, it.end));
        let mut merged: Vec<Range<usize>> = Vec::new();
        for cut in self.cuts {
            match merged.last_mut() {
                Some(last) if cut.start <= last.end => last.end = last.end.max(cut.end),
                Some(_) | None => merged.push(cut),
            }
        }
        self.cuts = merged;
        self
    }
}

/// Which candidates are worth a run.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Hope {
    /// Those that are simpler as proposed.
    Simpler,
    /// Any: what is drawn may be shorter than what was proposed.
    Shorter,
}

impl Shrinker<'_> {
    /// Runs the base with a patch; if the run takes another shape, once more by spans.
    pub(super) fn attempt(&mut self, base: &Trail, patch: &Patch, hope: Hope) -> Step {
        match self.attempt_in_place(base, patch, hope)? {
            Outcome::Adopted => Ok(true),
            Outcome::Rejected(Shape::Same) => Ok(false),
            Outcome::Rejected(Shape::Other) => self.attempt_by_spans(base, patch, None),
        }
    }

    /// Runs the base with a patch, value after value.
    pub(super) fn attempt_flat(&mut self, base: &Trail, patch: &Patch, hope: Hope) -> Step {
        Ok(matches!(self.attempt_in_place(base, patch, hope)?, Outcome::Adopted))
    }

    /// Runs a list of choices.
    pub(super) fn attempt_choices(&mut self, choices: &[Choice], hope: Hope) -> Step {
        self.candidate.clear();
        self.candidate.extend_from_slice(choices);
        Ok(matches!(self.attempt_candidate(hope)?, Outcome::Adopted))
    }

    /// Runs the base with a patch for what can be learned from it, and adopts nothing.
    pub(super) fn probe(&mut self, base: &Trail, patch: &Patch) -> Result<Probed, End> {
        let mut candidate = base.choices.clone();
        apply_sets(&mut candidate, patch);
        self.source.replay_choices(&candidate, Tail::Simplest, base.choices.len());
        let fails = self.execute()? == Verdict::Fail(self.identity);
        let is_whole = self.source.stop() != Some(Stop::Overrun);
        let n_choices = self.source.trail().choices.len();
        Ok(Probed { fails: fails && is_whole, n_choices })
    }

    /// Runs a list of choices with random ones behind it.
    pub(super) fn attempt_tail(&mut self, choices: &[Choice], tail: Tail) -> Step {
        let limit = self.best.choices.len();
        self.source.replay_choices(choices, tail, limit);
        Ok(matches!(self.judge()?, Outcome::Adopted))
    }

    /// Runs the base with a patch, each value at its place among the spans. The `blank` span
    /// stays, but what it holds is left to be drawn as simple as possible.
    pub(super) fn attempt_by_spans(
        &mut self,
        base: &Trail,
        patch: &Patch,
        blank: Option<usize>,
    ) -> Step {
        let key = self.key_of(base, patch, blank);
        if self.seen.knows(key) {
            return Ok(false);
        }
        let mut choices = std::mem::take(&mut self.candidate);
        choices.clear();
        choices.extend_from_slice(&base.choices);
        apply_sets(&mut choices, patch);
        let mut guide = self.source.take_guide();
        guide.follow(
            &choices,
            &base.spans,
            &patch.cuts,
            Special { blank, opened: patch.opened },
        );
        self.candidate = choices;
        self.source.replay_guide(guide, Tail::Simplest, 0, self.best.choices.len());
        let outcome = self.judge()?;
        if let Outcome::Rejected(shape) = outcome {
            self.seen.note(key, shape);
        }
        Ok(matches!(outcome, Outcome::Adopted))
    }

    fn attempt_in_place(
        &mut self,
        base: &Trail,
        patch: &Patch,
        hope: Hope,
    ) -> Result<Outcome, End> {
        let mut candidate = std::mem::take(&mut self.candidate);
        candidate.clear();
        candidate.extend_from_slice(&base.choices);
        apply_sets(&mut candidate, patch);
        if !patch.cuts.is_empty() {
            let mut cuts = patch.cuts.iter().peekable();
            let mut at = 0;
            candidate.retain(|_| {
                while cuts.next_if(|it| it.end <= at).is_some() {}
                let keep = cuts.peek().is_none_or(|it| at < it.start);
                at += 1;
                keep
            });
        }
        self.candidate = candidate;
        self.attempt_candidate(hope)
    }

    fn attempt_candidate(&mut self, hope: Hope) -> Result<Outcome, End> {
        let best = Rc::clone(&self.best);
        self.candidate.truncate(best.choices.len());
        let is_full = self.candidate.len() == best.choices.len();
        if is_full && hope == Hope::Simpler {
            let order = compare_choices(&self.candidate, &best.choices, self.source.kinds());
            if order.is_ge() {
                return Ok(Outcome::Rejected(Shape::Same));
            }
        }
        let digest = match self.seen.look_up(&self.candidate) {
            Ok(shape) => return Ok(Outcome::Rejected(shape)),
            Err(digest) => digest,
        };
        self.source.replay_choices(&self.candidate, Tail::Simplest, best.choices.len());
        let outcome = self.judge()?;
        if let Outcome::Rejected(shape) = outcome {
            self.seen.note(digest, shape);
        }
        Ok(outcome)
    }

    /// Runs what the source is set to, and adopts it if it is better.
    fn judge(&mut self) -> Result<Outcome, End> {
        let verdict = self.execute()?;
        let best = Rc::clone(&self.best);
        let is_whole = self.source.stop() != Some(Stop::Overrun);
        if is_whole && verdict == Verdict::Fail(self.identity) {
            let trail = std::mem::take(self.source.trail());
            let is_better = trail.compare(&best, self.source.kinds()).is_lt();
            *self.source.trail() = trail;
            if is_better {
                self.adopt();
                return Ok(Outcome::Adopted);
            }
        }
        let trail = self.source.trail();
        let shape = if trail.has_shape_of(&best) { Shape::Same } else { Shape::Other };
        if is_whole {
            let choices = std::mem::take(&mut trail.choices);
            self.seen.conclude(&choices);
            self.source.trail().choices = choices;
        }
        if let Verdict::Fail(other) = verdict
            && is_whole
            && other != self.identity
        {
            self.keep_other(other);
        }
        Ok(Outcome::Rejected(shape))
    }

    /// Runs the subject, if the budget allows.
    pub(super) fn execute(&mut self) -> Result<Verdict, End> {
        if self.n_executions >= self.budget.executions {
            return Err(End::Executions);
        }
        if !(self.budget.keep_going)() {
            return Err(End::Interrupted);
        }
        self.n_executions += 1;
        Ok(self.subject.run(self.source))
    }

    /// Takes what was drawn last as the best case.
    pub(super) fn adopt(&mut self) {
        let trail = std::mem::take(self.source.trail());
        let before = std::mem::replace(&mut self.best, Rc::new(trail));
        self.forest = None;
        self.stages.push_back(before);
        if self.stages.len() > N_STAGES {
            self.stages.pop_front();
        }
    }

    fn keep_other(&mut self, identity: super::Identity) {
        let trail = self.source.trail().clone();
        let kinds = self.source.kinds();
        match self.others.iter_mut().find(|it| it.0 == identity) {
            Some((_, known)) => {
                if trail.compare(known, kinds).is_lt() {
                    *known = trail;
                }
            }
            None => self.others.push((identity, trail)),
        }
    }

    /// The spans of the best case as a forest.
    pub(super) fn forest(&mut self) -> Rc<Forest> {
        let best = &self.best;
        Rc::clone(self.forest.get_or_insert_with(|| Rc::new(Forest::of(best))))
    }

    fn key_of(&self, base: &Trail, patch: &Patch, blank: Option<usize>) -> u128 {
        let mut digest = Digest::default();
        digest.add_word(0x5f0e_57a1);
        base.choices.iter().for_each(|it| digest.add(it));
        for (at, value) in &patch.sets {
            digest.add_word(*at as u64);
            digest.add(&base.choices[*at].with(*value));
        }
        for cut in &patch.cuts {
            digest.add_word(!(cut.start as u64));
            digest.add_word(!(cut.end as u64));
        }
        digest.add_word(blank.map_or(0, |it| it as u64 + 1));
        digest.add_word(patch.opened.map_or(0, |it| (it.0 as u64) << 32 | it.1 as u64));
        digest.finish()
    }
}

/// What a run that cannot be adopted has shown.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) struct Probed {
    /// Whether it failed in the same way.
    pub(super) fails: bool,
    /// How many choices it made.
    pub(super) n_choices: usize,
}

/// What became of a candidate.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum Outcome {
    Adopted,
    Rejected(Shape),
}

fn apply_sets(choices: &mut [Choice], patch: &Patch) {
    for (at, value) in &patch.sets {
        if let Some(choice) = choices.get_mut(*at) {
            *choice = choice.with(*value);
        }
    }
}

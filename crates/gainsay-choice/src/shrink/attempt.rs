//! The gate: every candidate is run and judged here, and nothing else changes the best case.

use std::ops::Range;
use std::rc::Rc;

use super::candidate_cache::RunStructure;
use super::span_forest::SpanForest;
use super::{AttemptResult, HISTORY_LENGTH, Shrinker, TerminationReason};
use crate::case::{Choice, ChoiceSequence, Digest, compare_choices};
use crate::source::{ReplayTail, RunStopReason, SpanOverrides};
use crate::subject::RunVerdict;
use crate::value::ChoiceValue;

/// A change to a case: values to set and ranges to cut.
#[derive(Debug, Clone, Default)]
pub(super) struct CandidatePatch {
    /// New values, by index of the choice.
    pub(super) sets: Vec<(usize, ChoiceValue)>,
    /// The ranges to delete: sorted and disjoint.
    pub(super) cuts: Vec<Range<usize>>,
    /// An outer span and the inner span that replaces it.
    pub(super) hoisted: Option<(usize, usize)>,
}

impl CandidatePatch {
    /// Sets some choices.
    pub(super) fn set(sets: impl IntoIterator<Item = (usize, ChoiceValue)>) -> Self {
        CandidatePatch { sets: sets.into_iter().collect(), ..CandidatePatch::default() }
    }

    /// Cuts ranges, which may overlap.
    pub(super) fn cut(cuts: impl IntoIterator<Item = Range<usize>>) -> Self {
        CandidatePatch::default().and_cut(cuts)
    }

    /// Cuts one range.
    pub(super) fn without(cut: Range<usize>) -> Self {
        CandidatePatch::default().and_without(cut)
    }

    /// Also cuts one range.
    pub(super) fn and_without(self, cut: Range<usize>) -> Self {
        self.and_cut(std::iter::once(cut))
    }

    /// Also sets a choice.
    pub(super) fn and_set(mut self, at: usize, value: ChoiceValue) -> Self {
        self.sets.push((at, value));
        self
    }

    /// Also cuts ranges, and merges those that overlap or touch.
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
pub(super) enum CandidateFilter {
    /// Those that are simpler as proposed.
    IfSimpler,
    /// All: the run may draw fewer choices than the candidate has.
    Always,
}

impl Shrinker<'_> {
    /// Runs the base with a patch; if that run has another structure than the best case, retries
    /// with values matched by span.
    pub(super) fn attempt(
        &mut self,
        base: &ChoiceSequence,
        patch: &CandidatePatch,
        filter: CandidateFilter,
    ) -> AttemptResult {
        match self.attempt_patched(base, patch, filter)? {
            CandidateOutcome::Adopted => Ok(true),
            CandidateOutcome::Rejected(RunStructure::Same) => Ok(false),
            CandidateOutcome::Rejected(RunStructure::Other) => {
                self.attempt_by_spans(base, patch, None)
            }
        }
    }

    /// Runs the base with a patch, values matched by position.
    pub(super) fn attempt_flat(
        &mut self,
        base: &ChoiceSequence,
        patch: &CandidatePatch,
        filter: CandidateFilter,
    ) -> AttemptResult {
        Ok(matches!(self.attempt_patched(base, patch, filter)?, CandidateOutcome::Adopted))
    }

    /// Runs a list of choices.
    pub(super) fn attempt_choices(
        &mut self,
        choices: &[Choice],
        filter: CandidateFilter,
    ) -> AttemptResult {
        self.candidate.clear();
        self.candidate.extend_from_slice(choices);
        Ok(matches!(self.attempt_candidate(filter)?, CandidateOutcome::Adopted))
    }

    /// Runs the base with the values of a patch for information only; adopts nothing.
    pub(super) fn probe(
        &mut self,
        base: &ChoiceSequence,
        patch: &CandidatePatch,
    ) -> Result<ProbeReport, TerminationReason> {
        let mut candidate = base.choices.clone();
        apply_sets(&mut candidate, patch);
        // Not cached: the cache knows rejections only, and a probe needs the verdict and the
        // length.
        self.source.replay_choices(&candidate, ReplayTail::Simplest, base.choices.len());
        let fails = self.execute()? == RunVerdict::Fail(self.identity);
        let is_whole = self.source.stop_reason() != Some(RunStopReason::Overrun);
        let n_choices = self.source.sequence().choices.len();
        Ok(ProbeReport { fails: fails && is_whole, n_choices })
    }

    /// Runs a list of choices followed by a tail. Not cached, since the cache has no key for tails.
    pub(super) fn attempt_with_tail(
        &mut self,
        choices: &[Choice],
        tail: ReplayTail,
    ) -> AttemptResult {
        let limit = self.best.choices.len();
        self.source.replay_choices(choices, tail, limit);
        Ok(matches!(self.run_and_adopt()?, CandidateOutcome::Adopted))
    }

    /// Runs the base with a patch, values matched by their place among the spans. The `blank` span
    /// stays, but its content is drawn as simple as possible.
    pub(super) fn attempt_by_spans(
        &mut self,
        base: &ChoiceSequence,
        patch: &CandidatePatch,
        blank: Option<usize>,
    ) -> AttemptResult {
        let key = self.patch_digest(base, patch, blank);
        // The key covers the base: the same patch of another base is another candidate.
        if self.candidate_cache.contains(key) {
            return Ok(false);
        }
        let mut choices = std::mem::take(&mut self.candidate);
        choices.clear();
        choices.extend_from_slice(&base.choices);
        apply_sets(&mut choices, patch);
        let mut guide = self.source.take_guide();
        guide.build(
            &choices,
            &base.spans,
            &patch.cuts,
            SpanOverrides { blank, hoisted: patch.hoisted },
        );
        self.candidate = choices;
        self.source.replay_guide(guide, ReplayTail::Simplest, 0, self.best.choices.len());
        let outcome = self.run_and_adopt()?;
        if let CandidateOutcome::Rejected(shape) = outcome {
            self.candidate_cache.insert_rejected(key, shape);
        }
        Ok(matches!(outcome, CandidateOutcome::Adopted))
    }

    fn attempt_patched(
        &mut self,
        base: &ChoiceSequence,
        patch: &CandidatePatch,
        filter: CandidateFilter,
    ) -> Result<CandidateOutcome, TerminationReason> {
        // Take the buffer out of `self`, so that filling it does not hold a borrow.
        let mut candidate = std::mem::take(&mut self.candidate);
        candidate.clear();
        candidate.extend_from_slice(&base.choices);
        apply_sets(&mut candidate, patch);
        if !patch.cuts.is_empty() {
            // Cuts are sorted and disjoint, so one cursor passes over them.
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
        self.attempt_candidate(filter)
    }

    fn attempt_candidate(
        &mut self,
        filter: CandidateFilter,
    ) -> Result<CandidateOutcome, TerminationReason> {
        let best = Rc::clone(&self.best);
        // No candidate that needs more choices than the best case can be adopted.
        self.candidate.truncate(best.choices.len());
        let is_full = self.candidate.len() == best.choices.len();
        if is_full && filter == CandidateFilter::IfSimpler {
            let order = compare_choices(&self.candidate, &best.choices, self.source.kinds());
            if order.is_ge() {
                // `Same`: the candidate was not run, and a retry by spans must not be attempted
                // either.
                return Ok(CandidateOutcome::Rejected(RunStructure::Same));
            }
        }
        let digest = match self.candidate_cache.look_up(&self.candidate) {
            Ok(shape) => return Ok(CandidateOutcome::Rejected(shape)),
            Err(digest) => digest,
        };
        // The limit makes a run that would be longer than the best case stop early, as an overrun.
        self.source.replay_choices(&self.candidate, ReplayTail::Simplest, best.choices.len());
        let outcome = self.run_and_adopt()?;
        if let CandidateOutcome::Rejected(shape) = outcome {
            self.candidate_cache.insert_rejected(digest, shape);
        }
        Ok(outcome)
    }

    /// Runs what the source is set to, and adopts the run if it is simpler than the best case.
    fn run_and_adopt(&mut self) -> Result<CandidateOutcome, TerminationReason> {
        let verdict = self.execute()?;
        let best = Rc::clone(&self.best);
        // An overrun was cut short: its verdict says nothing about the whole case.
        let is_whole = self.source.stop_reason() != Some(RunStopReason::Overrun);
        if is_whole && verdict == RunVerdict::Fail(self.identity) {
            // Take it out and put it back: comparing borrows the source as well.
            let trail = std::mem::take(self.source.sequence());
            // Compare what was drawn, not what was proposed: projection and tails may have changed
            // it.
            let is_better = trail.compare(&best, self.source.kinds()).is_lt();
            *self.source.sequence() = trail;
            if is_better {
                self.adopt();
                return Ok(CandidateOutcome::Adopted);
            }
        }
        let trail = self.source.sequence();
        let shape = if trail.has_same_structure(&best) {
            RunStructure::Same
        } else {
            RunStructure::Other
        };
        if is_whole {
            let choices = std::mem::take(&mut trail.choices);
            self.candidate_cache.insert_finished_run(&choices);
            self.source.sequence().choices = choices;
        }
        // A failure with another cause is worth reporting, but must not be adopted: shrinking
        // would slip from one bug to another.
        if let RunVerdict::Fail(other) = verdict
            && is_whole
            && other != self.identity
        {
            self.save_other_failure(other);
        }
        Ok(CandidateOutcome::Rejected(shape))
    }

    /// Runs the subject if the budget allows.
    pub(super) fn execute(&mut self) -> Result<RunVerdict, TerminationReason> {
        if self.n_executions >= self.budget.max_executions {
            return Err(TerminationReason::ExecutionLimit);
        }
        if !(self.budget.should_continue)() {
            return Err(TerminationReason::Interrupted);
        }
        self.n_executions += 1;
        Ok(self.subject.run(self.source))
    }

    /// Makes the last run the best case.
    pub(super) fn adopt(&mut self) {
        let trail = std::mem::take(self.source.sequence());
        let before = std::mem::replace(&mut self.best, Rc::new(trail));
        // The forest is that of the old case.
        self.forest = None;
        // Reports show how the case got simpler, and need the last steps only.
        self.history.push_back(before);
        if self.history.len() > HISTORY_LENGTH {
            self.history.pop_front();
        }
    }

    fn save_other_failure(&mut self, identity: super::FailureIdentity) {
        let trail = self.source.sequence().clone();
        let kinds = self.source.kinds();
        match self.other_failures.iter_mut().find(|it| it.0 == identity) {
            Some((_, best)) => {
                // The simplest one seen is where shrinking that failure would start.
                if trail.compare(best, kinds).is_lt() {
                    *best = trail;
                }
            }
            None => self.other_failures.push((identity, trail)),
        }
    }

    /// The span forest of the best case, built on demand.
    pub(super) fn forest(&mut self) -> Rc<SpanForest> {
        let best = &self.best;
        Rc::clone(self.forest.get_or_insert_with(|| Rc::new(SpanForest::of(best))))
    }

    fn patch_digest(
        &self,
        base: &ChoiceSequence,
        patch: &CandidatePatch,
        blank: Option<usize>,
    ) -> u128 {
        let mut digest = Digest::default();
        // A tag that keeps these keys apart from the digests of plain candidates in the same map.
        digest.add_word(0x5f0e_57a1);
        base.choices.iter().for_each(|it| digest.add(it));
        for (at, value) in &patch.sets {
            digest.add_word(*at as u64);
            digest.add(&base.choices[*at].with_value(*value));
        }
        for cut in &patch.cuts {
            // Inverted, so that a cut does not look like the index of a set choice.
            digest.add_word(!(cut.start as u64));
            digest.add_word(!(cut.end as u64));
        }
        digest.add_word(blank.map_or(0, |it| it as u64 + 1));
        digest.add_word(patch.hoisted.map_or(0, |it| (it.0 as u64) << 32 | it.1 as u64));
        digest.finish()
    }
}

/// What a probe observed.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) struct ProbeReport {
    /// Whether the run failed with the wanted identity.
    pub(super) fails: bool,
    /// The number of choices it made.
    pub(super) n_choices: usize,
}

/// The outcome of a candidate.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum CandidateOutcome {
    Adopted,
    Rejected(RunStructure),
}

fn apply_sets(choices: &mut [Choice], patch: &CandidatePatch) {
    for (at, value) in &patch.sets {
        if let Some(choice) = choices.get_mut(*at) {
            *choice = choice.with_value(*value);
        }
    }
}

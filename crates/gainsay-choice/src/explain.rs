//! Finds the arguments of a failing case that do not matter: whatever is drawn for them, it fails.

use std::collections::HashSet;

use crate::case::{Case, Choice, ChoiceSequence};
use crate::random::Seed;
use crate::shrink::{Budget, TerminationReason};
use crate::source::{ReplayTail, Source, SpanOverrides};
use crate::subject::{FailureIdentity, RunVerdict, Subject};
use crate::value::ChoiceValue;

/// What was found about the arguments of a failing case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplanationOutcome {
    /// The arguments for which any value fails, as indices into [`Case::top_spans`].
    pub irrelevant: Vec<usize>,
    /// For each of them, how many distinct other values were tried; all failed.
    pub alternatives_tried: Vec<u64>,
    /// Whether the case fails for any values of all of them at once.
    pub joint_variation: JointVariation,
    /// The number of runs.
    pub executions: u64,
    /// Whether all arguments were varied.
    pub termination: TerminationReason,
}

/// What happens when all irrelevant arguments vary at once.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum JointVariation {
    /// Fewer than two arguments are irrelevant.
    NotTested,
    /// The case still fails.
    AlwaysFails,
    /// The case fails for some values only.
    SometimesFails,
}

/// How often an argument is redrawn, and how many of these runs must fail.
const MAX_TRIES: u64 = 120;
const MIN_FAILURES: u64 = 50;

/// The size of the redrawn values.
const SIZE: u32 = 30;

/// Varies each argument of a case by itself, the one with the most choices first, and then all
/// irrelevant ones together.
pub fn explain<'a>(
    subject: &'a mut dyn Subject,
    source: &'a mut Source,
    case: &Case,
    identity: FailureIdentity,
    budget: Budget<'a>,
) -> ExplanationOutcome {
    let mut trail = case.sequence.clone();
    trail.choices = case.import_choices(source.kinds_mut());
    let tops = trail.spans.iter().enumerate().filter(|(_, it)| it.parent.is_none());
    let tops: Vec<usize> = tops.map(|(at, _)| at).collect();
    // If the budget ends early, the arguments that are longest to read have been tried.
    let mut order: Vec<usize> = (0..tops.len()).collect();
    order.sort_by_key(|it| std::cmp::Reverse(trail.spans[tops[*it]].range().len()));
    let mut experiment = ArgumentExperiment {
        subject,
        source,
        sequence: trail,
        identity,
        budget,
        n_executions: 0,
    };
    let mut explained = ExplanationOutcome {
        irrelevant: Vec::new(),
        alternatives_tried: Vec::new(),
        joint_variation: JointVariation::NotTested,
        executions: 0,
        termination: TerminationReason::Converged,
    };
    let mut free: Vec<(usize, u64)> = Vec::new();
    for which in order {
        match experiment.any_value_fails(&[tops[which]]) {
            Ok(Some(n_others)) => free.push((which, n_others)),
            Ok(None) => {}
            Err(end) => {
                explained.termination = end;
                break;
            }
        }
    }
    free.sort_unstable();
    (explained.irrelevant, explained.alternatives_tried) = free.into_iter().unzip();
    if explained.irrelevant.len() > 1 {
        let all: Vec<usize> = explained.irrelevant.iter().map(|it| tops[*it]).collect();
        match experiment.any_value_fails(&all) {
            Ok(Some(_)) => explained.joint_variation = JointVariation::AlwaysFails,
            Ok(None) => explained.joint_variation = JointVariation::SometimesFails,
            Err(end) => explained.termination = end,
        }
    }
    explained.executions = experiment.n_executions;
    explained
}

struct ArgumentExperiment<'a> {
    subject: &'a mut dyn Subject,
    source: &'a mut Source,
    sequence: ChoiceSequence,
    identity: FailureIdentity,
    budget: Budget<'a>,
    n_executions: u64,
}

impl ArgumentExperiment<'_> {
    /// Whether the case fails whatever some spans hold: often enough, and without exception. If so,
    /// how many distinct values were tried besides those of the case.
    fn any_value_fails(&mut self, spans: &[usize]) -> Result<Option<u64>, TerminationReason> {
        let ranges: Vec<_> = spans.iter().map(|it| self.sequence.spans[*it].range()).collect();
        // An argument without choices cannot vary.
        if ranges.iter().all(|it| it.is_empty()) {
            return Ok(None);
        }
        // All other choices stay the same, so whole cases differ exactly where the varied values
        // do.
        let mut seen: HashSet<Vec<ChoiceValue>> = HashSet::new();
        let values = |choices: &[Choice]| choices.iter().map(|it| it.value()).collect();
        seen.insert(values(&self.sequence.choices));
        let mut n_failures = 0;
        for case in 0..MAX_TRIES {
            if self.n_executions >= self.budget.max_executions {
                return Err(TerminationReason::ExecutionLimit);
            }
            if !(self.budget.should_continue)() {
                return Err(TerminationReason::Interrupted);
            }
            self.n_executions += 1;
            let mut guide = self.source.take_guide();
            let (choices, all) = (&self.sequence.choices, &self.sequence.spans);
            guide.build(choices, all, &ranges, SpanOverrides::default());
            // The simplest value first: if shrinking stopped short of it, it passes, and one run
            // decides.
            let tail = match case {
                0 => ReplayTail::Simplest,
                _ => ReplayTail::Random(Seed { run: 1, claim: spans[0] as u64, case }),
            };
            // By spans, since a redrawn argument may have another length and must not shift the
            // others.
            self.source.replay_guide(guide, tail, SIZE, self.sequence.choices.len() + 10_000);
            match self.subject.run(self.source) {
                RunVerdict::Fail(it) if it == self.identity => {
                    n_failures += 1;
                    seen.insert(values(&self.source.sequence().choices));
                }
                RunVerdict::Fail(_) | RunVerdict::Pass => return Ok(None),
                // An invalid case says nothing; too many of them leave `MIN_FAILURES` out of reach.
                RunVerdict::Invalid | RunVerdict::Stopped => {}
            }
            if n_failures == MIN_FAILURES {
                let n_others = seen.len() as u64 - 1;
                // All draws may have given the value of the case, for instance in a type with one
                // value.
                return Ok((n_others > 0).then_some(n_others));
            }
        }
        Ok(None)
    }
}

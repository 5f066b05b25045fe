//! Which arguments of a failing case do not matter: whatever is drawn for them, it fails.

use crate::case::{Case, Trail};
use crate::random::Seed;
use crate::shrink::{Budget, End};
use crate::source::{Source, Special, Tail};
use crate::subject::{Identity, Subject, Verdict};

/// What was found about the arguments of a failing case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explained {
    /// The arguments for which any value fails: numbers among [`Case::top_spans`].
    pub free: Vec<usize>,
    /// Whether any values for all of them at once fail.
    pub together: Together,
    /// How many runs it took.
    pub executions: u64,
    /// Whether all arguments were looked at.
    pub end: End,
}

/// What happens when all arguments that do not matter change at once.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Together {
    /// Fewer than two arguments do not matter.
    NotAsked,
    /// It still fails.
    AlwaysFails,
    /// It fails for some values only.
    SometimesFails,
}

/// How often an argument is drawn anew, and how many of those must fail.
const MAX_TRIES: u64 = 120;
const MIN_FAILURES: u64 = 50;

/// The size of the values that are drawn.
const SIZE: u32 = 30;

/// Varies each argument of a case by itself, the one with most choices first, and then together
/// those that turned out not to matter.
pub fn explain<'a>(
    subject: &'a mut dyn Subject,
    source: &'a mut Source,
    case: &Case,
    identity: Identity,
    budget: Budget<'a>,
) -> Explained {
    let mut trail = case.trail.clone();
    trail.choices = case.choices_in(source.kinds_mut());
    let tops = trail.spans.iter().enumerate().filter(|(_, it)| it.parent.is_none());
    let tops: Vec<usize> = tops.map(|(at, _)| at).collect();
    let mut order: Vec<usize> = (0..tops.len()).collect();
    order.sort_by_key(|it| std::cmp::Reverse(trail.spans[tops[*it]].range().len()));
    let mut experiment =
        Experiment { subject, source, trail, identity, budget, n_executions: 0 };
    let mut explained = Explained {
        free: Vec::new(),
        together: Together::NotAsked,
        executions: 0,
        end: End::Minimal,
    };
    for which in order {
        match experiment.any_value_fails(&[tops[which]]) {
            Ok(true) => explained.free.push(which),
            Ok(false) => {}
            Err(end) => {
                explained.end = end;
                break;
            }
        }
    }
    explained.free.sort_unstable();
    if explained.free.len() > 1 {
        let all: Vec<usize> = explained.free.iter().map(|it| tops[*it]).collect();
        match experiment.any_value_fails(&all) {
            Ok(true) => explained.together = Together::AlwaysFails,
            Ok(false) => explained.together = Together::SometimesFails,
            Err(end) => explained.end = end,
        }
    }
    explained.executions = experiment.n_executions;
    explained
}

struct Experiment<'a> {
    subject: &'a mut dyn Subject,
    source: &'a mut Source,
    trail: Trail,
    identity: Identity,
    budget: Budget<'a>,
    n_executions: u64,
}

impl Experiment<'_> {
    /// Whether the case fails whatever some spans hold: often enough, and without exception.
    fn any_value_fails(&mut self, spans: &[usize]) -> Result<bool, End> {
        let ranges: Vec<_> = spans.iter().map(|it| self.trail.spans[*it].range()).collect();
        if ranges.iter().all(|it| it.is_empty()) {
            return Ok(false);
        }
        let mut n_failures = 0;
        for case in 0..MAX_TRIES {
            if self.n_executions >= self.budget.executions {
                return Err(End::Executions);
            }
            if !(self.budget.keep_going)() {
                return Err(End::Interrupted);
            }
            self.n_executions += 1;
            let mut guide = self.source.take_guide();
            let (choices, all) = (&self.trail.choices, &self.trail.spans);
            guide.follow(choices, all, &ranges, Special::default());
            // The simplest value comes first: if shrinking stopped short of it, it passes.
            let tail = match case {
                0 => Tail::Simplest,
                _ => Tail::Random(Seed { run: 1, claim: spans[0] as u64, case }),
            };
            self.source.replay_guide(guide, tail, SIZE, self.trail.choices.len() + 10_000);
            match self.subject.run(self.source) {
                Verdict::Fail(it) if it == self.identity => n_failures += 1,
                Verdict::Fail(_) | Verdict::Pass => return Ok(false),
                Verdict::Invalid | Verdict::Stopped => {}
            }
            if n_failures == MIN_FAILURES {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

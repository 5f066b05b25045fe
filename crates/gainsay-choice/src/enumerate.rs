//! Exhaustive enumeration: all cases of a small domain, each once.
//!
//! The choices of a run are the digits of an odometer: the next run repeats all choices before the
//! last digit that can be incremented, increments that one, and draws the simplest values after it.
//! Which digits there are may depend on earlier ones, so this is a depth-first walk of the tree
//! whose nodes are choices.

use crate::case::Choice;
use crate::kind::Cardinality;
use crate::source::{ReplayTail, RunStopReason, Source};
use crate::subject::{RunVerdict, Subject};
use crate::value::ValueRank;

/// The result of an enumeration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EnumerationOutcome {
    /// Every case was run once; the number of cases.
    Complete(u64),
    /// There are more cases than the limit. Those already run prove nothing.
    LimitExceeded,
    /// The visitor stopped the enumeration.
    Interrupted,
}

/// Whether an enumeration goes on.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum EnumerationControl {
    /// Go on with the next case.
    Continue,
    /// Stop.
    Stop,
}

/// The maximum number of choices per case; longer cases do not belong to a small domain.
const MAX_CHOICES: usize = 1000;

/// Runs every case, simplest first within each choice, unless there are more than `limit`.
pub fn enumerate(
    subject: &mut dyn Subject,
    source: &mut Source,
    limit: u64,
    visit: &mut dyn FnMut(&mut Source, RunVerdict) -> EnumerationControl,
) -> EnumerationOutcome {
    let mut prefix: Vec<Choice> = Vec::new();
    for n_cases in 1..=limit {
        source.replay_choices(&prefix, ReplayTail::Simplest, MAX_CHOICES);
        let verdict = subject.run(source);
        // Checked after every run, so that a large domain is given up at once and not after
        // `limit` runs.
        if source.stop_reason() == Some(RunStopReason::Overrun)
            || has_too_many_branches(source, limit)
        {
            return EnumerationOutcome::LimitExceeded;
        }
        if visit(source, verdict) == EnumerationControl::Stop {
            return EnumerationOutcome::Interrupted;
        }
        match next_choices(source) {
            Some(next) => prefix = next,
            None => return EnumerationOutcome::Complete(n_cases),
        }
    }
    EnumerationOutcome::LimitExceeded
}

/// The number of cases, if at most `limit`; the subject need only draw.
pub fn count_cases(subject: &mut dyn Subject, source: &mut Source, limit: u64) -> Option<u64> {
    match enumerate(subject, source, limit, &mut |_, _| EnumerationControl::Continue) {
        EnumerationOutcome::Complete(n_cases) => Some(n_cases),
        EnumerationOutcome::LimitExceeded | EnumerationOutcome::Interrupted => None,
    }
}

/// Whether the choices of a run alone imply more than `limit` cases: every other value of every
/// choice begins another case.
fn has_too_many_branches(source: &mut Source, limit: u64) -> bool {
    // Take the choices out and put them back: reading kinds borrows the source as well.
    let choices = std::mem::take(&mut source.sequence().choices);
    let free = choices.iter().filter(|it| !it.is_forced());
    let n_others = free.fold(0u64, |sum, it| match source.kinds().cardinality(it.kind()) {
        Cardinality::Finite(count) => sum.saturating_add(count.saturating_sub(1)),
        Cardinality::Large => u64::MAX,
    });
    source.sequence().choices = choices;
    n_others >= limit
}

fn rank(source: &Source, choice: Choice) -> Option<u64> {
    match source.kinds().rank(choice.kind(), choice.value()) {
        ValueRank::Small(rank) => u64::try_from(rank).ok(),
        ValueRank::Big(_) => None,
    }
}

/// The choices up to the last one that can be incremented, with that one incremented.
fn next_choices(source: &mut Source) -> Option<Vec<Choice>> {
    let mut choices = std::mem::take(&mut source.sequence().choices);
    while let Some(last) = choices.pop() {
        // A forced choice is no digit of the odometer.
        if last.is_forced() {
            continue;
        }
        // A rank beyond 64 bits would end the enumeration as complete, but `has_too_many_branches`
        // has given up on such kinds.
        let next = u128::from(rank(source, last)?) + 1;
        if let Some(value) = source.kinds_mut().unrank(last.kind(), &ValueRank::Small(next)) {
            choices.push(last.with_value(value));
            return Some(choices);
        }
    }
    None
}

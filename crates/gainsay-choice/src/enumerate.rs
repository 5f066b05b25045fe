//! All cases of a small domain, each once.
//!
//! The choices of a run are the digits of an odometer: the next run repeats all but the last digit
//! that can go up, raises that one, and draws the simplest behind it. Which digits there are may
//! depend on earlier ones, so this walks a tree whose nodes are choices, depth first.

use crate::case::Choice;
use crate::kind::Cardinality;
use crate::source::{ReplayTail, RunStopReason, Source};
use crate::subject::{RunVerdict, Subject};
use crate::value::ValueRank;

/// What came of an enumeration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EnumerationOutcome {
    /// Every case was run once; so many there are.
    Complete(u64),
    /// There are more than allowed. What was run until then counts for nothing.
    LimitExceeded,
    /// The caller wanted no more.
    Interrupted,
}

/// Whether an enumeration goes on.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum EnumerationControl {
    /// To the next case.
    Continue,
    /// No further.
    Stop,
}

/// The most choices of a case of a small domain.
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

/// How many cases there are, if no more than `limit`; the subject need only draw.
pub fn count_cases(subject: &mut dyn Subject, source: &mut Source, limit: u64) -> Option<u64> {
    match enumerate(subject, source, limit, &mut |_, _| EnumerationControl::Continue) {
        EnumerationOutcome::Complete(n_cases) => Some(n_cases),
        EnumerationOutcome::LimitExceeded | EnumerationOutcome::Interrupted => None,
    }
}

/// Every other value of every choice of a run begins another case.
fn has_too_many_branches(source: &mut Source, limit: u64) -> bool {
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

/// The choices up to the last that can go up, with that one raised.
fn next_choices(source: &mut Source) -> Option<Vec<Choice>> {
    let mut choices = std::mem::take(&mut source.sequence().choices);
    while let Some(last) = choices.pop() {
        if last.is_forced() {
            continue;
        }
        let next = u128::from(rank(source, last)?) + 1;
        if let Some(value) = source.kinds_mut().unrank(last.kind(), &ValueRank::Small(next)) {
            choices.push(last.with_value(value));
            return Some(choices);
        }
    }
    None
}

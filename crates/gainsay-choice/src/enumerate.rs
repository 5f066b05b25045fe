//! All cases of a small domain, each once.
//!
//! The choices of a run are the digits of an odometer: the next run repeats all but the last digit
//! that can go up, raises that one, and draws the simplest behind it. Which digits there are may
//! depend on earlier ones, so this walks a tree whose nodes are choices, depth first.

use crate::case::Choice;
use crate::kind::Count;
use crate::source::{Source, Stop, Tail};
use crate::subject::{Subject, Verdict};
use crate::value::Rank;

/// What came of an enumeration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Enumerated {
    /// Every case was run once; so many there are.
    All(u64),
    /// There are more than allowed. What was run until then counts for nothing.
    TooMany,
    /// The caller wanted no more.
    Ended,
}

/// Whether an enumeration goes on.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Next {
    /// To the next case.
    Continue,
    /// No further.
    End,
}

/// The most choices of a case of a small domain.
const MAX_CHOICES: usize = 1000;

/// Runs every case, simplest first within each choice, unless there are more than `limit`.
pub fn enumerate(
    subject: &mut dyn Subject,
    source: &mut Source,
    limit: u64,
    visit: &mut dyn FnMut(&mut Source, Verdict) -> Next,
) -> Enumerated {
    let mut prefix: Vec<Choice> = Vec::new();
    for n_cases in 1..=limit {
        source.replay_choices(&prefix, Tail::Simplest, MAX_CHOICES);
        let verdict = subject.run(source);
        if source.stop() == Some(Stop::Overrun) || is_too_wide(source, limit) {
            return Enumerated::TooMany;
        }
        if visit(source, verdict) == Next::End {
            return Enumerated::Ended;
        }
        match advance(source) {
            Some(next) => prefix = next,
            None => return Enumerated::All(n_cases),
        }
    }
    Enumerated::TooMany
}

/// How many cases there are, if no more than `limit`; the subject need only draw.
pub fn count_cases(subject: &mut dyn Subject, source: &mut Source, limit: u64) -> Option<u64> {
    match enumerate(subject, source, limit, &mut |_, _| Next::Continue) {
        Enumerated::All(n_cases) => Some(n_cases),
        Enumerated::TooMany | Enumerated::Ended => None,
    }
}

/// Every other value of every choice of a run begins another case.
fn is_too_wide(source: &mut Source, limit: u64) -> bool {
    let choices = std::mem::take(&mut source.trail().choices);
    let free = choices.iter().filter(|it| !it.is_forced());
    let n_others = free.fold(0u64, |sum, it| match source.kinds().count(it.kind()) {
        Count::Finite(count) => sum.saturating_add(count.saturating_sub(1)),
        Count::Many => u64::MAX,
    });
    source.trail().choices = choices;
    n_others >= limit
}

fn rank(source: &Source, choice: Choice) -> Option<u64> {
    match source.kinds().rank(choice.kind(), choice.value()) {
        Rank::Small(rank) => u64::try_from(rank).ok(),
        Rank::Big(_) => None,
    }
}

/// The choices up to the last that can go up, with that one raised.
fn advance(source: &mut Source) -> Option<Vec<Choice>> {
    let mut choices = std::mem::take(&mut source.trail().choices);
    while let Some(last) = choices.pop() {
        if last.is_forced() {
            continue;
        }
        let next = u128::from(rank(source, last)?) + 1;
        if let Some(value) = source.kinds_mut().unrank(last.kind(), &Rank::Small(next)) {
            choices.push(last.with(value));
            return Some(choices);
        }
    }
    None
}

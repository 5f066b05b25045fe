//! Raises a choice to shorten the case: another alternative, or a number that needs fewer choices.

use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::{AttemptResult, Shrinker, TerminationReason};
use super::replace_by_extreme::extremes;
use crate::case::ChoiceSequence;
use crate::kind::{Cardinality, ChoiceClass};
use crate::value::{ChoiceValue, ValueRank};

/// Longer cases have too many pairs.
const MAX_CHOICES: usize = 100;

/// How many spans after the raised choice are deleted in turn.
const FOLLOWERS: usize = 6;

/// Raises every choice, by itself and together with deleting one of the next spans.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    if base.choices.len() > MAX_CHOICES {
        return Ok(());
    }
    for at in (0..base.choices.len()).filter(|it| !base.choices[*it].is_forced()) {
        for value in raises(shrinker, &base, at) {
            if raise(shrinker, &base, at, value)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn raise(
    shrinker: &mut Shrinker<'_>,
    base: &ChoiceSequence,
    at: usize,
    value: ChoiceValue,
) -> AttemptResult {
    let patch = CandidatePatch::set([(at, value)]);
    // `Always`: the candidate is larger as proposed, and only a run shows whether it gets shorter.
    if shrinker.attempt(base, &patch, CandidateFilter::Always)? {
        return Ok(true);
    }
    let mut followers: Vec<_> = base
        .spans
        .iter()
        .map(|it| it.range())
        .filter(|it| it.start > at && !it.is_empty())
        .collect();
    followers.dedup();
    for cut in followers.into_iter().take(FOLLOWERS) {
        let patch = patch.clone().and_without(cut);
        if shrinker.attempt_flat(base, &patch, CandidateFilter::Always)? {
            return Ok(true);
        }
    }
    // A number or boolean may make the choice after it unnecessary.
    if at + 1 < base.choices.len() {
        return shrinker.attempt_flat(
            base,
            &patch.and_without(at + 1..at + 2),
            CandidateFilter::Always,
        );
    }
    Ok(false)
}

fn raises(shrinker: &mut Shrinker<'_>, base: &ChoiceSequence, at: usize) -> Vec<ChoiceValue> {
    let choice = base.choices[at];
    match choice.class() {
        ChoiceClass::Integer => {
            let mut values = extremes(shrinker, base, at);
            values.dedup();
            values
        }
        ChoiceClass::Boolean
        | ChoiceClass::Selector
        | ChoiceClass::MoreElements
        | ChoiceClass::Reference => {
            let Some(rank) = shrinker.rank_at(base, at) else { return Vec::new() };
            let count = match shrinker.source.kinds().cardinality(choice.kind()) {
                // A cap, since each alternative costs at least one run.
                Cardinality::Finite(count) => u128::from(count.min(8)),
                Cardinality::Large => 0,
            };
            let kinds = shrinker.source.kinds_mut();
            (rank + 1..count)
                .filter_map(|it| kinds.unrank(choice.kind(), &ValueRank::Small(it)))
                .collect()
        }
        ChoiceClass::Float | ChoiceClass::Char => Vec::new(),
    }
}

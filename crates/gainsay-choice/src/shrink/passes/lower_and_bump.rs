//! Lowers a choice and pushes one behind it: the sum, the order or the product may still do.

use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::{Shrinker, TerminationReason};
use super::replace_by_extreme::extremes;
use crate::kind::ChoiceClass;
use crate::value::{ChoiceValue, ValueRank};

/// Longer cases have too many pairs.
const MAX_CHOICES: usize = 100;

/// How many integers behind a lowered choice are pushed in turn.
const FOLLOWERS: usize = 4;

/// Every choice that can be lowered by one rank or to nothing, with each of the next integers.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    if base.choices.len() > MAX_CHOICES {
        return Ok(());
    }
    for at in 0..base.choices.len() {
        if shrinker.is_trivial(&base, at) {
            continue;
        }
        let integers = (at + 1..base.choices.len())
            .filter(|it| base.choices[*it].class() == ChoiceClass::Integer);
        let followers: Vec<usize> = integers.take(FOLLOWERS).collect();
        for lower in lower_values(shrinker, &base, at) {
            for follower in &followers {
                for value in extremes(shrinker, &base, *follower) {
                    let patch = CandidatePatch::set([(at, lower), (*follower, value)]);
                    if shrinker.attempt_flat(&base, &patch, CandidateFilter::IfSimpler)? {
                        return Ok(());
                    }
                }
            }
        }
    }
    Ok(())
}

fn lower_values(
    shrinker: &mut Shrinker<'_>,
    base: &crate::case::ChoiceSequence,
    at: usize,
) -> Vec<ChoiceValue> {
    let choice = base.choices[at];
    let Some(rank) = shrinker.rank_at(base, at) else { return Vec::new() };
    let kinds = shrinker.source.kinds_mut();
    let mut ranks = vec![0, rank - 1];
    if choice.class() == ChoiceClass::Integer {
        // The next integer on the same side is two ranks lower.
        ranks.extend([rank.saturating_sub(2), rank / 2]);
    }
    ranks.sort_unstable();
    ranks.dedup();
    let below = ranks.into_iter().filter(|it| *it < rank);
    below.filter_map(|it| kinds.unrank(choice.kind(), &ValueRank::Small(it))).collect()
}

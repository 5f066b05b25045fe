//! Lowers a choice and raises or moves one after it: a sum, an order or a product may still hold.

use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::{Shrinker, TerminationReason};
use super::replace_by_extreme::extremes;
use crate::kind::ChoiceClass;
use crate::value::{ChoiceValue, ValueRank};

/// Longer cases have too many pairs.
const MAX_CHOICES: usize = 100;

/// How many integers after the lowered choice are tried as the one to move.
const FOLLOWERS: usize = 4;

/// Lowers every choice by one rank or to the simplest value, with each of the next integers moved.
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
                // `IfSimpler` holds although the follower gets larger: the lowered choice comes
                // first and decides.
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
    // The choice is not trivial, so its rank is at least 1.
    let mut ranks = vec![0, rank - 1];
    if choice.class() == ChoiceClass::Integer {
        // Ranks alternate between the two sides of the target: the same side is two ranks lower.
        ranks.extend([rank.saturating_sub(2), rank / 2]);
    }
    ranks.sort_unstable();
    ranks.dedup();
    let below = ranks.into_iter().filter(|it| *it < rank);
    below.filter_map(|it| kinds.unrank(choice.kind(), &ValueRank::Small(it))).collect()
}

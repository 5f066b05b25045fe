//! Lowers a value with few alternatives while another one takes any of its values: for pairs that
//! fail only in certain combinations.

use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::{Shrinker, TerminationReason};
use crate::case::ChoiceSequence;
use crate::kind::{Cardinality, ChoiceClass, KindId};
use crate::value::{ChoiceValue, ValueRank};

/// Longer cases have too many pairs.
const MAX_CHOICES: usize = 60;

/// Choices with more possible values than this are not scanned.
const MAX_COUNT: u64 = 10;

/// The maximum number of runs.
const MAX_RUNS: u64 = 200;

/// Tries every such choice that could be simpler with every one after it.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    if base.choices.len() > MAX_CHOICES {
        return Ok(());
    }
    let n_before = shrinker.n_executions;
    let small = small_choices(shrinker, &base);
    for (nth, first) in small.iter().enumerate() {
        let Some(rank) = shrinker.rank_at(&base, *first) else { continue };
        // Only later choices may become more complex: the order compares from the left, so that a
        // simpler first value outweighs them.
        for second in small[nth + 1..].iter().rev() {
            for pair in combinations(shrinker, &base, (*first, rank), *second) {
                if shrinker.n_executions > n_before + MAX_RUNS
                    || shrinker.attempt_flat(
                        &base,
                        &CandidatePatch::set(pair),
                        CandidateFilter::IfSimpler,
                    )?
                {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

fn small_choices(shrinker: &Shrinker<'_>, base: &ChoiceSequence) -> Vec<usize> {
    let is_small = |at: &usize| {
        let choice = base.choices[*at];
        let count = shrinker.source.kinds().cardinality(choice.kind());
        choice.class() == ChoiceClass::Integer
            && !choice.is_forced()
            && matches!(count, Cardinality::Finite(count) if count <= MAX_COUNT)
    };
    (0..base.choices.len()).filter(is_small).collect()
}

/// Simpler values of the first choice combined with other values of the second.
fn combinations(
    shrinker: &mut Shrinker<'_>,
    base: &ChoiceSequence,
    (first, rank): (usize, u128),
    second: usize,
) -> Vec<[(usize, ChoiceValue); 2]> {
    let old = base.choices[second].value();
    let lower = values(shrinker, base.choices[first].kind(), rank);
    let others = values(shrinker, base.choices[second].kind(), u128::from(MAX_COUNT));
    let others: Vec<ChoiceValue> = others.into_iter().filter(|it| *it != old).collect();
    lower.iter().flat_map(|a| others.iter().map(move |b| [(first, *a), (second, *b)])).collect()
}

/// The values of the first ranks.
fn values(shrinker: &mut Shrinker<'_>, kind: KindId, n_ranks: u128) -> Vec<ChoiceValue> {
    let kinds = shrinker.source.kinds_mut();
    (0..n_ranks).map_while(|it| kinds.unrank(kind, &ValueRank::Small(it))).collect()
}

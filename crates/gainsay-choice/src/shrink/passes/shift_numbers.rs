//! Translates all numbers by the same amount: only their differences may matter.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::{Shrinker, TerminationReason};
use crate::case::ChoiceSequence;
use crate::kind::{ChoiceClass, KindId};
use crate::value::{ChoiceValue, ValueRank};

/// In longer cases too many numbers matter by themselves.
const MAX_CHOICES: usize = 200;

/// For each kind of number and for all together: the first that is not the simplest becomes so,
/// and the others move with it.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    if base.choices.len() > MAX_CHOICES {
        return Ok(());
    }
    for group in groups(&base) {
        let Some(first) = group.iter().copied().find(|it| !shrinker.is_trivial(&base, *it))
        else {
            continue;
        };
        let simplest = shrinker.simplest_at(&base, first);
        let patch = moved(shrinker, &base, &group, simplest);
        if shrinker.attempt_flat(&base, &patch, CandidateFilter::IfSimpler)? {
            return Ok(());
        }
    }
    Ok(())
}

/// How many numbers of a group are lowered, and to how many values.
const MAX_STARTS: usize = 16;
const MAX_VALUES: u128 = 6;

/// For each kind of number and for all together: one that is not the simplest becomes simpler, and
/// those after it move with it.
pub(super) fn run_suffixes(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    if base.choices.len() > MAX_CHOICES {
        return Ok(());
    }
    for group in groups(&base) {
        for start in (0..group.len()).take(MAX_STARTS) {
            let choice = base.choices[group[start]];
            // A rank beyond 128 bits: there are more simpler values than are tried.
            let rank = shrinker.rank_at(&base, group[start]).unwrap_or(MAX_VALUES);
            for simpler in 0..rank.min(MAX_VALUES) {
                let kinds = shrinker.source.kinds_mut();
                let simpler = kinds.unrank(choice.kind(), &ValueRank::Small(simpler));
                let Some(simpler) = simpler else { continue };
                let patch = moved(shrinker, &base, &group[start..], simpler);
                if shrinker.attempt_flat(&base, &patch, CandidateFilter::IfSimpler)? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// Numbers translated so that the first that is not the simplest gets the value `to`.
fn moved(
    shrinker: &mut Shrinker<'_>,
    base: &ChoiceSequence,
    group: &[usize],
    to: ChoiceValue,
) -> CandidatePatch {
    let first = group.iter().find(|it| !shrinker.is_trivial(base, **it));
    let first = first.unwrap_or(&group[0]);
    let kinds = shrinker.source.kinds_mut();
    let by = kinds.bigs.integer(to) - kinds.bigs.integer(base.choices[*first].value());
    let moved = group.iter().map(|at| {
        let integer = kinds.bigs.integer(base.choices[*at].value()) + &by;
        (*at, kinds.intern_integer(integer))
    });
    CandidatePatch::set(moved.collect::<Vec<_>>())
}

/// Free numbers of one kind, and then all free numbers.
fn groups(base: &ChoiceSequence) -> Vec<Vec<usize>> {
    let numbers = base.choices.iter().enumerate();
    let numbers: Vec<(usize, KindId)> = numbers
        .filter(|(_, it)| it.class() == ChoiceClass::Integer && !it.is_forced())
        .map(|(at, it)| (at, it.kind()))
        .collect();
    let mut by_kind: BTreeMap<KindId, Vec<usize>> = BTreeMap::new();
    for (at, kind) in &numbers {
        by_kind.entry(*kind).or_default().push(*at);
    }
    let mut groups: Vec<Vec<usize>> = by_kind.into_values().collect();
    // With one kind only, its group has all numbers already.
    if groups.len() > 1 {
        groups.push(numbers.into_iter().map(|(at, _)| at).collect());
    }
    groups.retain(|it| it.len() > 1);
    groups
}

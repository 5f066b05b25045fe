//! Moves all numbers by the same amount: what matters may be only how they lie to each other.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::super::attempt::{Hope, Patch};
use super::super::{End, Shrinker};
use crate::case::Trail;
use crate::kind::{Class, KindId};
use crate::value::{Rank, Value};

/// Longer cases have too many numbers that matter for themselves.
const MAX_CHOICES: usize = 200;

/// For each kind of number, and for all together: the first that is not the simplest becomes
/// so, and the others move with it.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), End> {
    let base = Rc::clone(&shrinker.best);
    if base.choices.len() > MAX_CHOICES {
        return Ok(());
    }
    for group in groups(&base) {
        let Some(first) = group.iter().copied().find(|it| !shrinker.is_trivial(&base, *it))
        else {
            continue;
        };
        let simplest = shrinker.source.kinds_mut().simplest(base.choices[first].kind());
        let (Value::Small(from), Value::Small(to)) = (base.choices[first].value(), simplest)
        else {
            continue;
        };
        let Some(by) = to.checked_sub(from) else { continue };
        let Some(patch) = moved(&base, &group, by) else { continue };
        if shrinker.attempt_flat(&base, &patch, Hope::Simpler)? {
            return Ok(());
        }
    }
    Ok(())
}

/// How many numbers of a group are lowered, and to how many values.
const MAX_STARTS: usize = 16;
const MAX_VALUES: u128 = 6;

/// For each kind of number, and for all together: one that is not the simplest becomes simpler,
/// and those after it move with it.
pub(super) fn run_suffixes(shrinker: &mut Shrinker<'_>) -> Result<(), End> {
    let base = Rc::clone(&shrinker.best);
    if base.choices.len() > MAX_CHOICES {
        return Ok(());
    }
    for group in groups(&base) {
        for start in (0..group.len()).take(MAX_STARTS) {
            let choice = base.choices[group[start]];
            let Some(rank) = shrinker.rank_at(&base, group[start]) else { continue };
            for simpler in 0..rank.min(MAX_VALUES) {
                let kinds = shrinker.source.kinds_mut();
                let simpler = kinds.unrank(choice.kind(), &Rank::Small(simpler));
                let (Value::Small(from), Some(Value::Small(to))) = (choice.value(), simpler)
                else {
                    continue;
                };
                let Some(by) = to.checked_sub(from) else { continue };
                let Some(patch) = moved(&base, &group[start..], by) else { continue };
                if shrinker.attempt_flat(&base, &patch, Hope::Simpler)? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// Numbers of a case, all as much larger.
fn moved(base: &Trail, group: &[usize], by: i64) -> Option<Patch> {
    let moved = group.iter().map(|at| match base.choices[*at].value() {
        Value::Small(value) => value.checked_add(by).map(|it| (*at, Value::Small(it))),
        Value::Big(_) => None,
    });
    moved.collect::<Option<Vec<(usize, Value)>>>().map(Patch::set)
}

/// Numbers of one kind, and then all numbers.
fn groups(base: &Trail) -> Vec<Vec<usize>> {
    let numbers = base.choices.iter().enumerate();
    let numbers: Vec<(usize, KindId)> = numbers
        .filter(|(_, it)| it.class() == Class::Integer && !it.is_forced())
        .map(|(at, it)| (at, it.kind()))
        .collect();
    let mut by_kind: BTreeMap<KindId, Vec<usize>> = BTreeMap::new();
    for (at, kind) in &numbers {
        by_kind.entry(*kind).or_default().push(*at);
    }
    let mut groups: Vec<Vec<usize>> = by_kind.into_values().collect();
    if groups.len() > 1 {
        groups.push(numbers.into_iter().map(|(at, _)| at).collect());
    }
    groups.retain(|it| it.len() > 1);
    groups
}

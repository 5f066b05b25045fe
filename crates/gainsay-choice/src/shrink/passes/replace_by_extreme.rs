//! Deletes a small span and sets a neighbor to an extreme: one number may stand in for two.

use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::values::target_and_offset;
use super::super::{Shrinker, TerminationReason};
use crate::case::ChoiceSequence;
use crate::kind::{ChoiceClass, Kind};
use crate::value::ChoiceValue;

/// Larger spans are left to other passes.
const MAX_SPAN: usize = 8;

/// Longer cases have too many pairs.
const MAX_CHOICES: usize = 100;

/// How many integers on each side of the span are tried.
const NEIGHBOURS: usize = 3;

/// Tries every small span with every integer near it.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    if base.choices.len() > MAX_CHOICES {
        return Ok(());
    }
    let mut tried = Vec::new();
    // From the back, like all deletions: later spans depend on earlier ones.
    for span in base.spans.iter().rev() {
        let range = span.range();
        if range.is_empty() || range.len() > MAX_SPAN || tried.contains(&range) {
            continue;
        }
        tried.push(range.clone());
        // Also shift every integer behind the span: they may be indices or times relative to it.
        for step in [1, -1] {
            let patch =
                CandidatePatch::set(moved(&base, range.end, step)).and_without(range.clone());
            if shrinker.attempt_flat(&base, &patch, CandidateFilter::IfSimpler)? {
                return Ok(());
            }
        }
        for at in neighbours(&base, &range) {
            for value in extremes(shrinker, &base, at) {
                let patch = CandidatePatch::without(range.clone()).and_set(at, value);
                if shrinker.attempt_flat(&base, &patch, CandidateFilter::IfSimpler)? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// All small integers from `start` on, moved by the same step.
fn moved(base: &ChoiceSequence, start: usize, step: i64) -> Vec<(usize, ChoiceValue)> {
    let behind = base.choices.iter().enumerate().skip(start);
    let integers = behind.filter(|(_, it)| it.class() == ChoiceClass::Integer);
    integers
        .filter_map(|(at, it)| match it.value() {
            ChoiceValue::Small(value) => {
                Some((at, ChoiceValue::Small(value.saturating_add(step))))
            }
            ChoiceValue::Big(_) => None,
        })
        .collect()
}

fn neighbours(base: &ChoiceSequence, range: &std::ops::Range<usize>) -> Vec<usize> {
    let is_integer = |it: &usize| base.choices[*it].class() == ChoiceClass::Integer;
    let before = (0..range.start).rev().filter(is_integer).take(NEIGHBOURS);
    let behind = (range.end..base.choices.len()).filter(is_integer).take(NEIGHBOURS);
    before.chain(behind).collect()
}

/// The bounds of a choice's kind, the value mirrored at its target, and the adjacent values.
pub(super) fn extremes(
    shrinker: &mut Shrinker<'_>,
    base: &ChoiceSequence,
    at: usize,
) -> Vec<ChoiceValue> {
    let choice = base.choices[at];
    let Some((target, offset)) = target_and_offset(shrinker, choice) else { return Vec::new() };
    let kinds = shrinker.source.kinds_mut();
    let Kind::Integer(kind) = kinds.get(choice.kind()) else { return Vec::new() };
    let (min, max) = kind.bounds();
    let mut integers = vec![&target - &offset, &target + &offset + 1, &target + &offset - 1];
    integers.extend(min);
    integers.extend(max);
    integers.into_iter().map(|it| kinds.intern_integer(it)).collect()
}

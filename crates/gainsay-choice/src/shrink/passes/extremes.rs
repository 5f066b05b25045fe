//! Leaves out a small span and sets a neighbour to an extreme: two numbers that make up for one.

use std::rc::Rc;

use super::super::attempt::{Hope, Patch};
use super::super::values::magnitude_of;
use super::super::{End, Shrinker};
use crate::case::Trail;
use crate::kind::{Class, Kind};
use crate::value::Value;

/// Larger spans than this are no small change.
const MAX_SPAN: usize = 8;

/// Longer cases have too many pairs.
const MAX_CHOICES: usize = 100;

/// How many integers around the span are tried.
const NEIGHBOURS: usize = 3;

/// Every small span with every integer near it.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), End> {
    let base = Rc::clone(&shrinker.best);
    if base.choices.len() > MAX_CHOICES {
        return Ok(());
    }
    let mut tried = Vec::new();
    for span in base.spans.iter().rev() {
        let range = span.range();
        if range.is_empty() || range.len() > MAX_SPAN || tried.contains(&range) {
            continue;
        }
        tried.push(range.clone());
        for step in [1, -1] {
            let patch = Patch::set(moved(&base, range.end, step)).and_without(range.clone());
            if shrinker.attempt_flat(&base, &patch, Hope::Simpler)? {
                return Ok(());
            }
        }
        for at in neighbours(&base, &range) {
            for value in extremes(shrinker, &base, at) {
                let patch = Patch::without(range.clone()).and_set(at, value);
                if shrinker.attempt_flat(&base, &patch, Hope::Simpler)? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// All integers from a place on, moved by as much.
fn moved(base: &Trail, start: usize, step: i64) -> Vec<(usize, Value)> {
    let behind = base.choices.iter().enumerate().skip(start);
    let integers = behind.filter(|(_, it)| it.class() == Class::Integer);
    integers
        .filter_map(|(at, it)| match it.value() {
            Value::Small(value) => Some((at, Value::Small(value.saturating_add(step)))),
            Value::Big(_) => None,
        })
        .collect()
}

fn neighbours(base: &Trail, range: &std::ops::Range<usize>) -> Vec<usize> {
    let is_integer = |it: &usize| base.choices[*it].class() == Class::Integer;
    let before = (0..range.start).rev().filter(is_integer).take(NEIGHBOURS);
    let behind = (range.end..base.choices.len()).filter(is_integer).take(NEIGHBOURS);
    before.chain(behind).collect()
}

/// The bounds of a choice's kind, its negation, and its neighbours.
pub(super) fn extremes(shrinker: &mut Shrinker<'_>, base: &Trail, at: usize) -> Vec<Value> {
    let choice = base.choices[at];
    let Some((target, offset)) = magnitude_of(shrinker, choice) else { return Vec::new() };
    let kinds = shrinker.source.kinds_mut();
    let Kind::Integer(kind) = kinds.get(choice.kind()) else { return Vec::new() };
    let (min, max) = kind.bounds();
    let mut integers = vec![&target - &offset, &target + &offset + 1, &target + &offset - 1];
    integers.extend(min);
    integers.extend(max);
    integers.into_iter().map(|it| kinds.value(it)).collect()
}

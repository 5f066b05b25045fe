//! Exchanges two values everywhere: arbitrary names become the first ones.

use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::{Shrinker, TerminationReason};
use crate::kind::ChoiceClass;
use crate::value::ChoiceValue;

/// More distinct values than this make too many pairs.
const MAX_VALUES: usize = 10;

/// Tries every pair of distinct integers of the case.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let mut values: Vec<ChoiceValue> = Vec::new();
    for choice in &shrinker.best.choices {
        let is_name = choice.class() == ChoiceClass::Integer && !choice.is_forced();
        if is_name && !values.contains(&choice.value()) {
            values.push(choice.value());
        }
    }
    if values.len() > MAX_VALUES {
        return Ok(());
    }
    for (at, a) in values.iter().enumerate() {
        for b in &values[at + 1..] {
            // Values and not indices are exchanged, so these stay meaningful after an adoption.
            exchange(shrinker, *a, *b)?;
        }
    }
    Ok(())
}

fn exchange(
    shrinker: &mut Shrinker<'_>,
    a: ChoiceValue,
    b: ChoiceValue,
) -> Result<bool, TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    let sets = base.choices.iter().enumerate().filter_map(|(at, choice)| {
        let is_name = choice.class() == ChoiceClass::Integer && !choice.is_forced();
        let other = if choice.value() == a { b } else { a };
        (is_name && (choice.value() == a || choice.value() == b)).then_some((at, other))
    });
    shrinker.attempt_flat(&base, &CandidatePatch::set(sets), CandidateFilter::IfSimpler)
}

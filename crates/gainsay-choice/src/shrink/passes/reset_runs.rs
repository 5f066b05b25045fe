//! Resets runs of values to the simplest ones, as long as possible.

use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::integer_search::find_integer;
use super::super::{Shrinker, TerminationReason};
use crate::kind::ChoiceClass;

/// Works from the back; choices that decide the structure of the case stay.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let mut end = usize::MAX;
    loop {
        let base = Rc::clone(&shrinker.best);
        let values: Vec<usize> = (0..base.choices.len().min(end))
            // Resetting these would change what follows and misalign the values after them.
            .filter(|it| {
                !matches!(
                    base.choices[*it].class(),
                    ChoiceClass::MoreElements | ChoiceClass::Selector
                ) && !shrinker.is_trivial(&base, *it)
            })
            .collect();
        let n_zeroed = find_integer(|k| {
            let Some(first) = values.len().checked_sub(k) else { return Ok(false) };
            let zeros: Vec<_> = values[first..]
                .iter()
                .map(|it| (*it, shrinker.simplest_at(&base, *it)))
                .collect();
            shrinker.attempt_flat(
                &base,
                &CandidatePatch::set(zeros),
                CandidateFilter::IfSimpler,
            )
        })?;
        // The value before the run is the one that cannot be reset.
        let Some(stays) = values.len().checked_sub(n_zeroed + 1) else { return Ok(()) };
        end = values[stays];
    }
}

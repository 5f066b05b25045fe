//! Lowers each value by itself.

use std::rc::Rc;

use super::super::{Shrinker, TerminationReason};

/// From the first choice, which weighs most in shortlex order, to the last.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let mut at = 0;
    while at < shrinker.best.choices.len() {
        let best = Rc::clone(&shrinker.best);
        if !shrinker.is_trivial(&best, at) {
            // Once per round: lowering a later value may let this one go lower, which the next
            // round finds.
            shrinker.lower(&[at])?;
        }
        at += 1;
    }
    Ok(())
}

//! Lowers a selector and draws the rest at random: the simplest continuation need not fail.

use std::rc::Rc;

use super::super::{Shrinker, TerminationReason};
use crate::kind::ChoiceClass;
use crate::random::Seed;
use crate::source::ReplayTail;
use crate::value::ValueRank;

/// How many selectors are tried, and how many random continuations for each.
const MAX_SELECTORS: usize = 12;
const CONTINUATIONS: u64 = 4;

/// Lowers every selector that is not the simplest to the next lower alternative.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    let mut n_tried = 0;
    for at in 0..base.choices.len() {
        let choice = base.choices[at];
        let decides = matches!(
            choice.class(),
            ChoiceClass::Selector | ChoiceClass::Boolean | ChoiceClass::MoreElements
        );
        if !decides || shrinker.is_trivial(&base, at) {
            continue;
        }
        let Some(rank) = shrinker.rank_at(&base, at) else { continue };
        let lower =
            shrinker.source.kinds_mut().unrank(choice.kind(), &ValueRank::Small(rank - 1));
        let Some(lower) = lower else { continue };
        let mut prefix = base.choices[..=at].to_vec();
        prefix[at] = choice.with_value(lower);
        for case in 0..CONTINUATIONS {
            // Run 0 and the position make a fixed seed: shrinking stays deterministic.
            let tail = ReplayTail::Random(Seed { run: 0, claim: at as u64, case });
            if shrinker.attempt_with_tail(&prefix, tail)? {
                return Ok(());
            }
        }
        n_tried += 1;
        if n_tried == MAX_SELECTORS {
            break;
        }
    }
    Ok(())
}

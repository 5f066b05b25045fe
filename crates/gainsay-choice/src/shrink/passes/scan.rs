//! Tries all simpler values of a choice, where they are few: failing values may be so rare that
//! no step leads from one to the next.

use std::rc::Rc;

use super::super::attempt::{Hope, Patch};
use super::super::{End, Shrinker};
use crate::kind::Class;
use crate::value::Rank;

/// How many values are tried in all.
const MAX_TRIED: u128 = 512;

/// From the first choice, which counts most, to the last, each from the simplest value up.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), End> {
    let base = Rc::clone(&shrinker.best);
    let mut n_left = MAX_TRIED;
    for at in 0..base.choices.len() {
        let choice = base.choices[at];
        let is_ordered = matches!(choice.class(), Class::Integer | Class::Char);
        if !is_ordered || shrinker.is_trivial(&base, at) {
            continue;
        }
        let Some(rank) = shrinker.rank_at(&base, at).filter(|it| *it <= n_left) else {
            continue;
        };
        n_left -= rank;
        for simpler in 0..rank {
            let value =
                shrinker.source.kinds_mut().unrank(choice.kind(), &Rank::Small(simpler));
            let Some(value) = value else { continue };
            if shrinker.attempt(&base, &Patch::set([(at, value)]), Hope::Simpler)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

//! Tries all simpler values of a choice, where they are few: failing values may be so rare that
//! no step leads from one to the next.

use std::rc::Rc;

use super::super::attempt::{Hope, Patch};
use super::super::values::is_rare;
use super::super::{End, Shrinker, Step};
use crate::case::Trail;
use crate::kind::Class;
use crate::value::Rank;

/// How many values are tried in all.
const MAX_TRIED: u128 = 512;

/// How many values of a choice are tried that has more simpler ones: a character, or an integer
/// of which larger ones do not fail.
const FEW_CHARACTERS: u128 = 256;
const FEW_INTEGERS: u128 = 768;

/// Up to so many choices are tried in this way.
const MAX_RARE: u32 = 2;

/// From the first choice, which counts most, to the last, each from the simplest value up.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), End> {
    let base = Rc::clone(&shrinker.best);
    let mut n_left = MAX_TRIED;
    let mut n_rare = 0;
    for at in 0..base.choices.len() {
        let class = base.choices[at].class();
        if !matches!(class, Class::Integer | Class::Char) || shrinker.is_trivial(&base, at) {
            continue;
        }
        let n_simpler = match shrinker.rank_at(&base, at) {
            Some(rank) if rank <= n_left => {
                n_left -= rank;
                rank
            }
            rank => {
                n_rare += 1;
                if n_rare > MAX_RARE || (class != Class::Char && !is_rare(shrinker, &base, at)?)
                {
                    continue;
                }
                let most = if class == Class::Char { FEW_CHARACTERS } else { FEW_INTEGERS };
                rank.map_or(most, |it| it.min(most))
            }
        };
        if scan(shrinker, &base, at, n_simpler)? {
            return Ok(());
        }
    }
    Ok(())
}

/// All values of a choice up to a rank.
fn scan(shrinker: &mut Shrinker<'_>, base: &Trail, at: usize, n_simpler: u128) -> Step {
    let kind = base.choices[at].kind();
    for simpler in 0..n_simpler {
        let value = shrinker.source.kinds_mut().unrank(kind, &Rank::Small(simpler));
        let Some(value) = value else { continue };
        if shrinker.attempt(base, &Patch::set([(at, value)]), Hope::Simpler)? {
            return Ok(true);
        }
    }
    Ok(false)
}

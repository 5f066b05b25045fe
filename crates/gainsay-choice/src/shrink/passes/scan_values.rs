//! Tries all simpler values of a choice where they are few: failing values may be so sparse that no
//! step leads from one to the next.

use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::values::has_passing_larger_value;
use super::super::{AttemptResult, Shrinker, TerminationReason};
use crate::case::ChoiceSequence;
use crate::kind::ChoiceClass;
use crate::value::ValueRank;

/// The number of values that are tried in total.
const MAX_TRIED: u128 = 512;

/// How many values are tried for a choice with more simpler ones than that: for a character, and
/// for an integer of which some larger value passes.
const FEW_CHARACTERS: u128 = 256;
const FEW_INTEGERS: u128 = 768;

/// The maximum number of choices that are scanned in this way.
const MAX_RARE: u32 = 2;

/// From the first choice, which weighs most in shortlex order, each from the simplest value up.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    let mut n_left = MAX_TRIED;
    let mut n_rare = 0;
    for at in 0..base.choices.len() {
        let class = base.choices[at].class();
        if !matches!(class, ChoiceClass::Integer | ChoiceClass::Char)
            || shrinker.is_trivial(&base, at)
        {
            continue;
        }
        let n_simpler = match shrinker.rank_at(&base, at) {
            Some(rank) if rank <= n_left => {
                n_left -= rank;
                rank
            }
            rank => {
                n_rare += 1;
                if n_rare > MAX_RARE
                    // If all larger integers fail as well, the failing ones are above a bound, and
                    // lowering has already found it. A scan pays only where failing values are
                    // sparse.
                    || (class != ChoiceClass::Char
                        && !has_passing_larger_value(shrinker, &base, at)?)
                {
                    continue;
                }
                let most =
                    if class == ChoiceClass::Char { FEW_CHARACTERS } else { FEW_INTEGERS };
                rank.map_or(most, |it| it.min(most))
            }
        };
        if scan(shrinker, &base, at, n_simpler)? {
            return Ok(());
        }
    }
    Ok(())
}

/// Tries the values of a choice below a rank.
fn scan(
    shrinker: &mut Shrinker<'_>,
    base: &ChoiceSequence,
    at: usize,
    n_simpler: u128,
) -> AttemptResult {
    let kind = base.choices[at].kind();
    for simpler in 0..n_simpler {
        let value = shrinker.source.kinds_mut().unrank(kind, &ValueRank::Small(simpler));
        let Some(value) = value else { continue };
        if shrinker.attempt(
            base,
            &CandidatePatch::set([(at, value)]),
            CandidateFilter::IfSimpler,
        )? {
            return Ok(true);
        }
    }
    Ok(false)
}

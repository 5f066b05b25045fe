//! Lowers values by rank: those with few simpler ones, or without arithmetic.

use std::rc::Rc;

use super::super::integer_search::find_integer;
use super::super::{AttemptResult, Shrinker, TerminationReason};
use crate::case::ChoiceSequence;
use crate::kind::KindId;
use crate::value::ValueRank;

/// At most this many simpler values are tried one by one.
const FEW: u128 = 12;

/// Lowers choices of equal value together.
pub(super) fn lower(
    shrinker: &mut Shrinker<'_>,
    base: &Rc<ChoiceSequence>,
    at: &[usize],
) -> Result<(), TerminationReason> {
    let Some(mut rank) = shrinker.rank_at(base, at[0]) else { return Ok(()) };
    let kind = base.choices[at[0]].kind();
    for simple in 0..rank.min(FEW) {
        if try_rank(shrinker, base, at, kind, simple)? {
            return Ok(());
        }
    }
    // All simpler values were tried.
    if rank <= FEW {
        return Ok(());
    }
    let start = rank;
    // Halving assumes that failures are monotone in the rank, which is only likely.
    let n_halved = find_integer(|k| {
        let lower = u32::try_from(k).ok().and_then(|it| start.checked_shr(it)).unwrap_or(0);
        // Ranks below `FEW` were all tried above.
        if lower < FEW { Ok(false) } else { try_rank(shrinker, base, at, kind, lower) }
    })?;
    rank = start >> n_halved;
    find_integer(|k| match rank.checked_sub(k as u128) {
        Some(lower) if lower >= FEW => try_rank(shrinker, base, at, kind, lower),
        Some(_) | None => Ok(false),
    })?;
    Ok(())
}

fn try_rank(
    shrinker: &mut Shrinker<'_>,
    base: &ChoiceSequence,
    at: &[usize],
    kind: KindId,
    rank: u128,
) -> AttemptResult {
    match shrinker.source.kinds_mut().unrank(kind, &ValueRank::Small(rank)) {
        Some(value) => shrinker.set_all(base, at, value),
        None => Ok(false),
    }
}

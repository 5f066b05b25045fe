//! Values with few simpler ones, or with no arithmetic: lowered by rank.

use std::rc::Rc;

use super::super::find::find_integer;
use super::super::{End, Shrinker, Step};
use crate::case::Trail;
use crate::kind::KindId;
use crate::value::Rank;

/// Up to so many simpler values are tried one by one.
const FEW: u128 = 12;

/// Lowers choices of equal value together.
pub(super) fn lower(
    shrinker: &mut Shrinker<'_>,
    base: &Rc<Trail>,
    at: &[usize],
) -> Result<(), End> {
    let Some(mut rank) = shrinker.rank_at(base, at[0]) else { return Ok(()) };
    let kind = base.choices[at[0]].kind();
    for simple in 0..rank.min(FEW) {
        if try_rank(shrinker, base, at, kind, simple)? {
            return Ok(());
        }
    }
    if rank <= FEW {
        return Ok(());
    }
    let start = rank;
    let n_halved = find_integer(|k| {
        let lower = u32::try_from(k).ok().and_then(|it| start.checked_shr(it)).unwrap_or(0);
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
    base: &Trail,
    at: &[usize],
    kind: KindId,
    rank: u128,
) -> Step {
    match shrinker.source.kinds_mut().unrank(kind, &Rank::Small(rank)) {
        Some(value) => shrinker.put(base, at, value),
        None => Ok(false),
    }
}

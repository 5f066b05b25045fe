//! Integers in a range. Those nearer to a target are simpler; at equal distance, the one above it.

mod sample;

use std::sync::Arc;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{Signed, ToPrimitive, Zero};

use self::sample::EdgeValues;
use super::Cardinality;
use crate::value::{BigIntArena, ChoiceValue, ValueRank};

/// A pool of values that may be drawn again: those of one type in one case. Pools are numbered from
/// 0 without large gaps.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub struct PoolId(pub u32);

/// An integer in a non-empty range.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IntegerKind {
    /// The bounds within 64 bits; `lo > hi` if all members are outside.
    pub(crate) lo: i64,
    pub(crate) hi: i64,
    pub(crate) towards: i64,
    pub(crate) pool: Option<PoolId>,
    /// The caller's constants; `edges` combines them with the bounds and other frequent values.
    constants: Arc<[i64]>,
    edges: EdgeValues,
    /// Whether a bound at the end of 64 bits is no bound: the range goes on, or did before it was
    /// narrowed.
    is_open_ended: bool,
    /// The full range, if it has members beyond 64 bits.
    wide: Option<Box<WideRange>>,
}

/// A range with members beyond 64 bits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct WideRange {
    min: Option<BigInt>,
    max: Option<BigInt>,
    towards: BigInt,
    edges: Vec<BigInt>,
}

impl IntegerKind {
    /// All integers.
    pub fn any() -> Self {
        IntegerKind::range(None, None).expect("the integers are not empty")
    }

    /// The integers from `min` to `max`, inclusive; `None` if there are none.
    pub fn between(min: i64, max: i64) -> Option<Self> {
        IntegerKind::range(Some(min.into()), Some(max.into()))
    }

    /// The integers from `min` to `max`, inclusive, where given; `None` if there are none.
    pub fn range(min: Option<BigInt>, max: Option<BigInt>) -> Option<Self> {
        Self::unedged_range(min, max).map(Self::with_recomputed_edges)
    }

    /// A range whose edges are not computed yet.
    fn unedged_range(min: Option<BigInt>, max: Option<BigInt>) -> Option<Self> {
        if let (Some(min), Some(max)) = (&min, &max)
            && min > max
        {
            return None;
        }
        // Zero is the simplest integer unless the range or the caller says otherwise.
        let towards = nearest(&BigInt::zero(), min.as_ref(), max.as_ref());
        let lo = min.as_ref().map_or(Some(i64::MIN), BigInt::to_i64);
        let hi = max.as_ref().map_or(Some(i64::MAX), BigInt::to_i64);
        let is_small = min.is_some() && max.is_some() && lo.is_some() && hi.is_some();
        let below = |it: &Option<BigInt>| it.as_ref().is_some_and(Signed::is_negative);
        Some(
            IntegerKind {
                // If the lower bound is above 64 bits, or the upper one below, there is no small
                // member.
                lo: lo.unwrap_or(if below(&min) { i64::MIN } else { i64::MAX }),
                hi: hi.unwrap_or(if below(&max) { i64::MIN } else { i64::MAX }),
                towards: saturated(&towards),
                pool: None,
                constants: Arc::default(),
                edges: EdgeValues::default(),
                is_open_ended: !is_small,
                wide: (!is_small)
                    .then(|| Box::new(WideRange { min, max, towards, edges: Vec::new() })),
            }
            .normalized_small_range(),
        )
    }

    /// Sets the simplest value to a target, or to the member nearest to it.
    #[must_use]
    pub fn towards(mut self, target: impl Into<BigInt>) -> Self {
        let target = target.into();
        if let Some(wide) = &mut self.wide {
            wide.towards = nearest(&target, wide.min.as_ref(), wide.max.as_ref());
            self.towards = saturated(&wide.towards);
        } else {
            self.towards = saturated(&target).clamp(self.lo, self.hi);
        }
        self.with_recomputed_edges()
    }

    /// Sets values that are drawn often, such as constants of the code under test.
    #[must_use]
    pub fn with_edges(mut self, edges: impl IntoIterator<Item = BigInt>) -> Self {
        let (small, big): (Vec<_>, Vec<_>) =
            edges.into_iter().partition(|it| it.to_i64().is_some());
        let mut small: Vec<i64> = small.iter().filter_map(BigInt::to_i64).collect();
        // Sorted, so that kinds with the same constants are equal in whatever order they were
        // found.
        small.sort_unstable();
        small.dedup();
        self.constants = small.into();
        if let Some(wide) = &mut self.wide {
            wide.edges = big.into_iter().filter(|it| wide_contains(wide, it)).collect();
            wide.edges.sort();
            wide.edges.dedup();
        }
        self.with_recomputed_edges()
    }

    /// Draws repeated values from a pool, and adds new ones to it.
    #[must_use]
    pub fn in_pool(mut self, pool: PoolId) -> Self {
        self.pool = Some(pool);
        self
    }

    /// The members between two further bounds; `None` if there are none.
    pub(crate) fn within(&self, min: i64, max: i64) -> Option<Self> {
        let (lo, hi) = (self.lo.max(min), self.hi.min(max));
        (lo <= hi).then(|| IntegerKind {
            lo,
            hi,
            towards: self.small_target(lo, hi),
            pool: self.pool,
            constants: Arc::clone(&self.constants),
            // Share the list: building one per draw would be slow, and `sample_edge` falls back to
            // the bounds for edges outside them.
            edges: self.edges.clone(),
            is_open_ended: self.is_open_ended,
            // The bounds fit 64 bits now, whatever the kind was before.
            wide: None,
        })
    }

    /// The members between two further bounds of any size; `None` if there are none.
    pub(crate) fn within_wide(
        &self,
        min: Option<&BigInt>,
        max: Option<&BigInt>,
    ) -> Option<Self> {
        let (own_min, own_max) = self.bounds();
        let min = own_min.into_iter().chain(min.cloned()).max();
        let max = own_max.into_iter().chain(max.cloned()).min();
        let mut narrow = IntegerKind::unedged_range(min, max)?;
        if let Some(wide) = &mut narrow.wide {
            let own = self.wide.iter().flat_map(|it| it.edges.iter());
            wide.edges = own.filter(|it| wide_contains(wide, it)).cloned().collect();
            wide.towards = nearest(&self.target(), wide.min.as_ref(), wide.max.as_ref());
            narrow.towards = saturated(&wide.towards);
        } else {
            narrow.towards = saturated(&self.target()).clamp(narrow.lo, narrow.hi);
        }
        narrow.pool = self.pool;
        narrow.constants = Arc::clone(&self.constants);
        // Shared as in `within`.
        narrow.edges = self.edges.clone();
        Some(narrow)
    }

    /// The bounds, where there are any.
    pub(crate) fn bounds(&self) -> (Option<BigInt>, Option<BigInt>) {
        match &self.wide {
            None => (Some(self.lo.into()), Some(self.hi.into())),
            Some(wide) => (wide.min.clone(), wide.max.clone()),
        }
    }

    /// The simplest member.
    pub(crate) fn target(&self) -> BigInt {
        self.wide.as_ref().map_or_else(|| self.towards.into(), |it| it.towards.clone())
    }

    pub(super) fn simplest(&self, bigs: &mut BigIntArena) -> ChoiceValue {
        match &self.wide {
            None => ChoiceValue::Small(self.towards),
            Some(wide) => bigs.intern(wide.towards.clone()),
        }
    }

    pub(super) fn permits(&self, value: ChoiceValue, bigs: &BigIntArena) -> bool {
        match (value, &self.wide) {
            (ChoiceValue::Small(small), _) => (self.lo..=self.hi).contains(&small),
            (ChoiceValue::Big(_), None) => false,
            (ChoiceValue::Big(id), Some(wide)) => wide_contains(wide, bigs.big(id)),
        }
    }

    // Values alternate above and below the target t up to the nearer bound, then continue on the
    // longer side:
    //
    //   m = the smaller distance from the target t to a bound,  d = |v − t|
    //
    //   d ≤ m, v > t:  rank v = 2d − 1      d ≤ m, v ≤ t:  rank v = 2d      d > m:  rank v = m + d
    pub(super) fn rank(&self, value: ChoiceValue, bigs: &BigIntArena) -> ValueRank {
        if let (ChoiceValue::Small(small), None) = (value, &self.wide) {
            return ValueRank::Small(self.small_rank(small));
        }
        let offset = bigs.integer(value) - self.target();
        let (sign, distance) = offset.into_parts();
        let rank = match self.shorter_side() {
            Some(side) if distance > side => side + distance,
            Some(_) | None if sign == Sign::Plus => distance * 2u32 - 1u32,
            Some(_) | None => distance * 2u32,
        };
        ValueRank::of(rank)
    }

    pub(super) fn unrank(
        &self,
        rank: &ValueRank,
        bigs: &mut BigIntArena,
    ) -> Option<ChoiceValue> {
        let rank = rank.number();
        let (below, _) = self.sides();
        let target = self.target();
        let result = match self.shorter_side() {
            Some(side) if rank > &side * 2u32 => {
                let distance = BigInt::from(rank - &side);
                // Beyond the shorter side there is only one direction left.
                let upwards = below.is_some_and(|it| it == side);
                if upwards { target + distance } else { target - distance }
            }
            Some(_) | None if rank.bit(0) => target + BigInt::from((rank + 1u32) / 2u32),
            Some(_) | None => target - BigInt::from(rank / 2u32),
        };
        let value = bigs.intern(result);
        self.permits(value, bigs).then_some(value)
    }

    pub(super) fn project(&self, value: ChoiceValue, bigs: &mut BigIntArena) -> ChoiceValue {
        match (&self.wide, value) {
            (None, ChoiceValue::Small(small)) => {
                ChoiceValue::Small(small.clamp(self.lo, self.hi))
            }
            (None, ChoiceValue::Big(id)) => {
                let is_low = bigs.big(id).is_negative();
                ChoiceValue::Small(if is_low { self.lo } else { self.hi })
            }
            (Some(wide), value) => {
                let integer = bigs.integer(value);
                let (min, max) = (wide.min.as_ref(), wide.max.as_ref());
                bigs.intern(nearest(&integer, min, max))
            }
        }
    }

    pub(super) fn cardinality(&self) -> Cardinality {
        if self.wide.is_some() {
            return Cardinality::Large;
        }
        // Wrapping gives the right width as an unsigned number, even for all of 64 bits.
        let width = self.hi.wrapping_sub(self.lo) as u64;
        width.checked_add(1).map_or(Cardinality::Large, Cardinality::Finite)
    }

    fn small_rank(&self, value: i64) -> u128 {
        let distance = u128::from(value.abs_diff(self.towards));
        let below = u128::from(self.towards.abs_diff(self.lo));
        let above = u128::from(self.hi.abs_diff(self.towards));
        let side = below.min(above);
        if distance > side {
            side + distance
        } else if value > self.towards {
            2 * distance - 1
        } else {
            2 * distance
        }
    }

    /// How far the range extends below and above its target; `None` where unbounded.
    fn sides(&self) -> (Option<BigUint>, Option<BigUint>) {
        let (min, max) = self.bounds();
        let target = self.target();
        let side = |bound: Option<BigInt>| bound.map(|it| (it - &target).magnitude().clone());
        (side(min), side(max))
    }

    fn shorter_side(&self) -> Option<BigUint> {
        let (below, above) = self.sides();
        below.into_iter().chain(above).min()
    }

    /// The target clamped to two small bounds.
    #[inline(always)]
    fn small_target(&self, lo: i64, hi: i64) -> i64 {
        self.towards.max(lo).min(hi)
    }

    fn with_recomputed_edges(mut self) -> Self {
        // An empty small range is written `lo > hi`; the target is then `lo`.
        let target = self.small_target(self.lo, self.hi.max(self.lo));
        self.edges = EdgeValues::new(self.lo, self.hi, target, &self.constants);
        self
    }

    fn normalized_small_range(mut self) -> Self {
        if let Some(wide) = &self.wide
            && !(wide_contains(wide, &self.lo.into()) && wide_contains(wide, &self.hi.into()))
        {
            // A range that lies wholly beyond 64 bits on one side has no small member.
            (self.lo, self.hi) = (1, 0);
        }
        self
    }
}

/// The nearest integer within 64 bits.
fn saturated(integer: &BigInt) -> i64 {
    integer.to_i64().unwrap_or(if integer.is_negative() { i64::MIN } else { i64::MAX })
}

fn wide_contains(wide: &WideRange, integer: &BigInt) -> bool {
    wide.min.as_ref().is_none_or(|it| it <= integer)
        && wide.max.as_ref().is_none_or(|it| integer <= it)
}

/// The integer within the bounds that is nearest to a given one.
fn nearest(integer: &BigInt, min: Option<&BigInt>, max: Option<&BigInt>) -> BigInt {
    match (min, max) {
        (Some(min), _) if integer < min => min.clone(),
        (_, Some(max)) if integer > max => max.clone(),
        _ => integer.clone(),
    }
}

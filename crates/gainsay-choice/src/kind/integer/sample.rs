//! Sampling of integers: mostly uniform in ranges with two bounds, by magnitude in others; edges
//! and earlier values often; in scheduled cases, bounds and their neighbors. The bias of the case
//! sets the proportions. This is the hot path of a search, so one random number decides everything,
//! with few branches.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::ToPrimitive as _;

use super::{IntegerKind, WideRange, nearest};
use crate::bias::{CaseBias, MagnitudeBias, SignBias};
use crate::case_size::MAX_SIZE;
use crate::random::{Random, scale};
use crate::source::ValuePools;
use crate::value::{BigIntArena, ChoiceValue};

/// Draws in 256 that are edges: in ranges without two bounds, and in those with two. The latter
/// also get scheduled boundary values.
const OPEN_EDGES: u8 = 38;
const BOUNDED_EDGES: u8 = 24;

/// Up to this width a range is sampled uniformly, since its edges occur often enough anyway.
const NARROW: u64 = 15;

/// In place of a bit width: uniform in the range.
const EVENLY: u8 = 64;
/// In place of a bit width: up to the size of the case.
const BY_SIZE: u8 = 65;

const N_SIZES: usize = MAX_SIZE as usize + 1;

/// Bit widths of magnitudes, by size and by five random bits.
type BitWidths = [[u8; 32]; N_SIZES];

/// For each bias, the widths in ranges with two bounds, and in others. Indexed by the discriminant
/// of [`MagnitudeBias`].
static BOUNDED: [BitWidths; 4] = [
    widths(MagnitudeBias::Mixed, 29),
    widths(MagnitudeBias::Tiny, 26),
    widths(MagnitudeBias::BySize, 26),
    widths(MagnitudeBias::Large, 32),
];
static OPEN: [BitWidths; 4] = [
    widths(MagnitudeBias::Mixed, 0),
    widths(MagnitudeBias::Tiny, 0),
    widths(MagnitudeBias::BySize, 0),
    widths(MagnitudeBias::Large, 0),
];

/// In mixed cases, half of the numbers are small, and the others of any width that the size of the
/// case allows; `n_even` of 32 entries are uniform instead.
const fn widths(magnitudes: MagnitudeBias, n_even: usize) -> BitWidths {
    let mut table = [[EVENLY; 32]; N_SIZES];
    let mut size = 0;
    while size < N_SIZES {
        let small = usize::BITS as usize - size.leading_zeros() as usize + 1;
        let large = if size + 4 > 63 { 63 } else { size + 4 };
        let mut at = 0;
        while at < 32 - n_even {
            table[size][at] = match magnitudes {
                // Small widths come first, so that they survive when `n_even` cuts off the rest.
                MagnitudeBias::Mixed if at < 16 => 1 + at % small,
                // 37 is odd, so this permutes 1..=16 and mixes wide and narrow magnitudes.
                MagnitudeBias::Mixed => (at * 37 % 16 + 1) * large / 16,
                MagnitudeBias::Tiny if at < 28 => 2,
                MagnitudeBias::Tiny => small,
                MagnitudeBias::BySize if at < 28 => BY_SIZE as usize,
                MagnitudeBias::BySize => large,
                MagnitudeBias::Large => 63 - at % 32,
            } as u8;
            at += 1;
        }
        size += 1;
    }
    table
}

impl IntegerKind {
    /// A member, by the distribution for cases of a size.
    #[inline]
    pub(crate) fn sample(
        &self,
        random: &mut Random,
        size: u32,
        bias: CaseBias,
        pools: &mut ValuePools,
        bigs: &mut BigIntArena,
    ) -> ChoiceValue {
        let bits = random.next();
        if let Some(wide) = &self.wide
            && let Some(big) = self.sample_wide(wide, bits, (size, bias), random, pools)
        {
            return bigs.intern(big);
        }
        ChoiceValue::Small(self.sample_bits(self.lo, self.hi, bits, size, bias, pools))
    }

    /// A member beyond 64 bits: occasionally, and always if there are no others.
    #[inline]
    fn sample_wide(
        &self,
        wide: &WideRange,
        bits: u64,
        (size, bias): (u32, CaseBias),
        random: &mut Random,
        pools: &mut ValuePools,
    ) -> Option<BigInt> {
        if let Some(bound) = wide.scheduled_boundary(pools) {
            return Some(bound);
        }
        let is_bounded = wide.min.is_some() && wide.max.is_some();
        let share = match bias.magnitudes() {
            // There is no small member to draw instead.
            _ if self.lo > self.hi => 128,
            _ if is_bounded => 72,
            MagnitudeBias::Large => 24,
            _ if size < 20 => 0,
            MagnitudeBias::Mixed | MagnitudeBias::BySize => 1,
            MagnitudeBias::Tiny => 0,
        };
        let fits = |it: &BigInt| super::wide_contains(wide, it);
        // Big values repeat as often as smaller numbers do.
        if pools.has_bigs()
            && is_repeat(bits, pools)
            && let Some(again) = pools.recall_big(bits >> 9).filter(fits)
        {
            return Some(again);
        }
        // Other bits than those that decided about repeats, or the two would correlate.
        if bits >> 9 & 127 >= share {
            return None;
        }
        let fresh = sample_big(wide, random);
        pools.remember_big(&fresh);
        Some(fresh)
    }

    /// A member between two bounds within 64 bits; requires `lo <= hi`.
    #[inline]
    pub(crate) fn sample_within(
        &self,
        lo: i64,
        hi: i64,
        random: &mut Random,
        (size, bias): (u32, CaseBias),
        pools: &mut ValuePools,
    ) -> i64 {
        self.sample_bits(lo, hi, random.next(), size, bias, pools)
    }

    #[inline(always)]
    fn sample_bits(
        &self,
        lo: i64,
        hi: i64,
        bits: u64,
        size: u32,
        bias: CaseBias,
        pools: &mut ValuePools,
    ) -> i64 {
        if let Some(turn) = pools.next_boundary_index()
            && let Some(bound) = self.boundary_value(lo, hi, turn)
        {
            return bound;
        }
        let Some(pool) = self.pool else { return self.sample_fresh(lo, hi, bits, size, bias) };
        let recalled =
            if is_repeat(bits, pools) { pools.recall(pool, bits >> 9) } else { None };
        let value = match recalled {
            Some(value) if (lo..=hi).contains(&value) => value,
            Some(_) | None => self.sample_fresh(lo, hi, bits, size, bias),
        };
        // Repeated values are remembered again, which keeps frequent ones from being forgotten.
        pools.remember(pool, value);
        value
    }

    /// A bound or a neighbor of one; `None` for narrow and unbounded ranges, where it would occur
    /// anyway or does not exist.
    #[cold]
    fn boundary_value(&self, lo: i64, hi: i64, turn: u32) -> Option<i64> {
        if hi.wrapping_sub(lo) as u64 <= NARROW {
            return None;
        }
        let is_open = |end| self.is_open_ended && end;
        match (is_open(lo == i64::MIN), is_open(hi == i64::MAX)) {
            (false, false) => Some([lo, hi, lo + 1, hi - 1][turn as usize % 4]),
            (false, true) => Some([lo, lo + 1][turn as usize % 2]),
            (true, false) => Some([hi, hi - 1][turn as usize % 2]),
            (true, true) => None,
        }
    }

    #[inline(always)]
    fn sample_fresh(&self, lo: i64, hi: i64, bits: u64, size: u32, bias: CaseBias) -> i64 {
        let width = hi.wrapping_sub(lo) as u64;
        // The low bits decide how to sample; multiplying spreads all bits so that the value does
        // not correlate with that decision.
        let spread = bits.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if width <= NARROW {
            return lo.wrapping_add(scale(spread, width + 1) as i64);
        }
        // A range that reaches the end of 64 bits is as good as unbounded.
        let is_open = (lo == i64::MIN) | (hi == i64::MAX);
        if (bits as u8) < (if is_open { OPEN_EDGES } else { BOUNDED_EDGES }) {
            return self.sample_edge(lo, hi, spread);
        }
        let tables = if is_open { &OPEN } else { &BOUNDED };
        let widths = &tables[bias.magnitudes() as usize][size.min(MAX_SIZE) as usize];
        let n_bits = widths[(bits >> 16 & 31) as usize];
        if n_bits == EVENLY {
            return lo.wrapping_add(scale(spread, width.saturating_add(1)) as i64);
        }
        let target = self.small_target(lo, hi);
        let above = hi.wrapping_sub(target) as u64;
        let below = target.wrapping_sub(lo) as u64;
        let upwards = match bias.signs() {
            SignBias::Mixed => bits >> 8 & 1 == 0,
            SignBias::Above => true,
            SignBias::Below => false,
        };
        // Where one side is empty, the other is taken, whatever the bias says.
        let upwards = upwards & (above > 0) | (below == 0);
        let side = if upwards { above } else { below };
        let cap = if n_bits == BY_SIZE { u64::from(size) + 1 } else { 1u64 << n_bits };
        let magnitude = scale(spread, cap.min(side.saturating_add(1))) as i64;
        target.wrapping_add(if upwards { magnitude } else { magnitude.wrapping_neg() })
    }

    #[inline]
    fn sample_edge(&self, lo: i64, hi: i64, spread: u64) -> i64 {
        let edge = self.edges.at(spread);
        // The end of 64 bits is no bound of a range that goes on.
        let is_open = |end| self.is_open_ended && end;
        match (lo..=hi).contains(&edge) {
            true => edge,
            false if is_open(hi == i64::MAX) => lo,
            false if is_open(lo == i64::MIN) => hi,
            false if spread & 1 == 0 => lo,
            false => hi,
        }
    }
}

/// Whether to repeat an earlier value. Repeats take the byte values after those of edges, and
/// displace edges (by wrapping around) only at very high rates.
#[inline(always)]
fn is_repeat(bits: u64, pools: &ValuePools) -> bool {
    (bits as u8).wrapping_sub(OPEN_EDGES) < pools.repeat_rate()
}

/// Values that are drawn often: bounds and their neighbors, numbers around the target and 0,
/// powers of two and their neighbors; and the caller's constants, which make up about half. An
/// entry's multiplicity in the list is its weight.
#[derive(Debug, Clone, Default)]
pub(super) struct EdgeValues(Arc<[i64]>);

/// Narrower ranges share the list of the wider one and are compared often, so try the pointer
/// first.
impl PartialEq for EdgeValues {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Eq for EdgeValues {}

impl Hash for EdgeValues {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Kinds differ in more than their edges: the length is enough, and the list may be long.
        self.0.len().hash(state);
    }
}

impl EdgeValues {
    pub(super) fn new(lo: i64, hi: i64, target: i64, constants: &[i64]) -> Self {
        let near = |it: i64| [it, it.saturating_add(1), it.saturating_sub(1)];
        let mut edges: Vec<i64> = vec![lo, hi, lo.saturating_add(1), hi.saturating_sub(1)];
        edges.extend(near(target).into_iter().chain(near(0)));
        edges.sort_unstable();
        edges.dedup();
        // The few edges at the bounds weigh as much as the many powers of two.
        let mut edges = edges.repeat(8);
        let powers = (2..63).map(|it| 1i64 << it);
        edges.extend(powers.flat_map(|it| [near(it), near(-it)]).flatten());
        edges.retain(|it| (lo..=hi).contains(it));
        let n_repeats = edges.len() / (3 * constants.len()).max(1);
        for constant in constants.iter().flat_map(|it| near(*it)) {
            if (lo..=hi).contains(&constant) {
                edges.extend(std::iter::repeat_n(constant, n_repeats.max(1)));
            }
        }
        // `at` needs an entry; this only happens if there is no small member.
        if edges.is_empty() {
            edges.push(target);
        }
        EdgeValues(edges.into())
    }

    /// The entry selected by some random bits.
    #[inline]
    fn at(&self, bits: u64) -> i64 {
        self.0[scale(bits, self.0.len() as u64) as usize]
    }
}

impl WideRange {
    /// A bound beyond 64 bits or its neighbor, in half of the scheduled boundary cases; the other
    /// half is for bounds within 64 bits.
    #[inline]
    fn scheduled_boundary(&self, pools: &mut ValuePools) -> Option<BigInt> {
        if self.min.is_none() && self.max.is_none() {
            return None;
        }
        let turn = pools.next_boundary_index()?;
        let is_beyond = |it: &&BigInt| it.to_i64().is_none();
        let min = self.min.as_ref().filter(is_beyond).map(|it| (it, 1));
        let max = self.max.as_ref().filter(is_beyond).map(|it| (it, -1));
        let (bound, inwards) = if turn & 2 == 0 { max } else { min }?;
        let boundary = if turn & 1 == 0 { bound.clone() } else { bound + inwards };
        // In a range of one integer there is no neighbor.
        Some(nearest(&boundary, self.min.as_ref(), self.max.as_ref()))
    }
}

#[cold]
fn sample_big(wide: &WideRange, random: &mut Random) -> BigInt {
    let bits = random.next();
    if !wide.edges.is_empty() && bits & 3 == 0 {
        return wide.edges[scale(bits, wide.edges.len() as u64) as usize].clone();
    }
    if let (Some(min), Some(max)) = (&wide.min, &wide.max)
        && bits & 4 == 0
    {
        // Half of the draws are uniform where a uniform draw is possible.
        return min + below(&(max - min + 1u32), random);
    }
    let sign = if bits & 8 == 0 { Sign::Plus } else { Sign::Minus };
    let offset = if bits & 16 == 0 {
        // A power of two or a neighbor of one, including the border of 64 bits.
        let power = BigInt::from_biguint(sign, BigUint::from(1u32) << (62 + scale(bits, 68)));
        power + [0, 0, 1, -1][(bits >> 5 & 3) as usize]
    } else {
        BigInt::from_biguint(sign, random_digits(3, random))
    };
    let (min, max) = (wide.min.as_ref(), wide.max.as_ref());
    nearest(&(&wide.towards + offset), min, max)
}

/// A number from 0 to below `n`, uniform up to a bias of 2^-64.
fn below(n: &BigInt, random: &mut Random) -> BigInt {
    let n_digits = n.bits().div_ceil(32) + 2;
    let n_bits = 32 * n_digits;
    (BigInt::from(random_digits(n_digits, random)) * n) >> n_bits
}

fn random_digits(n: u64, random: &mut Random) -> BigUint {
    BigUint::new((0..n).map(|_| random.next() as u32).collect())
}

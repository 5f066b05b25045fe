//! How integers are drawn: edges and earlier values often, small magnitudes often, and now and
//! then anything.

use num_bigint::{BigInt, BigUint, Sign};

use super::{Integer, Wide, nearest};
use crate::random::{Random, scale};
use crate::source::Pools;
use crate::value::{Bigs, Value};

/// Of 256 draws, how many are edges, and how many are values drawn before.
const EDGES: u64 = 38;
const AGAIN: u64 = 38;

/// Up to this width a range is drawn evenly, for its edges come up anyway.
const NARROW: u64 = 15;

impl Integer {
    /// A member, by the distribution for cases of a size.
    #[inline]
    pub(crate) fn sample(
        &self,
        random: &mut Random,
        size: u32,
        pools: &mut Pools,
        bigs: &mut Bigs,
    ) -> Value {
        if let Some(wide) = &self.wide
            && let Some(value) = self.sample_beyond(wide, random, size, bigs)
        {
            return value;
        }
        Value::Small(self.sample_within(self.lo, self.hi, random, size, pools))
    }

    /// A member between two bounds within 64 bits; `lo <= hi`.
    #[inline]
    pub(crate) fn sample_within(
        &self,
        lo: i64,
        hi: i64,
        random: &mut Random,
        size: u32,
        pools: &mut Pools,
    ) -> i64 {
        let bits = random.next();
        let Some(pool) = self.pool else {
            return self.sample_fresh(lo, hi, bits, random, size);
        };
        let again = (bits & 0xff).wrapping_sub(EDGES) < AGAIN;
        let recalled = if again { pools.recall(pool, bits >> 8) } else { None };
        let value = match recalled {
            Some(value) if (lo..=hi).contains(&value) => value,
            Some(_) | None => self.sample_fresh(lo, hi, bits, random, size),
        };
        pools.keep(pool, value);
        value
    }

    #[inline]
    fn sample_fresh(&self, lo: i64, hi: i64, bits: u64, random: &mut Random, size: u32) -> i64 {
        let width = hi.wrapping_sub(lo) as u64;
        // The upper bits decide the value, the lowest byte how it is drawn.
        let upper = bits & !0xff;
        if width <= NARROW {
            return lo.wrapping_add(scale(upper, width + 1) as i64);
        }
        if bits & 0xff < EDGES {
            return self.sample_edge(lo, hi, random);
        }
        let size = u64::from(size);
        let target = self.small_target(lo, hi);
        let above = hi.wrapping_sub(target) as u64;
        let below = target.wrapping_sub(lo) as u64;
        let magnitude = match (bits >> 8) & 3 {
            0 | 1 => scale(upper, size + 3),
            2 if width < u64::MAX => {
                return lo.wrapping_add(random.below(width + 1) as i64);
            }
            _ => magnitude(random, (4 + size).min(64)),
        };
        let upwards = below == 0 || (above > 0 && (bits >> 10) & 1 == 0);
        let side = if upwards { above } else { below };
        let magnitude =
            if magnitude <= side { magnitude } else { magnitude % side.saturating_add(1) };
        if upwards {
            target.wrapping_add(magnitude as i64)
        } else {
            target.wrapping_sub(magnitude as i64)
        }
    }

    /// Bounds and their neighbours, numbers around 0, powers of two and their neighbours, and
    /// constants that the caller knows of.
    fn sample_edge(&self, lo: i64, hi: i64, random: &mut Random) -> i64 {
        let bits = random.next();
        let near = [0, 0, 1, -1][(bits >> 4 & 3) as usize];
        let edge = if !self.edges.is_empty() && bits & 1 == 0 {
            self.edges[scale(bits, self.edges.len() as u64) as usize].wrapping_add(near)
        } else {
            match (bits >> 1) & 7 {
                0 => lo,
                1 => hi,
                2 => lo.wrapping_add(1),
                3 => hi.wrapping_sub(1),
                4 => self.small_target(lo, hi).wrapping_add(near),
                5 => near,
                _ => {
                    let power = (1_i64 << scale(bits, 63)).wrapping_add(near);
                    if bits >> 6 & 1 == 0 { power } else { power.wrapping_neg() }
                }
            }
        };
        if (lo..=hi).contains(&edge) { edge } else { self.small_target(lo, hi) }
    }

    /// Now and then a member beyond 64 bits; always, if there are no others.
    #[inline]
    fn sample_beyond(
        &self,
        wide: &Wide,
        random: &mut Random,
        size: u32,
        bigs: &mut Bigs,
    ) -> Option<Value> {
        let has_small = self.lo <= self.hi;
        // Drawn for every size, so that a case has the same draws at any size.
        if has_small && (random.next() >> 57 != 0 || size < 20) {
            return None;
        }
        Some(bigs.value(sample_big(wide, random)))
    }
}

/// A number of up to so many bits, all widths being equally likely.
#[inline]
fn magnitude(random: &mut Random, max_bits: u64) -> u64 {
    let width = random.below(max_bits + 1);
    if width == 0 { 0 } else { random.next() >> (64 - width) }
}

#[cold]
fn sample_big(wide: &Wide, random: &mut Random) -> BigInt {
    let bits = random.next();
    if !wide.edges.is_empty() && bits & 1 == 0 {
        return wide.edges[scale(bits, wide.edges.len() as u64) as usize].clone();
    }
    let sign = if bits & 2 == 0 { Sign::Plus } else { Sign::Minus };
    let offset = if bits & 4 == 0 {
        // A power of two or a neighbour of one, the border of 64 bits among them.
        let power = BigInt::from_biguint(sign, BigUint::from(1u32) << (62 + scale(bits, 68)));
        power + [0, 0, 1, -1][(bits >> 4 & 3) as usize]
    } else {
        let digits = [random.next() as u32, random.next() as u32, random.next() as u32];
        BigInt::from_biguint(sign, BigUint::new(digits.to_vec()))
    };
    let (min, max) = (wide.min.as_ref(), wide.max.as_ref());
    nearest(&(&wide.towards + offset), min, max)
}

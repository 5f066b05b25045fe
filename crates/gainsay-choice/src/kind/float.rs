//! Floating-point numbers. In order of simplicity: whole numbers by magnitude, fractions by their
//! number of binary digits after the point, very large numbers, infinities, NaN. Positive before
//! negative.

use std::sync::Arc;

use crate::random::{Random, scale};
use crate::source::ValuePools;
use crate::value::ChoiceValue;

/// A floating-point number in a range. Bounds are in the total order, in which -0.0 is below 0.0.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FloatKind {
    min: u64,
    max: u64,
    nan: bool,
    /// Members that are drawn often.
    edges: Arc<[u64]>,
}

/// Numbers that often reveal bugs.
const SPECIAL: [f64; 19] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    0.1,
    f64::MIN_POSITIVE,
    f64::from_bits(1),
    f64::EPSILON,
    1.0 + f64::EPSILON,
    WHOLE as f64,
    WHOLE as f64 + 2.0,
    1e22,
    1e300,
    f64::MAX,
    f64::MIN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Ranges up to this width are sampled uniformly; wider ones favour small numbers.
const NARROW: f64 = 1e9;

/// Whole numbers below this are their own code.
const WHOLE: u64 = 1 << 53;
/// The codes of fractions have this bit, then the number of binary digits after the point, then the
/// digits without the last, which is always 1.
const FRACTION: u128 = 1 << 80;
/// The codes of larger numbers have this bit; the rest is their bit pattern.
const LARGE: u128 = 1 << 81;
/// The number of bits for the digits of a fraction.
const DIGITS: u32 = 53;
/// The rank of NaN, above all others.
const NAN_RANK: u128 = 1 << 84;

impl FloatKind {
    /// All finite numbers.
    pub fn finite() -> Self {
        FloatKind::of(f64::MIN, f64::MAX, NanMembership::Excluded)
    }

    /// All numbers, including infinities and NaN.
    pub fn any() -> Self {
        FloatKind::of(f64::NEG_INFINITY, f64::INFINITY, NanMembership::Included)
    }

    /// The numbers between two bounds, inclusive; `None` if there are none.
    pub fn between(min: f64, max: f64) -> Option<Self> {
        let is_range = !min.is_nan() && !max.is_nan() && min.total_cmp(&max).is_le();
        is_range.then(|| FloatKind::of(min, max, NanMembership::Excluded))
    }

    fn of(min: f64, max: f64, nan: NanMembership) -> Self {
        let nan = matches!(nan, NanMembership::Included);
        let bounds =
            FloatKind { min: min.to_bits(), max: max.to_bits(), nan, edges: Arc::new([]) };
        // Bounds and their neighbors: where a comparison with a bound is off, these tell.
        let near = [min, max, min.next_up(), max.next_down()];
        bounds.with_edges(near.into_iter().chain(SPECIAL))
    }

    /// Adds values that are drawn often, such as constants of the code under test.
    #[must_use]
    pub fn with_edges(mut self, edges: impl IntoIterator<Item = f64>) -> Self {
        let mut all = self.edges.to_vec();
        let own = edges.into_iter().map(f64::to_bits).filter(|it| self.permits(*it as i64));
        for edge in own {
            if !all.contains(&edge) {
                all.push(edge);
            }
        }
        self.edges = all.into();
        self
    }

    pub(super) fn simplest(&self) -> ChoiceValue {
        let (min, max) = (f64::from_bits(self.min), f64::from_bits(self.max));
        if min <= 0.0 && self.contains(0.0) {
            return value(0.0);
        }
        // The whole number nearest to zero, or else the bound nearest to zero.
        let whole = if min > 0.0 { min.ceil() } else { max.floor() };
        let bound = if min > 0.0 { min } else { max };
        value(if self.contains(whole) { whole } else { bound })
    }

    pub(super) fn permits(&self, bits: i64) -> bool {
        let float = f64::from_bits(bits as u64);
        if float.is_nan() {
            self.nan && bits == f64::NAN.to_bits() as i64
        } else {
            self.contains(float)
        }
    }

    // Not the index among the members: ranks in a narrow range have gaps. The simplest member has
    // rank 0 nevertheless, as the laws of kinds demand.
    pub(super) fn rank(&self, bits: i64) -> u128 {
        if ChoiceValue::Small(bits) == self.simplest() {
            return 0;
        }
        1 + plain_rank(f64::from_bits(bits as u64))
    }

    pub(super) fn unrank(&self, rank: u128) -> Option<ChoiceValue> {
        let Some(plain) = rank.checked_sub(1) else { return Some(self.simplest()) };
        let float = if plain == NAN_RANK {
            f64::NAN
        } else {
            let magnitude = decode(plain >> 1)?;
            if plain & 1 == 1 { -magnitude } else { magnitude }
        };
        let found = value(float);
        let ChoiceValue::Small(bits) = found else { return None };
        // A code that belongs to no number decodes to a number with another code.
        (self.permits(bits) && plain_rank(float) == plain && found != self.simplest())
            .then_some(found)
    }

    pub(super) fn project(&self, bits: i64) -> ChoiceValue {
        let float = f64::from_bits(bits as u64);
        let (min, max) = (f64::from_bits(self.min), f64::from_bits(self.max));
        if float.is_nan() {
            if self.nan { value(f64::NAN) } else { self.simplest() }
        } else if float.total_cmp(&min).is_lt() {
            value(min)
        } else if float.total_cmp(&max).is_gt() {
            value(max)
        } else {
            value(float)
        }
    }

    pub(crate) fn sample(&self, random: &mut Random, size: u32, pools: &mut ValuePools) -> i64 {
        let bits = random.next();
        let again = ((bits >> 16) as u8) < pools.repeat_rate();
        let recalled = if again { pools.recall_float(bits) } else { None };
        let drawn = recalled
            .filter(|it| self.permits(*it))
            .unwrap_or_else(|| self.sample_fresh(bits, random, size));
        pools.remember_float(drawn);
        drawn
    }

    fn sample_fresh(&self, bits: u64, random: &mut Random, size: u32) -> i64 {
        let float = match bits & 15 {
            0..=2 => {
                let edge = self.edges.get(scale(bits << 4, self.edges.len() as u64) as usize);
                edge.map_or(0.0, |it| f64::from_bits(*it))
            }
            4.. if self.is_narrow() => self.uniform(random),
            3..=5 => signed(bits, random.below(u64::from(size) + 3) as f64),
            6..=8 => {
                let denominators = [2.0, 4.0, 8.0, 10.0, 3.0, 100.0, 5.0, 16.0];
                let denominator = denominators[(bits >> 8 & 7) as usize];
                signed(bits, random.below(u64::from(size) * 8 + 16) as f64 / denominator)
            }
            9..=12 => signed(bits, moderate(random)),
            // Any bit pattern: exponents are uniform then, and subnormals and infinities occur.
            _ => f64::from_bits(random.next()),
        };
        self.project_random(float, random).to_bits() as i64
    }

    fn is_narrow(&self) -> bool {
        f64::from_bits(self.max) - f64::from_bits(self.min) <= NARROW
    }

    /// The number itself if it is a member, or else a member in a similar position in this range.
    fn project_random(&self, float: f64, random: &mut Random) -> f64 {
        if self.permits(float.to_bits() as i64) {
            return float;
        }
        if self.is_narrow() || !float.is_finite() {
            return self.uniform(random);
        }
        let (min, max) = (f64::from_bits(self.min), f64::from_bits(self.max));
        let float = float.abs();
        // Out of range, a number is counted from a bound instead of 0, and stays as simple.
        let candidates = [float, -float, min + float, max - float];
        let found = candidates.into_iter().find(|it| self.contains(*it));
        found.unwrap_or_else(|| self.uniform(random))
    }

    fn contains(&self, float: f64) -> bool {
        let (min, max) = (f64::from_bits(self.min), f64::from_bits(self.max));
        min.total_cmp(&float).is_le() && float.total_cmp(&max).is_le()
    }

    fn uniform(&self, random: &mut Random) -> f64 {
        let share = (random.next() >> 11) as f64 / (1u64 << 53) as f64;
        let min = f64::from_bits(self.min).max(f64::MIN);
        let max = f64::from_bits(self.max).min(f64::MAX);
        // Halve first: the width of the range may exceed `f64::MAX`.
        let float = min + (max / 2.0 - min / 2.0) * share * 2.0;
        let projected = self.project(float.to_bits() as i64);
        let ChoiceValue::Small(bits) = projected else { return min };
        f64::from_bits(bits as u64)
    }
}

/// Whether NaN is a member.
enum NanMembership {
    Included,
    Excluded,
}

/// A number with many digits that is neither very large nor very small: from 2^-32 to 2^64, all
/// magnitudes equally likely.
fn moderate(random: &mut Random) -> f64 {
    const MANTISSA_BITS: u32 = 52;
    let bits = random.next();
    let exponent = 1023 - 32 + scale(bits << MANTISSA_BITS, 96);
    f64::from_bits(exponent << MANTISSA_BITS | bits >> (64 - MANTISSA_BITS))
}

fn value(float: f64) -> ChoiceValue {
    ChoiceValue::Small(float.to_bits() as i64)
}

fn signed(bits: u64, float: f64) -> f64 {
    if bits >> 7 & 1 == 0 { float } else { -float }
}

fn plain_rank(float: f64) -> u128 {
    if float.is_nan() {
        return NAN_RANK;
    }
    encode(float.abs()) << 1 | u128::from(float.is_sign_negative())
}

/// The code of a non-negative number: larger codes are less simple.
fn encode(float: f64) -> u128 {
    // Beyond 2^53 every float is a whole number, but not every whole number a float: their bits are
    // in order and without gaps.
    if float >= WHOLE as f64 {
        return LARGE | u128::from(float.to_bits());
    }
    if float.fract() == 0.0 {
        return u128::from(float as u64);
    }
    let (digits, n_digits) = fraction(float);
    FRACTION | u128::from(n_digits) << DIGITS | u128::from(digits >> 1)
}

fn decode(code: u128) -> Option<f64> {
    if code & LARGE != 0 {
        return u64::try_from(code ^ LARGE).ok().map(f64::from_bits);
    }
    if code & FRACTION == 0 {
        return u64::try_from(code).ok().filter(|it| *it < WHOLE).map(|it| it as f64);
    }
    let n_digits = i32::try_from((code ^ FRACTION) >> DIGITS).ok().filter(|it| *it < 1100)?;
    let digits = ((code as u64) & (WHOLE - 1)) << 1 | 1;
    // In two steps: for subnormals, 2^-n_digits itself would underflow to 0.
    let near = n_digits.min(1000);
    Some(digits as f64 * 2.0_f64.powi(-near) * 2.0_f64.powi(near - n_digits))
}

/// A number as an odd integer, and how many of its binary digits are after the point.
pub(crate) fn fraction(float: f64) -> (u64, u32) {
    const MANTISSA_BITS: u32 = 52;
    let bits = float.to_bits();
    let exponent = (bits >> MANTISSA_BITS) as u32;
    let mantissa = bits & ((1 << MANTISSA_BITS) - 1);
    let digits = if exponent == 0 { mantissa } else { mantissa | 1 << MANTISSA_BITS };
    let n_zeros = digits.trailing_zeros();
    // A number is its mantissa times 2^(exponent - 1075).
    (digits >> n_zeros, 1075 - exponent.max(1) - n_zeros)
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn codes_lead_back() {
        for bits in (0..=0x7ff0_0000_0000_0000u64).step_by(0x0000_1357_9bdf_1357) {
            let float = f64::from_bits(bits);
            assert_eq!(decode(encode(float)).map(f64::to_bits), Some(bits));
        }
        for float in [0.5, 0.1, f64::MIN_POSITIVE, f64::from_bits(1), f64::MAX, f64::INFINITY] {
            assert_eq!(decode(encode(float)), Some(float));
        }
    }

    #[test]
    fn shorter_is_simpler() {
        let simpler_first =
            [0.0, 1.0, 2.0, 1000.0, 1e10, 0.5, 1.5, 2.5, 0.25, 0.75, 0.1, 1e300, f64::INFINITY];
        assert!(simpler_first.windows(2).all(|it| encode(it[0]) < encode(it[1])));
    }
}

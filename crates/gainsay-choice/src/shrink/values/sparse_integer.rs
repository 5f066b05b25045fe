//! Integers whose failing values are sparse: multiples, squares, certain digits or bits.

use std::rc::Rc;

use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};

use super::super::attempt::CandidatePatch;
use super::super::integer_search::find_integer;
use super::super::{AttemptResult, Shrinker, TerminationReason};
use super::integer::{IntegerLowering, target_and_offset};
use crate::case::ChoiceSequence;
use crate::kind::ChoiceClass;

/// Steps that keep the remainder of a division by commonly used divisors.
const STEPS: [u64; 12] = [2, 3, 5, 7, 10, 12, 16, 60, 64, 100, 256, 1000];

/// Prime factors are searched below this.
const MAX_PRIME: u64 = 10_000;

/// Distances beyond a failing number that are probed to tell sparse failures from a bound.
const FURTHER: [u32; 5] = [1, 7, 61, 500, 4001];

/// Numbers with more bits take too long to factor.
const MAX_BITS: u64 = 4096;

/// Numbers with more digits are not changed digit by digit.
const MAX_DIGITS: usize = 60;

/// Lowers an integer whose failing values are sparse: to small multiples of its prime factors, by
/// steps that keep a remainder, by dividing; and unless all larger ones fail, to other squares, and
/// by dropping digits and bits.
pub(in crate::shrink) fn lower_sparse_integer(
    shrinker: &mut Shrinker<'_>,
    base: &Rc<ChoiceSequence>,
    at: &[usize],
) -> Result<(), TerminationReason> {
    let Some((target, offset)) = target_and_offset(shrinker, base.choices[at[0]]) else {
        return Ok(());
    };
    let (sign, distance) = offset.into_parts();
    // Plain lowering has tried everything below.
    if distance < BigUint::from(3u32) {
        return Ok(());
    }
    let mut lowering = IntegerLowering { shrinker, base, at, target, sign };
    // Cheap strategies first; one success ends the chain, since the next round starts from there.
    let _ = lowering.keep_remainder(&distance)?
        || lowering.try_smallest(&distance)?
        || lowering.drop_high_bits(&distance)?
        || lowering.multiples_of_primes(&distance)?
        || lowering.divide(&distance)?
        || lowering.lower_quotients(&distance)?
        || (lowering.check_larger_values(&distance, &FURTHER)? != LargerValuesVerdict::AllFail
            && (lowering.lower_squares(&distance)?
                || lowering.leave_out_digits(&distance)?
                || lowering.clear_bits(&distance)?));
    Ok(())
}

/// Whether some integer further from the simplest one is known to pass.
pub(in crate::shrink) fn has_passing_larger_value(
    shrinker: &mut Shrinker<'_>,
    base: &Rc<ChoiceSequence>,
    at: usize,
) -> AttemptResult {
    let Some((target, offset)) = target_and_offset(shrinker, base.choices[at]) else {
        return Ok(false);
    };
    let (sign, distance) = offset.into_parts();
    // With other integers in the case, far values may pass only because they do not fit the others.
    let is_other = |it: &usize| *it != at && base.choices[*it].class() == ChoiceClass::Integer;
    let others: Vec<usize> = (0..base.choices.len()).filter(is_other).collect();
    let is_alone = others.into_iter().all(|it| shrinker.is_trivial(base, it));
    let further = if is_alone { &FURTHER[..] } else { &FURTHER[..1] };
    let mut lowering = IntegerLowering { shrinker, base, at: &[at], target, sign };
    let beyond = lowering.check_larger_values(&distance, further)?;
    Ok(beyond == LargerValuesVerdict::SomePass)
}

/// What is known about numbers further from the target than a failing one. If all numbers beyond a
/// bound fail, all probes do.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum LargerValuesVerdict {
    AllFail,
    SomePass,
    /// The kind has no numbers so far away, and those that it has fail.
    Unknown,
}

impl IntegerLowering<'_, '_> {
    /// Probes some numbers further from the target, near and far.
    fn check_larger_values(
        &mut self,
        distance: &BigUint,
        further: &[u32],
    ) -> Result<LargerValuesVerdict, TerminationReason> {
        for step in further {
            let next = BigInt::from_biguint(self.sign, distance + *step) + &self.target;
            let value = self.shrinker.source.kinds_mut().intern_integer(next);
            let kinds = self.shrinker.source.kinds();
            if !self.at.iter().all(|it| kinds.permits(self.base.choices[*it].kind(), value)) {
                return Ok(LargerValuesVerdict::Unknown);
            }
            let patch = CandidatePatch::set(self.at.iter().map(|it| (*it, value)));
            if !self.shrinker.probe(self.base, &patch)?.fails {
                return Ok(LargerValuesVerdict::SomePass);
            }
        }
        Ok(LargerValuesVerdict::AllFail)
    }

    /// Tries the smallest numbers with the same remainder.
    fn keep_remainder(&mut self, distance: &BigUint) -> AttemptResult {
        for step in STEPS {
            let remainder = distance % step;
            // The remainder itself is often too small to fail; then the next number may.
            for lower in [remainder.clone(), remainder + step] {
                if lower > BigUint::one() && lower < *distance && self.try_distance(&lower)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn try_smallest(&mut self, distance: &BigUint) -> AttemptResult {
        for small in [2u32, 3].map(BigUint::from) {
            if small < *distance && self.try_distance(&small)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn drop_high_bits(&mut self, distance: &BigUint) -> AttemptResult {
        let n_bits = distance.bits();
        let n_dropped = find_integer(|k| {
            let kept = n_bits.saturating_sub(k as u64);
            let lower = distance & ((BigUint::one() << kept) - 1u32);
            if kept == 0 || lower == *distance || lower < BigUint::from(2u32) {
                // This candidate is known or trivial and not tried, but dropping more bits may
                // still work.
                return Ok(lower == *distance && kept > 0);
            }
            self.try_distance(&lower)
        })?;
        Ok(n_dropped > 1)
    }

    /// Tries small multiples of the prime factors, the largest factor first.
    fn multiples_of_primes(&mut self, distance: &BigUint) -> AttemptResult {
        for prime in prime_factors(distance).into_iter().rev() {
            for multiple in (1u32..=6).map(|it| &prime * it) {
                let is_new = multiple > BigUint::from(3u32) && multiple < *distance;
                if is_new && self.try_distance(&multiple)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn divide(&mut self, distance: &BigUint) -> AttemptResult {
        for divisor in [10u32, 7, 5, 3] {
            let lower = distance / divisor;
            if lower > BigUint::one() && self.try_distance(&lower)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Lowers to smaller multiples of the prime factors and to numbers with the same remainder, as
    /// far as they fail.
    fn lower_quotients(&mut self, distance: &BigUint) -> AttemptResult {
        let mut moduli: Vec<BigUint> = prime_factors(distance);
        moduli.reverse();
        moduli.extend(STEPS.map(BigUint::from));
        for modulus in moduli {
            let (quotient, rest) = (distance / &modulus, distance % &modulus);
            if self.lower_index(&quotient, |it| it * &modulus + &rest)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tries squares, numbers as far from a square as this one, and neighbors of squares.
    fn lower_squares(&mut self, distance: &BigUint) -> AttemptResult {
        let (below, one) = (distance.sqrt(), BigUint::one());
        let above = &below + 1u32;
        let (over, missing) = (distance - &below * &below, &above * &above - distance);
        for more in [BigUint::zero(), one.clone(), over] {
            if self.lower_index(&below, |it| it * it + &more)? {
                return Ok(true);
            }
        }
        for less in [one, missing] {
            let square = |it: &BigUint| {
                let square = it * it;
                if square > less { square - &less } else { BigUint::zero() }
            };
            if self.lower_index(&above, square)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Lowers the index of a number in a nondecreasing sequence by halving and then bisecting.
    fn lower_index(
        &mut self,
        index: &BigUint,
        number: impl Fn(&BigUint) -> BigUint,
    ) -> AttemptResult {
        let one = BigUint::one();
        if *index <= one {
            return Ok(false);
        }
        let n_halved = find_integer(|k| {
            let lower = index >> k;
            if lower < one { Ok(false) } else { self.try_distance(&number(&lower)) }
        })?;
        let mut fails = index >> n_halved;
        if n_halved == 0 {
            // The number is probably not of this sequence, unless at least its predecessor fails.
            fails -= 1u32;
            if !self.try_distance(&number(&fails))? {
                return Ok(false);
            }
        }
        // Halving has rejected about half of `fails`: bisect between the two. Nothing below is
        // tried, so the result is a boundary, not necessarily the least.
        let mut passes = &fails / 2u32;
        while &passes + 1u32 < fails {
            let middle = (&passes + &fails) / 2u32;
            if self.try_distance(&number(&middle))? {
                fails = middle;
            } else {
                passes = middle;
            }
        }
        Ok(true)
    }

    /// The number without one of its digits, or with 0 in its place.
    fn leave_out_digits(&mut self, distance: &BigUint) -> AttemptResult {
        let digits = distance.to_radix_be(10);
        if digits.len() > MAX_DIGITS {
            return Ok(false);
        }
        for at in 0..digits.len() {
            let mut shorter = digits.clone();
            shorter.remove(at);
            let mut lower = digits.clone();
            lower[at] = 0;
            for changed in [shorter, lower] {
                let changed = BigUint::from_radix_be(&changed, 10).unwrap_or_default();
                let is_lower = changed > BigUint::one() && changed < *distance;
                if is_lower && self.try_distance(&changed)? {
                    // Each level removes a digit or turns one into 0, so there are at most twice
                    // `MAX_DIGITS`.
                    let _ = self.leave_out_digits(&changed)?;
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Clears bits, the highest first.
    fn clear_bits(&mut self, distance: &BigUint) -> AttemptResult {
        let mut number = distance.clone();
        // About four bits for each decimal digit.
        if number.bits() > 4 * MAX_DIGITS as u64 {
            return Ok(false);
        }
        for bit in (0..distance.bits()).rev().filter(|it| distance.bit(*it)) {
            let mut lower = number.clone();
            lower.set_bit(bit, false);
            if lower > BigUint::one() && self.try_distance(&lower)? {
                number = lower;
            }
        }
        Ok(number < *distance)
    }
}

/// The distinct prime factors of a number. A remainder without factors below `MAX_PRIME` counts as
/// one factor.
fn prime_factors(number: &BigUint) -> Vec<BigUint> {
    let mut factors = Vec::new();
    if number.bits() > MAX_BITS {
        return factors;
    }
    let mut number = number.clone();
    for prime in 2..MAX_PRIME {
        if number.to_u64().is_some_and(|it| prime * prime > it) {
            break;
        }
        if (&number % prime).is_zero() {
            factors.push(BigUint::from(prime));
            while (&number % prime).is_zero() {
                number /= prime;
            }
        }
    }
    if number > BigUint::one() {
        factors.push(number);
    }
    factors
}

#[cfg(test)]
mod tests {
    use num_bigint::BigUint;

    use super::prime_factors;

    #[test]
    fn factors_are_distinct_and_in_order() {
        let factors = |number: u64| prime_factors(&BigUint::from(number));
        assert_eq!(factors(97 * 97 * 8), [2u32, 97].map(BigUint::from));
        assert!(factors(1).is_empty());
        assert_eq!(factors(1_000_003), [1_000_003u32].map(BigUint::from));
    }
}

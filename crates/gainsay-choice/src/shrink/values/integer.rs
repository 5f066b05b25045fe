//! Integers, lowered by their distance from the simplest one.

use std::rc::Rc;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{ToPrimitive, Zero};

use super::super::find::find_integer;
use super::super::{End, Shrinker, Step};
use crate::case::{Choice, Trail};
use crate::kind::Kind;

/// Steps that keep the remainder of a division by what people divide by.
const STEPS: [u64; 12] = [2, 3, 5, 7, 10, 12, 16, 60, 64, 100, 256, 1000];

/// Integers of equal value that are lowered together.
struct Lowering<'l, 'a> {
    shrinker: &'l mut Shrinker<'a>,
    base: &'l Trail,
    at: &'l [usize],
    target: BigInt,
    sign: Sign,
}

/// The simplest integer of a choice's kind, and how far the choice is from it.
pub(in crate::shrink) fn magnitude_of(
    shrinker: &Shrinker<'_>,
    choice: Choice,
) -> Option<(BigInt, BigInt)> {
    let Kind::Integer(kind) = shrinker.source.kinds().get(choice.kind()) else { return None };
    let target = kind.target();
    let offset = shrinker.source.kinds().bigs.integer(choice.value()) - &target;
    Some((target, offset))
}

/// Lowers choices of equal value together: to the target, to its other side, by halving, and then
/// step by step.
pub(super) fn lower(
    shrinker: &mut Shrinker<'_>,
    base: &Rc<Trail>,
    at: &[usize],
) -> Result<(), End> {
    let Some((target, offset)) = magnitude_of(shrinker, base.choices[at[0]]) else {
        return Ok(());
    };
    let (sign, mut distance) = offset.into_parts();
    let mut lowering = Lowering { shrinker, base, at, target, sign };
    if distance.is_zero() || lowering.try_distance(&BigUint::zero())? {
        return Ok(());
    }
    if sign == Sign::Minus {
        lowering.sign = Sign::Plus;
        if !lowering.try_distance(&distance)? {
            lowering.sign = Sign::Minus;
        }
    }
    let one = BigUint::from(1u32);
    if distance > one && lowering.try_distance(&one)? {
        return Ok(());
    }
    let n_halved = find_integer(|k| {
        let halved = &distance >> k;
        if halved <= one { Ok(false) } else { lowering.try_distance(&halved) }
    })?;
    distance >>= n_halved;
    let distance = lowering.subtract(distance)?;
    // The next simpler integer may be on the other side.
    if lowering.sign == Sign::Plus && distance > one {
        lowering.sign = Sign::Minus;
        lowering.try_distance(&(distance - one))?;
    }
    Ok(())
}

/// Lowers an integer where failing values are rare: by dropping its high bits, by dividing, to
/// small multiples of its prime factors, and by steps that keep a remainder.
pub(in crate::shrink) fn lower_sparsely(
    shrinker: &mut Shrinker<'_>,
    base: &Rc<Trail>,
    at: &[usize],
) -> Result<(), End> {
    let Some((target, offset)) = magnitude_of(shrinker, base.choices[at[0]]) else {
        return Ok(());
    };
    let (sign, distance) = offset.into_parts();
    let mut lowering = Lowering { shrinker, base, at, target, sign };
    if distance < BigUint::from(3u32) || lowering.keep_remainder(&distance)? {
        return Ok(());
    }
    let Some(distance) = distance.to_u64() else { return Ok(()) };
    for small in 2..distance.min(4) {
        if lowering.try_small(small)? {
            return Ok(());
        }
    }
    if lowering.drop_high_bits(distance)? || lowering.multiples_of_primes(distance)? {
        return Ok(());
    }
    for divisor in [10, 7, 5, 3] {
        if distance / divisor > 1 && lowering.try_small(distance / divisor)? {
            return Ok(());
        }
    }
    for step in STEPS {
        let n_steps = find_integer(|k| {
            match (k as u64).checked_mul(step).and_then(|it| distance.checked_sub(it)) {
                Some(lower) if lower > 0 => lowering.try_small(lower),
                Some(_) | None => Ok(false),
            }
        })?;
        if n_steps > 0 {
            return Ok(());
        }
    }
    Ok(())
}

impl Lowering<'_, '_> {
    fn try_distance(&mut self, distance: &BigUint) -> Step {
        let sign = if distance.is_zero() { Sign::NoSign } else { self.sign };
        let integer = &self.target + BigInt::from_biguint(sign, distance.clone());
        let value = self.shrinker.source.kinds_mut().value(integer);
        self.shrinker.put(self.base, self.at, value)
    }

    fn try_small(&mut self, distance: u64) -> Step {
        self.try_distance(&BigUint::from(distance))
    }

    /// Subtracts as much as possible, in large steps from giants and in steps of one at last.
    fn subtract(&mut self, mut distance: BigUint) -> Result<BigUint, End> {
        let n_words = distance.bits() / 32;
        for word in (0..=n_words).rev().filter(|it| *it != 1) {
            let n_steps = find_integer(|k| {
                let step = BigUint::from(k) << (32 * word);
                if step < distance { self.try_distance(&(&distance - step)) } else { Ok(false) }
            })?;
            distance -= BigUint::from(n_steps) << (32 * word);
        }
        Ok(distance)
    }

    /// The smallest numbers that leave the same when divided.
    fn keep_remainder(&mut self, distance: &BigUint) -> Step {
        for step in STEPS {
            let remainder = distance % step;
            for lower in [remainder.clone(), remainder + step] {
                if lower > BigUint::from(1u32)
                    && lower < *distance
                    && self.try_distance(&lower)?
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn drop_high_bits(&mut self, distance: u64) -> Step {
        let n_bits = distance.ilog2() as usize + 1;
        let n_dropped = find_integer(|k| {
            let kept = n_bits.saturating_sub(k);
            let lower = distance & ((1 << kept) - 1);
            if kept == 0 || lower == distance || lower < 2 {
                // Nothing is tried that is known; but longer runs of zeros may come.
                return Ok(lower == distance && kept > 0);
            }
            self.try_small(lower)
        })?;
        Ok(n_dropped > 1)
    }

    /// Small multiples of the prime factors, the largest factor first.
    fn multiples_of_primes(&mut self, distance: u64) -> Step {
        for prime in prime_factors(distance).into_iter().rev() {
            for multiple in (1..=6).map_while(|it| prime.checked_mul(it)) {
                if multiple > 3 && multiple < distance && self.try_small(multiple)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// The distinct prime factors of a number; beyond a thousand, what is left counts as one.
fn prime_factors(mut number: u64) -> Vec<u64> {
    let mut factors = Vec::new();
    for prime in (2..1000).take_while(|it| it * it <= 1_000_000) {
        if number.is_multiple_of(prime) {
            factors.push(prime);
            while number.is_multiple_of(prime) {
                number /= prime;
            }
        }
        if prime * prime > number {
            break;
        }
    }
    if number > 1 {
        factors.push(number);
    }
    factors
}

#[cfg(test)]
mod tests {
    use super::prime_factors;

    #[test]
    fn factors_are_distinct_and_in_order() {
        assert_eq!(prime_factors(97 * 97 * 8), [2, 97]);
        assert!(prime_factors(1).is_empty());
        assert_eq!(prime_factors(1_000_003), [1_000_003]);
    }
}

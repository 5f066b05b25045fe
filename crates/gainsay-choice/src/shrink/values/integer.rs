//! Integers, lowered by their distance from the simplest one.

use std::rc::Rc;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{Signed, Zero};

use super::super::find::find_integer;
use super::super::{End, Shrinker, Step};
use crate::case::{Choice, Trail};
use crate::kind::Kind;

/// Integers of equal value that are lowered together.
pub(super) struct Lowering<'l, 'a> {
    pub(super) shrinker: &'l mut Shrinker<'a>,
    pub(super) base: &'l Trail,
    pub(super) at: &'l [usize],
    pub(super) target: BigInt,
    pub(super) sign: Sign,
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

/// The largest number that divides both, by Euclid's algorithm; 0 of two zeros.
pub(in crate::shrink) fn common_divisor(a: &BigInt, b: &BigInt) -> BigInt {
    let (mut a, mut b) = (a.abs(), b.abs());
    while !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    a
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

impl Lowering<'_, '_> {
    pub(super) fn try_distance(&mut self, distance: &BigUint) -> Step {
        let sign = if distance.is_zero() { Sign::NoSign } else { self.sign };
        let integer = &self.target + BigInt::from_biguint(sign, distance.clone());
        let value = self.shrinker.source.kinds_mut().value(integer);
        self.shrinker.put(self.base, self.at, value)
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
}

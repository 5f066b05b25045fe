//! Lowers integers by their distance from the simplest one of their kind.

use std::rc::Rc;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{Signed, Zero};

use super::super::integer_search::find_integer;
use super::super::{AttemptResult, Shrinker, TerminationReason};
use crate::case::{Choice, ChoiceSequence};
use crate::kind::Kind;

/// Integers of equal value that are lowered together.
pub(super) struct IntegerLowering<'l, 'a> {
    pub(super) shrinker: &'l mut Shrinker<'a>,
    pub(super) base: &'l ChoiceSequence,
    pub(super) at: &'l [usize],
    pub(super) target: BigInt,
    pub(super) sign: Sign,
}

/// The simplest integer of a choice's kind, and the signed distance of the choice from it.
pub(in crate::shrink) fn target_and_offset(
    shrinker: &Shrinker<'_>,
    choice: Choice,
) -> Option<(BigInt, BigInt)> {
    let Kind::Integer(kind) = shrinker.source.kinds().get(choice.kind()) else { return None };
    let target = kind.target();
    let offset = shrinker.source.kinds().bigs.integer(choice.value()) - &target;
    Some((target, offset))
}

/// The greatest common divisor, by Euclid's algorithm; 0 for two zeros.
pub(in crate::shrink) fn common_divisor(a: &BigInt, b: &BigInt) -> BigInt {
    let (mut a, mut b) = (a.abs(), b.abs());
    while !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    a
}

/// Lowers choices of equal value together: to the target, to the other side of it, by halving, and
/// then by subtracting.
pub(super) fn lower(
    shrinker: &mut Shrinker<'_>,
    base: &Rc<ChoiceSequence>,
    at: &[usize],
) -> Result<(), TerminationReason> {
    let Some((target, offset)) = target_and_offset(shrinker, base.choices[at[0]]) else {
        return Ok(());
    };
    let (sign, mut distance) = offset.into_parts();
    let mut lowering = IntegerLowering { shrinker, base, at, target, sign };
    if distance.is_zero() || lowering.try_distance(&BigUint::zero())? {
        return Ok(());
    }
    // At equal distance the positive side is simpler.
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
        // 0 and 1 were tried before.
        if halved <= one { Ok(false) } else { lowering.try_distance(&halved) }
    })?;
    distance >>= n_halved;
    let distance = lowering.subtract(distance)?;
    // The next simpler integer may be on the other side.
    if lowering.sign == Sign::Plus && distance > one {
        lowering.sign = Sign::Minus;
        // Simpler than a positive distance are those that are smaller by one: the positive one was
        // tried, and the negative one is left.
        lowering.try_distance(&(distance - one))?;
    }
    Ok(())
}

impl IntegerLowering<'_, '_> {
    pub(super) fn try_distance(&mut self, distance: &BigUint) -> AttemptResult {
        let sign = if distance.is_zero() { Sign::NoSign } else { self.sign };
        let integer = &self.target + BigInt::from_biguint(sign, distance.clone());
        let value = self.shrinker.source.kinds_mut().intern_integer(integer);
        self.shrinker.set_all(self.base, self.at, value)
    }

    /// Subtracts as much as possible, in large steps from big integers and in steps of one at last.
    fn subtract(&mut self, mut distance: BigUint) -> Result<BigUint, TerminationReason> {
        let n_words = distance.bits() / 32;
        // Word 1 is left out: `find_integer` by ones already covers 64 bits by doubling.
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

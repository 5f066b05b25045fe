//! Changes two numbers together: their sum, difference or product stays.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use super::super::attempt::{Hope, Patch};
use super::super::find::find_integer;
use super::super::values::magnitude_of;
use super::super::{End, Shrinker, Step};
use crate::case::Trail;
use crate::kind::Class;

/// How many following numbers are paired with each.
const WINDOW: usize = 4;

/// With up to so many numbers, all pairs are tried.
const FEW: usize = 8;

/// Numbers that keep their sum, and numbers that keep their difference.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), End> {
    for_pairs(shrinker, |shrinker, a, b| {
        swap(shrinker, a, b)?;
        move_both(shrinker, a, b, 1)?;
        move_both(shrinker, a, b, -1)
    })
}

/// Numbers that keep their product.
pub(super) fn run_products(shrinker: &mut Shrinker<'_>) -> Result<(), End> {
    for_pairs(shrinker, |shrinker, a, b| {
        for factor in [2, 3, 5, 7, 10] {
            let base = Rc::clone(&shrinker.best);
            if !scale(shrinker, &base, (a, b), factor)? {
                scale(shrinker, &base, (b, a), factor)?;
            }
        }
        Ok(())
    })
}

fn for_pairs(
    shrinker: &mut Shrinker<'_>,
    mut each: impl FnMut(&mut Shrinker<'_>, usize, usize) -> Result<(), End>,
) -> Result<(), End> {
    let mut first = 0;
    while let Some(a) = numbers(&shrinker.best).into_iter().find(|it| *it >= first) {
        first = a + 1;
        let numbers = numbers(&shrinker.best);
        let window = if numbers.len() <= FEW { FEW } else { WINDOW };
        for b in numbers.into_iter().filter(|it| *it > a).take(window) {
            let best = &shrinker.best.choices;
            let still = |at: usize| best.get(at).is_some_and(|it| it.class() == Class::Integer);
            if still(a) && still(b) {
                each(shrinker, a, b)?;
            }
        }
    }
    Ok(())
}

fn numbers(trail: &Trail) -> Vec<usize> {
    let is_number = |it: &usize| {
        let choice = trail.choices[*it];
        choice.class() == Class::Integer && !choice.is_forced()
    };
    (0..trail.choices.len()).filter(is_number).collect()
}

fn swap(shrinker: &mut Shrinker<'_>, a: usize, b: usize) -> Step {
    let base = Rc::clone(&shrinker.best);
    let (x, y) = (base.choices[a].value(), base.choices[b].value());
    if x == y {
        return Ok(false);
    }
    shrinker.attempt_flat(&base, &Patch::set([(a, y), (b, x)]), Hope::Simpler)
}

/// Moves the first number towards its target, and the second by as much: in the same direction
/// (`sense` is 1), or in the other.
fn move_both(shrinker: &mut Shrinker<'_>, a: usize, b: usize, sense: i64) -> Result<(), End> {
    let base = Rc::clone(&shrinker.best);
    let Some((target, offset)) = magnitude_of(shrinker, base.choices[a]) else { return Ok(()) };
    let Some((other_target, other)) = magnitude_of(shrinker, base.choices[b]) else {
        return Ok(());
    };
    if offset.is_zero() {
        return Ok(());
    }
    let mut step_to = |distance: BigInt| -> Step {
        if distance > offset.abs() || distance.is_negative() {
            return Ok(false);
        }
        let step = distance * offset.signum();
        let (x, y) = (&target + &offset - &step, &other_target + &other - &step * sense);
        let kinds = shrinker.source.kinds_mut();
        let sets = [(a, kinds.value(x)), (b, kinds.value(y))];
        shrinker.attempt_flat(&base, &Patch::set(sets), Hope::Simpler)
    };
    // All the way, to where the second one is simplest, and else as far as it goes.
    if step_to(offset.abs())? || step_to(offset.abs() - 1)? {
        return Ok(());
    }
    if sense == 1 && other.signum() == offset.signum() && step_to(other.abs())? {
        return Ok(());
    }
    find_integer(|k| step_to(BigInt::from(k)))?;
    Ok(())
}

/// Divides one number and multiplies the other, as often as it goes.
fn scale(
    shrinker: &mut Shrinker<'_>,
    base: &Trail,
    (a, b): (usize, usize),
    factor: i64,
) -> Step {
    let integer = |shrinker: &Shrinker<'_>, at: usize| {
        base.choices.get(at).and_then(|it| magnitude_of(shrinker, *it)).map(|(t, o)| t + o)
    };
    let (Some(x), Some(y)) = (integer(shrinker, a), integer(shrinker, b)) else {
        return Ok(false);
    };
    let n_times = find_integer(|k| {
        let Some(power) = u32::try_from(k).ok().and_then(|it| factor.checked_pow(it)) else {
            return Ok(false);
        };
        if x.is_zero() || !(&x % power).is_zero() {
            return Ok(false);
        }
        let kinds = shrinker.source.kinds_mut();
        let sets = [(a, kinds.value(&x / power)), (b, kinds.value(&y * power))];
        shrinker.attempt_flat(base, &Patch::set(sets), Hope::Simpler)
    })?;
    Ok(n_times > 0)
}

//! Changes two numbers together so that their sum, difference, ratio or product stays the same.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::{Signed, Zero};

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::integer_search::find_integer;
use super::super::values::{common_divisor, target_and_offset};
use super::super::{AttemptResult, Shrinker, TerminationReason};
use crate::case::ChoiceSequence;
use crate::kind::ChoiceClass;
use crate::value::ChoiceValue;

/// How many following numbers are paired with each.
const WINDOW: usize = 4;

/// With at most this many numbers, all pairs are tried.
const FEW: usize = 8;

/// The bound below which divisors of a product are searched, and how many are tried.
const MAX_DIVISOR: i64 = 2000;
const MAX_DIVISORS: usize = 24;

/// Larger factors are no evidence that two numbers are related.
const MAX_FACTOR: i64 = 1000;

/// Pairs that keep their sum, and pairs that keep their difference.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    for_pairs(shrinker, |shrinker, a, b| {
        // The swap first: a single run, and enough where only the order matters.
        swap(shrinker, a, b)?;
        move_both(shrinker, a, b, 1)?;
        move_both(shrinker, a, b, -1)
    })
}

/// Pairs that keep their product.
pub(super) fn run_products(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    for_pairs(shrinker, keep_product)
}

/// Pairs that keep a linear relation: a factor, or a factor and an offset.
pub(super) fn run_ratios(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    for_pairs(shrinker, keep_ratio)
}

fn for_pairs(
    shrinker: &mut Shrinker<'_>,
    mut each: impl FnMut(&mut Shrinker<'_>, usize, usize) -> Result<(), TerminationReason>,
) -> Result<(), TerminationReason> {
    let mut first = 0;
    // The numbers are listed anew each time, since a success may have changed which there are.
    while let Some(a) = numbers(&shrinker.best).into_iter().find(|it| *it >= first) {
        first = a + 1;
        let numbers = numbers(&shrinker.best);
        let window = if numbers.len() <= FEW { FEW } else { WINDOW };
        for b in numbers.into_iter().filter(|it| *it > a).take(window) {
            let best = &shrinker.best.choices;
            // An adopted candidate may have changed what is drawn at these indices.
            let still =
                |at: usize| best.get(at).is_some_and(|it| it.class() == ChoiceClass::Integer);
            if still(a) && still(b) {
                each(shrinker, a, b)?;
            }
        }
    }
    Ok(())
}

fn numbers(trail: &ChoiceSequence) -> Vec<usize> {
    let is_number = |it: &usize| {
        let choice = trail.choices[*it];
        choice.class() == ChoiceClass::Integer && !choice.is_forced()
    };
    (0..trail.choices.len()).filter(is_number).collect()
}

fn swap(shrinker: &mut Shrinker<'_>, a: usize, b: usize) -> AttemptResult {
    let base = Rc::clone(&shrinker.best);
    let (x, y) = (base.choices[a].value(), base.choices[b].value());
    if x == y {
        return Ok(false);
    }
    shrinker.attempt_flat(
        &base,
        &CandidatePatch::set([(a, y), (b, x)]),
        CandidateFilter::IfSimpler,
    )
}

/// Moves the first number toward its target and the second by the same amount: in the same
/// direction if `sense` is 1 (keeps the difference), in the opposite one if -1 (keeps the sum).
fn move_both(
    shrinker: &mut Shrinker<'_>,
    a: usize,
    b: usize,
    sense: i64,
) -> Result<(), TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    let Some((target, offset)) = target_and_offset(shrinker, base.choices[a]) else {
        return Ok(());
    };
    let Some((other_target, other)) = target_and_offset(shrinker, base.choices[b]) else {
        return Ok(());
    };
    if offset.is_zero() {
        return Ok(());
    }
    let mut step_to = |distance: BigInt| -> AttemptResult {
        if distance > offset.abs() || distance.is_negative() {
            return Ok(false);
        }
        let step = distance * offset.signum();
        let (x, y) = (&target + &offset - &step, &other_target + &other - &step * sense);
        let kinds = shrinker.source.kinds_mut();
        let sets = [(a, kinds.intern_integer(x)), (b, kinds.intern_integer(y))];
        shrinker.attempt_flat(&base, &CandidatePatch::set(sets), CandidateFilter::IfSimpler)
    };
    // The large jumps first: all the way, then to where the second number is simplest.
    if step_to(offset.abs())? || step_to(offset.abs() - 1)? {
        return Ok(());
    }
    if sense == 1 && other.signum() == offset.signum() && step_to(other.abs())? {
        return Ok(());
    }
    find_integer(|k| step_to(BigInt::from(k)))?;
    Ok(())
}

/// Divides both numbers by their common divisor; if that fails, lowers one by a step and the other
/// by a multiple of it.
fn keep_ratio(
    shrinker: &mut Shrinker<'_>,
    a: usize,
    b: usize,
) -> Result<(), TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    let bigs = &shrinker.source.kinds().bigs;
    let (x, y) = (bigs.integer(base.choices[a].value()), bigs.integer(base.choices[b].value()));
    // Neither zero nor equal magnitudes have a factor to keep.
    if x.is_zero() || y.is_zero() || x.abs() == y.abs() {
        return Ok(());
    }
    let common = common_divisor(&x, &y);
    if common > BigInt::from(1)
        && set_both(shrinker, &base, (a, &x / &common), (b, &y / &common))?
    {
        return Ok(());
    }
    let (small, large, is_first) =
        if x.abs() < y.abs() { (&x, &y, true) } else { (&y, &x, false) };
    // The quotient covers `large = factor * small + offset`; 2 is the most common factor otherwise.
    let mut factors = vec![large / small, BigInt::from(2)];
    factors.retain(|it| it.abs() > BigInt::from(1) && it.abs() <= BigInt::from(MAX_FACTOR));
    factors.dedup();
    for factor in factors {
        let n_steps = find_integer(|k| {
            let step = BigInt::from(k) * small.signum();
            if step.abs() > small.abs() {
                return Ok(false);
            }
            let (low, high) = (small - &step, large - &factor * &step);
            let (x, y) = if is_first { (low, high) } else { (high, low) };
            set_both(shrinker, &base, (a, x), (b, y))
        })?;
        if n_steps > 0 {
            return Ok(());
        }
    }
    Ok(())
}

fn set_both(
    shrinker: &mut Shrinker<'_>,
    base: &ChoiceSequence,
    (a, x): (usize, BigInt),
    (b, y): (usize, BigInt),
) -> AttemptResult {
    let kinds = shrinker.source.kinds_mut();
    let sets = [(a, kinds.intern_integer(x)), (b, kinds.intern_integer(y))];
    shrinker.attempt_flat(base, &CandidatePatch::set(sets), CandidateFilter::IfSimpler)
}

/// Replaces the first number by smaller divisors of the product, and the second by the quotient.
fn keep_product(
    shrinker: &mut Shrinker<'_>,
    a: usize,
    b: usize,
) -> Result<(), TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    let small = |at: usize| match base.choices[at].value() {
        ChoiceValue::Small(small) => Some(small),
        ChoiceValue::Big(_) => None,
    };
    let (Some(x), Some(y)) = (small(a), small(b)) else { return Ok(()) };
    let Some(product) = x.checked_mul(y).filter(|it| *it != 0) else { return Ok(()) };
    // Only divisors below the first number: it is the one that has to get simpler.
    let divisors = (1..x.abs().min(MAX_DIVISOR)).filter(|it| product % it == 0);
    for divisor in divisors.take(MAX_DIVISORS) {
        let sets =
            [(a, ChoiceValue::Small(divisor)), (b, ChoiceValue::Small(product / divisor))];
        if shrinker.attempt_flat(
            &base,
            &CandidatePatch::set(sets),
            CandidateFilter::IfSimpler,
        )? {
            return Ok(());
        }
    }
    Ok(())
}

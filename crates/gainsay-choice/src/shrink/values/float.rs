//! Lowers floats toward small whole numbers.

use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::integer_search::find_integer;
use super::super::{AttemptResult, Shrinker, TerminationReason};
use crate::case::ChoiceSequence;
use crate::kind::fraction;
use crate::value::ChoiceValue;

/// From here on, all floats are whole numbers.
const LARGE: f64 = (1u64 << 53) as f64;

/// The sign bit.
const SIGN: u64 = 1 << 63;

/// Counts of binary digits after the point are tried one by one up to this one, and then in steps.
const EVERY: u32 = 64;
const STEP: usize = 16;

/// Floats of equal magnitude that are lowered together.
struct FloatLowering<'l, 'a> {
    shrinker: &'l mut Shrinker<'a>,
    base: &'l ChoiceSequence,
    at: &'l [usize],
}

/// Lowers choices of equal magnitude together, each with its own sign: to special values, to whole
/// numbers, to shorter fractions, and step by step.
pub(super) fn lower(
    shrinker: &mut Shrinker<'_>,
    base: &Rc<ChoiceSequence>,
    at: &[usize],
) -> Result<(), TerminationReason> {
    let ChoiceValue::Small(bits) = base.choices[at[0]].value() else { return Ok(()) };
    let simplest = shrinker.simplest_at(base, at[0]);
    let mut lowering = FloatLowering { shrinker, base, at };
    // The simplest value first: if it fails, one run replaces the whole search.
    if lowering.shrinker.set_all(base, at, simplest)? {
        return Ok(());
    }
    let mut float = f64::from_bits(bits as u64);
    if !float.is_finite() {
        for special in [1.0, -1.0, f64::MAX, f64::MIN, f64::INFINITY, f64::NEG_INFINITY] {
            if lowering.try_float(special)? {
                float = special;
                break;
            }
        }
    }
    // At equal magnitude the positive float is simpler.
    if float < 0.0 && lowering.try_float(-float)? {
        float = -float;
    }
    if !float.is_finite() {
        return Ok(());
    }
    let float = lowering.near_whole(float)?;
    if float.fract() == 0.0 {
        lowering.lower_whole(float)
    } else {
        lowering.lower_fraction(float)
    }
}

impl FloatLowering<'_, '_> {
    fn try_float(&mut self, float: f64) -> AttemptResult {
        let bits = |it: &usize| match self.base.choices[*it].value() {
            ChoiceValue::Small(bits) => bits as u64,
            ChoiceValue::Big(_) => 0,
        };
        let first = bits(&self.at[0]);
        let sets = self.at.iter().map(|it| {
            // Flip the sign bit where it differs from that of the first float.
            let opposite = (bits(it) ^ first) & SIGN;
            (*it, ChoiceValue::Small((float.to_bits() ^ opposite) as i64))
        });
        let patch = CandidatePatch::set(sets);
        self.shrinker.attempt(self.base, &patch, CandidateFilter::IfSimpler)
    }

    /// The value, or a whole number near it that fails as well.
    fn near_whole(&mut self, float: f64) -> Result<f64, TerminationReason> {
        for whole in [1.0_f64.copysign(float), float.trunc(), float.floor(), float.ceil()] {
            if whole != float && self.try_float(whole)? {
                return Ok(whole);
            }
        }
        Ok(float)
    }

    fn lower_whole(&mut self, float: f64) -> Result<(), TerminationReason> {
        let n_halved = find_integer(|k| {
            let lower = halved(float, k);
            // 0 and 1 were tried before.
            if lower.abs() <= 1.0 { Ok(false) } else { self.try_float(lower) }
        })?;
        let float = halved(float, n_halved);
        if float.abs() >= LARGE {
            return self.lower_large(float);
        }
        find_integer(|k| {
            let lower = float.abs() - k as f64;
            let is_less = lower >= 1.0 && lower < float.abs();
            if is_less { self.try_float(lower.copysign(float)) } else { Ok(false) }
        })?;
        Ok(())
    }

    /// Steps through adjacent floats, which are more than 1 apart up here. The second loop takes
    /// steps of two, since often only every second one fails.
    fn lower_large(&mut self, float: f64) -> Result<(), TerminationReason> {
        let mut bits = float.abs().to_bits();
        for step in [1, 2] {
            let n_steps = find_integer(|k| {
                let Some(down) = (k as u64).checked_mul(step) else { return Ok(false) };
                let lower = f64::from_bits(bits.saturating_sub(down));
                if lower > 1.0 { self.try_float(lower.copysign(float)) } else { Ok(false) }
            })?;
            bits -= n_steps as u64 * step;
        }
        Ok(())
    }

    /// Lowers to fewer binary digits after the point, then a smaller whole part, then smaller
    /// digits.
    fn lower_fraction(&mut self, float: f64) -> Result<(), TerminationReason> {
        let float = self.shortened(float)?;
        let n_less = find_integer(|k| {
            let lower = float.abs() - k as f64;
            if lower > 0.0 { self.try_float(lower.copysign(float)) } else { Ok(false) }
        })?;
        let float = (float.abs() - n_less as f64).copysign(float);
        self.lower_digits(float)
    }

    /// The value, or a number near it that fails as well and has fewer digits after the point.
    fn shortened(&mut self, float: f64) -> Result<f64, TerminationReason> {
        let (_, n_digits) = fraction(float.abs());
        let numbers = (1..n_digits.min(EVERY)).chain((EVERY..n_digits).step_by(STEP));
        for n_digits in numbers.map(|it| it as i32) {
            // 2^1000 is finite where 2^1074 is not; the smallest subnormals need more digits than
            // that.
            let (up, down) = (2.0_f64.powi(n_digits.min(1000)), 2.0_f64.powi(-n_digits));
            let digits = float * up;
            for shorter in [digits.trunc() * down, digits.ceil() * down] {
                if shorter != float && shorter != 0.0 && self.try_float(shorter)? {
                    return Ok(shorter);
                }
            }
        }
        Ok(float)
    }

    /// Lowers the digits without changing how many there are.
    fn lower_digits(&mut self, float: f64) -> Result<(), TerminationReason> {
        let (digits, n_digits) = fraction(float.abs());
        let down = 2.0_f64.powi(-(n_digits.min(1000) as i32));
        // `down` is capped, so it is the wrong scale for the smallest subnormals.
        if n_digits > 1000 {
            return Ok(());
        }
        let n_halved = find_integer(|k| {
            let lower = shifted(digits, k);
            if lower >= digits {
                return Ok(false);
            }
            self.try_float((lower as f64 * down).copysign(float))
        })?;
        let digits = shifted(digits, n_halved);
        // Steps of two keep the numerator odd: an even one would have fewer digits.
        find_integer(|k| match digits.checked_sub(2 * k as u64) {
            Some(lower) => self.try_float((lower as f64 * down).copysign(float)),
            None => Ok(false),
        })?;
        Ok(())
    }
}

/// An odd number without its last bits, made odd again; 1 cannot go lower.
fn shifted(digits: u64, n_bits: usize) -> u64 {
    u32::try_from(n_bits).ok().and_then(|it| digits.checked_shr(it)).unwrap_or(0) | 1
}

fn halved(float: f64, n_times: usize) -> f64 {
    // The cap only keeps the cast in range: 2^1100 is infinite, and the quotient 0, as it should
    // be.
    (float / 2.0_f64.powi(n_times.min(1100) as i32)).trunc()
}

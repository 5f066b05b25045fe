//! Builtins on floats.

use num_bigint::BigInt;

use super::Meaning::{Common, Whole};
use super::{Return, Rows, Tools, mistyped, text_of};
use crate::fault::FaultKind;
use crate::jit::word::{View, Word};
use crate::limits::words_of_int;

pub(super) const ROWS: Rows = &[
    ("float.add", Whole(|tools, args| binary(tools, args, |a, b| a + b))),
    ("float.sub", Whole(|tools, args| binary(tools, args, |a, b| a - b))),
    ("float.mul", Whole(|tools, args| binary(tools, args, |a, b| a * b))),
    ("float.div", Whole(|tools, args| binary(tools, args, |a, b| a / b))),
    ("float.rem", Whole(|tools, args| binary(tools, args, |a, b| a % b))),
    ("float.neg", Whole(|tools, args| unary(tools, args, |a| -a))),
    ("float.floor", Whole(|tools, args| unary(tools, args, f64::floor))),
    ("float.ceil", Whole(|tools, args| unary(tools, args, f64::ceil))),
    ("float.round", Whole(|tools, args| unary(tools, args, f64::round))),
    ("float.trunc", Whole(|tools, args| unary(tools, args, f64::trunc))),
    ("float.sqrt", Whole(|tools, args| unary(tools, args, f64::sqrt))),
    ("float.pow", Whole(|tools, args| binary(tools, args, libm::pow))),
    ("float.exp", Whole(|tools, args| unary(tools, args, libm::exp))),
    ("float.ln", Whole(|tools, args| unary(tools, args, libm::log))),
    ("float.sin", Whole(|tools, args| unary(tools, args, libm::sin))),
    ("float.cos", Whole(|tools, args| unary(tools, args, libm::cos))),
    ("float.atan2", Whole(|tools, args| binary(tools, args, libm::atan2))),
    ("float.to_int", Common(to_int)),
    ("float.to_bits", Whole(to_bits)),
    ("float.from_bits", Common(from_bits)),
    ("float.parse", Whole(parse)),
];

fn float_of(word: Word) -> Result<f64, Box<FaultKind>> {
    if let View::Float(float) = word.view() { Ok(float) } else { mistyped() }
}

/// All NaNs are one value.
fn float(tools: &mut Tools<'_>, float: f64) -> Return {
    Ok(tools.heap.float(if float.is_nan() { f64::NAN } else { float })?)
}

fn unary(tools: &mut Tools<'_>, args: &[Word], operation: impl FnOnce(f64) -> f64) -> Return {
    let [a] = args else { return mistyped() };
    let a = float_of(*a)?;
    float(tools, operation(a))
}

fn binary(
    tools: &mut Tools<'_>,
    args: &[Word],
    operation: impl FnOnce(f64, f64) -> f64,
) -> Return {
    let [a, b] = args else { return mistyped() };
    let (a, b) = (float_of(*a)?, float_of(*b)?);
    float(tools, operation(a, b))
}

/// Truncates what is about as long as a small integer; no answer for what is longer.
fn to_int(tools: &mut Tools<'_>, args: &[Word]) -> Option<Return> {
    let [a] = args else { return None };
    let truncated = float_of(*a).ok()?.trunc();
    if !truncated.is_finite() {
        return Some(tools.option(None));
    }
    let is_word = truncated.abs() < (1_u64 << 62) as f64;
    let int = if is_word { Word::small(truncated as i64) } else { None };
    int.map(|int| tools.option(Some(int)))
}

fn to_bits(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [a] = args else { return mistyped() };
    let bits = float_of(*a)?.to_bits();
    if let Some(int) = i64::try_from(bits).ok().and_then(Word::small) {
        return Ok(int);
    }
    tools.take(words_of_int(u64::from(u64::BITS - bits.leading_zeros())))?;
    Ok(tools.heap.big(&BigInt::from(bits))?)
}

fn from_bits(tools: &mut Tools<'_>, args: &[Word]) -> Option<Return> {
    let [a] = args else { return None };
    let bits = match a.as_small() {
        Some(int) => u64::try_from(int).ok()?,
        None => {
            let View::Big(false, [limb]) = a.view() else { return None };
            *limb
        }
    };
    Some(float(tools, f64::from_bits(bits)))
}

fn parse(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [text] = args else { return mistyped() };
    let (text, _) = text_of(*text)?;
    let parsed = text.parse::<f64>().ok().map(|parsed| float(tools, parsed)).transpose()?;
    tools.option(parsed)
}

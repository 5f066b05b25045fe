//! Builtins on floats.

use num_bigint::BigInt;

use super::WordBuiltin::{Complete, FastPath};
use super::{WordBuiltinContext, WordBuiltinResult, WordBuiltinRows, mistyped, text_of};
use crate::fault::FaultKind;
use crate::jit::word::{Word, WordView};
use crate::limits::words_of_int;

pub(super) const ROWS: WordBuiltinRows = &[
    ("float.add", Complete(|tools, args| binary(tools, args, |a, b| a + b))),
    ("float.sub", Complete(|tools, args| binary(tools, args, |a, b| a - b))),
    ("float.mul", Complete(|tools, args| binary(tools, args, |a, b| a * b))),
    ("float.div", Complete(|tools, args| binary(tools, args, |a, b| a / b))),
    ("float.rem", Complete(|tools, args| binary(tools, args, |a, b| a % b))),
    ("float.neg", Complete(|tools, args| unary(tools, args, |a| -a))),
    ("float.floor", Complete(|tools, args| unary(tools, args, f64::floor))),
    ("float.ceil", Complete(|tools, args| unary(tools, args, f64::ceil))),
    ("float.round", Complete(|tools, args| unary(tools, args, f64::round))),
    ("float.trunc", Complete(|tools, args| unary(tools, args, f64::trunc))),
    ("float.sqrt", Complete(|tools, args| unary(tools, args, f64::sqrt))),
    ("float.pow", Complete(|tools, args| binary(tools, args, libm::pow))),
    ("float.exp", Complete(|tools, args| unary(tools, args, libm::exp))),
    ("float.ln", Complete(|tools, args| unary(tools, args, libm::log))),
    ("float.sin", Complete(|tools, args| unary(tools, args, libm::sin))),
    ("float.cos", Complete(|tools, args| unary(tools, args, libm::cos))),
    ("float.atan2", Complete(|tools, args| binary(tools, args, libm::atan2))),
    ("float.to_int", FastPath(to_int)),
    ("float.to_bits", Complete(to_bits)),
    ("float.from_bits", FastPath(from_bits)),
    ("float.parse", Complete(parse)),
];

fn float_of(word: Word) -> Result<f64, Box<FaultKind>> {
    if let WordView::Float(float) = word.view() { Ok(float) } else { mistyped() }
}

/// Wraps a float. All NaNs are one value.
fn float(tools: &mut WordBuiltinContext<'_>, float: f64) -> WordBuiltinResult {
    Ok(tools.heap.float(if float.is_nan() { f64::NAN } else { float })?)
}

fn unary(
    tools: &mut WordBuiltinContext<'_>,
    args: &[Word],
    operation: impl FnOnce(f64) -> f64,
) -> WordBuiltinResult {
    let [a] = args else { return mistyped() };
    let a = float_of(*a)?;
    float(tools, operation(a))
}

fn binary(
    tools: &mut WordBuiltinContext<'_>,
    args: &[Word],
    operation: impl FnOnce(f64, f64) -> f64,
) -> WordBuiltinResult {
    let [a, b] = args else { return mistyped() };
    let (a, b) = (float_of(*a)?, float_of(*b)?);
    float(tools, operation(a, b))
}

/// Truncates to a small integer; larger results are left to the builtin on values.
fn to_int(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> Option<WordBuiltinResult> {
    let [a] = args else { return None };
    let truncated = float_of(*a).ok()?.trunc();
    if !truncated.is_finite() {
        return Some(tools.option(None));
    }
    // Above 2^62 the conversion is left to the builtin on values, which charges for a big integer.
    let is_word = truncated.abs() < (1_u64 << 62) as f64;
    let int = if is_word { Word::from_small_int(truncated as i64) } else { None };
    int.map(|int| tools.option(Some(int)))
}

fn to_bits(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [a] = args else { return mistyped() };
    let bits = float_of(*a)?.to_bits();
    if let Some(int) = i64::try_from(bits).ok().and_then(Word::from_small_int) {
        return Ok(int);
    }
    tools.charge_words(words_of_int(u64::from(u64::BITS - bits.leading_zeros())))?;
    Ok(tools.heap.big(&BigInt::from(bits))?)
}

fn from_bits(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> Option<WordBuiltinResult> {
    let [a] = args else { return None };
    let bits = match a.as_small_int() {
        Some(int) => u64::try_from(int).ok()?,
        None => {
            // Negative or longer integers are out of range, and the builtin on values words the
            // fault.
            let WordView::Big(false, [limb]) = a.view() else { return None };
            *limb
        }
    };
    Some(float(tools, f64::from_bits(bits)))
}

fn parse(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [text] = args else { return mistyped() };
    let (text, _) = text_of(*text)?;
    let parsed = text.parse::<f64>().ok().map(|parsed| float(tools, parsed)).transpose()?;
    tools.option(parsed)
}

//! Builtins on floats. Functions that hardware does not define exactly come from `libm`, so that
//! every platform gives the same bits.

use num_bigint::BigInt;
use num_traits::{FromPrimitive as _, ToPrimitive as _};

use super::{
    BuiltinContext, BuiltinResult, BuiltinRows, big_of, float_of, mistyped, out_of_range,
    text_of,
};
use crate::show::show_brief;
use crate::value::Value;

pub(super) const ROWS: BuiltinRows = &[
    ("float.add", |_, args| binary(args, |a, b| a + b)),
    ("float.sub", |_, args| binary(args, |a, b| a - b)),
    ("float.mul", |_, args| binary(args, |a, b| a * b)),
    ("float.div", |_, args| binary(args, |a, b| a / b)),
    ("float.rem", |_, args| binary(args, |a, b| a % b)),
    ("float.neg", |_, args| unary(args, |a| -a)),
    ("float.floor", |_, args| unary(args, f64::floor)),
    ("float.ceil", |_, args| unary(args, f64::ceil)),
    ("float.round", |_, args| unary(args, f64::round)),
    ("float.trunc", |_, args| unary(args, f64::trunc)),
    ("float.sqrt", |_, args| unary(args, f64::sqrt)),
    ("float.pow", |_, args| binary(args, libm::pow)),
    ("float.exp", |_, args| unary(args, libm::exp)),
    ("float.ln", |_, args| unary(args, libm::log)),
    ("float.sin", |_, args| unary(args, libm::sin)),
    ("float.cos", |_, args| unary(args, libm::cos)),
    ("float.atan2", |_, args| binary(args, libm::atan2)),
    ("float.to_int", to_int),
    ("float.to_bits", to_bits),
    ("float.from_bits", from_bits),
    ("float.parse", parse),
];

/// Wraps a float. All NaNs are one value: a program must not observe which NaN bits hardware
/// produces.
fn float(float: f64) -> Value {
    Value::Float(canonical(float))
}

/// Maps every NaN to `f64::NAN`. Tests the bits, because compilers assume that a NaN from
/// arithmetic is that NaN already and would remove the obvious test.
pub(crate) fn canonical(float: f64) -> f64 {
    // Shifting out the sign bit leaves exponent and mantissa; NaNs are exactly the patterns above
    // infinity.
    let is_nan = float.to_bits() << 1 > f64::INFINITY.to_bits() << 1;
    if is_nan { f64::NAN } else { float }
}

fn unary(args: &[Value], operation: impl FnOnce(f64) -> f64) -> BuiltinResult {
    let [a] = args else { return mistyped() };
    Ok(float(operation(float_of(a)?)))
}

fn binary(args: &[Value], operation: impl FnOnce(f64, f64) -> f64) -> BuiltinResult {
    let [a, b] = args else { return mistyped() };
    Ok(float(operation(float_of(a)?, float_of(b)?)))
}

/// Truncates; `None` for NaN and the infinities.
fn to_int(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [a] = args else { return mistyped() };
    // Through a big integer, since a float may be far beyond 64 bits; `None` for what is not
    // finite.
    let int = BigInt::from_f64(float_of(a)?.trunc());
    let int = int.map(|int| ctx.big(int)).transpose()?;
    ctx.option(int)
}

fn to_bits(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [a] = args else { return mistyped() };
    ctx.big(BigInt::from(float_of(a)?.to_bits()))
}

fn from_bits(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [bits] = args else { return mistyped() };
    match big_of(bits)?.to_u64() {
        Some(bits) => Ok(float(f64::from_bits(bits))),
        None => {
            let shown = show_brief(ctx.program, bits, 60);
            Err(out_of_range(format!("{shown} is not an unsigned 64-bit number")))
        }
    }
}

fn parse(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [text] = args else { return mistyped() };
    let parsed = text_of(text)?.as_str().parse::<f64>().ok().map(float);
    ctx.option(parsed)
}

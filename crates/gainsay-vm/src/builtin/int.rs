//! Builtins on integers, which are unbounded.
//!
//! If the arguments and the result of an operation fit a machine word, only the words of the result
//! are charged, and a small result is free. Otherwise the result is charged by its maximum length
//! before it is computed, even if it then turns out small.

use num_bigint::{BigInt, Sign};
use num_traits::{Pow as _, ToPrimitive as _, Zero as _};

use super::{
    BuiltinContext, BuiltinResult, BuiltinRows, big_of, count_of, mistyped, out_of_range,
    text_of,
};
use crate::fault::FaultKind;
use crate::limits::{MAX_INT_BITS, SMALL_INT_BITS, words_of_int};
use crate::show::show_brief;
use crate::value::Value;

pub(super) const ROWS: BuiltinRows = &[
    ("int.add", |ctx, args| linear(ctx, args, i64::checked_add, |a, b| a + b)),
    ("int.sub", |ctx, args| linear(ctx, args, i64::checked_sub, |a, b| a - b)),
    ("int.mul", mul),
    ("int.div", |ctx, args| division(ctx, args, i64::checked_div, |a, b| a / b)),
    ("int.rem", |ctx, args| division(ctx, args, i64::checked_rem, |a, b| a % b)),
    ("int.neg", neg),
    ("int.pow", pow),
    ("int.bit_and", |ctx, args| linear(ctx, args, |a, b| Some(a & b), |a, b| a & b)),
    ("int.bit_or", |ctx, args| linear(ctx, args, |a, b| Some(a | b), |a, b| a | b)),
    ("int.bit_xor", |ctx, args| linear(ctx, args, |a, b| Some(a ^ b), |a, b| a ^ b)),
    ("int.shift_left", shift_left),
    ("int.shift_right", shift_right),
    ("int.to_float", to_float),
    ("int.parse", parse),
];

/// Charges for a result of at most `bits` bits before it is computed.
fn take_bits(ctx: &mut BuiltinContext<'_, '_>, bits: u64) -> Result<(), Box<FaultKind>> {
    if bits > MAX_INT_BITS {
        return Err(Box::new(FaultKind::MemoryLimit));
    }
    if bits > SMALL_INT_BITS {
        ctx.charge_words(words_of_int(bits))?;
    }
    // Work is charged per byte of the result, like for texts.
    ctx.charge_work(bits / 8)
}

/// Charges the work of an algorithm that visits each pair of digits.
fn pay_product(
    ctx: &mut BuiltinContext<'_, '_>,
    a_bits: u64,
    b_bits: u64,
) -> Result<(), Box<FaultKind>> {
    ctx.charge_work((a_bits / 64).saturating_mul(b_bits / 64))
}

/// An operation whose result is about as long as its longer argument.
fn linear(
    ctx: &mut BuiltinContext<'_, '_>,
    args: &[Value],
    small: impl FnOnce(i64, i64) -> Option<i64>,
    big: impl FnOnce(BigInt, BigInt) -> BigInt,
) -> BuiltinResult {
    let [a, b] = args else { return mistyped() };
    if let (Value::Int(a), Value::Int(b)) = (a, b)
        && let Some(result) = small(*a, *b)
    {
        return ctx.int(result);
    }
    let (a, b) = (big_of(a)?, big_of(b)?);
    // Addition may carry into one more bit.
    take_bits(ctx, a.bits().max(b.bits()) + 1)?;
    Ok(Value::int(big(a, b)))
}

fn mul(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [a, b] = args else { return mistyped() };
    if let (Value::Int(a), Value::Int(b)) = (a, b)
        && let Some(result) = a.checked_mul(*b)
    {
        return ctx.int(result);
    }
    let (a, b) = (big_of(a)?, big_of(b)?);
    pay_product(ctx, a.bits(), b.bits())?;
    take_bits(ctx, a.bits() + b.bits())?;
    Ok(Value::int(a * b))
}

/// Division truncates toward zero; the remainder has the sign of the dividend.
fn division(
    ctx: &mut BuiltinContext<'_, '_>,
    args: &[Value],
    small: impl FnOnce(i64, i64) -> Option<i64>,
    big: impl FnOnce(BigInt, BigInt) -> BigInt,
) -> BuiltinResult {
    let [a, b] = args else { return mistyped() };
    if let Value::Int(0) = b {
        return Err(Box::new(FaultKind::DivByZero));
    }
    // `i64::MIN / -1` overflows, so `small` is partial.
    if let (Value::Int(a), Value::Int(b)) = (a, b)
        && let Some(result) = small(*a, *b)
    {
        return ctx.int(result);
    }
    let (a, b) = (big_of(a)?, big_of(b)?);
    pay_product(ctx, a.bits(), b.bits())?;
    take_bits(ctx, a.bits())?;
    Ok(Value::int(big(a, b)))
}

fn neg(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [a] = args else { return mistyped() };
    if let Value::Int(a) = a
        && let Some(result) = a.checked_neg()
    {
        return ctx.int(result);
    }
    let a = big_of(a)?;
    take_bits(ctx, a.bits())?;
    Ok(Value::int(-a))
}

fn pow(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [base, exponent] = args else { return mistyped() };
    let (base, exponent) = (big_of(base)?, big_of(exponent)?);
    if exponent.sign() == Sign::Minus {
        let shown = show_brief(ctx.program, &args[1], 60);
        return Err(out_of_range(format!("the exponent {shown} is negative")));
    }
    if base.bits() <= 1 {
        // The powers of 0, 1 and -1 stay small whatever the exponent, even one beyond 64 bits.
        let is_odd = exponent.bit(0);
        let result = match base.to_i64() {
            Some(0) if exponent.is_zero() => 1,
            Some(-1) if !is_odd => 1,
            Some(int) => int,
            None => return mistyped(),
        };
        let is_one = exponent.is_zero();
        return Ok(Value::Int(if is_one { 1 } else { result }));
    }
    // The base is at least 2 in magnitude here, so the result has more bits than memory has.
    let Some(exponent) = exponent.to_u64() else {
        return Err(Box::new(FaultKind::MemoryLimit));
    };
    // The length of the result. Multiplying `base.bits()` by the exponent would overestimate by up
    // to a factor of two: 2 has two bits, but `2^n` has only `n + 1`.
    let bits_of_base = base.to_f64().map_or(f64::INFINITY, |base| libm::log2(base.abs()));
    let bits_of_base = bits_of_base.min(base.bits() as f64);
    let bits = ((bits_of_base * exponent as f64).ceil() as u64).saturating_add(1);
    take_bits(ctx, bits)?;
    pay_product(ctx, bits, bits)?;
    Ok(Value::int(base.pow(exponent)))
}

fn shift_left(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [value, count] = args else { return mistyped() };
    let count = shift_count(ctx, count)?;
    let value = big_of(value)?;
    if value.is_zero() {
        return Ok(Value::Int(0));
    }
    // Before the shift, whose result may be too large to exist.
    take_bits(ctx, value.bits().saturating_add(count))?;
    Ok(Value::int(value << count))
}

/// Rounds toward negative infinity: each further shift halves and takes the floor.
fn shift_right(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [value, count] = args else { return mistyped() };
    let count = shift_count(ctx, count)?;
    if let Value::Int(value) = value {
        // A shift by 64 or more would overflow; 63 already leaves only the sign.
        return ctx.int(value >> count.min(63));
    }
    let value = big_of(value)?;
    take_bits(ctx, value.bits())?;
    Ok(Value::int(value >> count.min(value_end(args))))
}

/// The shift count from which on the result no longer changes.
fn value_end(args: &[Value]) -> u64 {
    args.first().and_then(Value::as_big).map_or(0, |value| value.bits() + 1)
}

/// The shift count; negative ones are a fault.
fn shift_count(ctx: &BuiltinContext<'_, '_>, count: &Value) -> Result<u64, Box<FaultKind>> {
    count_of(count)?.ok_or_else(|| {
        let shown = show_brief(ctx.program, count, 60);
        out_of_range(format!("the shift count {shown} is negative"))
    })
}

fn to_float(_: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    match args {
        [Value::Int(int)] => Ok(Value::Float(*int as f64)),
        [Value::Big(big)] => Ok(Value::Float(big.get().to_f64().unwrap_or(f64::NAN))),
        _ => mistyped(),
    }
}

/// Decimal digits after an optional `-`.
fn parse(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [text] = args else { return mistyped() };
    let text = text_of(text)?.as_str();
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return ctx.option(None);
    }
    // A decimal digit carries less than four bits; parsing is quadratic in the number of digits.
    let bits = digits.len() as u64 * 4;
    take_bits(ctx, bits)?;
    pay_product(ctx, bits, bits)?;
    let int = text.parse::<BigInt>().ok().map(Value::int);
    ctx.option(int)
}

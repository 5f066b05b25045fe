//! Builtins on integers whose arguments and result are small, which are free of charge. Everything
//! else is left to the builtins on values.

use super::WordBuiltin::{ByValue, FastPath};
use super::{WordBuiltinResult, WordBuiltinRows};
use crate::jit::word::Word;
use crate::limits::SMALL_INT_BITS;

pub(super) const ROWS: WordBuiltinRows = &[
    ("int.add", FastPath(|_, args| binary(args, i64::checked_add))),
    ("int.sub", FastPath(|_, args| binary(args, i64::checked_sub))),
    ("int.mul", FastPath(|_, args| binary(args, i64::checked_mul))),
    ("int.div", FastPath(|_, args| binary(args, i64::checked_div))),
    ("int.rem", FastPath(|_, args| binary(args, i64::checked_rem))),
    ("int.neg", FastPath(|_, args| unary(args, i64::checked_neg))),
    ("int.pow", FastPath(|_, args| binary(args, pow))),
    ("int.bit_and", FastPath(|_, args| binary(args, |a, b| Some(a & b)))),
    ("int.bit_or", FastPath(|_, args| binary(args, |a, b| Some(a | b)))),
    ("int.bit_xor", FastPath(|_, args| binary(args, |a, b| Some(a ^ b)))),
    ("int.shift_left", FastPath(|_, args| binary(args, shift_left))),
    ("int.shift_right", FastPath(|_, args| binary(args, shift_right))),
    ("int.to_float", FastPath(|_, args| to_float(args))),
    ("int.parse", ByValue),
];

fn unary(
    args: &[Word],
    operation: impl FnOnce(i64) -> Option<i64>,
) -> Option<WordBuiltinResult> {
    let [a] = args else { return None };
    Word::from_small_int(operation(a.as_small_int()?)?).map(Ok)
}

fn binary(
    args: &[Word],
    operation: impl FnOnce(i64, i64) -> Option<i64>,
) -> Option<WordBuiltinResult> {
    let [a, b] = args else { return None };
    Word::from_small_int(operation(a.as_small_int()?, b.as_small_int()?)?).map(Ok)
}

/// Only if the estimated length of the result, by which it is charged, is certain to be that of a
/// small integer.
fn pow(base: i64, exponent: i64) -> Option<i64> {
    let power = base.checked_pow(u32::try_from(exponent).ok()?)?;
    // The estimate may exceed the true length by rounding up and by its extra bit, hence two bits
    // of margin.
    (bits_of(power) + 2 <= SMALL_INT_BITS).then_some(power)
}

fn shift_left(value: i64, count: i64) -> Option<i64> {
    let count = u64::try_from(count).ok()?;
    let n_bits = bits_of(value).saturating_add(count);
    (n_bits <= SMALL_INT_BITS).then(|| value << count)
}

fn shift_right(value: i64, count: i64) -> Option<i64> {
    u64::try_from(count).ok().map(|count| value >> count.min(63))
}

fn to_float(args: &[Word]) -> Option<WordBuiltinResult> {
    let [a] = args else { return None };
    // A float that does not fit a word is left to the builtin on values.
    Word::packed_float(a.as_small_int()? as f64).map(Ok)
}

/// Number of bits of the magnitude.
fn bits_of(int: i64) -> u64 {
    u64::from(u64::BITS - int.unsigned_abs().leading_zeros())
}

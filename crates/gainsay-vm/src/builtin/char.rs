//! Builtins on characters (Unicode scalar values).

use num_traits::ToPrimitive as _;

use super::{BuiltinContext, BuiltinResult, BuiltinRows, big_of, char_of, mistyped};
use crate::value::Value;

pub(super) const ROWS: BuiltinRows = &[
    ("char.code", code),
    ("char.from_code", from_code),
    ("char.is_alphabetic", |_, args| is(args, char::is_alphabetic)),
    ("char.is_numeric", |_, args| is(args, char::is_numeric)),
    ("char.is_whitespace", |_, args| is(args, char::is_whitespace)),
    ("char.is_upper", |_, args| is(args, char::is_uppercase)),
    ("char.is_lower", |_, args| is(args, char::is_lowercase)),
    ("char.to_upper", |_, args| mapped(args, |char| char.to_uppercase())),
    ("char.to_lower", |_, args| mapped(args, |char| char.to_lowercase())),
];

fn is(args: &[Value], question: impl FnOnce(char) -> bool) -> BuiltinResult {
    let [char] = args else { return mistyped() };
    Ok(Value::Bool(question(char_of(char)?)))
}

/// Maps to the other case if that is a single character, else returns the character unchanged.
fn mapped<I: Iterator<Item = char>>(
    args: &[Value],
    map: impl FnOnce(char) -> I,
) -> BuiltinResult {
    let [char] = args else { return mistyped() };
    let char = char_of(char)?;
    let mut chars = map(char);
    Ok(Value::Char(match (chars.next(), chars.next()) {
        (Some(single), None) => single,
        (None | Some(_), _) => char,
    }))
}

fn code(_: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [char] = args else { return mistyped() };
    Ok(Value::Int(i64::from(u32::from(char_of(char)?))))
}

/// `None` if the integer is not the code of a character.
fn from_code(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [code] = args else { return mistyped() };
    let char = big_of(code)?.to_u32().and_then(char::from_u32).map(Value::Char);
    ctx.option(char)
}

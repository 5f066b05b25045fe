//! Builtins on characters.

use super::WordBuiltin::Complete;
use super::{WordBuiltinContext, WordBuiltinResult, WordBuiltinRows, char_of, mistyped};
use crate::jit::word::{Word, WordView};

pub(super) const ROWS: WordBuiltinRows = &[
    ("char.code", Complete(code)),
    ("char.from_code", Complete(from_code)),
    ("char.is_alphabetic", Complete(|_, args| is(args, char::is_alphabetic))),
    ("char.is_numeric", Complete(|_, args| is(args, char::is_numeric))),
    ("char.is_whitespace", Complete(|_, args| is(args, char::is_whitespace))),
    ("char.is_upper", Complete(|_, args| is(args, char::is_uppercase))),
    ("char.is_lower", Complete(|_, args| is(args, char::is_lowercase))),
    ("char.to_upper", Complete(|_, args| mapped(args, |char| char.to_uppercase()))),
    ("char.to_lower", Complete(|_, args| mapped(args, |char| char.to_lowercase()))),
];

fn is(args: &[Word], question: impl FnOnce(char) -> bool) -> WordBuiltinResult {
    let [char] = args else { return mistyped() };
    Ok(Word::from(question(char_of(*char)?)))
}

/// Maps to the other case if that is a single character, else returns the character unchanged.
fn mapped<I: Iterator<Item = char>>(
    args: &[Word],
    map: impl FnOnce(char) -> I,
) -> WordBuiltinResult {
    let [char] = args else { return mistyped() };
    let char = char_of(*char)?;
    let mut chars = map(char);
    Ok(Word::char(match (chars.next(), chars.next()) {
        (Some(single), None) => single,
        (None | Some(_), _) => char,
    }))
}

fn code(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [char] = args else { return mistyped() };
    Ok(tools.heap.int(i64::from(u32::from(char_of(*char)?)))?)
}

/// `None` if the integer is not the code of a character.
fn from_code(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [code] = args else { return mistyped() };
    let WordView::Int(code) = code.view() else { return tools.option(None) };
    let char = u32::try_from(code).ok().and_then(char::from_u32).map(Word::char);
    tools.option(char)
}

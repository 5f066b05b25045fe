//! Builtins on characters.

use super::Meaning::Whole;
use super::{Return, Rows, Tools, char_of, mistyped};
use crate::jit::word::{View, Word};

pub(super) const ROWS: Rows = &[
    ("char.code", Whole(code)),
    ("char.from_code", Whole(from_code)),
    ("char.is_alphabetic", Whole(|_, args| is(args, char::is_alphabetic))),
    ("char.is_numeric", Whole(|_, args| is(args, char::is_numeric))),
    ("char.is_whitespace", Whole(|_, args| is(args, char::is_whitespace))),
    ("char.is_upper", Whole(|_, args| is(args, char::is_uppercase))),
    ("char.is_lower", Whole(|_, args| is(args, char::is_lowercase))),
    ("char.to_upper", Whole(|_, args| mapped(args, |char| char.to_uppercase()))),
    ("char.to_lower", Whole(|_, args| mapped(args, |char| char.to_lowercase()))),
];

fn is(args: &[Word], question: impl FnOnce(char) -> bool) -> Return {
    let [char] = args else { return mistyped() };
    Ok(Word::from(question(char_of(*char)?)))
}

/// The other case, where that is a single character; else the character itself.
fn mapped<I: Iterator<Item = char>>(args: &[Word], map: impl FnOnce(char) -> I) -> Return {
    let [char] = args else { return mistyped() };
    let char = char_of(*char)?;
    let mut chars = map(char);
    Ok(Word::char(match (chars.next(), chars.next()) {
        (Some(single), None) => single,
        (None | Some(_), _) => char,
    }))
}

fn code(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [char] = args else { return mistyped() };
    Ok(tools.heap.int(i64::from(u32::from(char_of(*char)?)))?)
}

/// `None` for what is the code of no character.
fn from_code(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [code] = args else { return mistyped() };
    let View::Int(code) = code.view() else { return tools.option(None) };
    let char = u32::try_from(code).ok().and_then(char::from_u32).map(Word::char);
    tools.option(char)
}

//! Builtins on text. Those that traverse the whole text and build others from it are left to the
//! builtins on values.

use super::WordBuiltin::{ByValue, Complete, FastPath};
use super::{
    WordBuiltinContext, WordBuiltinResult, WordBuiltinRows, char_of, clamped_position,
    count_of, list_of, mistyped, text_of,
};
use crate::jit::word::Word;

pub(super) const ROWS: WordBuiltinRows = &[
    ("str.concat", Complete(concat)),
    ("str.len", Complete(len)),
    ("str.chars", Complete(chars)),
    ("str.from_chars", Complete(from_chars)),
    ("str.slice", Complete(slice)),
    ("str.split", ByValue),
    ("str.join", ByValue),
    ("str.trim", Complete(trim)),
    (
        "str.starts_with",
        Complete(|tools, args| is(tools, args, |text, part| text.starts_with(part))),
    ),
    (
        "str.ends_with",
        Complete(|tools, args| is(tools, args, |text, part| text.ends_with(part))),
    ),
    ("str.contains", Complete(|tools, args| is(tools, args, |text, part| text.contains(part)))),
    ("str.find", Complete(find)),
    ("str.replace", ByValue),
    ("str.repeat", FastPath(repeat)),
    ("str.to_upper", ByValue),
    ("str.to_lower", ByValue),
];

fn concat(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [a, b] = args else { return mistyped() };
    let ((a, a_chars), (b, b_chars)) = (text_of(*a)?, text_of(*b)?);
    tools.charge_text((a.len() + b.len()) as u64)?;
    Ok(tools.heap.concat_text([a, b], a_chars + b_chars)?)
}

fn len(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [text] = args else { return mistyped() };
    Ok(tools.heap.int(text_of(*text)?.1 as i64)?)
}

fn chars(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [text] = args else { return mistyped() };
    let (text, n_chars) = text_of(*text)?;
    tools.charge_list(n_chars)?;
    let chars: Vec<Word> = text.chars().map(Word::char).collect();
    Ok(tools.heap.list(chars.into_iter(), Word::NIL)?)
}

fn from_chars(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [list] = args else { return mistyped() };
    let list = list_of(*list)?;
    tools.charge_work(list.n_items())?;
    // Charged twice on purpose: for reading the list here, and for the text once its size is known.
    let text = list.map(char_of).collect::<Result<String, _>>()?;
    tools.charge_text(text.len() as u64)?;
    Ok(tools.heap.text_with_len(&text, list.n_items())?)
}

/// The characters from `start` to `end`, both clamped to the text.
fn slice(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [text, start, end] = args else { return mistyped() };
    let (text, n_chars) = text_of(*text)?;
    let start = clamped_position(*start, n_chars)?;
    let end = clamped_position(*end, n_chars)?.max(start);
    // As many characters as bytes means ASCII.
    let is_ascii = n_chars == text.len() as u64;
    tools.charge_work(if is_ascii { 0 } else { end })?;
    let byte_at = |index: u64| {
        if is_ascii {
            return index as usize;
        }
        let mut starts = text.char_indices().map(|(byte, _)| byte);
        starts.nth(index as usize).unwrap_or(text.len())
    };
    let part = &text[byte_at(start)..byte_at(end)];
    tools.charge_text(part.len() as u64)?;
    Ok(tools.heap.text_with_len(part, end - start)?)
}

fn trim(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [text] = args else { return mistyped() };
    let trimmed = text_of(*text)?.0.trim();
    tools.charge_text(trimmed.len() as u64)?;
    Ok(tools.heap.text(trimmed)?)
}

fn is(
    tools: &mut WordBuiltinContext<'_>,
    args: &[Word],
    question: impl FnOnce(&str, &str) -> bool,
) -> WordBuiltinResult {
    let [text, part] = args else { return mistyped() };
    let ((text, _), (part, _)) = (text_of(*text)?, text_of(*part)?);
    tools.charge_work(text.len() as u64)?;
    Ok(Word::from(question(text, part)))
}

fn find(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [text, part] = args else { return mistyped() };
    let ((text, _), (part, _)) = (text_of(*text)?, text_of(*part)?);
    tools.charge_work(text.len() as u64)?;
    let index = text.find(part).map(|byte| tools.heap.int(text[..byte].chars().count() as i64));
    tools.option(index.transpose()?)
}

/// Leaves negative counts to the builtin on values, which raises the fault.
fn repeat(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> Option<WordBuiltinResult> {
    let [text, count] = args else { return None };
    let (text, n_chars) = text_of(*text).ok()?;
    let count = count_of(*count).ok()??;
    Some(repeated(tools, text, n_chars, count))
}

fn repeated(
    tools: &mut WordBuiltinContext<'_>,
    text: &str,
    n_chars: u64,
    count: u64,
) -> WordBuiltinResult {
    // Nothing to charge by: any count yields the same empty text.
    if text.is_empty() {
        return Ok(tools.heap.text("")?);
    }
    tools.charge_text((text.len() as u64).saturating_mul(count))?;
    Ok(tools.heap.text_with_len(&text.repeat(count as usize), n_chars * count)?)
}

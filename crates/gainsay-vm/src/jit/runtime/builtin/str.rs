//! Builtins on text. Those that go through the whole text and make others from it work by
//! value.

use super::Meaning::{ByValue, Common, Whole};
use super::{Return, Rows, Tools, char_of, clamped, count_of, list_of, mistyped, text_of};
use crate::jit::word::Word;

pub(super) const ROWS: Rows = &[
    ("str.concat", Whole(concat)),
    ("str.len", Whole(len)),
    ("str.chars", Whole(chars)),
    ("str.from_chars", Whole(from_chars)),
    ("str.slice", Whole(slice)),
    ("str.split", ByValue),
    ("str.join", ByValue),
    ("str.trim", Whole(trim)),
    (
        "str.starts_with",
        Whole(|tools, args| is(tools, args, |text, part| text.starts_with(part))),
    ),
    ("str.ends_with", Whole(|tools, args| is(tools, args, |text, part| text.ends_with(part)))),
    ("str.contains", Whole(|tools, args| is(tools, args, |text, part| text.contains(part)))),
    ("str.find", Whole(find)),
    ("str.replace", ByValue),
    ("str.repeat", Common(repeat)),
    ("str.to_upper", ByValue),
    ("str.to_lower", ByValue),
];

fn concat(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [a, b] = args else { return mistyped() };
    let ((a, a_chars), (b, b_chars)) = (text_of(*a)?, text_of(*b)?);
    tools.take_text((a.len() + b.len()) as u64)?;
    Ok(tools.heap.joined([a, b], a_chars + b_chars)?)
}

fn len(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [text] = args else { return mistyped() };
    Ok(tools.heap.int(text_of(*text)?.1 as i64)?)
}

fn chars(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [text] = args else { return mistyped() };
    let (text, n_chars) = text_of(*text)?;
    tools.take_list(n_chars)?;
    let chars: Vec<Word> = text.chars().map(Word::char).collect();
    Ok(tools.heap.list(chars.into_iter(), Word::NIL)?)
}

fn from_chars(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [list] = args else { return mistyped() };
    let list = list_of(*list)?;
    tools.work(list.n_items())?;
    let text = list.map(char_of).collect::<Result<String, _>>()?;
    tools.take_text(text.len() as u64)?;
    Ok(tools.heap.text_of(&text, list.n_items())?)
}

/// The characters from `start` up to `end`, both put into range.
fn slice(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [text, start, end] = args else { return mistyped() };
    let (text, n_chars) = text_of(*text)?;
    let start = clamped(*start, n_chars)?;
    let end = clamped(*end, n_chars)?.max(start);
    let is_ascii = n_chars == text.len() as u64;
    tools.work(if is_ascii { 0 } else { end })?;
    let byte_at = |index: u64| {
        if is_ascii {
            return index as usize;
        }
        let mut starts = text.char_indices().map(|(byte, _)| byte);
        starts.nth(index as usize).unwrap_or(text.len())
    };
    let part = &text[byte_at(start)..byte_at(end)];
    tools.take_text(part.len() as u64)?;
    Ok(tools.heap.text_of(part, end - start)?)
}

fn trim(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [text] = args else { return mistyped() };
    let trimmed = text_of(*text)?.0.trim();
    tools.take_text(trimmed.len() as u64)?;
    Ok(tools.heap.text(trimmed)?)
}

fn is(
    tools: &mut Tools<'_>,
    args: &[Word],
    question: impl FnOnce(&str, &str) -> bool,
) -> Return {
    let [text, part] = args else { return mistyped() };
    let ((text, _), (part, _)) = (text_of(*text)?, text_of(*part)?);
    tools.work(text.len() as u64)?;
    Ok(Word::from(question(text, part)))
}

fn find(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [text, part] = args else { return mistyped() };
    let ((text, _), (part, _)) = (text_of(*text)?, text_of(*part)?);
    tools.work(text.len() as u64)?;
    let index = text.find(part).map(|byte| tools.heap.int(text[..byte].chars().count() as i64));
    tools.option(index.transpose()?)
}

/// No answer for a count that is negative.
fn repeat(tools: &mut Tools<'_>, args: &[Word]) -> Option<Return> {
    let [text, count] = args else { return None };
    let (text, n_chars) = text_of(*text).ok()?;
    let count = count_of(*count).ok()??;
    Some(repeated(tools, text, n_chars, count))
}

fn repeated(tools: &mut Tools<'_>, text: &str, n_chars: u64, count: u64) -> Return {
    if text.is_empty() {
        return Ok(tools.heap.text("")?);
    }
    tools.take_text((text.len() as u64).saturating_mul(count))?;
    Ok(tools.heap.text_of(&text.repeat(count as usize), n_chars * count)?)
}

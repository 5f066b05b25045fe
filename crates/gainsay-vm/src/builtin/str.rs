//! Builtins on text. Positions and lengths count characters.

use super::{
    BuiltinContext, BuiltinResult, BuiltinRows, char_of, clamped_position, count_of, list_of,
    mistyped, out_of_range, text_of,
};
use crate::fault::FaultKind;
use crate::limits::words_of_text;
use crate::show::show_brief;
use crate::value::{Text, Value};

pub(super) const ROWS: BuiltinRows = &[
    ("str.concat", concat),
    ("str.len", len),
    ("str.chars", chars),
    ("str.from_chars", from_chars),
    ("str.slice", slice),
    ("str.split", split),
    ("str.join", join),
    ("str.trim", trim),
    ("str.starts_with", |ctx, args| is(ctx, args, |text, part| text.starts_with(part))),
    ("str.ends_with", |ctx, args| is(ctx, args, |text, part| text.ends_with(part))),
    ("str.contains", |ctx, args| is(ctx, args, |text, part| text.contains(part))),
    ("str.find", find),
    ("str.replace", replace),
    ("str.repeat", repeat),
    ("str.to_upper", |ctx, args| mapped(ctx, args, str::to_uppercase)),
    ("str.to_lower", |ctx, args| mapped(ctx, args, str::to_lowercase)),
];

fn concat(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [a, b] = args else { return mistyped() };
    let (a, b) = (text_of(a)?.as_str(), text_of(b)?.as_str());
    // Charged before the concatenation exists, so that an oversized one is never built.
    reserve(ctx, a.len() + b.len())?;
    Ok(Value::str([a, b].concat()))
}

/// Charges for a text before it is built.
fn reserve(ctx: &mut BuiltinContext<'_, '_>, bytes: usize) -> Result<(), Box<FaultKind>> {
    ctx.charge_words(words_of_text(bytes as u64))?;
    ctx.charge_work(bytes as u64)
}

fn len(_: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [text] = args else { return mistyped() };
    Ok(Value::Int(text_of(text)?.n_chars() as i64))
}

fn chars(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [text] = args else { return mistyped() };
    let text = text_of(text)?;
    ctx.charge_list(text.n_chars())?;
    Ok(Value::list(text.as_str().chars().map(Value::Char)))
}

fn from_chars(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [list] = args else { return mistyped() };
    let list = list_of(list)?;
    ctx.charge_work(list.len())?;
    let text = list.iter().map(char_of).collect::<Result<String, _>>()?;
    ctx.text(text)
}

/// The characters from `start` to `end`, both clamped to the text.
fn slice(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [text, start, end] = args else { return mistyped() };
    let text = text_of(text)?;
    let start = clamped_position(start, text.n_chars())?;
    let end = clamped_position(end, text.n_chars())?.max(start);
    // Finding a character's byte takes constant time in ASCII, and a scan elsewhere.
    ctx.charge_work(if text.is_ascii() { 0 } else { end })?;
    let part = &text.as_str()[byte_at(text, start)..byte_at(text, end)];
    reserve(ctx, part.len())?;
    Ok(Value::str(part))
}

/// The byte offset at which a character begins.
fn byte_at(text: &Text, index: u64) -> usize {
    if text.is_ascii() {
        return index as usize;
    }
    let mut starts = text.as_str().char_indices().map(|(byte, _)| byte);
    starts.nth(index as usize).unwrap_or(text.as_str().len())
}

/// Splits at separators; an empty separator splits between all characters.
fn split(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [text, separator] = args else { return mistyped() };
    let (text, separator) = (text_of(text)?, text_of(separator)?.as_str());
    ctx.charge_work(text.as_str().len() as u64)?;
    // Charge before allocating: the parts are counted here and built below.
    let words = if separator.is_empty() {
        text.n_chars().saturating_mul(words_of_text(1))
    } else {
        text.as_str().split(separator).map(|part| words_of_text(part.len() as u64)).sum()
    };
    ctx.charge_words(words)?;
    let parts: Vec<Value> = if separator.is_empty() {
        text.as_str().chars().map(|char| Value::str(char.to_string())).collect()
    } else {
        text.as_str().split(separator).map(Value::from).collect()
    };
    ctx.list(parts)
}

fn join(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [parts, separator] = args else { return mistyped() };
    let (parts, separator) = (list_of(parts)?, text_of(separator)?.as_str());
    ctx.charge_work(parts.len())?;
    let mut texts = Vec::with_capacity(parts.len() as usize);
    for part in parts {
        texts.push(text_of(part)?.as_str());
    }
    let bytes = texts.iter().map(|text| text.len()).sum::<usize>();
    let between = separator.len().saturating_mul(texts.len().saturating_sub(1));
    reserve(ctx, bytes.saturating_add(between))?;
    Ok(Value::str(texts.join(separator)))
}

fn trim(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [text] = args else { return mistyped() };
    let trimmed = text_of(text)?.as_str().trim();
    reserve(ctx, trimmed.len())?;
    Ok(Value::str(trimmed))
}

fn is(
    ctx: &mut BuiltinContext<'_, '_>,
    args: &[Value],
    question: impl FnOnce(&str, &str) -> bool,
) -> BuiltinResult {
    let [text, part] = args else { return mistyped() };
    let (text, part) = (text_of(text)?.as_str(), text_of(part)?.as_str());
    ctx.charge_work(text.len() as u64)?;
    Ok(Value::Bool(question(text, part)))
}

fn find(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [text, part] = args else { return mistyped() };
    let (text, part) = (text_of(text)?.as_str(), text_of(part)?.as_str());
    ctx.charge_work(text.len() as u64)?;
    let index = text.find(part).map(|byte| Value::Int(text[..byte].chars().count() as i64));
    ctx.option(index)
}

fn replace(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [text, from, to] = args else { return mistyped() };
    let (text, from, to) =
        (text_of(text)?.as_str(), text_of(from)?.as_str(), text_of(to)?.as_str());
    ctx.charge_work(text.len() as u64)?;
    let count = text.matches(from).count();
    // `from` may be longer than `to`, in which case the text shrinks and its own length is enough.
    let grown = count.saturating_mul(to.len().saturating_sub(from.len()));
    reserve(ctx, text.len().saturating_add(grown))?;
    Ok(Value::str(text.replace(from, to)))
}

fn repeat(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [text, count] = args else { return mistyped() };
    let text = text_of(text)?.as_str();
    let Some(count) = count_of(count)? else {
        let shown = show_brief(ctx.program, count, 60);
        return Err(out_of_range(format!("a string cannot be repeated {shown} times")));
    };
    // Avoids charging for, and then repeating, an empty text up to 2^64 times.
    if text.is_empty() {
        return Ok(Value::str(""));
    }
    let bytes = usize::try_from((text.len() as u64).saturating_mul(count));
    reserve(ctx, bytes.unwrap_or(usize::MAX))?;
    Ok(Value::str(text.repeat(count as usize)))
}

fn mapped(
    ctx: &mut BuiltinContext<'_, '_>,
    args: &[Value],
    map: impl FnOnce(&str) -> String,
) -> BuiltinResult {
    let [text] = args else { return mistyped() };
    let text = text_of(text)?.as_str();
    ctx.charge_work(text.len() as u64)?;
    ctx.text(map(text))
}

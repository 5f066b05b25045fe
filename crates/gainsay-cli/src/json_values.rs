//! Values as JSON, written here and read in `read`.
//!
//! ```text
//! Int                 a number, with all its digits; for systems {"int": "12.."} beyond 2^53
//! Float               a number; "nan", "inf" and "-inf" where JSON has none
//! Bool, Char, Str     true or false, a text of one character, a text
//! ()                  null
//! tuple, List, Set    an array
//! Map                 an array of arrays [key, value]
//! record              an object of its fields
//! sum                 {"ctor": "Node", "fields": [..]}; no fields where there are none, and an
//!                     object where they have names
//! function            {"function": its source}
//! ```

mod read;

use gainsay::core::{Ctor, Program, Shape};
use gainsay::test::SampledValue;
use gainsay::vm::{Value, show};

pub(crate) use self::read::JsonReader;

/// A generated value as JSON on one line.
pub(crate) fn value(sampled: &SampledValue<'_>) -> String {
    if let Value::Closure(..) = sampled.value {
        return function(&sampled.text);
    }
    value_of(sampled.program, sampled.value, LargeInts::AsDigits)
}

/// The solution of a query as JSON on one line: an object of its unknowns.
pub(crate) fn solution(unknowns: &[String], sampled: &SampledValue<'_>) -> String {
    let parts = unknowns.iter().zip(&sampled.inputs);
    let parts = parts.map(|(name, it)| {
        let value = value_of(sampled.program, it.value, LargeInts::AsDigits);
        format!("{}:{value}", quoted(name))
    });
    format!("{{{}}}", parts.collect::<Vec<_>>().join(","))
}

/// How integers are written that other languages may not read exactly.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum LargeInts {
    /// As numbers, with all their digits.
    AsDigits,
    /// As `{"int": "12.."}`: many parsers of JSON read numbers as floats.
    AsText,
}

/// The largest integer up to which all of them are floats.
const MAX_EXACT: u64 = (1 << 53) - 1;

/// A value as JSON on one line.
pub(crate) fn value_of(program: &Program, value: &Value, large: LargeInts) -> String {
    let mut text = String::new();
    // An explicit stack of pieces, the next one last: values may nest deeper than recursion allows.
    let mut waiting = vec![JsonPiece::Value(value)];
    while let Some(piece) = waiting.pop() {
        match piece {
            JsonPiece::Raw(piece) => text.push_str(piece),
            JsonPiece::Quoted(word) => text += &quoted(word),
            JsonPiece::Name(name) => text += &(quoted(name) + ":"),
            JsonPiece::Value(value) => {
                let before = waiting.len();
                match digits_as_text(program, value, large) {
                    Some(digits) => text += &digits,
                    None => open(program, value, &mut text, &mut waiting),
                }
                waiting[before..].reverse();
            }
        }
    }
    text
}

/// A piece of output.
enum JsonPiece<'v> {
    Raw(&'static str),
    /// A text, as a JSON string.
    Quoted(&'v str),
    /// The key of the next value.
    Name(&'v str),
    Value(&'v Value),
}

/// Writes the start of a value; pushes the rest as pieces.
fn open<'v>(
    program: &'v Program,
    value: &'v Value,
    text: &mut String,
    rest: &mut Vec<JsonPiece<'v>>,
) {
    match value {
        Value::Int(_) | Value::Big(_) | Value::Bool(_) => *text += &show(program, value),
        Value::Float(float) => *text += &number(*float),
        Value::Char(char) => *text += &quoted(&char.to_string()),
        Value::Str(it) => *text += &quoted(it.as_str()),
        Value::Tuple(parts) if parts.as_slice().is_empty() => text.push_str("null"),
        Value::Tuple(parts) => array(parts.as_slice().iter(), rest),
        Value::List(list) => array(list.iter(), rest),
        Value::Set(table) => array(table.iter().map(|(item, _)| item), rest),
        Value::Map(table) => {
            rest.push(JsonPiece::Raw("["));
            for (at, (key, entry)) in table.iter().enumerate() {
                // Pairs instead of an object, because keys need not be texts.
                rest.push(JsonPiece::Raw(if at == 0 { "[" } else { ",[" }));
                rest.extend([
                    JsonPiece::Value(key),
                    JsonPiece::Raw(","),
                    JsonPiece::Value(entry),
                ]);
                rest.push(JsonPiece::Raw("]"));
            }
            rest.push(JsonPiece::Raw("]"));
        }
        Value::Data(ctor, fields) => {
            data(program, program.ctor(*ctor), fields.as_slice(), rest)
        }
        Value::Closure(..) => *text += &function(&show(program, value)),
    }
}

fn data<'v>(
    program: &Program,
    ctor: &'v Ctor,
    fields: &'v [Value],
    rest: &mut Vec<JsonPiece<'v>>,
) {
    if program.nominal(ctor.ty).shape == Shape::Record {
        return object(ctor, fields, rest);
    }
    rest.extend([JsonPiece::Raw("{\"ctor\":"), JsonPiece::Quoted(&ctor.name)]);
    if !fields.is_empty() {
        rest.push(JsonPiece::Raw(",\"fields\":"));
        if ctor.fields.iter().all(|it| it.name.is_some()) {
            object(ctor, fields, rest);
        } else {
            array(fields.iter(), rest);
        }
    }
    rest.push(JsonPiece::Raw("}"));
}

fn object<'v>(ctor: &'v Ctor, fields: &'v [Value], rest: &mut Vec<JsonPiece<'v>>) {
    rest.push(JsonPiece::Raw("{"));
    for (at, (field, value)) in ctor.fields.iter().zip(fields).enumerate() {
        if at > 0 {
            rest.push(JsonPiece::Raw(","));
        }
        rest.push(JsonPiece::Name(field.name.as_deref().unwrap_or_default()));
        rest.push(JsonPiece::Value(value));
    }
    rest.push(JsonPiece::Raw("}"));
}

/// A large integer as text, if it is one and wanted so.
fn digits_as_text(program: &Program, value: &Value, large: LargeInts) -> Option<String> {
    let is_large = match value {
        Value::Big(_) => true,
        Value::Int(int) => int.unsigned_abs() > MAX_EXACT,
        Value::Float(_) | Value::Bool(_) | Value::Char(_) | Value::Str(_) => false,
        Value::Tuple(_) | Value::Data(..) | Value::List(_) | Value::Map(_) => false,
        Value::Set(_) | Value::Closure(..) => false,
    };
    let is_wanted = is_large && large == LargeInts::AsText;
    is_wanted.then(|| format!("{{\"int\":\"{}\"}}", show(program, value)))
}

fn array<'v>(items: impl Iterator<Item = &'v Value>, rest: &mut Vec<JsonPiece<'v>>) {
    rest.push(JsonPiece::Raw("["));
    for (at, item) in items.enumerate() {
        if at > 0 {
            rest.push(JsonPiece::Raw(","));
        }
        rest.push(JsonPiece::Value(item));
    }
    rest.push(JsonPiece::Raw("]"));
}

fn function(source: &str) -> String {
    format!("{{\"function\":{}}}", quoted(source))
}

fn number(float: f64) -> String {
    if float.is_nan() {
        "\"nan\"".to_owned()
    } else if float.is_infinite() {
        quoted(if float > 0.0 { "inf" } else { "-inf" })
    } else {
        serde_json::to_string(&float).expect("the float is finite")
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text is a value of JSON")
}

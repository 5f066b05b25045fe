//! Values as JSON.
//!
//! ```text
//! Int                 a number, with all its digits
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

use gainsay::core::{Ctor, Program, Shape};
use gainsay::test::Sampled;
use gainsay::vm::{Value, show};

/// A value that was drawn, on one line.
pub(super) fn value(sampled: &Sampled<'_>) -> String {
    if let Value::Closure(..) = sampled.value {
        return function(&sampled.text);
    }
    let mut text = String::new();
    // What is still to be written, the next on top: values nest deeper than a stack allows.
    let mut waiting = vec![Piece::Value(sampled.value)];
    while let Some(piece) = waiting.pop() {
        match piece {
            Piece::Text(piece) => text.push_str(piece),
            Piece::Word(word) => text += &quoted(word),
            Piece::Name(name) => text += &(quoted(name) + ":"),
            Piece::Value(value) => {
                let before = waiting.len();
                open(sampled.program, value, &mut text, &mut waiting);
                waiting[before..].reverse();
            }
        }
    }
    text
}

/// Something to write.
enum Piece<'v> {
    Text(&'static str),
    /// A text as a value.
    Word(&'v str),
    /// The name of what comes next.
    Name(&'v str),
    Value(&'v Value),
}

/// Writes the beginning of a value; the rest is to be written next.
fn open<'v>(
    program: &'v Program,
    value: &'v Value,
    text: &mut String,
    rest: &mut Vec<Piece<'v>>,
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
            rest.push(Piece::Text("["));
            for (at, (key, entry)) in table.iter().enumerate() {
                rest.push(Piece::Text(if at == 0 { "[" } else { ",[" }));
                rest.extend([Piece::Value(key), Piece::Text(","), Piece::Value(entry)]);
                rest.push(Piece::Text("]"));
            }
            rest.push(Piece::Text("]"));
        }
        Value::Data(ctor, fields) => {
            data(program, program.ctor(*ctor), fields.as_slice(), rest)
        }
        Value::Closure(..) => *text += &function(&show(program, value)),
    }
}

fn data<'v>(program: &Program, ctor: &'v Ctor, fields: &'v [Value], rest: &mut Vec<Piece<'v>>) {
    if program.nominal(ctor.ty).shape == Shape::Record {
        return object(ctor, fields, rest);
    }
    rest.extend([Piece::Text("{\"ctor\":"), Piece::Word(&ctor.name)]);
    if !fields.is_empty() {
        rest.push(Piece::Text(",\"fields\":"));
        if ctor.fields.iter().all(|it| it.name.is_some()) {
            object(ctor, fields, rest);
        } else {
            array(fields.iter(), rest);
        }
    }
    rest.push(Piece::Text("}"));
}

fn object<'v>(ctor: &'v Ctor, fields: &'v [Value], rest: &mut Vec<Piece<'v>>) {
    rest.push(Piece::Text("{"));
    for (at, (field, value)) in ctor.fields.iter().zip(fields).enumerate() {
        if at > 0 {
            rest.push(Piece::Text(","));
        }
        rest.push(Piece::Name(field.name.as_deref().unwrap_or_default()));
        rest.push(Piece::Value(value));
    }
    rest.push(Piece::Text("}"));
}

fn array<'v>(items: impl Iterator<Item = &'v Value>, rest: &mut Vec<Piece<'v>>) {
    rest.push(Piece::Text("["));
    for (at, item) in items.enumerate() {
        if at > 0 {
            rest.push(Piece::Text(","));
        }
        rest.push(Piece::Value(item));
    }
    rest.push(Piece::Text("]"));
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

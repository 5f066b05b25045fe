//! Examples of values that no arm matches, and how they print as patterns.

use crate::{CtorId, Program, Shape};

/// Part of a value that no arm matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WitnessPattern {
    /// Any value.
    Wildcard,
    /// A constructor with its fields.
    Ctor(CtorId, Vec<WitnessPattern>),
    /// A tuple.
    Tuple(Vec<WitnessPattern>),
    /// The empty list.
    Nil,
    /// A list with a first element.
    Cons(Box<WitnessPattern>, Box<WitnessPattern>),
    /// A truth value.
    Bool(bool),
    /// Another literal, in source syntax.
    Literal(String),
}

impl WitnessPattern {
    /// The pattern that matches all such values.
    pub(super) fn to_pattern(&self, program: &Program) -> String {
        let mut text = String::new();
        self.write(program, &mut text);
        text
    }

    fn write(&self, program: &Program, text: &mut String) {
        match self {
            Self::Wildcard => text.push('_'),
            Self::Bool(value) => text.push_str(&value.to_string()),
            Self::Literal(literal) => text.push_str(literal),
            Self::Tuple(parts) => {
                text.push('(');
                write_all(parts, program, text);
                text.push(')');
            }
            Self::Nil | Self::Cons(..) => self.write_list(program, text),
            Self::Ctor(ctor, parts) => write_ctor(*ctor, parts, program, text),
        }
    }

    fn write_list(&self, program: &Program, text: &mut String) {
        text.push('[');
        let mut list = self;
        let mut separator = "";
        while let Self::Cons(first, tail) = list {
            text.push_str(separator);
            separator = ", ";
            first.write(program, text);
            list = &**tail;
        }
        if *list != Self::Nil {
            text.push_str(separator);
            text.push_str("..");
        }
        text.push(']');
    }
}

fn write_all(parts: &[WitnessPattern], program: &Program, text: &mut String) {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            text.push_str(", ");
        }
        part.write(program, text);
    }
}

/// `Leaf`, `Node(_, Leaf)`, `Transfer(amount: None, ..)` or `Account { open: false, .. }`.
fn write_ctor(ctor: CtorId, parts: &[WitnessPattern], program: &Program, text: &mut String) {
    let ctor = program.ctor(ctor);
    text.push_str(&ctor.name);
    let is_record = program.nominal(ctor.ty).shape == Shape::Record;
    let has_names = ctor.fields.iter().any(|it| it.name.is_some());
    let (before, after) = if is_record { (" { ", " }") } else { ("(", ")") };
    if !is_record && parts.is_empty() {
        return;
    }
    text.push_str(before);
    if has_names {
        write_named(ctor, parts, program, text);
    } else {
        write_all(parts, program, text);
    }
    text.push_str(after);
}

/// The fields that matter, by name; `..` for the others.
fn write_named(
    ctor: &crate::Ctor,
    parts: &[WitnessPattern],
    program: &Program,
    text: &mut String,
) {
    let mut separator = "";
    for (field, part) in ctor.fields.iter().zip(parts) {
        if let Some(name) = &field.name
            && *part != WitnessPattern::Wildcard
        {
            text.push_str(separator);
            text.push_str(name);
            text.push_str(": ");
            part.write(program, text);
            separator = ", ";
        }
    }
    if parts.contains(&WitnessPattern::Wildcard) {
        text.push_str(separator);
        text.push_str("..");
    }
}

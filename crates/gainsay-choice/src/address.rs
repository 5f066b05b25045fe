//! Choices by address: one line each, for files that people read, edit and commit.
//!
//! ```text
//! xs/element#1/key:0 int -5
//! ```
//!
//! The address is the path of names to the span that a choice belongs to, `#` telling apart spans
//! of equal names inside one, and behind the colon the number of the choice among those that
//! belong to the span directly. An address stays the same when something else is added to a
//! generator, left out of it, or moved.

use std::collections::HashMap;
use std::fmt::{self, Write};

use num_bigint::BigInt;

use crate::case::{Case, Choice, Event};
use crate::kind::{Class, Kinds};
use crate::label::{Label, Labels};
use crate::source::Guide;
use crate::value::{BigId, Value};

/// Choices with their addresses, as read from a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Addressed {
    lines: Vec<Line>,
    bigs: Vec<BigInt>,
}

/// Names and ordinals of spans, the outermost first.
type Path<'a> = &'a [(Label, u32)];

#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    path: Vec<(Label, u32)>,
    ordinal: u32,
    choice: Choice,
}

/// Why a line is no choice with its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressError {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub defect: AddressDefect,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddressDefect {
    /// It is not an address, a class and a value with spaces between them.
    NotThreeParts,
    /// The address has no colon with a number behind it.
    NoOrdinal,
    /// A name in the address is written in a way that no name is.
    WrongName(String),
    /// There is no such class of choices.
    UnknownClass(String),
    /// The value is none of its class.
    WrongValue(String),
    /// The ordinals are larger than those of any real case.
    TooLarge,
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.defect {
            AddressDefect::NotThreeParts => {
                write!(f, "expected an address, a class and a value")
            }
            AddressDefect::NoOrdinal => {
                write!(f, "the address does not end in `:` and a number")
            }
            AddressDefect::WrongName(name) => {
                write!(f, "`{name}` is not how a name is written")
            }
            AddressDefect::UnknownClass(class) => write!(f, "`{class}` is no class of choices"),
            AddressDefect::WrongValue(value) => write!(f, "`{value}` is no value of its class"),
            AddressDefect::TooLarge => write!(f, "the numbers in the addresses are too large"),
        }
    }
}

impl std::error::Error for AddressError {}

/// The most spans and choices that addresses may imply.
const MAX_PLACES: u64 = 1 << 22;

impl Case {
    /// The choices with their addresses, one line each.
    pub fn to_lines(&self, labels: &Labels) -> String {
        let mut text = String::new();
        let paths = self.span_paths(labels);
        // The open spans, each with how many choices belong to it directly so far.
        let mut open = vec![("", 0)];
        self.trail.walk(|event| match event {
            Event::Open(span) => open.push((&paths[span], 0)),
            Event::Close(_) => {
                open.pop();
            }
            Event::Choice(at) => {
                let choice = &self.trail.choices[at];
                let (word, value) = (choice.class().word(), self.value_text(choice));
                let (path, ordinal) = open.last_mut().expect("the outermost is never closed");
                let _ = writeln!(text, "{path}:{ordinal} {word} {value}");
                *ordinal += 1;
            }
        });
        text
    }

    /// The path to each span, as written.
    fn span_paths(&self, labels: &Labels) -> Vec<String> {
        let mut n_named: HashMap<(Option<u32>, Label), u32> = HashMap::new();
        let mut paths: Vec<String> = Vec::new();
        for span in &self.trail.spans {
            let ordinal = n_named.entry((span.parent, span.label)).or_default();
            let mut path =
                span.parent.map_or(String::new(), |it| paths[it as usize].clone() + "/");
            escape(&mut path, labels.name(span.label).unwrap_or_default());
            if *ordinal > 0 {
                let _ = write!(path, "#{ordinal}");
            }
            *ordinal += 1;
            paths.push(path);
        }
        paths
    }

    fn value_text(&self, choice: &Choice) -> String {
        match (choice.class(), choice.value()) {
            (_, Value::Big(_)) => self.integer(choice.value()).to_string(),
            (Class::Float, Value::Small(bits)) => format!("{:?}", f64::from_bits(bits as u64)),
            (Class::Boolean | Class::More, Value::Small(bit)) => (bit != 0).to_string(),
            (Class::Char, Value::Small(code)) => format!("U+{code:04X}"),
            (Class::Integer | Class::Selector | Class::Reference, Value::Small(value)) => {
                value.to_string()
            }
        }
    }
}

impl Addressed {
    /// Reads lines as [`Case::to_lines`] writes them; empty ones and those that begin with `#`
    /// are passed over.
    pub fn parse(text: &str, labels: &mut Labels) -> Result<Self, AddressError> {
        let mut addressed = Addressed::default();
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let parsed = addressed.line(line, labels);
            let parsed = parsed.map_err(|defect| AddressError { line: at + 1, defect })?;
            addressed.lines.push(parsed);
        }
        if addressed.n_places() > MAX_PLACES {
            let line = text.lines().count();
            return Err(AddressError { line, defect: AddressDefect::TooLarge });
        }
        Ok(addressed)
    }

    fn line(&mut self, line: &str, labels: &mut Labels) -> Result<Line, AddressDefect> {
        let mut parts = line.split_whitespace();
        let (Some(address), Some(class), Some(value), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(AddressDefect::NotThreeParts);
        };
        let (path, ordinal) = address.rsplit_once(':').ok_or(AddressDefect::NoOrdinal)?;
        let ordinal = ordinal.parse().map_err(|_| AddressDefect::NoOrdinal)?;
        let class = Class::ALL.into_iter().find(|it| it.word() == class);
        let class = class.ok_or_else(|| {
            AddressDefect::UnknownClass(line.split_whitespace().nth(1).unwrap_or("").to_owned())
        })?;
        let value = self
            .value(class, value)
            .ok_or_else(|| AddressDefect::WrongValue(value.to_owned()))?;
        Ok(Line {
            path: parse_path(path, labels)?,
            ordinal,
            choice: Choice::loose(class, value),
        })
    }

    fn value(&mut self, class: Class, text: &str) -> Option<Value> {
        let bits = match class {
            Class::Integer => match text.parse() {
                Ok(small) => small,
                Err(_) => {
                    self.bigs.push(text.parse().ok()?);
                    return Some(Value::Big(BigId(self.bigs.len() as u64 - 1)));
                }
            },
            Class::Selector | Class::Reference => i64::from(text.parse::<u32>().ok()?),
            Class::Float => text.parse::<f64>().ok()?.to_bits() as i64,
            Class::Boolean | Class::More => i64::from(text.parse::<bool>().ok()?),
            Class::Char => {
                let code = u32::from_str_radix(text.strip_prefix("U+")?, 16).ok()?;
                i64::from(u32::from(char::from_u32(code)?))
            }
        };
        Some(Value::Small(bits))
    }

    /// How many spans and choices the ordinals imply, at most.
    fn n_places(&self) -> u64 {
        // For every span the places of its own choices, and those of its spans of each name.
        let mut largest: HashMap<(Path<'_>, Option<Label>), u64> = HashMap::new();
        for line in &self.lines {
            let last = largest.entry((&line.path, None)).or_default();
            *last = (*last).max(u64::from(line.ordinal) + 1);
            for (depth, (label, ordinal)) in line.path.iter().enumerate() {
                let last = largest.entry((&line.path[..depth], Some(*label))).or_default();
                *last = (*last).max(u64::from(*ordinal) + 1);
            }
        }
        largest.values().fold(0, |sum, it| sum.saturating_add(*it))
    }

    /// Puts the choices where their addresses say.
    pub(crate) fn fill(&self, guide: &mut Guide, kinds: &mut Kinds) {
        guide.clear();
        let mut nodes: HashMap<(u32, Label), Vec<u32>> = HashMap::new();
        let mut draws: HashMap<u32, Vec<(Option<Choice>, u32)>> = HashMap::new();
        let mut order = Vec::new();
        for (number, line) in (0..).zip(&self.lines) {
            let mut node = 0;
            for (label, ordinal) in &line.path {
                let same = nodes.entry((node, *label)).or_default();
                while same.len() <= *ordinal as usize {
                    same.push(guide.add_node(node, *label, number));
                }
                node = same[*ordinal as usize];
            }
            let drawn = draws.entry(node).or_insert_with(|| {
                order.push(node);
                Vec::new()
            });
            drawn.resize(drawn.len().max(line.ordinal as usize + 1), (None, number));
            let value = match line.choice.value() {
                Value::Big(id) => kinds.value(self.bigs[id.0 as usize].clone()),
                small @ Value::Small(_) => small,
            };
            drawn[line.ordinal as usize] = (Some(line.choice.with(value)), number);
        }
        for node in order {
            draws[&node].iter().for_each(|it| guide.add_draw(node, it.0, it.1));
        }
    }
}

fn parse_path(path: &str, labels: &mut Labels) -> Result<Vec<(Label, u32)>, AddressDefect> {
    if path.is_empty() {
        return Ok(Vec::new());
    }
    let part = |part: &str| {
        let wrong = || AddressDefect::WrongName(part.to_owned());
        let (name, ordinal) = match part.rsplit_once('#') {
            Some((name, ordinal)) => (name, ordinal.parse().map_err(|_| wrong())?),
            None => (part, 0),
        };
        Ok((labels.intern(&unescape(name).ok_or_else(wrong)?), ordinal))
    };
    path.split('/').map(part).collect()
}

/// Letters, digits and some signs stand for themselves, all else is `%` and its code in braces.
fn escape(text: &mut String, name: &str) {
    for it in name.chars() {
        if it.is_alphanumeric() || "_-.,'()[]<>+*=!?$&@".contains(it) {
            text.push(it);
        } else {
            let _ = write!(text, "%{{{:x}}}", u32::from(it));
        }
    }
}

fn unescape(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut name = parts.next()?.to_owned();
    for part in parts {
        let (code, rest) = part.strip_prefix('{')?.split_once('}')?;
        name.push(char::from_u32(u32::from_str_radix(code, 16).ok()?)?);
        name.push_str(rest);
    }
    Some(name)
}

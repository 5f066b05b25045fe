//! Choices by address: one line each, for files that people read, edit and commit.
//!
//! ```text
//! xs/element#1/key:0 int -5
//! ```
//!
//! The address is the path of labels to the span that a choice belongs to; `#` numbers spans of
//! equal labels inside one parent, and the number after the colon counts the choices that belong to
//! the span directly. An address stays the same when something else is added to a generator,
//! removed from it, or moved.

use std::collections::HashMap;
use std::fmt::{self, Write};

use num_bigint::BigInt;

use crate::case::{Case, Choice, SequenceEvent};
use crate::kind::{ChoiceClass, KindTable};
use crate::source::SpanGuide;
use crate::span_label::{SpanLabel, SpanLabels};
use crate::value::{BigIntId, ChoiceValue};

/// Choices with their addresses, as read from a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AddressedChoices {
    choices: Vec<AddressedChoice>,
    bigs: Vec<BigInt>,
}

/// Labels and ordinals of spans, outermost first.
type AddressPath<'a> = &'a [(SpanLabel, u32)];

#[derive(Debug, Clone, PartialEq, Eq)]
struct AddressedChoice {
    path: Vec<(SpanLabel, u32)>,
    ordinal: u32,
    choice: Choice,
}

/// Why a line is not a choice with its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressError {
    /// The line number, counted from 1.
    pub line: usize,
    /// What is wrong with the line.
    pub kind: AddressErrorKind,
}

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddressErrorKind {
    /// It is not an address, a class and a value, separated by spaces.
    NotThreeParts,
    /// The address does not end in a colon and a number.
    MissingOrdinal,
    /// A name in the address has an invalid escape or ordinal.
    InvalidName(String),
    /// There is no such class of choices.
    UnknownClass(String),
    /// The value does not belong to the class.
    InvalidValue(String),
    /// The ordinals are larger than those of any real case.
    TooLarge,
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.kind {
            AddressErrorKind::NotThreeParts => {
                write!(f, "expected an address, a class and a value")
            }
            AddressErrorKind::MissingOrdinal => {
                write!(f, "the address does not end in `:` and a number")
            }
            AddressErrorKind::InvalidName(name) => {
                write!(f, "`{name}` is not a valid name")
            }
            AddressErrorKind::UnknownClass(class) => {
                write!(f, "unknown choice class `{class}`")
            }
            AddressErrorKind::InvalidValue(value) => {
                write!(f, "`{value}` is not a value of its class")
            }
            AddressErrorKind::TooLarge => {
                write!(f, "the numbers in the addresses are too large")
            }
        }
    }
}

impl std::error::Error for AddressError {}

/// The maximum number of spans and choices that addresses may imply. Without it, one line with the
/// ordinal 4,000,000,000 would allocate as many nodes.
const MAX_IMPLIED_ENTRIES: u64 = 1 << 22;

impl Case {
    /// The choices with their addresses, one line each.
    pub fn to_lines(&self, labels: &SpanLabels) -> String {
        let mut text = String::new();
        let paths = self.span_paths(labels);
        // The open spans, each with the number of choices that belong to it directly so far.
        // The first entry is for choices outside of all spans.
        let mut open = vec![("", 0)];
        self.sequence.walk(|event| match event {
            SequenceEvent::Open(span) => open.push((&paths[span], 0)),
            SequenceEvent::Close(_) => {
                open.pop();
            }
            SequenceEvent::Choice(at) => {
                let choice = &self.sequence.choices[at];
                let (word, value) = (choice.class().name(), self.format_value(choice));
                let (path, ordinal) = open.last_mut().expect("the outermost is never closed");
                let _ = writeln!(text, "{path}:{ordinal} {word} {value}");
                *ordinal += 1;
            }
        });
        text
    }

    /// The path to each span, as written.
    fn span_paths(&self, labels: &SpanLabels) -> Vec<String> {
        let mut n_named: HashMap<(Option<u32>, SpanLabel), u32> = HashMap::new();
        let mut paths: Vec<String> = Vec::new();
        for span in &self.sequence.spans {
            let ordinal = n_named.entry((span.parent, span.label)).or_default();
            let mut path =
                span.parent.map_or(String::new(), |it| paths[it as usize].clone() + "/");
            // Escaped, so that `/`, `#` and `:` in names cannot be taken for separators.
            escape(&mut path, labels.name(span.label).unwrap_or_default());
            // The first of equal labels has no number: most addresses stay short.
            if *ordinal > 0 {
                let _ = write!(path, "#{ordinal}");
            }
            *ordinal += 1;
            paths.push(path);
        }
        paths
    }

    fn format_value(&self, choice: &Choice) -> String {
        match (choice.class(), choice.value()) {
            (_, ChoiceValue::Big(_)) => self.integer(choice.value()).to_string(),
            (ChoiceClass::Float, ChoiceValue::Small(bits)) => {
                format!("{:?}", f64::from_bits(bits as u64))
            }
            (ChoiceClass::Boolean | ChoiceClass::MoreElements, ChoiceValue::Small(bit)) => {
                (bit != 0).to_string()
            }
            (ChoiceClass::Char, ChoiceValue::Small(code)) => format!("U+{code:04X}"),
            (
                ChoiceClass::Integer | ChoiceClass::Selector | ChoiceClass::Reference,
                ChoiceValue::Small(value),
            ) => value.to_string(),
        }
    }
}

impl AddressedChoices {
    /// Parses lines as [`Case::to_lines`] writes them; skips empty lines and comments (`#`).
    pub fn parse(text: &str, labels: &mut SpanLabels) -> Result<Self, AddressError> {
        let mut addressed = AddressedChoices::default();
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let parsed = addressed.parse_line(line, labels);
            let parsed =
                parsed.map_err(|defect| AddressError { line: at + 1, kind: defect })?;
            addressed.choices.push(parsed);
        }
        if addressed.n_implied_entries() > MAX_IMPLIED_ENTRIES {
            // No single line is at fault; the last one is where the sum became known.
            let line = text.lines().count();
            return Err(AddressError { line, kind: AddressErrorKind::TooLarge });
        }
        Ok(addressed)
    }

    fn parse_line(
        &mut self,
        line: &str,
        labels: &mut SpanLabels,
    ) -> Result<AddressedChoice, AddressErrorKind> {
        let mut parts = line.split_whitespace();
        let (Some(address), Some(class), Some(value), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(AddressErrorKind::NotThreeParts);
        };
        let (path, ordinal) =
            address.rsplit_once(':').ok_or(AddressErrorKind::MissingOrdinal)?;
        let ordinal = ordinal.parse().map_err(|_| AddressErrorKind::MissingOrdinal)?;
        let class = ChoiceClass::ALL.into_iter().find(|it| it.name() == class);
        let class = class.ok_or_else(|| {
            AddressErrorKind::UnknownClass(
                line.split_whitespace().nth(1).unwrap_or("").to_owned(),
            )
        })?;
        let value = self
            .parse_value(class, value)
            .ok_or_else(|| AddressErrorKind::InvalidValue(value.to_owned()))?;
        Ok(AddressedChoice {
            path: parse_path(path, labels)?,
            ordinal,
            choice: Choice::without_kind(class, value),
        })
    }

    fn parse_value(&mut self, class: ChoiceClass, text: &str) -> Option<ChoiceValue> {
        let bits = match class {
            ChoiceClass::Integer => match text.parse() {
                Ok(small) => small,
                Err(_) => {
                    // As in a case, integers beyond 64 bits are stored aside.
                    self.bigs.push(text.parse().ok()?);
                    return Some(ChoiceValue::Big(BigIntId(self.bigs.len() as u64 - 1)));
                }
            },
            ChoiceClass::Selector | ChoiceClass::Reference => {
                i64::from(text.parse::<u32>().ok()?)
            }
            ChoiceClass::Float => text.parse::<f64>().ok()?.to_bits() as i64,
            ChoiceClass::Boolean | ChoiceClass::MoreElements => {
                i64::from(text.parse::<bool>().ok()?)
            }
            ChoiceClass::Char => {
                let code = u32::from_str_radix(text.strip_prefix("U+")?, 16).ok()?;
                i64::from(u32::from(char::from_u32(code)?))
            }
        };
        Some(ChoiceValue::Small(bits))
    }

    /// An upper bound of how many spans and choices the ordinals imply.
    fn n_implied_entries(&self) -> u64 {
        // For every span the number of its own choices, and of its child spans of each label.
        let mut largest: HashMap<(AddressPath<'_>, Option<SpanLabel>), u64> = HashMap::new();
        for line in &self.choices {
            let last = largest.entry((&line.path, None)).or_default();
            *last = (*last).max(u64::from(line.ordinal) + 1);
            for (depth, (label, ordinal)) in line.path.iter().enumerate() {
                // Every span with a lower ordinal is implied, too, although it has no line.
                let last = largest.entry((&line.path[..depth], Some(*label))).or_default();
                *last = (*last).max(u64::from(*ordinal) + 1);
            }
        }
        largest.values().fold(0, |sum, it| sum.saturating_add(*it))
    }

    /// Fills a guide with the choices at their addresses.
    pub(crate) fn fill_guide(&self, guide: &mut SpanGuide, kinds: &mut KindTable) {
        guide.clear();
        let mut nodes: HashMap<(u32, SpanLabel), Vec<u32>> = HashMap::new();
        let mut draws: HashMap<u32, Vec<(Option<Choice>, u32)>> = HashMap::new();
        let mut order = Vec::new();
        for (number, line) in (0..).zip(&self.choices) {
            let mut node = 0;
            for (label, ordinal) in &line.path {
                let same = nodes.entry((node, *label)).or_default();
                // Spans before this one have no line, but they must exist for the ordinal to be
                // right.
                while same.len() <= *ordinal as usize {
                    same.push(guide.add_node(node, *label, number));
                }
                node = same[*ordinal as usize];
            }
            let drawn = draws.entry(node).or_insert_with(|| {
                order.push(node);
                Vec::new()
            });
            // Likewise choices before this one: without a value, so that the simplest is drawn.
            drawn.resize(drawn.len().max(line.ordinal as usize + 1), (None, number));
            let value = match line.choice.value() {
                ChoiceValue::Big(id) => kinds.intern_integer(self.bigs[id.0 as usize].clone()),
                small @ ChoiceValue::Small(_) => small,
            };
            drawn[line.ordinal as usize] = (Some(line.choice.with_value(value)), number);
        }
        // In the order of the lines and not of the map, so that replays do not depend on hashes.
        for node in order {
            draws[&node].iter().for_each(|it| guide.add_draw(node, it.0, it.1));
        }
    }
}

fn parse_path(
    path: &str,
    labels: &mut SpanLabels,
) -> Result<Vec<(SpanLabel, u32)>, AddressErrorKind> {
    if path.is_empty() {
        return Ok(Vec::new());
    }
    let part = |part: &str| {
        let wrong = || AddressErrorKind::InvalidName(part.to_owned());
        let (name, ordinal) = match part.rsplit_once('#') {
            Some((name, ordinal)) => (name, ordinal.parse().map_err(|_| wrong())?),
            None => (part, 0),
        };
        Ok((labels.intern(&unescape(name).ok_or_else(wrong)?), ordinal))
    };
    path.split('/').map(part).collect()
}

/// Letters, digits and some symbols stand for themselves; anything else is `%` with its code in
/// braces.
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

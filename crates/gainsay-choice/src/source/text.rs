//! Strings: characters with a "one more?" choice before each. They are planned as a whole but
//! recorded in parts, so that they vary like strings and shrink like lists.

use std::sync::Arc;

use super::{RunStopped, Source, SourceMode};
use crate::kind::{Kind, KindId};
use crate::random::scale;
use crate::span_label::SpanLabel;
use crate::value::ChoiceValue;

/// What a string consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextKind {
    /// The kind of its characters.
    pub chars: KindId,
    /// The kind of its "one more?" choices.
    pub more: KindId,
    /// The label of the span around a character.
    pub element: SpanLabel,
    /// Strings that are drawn often, such as constants of the code under test.
    pub frequent_texts: Box<[Arc<str>]>,
}

/// Strings that often reveal bugs.
const EDGES: [&str; 16] = [
    " ", "0", "-1", "null", "true", "a b", "\n", "\r\n", "\t", "'", "\"", "\\", "%s", "../",
    "ß", "e\u{301}",
];

/// Strings in 256 that are variants of an earlier one where strings are limited to a few.
const VARIANTS: u8 = 90;

/// How the characters of one string are chosen.
#[derive(Debug, Clone)]
enum TextStyle {
    /// Each independently.
    Mixed,
    /// All from one exotic class.
    OfClass(u64),
    /// One character over and over.
    Repeated(i64),
    /// Those of another string, as far as they are permitted.
    Given(Box<[char]>),
}

impl Source {
    /// A string. However it is planned, it is recorded as characters, so that the empty string is
    /// always the simplest.
    pub fn draw_text(&mut self, kind: &TextKind) -> Result<String, RunStopped> {
        let by_chance = matches!(self.mode, SourceMode::Search | SourceMode::Record);
        // A replay has no style: its characters are recorded one by one.
        let style = if by_chance { self.choose_text_style(kind) } else { TextStyle::Mixed };
        // After the style is chosen: an edge case plans a string as one step, not its characters.
        self.enter_text();
        let mut text = String::new();
        let mut n = 0;
        while self.draw_more_chars(kind, n, &style)? {
            let code = self.draw_text_char(kind, n, &style)?;
            text.push(u32::try_from(code).ok().and_then(char::from_u32).unwrap_or('\u{fffd}'));
            self.close_span();
            n += 1;
        }
        self.leave_text();
        if by_chance {
            self.pools.remember_text(&text);
        }
        Ok(text)
    }

    fn choose_text_style(&mut self, kind: &TextKind) -> TextStyle {
        if self.is_directed {
            // The copy supplies the characters themselves, one by one.
            if self.is_copying() {
                return TextStyle::Mixed;
            }
            if let Some(text) = self.edge_text() {
                return TextStyle::Given(text);
            }
        }
        let bits = self.random.next();
        let given = |text: &str| TextStyle::Given(text.chars().collect());
        if self.pools.repeats_texts() {
            return self.pools.recall_text(bits).map_or(TextStyle::Mixed, given);
        }
        // A limited set of strings needs no duplicates, but some may resemble others.
        let wants_more = self.pools.wants_texts();
        let repeat_rate = if wants_more { VARIANTS } else { self.pools.repeat_rate() };
        // Bits far from those that select the kind of text below, so that the two are independent.
        if ((bits >> 40) as u8) < repeat_rate
            && let Some(text) = self.pools.recall_text(bits)
        {
            let word = kind
                .frequent_texts
                .get(scale(bits << 24, kind.frequent_texts.len() as u64) as usize);
            let how = if wants_more { bits >> 8 & 7 } else { bits >> 8 & 31 };
            return TextStyle::Given(vary_text(text, word.map_or("a", |it| it), how));
        }
        match bits & 31 {
            0 | 1 => given(EDGES[(bits >> 8) as usize % EDGES.len()]),
            2 => TextStyle::OfClass(bits >> 8),
            3 => match self.sample(kind.chars) {
                ChoiceValue::Small(code) => TextStyle::Repeated(code),
                ChoiceValue::Big(_) => TextStyle::Mixed,
            },
            4..=7 if !kind.frequent_texts.is_empty() => given(
                &kind.frequent_texts[scale(bits, kind.frequent_texts.len() as u64) as usize],
            ),
            _ => TextStyle::Mixed,
        }
    }

    fn draw_more_chars(
        &mut self,
        kind: &TextKind,
        n: u32,
        style: &TextStyle,
    ) -> Result<bool, RunStopped> {
        let Kind::MoreElements(more) = self.kinds.get(kind.more) else { return Ok(false) };
        if let TextStyle::Given(given) = style
            // Where the bounds force the answer, a given text is cut off or continued.
            && more.forced_answer(n).is_none()
        {
            let goes_on = (n as usize) < given.len();
            self.push_text_choice(kind.more, i64::from(goes_on))?;
            if goes_on {
                self.open_at_last(kind.element);
            }
            return Ok(goes_on);
        }
        self.open_element(kind.element, kind.more, n)
    }

    fn draw_text_char(
        &mut self,
        kind: &TextKind,
        n: u32,
        style: &TextStyle,
    ) -> Result<i64, RunStopped> {
        let Kind::Char(chars) = &self.kinds.list[kind.chars.0 as usize] else { return Ok(0) };
        let planned = match style {
            TextStyle::Mixed => None,
            TextStyle::OfClass(class) => Some(chars.sample_of_class(*class, &mut self.random)),
            TextStyle::Repeated(code) => Some(*code),
            TextStyle::Given(given) => given
                .get(n as usize)
                .map(|it| i64::from(u32::from(*it)))
                .filter(|it| chars.permits(*it)),
        };
        match planned {
            Some(code) => self.push_text_choice(kind.chars, code).map(|()| code),
            None => self.draw(kind.chars).map(super::draws::expect_small),
        }
    }

    /// Records a choice that the style of the string decided.
    fn push_text_choice(&mut self, kind: KindId, value: i64) -> Result<(), RunStopped> {
        if self.is_directed {
            self.log(self.kinds.class(kind), ChoiceValue::Small(value));
        }
        self.push_directed(kind, value)
    }
}

/// An earlier string: mostly unchanged, sometimes without its last character, with its first one
/// appended, with another last letter, or with a letter or a word appended. Numbers below 8 select
/// variations.
fn vary_text(text: &str, word: &str, how: u64) -> Box<[char]> {
    let mut chars: Vec<char> = text.chars().collect();
    match how {
        0 | 1 => {
            chars.pop();
        }
        2 => chars.extend(text.chars().next()),
        3 => chars.push('a'),
        4 => {
            if let Some(last) = chars.last_mut() {
                *last = 'b';
            }
        }
        5..8 => chars.extend(word.chars()),
        _ => {}
    }
    chars.into()
}

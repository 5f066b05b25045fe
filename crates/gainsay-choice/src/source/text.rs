//! Texts: characters with "one more?" before each, drawn as a whole and recorded in parts, so
//! that they are varied like texts and shrink like lists.

use std::sync::Arc;

use super::{RunStopped, Source, SourceMode};
use crate::kind::{Kind, KindId};
use crate::random::scale;
use crate::span_label::SpanLabel;
use crate::value::ChoiceValue;

/// What a text is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextKind {
    /// The kind of its characters.
    pub chars: KindId,
    /// The kind of the question whether there is one more.
    pub more: KindId,
    /// The name of the span around a character.
    pub element: SpanLabel,
    /// Texts that are drawn often, such as constants of the code under test.
    pub frequent_texts: Box<[Arc<str>]>,
}

/// Texts that programs have been wrong about.
const EDGES: [&str; 16] = [
    " ", "0", "-1", "null", "true", "a b", "\n", "\r\n", "\t", "'", "\"", "\\", "%s", "../",
    "ß", "e\u{301}",
];

/// Of 256 texts, how many are variants of an earlier one where texts are to be few.
const VARIANTS: u8 = 90;

/// How the characters of one text are drawn.
#[derive(Debug, Clone)]
enum TextStyle {
    /// Each on its own.
    Mixed,
    /// All of one exotic class.
    OfClass(u64),
    /// One character over and over.
    Repeated(i64),
    /// As in another text, as far as they fit.
    Given(Box<[char]>),
}

impl Source {
    /// A text. However it is found, it is made of characters, so that none is simpler than the
    /// empty text.
    pub fn draw_text(&mut self, kind: &TextKind) -> Result<String, RunStopped> {
        let by_chance = matches!(self.mode, SourceMode::Search | SourceMode::Record);
        let manner = if by_chance { self.choose_text_style(kind) } else { TextStyle::Mixed };
        self.enter_text();
        let mut text = String::new();
        let mut n = 0;
        while self.draw_more_chars(kind, n, &manner)? {
            let code = self.draw_text_char(kind, n, &manner)?;
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
        // Of a few texts, none has to be there twice, but some may be like others.
        let wants_more = self.pools.wants_texts();
        let repeat_rate = if wants_more { VARIANTS } else { self.pools.repeat_rate() };
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
        manner: &TextStyle,
    ) -> Result<bool, RunStopped> {
        let Kind::MoreElements(more) = self.kinds.get(kind.more) else { return Ok(false) };
        if let TextStyle::Given(given) = manner
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
        manner: &TextStyle,
    ) -> Result<i64, RunStopped> {
        let Kind::Char(chars) = &self.kinds.list[kind.chars.0 as usize] else { return Ok(0) };
        let planned = match manner {
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

    /// Makes a choice that the text has planned.
    fn push_text_choice(&mut self, kind: KindId, value: i64) -> Result<(), RunStopped> {
        if self.is_directed {
            self.log(self.kinds.class(kind), ChoiceValue::Small(value));
        }
        self.push_directed(kind, value)
    }
}

/// A text that was drawn before: mostly as it was, now and then without its last character, with
/// its first one twice, or with a letter or a word behind it. Numbers below 8 are variations.
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

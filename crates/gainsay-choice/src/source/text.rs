//! Texts: characters with "one more?" before each, drawn as a whole and recorded in parts, so
//! that they are varied like texts and shrink like lists.

use std::sync::Arc;

use super::{Mode, Source, Stopped};
use crate::kind::{Kind, KindId};
use crate::label::Label;
use crate::random::scale;
use crate::value::Value;

/// What a text is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextKind {
    /// The kind of its characters.
    pub chars: KindId,
    /// The kind of the question whether there is one more.
    pub more: KindId,
    /// The name of the span around a character.
    pub element: Label,
    /// Texts that are drawn often, such as constants of the code under test.
    pub words: Box<[Arc<str>]>,
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
enum Manner {
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
    pub fn text(&mut self, kind: &TextKind) -> Result<String, Stopped> {
        let by_chance = matches!(self.mode, Mode::Search | Mode::Record);
        let manner = if by_chance { self.manner(kind) } else { Manner::Mixed };
        self.enter_text();
        let mut text = String::new();
        let mut n = 0;
        while self.text_goes_on(kind, n, &manner)? {
            let code = self.text_char(kind, n, &manner)?;
            text.push(u32::try_from(code).ok().and_then(char::from_u32).unwrap_or('\u{fffd}'));
            self.close();
            n += 1;
        }
        self.leave_text();
        if by_chance {
            self.pools.keep_text(&text);
        }
        Ok(text)
    }

    fn manner(&mut self, kind: &TextKind) -> Manner {
        if self.is_planned {
            if self.is_copying() {
                return Manner::Mixed;
            }
            if let Some(text) = self.edge_text() {
                return Manner::Given(text);
            }
        }
        let bits = self.random.next();
        let given = |text: &str| Manner::Given(text.chars().collect());
        if self.pools.repeats_texts() {
            return self.pools.recall_text(bits).map_or(Manner::Mixed, given);
        }
        // Of a few texts, none has to be there twice, but some may be like others.
        let wants_more = self.pools.wants_texts();
        let repeats = if wants_more { VARIANTS } else { self.pools.repeats() };
        if ((bits >> 40) as u8) < repeats
            && let Some(text) = self.pools.recall_text(bits)
        {
            let word = kind.words.get(scale(bits << 24, kind.words.len() as u64) as usize);
            let how = if wants_more { bits >> 8 & 7 } else { bits >> 8 & 31 };
            return Manner::Given(varied(text, word.map_or("a", |it| it), how));
        }
        match bits & 31 {
            0 | 1 => given(EDGES[(bits >> 8) as usize % EDGES.len()]),
            2 => Manner::OfClass(bits >> 8),
            3 => match self.sample(kind.chars) {
                Value::Small(code) => Manner::Repeated(code),
                Value::Big(_) => Manner::Mixed,
            },
            4..=7 if !kind.words.is_empty() => {
                given(&kind.words[scale(bits, kind.words.len() as u64) as usize])
            }
            _ => Manner::Mixed,
        }
    }

    fn text_goes_on(
        &mut self,
        kind: &TextKind,
        n: u32,
        manner: &Manner,
    ) -> Result<bool, Stopped> {
        let Kind::More(more) = self.kinds.get(kind.more) else { return Ok(false) };
        if let Manner::Given(given) = manner
            && more.forced(n).is_none()
        {
            let goes_on = (n as usize) < given.len();
            self.put_in_text(kind.more, i64::from(goes_on))?;
            if goes_on {
                self.open_at_last(kind.element);
            }
            return Ok(goes_on);
        }
        self.element(kind.element, kind.more, n)
    }

    fn text_char(&mut self, kind: &TextKind, n: u32, manner: &Manner) -> Result<i64, Stopped> {
        let Kind::Char(chars) = &self.kinds.list[kind.chars.0 as usize] else { return Ok(0) };
        let planned = match manner {
            Manner::Mixed => None,
            Manner::OfClass(class) => Some(chars.sample_of_class(*class, &mut self.random)),
            Manner::Repeated(code) => Some(*code),
            Manner::Given(given) => given
                .get(n as usize)
                .map(|it| i64::from(u32::from(*it)))
                .filter(|it| chars.permits(*it)),
        };
        match planned {
            Some(code) => self.put_in_text(kind.chars, code).map(|()| code),
            None => self.draw(kind.chars).map(super::draws::small),
        }
    }

    /// Makes a choice that the text has planned.
    fn put_in_text(&mut self, kind: KindId, value: i64) -> Result<(), Stopped> {
        if self.is_planned {
            self.log(self.kinds.class(kind), Value::Small(value));
        }
        self.put(kind, value)
    }
}

/// A text that was drawn before: mostly as it was, now and then without its last character, with
/// its first one twice, or with a letter or a word behind it. Numbers below 8 are variations.
fn varied(text: &str, word: &str, how: u64) -> Box<[char]> {
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

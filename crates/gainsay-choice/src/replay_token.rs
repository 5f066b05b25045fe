//! Replay tokens: a case as one word, `gs1-` and base 32, for people to copy and send.
//!
//! The bytes are a list of labels, then the choices and spans in order, then a checksum. A tag byte
//! says what comes next: a span opens or closes, or a choice of a class with its value. Numbers are
//! LEB128 (groups of seven bits, the lowest first). Nothing refers to kinds, so a token can be
//! replayed by a generator that has changed, and by later versions.

mod base32;

use std::fmt;

use num_bigint::{BigInt, Sign};

use crate::case::{Case, Choice, ChoiceSpan, Digest, SequenceEvent, SpanEnding};
use crate::kind::ChoiceClass;
use crate::span_label::{SpanLabel, SpanLabels};
use crate::value::{BigIntId, ChoiceValue};

const PREFIX: &str = "gs1-";

/// Tag bytes. `MORE` and `BOOLEAN` carry their value in the lowest bit; `CLASSES` is the base for
/// the other classes.
const CLOSE: u8 = 0;
const DISCARD: u8 = 1;
const OPEN: u8 = 2;
const BIG: u8 = 3;
const MORE: u8 = 4;
const BOOLEAN: u8 = 6;
const CLASSES: u8 = 8;

/// Why a text is not a replay token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayTokenError {
    /// It does not begin with `gs`.
    MissingPrefix,
    /// It has another version.
    UnsupportedVersion(String),
    /// A character that is not in the alphabet.
    InvalidCharacter {
        /// The character.
        found: char,
        /// The number of characters before it.
        at: usize,
    },
    /// The checksum does not match: something was changed or left out.
    ChecksumMismatch,
    /// The checksum matches, but the content is malformed.
    InvalidContent {
        /// The number of bytes that were read.
        at: usize,
    },
}

impl fmt::Display for ReplayTokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayTokenError::MissingPrefix => {
                write!(f, "a replay token begins with `{PREFIX}`")
            }
            ReplayTokenError::UnsupportedVersion(version) => {
                write!(f, "unsupported version `{version}`")
            }
            ReplayTokenError::InvalidCharacter { found, at } => {
                write!(f, "invalid character {found:?} at position {}", at + 1)
            }
            ReplayTokenError::ChecksumMismatch => {
                write!(f, "the checksum does not match; is the token complete?")
            }
            ReplayTokenError::InvalidContent { at } => {
                write!(f, "invalid content at byte {at}")
            }
        }
    }
}

impl std::error::Error for ReplayTokenError {}

impl Case {
    /// The case as a replay token.
    pub fn to_replay_token(&self, labels: &SpanLabels) -> String {
        let mut bytes = Vec::new();
        let used = self.used_labels();
        write_number(&mut bytes, used.len() as u64);
        for label in &used {
            // By name, because the numbers of labels depend on the order in which a run meets them.
            let name = labels.name(*label).unwrap_or_default();
            write_number(&mut bytes, name.len() as u64);
            bytes.extend_from_slice(name.as_bytes());
        }
        self.write_events(&mut bytes, &used);
        let checksum = checksum(&bytes);
        bytes.extend_from_slice(&checksum);
        format!("{PREFIX}{}", base32::encode(&bytes))
    }

    /// Decodes a replay token; interns labels that are new.
    pub fn from_replay_token(
        blob: &str,
        labels: &mut SpanLabels,
    ) -> Result<Case, ReplayTokenError> {
        let blob = blob.trim();
        let Some((version, digits)) = blob.split_once('-') else {
            return Err(ReplayTokenError::MissingPrefix);
        };
        // Distinguished from another version, so that a token of a later release is recognized as
        // such.
        if !version.starts_with("gs") {
            return Err(ReplayTokenError::MissingPrefix);
        }
        if version != PREFIX.trim_end_matches('-') {
            return Err(ReplayTokenError::UnsupportedVersion(version.to_owned()));
        }
        let bytes = base32::decode(digits).map_err(|(at, found)| {
            ReplayTokenError::InvalidCharacter { found, at: at + PREFIX.len() }
        })?;
        let Some((content, sum)) = bytes.split_last_chunk::<4>() else {
            return Err(ReplayTokenError::ChecksumMismatch);
        };
        // Canonical only: otherwise several tokens with different padding would name the same case.
        if checksum(content) != *sum || !base32::is_canonical(digits, &bytes) {
            return Err(ReplayTokenError::ChecksumMismatch);
        }
        let mut reader = ReplayTokenReader { bytes: content, at: 0 };
        reader.case(labels).ok_or(ReplayTokenError::InvalidContent { at: reader.at })
    }

    fn used_labels(&self) -> Vec<SpanLabel> {
        let mut used: Vec<SpanLabel> = self.sequence.spans.iter().map(|it| it.label).collect();
        // Sorted, so that `write_events` finds a label by bisection.
        used.sort_unstable();
        used.dedup();
        used
    }

    fn write_events(&self, bytes: &mut Vec<u8>, used: &[SpanLabel]) {
        self.sequence.walk(|event| match event {
            SequenceEvent::Open(span) => {
                let name = used.binary_search(&self.sequence.spans[span].label).unwrap_or(0);
                bytes.push(OPEN);
                write_number(bytes, name as u64);
            }
            SequenceEvent::Close(span) => bytes.push(match self.sequence.spans[span].ending {
                SpanEnding::Accepted => CLOSE,
                SpanEnding::Discarded => DISCARD,
            }),
            SequenceEvent::Choice(at) => self.write_choice(bytes, &self.sequence.choices[at]),
        });
    }

    fn write_choice(&self, bytes: &mut Vec<u8>, choice: &Choice) {
        let bits = match choice.value() {
            ChoiceValue::Big(id) => {
                let (sign, digits) = self.bigs[id.0 as usize].to_bytes_le();
                bytes.extend_from_slice(&[BIG, u8::from(sign == Sign::Minus)]);
                write_number(bytes, digits.len() as u64);
                bytes.extend_from_slice(&digits);
                return;
            }
            ChoiceValue::Small(bits) => bits,
        };
        match choice.class() {
            ChoiceClass::MoreElements => bytes.push(MORE + u8::from(bits != 0)),
            ChoiceClass::Boolean => bytes.push(BOOLEAN + u8::from(bits != 0)),
            ChoiceClass::Float => {
                bytes.push(CLASSES + ChoiceClass::Float as u8);
                // In full: the bits of most floats have no shorter form.
                bytes.extend_from_slice(&bits.to_le_bytes());
            }
            ChoiceClass::Integer
            | ChoiceClass::Selector
            | ChoiceClass::Char
            | ChoiceClass::Reference => {
                bytes.push(CLASSES + choice.class() as u8);
                // Zig-zag, so that small negative numbers are short as well.
                write_number(bytes, (bits << 1 ^ bits >> 63) as u64);
            }
        }
    }
}

fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn checksum(bytes: &[u8]) -> [u8; 4] {
    let mut digest = Digest::default();
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        digest.add_word(u64::from_le_bytes(word));
    }
    // The length tells the padding of the last chunk from zero bytes.
    digest.add_word(bytes.len() as u64);
    (digest.finish() as u32).to_le_bytes()
}

/// Reads the bytes of a token; every method returns `None` where they are malformed.
struct ReplayTokenReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl ReplayTokenReader<'_> {
    fn case(&mut self, labels: &mut SpanLabels) -> Option<Case> {
        let names = self.names()?;
        let names: Vec<SpanLabel> = names.iter().map(|it| labels.intern(it)).collect();
        let mut case = Case::default();
        let mut open: Vec<u32> = Vec::new();
        while self.at < self.bytes.len() {
            match self.byte()? {
                byte @ (CLOSE | DISCARD) => {
                    let span = &mut case.sequence.spans[open.pop()? as usize];
                    span.end = case.sequence.choices.len() as u32;
                    span.ending = if byte == CLOSE {
                        SpanEnding::Accepted
                    } else {
                        SpanEnding::Discarded
                    };
                }
                OPEN => {
                    let label = *names.get(usize::try_from(self.number()?).ok()?)?;
                    let start = case.sequence.choices.len() as u32;
                    let parent = open.last().copied();
                    open.push(case.sequence.spans.len() as u32);
                    let ending = SpanEnding::Accepted;
                    case.sequence.spans.push(ChoiceSpan {
                        label,
                        start,
                        end: start,
                        parent,
                        ending,
                    });
                }
                byte => {
                    let choice = self.choice(byte, &mut case.bigs)?;
                    case.sequence.choices.push(choice);
                }
            }
        }
        // Content with a valid checksum may still be nonsense, such as a span that is never closed.
        open.is_empty().then_some(case)
    }

    fn names(&mut self) -> Option<Vec<String>> {
        let n = self.number()?;
        let mut names = Vec::new();
        // Not reserved ahead: `n` comes from the text and may be anything.
        for _ in 0..n {
            let length = usize::try_from(self.number()?).ok()?;
            let name = std::str::from_utf8(self.take(length)?).ok()?;
            names.push(name.to_owned());
        }
        Some(names)
    }

    fn choice(&mut self, byte: u8, bigs: &mut Vec<BigInt>) -> Option<Choice> {
        let loose = |class, bits| Some(Choice::without_kind(class, ChoiceValue::Small(bits)));
        if byte == BIG {
            let sign = match self.byte()? {
                0 => Sign::Plus,
                1 => Sign::Minus,
                _ => return None,
            };
            let length = usize::try_from(self.number()?).ok()?;
            bigs.push(BigInt::from_bytes_le(sign, self.take(length)?));
            let id = BigIntId(bigs.len() as u64 - 1);
            return Some(Choice::without_kind(ChoiceClass::Integer, ChoiceValue::Big(id)));
        }
        if let MORE | 5 = byte {
            return loose(ChoiceClass::MoreElements, i64::from(byte - MORE));
        }
        if let BOOLEAN | 7 = byte {
            return loose(ChoiceClass::Boolean, i64::from(byte - BOOLEAN));
        }
        let class = *ChoiceClass::ALL.get(usize::from(byte.checked_sub(CLASSES)?))?;
        if class == ChoiceClass::Float {
            return loose(class, i64::from_le_bytes(self.take(8)?.try_into().ok()?));
        }
        let number = self.number()?;
        loose(class, (number >> 1) as i64 ^ -((number & 1) as i64))
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            // The tenth group reaches beyond 64 bits; surplus bits are shifted out, not rejected.
            number |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|it| it[0])
    }

    fn take(&mut self, n: usize) -> Option<&[u8]> {
        let end = self.at.checked_add(n)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }
}

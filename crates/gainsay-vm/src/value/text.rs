//! Text with a stored number of characters.

use std::fmt;
use std::rc::Rc;

use super::live_memory::{MemoryCharge, shared_address};

/// A text.
#[derive(Clone)]
pub struct Text(Rc<TextCell>);

struct TextCell {
    text: Box<str>,
    n_chars: u64,
    _charge: MemoryCharge,
}

impl Text {
    /// Creates a text.
    pub fn new(text: impl Into<Box<str>>) -> Self {
        let text = text.into();
        // Counted once, so that the length takes constant time afterwards.
        let n_chars = text.chars().count() as u64;
        let charge = MemoryCharge::new(text.len() as u64 + 56);
        Self(Rc::new(TextCell { text, n_chars, _charge: charge }))
    }

    /// A text whose number of characters is known.
    pub(crate) fn with_n_chars(text: &str, n_chars: u64) -> Self {
        let charge = MemoryCharge::new(text.len() as u64 + 56);
        Self(Rc::new(TextCell { text: text.into(), n_chars, _charge: charge }))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// Number of characters.
    pub fn n_chars(&self) -> u64 {
        self.0.n_chars
    }

    /// Its address, if it is shared.
    pub(crate) fn shared_address(&self) -> Option<u64> {
        shared_address(&self.0)
    }

    /// Whether every character is one byte, so that positions need no scan.
    pub(crate) fn is_ascii(&self) -> bool {
        self.0.n_chars == self.0.text.len() as u64
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

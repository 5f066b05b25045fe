//! A character that starts no token.

use gainsay_source::codes::UNKNOWN_CHARACTER;
use gainsay_source::{Diagnostic, Span};

/// `#`, `$`, a typographic quote.
pub(crate) struct UnknownCharacter {
    /// The characters.
    pub(crate) span: Span,
    /// The same as text.
    pub(crate) text: String,
}

/// Replacements for characters that people type or paste.
const MEANT: [(&str, &str); 13] = [
    ("&", "&&"),
    ("“", "\""),
    ("”", "\""),
    ("‘", "'"),
    ("’", "'"),
    ("≤", "<="),
    ("≥", ">="),
    ("≠", "!="),
    ("→", "->"),
    ("⇒", "=>"),
    ("×", "*"),
    ("−", "-"),
    ("…", ".."),
];

impl From<UnknownCharacter> for Diagnostic {
    fn from(it: UnknownCharacter) -> Self {
        let one = it.text.chars().count() == 1;
        let shown: String = it.text.chars().take(20).flat_map(char::escape_debug).collect();
        let message = match one {
            true => format!("unknown character `{shown}`"),
            false => format!("unknown characters `{shown}`"),
        };
        let found = Self::new(UNKNOWN_CHARACTER, it.span, message);
        match MEANT.iter().find(|row| row.0 == it.text) {
            Some((_, meant)) => found.with_fix(format!("write `{meant}`"), it.span, *meant),
            None if it.text == "#" => found.with_help("start a comment with `//`"),
            None => found,
        }
    }
}

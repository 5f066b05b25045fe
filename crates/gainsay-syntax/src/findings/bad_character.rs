//! A character literal that does not contain exactly one character.

use gainsay_source::codes::BAD_CHARACTER;
use gainsay_source::{Diagnostic, Span};

/// `''`, `'ab'`.
pub(crate) struct BadCharacter {
    /// The literal with its quotes.
    pub(crate) span: Span,
    /// The text between the quotes.
    pub(crate) text: String,
    /// How many characters that is.
    pub(crate) n_chars: usize,
}

impl From<BadCharacter> for Diagnostic {
    fn from(it: BadCharacter) -> Self {
        if it.n_chars == 0 {
            return Self::new(BAD_CHARACTER, it.span, "this character literal is empty")
                .with_help(
                    "put one character between the quotes, or write `\"\"` for an empty string",
                );
        }
        let count = it.n_chars;
        let text = it.text.replace('"', "\\\"");
        Self::new(
            BAD_CHARACTER,
            it.span,
            format!("this character literal contains {count} characters"),
        )
        .with_fix(
            "write a string literal with double quotes",
            it.span,
            format!("\"{text}\""),
        )
    }
}

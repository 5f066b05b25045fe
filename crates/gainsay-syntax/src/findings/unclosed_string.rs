//! A string or character literal that is not closed on its line.

use gainsay_source::codes::UNCLOSED_STRING;
use gainsay_source::{Diagnostic, Span};

/// A quote without its partner on the line.
pub(crate) struct UnclosedString {
    /// From the quote to the end of the line.
    pub(crate) span: Span,
    /// Which quote.
    pub(crate) quote: QuoteKind,
}

/// The quote that a literal begins with.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum QuoteKind {
    /// `'`.
    Single,
    /// `"`.
    Double,
}

impl From<UnclosedString> for Diagnostic {
    fn from(it: UnclosedString) -> Self {
        match it.quote {
            QuoteKind::Double => {
                Self::new(UNCLOSED_STRING, it.span, "this string literal is never closed")
                    .with_help("add a `\"` before the end of the line")
            }
            QuoteKind::Single => {
                Self::new(UNCLOSED_STRING, it.span, "this character literal is never closed")
                    .with_help("add a `'` after the character")
            }
        }
    }
}

//! A bracket that is never closed.

use gainsay_source::codes::UNCLOSED_BRACKET;
use gainsay_source::{Diagnostic, Span};

/// `(`, `[` or `{` without its partner.
pub(crate) struct UnclosedBracket {
    /// The opening bracket.
    pub(crate) open: Span,
    /// Its text.
    pub(crate) symbol: &'static str,
    /// The text of its partner.
    pub(crate) partner: &'static str,
    /// What the partner is expected before.
    pub(crate) before: Option<Span>,
}

impl From<UnclosedBracket> for Diagnostic {
    fn from(it: UnclosedBracket) -> Self {
        let message = format!("this `{}` is never closed", it.symbol);
        let found = Self::new(UNCLOSED_BRACKET, it.open, message)
            .with_help(format!("add the missing `{}`", it.partner));
        match it.before {
            Some(span) => {
                found.with_label(span, format!("`{}` should come before this", it.partner))
            }
            None => found,
        }
    }
}

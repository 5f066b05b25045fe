//! A record or constructor that lacks fields.

use gainsay_source::{Diagnostic, Span, codes};

use super::words::listed;

/// A record or constructor that lacks fields.
#[derive(Debug, Clone)]
pub(crate) struct MissingField {
    pub(crate) owner: String,
    pub(crate) missing: Vec<String>,
    pub(crate) span: Span,
}

impl From<MissingField> for Diagnostic {
    fn from(it: MissingField) -> Self {
        Diagnostic::new(
            codes::MISSING_FIELD,
            it.span,
            format!("`{}` lacks {}", it.owner, listed(&it.missing)),
        )
        .with_help(
            "give every field a value, or copy the rest from another with `{ ..other, .. }`",
        )
    }
}

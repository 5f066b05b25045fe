//! A record or constructor with missing fields.

use gainsay_source::{Diagnostic, Span, codes};

use super::phrases::join_quoted;

/// Where fields are missing.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum FieldContext {
    /// In a value.
    Value,
    /// In a pattern.
    Pattern,
}

/// A record or constructor with missing fields.
#[derive(Debug, Clone)]
pub(crate) struct MissingField {
    pub(crate) owner: String,
    pub(crate) missing: Vec<String>,
    pub(crate) span: Span,
    pub(crate) place: FieldContext,
}

impl From<MissingField> for Diagnostic {
    fn from(it: MissingField) -> Self {
        let message = format!("`{}` is missing {}", it.owner, join_quoted(&it.missing));
        let found = Diagnostic::new(codes::MISSING_FIELD, it.span, message);
        found.with_help(match it.place {
            FieldContext::Value => {
                "give every field a value, or copy the rest from another record with \
                 `{ ..other, .. }`"
            }
            FieldContext::Pattern => "name every field, or ignore the rest with `..`",
        })
    }
}

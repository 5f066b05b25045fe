//! A field that is given or declared twice.

use gainsay_source::{Diagnostic, Span, codes};

/// A field that is given or declared twice.
#[derive(Debug, Clone)]
pub(crate) struct DuplicateField {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) first: Span,
}

impl From<DuplicateField> for Diagnostic {
    fn from(it: DuplicateField) -> Self {
        Diagnostic::new(
            codes::DUPLICATE_FIELD,
            it.span,
            format!("duplicate field `{}`", it.name),
        )
        .with_label(it.first, "first occurrence")
    }
}

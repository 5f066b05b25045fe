//! A field access or update of something without fields.

use gainsay_source::{Diagnostic, Span, codes};

/// A field access or update of something without fields.
#[derive(Debug, Clone)]
pub(crate) struct NotARecord {
    pub(crate) actual: String,
    pub(crate) span: Span,
}

impl From<NotARecord> for Diagnostic {
    fn from(it: NotARecord) -> Self {
        Diagnostic::new(
            codes::NOT_A_RECORD,
            it.span,
            format!("a value of type `{}` has no such fields", it.actual),
        )
    }
}

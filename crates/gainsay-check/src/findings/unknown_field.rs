//! A field that the record or constructor does not have.

use gainsay_source::{Diagnostic, Span, codes};

use super::phrases::join_quoted;

/// A field that the record or constructor does not have.
#[derive(Debug, Clone)]
pub(crate) struct UnknownField {
    pub(crate) owner: String,
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) close: Option<String>,
    pub(crate) fields: Vec<String>,
}

impl From<UnknownField> for Diagnostic {
    fn from(it: UnknownField) -> Self {
        let found = Diagnostic::new(
            codes::UNKNOWN_FIELD,
            it.span,
            format!("`{}` has no field `{}`", it.owner, it.name),
        )
        .with_suggestion(it.span, it.close.as_deref());
        if it.fields.is_empty() {
            found
        } else {
            found.with_note(format!("its fields are {}", join_quoted(&it.fields)))
        }
    }
}

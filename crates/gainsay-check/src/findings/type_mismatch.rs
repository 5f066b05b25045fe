//! A value of another type than its place wants.

use gainsay_source::{Diagnostic, Span, codes};

/// A value of another type than its place wants.
#[derive(Debug, Clone)]
pub(crate) struct TypeMismatch {
    pub(crate) expected: String,
    pub(crate) actual: String,
    pub(crate) span: Span,
    pub(crate) hint: Option<String>,
}

impl From<TypeMismatch> for Diagnostic {
    fn from(it: TypeMismatch) -> Self {
        let found = Diagnostic::new(
            codes::TYPE_MISMATCH,
            it.span,
            format!("expected `{}`, found `{}`", it.expected, it.actual),
        )
        .with_primary_label(format!("this is `{}`", it.actual));
        match it.hint {
            Some(hint) => found.with_help(hint),
            None => found,
        }
    }
}

//! A pattern or parameter list that binds a name twice.

use gainsay_source::{Diagnostic, Span, codes};

/// A pattern or parameter list that binds a name twice.
#[derive(Debug, Clone)]
pub(crate) struct DuplicateBinding {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) first: Span,
}

impl From<DuplicateBinding> for Diagnostic {
    fn from(it: DuplicateBinding) -> Self {
        Diagnostic::new(
            codes::DUPLICATE_BINDING,
            it.span,
            format!("`{}` is bound twice", it.name),
        )
        .with_label(it.first, "first bound here")
    }
}

//! A name that is declared twice in one module.

use gainsay_source::{Diagnostic, Span, codes};

/// A name that is declared twice in one module.
#[derive(Debug, Clone)]
pub(crate) struct DuplicateDefinition {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) first: Span,
}

impl From<DuplicateDefinition> for Diagnostic {
    fn from(it: DuplicateDefinition) -> Self {
        Diagnostic::new(
            codes::DUPLICATE_DEFINITION,
            it.span,
            format!("`{}` is declared twice", it.name),
        )
        .with_primary_label("declared again here")
        .with_label(it.first, "first declared here")
        .with_help("rename or remove one of the two")
    }
}

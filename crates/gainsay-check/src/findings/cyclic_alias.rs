//! A type alias that refers to itself.

use gainsay_source::{Diagnostic, Span, codes};

/// A type alias that refers to itself.
#[derive(Debug, Clone)]
pub(crate) struct CyclicAlias {
    pub(crate) name: String,
    pub(crate) span: Span,
}

impl From<CyclicAlias> for Diagnostic {
    fn from(it: CyclicAlias) -> Self {
        Diagnostic::new(
            codes::CYCLIC_ALIAS,
            it.span,
            format!("the type alias `{}` refers to itself", it.name),
        )
        .with_help("declare a sum or record type instead: those may be recursive")
    }
}

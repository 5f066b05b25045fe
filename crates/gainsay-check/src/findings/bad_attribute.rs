//! An annotation whose arguments it does not understand.

use gainsay_source::{Diagnostic, Span, codes};

/// An annotation whose arguments it does not understand.
#[derive(Debug, Clone)]
pub(crate) struct BadAttribute {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) wanted: String,
}

impl From<BadAttribute> for Diagnostic {
    fn from(it: BadAttribute) -> Self {
        Diagnostic::new(codes::BAD_ATTRIBUTE, it.span, format!("invalid use of `@{}`", it.name))
            .with_help(format!("write {}", it.wanted))
    }
}

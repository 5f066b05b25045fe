//! A form that this version reads over.

use gainsay_source::{Diagnostic, Span, codes};

/// A form that this version reads over.
#[derive(Debug, Clone)]
pub(crate) struct ReservedForm {
    pub(crate) what: &'static str,
    pub(crate) span: Span,
}

impl From<ReservedForm> for Diagnostic {
    fn from(it: ReservedForm) -> Self {
        Diagnostic::new(
            codes::RESERVED_FORM,
            it.span,
            format!("{} is not supported by this version", it.what),
        )
        .with_note("it is neither checked nor run")
    }
}

//! A construct that is reserved: this version parses and ignores it.

use gainsay_source::{Diagnostic, Span, codes};

/// A construct that is reserved: this version parses and ignores it.
#[derive(Debug, Clone)]
pub(crate) struct ReservedForm {
    pub(crate) form: ReservedFormKind,
    pub(crate) span: Span,
}

/// The reserved constructs.
#[derive(Debug, Copy, Clone)]
pub(crate) enum ReservedFormKind {
    TestAgainst,
}

impl From<ReservedForm> for Diagnostic {
    fn from(it: ReservedForm) -> Self {
        let form = match it.form {
            ReservedFormKind::TestAgainst => "a test against a spec",
        };
        let message = format!("{form} is not supported by this version");
        Diagnostic::new(codes::RESERVED_FORM, it.span, message)
            .with_note("it is neither checked nor run")
    }
}

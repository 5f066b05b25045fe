//! An operation that a system under test failed to perform.

use gainsay_source::codes::SYSTEM_ERROR;
use gainsay_source::{Diagnostic, Span};

use super::one_line;
use crate::fault::SystemError;

pub(super) struct SystemFailed {
    pub(super) span: Span,
    pub(super) operation: String,
    pub(super) error: SystemError,
}

impl From<SystemFailed> for Diagnostic {
    fn from(it: SystemFailed) -> Self {
        let SystemError { kind, text, may_have_happened } = it.error;
        let operation = it.operation;
        let mut message = format!("`{operation}` failed with `{}`", one_line(&kind));
        if !text.is_empty() {
            message += &format!(": {}", one_line(&text));
        }
        let diagnostic = Diagnostic::new(SYSTEM_ERROR, it.span, message)
            .with_primary_label("performed here");
        if may_have_happened {
            diagnostic.with_note("the operation may have taken effect all the same")
        } else {
            diagnostic.with_help("if it should fail, write `observe throws(System) { .. }`")
        }
    }
}

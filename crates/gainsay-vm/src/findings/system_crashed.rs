//! A system under test that ended during an operation.

use gainsay_source::codes::SYSTEM_CRASHED;
use gainsay_source::{Diagnostic, Span};

pub(super) struct SystemCrashed {
    pub(super) span: Span,
    pub(super) operation: String,
    pub(super) how: String,
}

impl From<SystemCrashed> for Diagnostic {
    fn from(it: SystemCrashed) -> Self {
        let message = format!("the system ended during `{}`", it.operation);
        let diagnostic = Diagnostic::new(SYSTEM_CRASHED, it.span, message)
            .with_primary_label("performed here");
        let lines = it.how.lines().map(str::to_owned);
        lines.fold(diagnostic, Diagnostic::with_note)
    }
}

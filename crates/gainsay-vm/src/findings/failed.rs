//! A program that called `fail`.

use gainsay_source::codes::FAILED;
use gainsay_source::{Diagnostic, Span};

use super::one_line;

pub(super) struct ProgramFailed {
    pub(super) span: Span,
    pub(super) message: String,
}

impl From<ProgramFailed> for Diagnostic {
    fn from(it: ProgramFailed) -> Self {
        Diagnostic::new(
            FAILED,
            it.span,
            format!("the program failed: {}", one_line(&it.message)),
        )
        .with_primary_label("fails here")
        .with_help(
            "find the cause, or observe `throws(Fail) { .. }` if the failure is expected",
        )
    }
}

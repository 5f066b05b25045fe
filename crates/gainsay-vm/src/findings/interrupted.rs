//! A run that was stopped from outside.

use gainsay_source::codes::INTERRUPTED;
use gainsay_source::{Diagnostic, Span};

pub(super) struct Interrupted {
    pub(super) span: Span,
}

impl From<Interrupted> for Diagnostic {
    fn from(it: Interrupted) -> Self {
        Diagnostic::new(INTERRUPTED, it.span, "the run was interrupted")
            .with_primary_label("stopped here")
            .with_help("run it again")
    }
}

//! A run that was stopped from outside.

use gainsay_source::codes::INTERRUPTED;
use gainsay_source::{Diagnostic, Span};

pub(super) struct Interrupted {
    pub(super) span: Span,
}

impl From<Interrupted> for Diagnostic {
    fn from(it: Interrupted) -> Self {
        Diagnostic::new(INTERRUPTED, it.span, "the run was interrupted")
            .with_primary_label("it had come this far")
            .with_help("run it again to let it finish")
    }
}

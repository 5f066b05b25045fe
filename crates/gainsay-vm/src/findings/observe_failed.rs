//! An `observe` that does not hold.

use gainsay_source::codes::OBSERVE_FAILED;
use gainsay_source::{Diagnostic, Span};

pub(super) struct ObserveFailed {
    pub(super) span: Span,
}

impl From<ObserveFailed> for Diagnostic {
    fn from(it: ObserveFailed) -> Self {
        Diagnostic::new(OBSERVE_FAILED, it.span, "this observation does not hold")
            .with_primary_label("this is false")
            .with_help("fix the code under test or the expected value")
    }
}

//! A run that took more steps than it may.

use gainsay_source::codes::STEP_LIMIT;
use gainsay_source::{Diagnostic, Span};

pub(super) struct StepLimit {
    pub(super) span: Span,
}

impl From<StepLimit> for Diagnostic {
    fn from(it: StepLimit) -> Self {
        Diagnostic::new(STEP_LIMIT, it.span, "the run took more steps than it may")
            .with_primary_label("this is where the steps ended")
            .with_help("look for a loop without an end, or allow more steps")
    }
}

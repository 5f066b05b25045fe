//! A run that exceeded its step limit.

use gainsay_source::codes::STEP_LIMIT;
use gainsay_source::{Diagnostic, Span};

pub(super) struct StepLimit {
    pub(super) span: Span,
}

impl From<StepLimit> for Diagnostic {
    fn from(it: StepLimit) -> Self {
        Diagnostic::new(STEP_LIMIT, it.span, "step limit exceeded")
            .with_primary_label("stopped here")
            .with_help("look for an infinite loop, or raise the step limit")
    }
}

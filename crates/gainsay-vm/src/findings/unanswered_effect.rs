//! An effect without a handler.

use gainsay_source::codes::UNANSWERED_EFFECT;
use gainsay_source::{Diagnostic, Span};

pub(super) struct UnansweredEffect {
    pub(super) span: Span,
    pub(super) operation: String,
}

impl From<UnansweredEffect> for Diagnostic {
    fn from(it: UnansweredEffect) -> Self {
        Diagnostic::new(
            UNANSWERED_EFFECT,
            it.span,
            format!("nothing answers `{}` here", it.operation),
        )
        .with_primary_label("performed here")
        .with_help(format!("answer it with `under ({} = ..) {{ .. }}`", it.operation))
    }
}

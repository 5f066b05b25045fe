//! A non-event where an event pattern is expected.

use gainsay_source::{Diagnostic, Span, codes};

/// A non-event where an event pattern is expected.
#[derive(Debug, Clone)]
pub(crate) struct BadEventPattern {
    pub(crate) span: Span,
}

impl From<BadEventPattern> for Diagnostic {
    fn from(it: BadEventPattern) -> Self {
        Diagnostic::new(codes::BAD_EVENT_PATTERN, it.span, "this is not an event pattern")
            .with_help(
                "name an operation, as in `Random.int`, or a call, as in `Console.print(_)`",
            )
    }
}

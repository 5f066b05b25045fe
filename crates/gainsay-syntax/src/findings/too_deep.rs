//! Code nested deeper than Gainsay reads.

use gainsay_source::codes::TOO_DEEP;
use gainsay_source::{Diagnostic, Span};

/// The first place that is too deep; said once per text.
pub(crate) struct TooDeep {
    /// Where reading stopped.
    pub(crate) span: Span,
    /// How many levels are read.
    pub(crate) limit: u32,
}

impl From<TooDeep> for Diagnostic {
    fn from(it: TooDeep) -> Self {
        let limit = it.limit;
        Self::new(
            TOO_DEEP,
            it.span,
            format!("this code is nested more than {limit} levels deep"),
        )
        .with_primary_label("ignored from here on")
        .with_help("move inner parts into a `let` or a function")
    }
}

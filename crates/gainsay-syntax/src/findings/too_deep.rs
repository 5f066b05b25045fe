//! Code nested more deeply than Gainsay supports.

use gainsay_source::codes::TOO_DEEP;
use gainsay_source::{Diagnostic, Span};

/// The first place that is too deep; reported once per file.
pub(crate) struct TooDeep {
    /// Where parsing stopped.
    pub(crate) span: Span,
    /// The supported nesting depth.
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

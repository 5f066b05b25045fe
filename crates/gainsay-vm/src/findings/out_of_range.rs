//! An index, count or conversion out of range.

use gainsay_source::codes::OUT_OF_RANGE;
use gainsay_source::{Diagnostic, Span};

pub(super) struct OutOfRange {
    pub(super) span: Span,
    pub(super) what: String,
}

impl From<OutOfRange> for Diagnostic {
    fn from(it: OutOfRange) -> Self {
        Diagnostic::new(OUT_OF_RANGE, it.span, it.what)
            .with_primary_label("out of range")
            .with_help("check the value first, or use an operation that returns an `Option`")
    }
}

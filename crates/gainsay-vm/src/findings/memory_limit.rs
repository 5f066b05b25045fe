//! A run that took more memory than it may.

use gainsay_source::codes::MEMORY_LIMIT;
use gainsay_source::{Diagnostic, Span};

pub(super) struct MemoryLimit {
    pub(super) span: Span,
}

impl From<MemoryLimit> for Diagnostic {
    fn from(it: MemoryLimit) -> Self {
        Diagnostic::new(MEMORY_LIMIT, it.span, "the run took more memory than it may")
            .with_primary_label("this value is one too many")
            .with_help("build less at once, or allow more memory")
    }
}

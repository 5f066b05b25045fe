//! A run that exceeded its memory limit.

use gainsay_source::codes::MEMORY_LIMIT;
use gainsay_source::{Diagnostic, Span};

pub(super) struct MemoryLimit {
    pub(super) span: Span,
}

impl From<MemoryLimit> for Diagnostic {
    fn from(it: MemoryLimit) -> Self {
        Diagnostic::new(MEMORY_LIMIT, it.span, "memory limit exceeded")
            .with_primary_label("this allocation exceeds the limit")
            .with_help("build smaller values, or raise the memory limit")
    }
}

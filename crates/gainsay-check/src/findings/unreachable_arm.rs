//! A pattern that is fully covered by earlier ones.

use gainsay_source::{Diagnostic, Span, codes};

/// A pattern that is fully covered by earlier ones.
#[derive(Debug, Clone)]
pub(crate) struct UnreachableArm {
    pub(crate) span: Span,
}

impl From<UnreachableArm> for Diagnostic {
    fn from(it: UnreachableArm) -> Self {
        Diagnostic::new(codes::UNREACHABLE_ARM, it.span, "unreachable pattern")
            .with_primary_label("earlier arms match everything this matches")
            .with_help("remove it, or move it up")
    }
}

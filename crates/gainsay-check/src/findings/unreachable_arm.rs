//! A pattern that earlier ones leave nothing to match.

use gainsay_source::{Diagnostic, Span, codes};

/// A pattern that earlier ones leave nothing to match.
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

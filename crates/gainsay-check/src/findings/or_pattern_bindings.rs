//! Alternatives of a pattern that bind different names.

use gainsay_source::{Diagnostic, Span, codes};

/// Alternatives of a pattern that bind different names.
#[derive(Debug, Clone)]
pub(crate) struct OrPatternBindings {
    pub(crate) name: String,
    pub(crate) span: Span,
}

impl From<OrPatternBindings> for Diagnostic {
    fn from(it: OrPatternBindings) -> Self {
        Diagnostic::new(
            codes::OR_PATTERN_BINDINGS,
            it.span,
            format!("`{}` is not bound by every alternative", it.name),
        )
        .with_help("bind the same names on both sides of `|`")
    }
}

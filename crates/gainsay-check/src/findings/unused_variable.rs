//! A name that is bound and never used.

use gainsay_source::{Diagnostic, Span, codes};

/// A name that is bound and never used.
#[derive(Debug, Clone)]
pub(crate) struct UnusedVariable {
    pub(crate) name: String,
    pub(crate) span: Span,
}

impl From<UnusedVariable> for Diagnostic {
    fn from(it: UnusedVariable) -> Self {
        Diagnostic::new(codes::UNUSED_VARIABLE, it.span, format!("`{}` is never used", it.name))
            .with_fix(
                format!("rename it to `_{}` if this is intentional", it.name),
                it.span,
                format!("_{}", it.name),
            )
    }
}

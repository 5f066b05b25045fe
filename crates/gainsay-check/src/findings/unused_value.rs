//! A value that is computed and dropped.

use gainsay_source::{Diagnostic, Span, codes};

/// A value that is computed and dropped.
#[derive(Debug, Clone)]
pub(crate) struct UnusedValue {
    pub(crate) ty: String,
    pub(crate) span: Span,
}

impl From<UnusedValue> for Diagnostic {
    fn from(it: UnusedValue) -> Self {
        Diagnostic::new(
            codes::UNUSED_VALUE,
            it.span,
            format!("this value of type `{}` is not used", it.ty),
        )
        .with_help("bind it with `let`, or write `let _ = ..` to drop it on purpose")
    }
}

//! A value that is computed and dropped.

use gainsay_source::{Diagnostic, Span, codes};

/// A value that is computed and dropped.
#[derive(Debug, Clone)]
pub(crate) struct UnusedValue {
    pub(crate) ty: String,
    pub(crate) span: Span,
    /// Whether it is a Boolean in a claim, where `observe` was probably meant.
    pub(crate) in_claim: bool,
}

impl From<UnusedValue> for Diagnostic {
    fn from(it: UnusedValue) -> Self {
        let message = format!("unused value of type `{}`", it.ty);
        let found = Diagnostic::new(codes::UNUSED_VALUE, it.span, message);
        if it.in_claim {
            found.with_help("write `observe` before it to check that it holds")
        } else {
            found.with_help("bind it with `let`, or discard it with `let _ = ..`")
        }
    }
}

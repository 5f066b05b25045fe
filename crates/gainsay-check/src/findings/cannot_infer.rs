//! A type that nothing in the function determines.

use gainsay_source::{Diagnostic, Span, codes};

/// A type that nothing in the function determines.
#[derive(Debug, Clone)]
pub(crate) struct CannotInfer {
    pub(crate) what: String,
    pub(crate) span: Span,
}

impl From<CannotInfer> for Diagnostic {
    fn from(it: CannotInfer) -> Self {
        Diagnostic::new(
            codes::CANNOT_INFER,
            it.span,
            format!("the type of {} cannot be inferred", it.what),
        )
        .with_help("say it: `let x: T = ..`, `|x: T| ..`, or a type argument `f<T>(..)`")
    }
}

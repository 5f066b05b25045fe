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
            format!("cannot infer the type of {}", it.what),
        )
        .with_help("annotate it: `let x: T = ..`, `|x: T| ..`, or a type argument `f<T>(..)`")
    }
}

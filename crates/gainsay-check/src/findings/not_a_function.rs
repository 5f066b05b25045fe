//! A call of something that is not a function.

use gainsay_source::{Diagnostic, Span, codes};

/// A call of something that is not a function.
#[derive(Debug, Clone)]
pub(crate) struct NotAFunction {
    pub(crate) actual: String,
    pub(crate) span: Span,
}

impl From<NotAFunction> for Diagnostic {
    fn from(it: NotAFunction) -> Self {
        Diagnostic::new(
            codes::NOT_A_FUNCTION,
            it.span,
            format!("a value of type `{}` cannot be called", it.actual),
        )
        .with_primary_label("this is not a function")
    }
}

//! A property that returns a value instead of observing it.

use gainsay_source::{Diagnostic, Span, codes};

/// A property that returns a value instead of observing it.
#[derive(Debug, Clone)]
pub(crate) struct PropertyResult {
    pub(crate) name: String,
    /// The span of the result type.
    pub(crate) span: Span,
    /// The type of the result, as written.
    pub(crate) ty: String,
    /// Whether it is `Bool`, and the resulting expression, if that fits on a line.
    pub(crate) truth: Option<String>,
}

impl From<PropertyResult> for Diagnostic {
    fn from(it: PropertyResult) -> Self {
        let message = format!("the property `{}` returns a value that is ignored", it.name);
        let help = match &it.truth {
            Some(truth) => format!("remove `-> {}` and end with `observe {truth}`", it.ty),
            None => format!("remove `-> {}` and `observe` what must hold for the value", it.ty),
        };
        Diagnostic::new(codes::PROPERTY_RESULT, it.span, message)
            .with_note("a property fails when an `observe` does not hold")
            .with_help(help)
    }
}

//! A method that the type of the receiver does not have.

use gainsay_source::{Diagnostic, Span, codes};

/// A method that the type of the receiver does not have.
#[derive(Debug, Clone)]
pub(crate) struct NoSuchMethod {
    pub(crate) name: String,
    pub(crate) receiver: String,
    pub(crate) span: Span,
    pub(crate) close: Option<String>,
}

impl From<NoSuchMethod> for Diagnostic {
    fn from(it: NoSuchMethod) -> Self {
        Diagnostic::new(codes::NO_SUCH_METHOD, it.span, format!("`{}` has no method `{}`", it.receiver, it.name))
            .with_note("`x.f(y)` means `f(x, y)`, with `f` from the module of the type of `x`, or from here")
            .with_suggestion(it.span, it.close.as_deref())
    }
}

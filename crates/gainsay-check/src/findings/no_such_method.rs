//! A method that the type of the receiver does not have.

use gainsay_source::{Diagnostic, Span, codes};

/// A method that the type of the receiver does not have.
#[derive(Debug, Clone)]
pub(crate) struct NoSuchMethod {
    pub(crate) name: String,
    pub(crate) receiver: String,
    pub(crate) span: Span,
    /// The function's name in Gainsay, if another library uses this one.
    pub(crate) counterpart: Option<String>,
    pub(crate) close: Option<String>,
}

impl From<NoSuchMethod> for Diagnostic {
    fn from(it: NoSuchMethod) -> Self {
        let message = format!("`{}` has no method `{}`", it.receiver, it.name);
        let found = Diagnostic::new(codes::NO_SUCH_METHOD, it.span, message);
        if it.counterpart.is_some() {
            return found.with_counterpart(it.span, it.counterpart.as_deref());
        }
        found
            .with_note(
                "`x.f(y)` means `f(x, y)`, with `f` from the module of the type of `x` or from \
                 this scope",
            )
            .with_suggestion(it.span, it.close.as_deref())
    }
}

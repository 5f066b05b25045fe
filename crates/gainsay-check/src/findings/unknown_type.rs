//! A type name that is not in scope.

use gainsay_source::{Diagnostic, Span, codes};

/// A type name that is not in scope.
#[derive(Debug, Clone)]
pub(crate) struct UnknownType {
    pub(crate) name: String,
    pub(crate) span: Span,
    /// The type's name in Gainsay, if another language uses this one.
    pub(crate) counterpart: Option<&'static str>,
    pub(crate) close: Option<String>,
}

impl From<UnknownType> for Diagnostic {
    fn from(it: UnknownType) -> Self {
        let found = Diagnostic::new(
            codes::UNKNOWN_TYPE,
            it.span,
            format!("cannot find type `{}`", it.name),
        )
        .with_primary_label("not found in this scope");
        match it.counterpart {
            Some(_) => found.with_counterpart(it.span, it.counterpart),
            None => found.with_suggestion(it.span, it.close.as_deref()),
        }
    }
}

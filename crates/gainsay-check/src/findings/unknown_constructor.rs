//! A constructor name that is not in scope.

use gainsay_source::{Diagnostic, Span, codes};

use crate::foreign_names::value_advice;

/// A constructor name that is not in scope.
#[derive(Debug, Clone)]
pub(crate) struct UnknownConstructor {
    pub(crate) name: String,
    pub(crate) span: Span,
    /// Whether it may be a name from another language.
    pub(crate) may_be_foreign: bool,
    pub(crate) close: Option<String>,
    /// Whether a type has this name.
    pub(crate) is_type: bool,
}

impl From<UnknownConstructor> for Diagnostic {
    fn from(it: UnknownConstructor) -> Self {
        let message = format!("cannot find constructor `{}`", it.name);
        let found = Diagnostic::new(codes::UNKNOWN_CONSTRUCTOR, it.span, message);
        if it.is_type {
            return found
                .with_primary_label("this is a type")
                .with_help("build a value with one of its constructors");
        }
        let found = found.with_primary_label("not found in this scope");
        if let Some(advice) = value_advice(&it.name).filter(|_| it.may_be_foreign) {
            return found.with_help(advice);
        }
        found.with_suggestion(it.span, it.close.as_deref())
    }
}

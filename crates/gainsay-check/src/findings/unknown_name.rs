//! A value name that is not in scope.

use gainsay_source::{Diagnostic, Span, codes};

use crate::foreign_names::value_advice;

/// A value name that is not in scope.
#[derive(Debug, Clone)]
pub(crate) struct UnknownName {
    pub(crate) name: String,
    pub(crate) span: Span,
    /// Whether it may be a name from another language.
    pub(crate) may_be_foreign: bool,
    pub(crate) close: Option<String>,
    pub(crate) in_refinement: bool,
}

impl From<UnknownName> for Diagnostic {
    fn from(it: UnknownName) -> Self {
        let found = Diagnostic::new(
            codes::UNKNOWN_NAME,
            it.span,
            format!("cannot find name `{}`", it.name),
        )
        .with_primary_label("not found in this scope");
        if let Some(advice) = value_advice(&it.name).filter(|_| it.may_be_foreign) {
            return found.with_help(advice);
        }
        let found = found.with_suggestion(it.span, it.close.as_deref());
        if it.in_refinement {
            found
                .with_note("a refinement can use only `it`, constants and functions")
                .with_help(
                    "relate parameters with an `in { .. }` clause, or inputs with `where`",
                )
        } else {
            found
        }
    }
}

//! A call with more or fewer arguments than parameters.

use gainsay_source::{Diagnostic, Span, codes};

use super::phrases::count_noun;

/// A call with more or fewer arguments than parameters.
#[derive(Debug, Clone)]
pub(crate) struct WrongArgumentCount {
    pub(crate) callee: String,
    pub(crate) expected: usize,
    pub(crate) actual: usize,
    pub(crate) span: Span,
    pub(crate) declared: Option<Span>,
}

impl From<WrongArgumentCount> for Diagnostic {
    fn from(it: WrongArgumentCount) -> Self {
        let found = Diagnostic::new(
            codes::WRONG_ARGUMENT_COUNT,
            it.span,
            format!(
                "{} takes {}, but got {}",
                it.callee,
                count_noun(it.expected, "argument"),
                it.actual
            ),
        );
        match it.declared {
            Some(span) => found.with_label(span, "declared here"),
            None => found,
        }
    }
}

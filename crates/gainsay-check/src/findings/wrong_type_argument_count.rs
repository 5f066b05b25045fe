//! A type or function with too many or too few type arguments.

use gainsay_source::{Diagnostic, Span, codes};

use super::phrases::count_noun;

/// A type or function with too many or too few type arguments.
#[derive(Debug, Clone)]
pub(crate) struct WrongTypeArgumentCount {
    pub(crate) name: String,
    pub(crate) expected: usize,
    pub(crate) actual: usize,
    pub(crate) span: Span,
}

impl From<WrongTypeArgumentCount> for Diagnostic {
    fn from(it: WrongTypeArgumentCount) -> Self {
        Diagnostic::new(
            codes::WRONG_TYPE_ARGUMENT_COUNT,
            it.span,
            format!(
                "`{}` takes {}, but got {}",
                it.name,
                count_noun(it.expected, "type argument"),
                it.actual
            ),
        )
    }
}

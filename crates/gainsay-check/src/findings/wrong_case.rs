//! A name whose first letter says it is something else.

use gainsay_source::{Diagnostic, Span, codes};

use super::phrases::{snake, upper_camel};

/// A name whose first letter says it is something else.
#[derive(Debug, Clone)]
pub(crate) struct WrongCase {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) what: &'static str,
    pub(crate) upper: bool,
}

impl From<WrongCase> for Diagnostic {
    fn from(it: WrongCase) -> Self {
        let (letter, other) = if it.upper {
            ("an upper-case", upper_camel(&it.name))
        } else {
            ("a lower-case", snake(&it.name))
        };
        Diagnostic::new(
            codes::WRONG_CASE,
            it.span,
            format!("the name of {} must begin with {letter} letter", it.what),
        )
        .with_fix(format!("rename it to `{other}`"), it.span, other)
    }
}

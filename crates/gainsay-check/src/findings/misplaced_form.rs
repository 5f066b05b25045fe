//! A form of the language where it has no meaning.

use gainsay_source::{Diagnostic, Span, codes};

/// A form of the language where it has no meaning.
#[derive(Debug, Clone)]
pub(crate) struct MisplacedForm {
    pub(crate) what: String,
    pub(crate) span: Span,
    pub(crate) help: String,
}

impl From<MisplacedForm> for Diagnostic {
    fn from(it: MisplacedForm) -> Self {
        Diagnostic::new(
            codes::MISPLACED_FORM,
            it.span,
            format!("{} is not allowed here", it.what),
        )
        .with_help(it.help)
    }
}

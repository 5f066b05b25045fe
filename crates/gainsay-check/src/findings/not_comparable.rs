//! Functions where values must be compared or printed.

use gainsay_source::{Diagnostic, Span, codes};

/// Functions where values must be compared or printed.
#[derive(Debug, Clone)]
pub(crate) struct NotComparable {
    pub(crate) ty: String,
    pub(crate) span: Span,
    pub(crate) through: Option<String>,
}

impl From<NotComparable> for Diagnostic {
    fn from(it: NotComparable) -> Self {
        let found = Diagnostic::new(
            codes::NOT_COMPARABLE,
            it.span,
            format!("values of type `{}` cannot be compared or printed", it.ty),
        )
        .with_note("the type contains functions");
        match it.through {
            Some(function) => found.with_note(format!(
                "`{function}` compares or prints values of its type parameter"
            )),
            None => found,
        }
    }
}

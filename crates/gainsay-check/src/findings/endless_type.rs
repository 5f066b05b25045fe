//! A recursive type no value of which is finite.

use gainsay_source::{Diagnostic, Span, codes};

/// A recursive type no value of which is finite.
#[derive(Debug, Clone)]
pub(crate) struct EndlessType {
    pub(crate) name: String,
    pub(crate) span: Span,
}

impl From<EndlessType> for Diagnostic {
    fn from(it: EndlessType) -> Self {
        Diagnostic::new(
            codes::ENDLESS_TYPE,
            it.span,
            format!("no value of `{}` can ever be finished", it.name),
        )
        .with_note("each of its constructors needs another value of the type first")
        .with_help(
            "add a constructor that does not, or put the recursion under `List<..>` or `?`",
        )
    }
}

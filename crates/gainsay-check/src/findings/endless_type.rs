//! A recursive type without finite values.

use gainsay_source::{Diagnostic, Span, codes};

/// A recursive type without finite values.
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
            format!("`{}` has no finite values", it.name),
        )
        .with_note("every constructor needs another value of this type")
        .with_help(
            "add a constructor that does not, or wrap the recursion in `List<..>` or `?`",
        )
    }
}

//! A named argument where only positional ones are allowed.

use gainsay_source::{Diagnostic, Span, codes};

/// A named argument where only positional ones are allowed.
#[derive(Debug, Clone)]
pub(crate) struct NamedArgument {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) callee: String,
}

impl From<NamedArgument> for Diagnostic {
    fn from(it: NamedArgument) -> Self {
        Diagnostic::new(
            codes::NAMED_ARGUMENT,
            it.span,
            format!("{} takes only positional arguments", it.callee),
        )
        .with_help(format!("remove `{}:`", it.name))
    }
}

//! A name that two imports bring in.

use gainsay_source::{Diagnostic, Span, codes};

use super::phrases::join_quoted;

/// A name that two imports bring in.
#[derive(Debug, Clone)]
pub(crate) struct AmbiguousName {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) modules: Vec<String>,
}

impl From<AmbiguousName> for Diagnostic {
    fn from(it: AmbiguousName) -> Self {
        Diagnostic::new(
            codes::AMBIGUOUS_NAME,
            it.span,
            format!(
                "`{}` is ambiguous: it could come from {}",
                it.name,
                join_quoted(&it.modules)
            ),
        )
        .with_help(format!("qualify it with a module, as in `{}.{}`", it.modules[0], it.name))
    }
}

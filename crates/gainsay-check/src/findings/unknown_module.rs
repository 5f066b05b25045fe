//! A `use` of a module that does not exist.

use gainsay_source::{Diagnostic, Span, codes};

/// A `use` of a module that does not exist.
#[derive(Debug, Clone)]
pub(crate) struct UnknownModule {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) reason: String,
    pub(crate) close: Option<String>,
}

impl From<UnknownModule> for Diagnostic {
    fn from(it: UnknownModule) -> Self {
        let found = Diagnostic::new(
            codes::UNKNOWN_MODULE,
            it.span,
            format!("cannot find module `{}`", it.name),
        )
        .with_primary_label(it.reason);
        if it.name == "std" || it.name.starts_with("std.") {
            return found
                .with_help("remove the `use`: the standard library is always in scope");
        }
        found.with_suggestion(it.span, it.close.as_deref()).with_help(format!(
            "create `{}.say` next to this file, or remove the `use`",
            it.name
        ))
    }
}

//! A value name that nothing in scope has.

use gainsay_source::{Diagnostic, Span, codes};

/// A value name that nothing in scope has.
#[derive(Debug, Clone)]
pub(crate) struct UnknownName {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) close: Option<String>,
    pub(crate) in_refinement: bool,
}

/// What people of other languages look for, and what is here instead.
const ELSEWHERE: [(&str, &str); 6] = [
    ("print", "write `Console.print(..)`"),
    ("println", "write `Console.print(..)`"),
    ("null", "write `None`, and give the type a `?`"),
    ("nil", "write `None`, and give the type a `?`"),
    ("not", "write `!`"),
    ("assert", "write `observe`"),
];

impl From<UnknownName> for Diagnostic {
    fn from(it: UnknownName) -> Self {
        let found = Diagnostic::new(
            codes::UNKNOWN_NAME,
            it.span,
            format!("nothing here is called `{}`", it.name),
        )
        .with_phrase("not found in this scope")
        .with_suggestion(it.span, it.close.as_deref());
        if let Some((_, help)) = ELSEWHERE.iter().find(|(name, _)| *name == it.name) {
            return found.with_help(*help);
        }
        if it.in_refinement {
            found.with_note("a refinement sees only `it`, constants and functions").with_help(
                "relate parameters with an `in { .. }` clause, or inputs with `where`",
            )
        } else {
            found
        }
    }
}

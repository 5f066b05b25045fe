//! A call that performs an effect its function does not declare.

use gainsay_source::{Diagnostic, Span, codes};

use super::phrases::join_quoted;

/// A call that performs an effect its function does not declare.
#[derive(Debug, Clone)]
pub(crate) struct UndeclaredEffect {
    pub(crate) function: String,
    pub(crate) effects: Vec<String>,
    pub(crate) span: Span,
    pub(crate) signature: Span,
    pub(crate) row: Option<Span>,
    /// The effect row that would suffice.
    pub(crate) wanted: String,
}

impl From<UndeclaredEffect> for Diagnostic {
    fn from(it: UndeclaredEffect) -> Self {
        let found = Diagnostic::new(
            codes::UNDECLARED_EFFECT,
            it.span,
            format!("this performs {}", join_quoted(&it.effects)),
        )
        .with_label(it.signature, format!("`{}` does not declare it", it.function));
        if it.effects.iter().any(|name| name.starts_with("Claim.") || name.starts_with("Gen."))
        {
            return found.with_help("move it into a `test`, an `across` or a `@property`");
        }
        let row = it.wanted;
        match it.row {
            Some(span) => found.with_fix(format!("declare it: `{row}`"), span, row),
            None => {
                found.with_help(format!("add `{row}` to the signature of `{}`", it.function))
            }
        }
    }
}

//! A variable that occurs once in a rule.

use gainsay_source::{Diagnostic, Span, codes};

/// A variable that occurs once in a rule.
#[derive(Debug, Clone)]
pub(crate) struct LonelyVariable {
    pub(crate) name: String,
    pub(crate) span: Span,
}

impl From<LonelyVariable> for Diagnostic {
    fn from(it: LonelyVariable) -> Self {
        Diagnostic::new(
            codes::LONELY_VARIABLE,
            it.span,
            format!("`{}` occurs only once in this rule", it.name),
        )
        .with_fix("replace it with `_` if any value will do", it.span, "_")
    }
}

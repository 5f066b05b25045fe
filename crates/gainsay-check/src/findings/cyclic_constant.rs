//! A constant whose value depends on itself.

use gainsay_source::{Diagnostic, Span, codes};

/// A constant whose value depends on itself.
#[derive(Debug, Clone)]
pub(crate) struct CyclicConstant {
    pub(crate) name: String,
    pub(crate) span: Span,
}

impl From<CyclicConstant> for Diagnostic {
    fn from(it: CyclicConstant) -> Self {
        Diagnostic::new(
            codes::CYCLIC_CONSTANT,
            it.span,
            format!("the constant `{}` depends on itself", it.name),
        )
        .with_help("make it a function, or break the cycle")
    }
}

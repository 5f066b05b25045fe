//! A division by zero.

use gainsay_source::codes::DIVISION_BY_ZERO;
use gainsay_source::{Diagnostic, Span};

pub(super) struct DivisionByZero {
    pub(super) span: Span,
}

impl From<DivisionByZero> for Diagnostic {
    fn from(it: DivisionByZero) -> Self {
        Diagnostic::new(DIVISION_BY_ZERO, it.span, "division by zero")
            .with_primary_label("the divisor is 0")
            .with_help("check the divisor first, or give it the type `Int{it != 0}`")
    }
}

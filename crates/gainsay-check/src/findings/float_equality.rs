//! `==` on floats.

use gainsay_source::{Diagnostic, Span, codes};

/// `==` on floats.
#[derive(Debug, Clone)]
pub(crate) struct FloatEquality {
    pub(crate) span: Span,
}

impl From<FloatEquality> for Diagnostic {
    fn from(it: FloatEquality) -> Self {
        Diagnostic::new(codes::FLOAT_EQUALITY, it.span, "floats are compared for equality")
            .with_note("rounding makes equal results differ, and NaN equals nothing")
            .with_help("use `approx_eq(a, b, tolerance)`, or `same(a, b)` where NaN should equal itself")
    }
}

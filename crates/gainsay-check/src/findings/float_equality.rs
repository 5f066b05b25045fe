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
            .with_note("rounding can make equal results differ, and NaN does not equal itself")
            .with_help(
                "use `approx_eq(a, b, tolerance)`, or `same(a, b)` if NaN should equal itself",
            )
    }
}

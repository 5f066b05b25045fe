//! A system whose trace shows that it violates its specification.

use gainsay_source::{Diagnostic, Span, codes};

/// A system whose trace shows that it violates its specification.
pub(crate) struct SpecViolated {
    /// The goal of the test.
    pub(crate) span: Span,
    /// Which violation the system allows, or which answer differs from the expected one.
    pub(crate) fault: String,
}

impl From<SpecViolated> for Diagnostic {
    fn from(it: SpecViolated) -> Self {
        Diagnostic::new(codes::SPEC_VIOLATED, it.span, it.fault)
            .with_primary_label("reached by the trace below")
            .with_help("fix the system, or the rules if the trace is correct")
    }
}

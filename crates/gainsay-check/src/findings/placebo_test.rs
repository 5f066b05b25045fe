//! A test or property that observes nothing.

use gainsay_source::{Diagnostic, Span, codes};

/// A test or property that observes nothing.
#[derive(Debug, Clone)]
pub(crate) struct PlaceboTest {
    /// What it is, with its name.
    pub(crate) what: String,
    pub(crate) span: Span,
}

impl From<PlaceboTest> for Diagnostic {
    fn from(it: PlaceboTest) -> Self {
        let message = format!("{} observes nothing", it.what);
        Diagnostic::new(codes::PLACEBO_TEST, it.span, message)
            .with_note("it passes no matter what the code does")
            .with_help("add an `observe`")
    }
}

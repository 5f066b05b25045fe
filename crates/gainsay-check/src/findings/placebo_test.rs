//! A test that observes nothing.

use gainsay_source::{Diagnostic, Span, codes};

/// A test that observes nothing.
#[derive(Debug, Clone)]
pub(crate) struct PlaceboTest {
    pub(crate) name: String,
    pub(crate) span: Span,
}

impl From<PlaceboTest> for Diagnostic {
    fn from(it: PlaceboTest) -> Self {
        Diagnostic::new(
            codes::PLACEBO_TEST,
            it.span,
            format!("the test \"{}\" observes nothing", it.name),
        )
        .with_note("it passes whatever the code does")
        .with_help("add an `observe`")
    }
}

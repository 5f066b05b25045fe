//! A test or property that observes nothing.

use gainsay_source::{Diagnostic, Span, codes};

/// A test or property that observes nothing.
#[derive(Debug, Clone)]
pub(crate) struct PlaceboTest {
    pub(crate) kind: PlaceboKind,
    pub(crate) name: String,
    pub(crate) span: Span,
}

/// What observes nothing.
#[derive(Debug, Copy, Clone)]
pub(crate) enum PlaceboKind {
    Property,
    Test,
}

impl From<PlaceboTest> for Diagnostic {
    fn from(it: PlaceboTest) -> Self {
        let claim = match it.kind {
            PlaceboKind::Property => format!("the property `{}`", it.name),
            PlaceboKind::Test => format!("the test \"{}\"", it.name),
        };
        let message = format!("{claim} observes nothing");
        Diagnostic::new(codes::PLACEBO_TEST, it.span, message)
            .with_note("it passes no matter what the code does")
            .with_help("add an `observe`")
    }
}

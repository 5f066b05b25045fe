//! A test whose observations all leave room for wrong answers.

use gainsay_source::{Diagnostic, Span, codes};

/// A test whose observations all leave room for wrong answers.
#[derive(Debug, Clone)]
pub(crate) struct LooseTest {
    pub(crate) name: String,
    pub(crate) span: Span,
    /// Where its first observation stands.
    pub(crate) observe: Span,
}

impl From<LooseTest> for Diagnostic {
    fn from(it: LooseTest) -> Self {
        let message = format!("the test \"{}\" has only loose observations", it.name);
        Diagnostic::new(codes::LOOSE_TEST, it.span, message)
            .with_label(it.observe, "this holds for many wrong results")
            .with_help("compare the result with `==`")
    }
}

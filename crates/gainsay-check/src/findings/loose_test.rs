//! A test whose observations are all too weak to exclude wrong results.

use gainsay_source::{Diagnostic, Span, codes};

/// A test whose observations are all too weak to exclude wrong results.
#[derive(Debug, Clone)]
pub(crate) struct LooseTest {
    pub(crate) name: String,
    pub(crate) span: Span,
    /// The span of its first observation.
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

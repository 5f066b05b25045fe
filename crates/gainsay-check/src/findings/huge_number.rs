//! A number with more digits than Gainsay supports.

use gainsay_source::{Diagnostic, Span, codes};

/// A number with more digits than Gainsay supports.
#[derive(Debug, Clone)]
pub(crate) struct HugeNumber {
    pub(crate) n_digits: usize,
    pub(crate) most: usize,
    pub(crate) span: Span,
}

impl From<HugeNumber> for Diagnostic {
    fn from(it: HugeNumber) -> Self {
        Diagnostic::new(
            codes::HUGE_NUMBER,
            it.span,
            format!("this number has {} digits", it.n_digits),
        )
        .with_note(format!("the limit is {} digits", it.most))
        .with_help("compute it, as in `pow(10, 100_000)`")
    }
}

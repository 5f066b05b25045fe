//! A verify block without a case that counts: all are skipped, or there are none.

use gainsay_source::{Diagnostic, Span, codes};

/// A verify block without a case that counts: all are skipped, or there are none.
pub(crate) struct VacuousBlock {
    pub(crate) span: Span,
    /// The span of its `when`, if it has one.
    pub(crate) when: Option<Span>,
    /// Cases that `when` skipped.
    pub(crate) skipped: u64,
}

impl From<VacuousBlock> for Diagnostic {
    fn from(it: VacuousBlock) -> Self {
        let new = |message: &str| Diagnostic::new(codes::VERIFY_VACUOUS, it.span, message);
        match it.when.filter(|_| it.skipped > 0) {
            Some(when) => new("`when` skips every case of this block")
                .with_primary_label("nothing was compared")
                .with_label(when, format!("this holds in none of {} cases", it.skipped))
                .with_help("add values or stubs for which it holds"),
            None => new("this block has no cases: a `given` has no values")
                .with_primary_label("nothing was compared")
                .with_help("put at least one value in every list or range"),
        }
    }
}

//! An `assume` that does not hold where no other case can be tried.

use gainsay_source::codes::ASSUMPTION_FAILED;
use gainsay_source::{Diagnostic, Span};

pub(super) struct AssumptionFailed {
    pub(super) span: Span,
}

impl From<AssumptionFailed> for Diagnostic {
    fn from(it: AssumptionFailed) -> Self {
        Diagnostic::new(ASSUMPTION_FAILED, it.span, "this assumption does not hold")
            .with_primary_label("the case is discarded here")
            .with_help(
                "use `assume` only where inputs are generated, so that another case can be tried",
            )
    }
}

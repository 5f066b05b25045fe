//! A result that violates an `out` clause: the function is to blame.

use gainsay_source::codes::CONTRACT_VIOLATED;
use gainsay_source::{Diagnostic, Span};

pub(super) struct ContractViolated {
    pub(super) name: Span,
    pub(super) function: String,
    pub(super) clause: Span,
}

impl From<ContractViolated> for Diagnostic {
    fn from(it: ContractViolated) -> Self {
        let message = format!("`{}` violates its contract", it.function);
        Diagnostic::new(CONTRACT_VIOLATED, it.name, message)
            .with_primary_label("returns a result that violates its `out` clause")
            .with_label(it.clause, "this does not hold")
            .with_help(format!("fix the body of `{}`, or weaken its `out` clause", it.function))
    }
}

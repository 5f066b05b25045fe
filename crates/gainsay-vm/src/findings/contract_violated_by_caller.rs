//! A call that violates an `in` clause: the caller is to blame.

use gainsay_source::codes::CONTRACT_VIOLATED_BY_CALLER;
use gainsay_source::{Diagnostic, Span};

pub(super) struct ContractViolatedByCaller {
    pub(super) call: Span,
    pub(super) function: String,
    pub(super) clause: Span,
    /// Whether a claim with generated inputs makes the call.
    pub(super) is_generated: bool,
}

impl From<ContractViolatedByCaller> for Diagnostic {
    fn from(it: ContractViolatedByCaller) -> Self {
        let message = format!("this call violates the contract of `{}`", it.function);
        Diagnostic::new(CONTRACT_VIOLATED_BY_CALLER, it.call, message)
            .with_primary_label("the caller must ensure that the `in` clause holds")
            .with_label(it.clause, "this does not hold")
            .with_help(if it.is_generated {
                "exclude such inputs with `assume` or a refinement type, or weaken the clause"
                    .to_owned()
            } else {
                format!(
                    "check the values before the call, or weaken the `in` clause of `{}`",
                    it.function
                )
            })
    }
}

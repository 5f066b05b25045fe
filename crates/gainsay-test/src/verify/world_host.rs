//! What is left for a host when a world answers: effects that only happen, and those that
//! nobody answers.

use gainsay_core::Program;
use gainsay_vm::{Answer, EffectCall, Host, Refusal};

use crate::host::swallow;

/// The host of a case. Nothing that happens in a claim happens outside of it.
pub(super) struct WorldHost<'p> {
    program: &'p Program,
}

impl<'p> WorldHost<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Self { program }
    }
}

impl Host for WorldHost<'_> {
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<Answer, Refusal> {
        swallow(self.program, call.op).map(Answer::Value)
    }

    fn hears_what_holds(&self) -> bool {
        false
    }
}

//! What is left for a host when a world answers: effects that only happen, and those that
//! nobody answers.

use gainsay_core::{Dimension, Program};
use gainsay_vm::{Answer, EffectCall, Host, Refusal, Value};

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
        match self.program.op(call.op).dimension {
            Dimension::Output => Ok(Answer::Value(Value::tuple(Vec::new()))),
            Dimension::Snapshot | Dimension::Generative | Dimension::GenerativeOutput => {
                Err(Refusal::Unanswered)
            }
        }
    }

    fn hears_what_holds(&self) -> bool {
        false
    }
}

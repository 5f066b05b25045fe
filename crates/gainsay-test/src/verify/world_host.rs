//! What is left for a host when a world answers: effects that only happen, and those that
//! nobody answers.

use gainsay_core::{OpId, Program};
use gainsay_vm::{Answer, EffectCall, Host, Refusal, Value};

use crate::heard::Heard;
use crate::host::swallow;

/// The host of a case. Nothing that happens in a claim happens outside of it.
pub(super) struct WorldHost<'p> {
    program: &'p Program,
    /// The operation that tells what comes by, and what came by.
    pub(super) heard: Option<(OpId, Heard)>,
}

impl<'p> WorldHost<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Self { program, heard: None }
    }
}

impl Host for WorldHost<'_> {
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<Answer, Refusal> {
        if let (Some((tell, heard)), [Value::Int(place), value]) = (&mut self.heard, call.args)
            && call.op == *tell
        {
            heard.hear(*place, value);
            return Ok(Answer::Value(value.clone()));
        }
        swallow(self.program, call.op).map(Answer::Value)
    }

    fn hears_what_holds(&self) -> bool {
        false
    }
}

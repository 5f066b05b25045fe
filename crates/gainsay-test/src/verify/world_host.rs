//! What is left for a host when a world answers: effects that only happen, and those that
//! nobody answers.

use gainsay_core::{OpId, Program};
use gainsay_vm::{EffectCall, Host, HostAnswer, Refusal, Value};

use crate::host::discard_output;
use crate::value_log::ValueLog;

/// The host of a case. Nothing that happens in a claim happens outside of it.
pub(super) struct WorldHost<'p> {
    program: &'p Program,
    /// The operation that tells what comes by, and what came by.
    pub(super) value_log: Option<(OpId, ValueLog)>,
}

impl<'p> WorldHost<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Self { program, value_log: None }
    }
}

impl Host for WorldHost<'_> {
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        if let (Some((tell, heard)), [Value::Int(place), value]) =
            (&mut self.value_log, call.args)
            && call.op == *tell
        {
            heard.record(*place, value);
            return Ok(HostAnswer::Value(value.clone()));
        }
        discard_output(self.program, call.op).map(HostAnswer::Value)
    }

    fn wants_passing_observations(&self) -> bool {
        false
    }
}

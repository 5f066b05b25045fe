//! What is left for a host when a world answers: effects that only happen, and those that
//! nobody answers.

use gainsay_core::{OpId, Program};
use gainsay_vm::{EffectCall, Host, HostAnswer, Refusal, Value};

use crate::host::discard_output;
use crate::value_tracer::SharedTracer;

/// The host of a case. Nothing that happens in a claim happens outside of it.
pub(super) struct WorldHost<'p> {
    program: &'p Program,
    /// The operation that traces values, and who receives them.
    pub(super) tracer: Option<(OpId, SharedTracer)>,
}

impl<'p> WorldHost<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Self { program, tracer: None }
    }
}

impl Host for WorldHost<'_> {
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        if let (Some((trace_op, tracer)), [Value::Int(number), value]) =
            (&self.tracer, call.args)
            && call.op == *trace_op
        {
            tracer.borrow_mut().record(*number, value);
            return Ok(HostAnswer::Value(value.clone()));
        }
        discard_output(self.program, call.op).map(HostAnswer::Value)
    }

    fn wants_passing_observations(&self) -> bool {
        false
    }
}

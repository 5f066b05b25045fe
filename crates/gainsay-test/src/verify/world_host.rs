//! The host below a world: handles what stubs do not, which is value tracing and output. Any other
//! operation without a stub is refused.

use gainsay_core::{OpId, Program};
use gainsay_vm::{EffectCall, Host, HostAnswer, Refusal, Value};

use crate::host::discard_output;
use crate::value_tracer::SharedTracer;

/// The host of a case. Effects in a claim never leave it.
pub(super) struct WorldHost<'p> {
    program: &'p Program,
    /// The operation that traces values, and the tracer.
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

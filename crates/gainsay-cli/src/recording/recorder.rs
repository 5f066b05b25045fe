//! The real world, with all effects recorded.

use std::sync::Arc;

use gainsay::core::Program;
use gainsay::vm::{EffectCall, Host, HostAnswer, Refusal, show};

use super::{
    EffectCounter, RecordedEffect, RecordedOutcome, dimension_name, shown_args, writer,
};
use crate::world::RealWorld;

/// A world whose effects are written to the recording.
#[derive(Debug)]
pub(crate) struct RunRecorder<'a> {
    world: &'a mut RealWorld,
    program: Arc<Program>,
    counter: EffectCounter,
}

impl<'a> RunRecorder<'a> {
    /// Records the effects of a world.
    pub(crate) fn new(world: &'a mut RealWorld, program: Arc<Program>) -> Self {
        Self { world, program, counter: EffectCounter::default() }
    }
}

impl Host for RunRecorder<'_> {
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        // Performed before it is counted and written, since the record contains its outcome.
        let answer = self.world.perform(call);
        let program = &self.program;
        let outcome = match &answer {
            Ok(HostAnswer::Value(value)) => RecordedOutcome::Answer(show(program, value)),
            // The real world never returns calls, never discards cases, and has no systems under
            // test.
            Ok(HostAnswer::Call(..)) | Err(Refusal::Unanswered | Refusal::Discard) => {
                RecordedOutcome::Unanswered
            }
            Err(
                Refusal::SystemError(_) | Refusal::SystemCrashed(_) | Refusal::AdapterFailed(_),
            ) => RecordedOutcome::Unanswered,
            Err(Refusal::Failed(why)) => RecordedOutcome::Failed(why.clone()),
            Err(Refusal::OutOfRange(what)) => RecordedOutcome::OutOfRange(what.clone()),
            Err(Refusal::Interrupted) => RecordedOutcome::Interrupted,
        };
        writer::append(&RecordedEffect {
            at: self.counter.next(program, call),
            dimension: dimension_name(program.op(call.op).kind).to_owned(),
            args: shown_args(program, call),
            outcome,
        });
        answer
    }
}

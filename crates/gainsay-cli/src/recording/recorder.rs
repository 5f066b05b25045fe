//! The real world, with everything that happens in it taken down.

use std::sync::Arc;

use gainsay::core::Program;
use gainsay::vm::{Answer, EffectCall, Host, Refusal, show};

use super::{Counter, Effect, Outcome, dimension, shown_args, tape};
use crate::world::World;

/// A world whose effects are noted on the tape.
#[derive(Debug)]
pub(crate) struct Recorder<'a> {
    world: &'a mut World,
    program: Arc<Program>,
    counter: Counter,
}

impl<'a> Recorder<'a> {
    /// Records what happens in a world.
    pub(crate) fn new(world: &'a mut World, program: Arc<Program>) -> Self {
        Self { world, program, counter: Counter::default() }
    }
}

impl Host for Recorder<'_> {
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<Answer, Refusal> {
        let answer = self.world.perform(call);
        let program = &self.program;
        let outcome = match &answer {
            Ok(Answer::Value(value)) => Outcome::Answer(show(program, value)),
            // The world gives values, and gives up no cases.
            Ok(Answer::Call(..)) | Err(Refusal::Unanswered | Refusal::Discard) => {
                Outcome::Unanswered
            }
            Err(Refusal::Failed(why)) => Outcome::Failed(why.clone()),
            Err(Refusal::OutOfRange(what)) => Outcome::OutOfRange(what.clone()),
            Err(Refusal::Interrupted) => Outcome::Interrupted,
        };
        tape::note(&Effect {
            at: self.counter.next(program, call),
            dimension: dimension(program.op(call.op).dimension).to_owned(),
            args: shown_args(program, call),
            outcome,
        });
        answer
    }
}

//! The host: the one door through which every effect of a program leaves.
//!
//! Whoever runs a program decides what an effect means by implementing [`Host`]: the real
//! world, the world of a claim, a recording, a generator. Answers given by `under` inside the
//! program, and by [`Worker::answer_with`](crate::Worker::set_stubs), come before the host.

use gainsay_core::{FunctionId, ObserveStrength, OpId, TyId};
use gainsay_source::Span;

use crate::fault::FaultKind;
use crate::value::Value;

/// Answers the effects of a program and hears of its observations.
pub trait Host {
    /// Performs an operation that nothing inside the program answers. An answer of another
    /// type than the operation has is refused, like a failure of the outside world.
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<HostAnswer, Refusal>;

    /// Answers an operation on at most two small integers, or on a list of a few, with one, at
    /// once; nothing when it is to be asked by [`Self::perform`] instead, which would have given
    /// the same answer. Nobody is told where the operation was performed.
    #[inline]
    fn fast_answer(&mut self, op: OpId, args: &[i64]) -> Option<i64> {
        let _ = (op, args);
        None
    }

    /// Answers an operation on a list of so many elements, of whatever type, with one of them,
    /// by its place; nothing as for [`Self::fast_answer`].
    #[inline]
    fn fast_choice(&mut self, op: OpId, n: usize) -> Option<usize> {
        let _ = (op, n);
        None
    }

    /// Whether an operation on a small integer and a value, of whatever type, is answered with that
    /// value, which nobody looks at; if not, as for [`Self::fast_answer`].
    #[inline]
    fn fast_passthrough(&mut self, op: OpId, place: i64) -> bool {
        let _ = (op, place);
        false
    }

    /// Hears of an operation that was answered inside the program, by a stub.
    fn stub_answered(&mut self, call: &EffectCall<'_>, answer: &Value) {
        let _ = (call, answer);
    }

    /// Hears of an `observe`, and decides whether a failed one ends the run.
    fn observe(&mut self, observation: &Observation<'_>) -> FailureAction {
        if observation.holds { FailureAction::Continue } else { FailureAction::Stop }
    }

    /// Whether it wants to hear of observations that hold. Where it does not, compiled code
    /// only counts them, for [`Worker::n_unreported_observations`](crate::Worker::n_unreported_observations).
    #[inline]
    fn wants_passing_observations(&self) -> bool {
        true
    }

    /// Hears that an `assume` did not hold. The run ends as discarded unless told otherwise.
    fn assume_failed(&mut self, site: Span) -> FailureAction {
        let _ = site;
        FailureAction::Stop
    }
}

impl<H: Host + ?Sized> Host for &mut H {
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        (**self).perform(call)
    }

    fn fast_answer(&mut self, op: OpId, args: &[i64]) -> Option<i64> {
        (**self).fast_answer(op, args)
    }

    fn fast_choice(&mut self, op: OpId, n: usize) -> Option<usize> {
        (**self).fast_choice(op, n)
    }

    fn fast_passthrough(&mut self, op: OpId, place: i64) -> bool {
        (**self).fast_passthrough(op, place)
    }

    fn stub_answered(&mut self, call: &EffectCall<'_>, answer: &Value) {
        (**self).stub_answered(call, answer);
    }

    fn observe(&mut self, observation: &Observation<'_>) -> FailureAction {
        (**self).observe(observation)
    }

    fn wants_passing_observations(&self) -> bool {
        (**self).wants_passing_observations()
    }

    fn assume_failed(&mut self, site: Span) -> FailureAction {
        (**self).assume_failed(site)
    }
}

/// An operation that is performed.
#[derive(Debug, Copy, Clone)]
pub struct EffectCall<'a> {
    /// The operation.
    pub op: OpId,
    /// Its arguments.
    pub args: &'a [Value],
    /// Its type arguments, as written where it is performed.
    pub type_args: &'a [TyId],
    /// Where it is performed.
    pub site: Span,
    /// The function that performs it.
    pub function: FunctionId,
    /// How many calls deep that function is; the entry is 1.
    pub depth: u32,
    /// The branches of `par` around it, the outermost first.
    pub path: &'a [u32],
}

/// What a host answers.
#[derive(Debug, Clone)]
pub enum HostAnswer {
    /// This value.
    Value(Value),
    /// What this function value gives for these arguments: a stub, or a generator.
    Call(Value, Vec<Value>),
}

impl From<Value> for HostAnswer {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

/// Why a host does not answer. Each becomes a fault; none is seen by `throws`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// It has no answer for the operation.
    Unanswered,
    /// It tried, and the outside world failed.
    Failed(String),
    /// The program asked for what cannot be, as a phrase: a failure of the program.
    OutOfRange(String),
    /// The user stopped the run.
    Interrupted,
    /// The case is given up, like after a failed `assume`.
    Discard,
}

impl Refusal {
    /// What becomes of an operation that is refused.
    pub(crate) fn into_fault(self, op: OpId) -> FaultKind {
        match self {
            Self::Unanswered => FaultKind::Unanswered(op),
            Self::Failed(why) => FaultKind::HostFailed(why),
            Self::OutOfRange(what) => FaultKind::OutOfRange { what },
            Self::Interrupted => FaultKind::Interrupted,
            Self::Discard => FaultKind::Discarded,
        }
    }
}

/// How to go on after something that usually ends a run.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum FailureAction {
    /// As if nothing had happened.
    Continue,
    /// The run ends.
    Stop,
}

/// An `observe` that was evaluated.
#[derive(Debug, Copy, Clone)]
pub struct Observation<'a> {
    /// Whether the condition held.
    pub holds: bool,
    /// How much it pins down.
    pub strength: ObserveStrength,
    /// Where it stands.
    pub site: Span,
    /// The function it is in.
    pub function: FunctionId,
    /// Both sides, when the condition is a comparison that does not hold.
    pub sides: Option<(&'a Value, &'a Value)>,
}

/// A host for programs without effects: it refuses every one.
#[derive(Debug, Copy, Clone, Default)]
pub struct NoEffects;

impl Host for NoEffects {
    fn perform(&mut self, _: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        Err(Refusal::Unanswered)
    }
}

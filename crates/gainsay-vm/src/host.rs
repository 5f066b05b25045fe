//! The host: the one door through which every effect of a program leaves.
//!
//! Whoever runs a program decides what an effect means by implementing [`Host`]: the real
//! world, the world of a claim, a recording, a generator. Answers given by `under` inside the
//! program, and by [`Worker::answer_with`](crate::Worker::answer_with), come before the host.

use gainsay_core::{FunctionId, OpId, Strength, TyId};
use gainsay_source::Span;

use crate::fault::FaultKind;
use crate::value::Value;

/// Answers the effects of a program and hears of its observations.
pub trait Host {
    /// Performs an operation that nothing inside the program answers. An answer of another
    /// type than the operation has is refused, like a failure of the outside world.
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<Answer, Refusal>;

    /// Answers an operation on at most two small integers, or on a list of a few, with one, at
    /// once; nothing when it is to be asked by [`Self::perform`] instead, which would have given
    /// the same answer. Nobody is told where the operation was performed.
    #[inline]
    fn quick(&mut self, op: OpId, args: &[i64]) -> Option<i64> {
        let _ = (op, args);
        None
    }

    /// Answers an operation on a list of so many elements, of whatever type, with one of them,
    /// by its place; nothing as for [`Self::quick`].
    #[inline]
    fn choose(&mut self, op: OpId, n: usize) -> Option<usize> {
        let _ = (op, n);
        None
    }

    /// Whether an operation on a small integer and a value, of whatever type, is answered with that
    /// value, which nobody looks at; if not, as for [`Self::quick`].
    #[inline]
    fn lets_pass(&mut self, op: OpId, place: i64) -> bool {
        let _ = (op, place);
        false
    }

    /// Hears of an operation that was answered inside the program, by a stub.
    fn answered(&mut self, call: &EffectCall<'_>, answer: &Value) {
        let _ = (call, answer);
    }

    /// Hears of an `observe`, and decides whether a failed one ends the run.
    fn observe(&mut self, observation: &Observation<'_>) -> Verdict {
        if observation.holds { Verdict::Continue } else { Verdict::Stop }
    }

    /// Whether it wants to hear of observations that hold. Where it does not, compiled code
    /// only counts them, for [`Worker::n_unheard`](crate::Worker::n_unheard).
    #[inline]
    fn hears_what_holds(&self) -> bool {
        true
    }

    /// Hears that an `assume` did not hold. The run ends as discarded unless told otherwise.
    fn assume_failed(&mut self, site: Span) -> Verdict {
        let _ = site;
        Verdict::Stop
    }
}

impl<H: Host + ?Sized> Host for &mut H {
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<Answer, Refusal> {
        (**self).perform(call)
    }

    fn quick(&mut self, op: OpId, args: &[i64]) -> Option<i64> {
        (**self).quick(op, args)
    }

    fn choose(&mut self, op: OpId, n: usize) -> Option<usize> {
        (**self).choose(op, n)
    }

    fn lets_pass(&mut self, op: OpId, place: i64) -> bool {
        (**self).lets_pass(op, place)
    }

    fn answered(&mut self, call: &EffectCall<'_>, answer: &Value) {
        (**self).answered(call, answer);
    }

    fn observe(&mut self, observation: &Observation<'_>) -> Verdict {
        (**self).observe(observation)
    }

    fn hears_what_holds(&self) -> bool {
        (**self).hears_what_holds()
    }

    fn assume_failed(&mut self, site: Span) -> Verdict {
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
pub enum Answer {
    /// This value.
    Value(Value),
    /// What this function value gives for these arguments: a stub, or a generator.
    Call(Value, Vec<Value>),
}

impl From<Value> for Answer {
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
    pub(crate) fn fault(self, op: OpId) -> FaultKind {
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
pub enum Verdict {
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
    pub strength: Strength,
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
    fn perform(&mut self, _: &EffectCall<'_>) -> Result<Answer, Refusal> {
        Err(Refusal::Unanswered)
    }
}

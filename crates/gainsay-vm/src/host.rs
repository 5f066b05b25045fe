//! The host interface, through which every effect of a program leaves.
//!
//! The caller decides what an effect means by implementing [`Host`]: the real world, the world of a
//! claim, a recording, a generator. Stubs from `under` inside the program and from
//! [`Worker::set_stubs`](crate::Worker::set_stubs) take precedence over the host.

use gainsay_core::{FunctionId, ObserveStrength, OpId, TyId};
use gainsay_source::Span;

use crate::fault::{FaultKind, SystemError};
use crate::value::Value;

/// Answers the effects of a program and receives its observations.
pub trait Host {
    /// Performs an operation that nothing inside the program answers. An answer of the wrong type
    /// is rejected, like a failure of the outside world.
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<HostAnswer, Refusal>;

    /// Fast path for an operation on at most three small integers, or on a short list of them, whose
    /// answer is a small integer. `None` means that [`Self::perform`] is called instead; where both
    /// answer, the answers are the same. The host does not learn where the operation was performed.
    #[inline]
    fn fast_answer(&mut self, op: OpId, args: &[i64]) -> Option<i64> {
        let _ = (op, args);
        None
    }

    /// How many elements at the beginning of a list of integers [`Self::fast_answer`] needs: later
    /// ones that are not small are left out.
    #[inline]
    fn n_needed_ints(&self, op: OpId) -> usize {
        let _ = op;
        usize::MAX
    }

    /// Fast path for an operation on a list of `n` elements of any type, answered with the index of
    /// one of them; `None` as for [`Self::fast_answer`].
    #[inline]
    fn fast_choice(&mut self, op: OpId, n: usize) -> Option<usize> {
        let _ = (op, n);
        None
    }

    /// Fast path for an operation on a small integer and a value of any type that returns the value
    /// without inspecting it; `false` means that [`Self::perform`] is called instead.
    #[inline]
    fn fast_passthrough(&mut self, op: OpId, place: i64) -> bool {
        let _ = (op, place);
        false
    }

    /// Reports an operation that a stub inside the program answered.
    fn stub_answered(&mut self, call: &EffectCall<'_>, answer: &Value) {
        let _ = (call, answer);
    }

    /// Reports an `observe`, and decides whether a failed one ends the run.
    fn observe(&mut self, observation: &Observation<'_>) -> FailureAction {
        if observation.holds { FailureAction::Continue } else { FailureAction::Stop }
    }

    /// Whether passing observations are reported too. Otherwise compiled code only counts them, for
    /// [`Worker::n_unreported_observations`](crate::Worker::n_unreported_observations).
    #[inline]
    fn wants_passing_observations(&self) -> bool {
        true
    }

    /// Reports that an `assume` did not hold. By default the run ends as discarded.
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

    fn n_needed_ints(&self, op: OpId) -> usize {
        (**self).n_needed_ints(op)
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

/// An operation being performed.
#[derive(Debug, Copy, Clone)]
pub struct EffectCall<'a> {
    /// The operation.
    pub op: OpId,
    /// Its arguments.
    pub args: &'a [Value],
    /// Its type arguments, as written at the call.
    pub type_args: &'a [TyId],
    /// Where it is performed.
    pub site: Span,
    /// The function that performs it.
    pub function: FunctionId,
    /// The call depth of that function; the entry has depth 1.
    pub depth: u32,
    /// The enclosing `par` branches, outermost first.
    pub path: &'a [u32],
}

/// A host's answer.
#[derive(Debug, Clone)]
pub enum HostAnswer {
    /// This value.
    Value(Value),
    /// The result of this function value on these arguments: a stub, or a generator.
    Call(Value, Vec<Value>),
}

impl From<Value> for HostAnswer {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

/// Why a host does not answer. Each becomes a fault; `throws` catches none but
/// [`Self::OutOfRange`] and an error of a system that did nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// It has no answer for the operation.
    Unanswered,
    /// The outside world failed.
    Failed(String),
    /// The program requested something impossible, as a phrase: a failure of the program.
    OutOfRange(String),
    /// The system under test failed to perform the operation, as it says itself.
    SystemError(SystemError),
    /// The system under test ended while it performed the operation; how, as a phrase.
    SystemCrashed(String),
    /// The system under test could not be asked, as a phrase: nothing is known about it.
    AdapterFailed(String),
    /// The user stopped the run.
    Interrupted,
    /// The case is discarded, as after a failed `assume`.
    Discard,
}

impl Refusal {
    /// The fault that a refusal becomes.
    pub(crate) fn into_fault(self, op: OpId) -> FaultKind {
        match self {
            Self::Unanswered => FaultKind::Unanswered(op),
            Self::Failed(why) => FaultKind::HostFailed(why),
            Self::OutOfRange(what) => FaultKind::OutOfRange { what },
            Self::SystemError(error) => FaultKind::SystemError { op, error },
            Self::SystemCrashed(how) => FaultKind::SystemCrashed { op, how },
            Self::AdapterFailed(why) => FaultKind::AdapterFailed(why),
            Self::Interrupted => FaultKind::Interrupted,
            Self::Discard => FaultKind::Discarded,
        }
    }
}

/// How to continue after something that usually ends a run.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum FailureAction {
    /// Ignore it.
    Continue,
    /// End the run.
    Stop,
}

/// An evaluated `observe`.
#[derive(Debug, Copy, Clone)]
pub struct Observation<'a> {
    /// Whether the condition held.
    pub holds: bool,
    /// How much it constrains the value.
    pub strength: ObserveStrength,
    /// Where it is.
    pub site: Span,
    /// The function it is in.
    pub function: FunctionId,
    /// Both sides, if the condition is a comparison that does not hold.
    pub sides: Option<(&'a Value, &'a Value)>,
}

/// A host for programs without effects: it refuses every operation.
#[derive(Debug, Copy, Clone, Default)]
pub struct NoEffects;

impl Host for NoEffects {
    fn perform(&mut self, _: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        Err(Refusal::Unanswered)
    }
}

//! A wrapper that type-checks a host's answers before they enter the program.

use gainsay_core::OpId;
use gainsay_source::Span;

use crate::host::{EffectCall, FailureAction, Host, HostAnswer, Observation, Refusal};
use crate::value::Value;
use crate::value_check::ValueChecker;

/// A [`Host`] that lets only answers of the expected type through. Fast-path answers need no check:
/// an integer is accepted only where an integer is expected, and the other fast paths return part
/// of the operation's own arguments.
pub(crate) struct CheckedHost<'a, H: ?Sized> {
    pub(crate) checker: &'a mut ValueChecker,
    pub(crate) host: &'a mut H,
}

impl<H: Host + ?Sized> Host for CheckedHost<'_, H> {
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        let answer = self.host.perform(call)?;
        let fits = match &answer {
            HostAnswer::Value(value) => {
                self.checker.answer_conforms(call.op, call.type_args, value)
            }
            HostAnswer::Call(callee, args) => {
                self.checker.call_answer_conforms((call.op, call.type_args), callee, args)
            }
        };
        // Compiled code trusts types for memory safety, so a wrong answer must not get through.
        if fits { Ok(answer) } else { Err(Refusal::Failed(WRONG_ANSWER_TYPE.to_owned())) }
    }

    #[inline]
    fn fast_answer(&mut self, op: OpId, args: &[i64]) -> Option<i64> {
        self.host.fast_answer(op, args)
    }

    fn n_needed_ints(&self, op: OpId) -> usize {
        self.host.n_needed_ints(op)
    }

    #[inline]
    fn fast_choice(&mut self, op: OpId, n: usize) -> Option<usize> {
        self.host.fast_choice(op, n)
    }

    #[inline]
    fn fast_passthrough(&mut self, op: OpId, place: i64) -> bool {
        self.host.fast_passthrough(op, place)
    }

    fn stub_answered(&mut self, call: &EffectCall<'_>, answer: &Value) {
        self.host.stub_answered(call, answer);
    }

    fn observe(&mut self, observation: &Observation<'_>) -> FailureAction {
        self.host.observe(observation)
    }

    #[inline]
    fn wants_passing_observations(&self) -> bool {
        self.host.wants_passing_observations()
    }

    fn assume_failed(&mut self, site: Span) -> FailureAction {
        self.host.assume_failed(site)
    }
}

const WRONG_ANSWER_TYPE: &str = "the answer has the wrong type for the operation";

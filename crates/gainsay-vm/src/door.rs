//! The door: a host whose answers are looked at before they come in.

use gainsay_core::OpId;
use gainsay_source::Span;

use crate::host::{Answer, EffectCall, Host, Observation, Refusal, Verdict};
use crate::shape::Shapes;
use crate::value::Value;

/// A host that answers only with what is of the type that is due. What is answered quickly is:
/// an integer where nothing else is asked for, and elsewhere a part of what was asked about.
pub(crate) struct Door<'a, H: ?Sized> {
    pub(crate) shapes: &'a mut Shapes,
    pub(crate) host: &'a mut H,
}

impl<H: Host + ?Sized> Host for Door<'_, H> {
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<Answer, Refusal> {
        let answer = self.host.perform(call)?;
        let fits = match &answer {
            Answer::Value(value) => self.shapes.is_answer(call.op, call.type_args, value),
            Answer::Call(callee, args) => {
                self.shapes.is_answered_by((call.op, call.type_args), callee, args)
            }
        };
        if fits { Ok(answer) } else { Err(Refusal::Failed(MISFIT.to_owned())) }
    }

    #[inline]
    fn quick(&mut self, op: OpId, args: &[i64]) -> Option<i64> {
        self.host.quick(op, args)
    }

    #[inline]
    fn choose(&mut self, op: OpId, n: usize) -> Option<usize> {
        self.host.choose(op, n)
    }

    #[inline]
    fn lets_pass(&mut self, op: OpId, place: i64) -> bool {
        self.host.lets_pass(op, place)
    }

    fn answered(&mut self, call: &EffectCall<'_>, answer: &Value) {
        self.host.answered(call, answer);
    }

    fn observe(&mut self, observation: &Observation<'_>) -> Verdict {
        self.host.observe(observation)
    }

    #[inline]
    fn hears_what_holds(&self) -> bool {
        self.host.hears_what_holds()
    }

    fn assume_failed(&mut self, site: Span) -> Verdict {
        self.host.assume_failed(site)
    }
}

const MISFIT: &str = "the answer is of another type than the operation";

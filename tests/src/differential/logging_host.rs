//! The host of a test program: answers with prepared values, chosen by its own random stream, and
//! logs every event.

use gainsay_core::{FunctionId, ObserveStrength, OpId, TyId};
use gainsay_source::Span;
use gainsay_vm::{EffectCall, FailureAction, Host, HostAnswer, Observation, Refusal, Value};

use super::random_choices::RandomChoices;
use super::test_program::HostAnswers;
use super::value_equality::{all_identical, identical};

/// The host of one call.
pub(super) struct LoggingHost<'a> {
    answers: &'a [HostAnswers],
    chance: RandomChoices,
    /// The percentage of operations that are refused.
    refusals: u64,
    pub(super) log: Vec<LoggedHostEvent>,
}

/// An event at the host.
#[derive(Debug)]
pub(super) enum LoggedHostEvent {
    /// An operation, and the answer of a stub if there was one.
    Effect {
        op: OpId,
        args: Vec<Value>,
        type_args: Box<[TyId]>,
        site: Span,
        function: FunctionId,
        depth: u32,
        path: Box<[u32]>,
        answer: Option<Value>,
    },
    /// An observation.
    Observed {
        holds: bool,
        strength: ObserveStrength,
        site: Span,
        function: FunctionId,
        sides: Option<Box<[Value; 2]>>,
    },
    /// An `assume` that did not hold.
    Assumed(Span),
}

impl<'a> LoggingHost<'a> {
    pub(super) fn new(answers: &'a [HostAnswers], seed: u64) -> Self {
        let mut chance = RandomChoices::new(seed);
        let refusals = if chance.percent(20) { 20 } else { 0 };
        Self { answers, chance, refusals, log: Vec::new() }
    }

    fn log_effect(&mut self, call: &EffectCall<'_>, answer: Option<&Value>) {
        self.log.push(LoggedHostEvent::Effect {
            op: call.op,
            args: call.args.to_vec(),
            type_args: call.type_args.into(),
            site: call.site,
            function: call.function,
            depth: call.depth,
            path: call.path.into(),
            answer: answer.cloned(),
        });
    }

    fn refusal(&mut self) -> Refusal {
        match self.chance.below(5) {
            0 => Refusal::Unanswered,
            1 => Refusal::Failed("the line is dead".to_owned()),
            2 => Refusal::OutOfRange("the question is too long".to_owned()),
            3 => Refusal::Interrupted,
            _ => Refusal::Discard,
        }
    }
}

impl Host for LoggingHost<'_> {
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        self.log_effect(call, None);
        if self.chance.percent(self.refusals) {
            return Err(self.refusal());
        }
        let is_same = |it: &&HostAnswers| it.op == call.op && *it.type_args == *call.type_args;
        let answers = self.answers.iter().find(is_same).ok_or(Refusal::Unanswered)?;
        let at =
            self.chance.below((answers.values.len() + answers.calls.len()) as u64) as usize;
        Ok(match answers.values.get(at) {
            Some(value) => HostAnswer::Value(value.clone()),
            None => {
                let (callee, args) = &answers.calls[at - answers.values.len()];
                HostAnswer::Call(callee.clone(), args.clone())
            }
        })
    }

    fn stub_answered(&mut self, call: &EffectCall<'_>, answer: &Value) {
        self.log_effect(call, Some(answer));
    }

    fn observe(&mut self, observation: &Observation<'_>) -> FailureAction {
        self.log.push(LoggedHostEvent::Observed {
            holds: observation.holds,
            strength: observation.strength,
            site: observation.site,
            function: observation.function,
            sides: observation.sides.map(|(a, b)| Box::new([a.clone(), b.clone()])),
        });
        if observation.holds || self.chance.percent(75) {
            FailureAction::Continue
        } else {
            FailureAction::Stop
        }
    }

    fn assume_failed(&mut self, site: Span) -> FailureAction {
        self.log.push(LoggedHostEvent::Assumed(site));
        if self.chance.percent(75) { FailureAction::Continue } else { FailureAction::Stop }
    }
}

impl PartialEq for LoggedHostEvent {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Effect { op, args, type_args, site, function, depth, path, answer },
                Self::Effect {
                    op: b_op,
                    args: b_args,
                    type_args: b_type_args,
                    site: b_site,
                    function: b_function,
                    depth: b_depth,
                    path: b_path,
                    answer: b_answer,
                },
            ) => {
                (op, type_args, site, function) == (b_op, b_type_args, b_site, b_function)
                    && (depth, path) == (b_depth, b_path)
                    && all_identical(args, b_args)
                    && all_identical(answer.as_slice(), b_answer.as_slice())
            }
            (
                Self::Observed { holds, strength, site, function, sides },
                Self::Observed {
                    holds: b_holds,
                    strength: b_strength,
                    site: b_site,
                    function: b_function,
                    sides: b_sides,
                },
            ) => {
                (holds, strength, site, function) == (b_holds, b_strength, b_site, b_function)
                    && match (sides, b_sides) {
                        (Some(a), Some(b)) => {
                            identical(&a[0], &b[0]) && identical(&a[1], &b[1])
                        }
                        (None, None) => true,
                        (Some(_), None) | (None, Some(_)) => false,
                    }
            }
            (Self::Assumed(site), Self::Assumed(b_site)) => site == b_site,
            (Self::Effect { .. } | Self::Observed { .. } | Self::Assumed(_), _) => false,
        }
    }
}

//! The host of a trial: answers from prepared values by a stream of its own, and takes down
//! everything it hears.

use gainsay_core::{FunctionId, OpId, Strength, TyId};
use gainsay_source::Span;
use gainsay_vm::{Answer, EffectCall, Host, Observation, Refusal, Value, Verdict};

use super::alike::{alike, all_alike};
use super::chance::Chance;
use super::trial::Answers;

/// The host of one call.
pub(super) struct Oracle<'a> {
    answers: &'a [Answers],
    chance: Chance,
    /// How many operations in a hundred are refused.
    refusals: u64,
    pub(super) log: Vec<Entry>,
}

/// Something the host heard.
#[derive(Debug)]
pub(super) enum Entry {
    /// An operation, and what a stub answered if one did.
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
        strength: Strength,
        site: Span,
        function: FunctionId,
        sides: Option<Box<[Value; 2]>>,
    },
    /// An `assume` that did not hold.
    Assumed(Span),
}

impl<'a> Oracle<'a> {
    pub(super) fn new(answers: &'a [Answers], seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let refusals = if chance.percent(20) { 20 } else { 0 };
        Self { answers, chance, refusals, log: Vec::new() }
    }

    fn hear(&mut self, call: &EffectCall<'_>, answer: Option<&Value>) {
        self.log.push(Entry::Effect {
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

impl Host for Oracle<'_> {
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<Answer, Refusal> {
        self.hear(call, None);
        if self.chance.percent(self.refusals) {
            return Err(self.refusal());
        }
        let known = |it: &&Answers| it.op == call.op && *it.type_args == *call.type_args;
        let answers = self.answers.iter().find(known).ok_or(Refusal::Unanswered)?;
        let at =
            self.chance.below((answers.values.len() + answers.calls.len()) as u64) as usize;
        Ok(match answers.values.get(at) {
            Some(value) => Answer::Value(value.clone()),
            None => {
                let (callee, args) = &answers.calls[at - answers.values.len()];
                Answer::Call(callee.clone(), args.clone())
            }
        })
    }

    fn answered(&mut self, call: &EffectCall<'_>, answer: &Value) {
        self.hear(call, Some(answer));
    }

    fn observe(&mut self, observation: &Observation<'_>) -> Verdict {
        self.log.push(Entry::Observed {
            holds: observation.holds,
            strength: observation.strength,
            site: observation.site,
            function: observation.function,
            sides: observation.sides.map(|(a, b)| Box::new([a.clone(), b.clone()])),
        });
        if observation.holds || self.chance.percent(75) {
            Verdict::Continue
        } else {
            Verdict::Stop
        }
    }

    fn assume_failed(&mut self, site: Span) -> Verdict {
        self.log.push(Entry::Assumed(site));
        if self.chance.percent(75) { Verdict::Continue } else { Verdict::Stop }
    }
}

impl PartialEq for Entry {
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
                    && all_alike(args, b_args)
                    && all_alike(answer.as_slice(), b_answer.as_slice())
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
                        (Some(a), Some(b)) => alike(&a[0], &b[0]) && alike(&a[1], &b[1]),
                        (None, None) => true,
                        (Some(_), None) | (None, Some(_)) => false,
                    }
            }
            (Self::Assumed(site), Self::Assumed(b_site)) => site == b_site,
            (Self::Effect { .. } | Self::Observed { .. } | Self::Assumed(_), _) => false,
        }
    }
}

//! A world that is a recording: it answers as the real one did, and hears what is different.

use std::collections::BTreeMap;
use std::sync::Arc;

use gainsay::core::{OpId, Program};
use gainsay::source::Span;
use gainsay::test::value_of;
use gainsay::vm::{Answer, EffectCall, Host, Refusal, Value};

use super::{Coordinates, Counter, Effect, End, Outcome, Recording, shown_args};
use crate::output::{self, Lost};

/// Answers from a recording. What the program says on the console is said again; nothing else
/// happens.
pub(crate) struct Player {
    program: Arc<Program>,
    effects: BTreeMap<Coordinates, (usize, Effect)>,
    n_effects: usize,
    ended: End,
    counter: Counter,
    divergence: Option<(Divergence, Option<Span>)>,
    lost: Option<Lost>,
}

/// What a run does otherwise than the recorded one did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Divergence {
    /// It performs what is not recorded.
    Unrecorded {
        /// Which effect it is.
        at: Coordinates,
        /// With which arguments.
        args: Vec<String>,
    },
    /// It performs an effect with other arguments.
    Arguments {
        /// Which effect it is.
        at: Coordinates,
        /// The arguments now.
        now: Vec<String>,
        /// The recorded ones.
        recorded: Vec<String>,
    },
    /// The recorded answer is none for this program.
    Unreadable {
        /// Which effect it is.
        at: Coordinates,
        /// The recorded answer.
        answer: String,
        /// What is wrong with it.
        why: String,
    },
    /// It ends without performing what is recorded.
    Missing {
        /// The first effect that is missing.
        effect: Box<Effect>,
        /// How many more are.
        n_others: usize,
    },
    /// It ends otherwise.
    End {
        /// How it ends now.
        now: End,
        /// How it ended.
        recorded: End,
    },
}

impl Player {
    /// Plays a recording.
    pub(crate) fn new(program: Arc<Program>, recording: Recording) -> Self {
        let n_effects = recording.effects.len();
        let effects = recording.effects.into_iter().enumerate();
        let effects = effects.map(|(position, it)| (it.at.clone(), (position, it)));
        Self {
            program,
            effects: effects.collect(),
            n_effects,
            ended: recording.ended,
            counter: Counter::default(),
            divergence: None,
            lost: None,
        }
    }

    /// How many effects are recorded.
    pub(crate) fn n_effects(&self) -> usize {
        self.n_effects
    }

    /// How the recorded run ended.
    pub(crate) fn ended(&self) -> &End {
        &self.ended
    }

    /// Why the output is not taken any more, if the run had to be stopped because of it.
    pub(crate) fn lost(&self) -> Option<&Lost> {
        self.lost.as_ref()
    }

    /// The first thing that is different, and where; asked when the run has ended.
    pub(crate) fn diverged(&self, now: &End) -> Option<(Divergence, Option<Span>)> {
        if self.divergence.is_some() {
            return self.divergence.clone();
        }
        let other_end = || Divergence::End { now: now.clone(), recorded: self.ended.clone() };
        let ends_alike = *now == self.ended || self.ended.is_early();
        let fails = matches!(now, End::Fault(_) | End::Limit(_));
        if fails && !ends_alike {
            return Some((other_end(), None));
        }
        let first = self.effects.values().min_by_key(|(position, _)| *position);
        if let Some((_, effect)) = first {
            let n_others = self.effects.len() - 1;
            return Some((
                Divergence::Missing { effect: Box::new(effect.clone()), n_others },
                None,
            ));
        }
        (!ends_alike).then(|| (other_end(), None))
    }

    fn answer(&mut self, call: &EffectCall<'_>) -> Result<Result<Answer, Refusal>, Divergence> {
        let at = self.counter.next(&self.program, call);
        let now = shown_args(&self.program, call);
        let Some((_, effect)) = self.effects.remove(&at) else {
            // Where the recorded run was stopped, this one goes no further.
            if self.effects.is_empty() && self.ended.is_early() {
                return Ok(Err(Refusal::Interrupted));
            }
            return Err(Divergence::Unrecorded { at, args: now });
        };
        if effect.args != now {
            return Err(Divergence::Arguments { at, now, recorded: effect.args });
        }
        Ok(match effect.outcome {
            Outcome::Answer(answer) => {
                let value = self.read(call.op, &answer);
                let value = value.map_err(|why| Divergence::Unreadable { at, answer, why })?;
                self.say(call).map(|()| value.into())
            }
            Outcome::Failed(why) => Err(Refusal::Failed(why)),
            Outcome::OutOfRange(what) => Err(Refusal::OutOfRange(what)),
            Outcome::Unanswered => Err(Refusal::Unanswered),
            Outcome::Interrupted => Err(Refusal::Interrupted),
        })
    }

    fn read(&self, op: OpId, answer: &str) -> Result<Value, String> {
        let ty = self.program.op(op).result;
        let datum = gainsay::read(&self.program, ty, answer).map_err(|why| why.to_string())?;
        value_of(&datum, &mut |_| None).ok_or_else(|| "it has a function in it".to_owned())
    }

    /// Says what the program says on the console.
    fn say(&mut self, call: &EffectCall<'_>) -> Result<(), Refusal> {
        let Some(text) = call.args.first().and_then(Value::as_str) else { return Ok(()) };
        let said = match &*self.program.op_name(call.op) {
            "Console.print" => output::write_line(text),
            "Console.error" | "Console.warn" => {
                output::talk(&format!("{text}\n"));
                Ok(())
            }
            _ => Ok(()),
        };
        said.map_err(|lost| {
            self.lost = Some(lost);
            Refusal::Interrupted
        })
    }
}

impl Host for Player {
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<Answer, Refusal> {
        self.answer(call).unwrap_or_else(|divergence| {
            self.divergence.get_or_insert((divergence, Some(call.site)));
            Err(Refusal::Interrupted)
        })
    }
}

//! A host that answers from a recording, and detects divergences.

use std::collections::BTreeMap;
use std::sync::Arc;

use gainsay::core::{OpId, Program};
use gainsay::source::Span;
use gainsay::test::datum_to_value;
use gainsay::vm::{EffectCall, Host, HostAnswer, Refusal, Value};

use super::{
    EffectCoordinates, EffectCounter, RecordedEffect, RecordedEnd, RecordedOutcome,
    RunRecording, shown_args,
};
use crate::output::{self, OutputError};

/// Answers from a recording. Console output is repeated; there are no other effects.
pub(crate) struct RecordingPlayer {
    program: Arc<Program>,
    effects: BTreeMap<EffectCoordinates, (usize, RecordedEffect)>,
    n_effects: usize,
    recorded_end: RecordedEnd,
    counter: EffectCounter,
    divergence: Option<(ReplayDivergence, Option<Span>)>,
    output_error: Option<OutputError>,
}

/// How a run diverges from the recorded one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ReplayDivergence {
    /// It performs an effect that is not recorded.
    Unrecorded {
        /// The effect.
        at: EffectCoordinates,
        /// Its arguments.
        args: Vec<String>,
    },
    /// It performs an effect with different arguments.
    Arguments {
        /// The effect.
        at: EffectCoordinates,
        /// The arguments now.
        now: Vec<String>,
        /// The recorded arguments.
        recorded: Vec<String>,
    },
    /// The recorded answer does not fit this program.
    Unreadable {
        /// The effect.
        at: EffectCoordinates,
        /// The recorded answer.
        answer: String,
        /// Why it does not fit.
        why: String,
    },
    /// It ends without performing a recorded effect.
    Missing {
        /// The first missing effect.
        effect: Box<RecordedEffect>,
        /// The number of other missing effects.
        n_others: usize,
    },
    /// It ends differently.
    End {
        /// How it ends now.
        now: RecordedEnd,
        /// How it ended.
        recorded: RecordedEnd,
    },
}

impl RecordingPlayer {
    /// A player for a recording.
    pub(crate) fn new(program: Arc<Program>, recording: RunRecording) -> Self {
        let n_effects = recording.effects.len();
        let effects = recording.effects.into_iter().enumerate();
        let effects = effects.map(|(position, it)| (it.at.clone(), (position, it)));
        Self {
            program,
            effects: effects.collect(),
            n_effects,
            recorded_end: recording.ended,
            counter: EffectCounter::default(),
            divergence: None,
            output_error: None,
        }
    }

    /// The number of recorded effects.
    pub(crate) fn n_effects(&self) -> usize {
        self.n_effects
    }

    /// How the recorded run ended.
    pub(crate) fn recorded_end(&self) -> &RecordedEnd {
        &self.recorded_end
    }

    /// Why stdout failed, if the run had to be stopped because of it.
    pub(crate) fn output_error(&self) -> Option<&OutputError> {
        self.output_error.as_ref()
    }

    /// The first divergence, once the run has ended.
    pub(crate) fn first_divergence(
        &self,
        now: &RecordedEnd,
    ) -> Option<(ReplayDivergence, Option<Span>)> {
        if self.divergence.is_some() {
            return self.divergence.clone();
        }
        let other_end =
            || ReplayDivergence::End { now: now.clone(), recorded: self.recorded_end.clone() };
        // A run that was cut short says nothing about how it would have ended.
        let ends_alike = *now == self.recorded_end || self.recorded_end.is_cut_short();
        let fails = matches!(now, RecordedEnd::Fault(_) | RecordedEnd::Limit(_));
        // A new fault explains why effects are missing, so it is reported instead of them.
        if fails && !ends_alike {
            return Some((other_end(), None));
        }
        // The map is sorted by coordinates; the recorded position tells which one came first.
        let first = self.effects.values().min_by_key(|(position, _)| *position);
        if let Some((_, effect)) = first {
            let n_others = self.effects.len() - 1;
            return Some((
                ReplayDivergence::Missing { effect: Box::new(effect.clone()), n_others },
                None,
            ));
        }
        (!ends_alike).then(|| (other_end(), None))
    }

    fn answer(
        &mut self,
        call: &EffectCall<'_>,
    ) -> Result<Result<HostAnswer, Refusal>, ReplayDivergence> {
        let at = self.counter.next(&self.program, call);
        let now = shown_args(&self.program, call);
        // Removed, so that what is left at the end is what the program did not perform.
        let Some((_, effect)) = self.effects.remove(&at) else {
            // The replay stops where the recorded run was stopped.
            if self.effects.is_empty() && self.recorded_end.is_cut_short() {
                return Ok(Err(Refusal::Interrupted));
            }
            return Err(ReplayDivergence::Unrecorded { at, args: now });
        };
        if effect.args != now {
            return Err(ReplayDivergence::Arguments { at, now, recorded: effect.args });
        }
        Ok(match effect.outcome {
            RecordedOutcome::Answer(answer) => {
                let value = self.read_answer(call.op, &answer);
                let value =
                    value.map_err(|why| ReplayDivergence::Unreadable { at, answer, why })?;
                self.echo_console(call).map(|()| value.into())
            }
            RecordedOutcome::Failed(why) => Err(Refusal::Failed(why)),
            RecordedOutcome::OutOfRange(what) => Err(Refusal::OutOfRange(what)),
            RecordedOutcome::Unanswered => Err(Refusal::Unanswered),
            RecordedOutcome::Interrupted => Err(Refusal::Interrupted),
        })
    }

    fn read_answer(&self, op: OpId, answer: &str) -> Result<Value, String> {
        let ty = self.program.op(op).result;
        let datum =
            gainsay::parse_value(&self.program, ty, answer).map_err(|why| why.to_string())?;
        datum_to_value(&datum, &mut |_| None).ok_or_else(|| "it contains a function".to_owned())
    }

    /// Repeats the console output of the program.
    fn echo_console(&mut self, call: &EffectCall<'_>) -> Result<(), Refusal> {
        let Some(text) = call.args.first().and_then(Value::as_str) else { return Ok(()) };
        let played = match &*self.program.op_name(call.op) {
            "Console.print" => output::write_line(text),
            "Console.error" | "Console.warn" => {
                output::write_stderr(&format!("{text}\n"));
                Ok(())
            }
            _ => Ok(()),
        };
        played.map_err(|lost| {
            self.output_error = Some(lost);
            Refusal::Interrupted
        })
    }
}

impl Host for RecordingPlayer {
    fn perform(&mut self, call: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        self.answer(call).unwrap_or_else(|divergence| {
            // Only the first divergence counts: everything after it may be a consequence.
            self.divergence.get_or_insert((divergence, Some(call.site)));
            Err(Refusal::Interrupted)
        })
    }
}

//! The log of a call: what came from outside, so that the same case can be run again by the
//! interpreter, which tells where a fault came from in full.

use std::collections::VecDeque;

use gainsay_source::Span;

use crate::fault::FaultKind;
use crate::host::{EffectCall, FailureAction, Host, HostAnswer, Observation, Refusal};
use crate::value::Value;

/// Something that came from outside.
#[derive(Debug, Clone)]
pub(crate) enum HostEvent {
    /// What the host answered.
    Answer(Result<HostAnswer, Refusal>),
    /// How it went on after an observation or assumption that did not hold.
    FailureAction(FailureAction),
}

impl HostEvent {
    /// Whether both are the same refusal.
    fn is_same_refusal(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Answer(Err(a)), Self::Answer(Err(b))) => a == b,
            (Self::Answer(_) | Self::FailureAction(_), _) => false,
        }
    }
}

/// How much is kept: after more than this, a fault is told without the calls around it.
const MAX_EVENTS: usize = 1 << 20;

/// What came from outside, in order.
#[derive(Debug, Default)]
pub(crate) struct HostLog {
    /// Integers that were answered quickly.
    fast_answers: Vec<i64>,
    /// Everything else, each with how many of `quick` came before it.
    events: Vec<(usize, HostEvent)>,
    is_truncated: bool,
    /// Whether there was an event, or the log is cut.
    is_touched: bool,
}

impl HostLog {
    pub(crate) fn clear(&mut self) {
        self.fast_answers.clear();
        self.events.clear();
        self.is_truncated = false;
        self.is_touched = false;
    }

    /// Forgets the integers that were answered quickly.
    #[inline(always)]
    pub(crate) fn clear_fast_answers(&mut self) {
        self.fast_answers.clear();
    }

    /// Whether anything else is to be forgotten.
    #[inline(always)]
    pub(crate) fn is_touched(&self) -> bool {
        self.is_touched
    }

    /// Notes an integer that was answered quickly.
    #[inline(always)]
    pub(crate) fn push_fast_answer(&mut self, int: i64) {
        if self.fast_answers.len() < self.fast_answers.capacity() {
            self.fast_answers.push(int);
        } else {
            self.push_growing(int);
        }
    }

    #[cold]
    #[inline(never)]
    fn push_growing(&mut self, int: i64) {
        if self.fast_answers.len() < MAX_EVENTS {
            let more = self.fast_answers.len().clamp(64, MAX_EVENTS - self.fast_answers.len());
            self.fast_answers.reserve_exact(more);
            self.fast_answers.push(int);
        } else {
            self.is_truncated = true;
            self.is_touched = true;
        }
    }

    pub(crate) fn push(&mut self, event: HostEvent) {
        self.is_touched = true;
        if self.events.len() < MAX_EVENTS {
            self.events.push((self.fast_answers.len(), event));
        } else {
            self.is_truncated = true;
        }
    }

    /// A host that gives the same answers again; nothing when too much came from outside, or
    /// when the run was ended by something that is not in the log.
    pub(crate) fn replay(&mut self, kind: &FaultKind) -> Option<ReplayHost> {
        let refusal = HostEvent::Answer(Err(Refusal::Interrupted));
        let is_refused =
            self.events.last().is_some_and(|(_, last)| last.is_same_refusal(&refusal));
        if self.is_truncated || (*kind == FaultKind::Interrupted && !is_refused) {
            return None;
        }
        let quick = std::mem::take(&mut self.fast_answers).into();
        let events = std::mem::take(&mut self.events).into();
        Some(ReplayHost { fast_answers: quick, n_fast_answers: 0, events })
    }
}

/// A host that answers from a log.
pub(crate) struct ReplayHost {
    fast_answers: VecDeque<i64>,
    n_fast_answers: usize,
    events: VecDeque<(usize, HostEvent)>,
}

impl ReplayHost {
    /// The next event, unless quick answers come before it.
    fn next_event(&mut self) -> Option<HostEvent> {
        let (n_before, _) = self.events.front()?;
        if *n_before > self.n_fast_answers {
            return None;
        }
        self.events.pop_front().map(|(_, event)| event)
    }

    fn next_action(&mut self) -> FailureAction {
        match self.next_event() {
            Some(HostEvent::FailureAction(verdict)) => verdict,
            Some(HostEvent::Answer(_)) | None => FailureAction::Stop,
        }
    }
}

impl Host for ReplayHost {
    fn perform(&mut self, _: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        match self.next_event() {
            Some(HostEvent::Answer(answer)) => answer,
            Some(HostEvent::FailureAction(_)) => Err(Refusal::Unanswered),
            None => {
                self.n_fast_answers += 1;
                let int = self.fast_answers.pop_front().ok_or(Refusal::Unanswered)?;
                Ok(HostAnswer::Value(Value::Int(int)))
            }
        }
    }

    fn observe(&mut self, observation: &Observation<'_>) -> FailureAction {
        if observation.holds { FailureAction::Continue } else { self.next_action() }
    }

    fn assume_failed(&mut self, _: Span) -> FailureAction {
        self.next_action()
    }
}

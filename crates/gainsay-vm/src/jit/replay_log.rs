//! The log of a call's host interactions, with which the interpreter can replay a faulting case and
//! explain it fully.

use std::collections::VecDeque;

use gainsay_source::Span;

use crate::fault::FaultKind;
use crate::host::{EffectCall, FailureAction, Host, HostAnswer, Observation, Refusal};
use crate::value::Value;

/// An event from the host.
#[derive(Debug, Clone)]
pub(crate) enum HostEvent {
    /// An answer to an operation.
    Answer(Result<HostAnswer, Refusal>),
    /// The action after an observation or assumption that did not hold.
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

/// Maximum log length; beyond it, a fault is reported without the calls around it.
const MAX_EVENTS: usize = 1 << 20;

/// Host events, in order.
#[derive(Debug, Default)]
pub(crate) struct HostLog {
    /// Integers answered on the fast path.
    fast_answers: Vec<i64>,
    /// All other events, each with how many of `fast_answers` preceded it.
    events: Vec<(usize, HostEvent)>,
    is_truncated: bool,
    /// Whether there was an event, or the log is truncated.
    is_touched: bool,
}

impl HostLog {
    pub(crate) fn clear(&mut self) {
        self.fast_answers.clear();
        self.events.clear();
        self.is_truncated = false;
        self.is_touched = false;
    }

    /// Clears the fast-path answers.
    #[inline(always)]
    pub(crate) fn clear_fast_answers(&mut self) {
        self.fast_answers.clear();
    }

    /// Whether anything else must be cleared.
    #[inline(always)]
    pub(crate) fn is_touched(&self) -> bool {
        self.is_touched
    }

    /// Logs a fast-path answer.
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
            // Doubles, but never beyond `MAX_EVENTS`.
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
            // The number of fast answers so far fixes the order between the two logs.
            self.events.push((self.fast_answers.len(), event));
        } else {
            self.is_truncated = true;
        }
    }

    /// A host that replays the answers; `None` if the log is truncated, or if the run was ended by
    /// something that is not in the log.
    pub(crate) fn replay(&mut self, kind: &FaultKind) -> Option<ReplayHost> {
        let refusal = HostEvent::Answer(Err(Refusal::Interrupted));
        let is_refused =
            self.events.last().is_some_and(|(_, last)| last.is_same_refusal(&refusal));
        // An interrupt through the flag is not an event, and the replay would run on past it.
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
    /// The next event, unless fast-path answers precede it.
    fn next_event(&mut self) -> Option<HostEvent> {
        let (n_before, _) = self.events.front()?;
        // The replayed host has no fast path, so `perform` also consumes the fast answers.
        if *n_before > self.n_fast_answers {
            return None;
        }
        self.events.pop_front().map(|(_, event)| event)
    }

    fn next_action(&mut self) -> FailureAction {
        match self.next_event() {
            Some(HostEvent::FailureAction(verdict)) => verdict,
            // The log ends where the case ended: stopping is what happened.
            Some(HostEvent::Answer(_)) | None => FailureAction::Stop,
        }
    }
}

impl Host for ReplayHost {
    fn perform(&mut self, _: &EffectCall<'_>) -> Result<HostAnswer, Refusal> {
        match self.next_event() {
            Some(HostEvent::Answer(answer)) => answer,
            // Only if the engines disagree about the order of events; the replay must not go on
            // then.
            Some(HostEvent::FailureAction(_)) => Err(Refusal::Unanswered),
            None => {
                self.n_fast_answers += 1;
                let int = self.fast_answers.pop_front().ok_or(Refusal::Unanswered)?;
                Ok(HostAnswer::Value(Value::Int(int)))
            }
        }
    }

    fn observe(&mut self, observation: &Observation<'_>) -> FailureAction {
        // Passing observations are not in the log.
        if observation.holds { FailureAction::Continue } else { self.next_action() }
    }

    fn assume_failed(&mut self, _: Span) -> FailureAction {
        self.next_action()
    }
}

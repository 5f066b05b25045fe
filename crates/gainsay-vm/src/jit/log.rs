//! The log of a call: what came from outside, so that the same case can be run again by the
//! interpreter, which tells where a fault came from in full.

use std::collections::VecDeque;

use gainsay_source::Span;

use crate::fault::FaultKind;
use crate::host::{Answer, EffectCall, Host, Observation, Refusal, Verdict};
use crate::value::Value;

/// Something that came from outside.
#[derive(Debug, Clone)]
pub(crate) enum Event {
    /// What the host answered.
    Answer(Result<Answer, Refusal>),
    /// How it went on after an observation or assumption that did not hold.
    Verdict(Verdict),
}

impl Event {
    /// Whether both are the same refusal.
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Answer(Err(a)), Self::Answer(Err(b))) => a == b,
            (Self::Answer(_) | Self::Verdict(_), _) => false,
        }
    }
}

/// How much is kept: after more than this, a fault is told without the calls around it.
const MAX_EVENTS: usize = 1 << 20;

/// What came from outside, in order.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// Integers that were answered quickly.
    quick: Vec<i64>,
    /// Everything else, each with how many of `quick` came before it.
    events: Vec<(usize, Event)>,
    is_cut: bool,
    /// Whether there was an event, or the log is cut.
    is_touched: bool,
}

impl Log {
    pub(crate) fn clear(&mut self) {
        self.quick.clear();
        self.events.clear();
        self.is_cut = false;
        self.is_touched = false;
    }

    /// Forgets the integers that were answered quickly.
    #[inline(always)]
    pub(crate) fn forget_quick(&mut self) {
        self.quick.clear();
    }

    /// Whether anything else is to be forgotten.
    #[inline(always)]
    pub(crate) fn is_touched(&self) -> bool {
        self.is_touched
    }

    /// Notes an integer that was answered quickly.
    #[inline(always)]
    pub(crate) fn push_quick(&mut self, int: i64) {
        if self.quick.len() < self.quick.capacity() {
            self.quick.push(int);
        } else {
            self.push_with_room(int);
        }
    }

    #[cold]
    #[inline(never)]
    fn push_with_room(&mut self, int: i64) {
        if self.quick.len() < MAX_EVENTS {
            let more = self.quick.len().clamp(64, MAX_EVENTS - self.quick.len());
            self.quick.reserve_exact(more);
            self.quick.push(int);
        } else {
            self.is_cut = true;
            self.is_touched = true;
        }
    }

    pub(crate) fn push(&mut self, event: Event) {
        self.is_touched = true;
        if self.events.len() < MAX_EVENTS {
            self.events.push((self.quick.len(), event));
        } else {
            self.is_cut = true;
        }
    }

    /// A host that gives the same answers again; nothing when too much came from outside, or
    /// when the run was ended by something that is not in the log.
    pub(crate) fn replay(&mut self, kind: &FaultKind) -> Option<Replay> {
        let refusal = Event::Answer(Err(Refusal::Interrupted));
        let is_refused = self.events.last().is_some_and(|(_, last)| last.is_like(&refusal));
        if self.is_cut || (*kind == FaultKind::Interrupted && !is_refused) {
            return None;
        }
        let quick = std::mem::take(&mut self.quick).into();
        let events = std::mem::take(&mut self.events).into();
        Some(Replay { quick, n_quick: 0, events })
    }
}

/// A host that answers from a log.
pub(crate) struct Replay {
    quick: VecDeque<i64>,
    n_quick: usize,
    events: VecDeque<(usize, Event)>,
}

impl Replay {
    /// The next event, unless quick answers come before it.
    fn event(&mut self) -> Option<Event> {
        let (n_before, _) = self.events.front()?;
        if *n_before > self.n_quick {
            return None;
        }
        self.events.pop_front().map(|(_, event)| event)
    }

    fn verdict(&mut self) -> Verdict {
        match self.event() {
            Some(Event::Verdict(verdict)) => verdict,
            Some(Event::Answer(_)) | None => Verdict::Stop,
        }
    }
}

impl Host for Replay {
    fn perform(&mut self, _: &EffectCall<'_>) -> Result<Answer, Refusal> {
        match self.event() {
            Some(Event::Answer(answer)) => answer,
            Some(Event::Verdict(_)) => Err(Refusal::Unanswered),
            None => {
                self.n_quick += 1;
                let int = self.quick.pop_front().ok_or(Refusal::Unanswered)?;
                Ok(Answer::Value(Value::Int(int)))
            }
        }
    }

    fn observe(&mut self, observation: &Observation<'_>) -> Verdict {
        if observation.holds { Verdict::Continue } else { self.verdict() }
    }

    fn assume_failed(&mut self, _: Span) -> Verdict {
        self.verdict()
    }
}

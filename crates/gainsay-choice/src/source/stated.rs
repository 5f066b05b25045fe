//! Values that are found by a search and then stated: the choices that a generator would have made
//! to draw them.
//!
//! A search for a value draws as it likes, and takes back what it drew. What is recorded is the
//! value alone, in the order of its structure, so that shrinking works on the value and not on the
//! path of the search.

use super::{Checkpoint, Source, SourceMode};
use crate::case::{Choice, ChoiceFreedom};
use crate::kind::KindId;
use crate::span_label::SpanLabel;
use crate::value::ChoiceValue;

impl Source {
    /// Whether values come from a recording.
    pub fn is_replaying(&self) -> bool {
        matches!(self.mode, SourceMode::Replay | SourceMode::Guided)
    }

    /// Whether choices are recorded.
    pub fn is_recording(&self) -> bool {
        self.mode != SourceMode::Search
    }

    /// Draws without recording, as a search does; the random numbers stay consumed.
    pub fn unrecorded<T>(&mut self, draw: impl FnOnce(&mut Self) -> T) -> T {
        // In search mode nothing is recorded and no span is opened, whatever the caller's mode.
        let mode = std::mem::replace(&mut self.mode, SourceMode::Search);
        let drawn = draw(self);
        self.mode = mode;
        drawn
    }

    /// Takes back the choices since a checkpoint, which another value replaces. Unlike
    /// [`Source::rewind`] it is no failed attempt: random numbers, and the choices of a replay, stay
    /// consumed.
    pub fn amend(&mut self, mark: Checkpoint) {
        if self.mode == SourceMode::Search {
            return;
        }
        let n_back = (self.sequence.choices.len() as u32).saturating_sub(mark.n_choices);
        // The script goes on where it was, although fewer choices are recorded now.
        self.script_lead += i64::from(n_back);
        // After a stop there are no choices left, and must not be any again.
        if self.is_replaying() && self.stop_reason.is_none() {
            self.n_choices_left = self.n_choices_left.saturating_add(n_back);
        }
        self.sequence.choices.truncate(mark.n_choices as usize);
        self.sequence.spans.truncate(mark.n_spans as usize);
        self.sequence.bindings.truncate(mark.n_bindings as usize);
        self.open.truncate(mark.n_open as usize);
    }

    /// Records a choice of a value that was found.
    pub fn state_choice(&mut self, kind: KindId, value: ChoiceValue) {
        if self.mode == SourceMode::Search {
            return;
        }
        if self.is_replaying() {
            // Stated choices count like drawn ones: the limit of a candidate is the length of the
            // best case.
            if self.n_choices_left == 0 {
                self.stop_run(super::RunStopReason::Overrun);
                return;
            }
            self.n_choices_left -= 1;
        }
        // A stated choice is recorded without having been read from the script.
        self.script_lead -= 1;
        let class = self.kinds.class(kind);
        self.sequence.choices.push(Choice::new(kind, class, value, ChoiceFreedom::Free));
    }

    /// Opens a span of a value that was found.
    pub fn state_span(&mut self, label: SpanLabel) {
        if self.mode != SourceMode::Search {
            self.push_span(label, self.sequence.choices.len() as u32);
        }
    }

    /// Opens the span of an element of a value that was found; it includes the last choice.
    pub fn state_element(&mut self, label: SpanLabel) {
        self.open_at_last(label);
    }

    /// Closes the innermost span of a value that was found.
    pub fn end_stated_span(&mut self) {
        if let Some(span) = self.open.pop() {
            self.sequence.spans[span as usize].end = self.sequence.choices.len() as u32;
        }
    }

    /// The next choice of the script of a replay.
    pub(super) fn next_of_script(&self) -> Option<Choice> {
        let at = self.sequence.choices.len() as i64 + self.script_lead;
        self.replay_script.get(usize::try_from(at).ok()?).copied()
    }
}

//! Spans, which delimit the parts of a case, and backtracking.

use super::{Checkpoint, RunStopReason, RunStopped, Source, SourceMode};
use crate::case::{ChoiceSpan, SpanEnding};
use crate::span_label::SpanLabel;

impl Source {
    /// Opens a span: what is drawn until it is closed belongs to the part with that label.
    #[inline]
    pub fn open_span(&mut self, label: SpanLabel) {
        if self.mode != SourceMode::Search {
            self.open_recorded(label);
        }
    }

    /// Closes the innermost open span.
    #[inline]
    pub fn close_span(&mut self) {
        if self.mode != SourceMode::Search {
            self.close_recorded(SpanEnding::Accepted);
        }
    }

    /// Closes the innermost open span as a failed attempt.
    #[inline]
    pub fn discard_span(&mut self) {
        if self.mode != SourceMode::Search {
            self.close_recorded(SpanEnding::Discarded);
        }
    }

    /// The current state, to return to.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            n_choices: self.sequence.choices.len() as u32,
            n_spans: self.sequence.spans.len() as u32,
            n_open: self.open.len() as u32,
            n_bindings: self.sequence.bindings.len() as u32,
            n_parts: self.part_log.depth() as u32,
        }
    }

    /// Discards what was drawn since a checkpoint; the random numbers stay consumed. A replay does
    /// not search: it backtracks once, and stops at the second attempt.
    pub fn rewind(&mut self, mark: Checkpoint) -> Result<(), RunStopped> {
        // In every mode, and before the search returns: search and record must leave the same state
        // behind, or they would draw different values from here on.
        self.part_log.close_to(mark.n_parts as usize);
        self.reject();
        match self.mode {
            SourceMode::Search => return Ok(()),
            SourceMode::Record => {}
            // A recorded case contains only the successful attempt, so a replay that has to
            // backtrack twice has left the recorded path.
            SourceMode::Replay if self.n_rewinds == 0 => self.n_rewinds = 1,
            SourceMode::Replay | SourceMode::Guided => {
                return Err(self.stop_run(RunStopReason::DeadEnd));
            }
        }
        // The discarded choices no longer count toward the limit of a replay.
        if self.mode == SourceMode::Replay && self.stop_reason.is_none() {
            let n_back = (self.sequence.choices.len() as u32).saturating_sub(mark.n_choices);
            self.n_choices_left = self.n_choices_left.saturating_add(n_back);
        }
        self.sequence.choices.truncate(mark.n_choices as usize);
        self.sequence.spans.truncate(mark.n_spans as usize);
        self.sequence.bindings.truncate(mark.n_bindings as usize);
        self.open.truncate(mark.n_open as usize);
        Ok(())
    }

    fn open_recorded(&mut self, label: SpanLabel) {
        self.push_span(label, self.sequence.choices.len() as u32);
        if self.mode == SourceMode::Guided {
            self.guide.enter(label);
        }
    }

    /// Opens a span that begins with the last choice.
    pub(super) fn open_at_last(&mut self, label: SpanLabel) {
        if self.mode != SourceMode::Search {
            self.push_span(label, (self.sequence.choices.len() as u32).saturating_sub(1));
        }
    }

    pub(super) fn push_span(&mut self, label: SpanLabel, start: u32) {
        let parent = self.open.last().copied();
        self.open.push(self.sequence.spans.len() as u32);
        let ending = SpanEnding::Accepted;
        self.sequence.spans.push(ChoiceSpan { label, start, end: start, parent, ending });
    }

    fn close_recorded(&mut self, ending: SpanEnding) {
        let Some(span) = self.open.pop() else { return };
        let span = &mut self.sequence.spans[span as usize];
        span.end = self.sequence.choices.len() as u32;
        span.ending = ending;
        if self.mode == SourceMode::Guided {
            self.guide.leave();
        }
    }

    pub(super) fn close_all(&mut self) {
        while !self.open.is_empty() {
            self.close_recorded(SpanEnding::Accepted);
        }
    }
}

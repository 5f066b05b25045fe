//! Spans, and taking back.

use super::{Mark, Mode, Source, Stop, Stopped};
use crate::case::{Ending, Span};
use crate::label::Label;

impl Source {
    /// Opens a span: what is drawn until it is closed belongs to the part of that name.
    #[inline]
    pub fn open(&mut self, label: Label) {
        if self.mode != Mode::Search {
            self.open_recorded(label);
        }
    }

    /// Closes the innermost open span.
    #[inline]
    pub fn close(&mut self) {
        if self.mode != Mode::Search {
            self.close_recorded(Ending::Kept);
        }
    }

    /// Closes the innermost open span as an attempt that came to nothing.
    #[inline]
    pub fn discard(&mut self) {
        if self.mode != Mode::Search {
            self.close_recorded(Ending::Discarded);
        }
    }

    /// A place to return to.
    pub fn mark(&self) -> Mark {
        Mark {
            n_choices: self.trail.choices.len() as u32,
            n_spans: self.trail.spans.len() as u32,
            n_open: self.open.len() as u32,
            n_bindings: self.trail.bindings.len() as u32,
            n_parts: self.parts.depth() as u32,
        }
    }

    /// Takes back what was drawn since a mark; the random numbers are used up all the same. A
    /// replay does not search: it takes back once, and then it stops.
    pub fn rewind(&mut self, mark: Mark) -> Result<(), Stopped> {
        self.parts.close_to(mark.n_parts as usize);
        self.reject();
        match self.mode {
            Mode::Search => return Ok(()),
            Mode::Record => {}
            Mode::Replay if self.n_rewinds == 0 => self.n_rewinds = 1,
            Mode::Replay | Mode::Guided => return Err(self.halt(Stop::DeadEnd)),
        }
        if self.mode == Mode::Replay && self.stop.is_none() {
            let n_back = (self.trail.choices.len() as u32).saturating_sub(mark.n_choices);
            self.left = self.left.saturating_add(n_back);
        }
        self.trail.choices.truncate(mark.n_choices as usize);
        self.trail.spans.truncate(mark.n_spans as usize);
        self.trail.bindings.truncate(mark.n_bindings as usize);
        self.open.truncate(mark.n_open as usize);
        Ok(())
    }

    fn open_recorded(&mut self, label: Label) {
        self.push_span(label, self.trail.choices.len() as u32);
        if self.mode == Mode::Guided {
            self.guide.enter(label);
        }
    }

    /// Opens a span that begins with the choice made last.
    pub(super) fn open_at_last(&mut self, label: Label) {
        if self.mode != Mode::Search {
            self.push_span(label, (self.trail.choices.len() as u32).saturating_sub(1));
        }
    }

    fn push_span(&mut self, label: Label, start: u32) {
        let parent = self.open.last().copied();
        self.open.push(self.trail.spans.len() as u32);
        let ending = Ending::Kept;
        self.trail.spans.push(Span { label, start, end: start, parent, ending });
    }

    fn close_recorded(&mut self, ending: Ending) {
        let Some(span) = self.open.pop() else { return };
        let span = &mut self.trail.spans[span as usize];
        span.end = self.trail.choices.len() as u32;
        span.ending = ending;
        if self.mode == Mode::Guided {
            self.guide.leave();
        }
    }

    pub(super) fn close_all(&mut self) {
        while !self.open.is_empty() {
            self.close_recorded(Ending::Kept);
        }
    }
}

//! Draws that do not go by chance alone: those of an edge case, and those inside of parts that may
//! be copied. A search and a recording make them in the same way; a replay makes none.

use std::sync::Arc;

use num_traits::ToPrimitive as _;

use super::parts::Copied;
use super::{Mode, Part, Source};
use crate::edge_case::{EdgeCase, EdgeStep};
use crate::kind::{Class, KindId};
use crate::random::Seed;
use crate::value::Value;

/// The edge case that is being drawn.
#[derive(Debug, Default)]
pub(super) struct Following {
    case: Option<Arc<EdgeCase>>,
    /// How many of its steps are done.
    n_done: usize,
    /// Whether a text is being drawn, whose characters are nobody's business.
    is_in_text: bool,
}

impl Following {
    /// The next step, if there is one.
    fn step(&self) -> Option<&EdgeStep> {
        if self.is_in_text {
            return None;
        }
        self.case.as_ref()?.steps.get(self.n_done)
    }

    #[inline]
    pub(super) fn end(&mut self) {
        if self.case.is_some() {
            self.case = None;
        }
        self.is_in_text = false;
    }
}

impl Source {
    /// Begins a case of a search in which an edge comes up.
    pub fn search_edge(&mut self, seed: Seed, size: u32, edge: &Arc<EdgeCase>) {
        self.search(seed, size);
        self.follow(edge);
    }

    /// Begins the same case once more, with recording.
    pub fn record_edge(&mut self, seed: Seed, size: u32, edge: &Arc<EdgeCase>) {
        self.record(seed, size);
        self.follow(edge);
    }

    fn follow(&mut self, edge: &Arc<EdgeCase>) {
        self.pools.skip_turn();
        self.following =
            Following { case: Some(Arc::clone(edge)), n_done: 0, is_in_text: false };
        self.is_planned = true;
    }

    /// Tells that an input begins, by its number. Only needed where edge cases wait for it.
    pub fn input(&mut self, number: u32) {
        if let Some(EdgeStep::Input(wanted)) = self.following.step()
            && *wanted == number
        {
            self.following.n_done += 1;
        }
    }

    /// Begins a part, which may be a copy of an earlier one of its sort.
    pub fn begin_part(&mut self, part: Part) {
        if !self.goes_by_chance() {
            return;
        }
        let copies = self.bias.copies();
        if copies == 0 {
            return;
        }
        self.is_planned = true;
        let copies = if self.parts.can_copy(part) { copies } else { 0 };
        self.parts.open(part);
        if copies > 0 {
            let bits = self.random.next();
            if bits >> 56 < copies {
                self.parts.copy(part, bits);
            }
        }
    }

    /// Ends the part that was begun last.
    pub fn end_part(&mut self) {
        if self.goes_by_chance() && self.bias.copies() > 0 {
            self.parts.close();
            self.is_planned = self.parts.is_in_use() || self.following.step().is_some();
        }
    }

    #[inline]
    fn goes_by_chance(&self) -> bool {
        matches!(self.mode, Mode::Search | Mode::Record)
    }

    /// A value for a draw that does not go by chance alone.
    #[inline(never)]
    pub(super) fn choose_planned(&mut self, kind: KindId) -> Value {
        let class = self.kinds.class(kind);
        if self.following.case.is_none() && !self.parts.is_copying() {
            let value = self.sample(kind);
            self.log(class, value);
            return value;
        }
        let kinds = &self.kinds;
        let value = match self.parts.next(class, |it| kinds.permits(kind, it)) {
            Copied::Is(value) => value,
            Copied::Fresh => {
                let edge = self.edge_value(class);
                let edge = edge.filter(|it| self.kinds.permits(kind, *it));
                edge.unwrap_or_else(|| self.sample(kind))
            }
        };
        self.log(class, value);
        value
    }

    /// What is planned for a draw of a class, if it fits.
    pub(super) fn planned(
        &mut self,
        class: Class,
        fits: impl Fn(Value) -> bool,
    ) -> Option<Value> {
        match self.parts.next(class, &fits) {
            Copied::Is(value) => Some(value),
            Copied::Fresh => self.edge_value(class).filter(|it| fits(*it)),
        }
    }

    /// Takes down what was drawn, if parts may be copied.
    #[inline]
    pub(super) fn log(&mut self, class: Class, value: Value) {
        if self.parts.is_in_use() {
            self.parts.log(class, value);
        }
    }

    /// The value that the edge case has for a draw of a class.
    fn edge_value(&mut self, class: Class) -> Option<Value> {
        let value = match self.following.step()? {
            EdgeStep::Skip(of) if *of == class => None,
            EdgeStep::Take(of, value) if *of == class => Some(match value.to_i64() {
                Some(small) => Value::Small(small),
                None => {
                    let value = value.clone();
                    self.kinds.value(value)
                }
            }),
            EdgeStep::Skip(_) | EdgeStep::Take(..) | EdgeStep::Input(_) => return None,
            EdgeStep::SkipText | EdgeStep::Text(_) => return None,
        };
        self.following.n_done += 1;
        value
    }

    /// Tells that a text begins.
    pub(super) fn enter_text(&mut self) {
        self.following.is_in_text = true;
    }

    /// Tells that a text ends.
    pub(super) fn leave_text(&mut self) {
        self.following.is_in_text = false;
    }

    /// Whether what comes next is a copy of something earlier.
    pub(super) fn is_copying(&self) -> bool {
        self.parts.is_copying()
    }

    /// The text that the edge case has for the next one.
    pub(super) fn edge_text(&mut self) -> Option<Box<[char]>> {
        let text = match self.following.step()? {
            EdgeStep::SkipText => None,
            EdgeStep::Text(text) => Some(text.chars().collect()),
            EdgeStep::Skip(_) | EdgeStep::Take(..) | EdgeStep::Input(_) => return None,
        };
        self.following.n_done += 1;
        text
    }
}

//! Directed draws, which are not purely random: those of an edge case, and those inside parts that
//! may be copied. Search and record direct draws identically; a replay directs none.

use std::sync::Arc;

use num_traits::ToPrimitive as _;

use super::part_copies::CopyDecision;
use super::{PartSort, Source, SourceMode};
use crate::edge_case::{EdgeCase, EdgeStep};
use crate::kind::{ChoiceClass, KindId};
use crate::random::Seed;
use crate::value::ChoiceValue;

/// The edge case that is being drawn.
#[derive(Debug, Default)]
pub(super) struct EdgeCaseCursor {
    case: Option<Arc<EdgeCase>>,
    /// The number of completed steps.
    n_done: usize,
    /// Whether a string is being drawn; its characters are not steps of the edge case.
    is_in_text: bool,
}

impl EdgeCaseCursor {
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
    /// Starts a case of a search in which an edge case occurs.
    pub fn search_edge_case(&mut self, seed: Seed, size: u32, edge: &Arc<EdgeCase>) {
        self.search(seed, size);
        self.start_edge_case(edge);
    }

    /// Starts the same case again, with recording.
    pub fn record_edge_case(&mut self, seed: Seed, size: u32, edge: &Arc<EdgeCase>) {
        self.record(seed, size);
        self.start_edge_case(edge);
    }

    fn start_edge_case(&mut self, edge: &Arc<EdgeCase>) {
        self.pools.cancel_boundaries();
        self.edge_case =
            EdgeCaseCursor { case: Some(Arc::clone(edge)), n_done: 0, is_in_text: false };
        self.is_directed = true;
    }

    /// Reports that a numbered input begins. Needed only if edge cases await it.
    pub fn begin_input(&mut self, number: u32) {
        if let Some(EdgeStep::AwaitInput(wanted)) = self.edge_case.step()
            && *wanted == number
        {
            self.edge_case.n_done += 1;
        }
    }

    /// Begins a part, which may be a copy of an earlier one of its sort.
    pub fn begin_part(&mut self, part: PartSort) {
        if !self.is_generating() {
            return;
        }
        let copies = self.bias.copy_rate();
        if copies == 0 {
            return;
        }
        self.is_directed = true;
        // No copies inside a copy: the outer one decides about all draws.
        let copies = if self.part_log.can_copy(part) { copies } else { 0 };
        self.part_log.open(part);
        if copies > 0 {
            // One number decides all: whether to copy (the high bits), what, and with which change
            // (the low bits, in `PartLog::copy`).
            let bits = self.random.next();
            if bits >> 56 < copies {
                self.part_log.copy(part, bits);
            }
        }
    }

    /// Ends the part that was begun last.
    pub fn end_part(&mut self) {
        if self.is_generating() && self.bias.copy_rate() > 0 {
            self.part_log.close();
            // Back to the fast path as soon as nothing directs the draws any more.
            self.is_directed = self.part_log.is_in_use() || self.edge_case.step().is_some();
        }
    }

    #[inline]
    fn is_generating(&self) -> bool {
        matches!(self.mode, SourceMode::Search | SourceMode::Record)
    }

    /// The value of a directed draw. Out of line, to keep the sampling path small.
    #[inline(never)]
    pub(super) fn choose_directed(&mut self, kind: KindId) -> ChoiceValue {
        let class = self.kinds.class(kind);
        // The usual case in here: only the log is needed.
        if self.edge_case.case.is_none() && !self.part_log.is_copying() {
            let value = self.sample(kind);
            self.log(class, value);
            return value;
        }
        let kinds = &self.kinds;
        let value = match self.part_log.next(class, |it| kinds.permits(kind, it)) {
            CopyDecision::Value(value) => value,
            CopyDecision::Fresh => {
                let edge = self.edge_value(class);
                let edge = edge.filter(|it| self.kinds.permits(kind, *it));
                edge.unwrap_or_else(|| self.sample(kind))
            }
        };
        self.log(class, value);
        value
    }

    /// The directed value for a draw of a class, if it fits. A copy takes precedence over an edge
    /// case.
    pub(super) fn directed_value(
        &mut self,
        class: ChoiceClass,
        fits: impl Fn(ChoiceValue) -> bool,
    ) -> Option<ChoiceValue> {
        match self.part_log.next(class, &fits) {
            CopyDecision::Value(value) => Some(value),
            CopyDecision::Fresh => self.edge_value(class).filter(|it| fits(*it)),
        }
    }

    /// Logs a draw, if parts may be copied.
    #[inline]
    pub(super) fn log(&mut self, class: ChoiceClass, value: ChoiceValue) {
        if self.part_log.is_in_use() {
            self.part_log.log(class, value);
        }
    }

    /// The value that the edge case has for a draw of a class.
    fn edge_value(&mut self, class: ChoiceClass) -> Option<ChoiceValue> {
        let value = match self.edge_case.step()? {
            EdgeStep::Skip(of) if *of == class => None,
            EdgeStep::Take(of, value) if *of == class => Some(match value.to_i64() {
                Some(small) => ChoiceValue::Small(small),
                None => {
                    let value = value.clone();
                    self.kinds.intern_integer(value)
                }
            }),
            // A step for another class waits: the generator may draw something else first, and the
            // plan need not be exact.
            EdgeStep::Skip(_) | EdgeStep::Take(..) | EdgeStep::AwaitInput(_) => return None,
            EdgeStep::SkipText | EdgeStep::Text(_) => return None,
        };
        self.edge_case.n_done += 1;
        value
    }

    /// Marks the beginning of a string.
    pub(super) fn enter_text(&mut self) {
        self.edge_case.is_in_text = true;
    }

    /// Marks the end of a string.
    pub(super) fn leave_text(&mut self) {
        self.edge_case.is_in_text = false;
    }

    /// Whether the next draws are copies of earlier ones.
    pub(super) fn is_copying(&self) -> bool {
        self.part_log.is_copying()
    }

    /// The value that the edge case has for the next string.
    pub(super) fn edge_text(&mut self) -> Option<Box<[char]>> {
        let text = match self.edge_case.step()? {
            EdgeStep::SkipText => None,
            EdgeStep::Text(text) => Some(text.chars().collect()),
            EdgeStep::Skip(_) | EdgeStep::Take(..) | EdgeStep::AwaitInput(_) => return None,
        };
        self.edge_case.n_done += 1;
        text
    }
}

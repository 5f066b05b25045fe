//! Copies of parts: a whole record, list or subtree of the same case occurs again elsewhere,
//! sometimes with one change. Random draws seldom produce two equal parts, and bugs often need
//! them; Hypothesis copies spans of the same label for the same reason.
//!
//! A search records no choices, so draws are logged here while a copyable part is open. A copy
//! repeats the choices of its original one by one: it is recorded, replayed and shrunk like
//! anything else.

use crate::kind::ChoiceClass;
use crate::value::ChoiceValue;

/// A sort of interchangeable parts. Numbered from 0 without large gaps.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub struct PartSort(pub u32);

/// The most recent parts of a sort that are remembered.
const DEPTH: usize = 8;

/// Draws of a case that are logged, at most.
const MAX_LOG: usize = 1 << 14;

/// The parts of one case.
#[derive(Debug, Default)]
pub(super) struct PartLog {
    /// The current case; a ring with another epoch is empty.
    epoch: u32,
    rings: Vec<PartRing>,
    log: Vec<(ChoiceClass, ChoiceValue)>,
    /// The open parts, and where their choices begin.
    open: Vec<(PartSort, u32)>,
    copy: Option<CopyInProgress>,
}

/// The most recent parts of a sort, as ranges of the log.
#[derive(Debug, Clone, Default)]
struct PartRing {
    epoch: u32,
    n_remembered: u32,
    stretches: [(u32, u32); DEPTH],
}

/// A copy in progress.
#[derive(Debug, Copy, Clone)]
struct CopyInProgress {
    /// The next entry of the log to copy, and the end.
    next: u32,
    end: u32,
    /// The one choice that is drawn afresh.
    change: Option<u32>,
    /// The number of parts that were open before.
    depth: usize,
}

/// What a copy decides about a draw.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum CopyDecision {
    /// It has this value.
    Value(ChoiceValue),
    /// It is sampled.
    Fresh,
}

impl PartLog {
    /// Whether there is anything to clear.
    #[inline]
    pub(super) fn is_dirty(&self) -> bool {
        !self.log.is_empty() || !self.open.is_empty() || self.epoch == 0
    }

    /// Forgets all parts by starting a new epoch, in constant time.
    #[inline]
    pub(super) fn begin(&mut self) {
        self.log.clear();
        self.open.clear();
        self.copy = None;
        self.epoch = self.epoch.wrapping_add(1);
        // After a wrap-around, rings of old epochs would come back to life.
        if self.epoch == 0 {
            self.rings.clear();
            self.epoch = 1;
        }
    }

    /// Whether draws are logged or copied.
    pub(super) fn is_in_use(&self) -> bool {
        !self.open.is_empty()
    }

    /// The number of open parts.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Whether a part that begins now could be a copy.
    pub(super) fn can_copy(&self, part: PartSort) -> bool {
        self.copy.is_none() && self.ring(part).is_some()
    }

    fn ring(&self, part: PartSort) -> Option<&PartRing> {
        self.rings
            .get(part.0 as usize)
            .filter(|it| it.epoch == self.epoch && it.n_remembered > 0)
    }

    /// Opens a part.
    pub(super) fn open(&mut self, part: PartSort) {
        self.open.push((part, self.log.len() as u32));
    }

    /// Makes the last opened part a copy of an earlier one, selected by some bits.
    pub(super) fn copy(&mut self, part: PartSort, bits: u64) {
        let Some(ring) = self.ring(part) else { return };
        let n_kept = (ring.n_remembered as usize).min(DEPTH);
        let (start, end) = ring.stretches[((bits & 0xff) as usize * n_kept) >> 8];
        let length = u64::from(end - start);
        // A quarter of the copies differ in one choice: near-duplicates reveal other bugs than
        // equal parts.
        let changes = bits >> 8 & 3 == 0 && length > 0;
        let change = changes.then(|| start + (((bits >> 16 & 0xffff) * length) >> 16) as u32);
        // The copied part itself is open already; the copy ends when it is closed.
        let depth = self.open.len().saturating_sub(1);
        self.copy = Some(CopyInProgress { next: start, end, change, depth });
    }

    /// Closes the last opened part and remembers it.
    pub(super) fn close(&mut self) {
        let Some((part, start)) = self.open.pop() else { return };
        if self.copy.is_some_and(|it| it.depth >= self.open.len()) {
            self.copy = None;
        }
        let end = self.log.len() as u32;
        // An empty part is not worth copying, and one at the end of a full log may be cut off.
        if start == end || end as usize == MAX_LOG {
            return;
        }
        let at = part.0 as usize;
        if self.rings.len() <= at {
            self.rings.resize(at + 1, PartRing::default());
        }
        let ring = &mut self.rings[at];
        if ring.epoch != self.epoch {
            ring.epoch = self.epoch;
            ring.n_remembered = 0;
        }
        ring.stretches[ring.n_remembered as usize % DEPTH] = (start, end);
        ring.n_remembered = ring.n_remembered.wrapping_add(1);
    }

    /// Closes parts down to a depth, without remembering them.
    pub(super) fn close_to(&mut self, depth: usize) {
        // Not remembered: what a generator has taken back is no part of the case.
        self.open.truncate(depth);
        if self.copy.is_some_and(|it| it.depth >= depth) {
            self.copy = None;
        }
    }

    /// Whether a copy is in progress.
    pub(super) fn is_copying(&self) -> bool {
        self.copy.is_some()
    }

    /// What the copy in progress decides about a draw of a class. The copy ends where the shapes
    /// differ.
    pub(super) fn next(
        &mut self,
        class: ChoiceClass,
        fits: impl FnOnce(ChoiceValue) -> bool,
    ) -> CopyDecision {
        let Some(copy) = &mut self.copy else { return CopyDecision::Fresh };
        // Reads from the log while the copy is logged behind it: a copy can be copied again.
        let logged = (copy.next < copy.end).then(|| self.log[copy.next as usize]);
        match logged {
            Some((of, value)) if of == class => {
                let is_changed = copy.change == Some(copy.next);
                copy.next += 1;
                if !is_changed && fits(value) {
                    return CopyDecision::Value(value);
                }
            }
            // Another class, or nothing left: the copy has taken a different path than its
            // original, for instance because of the changed choice, and the rest would be
            // misaligned.
            Some(_) | None => self.copy = None,
        }
        CopyDecision::Fresh
    }

    /// Logs a draw.
    #[inline]
    pub(super) fn log(&mut self, class: ChoiceClass, value: ChoiceValue) {
        if self.log.len() < MAX_LOG {
            self.log.push((class, value));
        }
    }
}

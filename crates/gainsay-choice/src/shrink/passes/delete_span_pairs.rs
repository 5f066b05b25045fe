//! Deletes two disjoint spans: open and close, request and response.

use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::{Shrinker, TerminationReason};

/// More spans than this make too many pairs.
const MAX_SPANS: usize = 40;

/// Tries every pair of disjoint spans.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    let mut ranges: Vec<_> =
        base.spans.iter().map(|it| it.range()).filter(|it| !it.is_empty()).collect();
    // Nested spans may have equal ranges, and deleting either is the same.
    ranges.dedup();
    if ranges.len() > MAX_SPANS {
        return Ok(());
    }
    for (at, first) in ranges.iter().enumerate() {
        for second in ranges[at + 1..].iter().filter(|it| it.start >= first.end) {
            let patch = CandidatePatch::cut([first.clone(), second.clone()]);
            if shrinker.attempt_flat(&base, &patch, CandidateFilter::IfSimpler)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

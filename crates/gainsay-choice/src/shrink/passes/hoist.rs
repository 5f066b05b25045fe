//! Replaces a span by an inner span of the same label: a tree by a subtree.

use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::{Shrinker, TerminationReason};

/// The maximum number of inner spans that are tried in place of the outer one.
const MAX_INSIDE: usize = 12;

/// Tries the smallest inner span first, because it removes most.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let mut outer = 0;
    while outer < shrinker.best.spans.len() {
        // Stay here after a success: the new content may have an inner span of this label as well.
        if !hoist_into(shrinker, outer)? {
            outer += 1;
        }
    }
    Ok(())
}

fn hoist_into(shrinker: &mut Shrinker<'_>, outer: usize) -> Result<bool, TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    let span = base.spans[outer];
    let inside = (outer + 1..).zip(&base.spans[outer + 1..]);
    let mut inner: Vec<_> = inside
        // Spans are in the order of their starts, so those inside follow at once.
        .take_while(|(_, it)| it.start < span.end)
        .filter(|(_, it)| it.label == span.label && it.range().len() < span.range().len())
        .filter(|(_, it)| it.end > it.start)
        .map(|(at, it)| (at, it.range()))
        .collect();
    inner.sort_by_key(|(_, it)| it.len());
    let n_inner = inner.len();
    // Of many, only the smallest and the largest: leaves and direct children.
    let chosen = inner
        .into_iter()
        .enumerate()
        .filter(|(at, _)| *at < MAX_INSIDE / 2 || at + MAX_INSIDE / 2 >= n_inner);
    for (_, (inner, part)) in chosen {
        // The cuts are for the plain attempt; `hoisted` tells the retry by spans that the inner
        // span takes the place of the outer one.
        let around = [span.range().start..part.start, part.end..span.range().end];
        let patch =
            CandidatePatch { hoisted: Some((outer, inner)), ..CandidatePatch::cut(around) };
        if shrinker.attempt(&base, &patch, CandidateFilter::IfSimpler)? {
            return Ok(true);
        }
    }
    Ok(false)
}

//! Deletes discarded attempts, such as values that a filter rejected.

use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::{Shrinker, TerminationReason};
use crate::case::SpanEnding;

/// Tries all at once, and if that fails, each by itself.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    let discarded = base.spans.iter().filter(|it| it.ending == SpanEnding::Discarded);
    let cuts: Vec<_> = discarded.map(|it| it.range()).filter(|it| !it.is_empty()).collect();
    if cuts.is_empty()
        || shrinker.attempt_flat(
            &base,
            &CandidatePatch::cut(cuts.iter().cloned()),
            CandidateFilter::IfSimpler,
        )?
    {
        return Ok(());
    }
    for cut in cuts.into_iter().rev() {
        // The remaining cuts refer to this base; after an adoption they wait for the next round.
        if shrinker.attempt_flat(
            &base,
            &CandidatePatch::without(cut),
            CandidateFilter::IfSimpler,
        )? {
            break;
        }
    }
    Ok(())
}

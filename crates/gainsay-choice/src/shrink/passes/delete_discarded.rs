//! Leaves out attempts that came to nothing.

use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::{Shrinker, TerminationReason};
use crate::case::SpanEnding;

/// All at once, and if that fails each by itself.
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
        // Relative to the same base: one that is adopted spoils the others, until the next round.
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

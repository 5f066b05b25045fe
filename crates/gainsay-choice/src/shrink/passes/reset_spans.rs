//! Resets the content of a span to the simplest that its generator draws.

use std::rc::Rc;

use super::super::attempt::CandidatePatch;
use super::super::{Shrinker, TerminationReason};

/// Outer spans first: one run may reset what would take one run for each inner span.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let mut at = 0;
    while at < shrinker.best.spans.len() {
        let base = Rc::clone(&shrinker.best);
        let has_more = base.spans[at].range().any(|it| !shrinker.is_trivial(&base, it));
        if has_more {
            // By spans, because the simplest content may have fewer choices than the old one.
            shrinker.attempt_by_spans(&base, &CandidatePatch::default(), Some(at))?;
        }
        at += 1;
    }
    Ok(())
}

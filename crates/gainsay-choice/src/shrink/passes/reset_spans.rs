//! Replaces what a span holds by the simplest that its generator makes.

use std::rc::Rc;

use super::super::attempt::CandidatePatch;
use super::super::{Shrinker, TerminationReason};

/// Outer spans first: what one run can do for all is not done for each.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let mut at = 0;
    while at < shrinker.best.spans.len() {
        let base = Rc::clone(&shrinker.best);
        let has_more = base.spans[at].range().any(|it| !shrinker.is_trivial(&base, it));
        if has_more {
            shrinker.attempt_by_spans(&base, &CandidatePatch::default(), Some(at))?;
        }
        at += 1;
    }
    Ok(())
}

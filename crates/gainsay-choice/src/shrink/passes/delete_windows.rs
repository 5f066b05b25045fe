//! Deletes up to five consecutive choices regardless of spans: for structure that spans do not
//! show.

use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::integer_search::find_integer;
use super::super::{Shrinker, TerminationReason};

/// Longer cases are left to passes that know their structure.
const MAX_CHOICES: usize = 200;

/// Works from the back, and repeats a deletion that succeeds as often as possible.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    for width in (1..=5).rev() {
        let mut end = shrinker.best.choices.len();
        while end >= width && shrinker.best.choices.len() <= MAX_CHOICES {
            let base = Rc::clone(&shrinker.best);
            end = end.min(base.choices.len());
            let n_gone = find_integer(|k| match end.checked_sub(k * width) {
                Some(start) => {
                    let patch = CandidatePatch::without(start..end);
                    shrinker.attempt_flat(&base, &patch, CandidateFilter::IfSimpler)
                }
                None => Ok(false),
            })?;
            // By one choice and not by `width` if nothing went: a window may begin anywhere.
            end = end.saturating_sub((n_gone * width).max(1));
        }
    }
    Ok(())
}

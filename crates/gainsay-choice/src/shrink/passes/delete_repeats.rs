//! Deletes what lies between two equal ranges, and one of them: unrolled loops.

use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::{Shrinker, TerminationReason};

/// Longer cases are left to passes that know their structure.
const MAX_CHOICES: usize = 120;

/// How many equal choices in a row count as a repetition.
const WIDTH: usize = 2;

/// For each range tries the farthest equal one, then the nearest.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let mut at = 0;
    while at + 2 * WIDTH <= shrinker.best.choices.len() {
        let base = Rc::clone(&shrinker.best);
        if base.choices.len() > MAX_CHOICES {
            return Ok(());
        }
        let here = &base.choices[at..at + WIDTH];
        let rest = base.choices[at + WIDTH..].windows(WIDTH);
        let mut equal =
            rest.enumerate().filter(|(_, it)| *it == here).map(|(gap, _)| at + WIDTH + gap);
        // With a single equal range, `next` has taken it and `farthest` is `None`.
        let (nearest, farthest) = (equal.next(), equal.next_back());
        // The farthest first, because it deletes most.
        for other in farthest.into_iter().chain(nearest) {
            if shrinker.attempt_flat(
                &base,
                &CandidatePatch::without(at..other),
                CandidateFilter::IfSimpler,
            )? {
                break;
            }
        }
        at += 1;
    }
    Ok(())
}

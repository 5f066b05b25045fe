//! Deletes runs of sibling spans: elements of lists, operations, fields.

use std::ops::Range;
use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::integer_search::find_integer;
use super::super::repair::SiblingRemoval;
use super::super::{Shrinker, TerminationReason};
use crate::case::ChoiceSequence;

/// Larger groups are not repaired: that takes several runs for each member that cannot go alone.
const MAX_REPAIRED: usize = 200;

/// Visits parents before children, and the last sibling first, because later siblings depend on
/// earlier ones; deletes as many as possible each time.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    remove_children(shrinker, None)?;
    let mut parent = 0;
    // Deleting children changes indices behind `parent` only, so going on skips nothing.
    while parent < shrinker.best.spans.len() {
        remove_children(shrinker, Some(parent))?;
        parent += 1;
    }
    Ok(())
}

fn remove_children(
    shrinker: &mut Shrinker<'_>,
    parent: Option<usize>,
) -> Result<(), TerminationReason> {
    let mut end = usize::MAX;
    loop {
        let base = Rc::clone(&shrinker.best);
        let forest = shrinker.forest();
        let siblings = forest.children(parent);
        end = end.min(siblings.len());
        if end == 0 {
            return Ok(());
        }
        // Siblings of other labels play other roles; deleting across them would misalign the rest.
        let n_alike = n_alike_before(&base, siblings, end);
        let n_gone = find_integer(|k| {
            if k > n_alike {
                return Ok(false);
            }
            let patch = CandidatePatch::cut(ranges(&base, &siblings[end - k..end]));
            shrinker.attempt_flat(&base, &patch, CandidateFilter::IfSimpler)
        })?;
        if n_gone == 0 && siblings.len() <= MAX_REPAIRED {
            let around = parent.and_then(|it| base.spans.get(it));
            let behind = around.map_or(base.choices.len(), |it| it.end as usize);
            shrinker.repair(&base, SiblingRemoval { siblings, which: end - 1, end: behind })?;
        }
        // Move on even if nothing could be deleted.
        end -= n_gone.max(1);
    }
}

/// How many siblings that end at `end` have the label of the last one, without a gap.
fn n_alike_before(base: &ChoiceSequence, siblings: &[u32], end: usize) -> usize {
    let label = |it: &u32| base.spans[*it as usize].label;
    let last = label(&siblings[end - 1]);
    siblings[..end].iter().rev().take_while(|it| label(it) == last).count()
}

fn ranges(base: &ChoiceSequence, spans: &[u32]) -> impl Iterator<Item = Range<usize>> {
    spans.iter().map(|it| base.spans[*it as usize].range())
}

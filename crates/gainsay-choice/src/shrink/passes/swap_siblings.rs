//! Exchanges the contents of two siblings of different labels: arguments whose order is arbitrary.

use std::rc::Rc;

use super::super::attempt::CandidateFilter;
use super::super::{AttemptResult, Shrinker, TerminationReason};
use crate::case::{ChoiceSequence, ChoiceSpan};

/// More siblings than this make too many pairs.
const MAX_SIBLINGS: usize = 10;

/// Tries every pair of siblings that begin with the same kind of choice.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let mut parent = None;
    loop {
        exchange_children(shrinker, parent)?;
        let next = parent.map_or(0, |it| it + 1);
        if next >= shrinker.best.spans.len() {
            return Ok(());
        }
        parent = Some(next);
    }
}

fn exchange_children(
    shrinker: &mut Shrinker<'_>,
    parent: Option<usize>,
) -> Result<(), TerminationReason> {
    let n_children = shrinker.forest().children(parent).len();
    if n_children > MAX_SIBLINGS {
        return Ok(());
    }
    for a in 0..n_children {
        for b in a + 1..n_children {
            let base = Rc::clone(&shrinker.best);
            let forest = shrinker.forest();
            let children = forest.children(parent);
            let (Some(a), Some(b)) = (children.get(a), children.get(b)) else { return Ok(()) };
            let (a, b) = (base.spans[*a as usize], base.spans[*b as usize]);
            // Siblings of equal labels are left to `sort_siblings`.
            if a.label != b.label && are_alike(&base, a, b) {
                // The gate adopts only if the simpler content comes first afterwards.
                exchange(shrinker, &base, a, b)?;
            }
        }
    }
    Ok(())
}

fn are_alike(base: &ChoiceSequence, a: ChoiceSpan, b: ChoiceSpan) -> bool {
    let first = |it: ChoiceSpan| base.choices[it.range()].first().map(|it| it.kind());
    first(a).is_some() && first(a) == first(b)
}

fn exchange(
    shrinker: &mut Shrinker<'_>,
    base: &ChoiceSequence,
    a: ChoiceSpan,
    b: ChoiceSpan,
) -> AttemptResult {
    let (a, b) = (a.range(), b.range());
    let parts = [0..a.start, b.clone(), a.end..b.start, a.clone(), b.end..base.choices.len()];
    let choices: Vec<_> =
        parts.into_iter().flat_map(|it| base.choices[it].iter().copied()).collect();
    shrinker.attempt_choices(&choices, CandidateFilter::IfSimpler)
}

//! Rotates trees: a term inside two others stays where it is, and what surrounds it changes places.
//! For binary trees that is the rotation of search trees.

use std::ops::Range;
use std::rc::Rc;

use super::super::attempt::CandidateFilter;
use super::super::{Shrinker, TerminationReason};
use crate::case::{Choice, ChoiceSequence};

/// Longer cases have too many terms.
const MAX_CHOICES: usize = 200;

/// The maximum number of runs.
const MAX_RUNS: u64 = 200;

/// Tries every term with a term of the same label inside it, and one inside that.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    if base.choices.len() > MAX_CHOICES {
        return Ok(());
    }
    let n_before = shrinker.n_executions;
    let around = terms_around(&base);
    for inner in 0..base.spans.len() {
        let Some(middle) = around[inner] else { continue };
        let span = |it: usize| base.spans[it].range();
        let mut candidates = Vec::new();
        if let Some(outer) = around[middle] {
            candidates.push(rotated(&base, &span(outer), &span(middle), &span(inner)));
        }
        candidates.extend(lifted(&base, &around, middle, inner));
        for candidate in candidates {
            // After a success the spans of `base` are out of date, and cheaper passes go on.
            if shrinker.n_executions > n_before + MAX_RUNS
                || shrinker.attempt_choices(&candidate, CandidateFilter::IfSimpler)?
            {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// For each span the nearest enclosing span with the same label.
fn terms_around(base: &ChoiceSequence) -> Vec<Option<usize>> {
    let around = |at: usize| {
        let mut parent = base.spans[at].parent;
        while let Some(it) = parent {
            let span = base.spans[it as usize];
            if span.label == base.spans[at].label {
                return Some(it as usize);
            }
            parent = span.parent;
        }
        None
    };
    (0..base.spans.len()).map(around).collect()
}

/// `outer[middle[inner]]` as `middle[outer[inner]]`.
fn rotated(
    base: &ChoiceSequence,
    outer: &Range<usize>,
    middle: &Range<usize>,
    inner: &Range<usize>,
) -> Vec<Choice> {
    // What precedes and what follows the inner term changes places separately, because generators
    // draw the constructor of a term before its parts and may draw more after them.
    let parts = [
        0..outer.start,
        middle.start..inner.start,
        outer.start..middle.start,
        inner.clone(),
        middle.end..outer.end,
        inner.end..middle.end,
        outer.end..base.choices.len(),
    ];
    joined(base, parts)
}

/// A term in place of the one around it, with two of its parts exchanged: `outer[a[b, c]]` as
/// `a[c, b]`.
fn lifted(
    base: &ChoiceSequence,
    around: &[Option<usize>],
    term: usize,
    part: usize,
) -> Vec<Vec<Choice>> {
    let Some(outer) = around[term] else { return Vec::new() };
    let (outer, term_range) = (base.spans[outer].range(), base.spans[term].range());
    let first = base.spans[part].range();
    let later = (part + 1..base.spans.len()).filter(|it| around[*it] == Some(term));
    let later = later.map(|it| base.spans[it].range()).filter(|it| it.start >= first.end);
    later
        .map(|second| {
            let parts = [
                0..outer.start,
                term_range.start..first.start,
                second.clone(),
                first.end..second.start,
                first.clone(),
                second.end..term_range.end,
                outer.end..base.choices.len(),
            ];
            joined(base, parts)
        })
        .collect()
}

fn joined<const N: usize>(base: &ChoiceSequence, parts: [Range<usize>; N]) -> Vec<Choice> {
    parts.into_iter().flat_map(|it| base.choices[it].iter().copied()).collect()
}

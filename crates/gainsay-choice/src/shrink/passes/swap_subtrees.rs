//! Exchanges disjoint spans of the same label: a subtree moves to another place.

use std::ops::Range;
use std::rc::Rc;

use super::super::attempt::CandidateFilter;
use super::super::{Shrinker, TerminationReason};
use crate::case::{Choice, ChoiceSequence, ChoiceSpan};
use crate::span_label::SpanLabel;

/// More spans of one label than this make too many pairs.
const MAX_SPANS: usize = 40;

/// With at most this many spans of each label, two exchanges in a row are tried, in at most this
/// many runs.
const FEW_SPANS: usize = 12;
const MAX_RUNS: u64 = 200;

/// Tries every pair of disjoint spans of one label.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    for (a, b) in pairs(&base.spans, &base.choices) {
        if shrinker
            .attempt_choices(&exchanged(&base.choices, &a, &b), CandidateFilter::IfSimpler)?
        {
            return Ok(());
        }
    }
    Ok(())
}

/// Tries two such exchanges in a row, the second among the spans as the first has moved them.
pub(super) fn run_twice(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    let n_before = shrinker.n_executions;
    for (a, b) in pairs(&base.spans, &base.choices).into_iter().filter(|_| is_small(&base)) {
        let once = exchanged(&base.choices, &a, &b);
        let moved: Vec<ChoiceSpan> =
            base.spans.iter().filter_map(|it| moved(*it, &a, &b)).collect();
        for (c, d) in pairs(&moved, &once) {
            if shrinker.n_executions > n_before + MAX_RUNS {
                return Ok(());
            }
            if shrinker
                .attempt_choices(&exchanged(&once, &c, &d), CandidateFilter::IfSimpler)?
            {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn is_small(base: &ChoiceSequence) -> bool {
    let n_named = |label: SpanLabel| base.spans.iter().filter(|it| it.label == label).count();
    base.spans.iter().all(|it| n_named(it.label) <= FEW_SPANS)
}

/// Pairs of disjoint, different spans of one label, the earlier one first.
fn pairs(spans: &[ChoiceSpan], choices: &[Choice]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut pairs = Vec::new();
    for (at, a) in spans.iter().enumerate().take(MAX_SPANS) {
        // After an exchange the spans are no longer sorted by start, so a later one may stand
        // before.
        let others = spans[..at].iter().chain(&spans[at + 1..]);
        let later = others.filter(|it| it.start >= a.end && it.start < it.end);
        let alike =
            later.filter(|it| it.label == a.label && choices[it.range()] != choices[a.range()]);
        pairs.extend(alike.take(MAX_SPANS).map(|it| (a.range(), it.range())));
    }
    pairs
}

fn exchanged(choices: &[Choice], a: &Range<usize>, b: &Range<usize>) -> Vec<Choice> {
    let parts = [0..a.start, b.clone(), a.end..b.start, a.clone(), b.end..choices.len()];
    parts.into_iter().flat_map(|it| choices[it].iter().copied()).collect()
}

/// The position of a span after an exchange; an empty span is dropped.
fn moved(mut span: ChoiceSpan, a: &Range<usize>, b: &Range<usize>) -> Option<ChoiceSpan> {
    let place = |at: usize| {
        if a.contains(&at) {
            at + b.len() + (b.start - a.end)
        } else if b.contains(&at) {
            at - b.start + a.start
        } else if at >= a.end && at < b.start {
            at - a.len() + b.len()
        } else {
            at
        }
    };
    let range = span.range();
    let inside = |it: &Range<usize>| range.start >= it.start && range.end <= it.end;
    let (start, end) = if range.is_empty() {
        return None;
    } else if inside(a) || inside(b) || (range.start >= a.end && range.end <= b.start) {
        // Map the last choice and not the end: the end may belong to what comes next.
        (place(range.start), place(range.end - 1) + 1)
    } else {
        // It contains both or neither, or it contains one and has another length now.
        let end = if range.end > a.start && range.end <= b.start {
            range.end - a.len() + b.len()
        } else {
            range.end
        };
        let start = if range.start >= a.end && range.start < b.start {
            range.start - a.len() + b.len()
        } else {
            range.start
        };
        (start, end)
    };
    span.start = start as u32;
    span.end = end as u32;
    Some(span)
}

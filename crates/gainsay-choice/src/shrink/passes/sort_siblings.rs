//! Sorts siblings of the same label: an order that does not matter becomes the simplest one.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::super::attempt::CandidateFilter;
use super::super::integer_search::find_integer;
use super::super::span_forest::SpanForest;
use super::super::{Shrinker, TerminationReason};
use crate::case::{Choice, ChoiceSequence, compare_choices};
use crate::kind::KindTable;
use crate::span_label::SpanLabel;

/// Larger groups are sorted as a whole or not at all.
const MAX_MOVED: usize = 50;

/// Sorts all at once; if that fails, moves each as far to the front as possible.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    sort_children(shrinker, None)?;
    let mut parent = 0;
    while parent < shrinker.best.spans.len() {
        sort_children(shrinker, Some(parent))?;
        parent += 1;
    }
    Ok(())
}

fn sort_children(
    shrinker: &mut Shrinker<'_>,
    parent: Option<usize>,
) -> Result<(), TerminationReason> {
    let n_groups = groups(shrinker, parent).len();
    // By position and not by label, since an adopted case has spans of its own.
    for group in 0..n_groups {
        sort_group(shrinker, parent, group)?;
    }
    Ok(())
}

/// The children of a span by label, as indices of spans.
fn groups(shrinker: &mut Shrinker<'_>, parent: Option<usize>) -> Vec<Vec<usize>> {
    let forest = shrinker.forest();
    let best = &shrinker.best;
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for child in forest.children(parent) {
        let child = *child as usize;
        let label = best.spans[child].label;
        match groups.iter_mut().find(|it| best.spans[it[0]].label == label) {
            Some(group) => group.push(child),
            None => groups.push(vec![child]),
        }
    }
    groups.retain(|it| it.len() > 1);
    groups
}

fn sort_group(
    shrinker: &mut Shrinker<'_>,
    parent: Option<usize>,
    group: usize,
) -> Result<(), TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    let Some(spans) = groups(shrinker, parent).into_iter().nth(group) else { return Ok(()) };
    let mut sorted = spans.clone();
    sorted.sort_by(|a, b| order(shrinker, &base, *a, *b));
    if sorted == spans
        || try_order(shrinker, &base, &spans, &sorted)?
        || spans.len() > MAX_MOVED
    {
        return Ok(());
    }
    for at in 1..spans.len() {
        let base = Rc::clone(&shrinker.best);
        // Read the spans again: an adopted case has others. The group is assumed to keep its
        // position among its parent's groups.
        let Some(spans) = groups(shrinker, parent).into_iter().nth(group) else {
            return Ok(());
        };
        if at >= spans.len() {
            return Ok(());
        }
        find_integer(|k| {
            let Some(front) = at.checked_sub(k) else { return Ok(false) };
            let mut moved = spans.clone();
            moved[front..=at].rotate_right(1);
            try_order(shrinker, &base, &spans, &moved)
        })?;
    }
    Ok(())
}

fn order(shrinker: &Shrinker<'_>, base: &ChoiceSequence, a: usize, b: usize) -> Ordering {
    let (a, b) = (&base.choices[base.spans[a].range()], &base.choices[base.spans[b].range()]);
    // Shortlex, like the order of cases: the first sibling should be the simplest.
    a.len().cmp(&b.len()).then_with(|| compare_choices(a, b, shrinker.source.kinds()))
}

/// Rearranges the contents of spans.
fn try_order(
    shrinker: &mut Shrinker<'_>,
    base: &ChoiceSequence,
    spans: &[usize],
    order: &[usize],
) -> Result<bool, TerminationReason> {
    let mut choices: Vec<Choice> = Vec::with_capacity(base.choices.len());
    let mut done = 0;
    for (place, content) in spans.iter().zip(order) {
        let (place, content) = (base.spans[*place].range(), base.spans[*content].range());
        choices.extend_from_slice(&base.choices[done..place.start]);
        choices.extend_from_slice(&base.choices[content]);
        done = place.end;
    }
    choices.extend_from_slice(&base.choices[done..]);
    shrinker.attempt_choices(&choices, CandidateFilter::IfSimpler)
}

/// Choices with the structure of `base`, with all siblings of one label sorted, inner ones first.
pub(super) fn sorted(
    base: &ChoiceSequence,
    choices: &[Choice],
    kinds: &KindTable,
) -> Vec<Choice> {
    let forest = SpanForest::of(base);
    let mut contents: Vec<Vec<Choice>> = vec![Vec::new(); base.spans.len()];
    // Parents precede their children in `spans`, so going backwards visits inner spans first.
    for at in (0..base.spans.len()).rev() {
        contents[at] = join(base, choices, (Some(at), &forest), &mut contents, kinds);
    }
    join(base, choices, (None, &forest), &mut contents, kinds)
}

/// The content of a span, or of the whole case, with its children sorted; takes their contents.
fn join(
    base: &ChoiceSequence,
    choices: &[Choice],
    (parent, forest): (Option<usize>, &SpanForest),
    contents: &mut [Vec<Choice>],
    kinds: &KindTable,
) -> Vec<Choice> {
    let range = parent.map_or(0..choices.len(), |it| base.spans[it].range());
    let mut by_name: BTreeMap<SpanLabel, Vec<Vec<Choice>>> = BTreeMap::new();
    for child in forest.children(parent) {
        let content = std::mem::take(&mut contents[*child as usize]);
        by_name.entry(base.spans[*child as usize].label).or_default().push(content);
    }
    for alike in by_name.values_mut() {
        // In descending order, because `pop` takes them from the end.
        alike.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| compare_choices(b, a, kinds)));
    }
    let mut joined = Vec::with_capacity(range.len());
    let mut done = range.start;
    for child in forest.children(parent) {
        let span = base.spans[*child as usize];
        joined.extend_from_slice(&choices[done..span.range().start]);
        joined.extend(by_name.get_mut(&span.label).and_then(Vec::pop).unwrap_or_default());
        done = span.range().end;
    }
    joined.extend_from_slice(&choices[done..range.end]);
    joined
}

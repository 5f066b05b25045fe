//! Deletes elements of several lists or texts together: texts that must stay equal, lists that must
//! stay equally long, and equal elements wherever they are.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::integer_search::find_integer;
use super::super::span_forest::SiblingGroup;
use super::super::{AttemptResult, Shrinker, TerminationReason};
use crate::case::{Choice, ChoiceSequence};
use crate::kind::ChoiceClass;
use crate::value::ChoiceValue;

/// Longer cases have too many lists.
const MAX_CHOICES: usize = 1000;

/// If at most this many lists have the same length, they are also tried in pairs.
const FEW: usize = 4;

/// The maximum number of runs.
const MAX_RUNS: u64 = 400;

/// Tries all lists of the same length, the equal ones among them, and pairs of them.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let last_run = shrinker.n_executions + MAX_RUNS;
    loop {
        let base = Rc::clone(&shrinker.best);
        if base.choices.len() > MAX_CHOICES || shrinker.n_executions > last_run {
            return Ok(());
        }
        let families = shrinker.forest().sibling_groups(&base);
        if !shorten_any(shrinker, &base, &families, last_run)?
            && !remove_equals(shrinker, &base, &families)?
        {
            return Ok(());
        }
    }
}

fn shorten_any(
    shrinker: &mut Shrinker<'_>,
    base: &ChoiceSequence,
    families: &[SiblingGroup],
    last_run: u64,
) -> AttemptResult {
    for lists in groups(base, families) {
        // All lists of a group have the same length, so the first one stands for all.
        for end in (1..=lists[0].members.len()).rev() {
            if shrinker.n_executions > last_run {
                return Ok(false);
            }
            if shorten(shrinker, base, &lists, end)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Groups of lists that may have to stay equally long.
fn groups<'f>(
    base: &ChoiceSequence,
    families: &'f [SiblingGroup],
) -> Vec<Vec<&'f SiblingGroup>> {
    let mut by_length: BTreeMap<usize, Vec<&SiblingGroup>> = BTreeMap::new();
    for family in families {
        by_length.entry(family.members.len()).or_default().push(family);
    }
    let mut groups: Vec<Vec<&SiblingGroup>> = Vec::new();
    // Longest lists first, for they have most to lose. A list alone is left to `delete_siblings`.
    for lists in by_length.into_values().rev().filter(|it| it.len() > 1) {
        for list in &lists {
            let equal: Vec<&SiblingGroup> =
                lists.iter().copied().filter(|it| are_equal(base, it, list)).collect();
            // All lists of this length are added as a group of their own below.
            if equal.len() > 1 && equal.len() < lists.len() && !groups.contains(&equal) {
                groups.push(equal);
            }
        }
        if lists.len() <= FEW {
            for (at, a) in lists.iter().enumerate() {
                groups.extend(lists[at + 1..].iter().map(|b| vec![*a, *b]));
            }
        }
        groups.push(lists);
    }
    // Nested lists would make the cuts overlap, and a cut of the outer list covers the inner one.
    let are_apart = |it: &Vec<&SiblingGroup>| {
        let mut ends: Vec<_> = it.iter().map(|it| extent(base, it)).collect();
        ends.sort_by_key(|it| it.start);
        ends.windows(2).all(|it| it[0].end <= it[1].start)
    };
    groups.retain(are_apart);
    groups
}

fn extent(base: &ChoiceSequence, family: &SiblingGroup) -> Range<usize> {
    let span = |it: Option<&u32>| it.map_or(0..0, |it| base.spans[*it as usize].range());
    span(family.members.first()).start..span(family.members.last()).end
}

fn are_equal(base: &ChoiceSequence, a: &SiblingGroup, b: &SiblingGroup) -> bool {
    values(base, extent(base, a)).eq(values(base, extent(base, b)))
}

fn values(
    base: &ChoiceSequence,
    range: Range<usize>,
) -> impl Iterator<Item = (ChoiceClass, ChoiceValue)> {
    base.choices[range].iter().map(|it| (it.class(), it.value()))
}

/// Deletes the same elements from all lists, ending before `end`; if that fails for two lists,
/// deletes the element before `end` and its mirror image (a text and its reverse).
fn shorten(
    shrinker: &mut Shrinker<'_>,
    base: &ChoiceSequence,
    lists: &[&SiblingGroup],
    end: usize,
) -> AttemptResult {
    let n_gone = find_integer(|k| {
        let Some(start) = end.checked_sub(k) else { return Ok(false) };
        let cuts = lists.iter().flat_map(|it| it.ranges(base, start..end));
        shrinker.attempt_flat(base, &CandidatePatch::cut(cuts), CandidateFilter::IfSimpler)
    })?;
    match lists {
        [a, b] if n_gone == 0 => {
            let mirrored = a.members.len() - end;
            let cuts =
                a.ranges(base, end - 1..end).chain(b.ranges(base, mirrored..mirrored + 1));
            shrinker.attempt_flat(base, &CandidatePatch::cut(cuts), CandidateFilter::IfSimpler)
        }
        _ => Ok(n_gone > 0),
    }
}

/// Deletes all elements that are equal to each other.
fn remove_equals(
    shrinker: &mut Shrinker<'_>,
    base: &ChoiceSequence,
    families: &[SiblingGroup],
) -> AttemptResult {
    let mut equal: Vec<(&[Choice], Vec<Range<usize>>)> = Vec::new();
    for family in families {
        for range in family.ranges(base, 0..family.members.len()) {
            let content = &base.choices[range.clone()];
            match equal.iter_mut().find(|it| it.0 == content) {
                Some((_, ranges)) => ranges.push(range),
                None => equal.push((content, vec![range])),
            }
        }
    }
    for (_, cuts) in equal.into_iter().filter(|it| it.1.len() > 1) {
        if shrinker.attempt_flat(
            base,
            &CandidatePatch::cut(cuts),
            CandidateFilter::IfSimpler,
        )? {
            return Ok(true);
        }
    }
    Ok(false)
}

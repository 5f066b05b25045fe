//! Deletes two operations that belong together, however far apart: push and pop, send and receive,
//! open and close.

use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::span_forest::SiblingGroup;
use super::super::{Shrinker, TerminationReason};
use crate::case::{Choice, ChoiceSequence};
use crate::kind::ChoiceClass;
use crate::value::ChoiceValue;

/// Longer scripts have too many operations, and scripts with more sorts too many pairs.
const MAX_OPERATIONS: usize = 200;
const MAX_SORTS: usize = 8;

/// The maximum number of runs.
const MAX_RUNS: u64 = 400;

/// Tries operations of every two sorts, matched like brackets, like a queue, and by arguments.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let n_before = shrinker.n_executions;
    let mut n_tried = 0;
    loop {
        let base = Rc::clone(&shrinker.best);
        let families = shrinker.forest().sibling_groups(&base);
        let mut pairs: Vec<[Range<usize>; 2]> = Vec::new();
        for family in families.iter().filter(|it| it.members.len() <= MAX_OPERATIONS) {
            pairs.extend(matches_of(&base, family));
        }
        // After a success, pairs that failed before are skipped by position. An approximation: the
        // list is computed anew, but the pairs in front of the deleted one mostly stay the same.
        let mut left = pairs.into_iter().skip(n_tried);
        loop {
            let Some(pair) = left.next() else { return Ok(()) };
            if shrinker.n_executions > n_before + MAX_RUNS {
                return Ok(());
            }
            if shrinker.attempt_flat(
                &base,
                &CandidatePatch::cut(pair),
                CandidateFilter::IfSimpler,
            )? {
                break;
            }
            n_tried += 1;
        }
    }
}

/// One operation of a script.
struct ScriptOperation<'b> {
    range: Range<usize>,
    sort: ChoiceValue,
    arguments: &'b [Choice],
}

fn matches_of(base: &ChoiceSequence, family: &SiblingGroup) -> Vec<[Range<usize>; 2]> {
    let members = family.ranges(base, 0..family.members.len());
    let operations: Vec<ScriptOperation<'_>> =
        members.filter_map(|it| operation(base, it)).collect();
    let mut sorts: Vec<ChoiceValue> = Vec::new();
    for operation in &operations {
        if !sorts.contains(&operation.sort) {
            sorts.push(operation.sort);
        }
    }
    // A member without a selector: these are not operations.
    if operations.len() != family.members.len() || sorts.len() > MAX_SORTS {
        return Vec::new();
    }
    let mut pairs = Vec::new();
    for first in &sorts {
        // Both orders of a pair of sorts: which one opens and which one closes is not known.
        for second in sorts.iter().filter(|it| *it != first) {
            match_sorts(&operations, *first, *second, &mut pairs);
        }
    }
    pairs
}

/// An operation begins with the selector of its sort, possibly after the draw for "one more".
fn operation(base: &ChoiceSequence, range: Range<usize>) -> Option<ScriptOperation<'_>> {
    let choices = &base.choices[range.clone()];
    let at = choices.iter().position(|it| it.class() == ChoiceClass::Selector)?;
    Some(ScriptOperation { range, sort: choices[at].value(), arguments: &choices[at + 1..] })
}

/// Pairs two sorts: with the last open operation, with the first open one, and with the first one
/// that has the same arguments.
fn match_sorts(
    operations: &[ScriptOperation<'_>],
    first: ChoiceValue,
    second: ChoiceValue,
    pairs: &mut Vec<[Range<usize>; 2]>,
) {
    let mut stack: Vec<&ScriptOperation<'_>> = Vec::new();
    let mut queue: VecDeque<&ScriptOperation<'_>> = VecDeque::new();
    let mut waiting: Vec<&ScriptOperation<'_>> = Vec::new();
    // Pairs of other sorts cannot be equal, so only these are searched for duplicates.
    let first_pair = pairs.len();
    let mut add = |a: Option<&ScriptOperation<'_>>, b: &ScriptOperation<'_>| {
        let pair = a.map(|it| [it.range.clone(), b.range.clone()]);
        let is_listed = |it: &[Range<usize>; 2]| pairs[first_pair..].contains(it);
        pairs.extend(pair.filter(|it| !is_listed(it)));
    };
    for operation in operations {
        if operation.sort == first {
            stack.push(operation);
            queue.push_back(operation);
            waiting.push(operation);
        } else if operation.sort == second {
            add(stack.pop(), operation);
            add(queue.pop_front(), operation);
            let same = waiting.iter().position(|it| it.arguments == operation.arguments);
            add(same.map(|it| waiting.remove(it)), operation);
        }
    }
}

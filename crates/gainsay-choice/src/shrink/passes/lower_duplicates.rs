//! Lowers equal values together: keys that must stay equal.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::{Shrinker, TerminationReason};
use crate::case::{Choice, ChoiceSequence};
use crate::kind::ChoiceClass;
use crate::value::ChoiceValue;

/// Larger groups are not tried with one member left out, nor in pairs.
const MAX_SPLIT: usize = 8;

/// Lowers all choices with the same class and value.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    for_groups(shrinker, |shrinker, group| shrinker.lower(group))
}

/// Lowers parts of such groups: those of one kind, all but one member, and pairs.
pub(super) fn run_subgroups(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    for_groups(shrinker, |shrinker, group| {
        let best = Rc::clone(&shrinker.best);
        let mut kinds: Vec<_> = group.iter().map(|it| best.choices[*it].kind()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        for kind in kinds {
            // Once something was adopted, the indices of this group are stale.
            if !Rc::ptr_eq(&best, &shrinker.best) {
                return Ok(());
            }
            let alike = group.iter().filter(|it| best.choices[**it].kind() == kind);
            let alike: Vec<usize> = alike.copied().collect();
            if alike.len() > 1 && alike.len() < group.len() {
                shrinker.lower(&alike)?;
            }
        }
        let is_new = !Rc::ptr_eq(&best, &shrinker.best);
        // Leaving one out of two is what lowering single values does.
        if is_new || group.len() <= 2 || group.len() > MAX_SPLIT {
            return Ok(());
        }
        for left_out in 0..group.len() {
            if !Rc::ptr_eq(&best, &shrinker.best) {
                return Ok(());
            }
            let mut others = group.to_vec();
            others.remove(left_out);
            shrinker.lower(&others)?;
        }
        for pair in pairs(group) {
            if !Rc::ptr_eq(&best, &shrinker.best) {
                return Ok(());
            }
            shrinker.lower(&pair)?;
        }
        Ok(())
    })
}

fn pairs(group: &[usize]) -> Vec<[usize; 2]> {
    let pairs = group
        .iter()
        .enumerate()
        .flat_map(|(at, a)| group[at + 1..].iter().map(move |b| [*a, *b]));
    pairs.collect()
}

/// Calls `each` for every group of the best case; after a change, for the groups that come later.
fn for_groups(
    shrinker: &mut Shrinker<'_>,
    mut each: impl FnMut(&mut Shrinker<'_>, &[usize]) -> Result<(), TerminationReason>,
) -> Result<(), TerminationReason> {
    let mut first = 0;
    loop {
        let best = Rc::clone(&shrinker.best);
        let Some(group) = group_from(shrinker, &best, first) else { return Ok(()) };
        // Moves on even if nothing changes, so this ends.
        first = group[0] + 1;
        each(shrinker, &group)?;
    }
}

/// The first group whose first member is at or after `first`.
fn group_from(
    shrinker: &mut Shrinker<'_>,
    best: &ChoiceSequence,
    first: usize,
) -> Option<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of: HashMap<(ChoiceClass, ChoiceValue), usize> = HashMap::new();
    for at in 0..best.choices.len() {
        let choice = best.choices[at];
        // Answers to "one more?" are equal by coincidence, and trivial values cannot become
        // simpler.
        if choice.class() == ChoiceClass::MoreElements || shrinker.is_trivial(best, at) {
            continue;
        }
        let group = *group_of.entry((choice.class(), key(choice))).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(at);
    }
    // A single value is left to `lower_values`.
    groups.into_iter().find(|it| it[0] >= first && it.len() > 1)
}

/// The key that equal choices share: floats are grouped by magnitude, whatever their signs.
fn key(choice: Choice) -> ChoiceValue {
    match (choice.class(), choice.value()) {
        (ChoiceClass::Float, ChoiceValue::Small(bits)) => ChoiceValue::Small(bits & i64::MAX),
        (_, value) => value,
    }
}

//! Changes many values at once by one rule: renaming, negating, scaling, translating. Each rule is
//! tried as it is and with siblings sorted afterwards, because renamed values are often out of
//! order.

use std::collections::BTreeMap;
use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::Zero;

use super::super::attempt::CandidateFilter;
use super::super::values::common_divisor;
use super::super::{AttemptResult, Shrinker, TerminationReason};
use super::sort_siblings;
use crate::case::{Choice, ChoiceSequence};
use crate::kind::{ChoiceClass, Kind, KindId};
use crate::value::{ChoiceValue, ValueRank};

/// In longer cases too many values matter by themselves.
const MAX_CHOICES: usize = 200;

/// More distinct values than this make too many pairs.
const MAX_VALUES: usize = 10;

/// The maximum number of runs, and of span exchanges that rules are tried after.
const MAX_RUNS: u64 = 250;
const MAX_EXCHANGES: usize = 12;

/// The indices of choices that a rule changes together.
type RemapGroup = Vec<usize>;

/// Tries every rule on every group of values.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    if base.choices.len() > MAX_CHOICES {
        return Ok(());
    }
    let n_before = shrinker.n_executions;
    let groups = groups(&base);
    for group in &groups {
        for changed in candidates_of_rules(shrinker, &base.choices, group) {
            if shrinker.n_executions > n_before + MAX_RUNS {
                return Ok(());
            }
            if attempt_sorted(shrinker, &base, &changed)? {
                return Ok(());
            }
        }
    }
    // Some cases get simpler only by exchanging two spans and renaming at the same time. All rules
    // after all exchanges would be too many, so only two rules are combined with a few exchanges.
    for exchanged in exchanges(&base) {
        for group in &groups {
            for changed in [
                moved_to_simplest(shrinker, &exchanged, group),
                named_by_first_use(shrinker, &exchanged, group),
            ]
            .into_iter()
            .flatten()
            {
                if shrinker.n_executions > n_before + MAX_RUNS
                    || shrinker.attempt_choices(&changed, CandidateFilter::IfSimpler)?
                {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// Tries a candidate as it is, and with all siblings sorted.
fn attempt_sorted(
    shrinker: &mut Shrinker<'_>,
    base: &ChoiceSequence,
    choices: &[Choice],
) -> AttemptResult {
    if shrinker.attempt_choices(choices, CandidateFilter::IfSimpler)? {
        return Ok(true);
    }
    let sorted = sort_siblings::sorted(base, choices, shrinker.source.kinds());
    Ok(sorted != choices && shrinker.attempt_choices(&sorted, CandidateFilter::IfSimpler)?)
}

/// Free values of one kind, and then all free integers.
fn groups(base: &ChoiceSequence) -> Vec<RemapGroup> {
    let mut by_kind: BTreeMap<KindId, RemapGroup> = BTreeMap::new();
    let mut integers = Vec::new();
    // A forced choice cannot take another value.
    for (at, choice) in base.choices.iter().enumerate().filter(|it| !it.1.is_forced()) {
        if matches!(
            choice.class(),
            ChoiceClass::Integer | ChoiceClass::Selector | ChoiceClass::Char
        ) {
            by_kind.entry(choice.kind()).or_default().push(at);
        }
        if choice.class() == ChoiceClass::Integer {
            integers.push(at);
        }
    }
    let mut groups: Vec<RemapGroup> = by_kind.into_values().collect();
    // With integers of one kind only, that group is there already.
    if !groups.contains(&integers) {
        groups.push(integers);
    }
    groups.retain(|it| it.len() > 1);
    groups
}

fn candidates_of_rules(
    shrinker: &mut Shrinker<'_>,
    choices: &[Choice],
    group: &RemapGroup,
) -> Vec<Vec<Choice>> {
    let mut changed = Vec::new();
    changed.extend(named_by_first_use(shrinker, choices, group));
    if choices[group[0]].class() == ChoiceClass::Integer {
        changed.extend(moved_to_simplest(shrinker, choices, group));
        changed.extend(closed_up(shrinker, choices, group));
        changed.extend(with_integers(shrinker, choices, group, |it| -it));
        changed.extend(scaled(shrinker, choices, group));
    }
    // Last, because there are many of them and the others are more likely to help.
    changed.extend(renamed(choices, group));
    changed
}

/// The distinct values in order of first occurrence.
fn distinct(choices: &[Choice], group: &RemapGroup) -> Vec<ChoiceValue> {
    let mut values = Vec::new();
    for at in group {
        let value = choices[*at].value();
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

fn mapped(
    choices: &[Choice],
    group: &RemapGroup,
    map: impl Fn(ChoiceValue) -> ChoiceValue,
) -> Vec<Choice> {
    let mut choices = choices.to_vec();
    for at in group {
        choices[*at] = choices[*at].with_value(map(choices[*at].value()));
    }
    choices
}

/// The first value becomes the simplest, the next distinct one the next simplest, and so on.
fn named_by_first_use(
    shrinker: &mut Shrinker<'_>,
    choices: &[Choice],
    group: &RemapGroup,
) -> Option<Vec<Choice>> {
    let values = distinct(choices, group);
    let kind = choices[group[0]].kind();
    let kinds = shrinker.source.kinds_mut();
    let names: Option<Vec<ChoiceValue>> =
        (0..values.len()).map(|it| kinds.unrank(kind, &ValueRank::Small(it as u128))).collect();
    // They have these names already.
    let names = names.filter(|it| *it != values)?;
    Some(mapped(choices, group, |it| {
        values.iter().position(|other| *other == it).map_or(it, |at| names[at])
    }))
}

/// Every two values exchanged.
fn renamed(choices: &[Choice], group: &RemapGroup) -> Vec<Vec<Choice>> {
    let values = distinct(choices, group);
    let mut changed = Vec::new();
    if values.len() > MAX_VALUES {
        return changed;
    }
    for (at, a) in values.iter().enumerate() {
        for b in &values[at + 1..] {
            changed.push(mapped(choices, group, |it| match it {
                it if it == *a => *b,
                it if it == *b => *a,
                it => it,
            }));
        }
    }
    changed
}

/// The integers of a group, in order.
fn integers(shrinker: &Shrinker<'_>, choices: &[Choice], group: &RemapGroup) -> Vec<BigInt> {
    let bigs = &shrinker.source.kinds().bigs;
    group.iter().map(|it| bigs.integer(choices[*it].value())).collect()
}

fn with_integers(
    shrinker: &mut Shrinker<'_>,
    choices: &[Choice],
    group: &RemapGroup,
    change: impl Fn(&BigInt) -> BigInt,
) -> Option<Vec<Choice>> {
    let old = integers(shrinker, choices, group);
    let mut changed = choices.to_vec();
    for (at, integer) in group.iter().zip(&old) {
        let value = shrinker.source.kinds_mut().intern_integer(change(integer));
        changed[*at] = changed[*at].with_value(value);
    }
    (changed != choices).then_some(changed)
}

/// Translates the group so that the first integer that is not the simplest becomes so.
fn moved_to_simplest(
    shrinker: &mut Shrinker<'_>,
    choices: &[Choice],
    group: &RemapGroup,
) -> Option<Vec<Choice>> {
    let target = |it: &&usize| match shrinker.source.kinds().get(choices[**it].kind()) {
        Kind::Integer(kind) => Some(kind.target()),
        Kind::Float(_)
        | Kind::Boolean(_)
        | Kind::Selector(_)
        | Kind::MoreElements(_)
        | Kind::Char(_)
        | Kind::Reference(_) => None,
    };
    let bigs = &shrinker.source.kinds().bigs;
    let mut moves =
        group.iter().filter_map(|it| Some(target(&it)? - bigs.integer(choices[*it].value())));
    let by = moves.find(|it| !it.is_zero())?;
    with_integers(shrinker, choices, group, |it| it + &by)
}

/// The same order without gaps: counted from 0, and relative to the first integer.
fn closed_up(
    shrinker: &mut Shrinker<'_>,
    choices: &[Choice],
    group: &RemapGroup,
) -> Vec<Vec<Choice>> {
    let mut sorted = integers(shrinker, choices, group);
    let first = sorted[0].clone();
    sorted.sort();
    sorted.dedup();
    // Properties that only compare values cannot distinguish them from their places in the order.
    let place = |it: &BigInt| BigInt::from(sorted.binary_search(it).unwrap_or_default());
    let middle = place(&first);
    let from_zero = with_integers(shrinker, choices, group, place);
    let around_first = with_integers(shrinker, choices, group, |it| place(it) - &middle);
    from_zero.into_iter().chain(around_first).collect()
}

/// All divided by their common divisor, or else halved with truncation.
fn scaled(
    shrinker: &mut Shrinker<'_>,
    choices: &[Choice],
    group: &RemapGroup,
) -> Option<Vec<Choice>> {
    let common = integers(shrinker, choices, group)
        .iter()
        .fold(BigInt::zero(), |a, b| common_divisor(&a, b));
    // The common divisor keeps all ratios and differences in proportion; halving only roughly, but
    // it makes progress where a property depends on magnitudes alone.
    let divisor = if common > BigInt::from(1) { common } else { BigInt::from(2) };
    with_integers(shrinker, choices, group, |it| it / &divisor)
}

/// The case with two spans of equal kinds exchanged, for each such pair.
fn exchanges(base: &ChoiceSequence) -> Vec<Vec<Choice>> {
    let mut exchanged = Vec::new();
    for (at, a) in base.spans.iter().enumerate().filter(|it| it.1.end > it.1.start) {
        let later = base.spans[at + 1..].iter().filter(|it| it.start >= a.end);
        for b in later {
            let (x, y) = (&base.choices[a.range()], &base.choices[b.range()]);
            let alike =
                x.len() == y.len() && x.iter().zip(y).all(|(x, y)| x.kind() == y.kind());
            // Single values are swapped by other passes.
            if alike && x != y && x.len() > 1 {
                let mut choices = base.choices.clone();
                choices[a.range()].copy_from_slice(y);
                choices[b.range()].copy_from_slice(x);
                exchanged.push(choices);
            }
            if exchanged.len() == MAX_EXCHANGES {
                return exchanged;
            }
        }
    }
    exchanged
}

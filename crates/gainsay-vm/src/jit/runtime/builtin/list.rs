//! Builtins on lists.

use super::WordBuiltin::{Complete, FastPath};
use super::{
    WordBuiltinContext, WordBuiltinResult, WordBuiltinRows, WordListIter, clamped_position,
    list_of, mistyped, out_of_range,
};
use crate::jit::runtime::comparison::compare_keys;
use crate::jit::runtime::convert::to_value;
use crate::jit::word::Word;
use crate::show::show_brief;

pub(super) const ROWS: WordBuiltinRows = &[
    ("list.concat", Complete(concat)),
    ("list.len", Complete(len)),
    ("list.reverse", Complete(reverse)),
    ("list.at", Complete(at)),
    ("list.drop", Complete(drop_)),
    ("list.take", Complete(take)),
    ("list.sort", Complete(sort)),
    ("list.range", FastPath(range)),
];

/// Shares the second list and copies the first.
fn concat(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [a, b] = args else { return mistyped() };
    let (a, WordListIter(b)) = (list_of(*a)?, list_of(*b)?);
    tools.charge_list(a.n_items())?;
    Ok(tools.heap.list(a, b)?)
}

fn len(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [list] = args else { return mistyped() };
    Ok(tools.heap.int(list_of(*list)?.n_items() as i64)?)
}

fn reverse(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [list] = args else { return mistyped() };
    let mut list = list_of(*list)?;
    tools.charge_list(list.n_items())?;
    Ok(list.try_fold(Word::NIL, |tail, item| tools.heap.cons(item, tail))?)
}

fn at(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [list, index] = args else { return mistyped() };
    let mut list = list_of(*list)?;
    let position = index.as_small_int().and_then(|index| u64::try_from(index).ok());
    match position.filter(|position| *position < list.n_items()) {
        Some(position) => {
            // Charged before walking, which takes as long as the position is far.
            tools.charge_work(position)?;
            list.nth(position as usize).map_or_else(mistyped, Ok)
        }
        None => {
            let shown = show_brief(tools.program, &to_value(*index), 60);
            let what = match list.n_items() {
                0 => format!("index {shown} is out of range for an empty list"),
                1 => format!("index {shown} is out of range for a list of 1 element"),
                len => format!("index {shown} is out of range for a list of {len} elements"),
            };
            Err(out_of_range(what))
        }
    }
}

fn drop_(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [list, count] = args else { return mistyped() };
    let mut list = list_of(*list)?;
    let count = clamped_position(*count, list.n_items())?;
    tools.charge_work(count)?;
    list.by_ref().take(count as usize).for_each(drop);
    Ok(list.0)
}

fn take(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [list, count] = args else { return mistyped() };
    let list = list_of(*list)?;
    let count = clamped_position(*count, list.n_items())?;
    tools.charge_list(count)?;
    Ok(tools.heap.list(list.take(count as usize), Word::NIL)?)
}

/// Stable sort by the total order.
fn sort(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [list] = args else { return mistyped() };
    let list = list_of(*list)?;
    tools.charge_list(list.n_items())?;
    // Charged above, so the copy is bounded by the limits of the case.
    let mut items: Vec<Word> = list.collect();
    tools.charge_comparisons(|_, left| {
        Ok(crate::sort::sort(&mut items, |a, b| compare_keys(*a, *b, left))?)
    })?;
    Ok(tools.heap.list(items.into_iter(), Word::NIL)?)
}

/// The integers from `start` (inclusive) to `end` (exclusive), if both are small.
fn range(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> Option<WordBuiltinResult> {
    let [start, end] = args else { return None };
    let (start, end) = (start.as_small_int()?, end.as_small_int()?);
    // Cannot overflow: both are within 63 bits.
    let len = usize::try_from(end - start).unwrap_or(0);
    let int =
        |offset| Word::from_small_int(start + offset as i64).expect("between two small ones");
    Some(tools.list((0..len).map(int)))
}

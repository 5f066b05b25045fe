//! Builtins on lists.

use super::Meaning::{Common, Whole};
use super::{Items, Return, Rows, Tools, clamped, list_of, mistyped, out_of_range};
use crate::jit::runtime::convert::to_value;
use crate::jit::runtime::order::order_within;
use crate::jit::word::Word;
use crate::show::show_brief;

pub(super) const ROWS: Rows = &[
    ("list.concat", Whole(concat)),
    ("list.len", Whole(len)),
    ("list.reverse", Whole(reverse)),
    ("list.at", Whole(at)),
    ("list.drop", Whole(drop_)),
    ("list.take", Whole(take)),
    ("list.sort", Whole(sort)),
    ("list.range", Common(range)),
];

/// The second list is shared, the first one copied.
fn concat(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [a, b] = args else { return mistyped() };
    let (a, Items(b)) = (list_of(*a)?, list_of(*b)?);
    tools.take_list(a.n_items())?;
    Ok(tools.heap.list(a, b)?)
}

fn len(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [list] = args else { return mistyped() };
    Ok(tools.heap.int(list_of(*list)?.n_items() as i64)?)
}

fn reverse(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [list] = args else { return mistyped() };
    let mut list = list_of(*list)?;
    tools.take_list(list.n_items())?;
    Ok(list.try_fold(Word::NIL, |tail, item| tools.heap.cons(item, tail))?)
}

fn at(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [list, index] = args else { return mistyped() };
    let mut list = list_of(*list)?;
    let position = index.as_small().and_then(|index| u64::try_from(index).ok());
    match position.filter(|position| *position < list.n_items()) {
        Some(position) => {
            tools.work(position)?;
            list.nth(position as usize).map_or_else(mistyped, Ok)
        }
        None => {
            let shown = show_brief(tools.program, &to_value(*index), 60);
            let what = match list.n_items() {
                0 => format!("there is no element {shown} in an empty list"),
                1 => format!("there is no element {shown} in a list of 1 element"),
                len => format!("there is no element {shown} in a list of {len} elements"),
            };
            Err(out_of_range(what))
        }
    }
}

fn drop_(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [list, count] = args else { return mistyped() };
    let mut list = list_of(*list)?;
    let count = clamped(*count, list.n_items())?;
    tools.work(count)?;
    list.by_ref().take(count as usize).for_each(drop);
    Ok(list.0)
}

fn take(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [list, count] = args else { return mistyped() };
    let list = list_of(*list)?;
    let count = clamped(*count, list.n_items())?;
    tools.take_list(count)?;
    Ok(tools.heap.list(list.take(count as usize), Word::NIL)?)
}

/// Stable, in the total order.
fn sort(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [list] = args else { return mistyped() };
    let list = list_of(*list)?;
    tools.take_list(list.n_items())?;
    let mut items: Vec<Word> = list.collect();
    tools.comparing(|_, left| {
        Ok(crate::sort::sort(&mut items, |a, b| order_within(*a, *b, left))?)
    })?;
    Ok(tools.heap.list(items.into_iter(), Word::NIL)?)
}

/// From `start` up to but without `end`, where these are small.
fn range(tools: &mut Tools<'_>, args: &[Word]) -> Option<Return> {
    let [start, end] = args else { return None };
    let (start, end) = (start.as_small()?, end.as_small()?);
    let len = usize::try_from(end - start).unwrap_or(0);
    let int = |offset| Word::small(start + offset as i64).expect("between two small ones");
    Some(tools.list((0..len).map(int)))
}

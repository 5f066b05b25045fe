//! Builtins on lists.

use num_bigint::BigInt;
use num_traits::ToPrimitive as _;

use super::{
    BuiltinContext, BuiltinResult, BuiltinRows, big_of, clamped_position, list_of, mistyped,
    out_of_range,
};
use crate::comparison::compare_keys;
use crate::fault::FaultKind;
use crate::limits::{SMALL_INTS, words_of_int};
use crate::show::show_brief;
use crate::value::{List, Value};

pub(super) const ROWS: BuiltinRows = &[
    ("list.concat", concat),
    ("list.len", len),
    ("list.reverse", reverse),
    ("list.at", at),
    ("list.drop", drop_),
    ("list.take", take),
    ("list.sort", sort),
    ("list.range", range),
];

/// Shares the second list and copies the first.
fn concat(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [a, b] = args else { return mistyped() };
    let (a, b) = (list_of(a)?, list_of(b)?);
    ctx.charge_list(a.len())?;
    let items: Vec<Value> = a.iter().cloned().collect();
    Ok(Value::List(List::prepend_items(items, b.clone())))
}

fn len(_: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [list] = args else { return mistyped() };
    Ok(Value::Int(list_of(list)?.len() as i64))
}

fn reverse(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [list] = args else { return mistyped() };
    let list = list_of(list)?;
    ctx.charge_list(list.len())?;
    let reversed = list.iter().fold(List::EMPTY, |tail, item| List::cons(item.clone(), tail));
    Ok(Value::List(reversed))
}

fn at(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [list, index] = args else { return mistyped() };
    let list = list_of(list)?;
    let position = index.as_int().and_then(|index| u64::try_from(index).ok());
    match position.filter(|position| *position < list.len()) {
        Some(position) => {
            ctx.charge_work(position)?;
            list.iter().nth(position as usize).cloned().map_or_else(mistyped, Ok)
        }
        None => {
            let shown = show_brief(ctx.program, index, 60);
            let what = match list.len() {
                0 => format!("index {shown} is out of range for an empty list"),
                1 => format!("index {shown} is out of range for a list of 1 element"),
                len => format!("index {shown} is out of range for a list of {len} elements"),
            };
            Err(out_of_range(what))
        }
    }
}

fn drop_(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [list, count] = args else { return mistyped() };
    let list = list_of(list)?;
    let count = clamped_position(count, list.len())?;
    ctx.charge_work(count)?;
    let mut items = list.iter();
    items.by_ref().take(count as usize).for_each(drop);
    Ok(Value::List(items.rest()))
}

fn take(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [list, count] = args else { return mistyped() };
    let list = list_of(list)?;
    let count = clamped_position(count, list.len())?;
    ctx.charge_list(count)?;
    let items: Vec<Value> = list.iter().take(count as usize).cloned().collect();
    Ok(Value::list(items))
}

/// Stable sort by the total order.
fn sort(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [list] = args else { return mistyped() };
    let list = list_of(list)?;
    ctx.charge_list(list.len())?;
    // By reference, so that sorting clones each element once.
    let mut items: Vec<&Value> = list.iter().collect();
    ctx.charge_comparisons(|left| {
        crate::sort::sort(&mut items, |a, b| compare_keys(a, b, left))
    })?;
    Ok(Value::list(items.into_iter().cloned()))
}

/// The integers from `start` (inclusive) to `end` (exclusive).
fn range(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [start, end] = args else { return mistyped() };
    let (start, end) = (big_of(start)?, big_of(end)?);
    if end <= start {
        return Ok(Value::List(List::EMPTY));
    }
    // More than 2^64 elements fit no memory limit.
    let Some(len) = (&end - &start).to_u64() else {
        return Err(Box::new(FaultKind::MemoryLimit));
    };
    ctx.charge_list(len)?;
    take_range(ctx, &start, &end)?;
    if let (Some(start), Some(end)) = (start.to_i64(), end.to_i64()) {
        return Ok(Value::list((start..end).map(Value::Int)));
    }
    Ok(Value::list((0..len).map(|offset| Value::int(&start + BigInt::from(offset)))))
}

/// Charges words for those integers of a range that are not small. None is longer than the longer
/// endpoint.
fn take_range(
    ctx: &mut BuiltinContext<'_, '_>,
    start: &BigInt,
    end: &BigInt,
) -> Result<(), Box<FaultKind>> {
    // The overlap of the range with the small integers; negative if there is none.
    let (low, high) = (BigInt::from(SMALL_INTS.start), BigInt::from(SMALL_INTS.end));
    let n_small = (end.min(&high) - start.max(&low)).max(BigInt::ZERO);
    let n_others = (end - start - n_small).to_u64().unwrap_or(u64::MAX);
    ctx.charge_words(n_others.saturating_mul(words_of_int(start.bits().max(end.bits()))))
}

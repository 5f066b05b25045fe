//! Builtins on maps.

use super::{BuiltinContext, BuiltinResult, BuiltinRows, list_of, mistyped, table_of};
use crate::avl_tree;
use crate::comparison::VisitLimitReached;
use crate::fault::FaultKind;
use crate::limits::{words_of_fields, words_of_table, words_of_table_change};
use crate::value::{RcNodeStore, Value, ValueTable};

pub(super) const ROWS: BuiltinRows = &[
    ("map.empty", |_, _| Ok(Value::Map(ValueTable::empty()))),
    ("map.of", of),
    ("map.len", len),
    ("map.get", get),
    ("map.put", put),
    ("map.remove", remove),
    ("map.entries", entries),
    ("map.keys", keys),
    ("map.values", values),
];

/// Runs a table operation and charges for its comparisons.
pub(super) fn paid<T>(
    ctx: &mut BuiltinContext<'_, '_>,
    operation: impl FnOnce(&mut RcNodeStore<'_>) -> Result<T, VisitLimitReached>,
) -> Result<T, Box<FaultKind>> {
    ctx.charge_comparisons(|visits_left| operation(&mut RcNodeStore { visits_left }))
}

fn of(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [entries] = args else { return mistyped() };
    let entries = list_of(entries)?;
    // For all entries, although equal keys become one node: how many there are is known only after
    // the work.
    ctx.charge_words(words_of_table(entries.len()))?;
    ctx.charge_work(entries.len())?;
    let mut pairs = Vec::with_capacity(entries.len() as usize);
    for entry in entries {
        let [key, value] = entry.fields() else { return mistyped() };
        pairs.push((key, value));
    }
    paid(ctx, |cells| avl_tree::from_entries(cells, &mut pairs)).map(Value::Map)
}

pub(super) fn len(_: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [table] = args else { return mistyped() };
    Ok(Value::Int(table_of(table)?.len() as i64))
}

fn get(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [table, key] = args else { return mistyped() };
    let table = table_of(table)?;
    let found = paid(ctx, |cells| avl_tree::get(cells, table, key))?;
    ctx.option(found.cloned())
}

fn put(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [table, key, value] = args else { return mistyped() };
    let table = table_of(table)?;
    ctx.charge_words(words_of_table_change(table.len()))?;
    paid(ctx, |cells| avl_tree::put(cells, table, key.clone(), value.clone())).map(Value::Map)
}

fn remove(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    without(ctx, args).map(Value::Map)
}

/// Removes a key; the table is unchanged if it does not contain the key.
pub(super) fn without(
    ctx: &mut BuiltinContext<'_, '_>,
    args: &[Value],
) -> Result<ValueTable, Box<FaultKind>> {
    let [table, key] = args else { return mistyped() };
    let table = table_of(table)?;
    ctx.charge_words(words_of_table_change(table.len()))?;
    let without = paid(ctx, |cells| avl_tree::remove(cells, table, key))?;
    Ok(without.unwrap_or_else(|| table.clone()))
}

fn entries(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [table] = args else { return mistyped() };
    let table = table_of(table)?;
    ctx.charge_words(table.len().saturating_mul(words_of_fields(2)))?;
    let pair = |(key, value): (&Value, &Value)| Value::tuple(vec![key.clone(), value.clone()]);
    ctx.list(table.iter().map(pair).collect())
}

pub(super) fn keys(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [table] = args else { return mistyped() };
    ctx.list(table_of(table)?.iter().map(|(key, _)| key.clone()).collect())
}

fn values(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [table] = args else { return mistyped() };
    ctx.list(table_of(table)?.iter().map(|(_, value)| value.clone()).collect())
}

//! Builtins on maps.

use super::{Context, Return, Rows, list_of, mistyped, table_of};
use crate::balanced;
use crate::fault::FaultKind;
use crate::limits::{words_of_change, words_of_fields, words_of_table};
use crate::order::Spent;
use crate::value::{Cells, Table, Value};

pub(super) const ROWS: Rows = &[
    ("map.empty", |_, _| Ok(Value::Map(Table::empty()))),
    ("map.of", of),
    ("map.len", len),
    ("map.get", get),
    ("map.put", put),
    ("map.remove", remove),
    ("map.entries", entries),
    ("map.keys", keys),
    ("map.values", values),
];

/// An operation of a table whose comparisons are paid for.
pub(super) fn paid<T>(
    ctx: &mut Context<'_, '_>,
    operation: impl FnOnce(&mut Cells<'_>) -> Result<T, Spent>,
) -> Result<T, Box<FaultKind>> {
    ctx.comparing(|visits_left| operation(&mut Cells { visits_left }))
}

fn of(ctx: &mut Context<'_, '_>, args: &[Value]) -> Return {
    let [entries] = args else { return mistyped() };
    let entries = list_of(entries)?;
    ctx.take(words_of_table(entries.len()))?;
    ctx.work(entries.len())?;
    let mut pairs = Vec::with_capacity(entries.len() as usize);
    for entry in entries {
        let [key, value] = entry.fields() else { return mistyped() };
        pairs.push((key, value));
    }
    paid(ctx, |cells| balanced::of_entries(cells, &mut pairs)).map(Value::Map)
}

pub(super) fn len(_: &mut Context<'_, '_>, args: &[Value]) -> Return {
    let [table] = args else { return mistyped() };
    Ok(Value::Int(table_of(table)?.len() as i64))
}

fn get(ctx: &mut Context<'_, '_>, args: &[Value]) -> Return {
    let [table, key] = args else { return mistyped() };
    let table = table_of(table)?;
    let found = paid(ctx, |cells| balanced::get(cells, table, key))?;
    ctx.option(found.cloned())
}

fn put(ctx: &mut Context<'_, '_>, args: &[Value]) -> Return {
    let [table, key, value] = args else { return mistyped() };
    let table = table_of(table)?;
    ctx.take(words_of_change(table.len()))?;
    paid(ctx, |cells| balanced::put(cells, table, key.clone(), value.clone())).map(Value::Map)
}

fn remove(ctx: &mut Context<'_, '_>, args: &[Value]) -> Return {
    without(ctx, args).map(Value::Map)
}

/// The table without a key; as it was when the key is not in it.
pub(super) fn without(
    ctx: &mut Context<'_, '_>,
    args: &[Value],
) -> Result<Table, Box<FaultKind>> {
    let [table, key] = args else { return mistyped() };
    let table = table_of(table)?;
    ctx.take(words_of_change(table.len()))?;
    let without = paid(ctx, |cells| balanced::remove(cells, table, key))?;
    Ok(without.unwrap_or_else(|| table.clone()))
}

fn entries(ctx: &mut Context<'_, '_>, args: &[Value]) -> Return {
    let [table] = args else { return mistyped() };
    let table = table_of(table)?;
    ctx.take(table.len().saturating_mul(words_of_fields(2)))?;
    let pair = |(key, value): (&Value, &Value)| Value::tuple(vec![key.clone(), value.clone()]);
    ctx.list(table.iter().map(pair).collect())
}

pub(super) fn keys(ctx: &mut Context<'_, '_>, args: &[Value]) -> Return {
    let [table] = args else { return mistyped() };
    ctx.list(table_of(table)?.iter().map(|(key, _)| key.clone()).collect())
}

fn values(ctx: &mut Context<'_, '_>, args: &[Value]) -> Return {
    let [table] = args else { return mistyped() };
    ctx.list(table_of(table)?.iter().map(|(_, value)| value.clone()).collect())
}

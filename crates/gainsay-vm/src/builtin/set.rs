//! Builtins on sets.

use super::map::{keys, len, paid};
use super::{Context, Return, Rows, list_of, mistyped, table_of};
use crate::limits::{words_of_change, words_of_table};
use crate::value::{Table, Value};

pub(super) const ROWS: Rows = &[
    ("set.empty", |_, _| Ok(Value::Set(Table::empty()))),
    ("set.of", of),
    ("set.len", len),
    ("set.contains", contains),
    ("set.insert", insert),
    ("set.remove", remove),
    ("set.items", keys),
];

fn of(ctx: &mut Context<'_, '_>, args: &[Value]) -> Return {
    let [items] = args else { return mistyped() };
    let items = list_of(items)?;
    ctx.take(words_of_table(items.len()))?;
    ctx.work(items.len())?;
    paid(ctx, || Table::of_items(items.iter().cloned())).map(Value::Set)
}

fn contains(ctx: &mut Context<'_, '_>, args: &[Value]) -> Return {
    let [table, item] = args else { return mistyped() };
    let table = table_of(table)?;
    paid(ctx, || table.get(item).is_some()).map(Value::Bool)
}

fn insert(ctx: &mut Context<'_, '_>, args: &[Value]) -> Return {
    let [table, item] = args else { return mistyped() };
    let table = table_of(table)?;
    ctx.take(words_of_change(table.len()))?;
    paid(ctx, || table.put(item.clone(), Value::UNIT)).map(Value::Set)
}

fn remove(ctx: &mut Context<'_, '_>, args: &[Value]) -> Return {
    let [table, item] = args else { return mistyped() };
    let table = table_of(table)?;
    ctx.take(words_of_change(table.len()))?;
    paid(ctx, || table.remove(item)).map(Value::Set)
}

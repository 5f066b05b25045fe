//! Builtins on sets.

use super::map::{keys, len, paid, without};
use super::{Context, Return, Rows, list_of, mistyped, table_of};
use crate::balanced;
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
    let unit = Value::UNIT;
    let mut entries: Vec<_> = items.iter().map(|item| (item, &unit)).collect();
    paid(ctx, |cells| balanced::of_entries(cells, &mut entries)).map(Value::Set)
}

fn contains(ctx: &mut Context<'_, '_>, args: &[Value]) -> Return {
    let [table, item] = args else { return mistyped() };
    let table = table_of(table)?;
    let found = paid(ctx, |cells| balanced::get(cells, table, item))?;
    Ok(Value::Bool(found.is_some()))
}

fn insert(ctx: &mut Context<'_, '_>, args: &[Value]) -> Return {
    let [table, item] = args else { return mistyped() };
    let table = table_of(table)?;
    ctx.take(words_of_change(table.len()))?;
    let item = item.clone();
    paid(ctx, |cells| balanced::put(cells, table, item, Value::UNIT)).map(Value::Set)
}

fn remove(ctx: &mut Context<'_, '_>, args: &[Value]) -> Return {
    without(ctx, args).map(Value::Set)
}

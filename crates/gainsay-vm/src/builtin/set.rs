//! Builtins on sets.

use super::map::{keys, len, paid, without};
use super::{BuiltinContext, BuiltinResult, BuiltinRows, list_of, mistyped, table_of};
use crate::avl_tree;
use crate::limits::{words_of_table, words_of_table_change};
use crate::value::{Value, ValueTable};

pub(super) const ROWS: BuiltinRows = &[
    ("set.empty", |_, _| Ok(Value::Set(ValueTable::empty()))),
    ("set.of", of),
    ("set.len", len),
    ("set.contains", contains),
    ("set.insert", insert),
    ("set.remove", remove),
    ("set.items", keys),
];

fn of(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [items] = args else { return mistyped() };
    let items = list_of(items)?;
    ctx.charge_words(words_of_table(items.len()))?;
    ctx.charge_work(items.len())?;
    let unit = Value::UNIT;
    let mut entries: Vec<_> = items.iter().map(|item| (item, &unit)).collect();
    paid(ctx, |cells| avl_tree::from_entries(cells, &mut entries)).map(Value::Set)
}

fn contains(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [table, item] = args else { return mistyped() };
    let table = table_of(table)?;
    let found = paid(ctx, |cells| avl_tree::get(cells, table, item))?;
    Ok(Value::Bool(found.is_some()))
}

fn insert(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    let [table, item] = args else { return mistyped() };
    let table = table_of(table)?;
    ctx.charge_words(words_of_table_change(table.len()))?;
    let item = item.clone();
    paid(ctx, |cells| avl_tree::put(cells, table, item, Value::UNIT)).map(Value::Set)
}

fn remove(ctx: &mut BuiltinContext<'_, '_>, args: &[Value]) -> BuiltinResult {
    without(ctx, args).map(Value::Set)
}

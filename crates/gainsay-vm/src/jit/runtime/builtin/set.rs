//! Builtins on sets.

use super::WordBuiltin::Complete;
use super::map::{charge_table_operation, keys, len, without};
use super::{
    WordBuiltinContext, WordBuiltinResult, WordBuiltinRows, list_of, mistyped, table_of,
};
use crate::avl_tree;
use crate::jit::word::{CellKind, Word};
use crate::limits::{words_of_table, words_of_table_change};

pub(super) const ROWS: WordBuiltinRows = &[
    ("set.empty", Complete(|_, _| Ok(Word::EMPTY_SET))),
    ("set.of", Complete(of)),
    ("set.len", Complete(len)),
    ("set.contains", Complete(contains)),
    ("set.insert", Complete(insert)),
    ("set.remove", Complete(|tools, args| without(tools, CellKind::Set, args))),
    ("set.items", Complete(keys)),
];

fn of(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [items] = args else { return mistyped() };
    let items = list_of(*items)?;
    tools.charge_words(words_of_table(items.n_items()))?;
    tools.charge_work(items.n_items())?;
    let mut entries: Vec<_> = items.map(|item| (item, Word::UNIT)).collect();
    charge_table_operation(tools, CellKind::Set, |cells| {
        avl_tree::from_entries(cells, &mut entries)
    })
}

fn contains(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [table, item] = args else { return mistyped() };
    let table = table_of(*table)?.word;
    charge_table_operation(tools, CellKind::Set, |cells| {
        Ok(avl_tree::get(cells, &table, item)?.is_some())
    })
    .map(Word::from)
}

fn insert(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [table, item] = args else { return mistyped() };
    let table = table_of(*table)?;
    tools.charge_words(words_of_table_change(table.len))?;
    charge_table_operation(tools, CellKind::Set, |cells| {
        avl_tree::put(cells, &table.word, *item, Word::UNIT)
    })
}

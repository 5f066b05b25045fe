//! Builtins on sets.

use super::Meaning::Whole;
use super::map::{keys, len, paid, without};
use super::{Return, Rows, Tools, list_of, mistyped, table_of};
use crate::balanced;
use crate::jit::word::{Kind, Word};
use crate::limits::{words_of_change, words_of_table};

pub(super) const ROWS: Rows = &[
    ("set.empty", Whole(|_, _| Ok(Word::EMPTY_SET))),
    ("set.of", Whole(of)),
    ("set.len", Whole(len)),
    ("set.contains", Whole(contains)),
    ("set.insert", Whole(insert)),
    ("set.remove", Whole(|tools, args| without(tools, Kind::Set, args))),
    ("set.items", Whole(keys)),
];

fn of(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [items] = args else { return mistyped() };
    let items = list_of(*items)?;
    tools.take(words_of_table(items.n_items()))?;
    tools.work(items.n_items())?;
    let mut entries: Vec<_> = items.map(|item| (item, Word::UNIT)).collect();
    paid(tools, Kind::Set, |cells| balanced::of_entries(cells, &mut entries))
}

fn contains(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [table, item] = args else { return mistyped() };
    let table = table_of(*table)?.word;
    paid(tools, Kind::Set, |cells| Ok(balanced::get(cells, &table, item)?.is_some()))
        .map(Word::from)
}

fn insert(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [table, item] = args else { return mistyped() };
    let table = table_of(*table)?;
    tools.take(words_of_change(table.len))?;
    paid(tools, Kind::Set, |cells| balanced::put(cells, &table.word, *item, Word::UNIT))
}

//! Builtins on maps: nodes are cells of the arena.

use std::cmp::Ordering;

use super::Meaning::Whole;
use super::{Return, Rows, Stop, Tools, list_of, mistyped, table_of};
use crate::balanced::{self, Node, Nodes, Root};
use crate::fault::FaultKind;
use crate::jit::heap::Heap;
use crate::jit::runtime::order::{Entries, order_within};
use crate::jit::word::{Kind, Word};
use crate::limits::{words_of_change, words_of_fields, words_of_table};

pub(super) const ROWS: Rows = &[
    ("map.empty", Whole(|_, _| Ok(Word::EMPTY_MAP))),
    ("map.of", Whole(of)),
    ("map.len", Whole(len)),
    ("map.get", Whole(get)),
    ("map.put", Whole(put)),
    ("map.remove", Whole(|tools, args| without(tools, Kind::Map, args))),
    ("map.entries", Whole(entries)),
    ("map.keys", Whole(keys)),
    ("map.values", Whole(values)),
];

/// Nodes in the arena, and the visits left for comparing their keys.
pub(super) struct Cells<'a> {
    heap: &'a mut Heap,
    /// A map or a set.
    kind: Kind,
    visits_left: &'a mut u64,
}

impl Nodes for Cells<'_> {
    type Item = Word;
    type Tree = Word;
    type Stop = Stop;

    fn empty(&self) -> Word {
        if self.kind == Kind::Set { Word::EMPTY_SET } else { Word::EMPTY_MAP }
    }

    #[inline]
    fn root(tree: &Word) -> Option<Root<'_, Word, Word>> {
        let (len, height, [key, value, left, right]) = tree.node()?;
        Some(Root { key, value, left, right, height, len })
    }

    fn make(&mut self, node: Node<Word, Word>) -> Result<Word, Stop> {
        let Node { key, value, left, right, height, len } = node;
        let parts = [key, value, left, right];
        Ok(self.heap.node(self.kind, (len, u32::from(height)), parts)?)
    }

    #[inline]
    fn compare(&mut self, a: &Word, b: &Word) -> Result<Ordering, Stop> {
        Ok(order_within(*a, *b, self.visits_left)?)
    }
}

/// An operation of a table whose comparisons are paid for.
pub(super) fn paid<T>(
    tools: &mut Tools<'_>,
    kind: Kind,
    operation: impl FnOnce(&mut Cells<'_>) -> Result<T, Stop>,
) -> Result<T, Box<FaultKind>> {
    tools.comparing(|heap, visits_left| operation(&mut Cells { heap, kind, visits_left }))
}

fn of(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [entries] = args else { return mistyped() };
    let entries = list_of(*entries)?;
    tools.take(words_of_table(entries.n_items()))?;
    tools.work(entries.n_items())?;
    let mut pairs = Vec::with_capacity(entries.len());
    for entry in entries {
        let [key, value] = entry.fields() else { return mistyped() };
        pairs.push((*key, *value));
    }
    paid(tools, Kind::Map, |cells| balanced::of_entries(cells, &mut pairs))
}

pub(super) fn len(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [table] = args else { return mistyped() };
    Ok(tools.heap.int(table_of(*table)?.len as i64)?)
}

fn get(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [table, key] = args else { return mistyped() };
    let table = table_of(*table)?.word;
    let found =
        paid(tools, Kind::Map, |cells| Ok(balanced::get(cells, &table, key)?.copied()))?;
    tools.option(found)
}

fn put(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [table, key, value] = args else { return mistyped() };
    let table = table_of(*table)?;
    tools.take(words_of_change(table.len))?;
    paid(tools, Kind::Map, |cells| balanced::put(cells, &table.word, *key, *value))
}

/// The table without a key; as it was when the key is not in it.
pub(super) fn without(tools: &mut Tools<'_>, kind: Kind, args: &[Word]) -> Return {
    let [table, key] = args else { return mistyped() };
    let table = table_of(*table)?;
    tools.take(words_of_change(table.len))?;
    let without = paid(tools, kind, |cells| balanced::remove(cells, &table.word, key))?;
    Ok(without.unwrap_or(table.word))
}

fn entries(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [table] = args else { return mistyped() };
    let table = table_of(*table)?;
    tools.take(table.len.saturating_mul(words_of_fields(2)))?;
    tools.take_list(table.len)?;
    let mut pairs = Vec::with_capacity(table.len as usize);
    for (key, value) in Entries::of(table.word) {
        pairs.push(tools.heap.tuple(&[key, value])?);
    }
    Ok(tools.heap.list(pairs.into_iter(), Word::NIL)?)
}

pub(super) fn keys(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [table] = args else { return mistyped() };
    let table = table_of(*table)?.word;
    tools.list(Entries::of(table).map(|(key, _)| key))
}

fn values(tools: &mut Tools<'_>, args: &[Word]) -> Return {
    let [table] = args else { return mistyped() };
    let table = table_of(*table)?.word;
    tools.list(Entries::of(table).map(|(_, value)| value))
}

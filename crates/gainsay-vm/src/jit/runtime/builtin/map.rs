//! Builtins on maps, whose nodes are cells of the arena.

use std::cmp::Ordering;

use super::WordBuiltin::Complete;
use super::{
    WordBuiltinContext, WordBuiltinResult, WordBuiltinRows, WordOperationError, list_of,
    mistyped, table_of,
};
use crate::avl_tree::{self, NewTreeNode, NodeStore, TreeNodeRef};
use crate::fault::FaultKind;
use crate::jit::arena::Arena;
use crate::jit::runtime::comparison::{WordTableEntries, compare_keys};
use crate::jit::word::{CellKind, Word};
use crate::limits::{words_of_fields, words_of_table, words_of_table_change};

pub(super) const ROWS: WordBuiltinRows = &[
    ("map.empty", Complete(|_, _| Ok(Word::EMPTY_MAP))),
    ("map.of", Complete(of)),
    ("map.len", Complete(len)),
    ("map.get", Complete(get)),
    ("map.put", Complete(put)),
    ("map.remove", Complete(|tools, args| without(tools, CellKind::Map, args))),
    ("map.entries", Complete(entries)),
    ("map.keys", Complete(keys)),
    ("map.values", Complete(values)),
];

/// Nodes in the arena, and the remaining visits for comparing keys.
pub(super) struct ArenaNodeStore<'a> {
    heap: &'a mut Arena,
    /// A map or a set.
    kind: CellKind,
    visits_left: &'a mut u64,
}

impl NodeStore for ArenaNodeStore<'_> {
    type Item = Word;
    type Tree = Word;
    type Stop = WordOperationError;

    fn empty(&self) -> Word {
        if self.kind == CellKind::Set { Word::EMPTY_SET } else { Word::EMPTY_MAP }
    }

    #[inline]
    fn root(tree: &Word) -> Option<TreeNodeRef<'_, Word, Word>> {
        let (len, height, [key, value, left, right]) = tree.table_words()?;
        Some(TreeNodeRef { key, value, left, right, height, len })
    }

    fn make(&mut self, node: NewTreeNode<Word, Word>) -> Result<Word, WordOperationError> {
        let NewTreeNode { key, value, left, right, height, len } = node;
        let parts = [key, value, left, right];
        Ok(self.heap.table_node(self.kind, (len, u32::from(height)), parts)?)
    }

    #[inline]
    fn compare(&mut self, a: &Word, b: &Word) -> Result<Ordering, WordOperationError> {
        Ok(compare_keys(*a, *b, self.visits_left)?)
    }
}

/// Runs a table operation and charges for its comparisons.
pub(super) fn charge_table_operation<T>(
    tools: &mut WordBuiltinContext<'_>,
    kind: CellKind,
    operation: impl FnOnce(&mut ArenaNodeStore<'_>) -> Result<T, WordOperationError>,
) -> Result<T, Box<FaultKind>> {
    tools.charge_comparisons(|heap, visits_left| {
        operation(&mut ArenaNodeStore { heap, kind, visits_left })
    })
}

fn of(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [entries] = args else { return mistyped() };
    let entries = list_of(*entries)?;
    tools.charge_words(words_of_table(entries.n_items()))?;
    tools.charge_work(entries.n_items())?;
    let mut pairs = Vec::with_capacity(entries.len());
    for entry in entries {
        let [key, value] = entry.fields() else { return mistyped() };
        pairs.push((*key, *value));
    }
    // The builtin has charged for the nodes, so storing them allocates without a charge.
    charge_table_operation(tools, CellKind::Map, |cells| {
        avl_tree::from_entries(cells, &mut pairs)
    })
}

pub(super) fn len(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [table] = args else { return mistyped() };
    Ok(tools.heap.int(table_of(*table)?.len as i64)?)
}

fn get(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [table, key] = args else { return mistyped() };
    let table = table_of(*table)?.word;
    let found = charge_table_operation(tools, CellKind::Map, |cells| {
        Ok(avl_tree::get(cells, &table, key)?.copied())
    })?;
    tools.option(found)
}

fn put(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [table, key, value] = args else { return mistyped() };
    let table = table_of(*table)?;
    tools.charge_words(words_of_table_change(table.len))?;
    charge_table_operation(tools, CellKind::Map, |cells| {
        avl_tree::put(cells, &table.word, *key, *value)
    })
}

/// Removes a key; the table is unchanged if it does not contain the key.
pub(super) fn without(
    tools: &mut WordBuiltinContext<'_>,
    kind: CellKind,
    args: &[Word],
) -> WordBuiltinResult {
    let [table, key] = args else { return mistyped() };
    let table = table_of(*table)?;
    tools.charge_words(words_of_table_change(table.len))?;
    // Charged above even if nothing is removed: the words of an operation depend on the size alone.
    let without =
        charge_table_operation(tools, kind, |cells| avl_tree::remove(cells, &table.word, key))?;
    Ok(without.unwrap_or(table.word))
}

fn entries(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [table] = args else { return mistyped() };
    let table = table_of(*table)?;
    tools.charge_words(table.len.saturating_mul(words_of_fields(2)))?;
    tools.charge_list(table.len)?;
    let mut pairs = Vec::with_capacity(table.len as usize);
    for (key, value) in WordTableEntries::of(table.word) {
        pairs.push(tools.heap.tuple(&[key, value])?);
    }
    Ok(tools.heap.list(pairs.into_iter(), Word::NIL)?)
}

pub(super) fn keys(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [table] = args else { return mistyped() };
    let table = table_of(*table)?.word;
    tools.list(WordTableEntries::of(table).map(|(key, _)| key))
}

fn values(tools: &mut WordBuiltinContext<'_>, args: &[Word]) -> WordBuiltinResult {
    let [table] = args else { return mistyped() };
    let table = table_of(*table)?.word;
    tools.list(WordTableEntries::of(table).map(|(_, value)| value))
}

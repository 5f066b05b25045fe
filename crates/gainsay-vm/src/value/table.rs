//! Maps and sets: balanced trees of reference-counted nodes, in the total order of values.

use std::cmp::Ordering;
use std::fmt;
use std::rc::Rc;

use super::Value;
use super::live_memory::{MemoryCharge, release, shared_address};
use crate::avl_tree::{self, NewTreeNode, NodeStore, TreeIter, TreeNodeRef};
use crate::comparison::{VisitLimitReached, compare_keys};

/// The entries of a map, or the elements of a set, in ascending order.
#[derive(Clone, Default)]
pub struct ValueTable(Option<Rc<TableCell>>);

struct TableCell {
    key: Value,
    value: Value,
    left: ValueTable,
    right: ValueTable,
    len: u64,
    height: u8,
    _charge: MemoryCharge,
}

impl ValueTable {
    /// The empty table.
    pub const fn empty() -> Self {
        Self(None)
    }

    /// A map of entries; among equal keys, the last wins.
    pub fn from_entries(entries: impl IntoIterator<Item = (Value, Value)>) -> Self {
        let entries: Vec<(Value, Value)> = entries.into_iter().collect();
        // Sorted by reference: references are cheap to move, and only kept entries are cloned.
        let mut parts: Vec<_> = entries.iter().map(|(key, value)| (key, value)).collect();
        without_visit_limit(|cells| avl_tree::from_entries(cells, &mut parts))
    }

    /// A set of elements.
    pub fn from_items(items: impl IntoIterator<Item = Value>) -> Self {
        Self::from_entries(items.into_iter().map(|item| (item, Value::UNIT)))
    }

    /// Number of entries.
    pub fn len(&self) -> u64 {
        avl_tree::len::<RcNodeStore<'_>>(self)
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Looks up a key.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        without_visit_limit(|cells| avl_tree::get(cells, self, key))
    }

    /// Inserts an entry, or replaces the one with an equal key.
    #[must_use]
    pub fn put(&self, key: Value, value: Value) -> Self {
        without_visit_limit(|cells| avl_tree::put(cells, self, key, value))
    }

    /// Removes a key.
    #[must_use]
    pub fn remove(&self, key: &Value) -> Self {
        without_visit_limit(|cells| avl_tree::remove(cells, self, key))
            .unwrap_or_else(|| self.clone())
    }

    /// The entry with the smallest key.
    pub fn first(&self) -> Option<(&Value, &Value)> {
        avl_tree::first::<RcNodeStore<'_>>(self)
    }

    /// The entry with the largest key.
    pub fn last(&self) -> Option<(&Value, &Value)> {
        avl_tree::last::<RcNodeStore<'_>>(self)
    }

    /// The root entry and both subtrees.
    pub(crate) fn split_root(&self) -> Option<(&Value, &Value, &Self, &Self)> {
        self.0.as_deref().map(|cell| (&cell.key, &cell.value, &cell.left, &cell.right))
    }

    /// A table from a root entry and two balanced subtrees.
    pub(crate) fn from_root(key: Value, value: Value, left: Self, right: Self) -> Self {
        let len = left.len() + right.len() + 1;
        let height = left.height().max(right.height()) + 1;
        let node = NewTreeNode { key, value, left, right, height, len };
        // The caller copies a balanced table node by node, so nothing is compared or rotated.
        without_visit_limit(|cells| cells.make(node))
    }

    /// Number of entries on the longest path down.
    pub(crate) fn height(&self) -> u8 {
        self.0.as_ref().map_or(0, |cell| cell.height)
    }

    /// The address of the root node, if it is shared.
    pub(crate) fn shared_address(&self) -> Option<u64> {
        self.0.as_ref().and_then(shared_address)
    }

    /// Iterates over the entries in ascending key order.
    pub fn iter(&self) -> ValueTableIter<'_> {
        ValueTableIter(TreeIter::new(self))
    }
}

/// Iterates over the entries of a table in ascending key order.
pub struct ValueTableIter<'a>(TreeIter<'a, RcNodeStore<'static>>);

impl<'a> Iterator for ValueTableIter<'a> {
    type Item = (&'a Value, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

/// Reference-counted nodes, and the remaining visits for comparing keys.
pub(crate) struct RcNodeStore<'a> {
    pub(crate) visits_left: &'a mut u64,
}

impl NodeStore for RcNodeStore<'_> {
    type Item = Value;
    type Tree = ValueTable;
    type Stop = VisitLimitReached;

    fn empty(&self) -> ValueTable {
        ValueTable::empty()
    }

    #[inline]
    fn root(tree: &ValueTable) -> Option<TreeNodeRef<'_, Value, ValueTable>> {
        let TableCell { key, value, left, right, len, height, _charge } = tree.0.as_deref()?;
        Some(TreeNodeRef { key, value, left, right, height: *height, len: *len })
    }

    fn make(
        &mut self,
        node: NewTreeNode<Value, ValueTable>,
    ) -> Result<ValueTable, VisitLimitReached> {
        let NewTreeNode { key, value, left, right, height, len } = node;
        let charge = MemoryCharge::new(size_of::<TableCell>() as u64 + 16);
        let cell = TableCell { key, value, left, right, len, height, _charge: charge };
        Ok(ValueTable(Some(Rc::new(cell))))
    }

    #[inline]
    fn compare(&mut self, a: &Value, b: &Value) -> Result<Ordering, VisitLimitReached> {
        compare_keys(a, b, self.visits_left)
    }
}

/// Runs an operation without a limit on comparisons.
fn without_visit_limit<T>(
    operation: impl FnOnce(&mut RcNodeStore<'_>) -> Result<T, VisitLimitReached>,
) -> T {
    let mut visits_left = u64::MAX;
    let result = operation(&mut RcNodeStore { visits_left: &mut visits_left });
    result.unwrap_or_else(|VisitLimitReached| unreachable!("nobody waits for that many visits"))
}

impl Drop for TableCell {
    fn drop(&mut self) {
        if self.key.has_parts() || self.value.has_parts() {
            release([&mut self.key, &mut self.value].into_iter());
        }
        for side in [&mut self.left, &mut self.right] {
            // Most subtrees live on in another table. Others are released like any part, so that
            // the heights of nested tables do not add up to deep recursion.
            let side = std::mem::take(side);
            // Shared subtrees are only decremented.
            if side.0.as_ref().is_some_and(|cell| Rc::strong_count(cell) == 1) {
                release(std::iter::once(&mut Value::Map(side)));
            }
        }
    }
}

impl fmt::Debug for ValueTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

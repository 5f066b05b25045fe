//! Maps and sets: balanced trees of counted nodes, ordered by the total order of values.

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
    /// No entries.
    pub const fn empty() -> Self {
        Self(None)
    }

    /// A map of entries; the later wins.
    pub fn from_entries(entries: impl IntoIterator<Item = (Value, Value)>) -> Self {
        let entries: Vec<(Value, Value)> = entries.into_iter().collect();
        let mut parts: Vec<_> = entries.iter().map(|(key, value)| (key, value)).collect();
        without_visit_limit(|cells| avl_tree::from_entries(cells, &mut parts))
    }

    /// A set of elements.
    pub fn from_items(items: impl IntoIterator<Item = Value>) -> Self {
        Self::from_entries(items.into_iter().map(|item| (item, Value::UNIT)))
    }

    /// How many entries there are.
    pub fn len(&self) -> u64 {
        avl_tree::len::<RcNodeStore<'_>>(self)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The value of a key.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        without_visit_limit(|cells| avl_tree::get(cells, self, key))
    }

    /// The table with one entry more, or another one for its key.
    #[must_use]
    pub fn put(&self, key: Value, value: Value) -> Self {
        without_visit_limit(|cells| avl_tree::put(cells, self, key, value))
    }

    /// The table without a key.
    #[must_use]
    pub fn remove(&self, key: &Value) -> Self {
        without_visit_limit(|cells| avl_tree::remove(cells, self, key))
            .unwrap_or_else(|| self.clone())
    }

    /// The entry with the lowest key.
    pub fn first(&self) -> Option<(&Value, &Value)> {
        avl_tree::first::<RcNodeStore<'_>>(self)
    }

    /// The entry with the highest key.
    pub fn last(&self) -> Option<(&Value, &Value)> {
        avl_tree::last::<RcNodeStore<'_>>(self)
    }

    /// The topmost entry, and the tables of those before and after it.
    pub(crate) fn split_root(&self) -> Option<(&Value, &Value, &Self, &Self)> {
        self.0.as_deref().map(|cell| (&cell.key, &cell.value, &cell.left, &cell.right))
    }

    /// The table of an entry that is between two tables of about the same height.
    pub(crate) fn from_root(key: Value, value: Value, left: Self, right: Self) -> Self {
        let len = left.len() + right.len() + 1;
        let height = left.height().max(right.height()) + 1;
        let node = NewTreeNode { key, value, left, right, height, len };
        without_visit_limit(|cells| cells.make(node))
    }

    /// Entries on the longest way down.
    pub(crate) fn height(&self) -> u8 {
        self.0.as_ref().map_or(0, |cell| cell.height)
    }

    /// Where the topmost entry is stored, if others refer to it too.
    pub(crate) fn shared_address(&self) -> Option<u64> {
        self.0.as_ref().and_then(shared_address)
    }

    /// The entries in ascending order of keys.
    pub fn iter(&self) -> ValueTableIter<'_> {
        ValueTableIter(TreeIter::new(self))
    }
}

/// The entries of a table in ascending order of keys.
pub struct ValueTableIter<'a>(TreeIter<'a, RcNodeStore<'static>>);

impl<'a> Iterator for ValueTableIter<'a> {
    type Item = (&'a Value, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

/// Nodes that are counted by reference, and the visits left for comparing their keys.
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

/// An operation that may compare as much as it likes.
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
            // Most sides live on in another table. Else they are parts like any other, so
            // that the heights of tables in tables do not add up.
            let side = std::mem::take(side);
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

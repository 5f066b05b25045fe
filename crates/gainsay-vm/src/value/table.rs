//! Maps and sets: balanced trees of counted nodes, ordered by the total order of values.

use std::cmp::Ordering;
use std::fmt;
use std::rc::Rc;

use super::Value;
use super::live::{Charge, release, shared_at};
use crate::balanced::{self, Iter, Node, Nodes, Root};
use crate::order::{Spent, order_within};

/// The entries of a map, or the elements of a set, in ascending order.
#[derive(Clone, Default)]
pub struct Table(Option<Rc<Cell>>);

struct Cell {
    key: Value,
    value: Value,
    left: Table,
    right: Table,
    len: u64,
    height: u8,
    _charge: Charge,
}

impl Table {
    /// No entries.
    pub const fn empty() -> Self {
        Self(None)
    }

    /// A map of entries; the later wins.
    pub fn of_entries(entries: impl IntoIterator<Item = (Value, Value)>) -> Self {
        let entries: Vec<(Value, Value)> = entries.into_iter().collect();
        let mut parts: Vec<_> = entries.iter().map(|(key, value)| (key, value)).collect();
        unbounded(|cells| balanced::of_entries(cells, &mut parts))
    }

    /// A set of elements.
    pub fn of_items(items: impl IntoIterator<Item = Value>) -> Self {
        Self::of_entries(items.into_iter().map(|item| (item, Value::UNIT)))
    }

    /// How many entries there are.
    pub fn len(&self) -> u64 {
        balanced::len::<Cells<'_>>(self)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The value of a key.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        unbounded(|cells| balanced::get(cells, self, key))
    }

    /// The table with one entry more, or another one for its key.
    #[must_use]
    pub fn put(&self, key: Value, value: Value) -> Self {
        unbounded(|cells| balanced::put(cells, self, key, value))
    }

    /// The table without a key.
    #[must_use]
    pub fn remove(&self, key: &Value) -> Self {
        unbounded(|cells| balanced::remove(cells, self, key)).unwrap_or_else(|| self.clone())
    }

    /// The entry with the lowest key.
    pub fn first(&self) -> Option<(&Value, &Value)> {
        balanced::first::<Cells<'_>>(self)
    }

    /// The entry with the highest key.
    pub fn last(&self) -> Option<(&Value, &Value)> {
        balanced::last::<Cells<'_>>(self)
    }

    /// The topmost entry, and the tables of those before and after it.
    pub(crate) fn split_root(&self) -> Option<(&Value, &Value, &Self, &Self)> {
        self.0.as_deref().map(|cell| (&cell.key, &cell.value, &cell.left, &cell.right))
    }

    /// The table of an entry that is between two tables of about the same height.
    pub(crate) fn of_root(key: Value, value: Value, left: Self, right: Self) -> Self {
        let len = left.len() + right.len() + 1;
        let height = left.height().max(right.height()) + 1;
        let node = Node { key, value, left, right, height, len };
        unbounded(|cells| cells.make(node))
    }

    /// Entries on the longest way down.
    pub(crate) fn height(&self) -> u8 {
        self.0.as_ref().map_or(0, |cell| cell.height)
    }

    /// Where the topmost entry is stored, if others refer to it too.
    pub(crate) fn shared_at(&self) -> Option<u64> {
        self.0.as_ref().and_then(shared_at)
    }

    /// The entries in ascending order of keys.
    pub fn iter(&self) -> TableIter<'_> {
        TableIter(Iter::new(self))
    }
}

/// The entries of a table in ascending order of keys.
pub struct TableIter<'a>(Iter<'a, Cells<'static>>);

impl<'a> Iterator for TableIter<'a> {
    type Item = (&'a Value, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

/// Nodes that are counted by reference, and the visits left for comparing their keys.
pub(crate) struct Cells<'a> {
    pub(crate) visits_left: &'a mut u64,
}

impl Nodes for Cells<'_> {
    type Item = Value;
    type Tree = Table;
    type Stop = Spent;

    fn empty(&self) -> Table {
        Table::empty()
    }

    #[inline]
    fn root(tree: &Table) -> Option<Root<'_, Value, Table>> {
        let Cell { key, value, left, right, len, height, _charge } = tree.0.as_deref()?;
        Some(Root { key, value, left, right, height: *height, len: *len })
    }

    fn make(&mut self, node: Node<Value, Table>) -> Result<Table, Spent> {
        let Node { key, value, left, right, height, len } = node;
        let charge = Charge::new(size_of::<Cell>() as u64 + 16);
        let cell = Cell { key, value, left, right, len, height, _charge: charge };
        Ok(Table(Some(Rc::new(cell))))
    }

    #[inline]
    fn compare(&mut self, a: &Value, b: &Value) -> Result<Ordering, Spent> {
        order_within(a, b, self.visits_left)
    }
}

/// An operation that may compare as much as it likes.
fn unbounded<T>(operation: impl FnOnce(&mut Cells<'_>) -> Result<T, Spent>) -> T {
    let mut visits_left = u64::MAX;
    let result = operation(&mut Cells { visits_left: &mut visits_left });
    result.unwrap_or_else(|Spent| unreachable!("nobody waits for that many visits"))
}

impl Drop for Cell {
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

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

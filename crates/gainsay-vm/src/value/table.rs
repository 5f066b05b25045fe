//! Maps and sets: persistent balanced trees, ordered by the total order of values.
//!
//! The only file that knows which library the trees come from.

use std::cmp::Ordering;
use std::fmt;
use std::rc::Rc;

use rpds::RedBlackTreeMap;

use super::Value;
use super::live::{Charge, release};
use crate::order::order_within_budget;

/// What one entry costs: its own cell and its share of the nodes above it.
const ENTRY_BYTES: u64 = 144;
/// What a path of copied nodes costs, per level.
const NODE_BYTES: u64 = 48;

/// The entries of a map, or the elements of a set, in ascending order.
#[derive(Clone)]
pub struct Table(Rc<Cell>);

struct Cell {
    tree: Tree,
    _charge: Charge,
}

type Tree = RedBlackTreeMap<Key, Slot>;

struct Key(
    Value,
    #[expect(dead_code, reason = "counts memory for as long as it lives")] Charge,
);

/// The value of an entry, in a cell that takes itself apart without deep recursion.
struct Slot(Value);

impl Table {
    /// No entries.
    pub fn empty() -> Self {
        Self::of_tree(Tree::new())
    }

    /// A map of entries; the later wins.
    pub fn of_entries(entries: impl IntoIterator<Item = (Value, Value)>) -> Self {
        let mut tree = Tree::new();
        for (key, value) in entries {
            tree.insert_mut(Key::new(key), Slot(value));
        }
        Self::of_tree(tree)
    }

    /// A set of elements.
    pub fn of_items(items: impl IntoIterator<Item = Value>) -> Self {
        Self::of_entries(items.into_iter().map(|item| (item, Value::UNIT)))
    }

    fn of_tree(tree: Tree) -> Self {
        let levels = u64::from((tree.size() as u64 + 1).ilog2());
        let charge = Charge::new(64 + NODE_BYTES * levels);
        Self(Rc::new(Cell { tree, _charge: charge }))
    }

    /// How many entries there are.
    pub fn len(&self) -> u64 {
        self.0.tree.size() as u64
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a key.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        // The library looks up by the key type only, and a probe costs one clone.
        self.0.tree.get(&Key::probe(key)).map(|slot| &slot.0)
    }

    /// The table with one entry more, or another value for its key.
    #[must_use]
    pub fn put(&self, key: Value, value: Value) -> Self {
        Self::of_tree(self.0.tree.insert(Key::new(key), Slot(value)))
    }

    /// The table without a key.
    #[must_use]
    pub fn remove(&self, key: &Value) -> Self {
        Self::of_tree(self.0.tree.remove(&Key::probe(key)))
    }

    /// The entries in ascending order of keys.
    pub fn iter(&self) -> TableIter<'_> {
        TableIter(Box::new(self.0.tree.iter().map(|(key, slot)| (&key.0, &slot.0))))
    }
}

/// The entries of a table in ascending order of keys.
pub struct TableIter<'a>(Box<dyn Iterator<Item = (&'a Value, &'a Value)> + 'a>);

impl<'a> Iterator for TableIter<'a> {
    type Item = (&'a Value, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

impl Key {
    fn new(value: Value) -> Self {
        Self(value, Charge::new(ENTRY_BYTES))
    }

    fn probe(value: &Value) -> Self {
        Self(value.clone(), Charge::new(0))
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        order_within_budget(&self.0, &other.0)
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        release(std::iter::once(&mut self.0));
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        release(std::iter::once(&mut self.0));
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

//! Balanced search trees: the algorithm behind maps and sets, generic over node storage.
//!
//! These are persistent AVL trees (Adelson-Velsky and Landis, "An algorithm for the organization of
//! information", 1962): the heights of siblings differ by at most one. An update copies the path to
//! the changed node and shares the rest. Which keys are compared, in which order, and which nodes
//! are allocated depends only on the tree and the comparison results, so engines that store nodes
//! differently count the same steps and words.
//!
//! Nodes that an operation allocates, for a tree of height `h`:
//!
//! - `put`: at most `h + 3`. One is new, each on the path is copied, and a rotation, of which there
//!   is at most one, allocates two more.
//! - `remove`: at most `3 (h - 1) / 2`. A level that rotates allocates up to three, but there the
//!   path was the lower side, so its height falls by two.
//! - `from_entries`: one for each key.
//!
//! A tree of `n` keys is at most `1.4405 log2(n + 2) - 0.3277` high.

use std::borrow::Borrow;
use std::cmp::Ordering;

use crate::sort::sort;

/// Stores nodes and compares keys.
pub(crate) trait NodeStore {
    /// A key or a value.
    type Item: Clone;
    /// A tree, possibly empty.
    type Tree: Clone;
    /// Why an operation aborts.
    type Stop;

    /// The empty tree.
    fn empty(&self) -> Self::Tree;

    /// The root node; `None` if the tree is empty.
    fn root(tree: &Self::Tree) -> Option<TreeNodeRef<'_, Self::Item, Self::Tree>>;

    /// Stores a node.
    fn make(
        &mut self,
        node: NewTreeNode<Self::Item, Self::Tree>,
    ) -> Result<Self::Tree, Self::Stop>;

    /// The order of two keys.
    fn compare(&mut self, a: &Self::Item, b: &Self::Item) -> Result<Ordering, Self::Stop>;
}

/// A node to be stored.
pub(crate) struct NewTreeNode<Item, Tree> {
    pub(crate) key: Item,
    pub(crate) value: Item,
    pub(crate) left: Tree,
    pub(crate) right: Tree,
    /// Number of nodes on the longest path down, including this one.
    pub(crate) height: u8,
    /// Number of nodes in the tree, including this one.
    pub(crate) len: u64,
}

/// A borrowed view of a stored node.
pub(crate) struct TreeNodeRef<'t, Item, Tree> {
    pub(crate) key: &'t Item,
    pub(crate) value: &'t Item,
    pub(crate) left: &'t Tree,
    pub(crate) right: &'t Tree,
    pub(crate) height: u8,
    pub(crate) len: u64,
}

type TreeNodeRefOf<'t, N> = TreeNodeRef<'t, <N as NodeStore>::Item, <N as NodeStore>::Tree>;

/// A tree, or the reason why the operation aborted.
type TreeResult<N> = Result<<N as NodeStore>::Tree, <N as NodeStore>::Stop>;

/// Number of entries.
pub(crate) fn len<N: NodeStore>(tree: &N::Tree) -> u64 {
    N::root(tree).map_or(0, |root| root.len)
}

/// Looks up a key, with one comparison per level.
pub(crate) fn get<'t, N: NodeStore>(
    nodes: &mut N,
    tree: &'t N::Tree,
    key: &N::Item,
) -> Result<Option<&'t N::Item>, N::Stop> {
    let mut tree = tree;
    while let Some(root) = N::root(tree) {
        tree = match nodes.compare(key, root.key)? {
            Ordering::Less => root.left,
            Ordering::Equal => return Ok(Some(root.value)),
            Ordering::Greater => root.right,
        };
    }
    Ok(None)
}

/// Inserts an entry. An entry with an equal key is replaced including its key: equal keys may print
/// differently, as `0.0` and `-0.0` do, and the later one wins.
pub(crate) fn put<N: NodeStore>(
    nodes: &mut N,
    tree: &N::Tree,
    key: N::Item,
    value: N::Item,
) -> TreeResult<N> {
    let Some(root) = N::root(tree) else {
        let (left, right) = (nodes.empty(), nodes.empty());
        return join(nodes, key, value, left, right);
    };
    match nodes.compare(&key, root.key)? {
        Ordering::Less => {
            let left = put(nodes, root.left, key, value)?;
            with_left(nodes, &root, left)
        }
        // No rebalancing: neither subtree changes.
        Ordering::Equal => join(nodes, key, value, root.left.clone(), root.right.clone()),
        Ordering::Greater => {
            let right = put(nodes, root.right, key, value)?;
            with_right(nodes, &root, right)
        }
    }
}

/// Removes a key; `None` if the tree does not contain it.
pub(crate) fn remove<N: NodeStore>(
    nodes: &mut N,
    tree: &N::Tree,
    key: &N::Item,
) -> Result<Option<N::Tree>, N::Stop> {
    let Some(root) = N::root(tree) else { return Ok(None) };
    match nodes.compare(key, root.key)? {
        Ordering::Less => match remove(nodes, root.left, key)? {
            Some(left) => with_left(nodes, &root, left).map(Some),
            None => Ok(None),
        },
        Ordering::Equal => without_root(nodes, &root).map(Some),
        Ordering::Greater => match remove(nodes, root.right, key)? {
            Some(right) => with_right(nodes, &root, right).map(Some),
            None => Ok(None),
        },
    }
}

/// Builds a tree from entries in any order. Among equal keys, the last wins.
pub(crate) fn from_entries<N: NodeStore, E: Copy + Borrow<N::Item>>(
    nodes: &mut N,
    entries: &mut [(E, E)],
) -> TreeResult<N> {
    // The sort is stable, so the last of several equal keys is also the last in its run.
    sort(entries, |(a, _), (b, _)| nodes.compare(a.borrow(), b.borrow()))?;
    let mut n_kept = 0;
    for at in 0..entries.len() {
        let is_again = n_kept > 0 && {
            let (before, this) = (&entries[n_kept - 1].0, &entries[at].0);
            nodes.compare(before.borrow(), this.borrow())?.is_eq()
        };
        n_kept += usize::from(!is_again);
        // A duplicate overwrites its predecessor, key included, as in `put`.
        entries[n_kept - 1] = entries[at];
    }
    from_sorted(nodes, &entries[..n_kept])
}

/// Builds a balanced tree: the halves differ in size by at most one, and so do their heights.
fn from_sorted<N: NodeStore, E: Borrow<N::Item>>(
    nodes: &mut N,
    entries: &[(E, E)],
) -> TreeResult<N> {
    let (before, rest) = entries.split_at(entries.len() / 2);
    let Some(((key, value), after)) = rest.split_first() else { return Ok(nodes.empty()) };
    let left = from_sorted(nodes, before)?;
    let right = from_sorted(nodes, after)?;
    join(nodes, key.borrow().clone(), value.borrow().clone(), left, right)
}

/// The entry with the smallest key.
pub(crate) fn first<N: NodeStore>(tree: &N::Tree) -> Option<(&N::Item, &N::Item)> {
    let mut root = N::root(tree)?;
    while let Some(left) = N::root(root.left) {
        root = left;
    }
    Some((root.key, root.value))
}

/// The entry with the largest key.
pub(crate) fn last<N: NodeStore>(tree: &N::Tree) -> Option<(&N::Item, &N::Item)> {
    let mut root = N::root(tree)?;
    while let Some(right) = N::root(root.right) {
        root = right;
    }
    Some((root.key, root.value))
}

/// Iterates over the entries in ascending key order.
pub(crate) struct TreeIter<'t, N: NodeStore> {
    /// Subtrees whose root and right child are still to be visited, the next one on top.
    path: Vec<&'t N::Tree>,
}

impl<'t, N: NodeStore<Item: 't>> TreeIter<'t, N> {
    pub(crate) fn new(tree: &'t N::Tree) -> Self {
        // The path never holds more than one tree per level.
        let height = N::root(tree).map_or(0, |root| root.height);
        let mut iter = Self { path: Vec::with_capacity(usize::from(height)) };
        iter.push_left_spine(tree);
        iter
    }

    fn push_left_spine(&mut self, tree: &'t N::Tree) {
        let mut tree = tree;
        while let Some(root) = N::root(tree) {
            self.path.push(tree);
            tree = root.left;
        }
    }
}

impl<'t, N: NodeStore<Item: 't>> Iterator for TreeIter<'t, N> {
    type Item = (&'t N::Item, &'t N::Item);

    fn next(&mut self) -> Option<Self::Item> {
        let root = N::root(self.path.pop()?)?;
        self.push_left_spine(root.right);
        Some((root.key, root.value))
    }
}

/// The tree without its root: the in-order successor takes its place.
fn without_root<N: NodeStore>(nodes: &mut N, root: &TreeNodeRefOf<'_, N>) -> TreeResult<N> {
    let (Some((key, value)), Some(right)) = (first::<N>(root.right), N::root(root.right))
    else {
        return Ok(root.left.clone());
    };
    if N::root(root.left).is_none() {
        return Ok(root.right.clone());
    }
    // Only `right` is rebuilt below. It loses at most one level, which is what `balance` can
    // repair.
    let right = without_first(nodes, &right)?;
    balance(nodes, key.clone(), value.clone(), root.left.clone(), right)
}

/// The tree without its smallest entry.
fn without_first<N: NodeStore>(nodes: &mut N, root: &TreeNodeRefOf<'_, N>) -> TreeResult<N> {
    match N::root(root.left) {
        None => Ok(root.right.clone()),
        Some(left) => {
            let left = without_first(nodes, &left)?;
            with_left(nodes, root, left)
        }
    }
}

/// Replaces the left child; its height differs by at most one from the former.
fn with_left<N: NodeStore>(
    nodes: &mut N,
    root: &TreeNodeRefOf<'_, N>,
    left: N::Tree,
) -> TreeResult<N> {
    balance(nodes, root.key.clone(), root.value.clone(), left, root.right.clone())
}

/// Replaces the right child; its height differs by at most one from the former.
fn with_right<N: NodeStore>(
    nodes: &mut N,
    root: &TreeNodeRefOf<'_, N>,
    right: N::Tree,
) -> TreeResult<N> {
    balance(nodes, root.key.clone(), root.value.clone(), root.left.clone(), right)
}

/// Joins an entry and two subtrees whose heights differ by at most two, rotating if needed.
fn balance<N: NodeStore>(
    nodes: &mut N,
    key: N::Item,
    value: N::Item,
    left: N::Tree,
    right: N::Tree,
) -> TreeResult<N> {
    let (left_height, right_height) = (height::<N>(&left), height::<N>(&right));
    // The heights are `u8`, and a height of 255 is out of reach, so `+ 1` cannot overflow.
    if left_height > right_height + 1
        && let Some(root) = N::root(&left)
    {
        return rotate_right(nodes, key, value, &root, right);
    }
    if right_height > left_height + 1
        && let Some(root) = N::root(&right)
    {
        return rotate_left(nodes, key, value, left, &root);
    }
    join(nodes, key, value, left, right)
}

// The single rotation applies if `a` is at least as high as `b`, the double rotation if `m` is
// higher than `a`. Removal reaches the single rotation with `a` and `b` of equal height.
//
//        x               l                  x                  m
//       / \             / \                / \               /   \
//      l   d           a   x              l   d             l     x
//     / \        →        / \            / \        →      / \   / \
//    a   b               b   d          a   m             a   b c   d
//                                          / \
//                                         b   c
fn rotate_right<N: NodeStore>(
    nodes: &mut N,
    key: N::Item,
    value: N::Item,
    left: &TreeNodeRefOf<'_, N>,
    right: N::Tree,
) -> TreeResult<N> {
    let (left_key, left_value) = (left.key.clone(), left.value.clone());
    // Strictly lower: with equal heights, which only removal produces, one rotation is enough.
    if height::<N>(left.left) < height::<N>(left.right)
        && let Some(middle) = N::root(left.right)
    {
        let (b, c) = (middle.left.clone(), middle.right.clone());
        let new_left = join(nodes, left_key, left_value, left.left.clone(), b)?;
        let new_right = join(nodes, key, value, c, right)?;
        return join(nodes, middle.key.clone(), middle.value.clone(), new_left, new_right);
    }
    let new_right = join(nodes, key, value, left.right.clone(), right)?;
    join(nodes, left_key, left_value, left.left.clone(), new_right)
}

/// The mirror image of [`rotate_right`].
fn rotate_left<N: NodeStore>(
    nodes: &mut N,
    key: N::Item,
    value: N::Item,
    left: N::Tree,
    right: &TreeNodeRefOf<'_, N>,
) -> TreeResult<N> {
    let (right_key, right_value) = (right.key.clone(), right.value.clone());
    if height::<N>(right.right) < height::<N>(right.left)
        && let Some(middle) = N::root(right.left)
    {
        let (b, c) = (middle.left.clone(), middle.right.clone());
        let new_left = join(nodes, key, value, left, b)?;
        let new_right = join(nodes, right_key, right_value, c, right.right.clone())?;
        return join(nodes, middle.key.clone(), middle.value.clone(), new_left, new_right);
    }
    let new_left = join(nodes, key, value, left, right.left.clone())?;
    join(nodes, right_key, right_value, new_left, right.right.clone())
}

/// Joins an entry and two subtrees whose heights differ by at most one.
fn join<N: NodeStore>(
    nodes: &mut N,
    key: N::Item,
    value: N::Item,
    left: N::Tree,
    right: N::Tree,
) -> TreeResult<N> {
    let height = height::<N>(&left).max(height::<N>(&right)) + 1;
    let len = len::<N>(&left) + len::<N>(&right) + 1;
    nodes.make(NewTreeNode { key, value, left, right, height, len })
}

fn height<N: NodeStore>(tree: &N::Tree) -> u8 {
    N::root(tree).map_or(0, |root| root.height)
}

#[cfg(test)]
mod tests;

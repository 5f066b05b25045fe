//! Laws of balanced trees, on a store that counts comparisons and allocations and never frees.

use std::collections::BTreeMap;
use std::convert::Infallible;

use super::*;
use crate::limits::{words_of_table, words_of_table_change};

#[derive(Clone, Copy)]
struct TestTreeCell {
    key: u64,
    value: u64,
    left: TestTree,
    right: TestTree,
    height: u8,
    len: u64,
}

type TestTree = Option<&'static TestTreeCell>;

/// Counts allocated nodes and comparisons.
#[derive(Default)]
struct CountingNodeStore {
    n_made: u64,
    n_compared: u64,
}

impl NodeStore for CountingNodeStore {
    type Item = u64;
    type Tree = TestTree;
    type Stop = Infallible;

    fn empty(&self) -> TestTree {
        None
    }

    fn root(tree: &TestTree) -> Option<TreeNodeRef<'_, u64, TestTree>> {
        let TestTreeCell { key, value, left, right, height, len } = (*tree)?;
        Some(TreeNodeRef { key, value, left, right, height: *height, len: *len })
    }

    fn make(&mut self, node: NewTreeNode<u64, TestTree>) -> Result<TestTree, Infallible> {
        self.n_made += 1;
        let NewTreeNode { key, value, left, right, height, len } = node;
        Ok(Some(Box::leak(Box::new(TestTreeCell { key, value, left, right, height, len }))))
    }

    fn compare(&mut self, a: &u64, b: &u64) -> Result<Ordering, Infallible> {
        self.n_compared += 1;
        Ok(a.cmp(b))
    }
}

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
struct TreeTestRandom(u64);

impl TreeTestRandom {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }
}

fn ok<T>(result: Result<T, Infallible>) -> T {
    result.unwrap_or_else(|never| match never {})
}

fn entries(tree: TestTree) -> Vec<(u64, u64)> {
    TreeIter::<CountingNodeStore>::new(&tree).map(|(key, value)| (*key, *value)).collect()
}

/// Every node stores its height and length correctly, and its children are balanced.
fn assert_balanced(tree: TestTree) {
    let Some(cell) = tree else { return };
    let (left, right) =
        (height::<CountingNodeStore>(&cell.left), height::<CountingNodeStore>(&cell.right));
    assert!(left.abs_diff(right) <= 1, "sides of height {left} and {right}");
    assert_eq!(cell.height, left.max(right) + 1);
    assert_eq!(
        cell.len,
        len::<CountingNodeStore>(&cell.left) + len::<CountingNodeStore>(&cell.right) + 1
    );
    assert_balanced(cell.left);
    assert_balanced(cell.right);
}

/// Runs an operation and checks its allocations and comparisons against the bounds.
fn with_checked_costs<T>(
    tree: TestTree,
    change: impl FnOnce(&mut CountingNodeStore) -> T,
) -> (T, u64) {
    let mut words = CountingNodeStore::default();
    let result = change(&mut words);
    assert!(words.n_compared <= u64::from(height::<CountingNodeStore>(&tree)));
    assert!(words.n_made * 5 <= words_of_table_change(len::<CountingNodeStore>(&tree)));
    (result, words.n_made)
}

fn checked_put(tree: TestTree, key: u64, value: u64) -> TestTree {
    let (after, n_made) = with_checked_costs(tree, |words| ok(put(words, &tree, key, value)));
    assert!(n_made <= u64::from(height::<CountingNodeStore>(&tree)) + 3);
    after
}

fn checked_remove(tree: TestTree, key: u64) -> Option<TestTree> {
    let (after, n_made) = with_checked_costs(tree, |words| ok(remove(words, &tree, &key)));
    assert!(n_made <= u64::from(height::<CountingNodeStore>(&tree).saturating_sub(1)) * 3 / 2);
    after
}

#[test]
fn trees_agree_with_the_maps_of_the_library() {
    for (seed, n_keys) in [(1, 4), (2, 30), (3, 300), (4, 3_000)] {
        let mut random = TreeTestRandom(seed);
        let (mut tree, mut model) = (None, BTreeMap::new());
        for round in 0..6_000 {
            let key = random.below(n_keys);
            let old = tree;
            let before = (round % 500 == 0).then(|| entries(old));
            if random.below(5) < 3 {
                tree = checked_put(tree, key, round);
                model.insert(key, round);
            } else {
                let without = checked_remove(tree, key);
                assert_eq!(without.is_some(), model.remove(&key).is_some());
                tree = without.unwrap_or(tree);
            }
            let probe = random.below(n_keys);
            let found = ok(get(&mut CountingNodeStore::default(), &tree, &probe));
            assert_eq!(found, model.get(&probe));
            assert_eq!(first::<CountingNodeStore>(&tree), model.first_key_value());
            assert_eq!(last::<CountingNodeStore>(&tree), model.last_key_value());
            assert_eq!(len::<CountingNodeStore>(&tree), model.len() as u64);
            if let Some(before) = before {
                assert_balanced(tree);
                assert_eq!(entries(old), before, "a change must not be seen in the old tree");
                assert!(entries(tree).into_iter().eq(model.clone()));
            }
        }
    }
}

#[test]
fn ascending_and_descending_keys_stay_balanced() {
    let ascending = (0..2_000).fold(None, |tree, key| checked_put(tree, key, key));
    let descending = (0..2_000).rev().fold(None, |tree, key| checked_put(tree, key, key));
    for tree in [ascending, descending] {
        assert_balanced(tree);
        assert!(entries(tree).into_iter().eq((0..2_000).map(|key| (key, key))));
        let rest = (0..1_990).fold(tree, |tree, key| checked_remove(tree, key).unwrap());
        assert_balanced(rest);
        assert_eq!(len::<CountingNodeStore>(&rest), 10);
    }
}

#[test]
fn of_entries_keeps_the_last_of_equal_keys_and_makes_a_node_for_each() {
    let mut random = TreeTestRandom(5);
    for n_entries in (0..40).chain([100, 1_000, 5_000]) {
        let mut list: Vec<(u64, u64)> =
            (0..n_entries).map(|at| (random.below(n_entries.max(1)), at)).collect();
        let model: BTreeMap<u64, u64> = list.iter().copied().collect();
        let mut words = CountingNodeStore::default();
        let tree = ok(from_entries(&mut words, &mut list));
        assert_balanced(tree);
        assert!(entries(tree).into_iter().eq(model));
        assert_eq!(words.n_made, len::<CountingNodeStore>(&tree));
        assert!(words.n_made * 5 <= words_of_table(n_entries));
    }
}

/// The tree of a given height with the fewest nodes and even keys, the higher child on the left.
fn sparse(words: &mut CountingNodeStore, height: u8, next_key: &mut u64) -> TestTree {
    if height == 0 {
        return None;
    }
    let left = sparse(words, height - 1, next_key);
    let key = *next_key;
    *next_key += 2;
    let right = sparse(words, height.saturating_sub(2), next_key);
    ok(join(words, key, 0, left, right))
}

#[test]
fn the_worst_trees_are_changed_within_the_charge() {
    for height in 0..16 {
        let tree = sparse(&mut CountingNodeStore::default(), height, &mut 0);
        assert_balanced(tree);
        for (key, _) in entries(tree) {
            assert_balanced(checked_remove(tree, key).unwrap());
            assert_balanced(checked_put(tree, key + 1, 0));
        }
    }
}

#[test]
fn the_charge_covers_every_height_a_length_can_have() {
    // The fewest nodes of a height: N(0) = 0, N(1) = 1, N(h) = N(h - 1) + N(h - 2) + 1.
    let (mut fewest, mut next) = (0_u64, 1_u64);
    for height in 0_u64.. {
        if fewest >= u64::from(u32::MAX) {
            assert!(height > 40);
            break;
        }
        let most_made = (height + 3).max(height.saturating_sub(1) * 3 / 2);
        assert!(words_of_table_change(fewest) >= 5 * most_made, "height {height}");
        (fewest, next) = (next, fewest + next + 1);
    }
}

//! The workloads as properties of proptest. Seeds are fixed, nothing is written to files, and no
//! case runs in a process of its own.

use proptest::collection::vec;
use proptest::strategy::{BoxedStrategy, Just, Strategy};
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};

use super::native::{distributes, sum_of_squares};
use super::owned_values::{OwnedTree, insertion_holds, sorting_holds};

fn test<S: Strategy>(
    seed: u64,
    n_cases: u32,
    strategy: &S,
    holds: impl Fn(S::Value) -> bool,
) -> Result<(), String> {
    let config = Config {
        cases: n_cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    };
    let verdict = |value| {
        if holds(value) { Ok(()) } else { Err(TestCaseError::fail("it does not hold")) }
    };
    TestRunner::new(config).run(strategy, verdict).map_err(|error| error.to_string())
}

/// A search tree, generated as the program of workload 1 does.
fn tree(size: i64, lo: i64, hi: i64) -> BoxedStrategy<OwnedTree> {
    if size == 0 || lo + 1 >= hi {
        return Just(OwnedTree::Leaf).boxed();
    }
    let node = move |key| {
        let sides = (tree(size / 2, lo, key), tree(size / 2, key, hi));
        sides.prop_map(move |(left, right)| OwnedTree::node(key, left, right))
    };
    let leaf_or_node = move |choice| match choice {
        0 => Just(OwnedTree::Leaf).boxed(),
        _ => (lo + 1..hi).prop_flat_map(node).boxed(),
    };
    (0..=size).prop_flat_map(leaf_or_node).boxed()
}

/// Workload 1.
pub(in crate::bench) fn search_tree(seed: u64, n_cases: u32) -> Result<(), String> {
    let strategy = (tree(10, -1, 1000), 0..1000_i64);
    test(seed, n_cases, &strategy, |(tree, key)| insertion_holds(tree, key))
}

/// Workload 1 with trees of keys that are inserted one by one: of the same mean size as the others,
/// but of other shapes.
pub(in crate::bench) fn inserted_keys(seed: u64, n_cases: u32) -> Result<(), String> {
    inserted(seed, n_cases, 13)
}

/// Property 1 with up to this many keys.
pub(in crate::bench) fn inserted(seed: u64, n_cases: u32, most: usize) -> Result<(), String> {
    let tree = vec(0..1000_i64, 0..=most).prop_map(|keys| {
        let mut tree = OwnedTree::Leaf;
        keys.into_iter().for_each(|key| tree.insert(key));
        tree
    });
    test(seed, n_cases, &(tree, 0..1000_i64), |(tree, key)| insertion_holds(tree, key))
}

/// Work 2.
pub(in crate::bench) fn list_sort(seed: u64, n_cases: u32) -> Result<(), String> {
    sorted(seed, n_cases, 100)
}

/// Property 2 with up to so many elements.
pub(in crate::bench) fn sorted(seed: u64, n_cases: u32, most: usize) -> Result<(), String> {
    test(seed, n_cases, &vec(-1000..=1000_i64, 0..=most), |xs| sorting_holds(&xs))
}

/// Property 3, the short one.
pub(in crate::bench) fn distributive(seed: u64, n_cases: u32) -> Result<(), String> {
    let number = || i64::from(i32::MIN)..=i64::from(i32::MAX);
    let holds = |(a, b, c)| distributes(a, b, c);
    test(seed, n_cases, &(number(), number(), number()), holds)
}

/// Work 3.
pub(in crate::bench) fn loop_of_squares(seed: u64, n_cases: u32) -> Result<(), String> {
    let holds = |modulus| (0..modulus).contains(&sum_of_squares(modulus));
    test(seed, n_cases, &(1..=1_000_000_i64), holds)
}

#[cfg(test)]
mod tests {
    use super::{distributive, inserted_keys, list_sort, loop_of_squares, search_tree, test};

    #[test]
    fn properties_hold() {
        for property in [search_tree, inserted_keys, list_sort, loop_of_squares, distributive] {
            assert_eq!(property(1, 20), Ok(()));
        }
    }

    #[test]
    fn what_does_not_hold_is_found() {
        assert!(test(1, 100, &(0..10_i64), |n| n < 5).is_err());
    }
}

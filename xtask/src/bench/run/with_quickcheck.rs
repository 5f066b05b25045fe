//! The works as properties of quickcheck, with fixed seeds.

use std::array;
use std::sync::LazyLock;

use quickcheck::{Arbitrary, Gen, QuickCheck, Testable};

use super::native::{distributes, sum_of_squares};
use super::owned_values::{OwnedTree, insertion_holds, sorting_holds};

/// Vectors have no more elements than this.
const MAX_LENGTH: usize = 100;

fn test(seed: u64, n_cases: u32, property: impl Testable) -> Result<(), String> {
    test_up_to(MAX_LENGTH, seed, n_cases, property)
}

fn test_up_to(
    most: usize,
    seed: u64,
    n_cases: u32,
    property: impl Testable,
) -> Result<(), String> {
    let n_cases = u64::from(n_cases);
    let mut quickcheck = QuickCheck::new()
        .rng(Gen::from_size_and_seed(most + 1, seed))
        .tests(n_cases)
        .max_tests(n_cases);
    match quickcheck.quicktest(property) {
        Ok(n_passed) if n_passed == n_cases => Ok(()),
        Ok(_) => Err("cases are missing".to_owned()),
        Err(failed) => Err(format!("{failed:?}")),
    }
}

/// Numbers to choose from: there is no other way to draw from a range evenly.
static NUMBERS: LazyLock<[i64; 1000]> = LazyLock::new(|| array::from_fn(|at| at as i64));

/// A number from `lo` to `hi`, both in `0..1000`.
fn int(g: &mut Gen, lo: i64, hi: i64) -> i64 {
    g.choose(&NUMBERS[lo as usize..=hi as usize]).copied().unwrap_or(lo)
}

/// A search tree, drawn as the program of work 1 draws it.
fn grow(g: &mut Gen, size: i64, lo: i64, hi: i64) -> OwnedTree {
    if size == 0 || lo + 1 >= hi || int(g, 0, size) == 0 {
        return OwnedTree::Leaf;
    }
    let key = int(g, lo + 1, hi - 1);
    let left = grow(g, size / 2, lo, key);
    let right = grow(g, size / 2, key, hi);
    OwnedTree::node(key, left, right)
}

impl Arbitrary for OwnedTree {
    fn arbitrary(g: &mut Gen) -> Self {
        grow(g, 10, -1, 1000)
    }
}

/// A key of work 1.
#[derive(Debug, Copy, Clone)]
struct TreeKey(i64);

impl Arbitrary for TreeKey {
    fn arbitrary(g: &mut Gen) -> Self {
        Self(int(g, 0, 999))
    }
}

/// Work 1.
pub(in crate::bench) fn search_tree(seed: u64, n_cases: u32) -> Result<(), String> {
    let property: fn(OwnedTree, TreeKey) -> bool =
        |tree, TreeKey(key)| insertion_holds(tree, key);
    test(seed, n_cases, property)
}

/// Property 1 with up to so many keys that are inserted one by one.
pub(in crate::bench) fn inserted(seed: u64, n_cases: u32, most: usize) -> Result<(), String> {
    let property: fn(Vec<TreeKey>, TreeKey) -> bool = |keys, TreeKey(key)| {
        let mut tree = OwnedTree::Leaf;
        keys.into_iter().for_each(|TreeKey(key)| tree.insert(key));
        insertion_holds(tree, key)
    };
    test_up_to(most, seed, n_cases, property)
}

/// Workload 2, with elements of any size.
pub(in crate::bench) fn list_sort(seed: u64, n_cases: u32) -> Result<(), String> {
    sorted(seed, n_cases, MAX_LENGTH)
}

/// Property 2 with up to this many elements, of any size.
pub(in crate::bench) fn sorted(seed: u64, n_cases: u32, most: usize) -> Result<(), String> {
    let property: fn(Vec<i64>) -> bool = |xs| sorting_holds(&xs);
    test_up_to(most, seed, n_cases, property)
}

/// Property 3, the short one.
pub(in crate::bench) fn distributive(seed: u64, n_cases: u32) -> Result<(), String> {
    let property: fn(i32, i32, i32) -> bool =
        |a, b, c| distributes(a.into(), b.into(), c.into());
    test(seed, n_cases, property)
}

/// Workload 3.
pub(in crate::bench) fn loop_of_squares(seed: u64, n_cases: u32) -> Result<(), String> {
    let property: fn(u32) -> bool = |bits| {
        let modulus = i64::from(bits) % 1_000_000 + 1;
        (0..modulus).contains(&sum_of_squares(modulus))
    };
    test(seed, n_cases, property)
}

#[cfg(test)]
mod tests {
    use super::{distributive, inserted, list_sort, loop_of_squares, search_tree, test};

    #[test]
    fn properties_hold() {
        for property in [search_tree, list_sort, loop_of_squares, distributive] {
            assert_eq!(property(1, 20), Ok(()));
        }
        assert_eq!(inserted(1, 20, 5), Ok(()));
    }

    #[test]
    fn what_does_not_hold_is_found() {
        let property: fn(u8) -> bool = |n| n < 5;
        assert!(test(1, 100, property).is_err());
    }
}

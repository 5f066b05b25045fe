//! The works as properties of quickcheck, with fixed seeds.

use std::array;
use std::sync::LazyLock;

use quickcheck::{Arbitrary, Gen, QuickCheck, Testable};

use super::native::sum_of_squares;
use super::owned::{Tree, insertion_holds, sorting_holds};

/// Vectors have fewer elements than this.
const SIZE: usize = 101;

fn test(seed: u64, n_cases: u32, property: impl Testable) -> Result<(), String> {
    let n_cases = u64::from(n_cases);
    let mut quickcheck = QuickCheck::new()
        .rng(Gen::from_size_and_seed(SIZE, seed))
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
fn grow(g: &mut Gen, size: i64, lo: i64, hi: i64) -> Tree {
    if size == 0 || lo + 1 >= hi || int(g, 0, size) == 0 {
        return Tree::Leaf;
    }
    let key = int(g, lo + 1, hi - 1);
    let left = grow(g, size / 2, lo, key);
    let right = grow(g, size / 2, key, hi);
    Tree::node(key, left, right)
}

impl Arbitrary for Tree {
    fn arbitrary(g: &mut Gen) -> Self {
        grow(g, 10, -1, 1000)
    }
}

/// A key of work 1.
#[derive(Debug, Copy, Clone)]
struct Key(i64);

impl Arbitrary for Key {
    fn arbitrary(g: &mut Gen) -> Self {
        Self(int(g, 0, 999))
    }
}

/// Work 1.
pub(super) fn search_tree(seed: u64, n_cases: u32) -> Result<(), String> {
    let property: fn(Tree, Key) -> bool = |tree, Key(key)| insertion_holds(tree, key);
    test(seed, n_cases, property)
}

/// Work 2, with elements of any size.
pub(super) fn list_sort(seed: u64, n_cases: u32) -> Result<(), String> {
    let property: fn(Vec<i64>) -> bool = |xs| sorting_holds(&xs);
    test(seed, n_cases, property)
}

/// Work 3.
pub(super) fn loop_of_squares(seed: u64, n_cases: u32) -> Result<(), String> {
    let property: fn(u32) -> bool = |bits| {
        let modulus = i64::from(bits) % 1_000_000 + 1;
        (0..modulus).contains(&sum_of_squares(modulus))
    };
    test(seed, n_cases, property)
}

#[cfg(test)]
mod tests {
    use super::{list_sort, loop_of_squares, search_tree, test};

    #[test]
    fn properties_hold() {
        for property in [search_tree, list_sort, loop_of_squares] {
            assert_eq!(property(1, 20), Ok(()));
        }
    }

    #[test]
    fn what_does_not_hold_is_found() {
        let property: fn(u8) -> bool = |n| n < 5;
        assert!(test(1, 100, property).is_err());
    }
}

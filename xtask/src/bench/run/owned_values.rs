//! The workloads as one writes them for a Rust property testing library: values own their parts,
//! without an arena.

/// A search tree.
#[derive(Debug, Clone)]
pub(super) enum OwnedTree {
    Leaf,
    Node(Box<(i64, OwnedTree, OwnedTree)>),
}

impl OwnedTree {
    /// A tree of a key and its two subtrees.
    pub(super) fn node(key: i64, left: Self, right: Self) -> Self {
        Self::Node(Box::new((key, left, right)))
    }

    /// Inserts a key, if it is not there.
    pub(super) fn insert(&mut self, key: i64) {
        match self {
            Self::Leaf => *self = Self::node(key, Self::Leaf, Self::Leaf),
            Self::Node(node) => {
                let (other, left, right) = &mut **node;
                if key < *other {
                    left.insert(key);
                } else if key > *other {
                    right.insert(key);
                }
            }
        }
    }

    fn is_ordered(&self, lo: i64, hi: i64) -> bool {
        let Self::Node(node) = self else { return true };
        let (key, left, right) = &**node;
        lo < *key && *key < hi && left.is_ordered(lo, *key) && right.is_ordered(*key, hi)
    }

    fn holds(&self, key: i64) -> bool {
        let Self::Node(node) = self else { return false };
        let (other, left, right) = &**node;
        if key < *other {
            left.holds(key)
        } else if key > *other {
            right.holds(key)
        } else {
            true
        }
    }
}

/// Workload 1: an inserted key is found, and the tree stays ordered.
pub(super) fn insertion_holds(mut tree: OwnedTree, key: i64) -> bool {
    tree.insert(key);
    tree.is_ordered(-1, 1000) && tree.holds(key)
}

fn merge_sort(xs: &[i64]) -> Vec<i64> {
    if xs.len() < 2 {
        return xs.to_vec();
    }
    let (left, right) = xs.split_at(xs.len() / 2);
    let (left, right) = (merge_sort(left), merge_sort(right));
    let mut merged = Vec::with_capacity(xs.len());
    let (mut left, mut right) = (&left[..], &right[..]);
    while let ([x, xs @ ..], [y, ys @ ..]) = (left, right) {
        if x <= y {
            merged.push(*x);
            left = xs;
        } else {
            merged.push(*y);
            right = ys;
        }
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
    merged
}

fn is_permutation(xs: &[i64], ys: &[i64]) -> bool {
    let mut left = ys.to_vec();
    for x in xs {
        match left.iter().position(|it| it == x) {
            Some(at) => drop(left.remove(at)),
            None => return false,
        }
    }
    left.is_empty()
}

/// Workload 2: the result of sorting ascends, and is a permutation of the input.
pub(super) fn sorting_holds(xs: &[i64]) -> bool {
    let sorted = merge_sort(xs);
    sorted.is_sorted() && is_permutation(xs, &sorted)
}

#[cfg(test)]
mod tests {
    use super::{OwnedTree, insertion_holds, is_permutation, merge_sort, sorting_holds};

    #[test]
    fn sorting_sorts() {
        assert_eq!(merge_sort(&[3, 1, 2, 1]), [1, 1, 2, 3]);
        assert!(sorting_holds(&[]));
        assert!(!is_permutation(&[1, 1], &[1, 2]));
    }

    #[test]
    fn an_inserted_key_is_there() {
        assert!(insertion_holds(OwnedTree::Leaf, 5));
        let wrong = OwnedTree::node(
            5,
            OwnedTree::node(7, OwnedTree::Leaf, OwnedTree::Leaf),
            OwnedTree::Leaf,
        );
        assert!(!insertion_holds(wrong, 6));
    }
}

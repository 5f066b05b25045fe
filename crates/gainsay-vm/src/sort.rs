//! Sorting: the one algorithm that all engines use.
//!
//! A stable bottom-up merge sort. Short runs are sorted by insertion; then neighboring runs are
//! merged until one is left. Which items are compared, and when, depends only on the length and the
//! comparison results, so engines that store items differently count the same steps.

use std::cmp::Ordering;

/// Length of a run that is sorted by insertion.
const RUN_LEN: usize = 8;

/// Sorts stably. After an error the order is unspecified.
pub(crate) fn sort<T: Copy, E>(
    items: &mut [T],
    mut compare: impl FnMut(&T, &T) -> Result<Ordering, E>,
) -> Result<(), E> {
    for run in items.chunks_mut(RUN_LEN) {
        insert_each(run, &mut compare)?;
    }
    if items.len() <= RUN_LEN {
        return Ok(());
    }
    // One buffer for all passes; they alternate between it and `items`.
    let mut buffer = items.to_vec();
    let (mut from, mut to) = (&mut *items, &mut *buffer);
    let mut width = RUN_LEN;
    let mut n_passes = 0;
    while width < from.len() {
        for (pair, merged) in from.chunks(2 * width).zip(to.chunks_mut(2 * width)) {
            let (a, b) = pair.split_at(width.min(pair.len()));
            merge(a, b, merged, &mut compare)?;
        }
        std::mem::swap(&mut from, &mut to);
        width *= 2;
        n_passes += 1;
    }
    // Each pass swaps the buffers, so after an odd number the result is in `buffer`.
    if n_passes % 2 == 1 {
        items.copy_from_slice(&buffer);
    }
    Ok(())
}

/// Insertion sort: each item moves down past those that are greater.
fn insert_each<T: Copy, E>(
    run: &mut [T],
    compare: &mut impl FnMut(&T, &T) -> Result<Ordering, E>,
) -> Result<(), E> {
    for end in 1..run.len() {
        let item = run[end];
        let mut at = end;
        // Strictly greater, or equal items would change their order.
        while at > 0 && compare(&run[at - 1], &item)?.is_gt() {
            run[at] = run[at - 1];
            at -= 1;
        }
        run[at] = item;
    }
    Ok(())
}

/// Merges two runs, of which the second may be empty, into `merged`, which is as long as both.
fn merge<T: Copy, E>(
    mut a: &[T],
    mut b: &[T],
    mut merged: &mut [T],
    compare: &mut impl FnMut(&T, &T) -> Result<Ordering, E>,
) -> Result<(), E> {
    // Input that is already sorted costs one comparison per merge.
    // The runs are in order if the last of `a` is at most the first of `b`.
    let is_sorted = match (a.last(), b.first()) {
        (Some(a), Some(b)) => compare(a, b)?.is_le(),
        (None, _) | (_, None) => true,
    };
    while !is_sorted
        && let ([a_first, a_rest @ ..], [b_first, b_rest @ ..]) = (a, b)
        && let [slot, slots @ ..] = merged
    {
        // On ties the left item goes first, which makes the sort stable.
        if compare(a_first, b_first)?.is_le() {
            *slot = *a_first;
            a = a_rest;
        } else {
            *slot = *b_first;
            b = b_rest;
        }
        merged = slots;
    }
    let (rest_of_a, rest_of_b) = merged.split_at_mut(a.len());
    rest_of_a.copy_from_slice(a);
    rest_of_b.copy_from_slice(b);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists with many equal keys, each item tagged with its position, in several shapes.
    fn lists() -> Vec<Vec<(u64, usize)>> {
        let mut lists = Vec::new();
        for len in (0..70).chain([100, 127, 128, 129, 1_000, 4_097]) {
            let scattered = |at: usize| (at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            let shapes: [&dyn Fn(usize) -> u64; 6] = [
                &scattered,
                &|at| scattered(at) % 5,
                &|at| at as u64,
                &|at| (len - at) as u64,
                &|at| (at % 17) as u64,
                &|_| 0,
            ];
            lists.extend(shapes.map(|shape| (0..len).map(|at| (shape(at), at)).collect()));
        }
        lists
    }

    #[test]
    fn sorting_is_stable() {
        for list in lists() {
            let (mut ours, mut expected) = (list.clone(), list);
            sort(&mut ours, |a, b| Ok::<_, ()>(a.0.cmp(&b.0))).unwrap();
            expected.sort_by_key(|item| item.0);
            assert_eq!(ours, expected);
        }
    }

    #[test]
    fn few_comparisons_are_made() {
        for list in lists() {
            let (len, mut n_compared) = (list.len(), 0);
            let is_sorted = list.is_sorted_by_key(|item| item.0);
            let mut items = list;
            sort(&mut items, |a, b| {
                n_compared += 1;
                Ok::<_, ()>(a.0.cmp(&b.0))
            })
            .unwrap();
            let n_levels = len.max(2).next_power_of_two().ilog2() as usize;
            assert!(n_compared <= len * (n_levels + 2));
            assert!(!is_sorted || n_compared <= len + len / 4);
        }
    }

    #[test]
    fn an_error_ends_sorting() {
        let mut left = 10;
        let mut items: Vec<usize> = (0..100).rev().collect();
        let result = sort(&mut items, |a, b| {
            left -= 1;
            if left == 0 { Err("spent") } else { Ok(a.cmp(b)) }
        });
        assert_eq!((result, left), (Err("spent"), 0));
    }
}

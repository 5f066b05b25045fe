//! Sorting: the one algorithm of every engine.
//!
//! A stable merge sort from the bottom up. Short runs are sorted by insertion; then
//! neighbours are merged until one run is left. Which items are compared, and when, follows
//! from the length and the answers alone, so that engines which store items differently
//! count the same.

use std::cmp::Ordering;

/// Items of a run that is sorted by insertion.
const RUN: usize = 8;

/// Sorts, and keeps equal items in their order. After an error the order is anything.
pub(crate) fn sort<T: Copy, E>(
    items: &mut [T],
    mut compare: impl FnMut(&T, &T) -> Result<Ordering, E>,
) -> Result<(), E> {
    for run in items.chunks_mut(RUN) {
        insert_each(run, &mut compare)?;
    }
    if items.len() <= RUN {
        return Ok(());
    }
    let mut buffer = items.to_vec();
    let (mut from, mut to) = (&mut *items, &mut *buffer);
    let mut width = RUN;
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
    if n_passes % 2 == 1 {
        items.copy_from_slice(&buffer);
    }
    Ok(())
}

/// Each item moves down past those that are greater.
fn insert_each<T: Copy, E>(
    run: &mut [T],
    compare: &mut impl FnMut(&T, &T) -> Result<Ordering, E>,
) -> Result<(), E> {
    for end in 1..run.len() {
        let item = run[end];
        let mut at = end;
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
    // What is sorted already costs one comparison.
    let is_sorted = match (a.last(), b.first()) {
        (Some(a), Some(b)) => compare(a, b)?.is_le(),
        (None, _) | (_, None) => true,
    };
    while !is_sorted
        && let ([a_first, a_rest @ ..], [b_first, b_rest @ ..]) = (a, b)
        && let [slot, slots @ ..] = merged
    {
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

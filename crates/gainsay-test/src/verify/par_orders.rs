//! Hostile evaluation orders of the branches of `par`.

/// Up to this many branches are evaluated in all orders.
const FEW: u32 = 4;
/// Number of random orders to try for more branches, besides the reverse.
const SHUFFLES: u64 = 22;

/// The orders to try for this many branches, without the source order.
pub(super) fn orders(n_branches: u32) -> Vec<Vec<u32>> {
    let source: Vec<u32> = (0..n_branches).collect();
    if n_branches <= FEW {
        // Without the first, which is the source order.
        return permutations(&source).into_iter().skip(1).collect();
    }
    // The reverse first: it swaps every pair of branches, which most dependences on order show.
    let mut orders = vec![source.iter().rev().copied().collect()];
    for number in 0..SHUFFLES {
        let order = shuffled(source.clone(), number);
        if order != source && !orders.contains(&order) {
            orders.push(order);
        }
    }
    orders
}

/// All permutations, the given order first.
fn permutations(items: &[u32]) -> Vec<Vec<u32>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, first) in items.iter().enumerate() {
        let mut rest = items.to_vec();
        rest.remove(at);
        for mut order in permutations(&rest) {
            order.insert(0, *first);
            all.push(order);
        }
    }
    all
}

/// Fisher-Yates shuffle with SplitMix64, seeded with `number`: the same on every run.
fn shuffled(mut items: Vec<u32>, number: u64) -> Vec<u32> {
    let mut state = number;
    for at in (1..items.len()).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        items.swap(at, (mixed % (at as u64 + 1)) as usize);
    }
    items
}

#[cfg(test)]
mod tests {
    use super::orders;

    #[test]
    fn few_branches_are_evaluated_in_all_orders() {
        assert!(orders(0).is_empty() && orders(1).is_empty());
        assert_eq!(orders(2), [[1, 0]]);
        assert_eq!(orders(3).len(), 5);
        assert_eq!(orders(4).len(), 23);
    }

    #[test]
    fn many_branches_are_evaluated_in_some_orders() {
        let found = orders(6);
        assert_eq!(found[0], [5, 4, 3, 2, 1, 0]);
        assert_eq!(found.len(), 23);
        for order in &found {
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 3, 4, 5]);
        }
    }
}

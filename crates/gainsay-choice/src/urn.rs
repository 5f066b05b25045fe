//! Urns: weighted values that can be sampled, removed and inserted, each in logarithmic time.
//!
//! The interface is that of Lampropoulos, Spector-Zabusky and Foner, "Ode on a random urn"
//! (Haskell Symposium 2018). As there, a value is removed by putting the last one in its place, so
//! the tree of sums stays balanced without rebalancing. The tree itself is an array of partial sums
//! (Fenwick, "A new data structure for cumulative frequency tables", 1994).

/// Weighted values, in no particular order.
#[derive(Debug, Clone)]
pub struct Urn<T> {
    values: Vec<(u32, T)>,
    /// The Fenwick tree: at `i`, counted from 1, the sum of the `i & -i` weights up to `i`.
    sums: Vec<u64>,
}

impl<T> Default for Urn<T> {
    fn default() -> Self {
        Urn { values: Vec::new(), sums: Vec::new() }
    }
}

impl<T> FromIterator<(u32, T)> for Urn<T> {
    fn from_iter<I: IntoIterator<Item = (u32, T)>>(weighted: I) -> Self {
        let mut urn = Urn::default();
        weighted.into_iter().for_each(|(weight, value)| urn.insert(weight, value));
        urn
    }
}

impl<T> Urn<T> {
    /// An empty urn.
    pub fn new() -> Self {
        Urn::default()
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether the urn is empty.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The sum of all weights.
    pub fn weight(&self) -> u64 {
        self.sum_before(self.values.len())
    }

    /// The values with their weights.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.values.iter().map(|(weight, value)| (*weight, value))
    }

    /// Inserts a value.
    pub fn insert(&mut self, weight: u32, value: T) {
        self.values.push((weight, value));
        let at = self.values.len();
        // The new node covers `lowest_bit(at)` values; all but the last are in the tree already.
        let before = self.sum_before(at - lowest_bit(at));
        self.sums.push(self.sum_before(at - 1) - before + u64::from(weight));
    }

    /// The value whose share of the weight contains a point; `None` if the point is beyond all
    /// shares.
    pub fn value_at(&self, point: u64) -> Option<&T> {
        self.find(point).map(|it| &self.values[it].1)
    }

    /// Removes the value whose share of the weight contains a point, with all its weight.
    pub fn remove(&mut self, point: u64) -> Option<(u32, T)> {
        let place = self.find(point)?;
        let last = self.values.len() - 1;
        let (last_weight, _) = self.values[last];
        self.values.swap(place, last);
        let removed = self.values.pop()?;
        // Only the last node covers the last value, so dropping it leaves all other sums intact
        // but for the weight that has moved.
        self.sums.pop();
        if place < last {
            self.add(place, i64::from(last_weight) - i64::from(removed.0));
        }
        Some(removed)
    }

    /// A point in the share of the first matching value with positive weight; in linear time.
    pub fn point_of(&self, is_it: impl Fn(&T) -> bool) -> Option<u64> {
        let mut point = 0;
        for (weight, value) in &self.values {
            if *weight > 0 && is_it(value) {
                return Some(point);
            }
            point += u64::from(*weight);
        }
        None
    }

    /// Changes the weight of the value whose share contains a point, and maybe the value.
    pub fn update(
        &mut self,
        point: u64,
        change: impl FnOnce(u32, &mut T) -> u32,
    ) -> Option<&T> {
        let place = self.find(point)?;
        let (old, value) = &mut self.values[place];
        let new = change(*old, value);
        let difference = i64::from(new) - i64::from(*old);
        *old = new;
        self.add(place, difference);
        Some(&self.values[place].1)
    }

    /// The index of the value whose share contains a point: a descent by halves.
    fn find(&self, mut point: u64) -> Option<usize> {
        let n = self.sums.len();
        let mut place = 0;
        // Down from the largest power of two that fits: no node of the tree covers more values.
        let mut step = n.checked_ilog2().map_or(0, |it| 1 << it);
        while step > 0 {
            let next = place + step;
            // `<=`: a point at the end of a share belongs to the next value.
            if next <= n && self.sums[next - 1] <= point {
                point -= self.sums[next - 1];
                place = next;
            }
            step /= 2;
        }
        (place < n).then_some(place)
    }

    fn sum_before(&self, mut at: usize) -> u64 {
        let mut sum = 0;
        while at > 0 {
            sum += self.sums[at - 1];
            at -= lowest_bit(at);
        }
        sum
    }

    fn add(&mut self, place: usize, difference: i64) {
        let mut at = place + 1;
        while at <= self.sums.len() {
            let sum = &mut self.sums[at - 1];
            // Unsigned sums and signed differences: no sum falls below 0, because it contains the
            // old weight.
            *sum = sum.wrapping_add_signed(difference);
            at += lowest_bit(at);
        }
    }
}

fn lowest_bit(n: usize) -> usize {
    n & n.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::Urn;
    use crate::random::{Random, Seed};

    fn random(case: u64) -> Random {
        Random::new(Seed { run: 7, claim: 7, case })
    }

    /// An urn after some insertions, removals and updates, and the same values as a plain list.
    fn grown(case: u64) -> (Urn<u64>, Vec<(u32, u64)>) {
        let mut random = random(case);
        let (mut urn, mut list): (Urn<u64>, Vec<(u32, u64)>) = Default::default();
        for step in 0..200 {
            let weight = random.below(20) as u32;
            if urn.weight() > 0 && random.below(3) == 0 {
                let (weight, value) = urn.remove(random.below(urn.weight())).unwrap();
                let at = list.iter().position(|it| *it == (weight, value)).unwrap();
                list.swap_remove(at);
            } else if urn.weight() > 0 && random.below(3) == 0 {
                let mut changed = (0, 0);
                urn.update(random.below(urn.weight()), |old, value| {
                    changed = (old, *value);
                    weight
                });
                list.iter_mut().find(|it| **it == changed).unwrap().0 = weight;
            } else {
                urn.insert(weight, step);
                list.push((weight, step));
            }
        }
        (urn, list)
    }

    #[test]
    fn an_urn_holds_what_a_list_would() {
        for case in 0..50 {
            let (urn, mut list) = grown(case);
            let mut held: Vec<(u32, u64)> = urn.iter().map(|(w, v)| (w, *v)).collect();
            held.sort_unstable();
            list.sort_unstable();
            assert_eq!(held, list);
            assert_eq!(urn.weight(), list.iter().map(|it| u64::from(it.0)).sum::<u64>());
        }
    }

    #[test]
    fn every_point_lies_in_the_share_of_its_value() {
        for case in 0..20 {
            let (urn, _) = grown(case);
            let mut point = 0;
            for (weight, value) in urn.iter() {
                for inside in point..point + u64::from(weight) {
                    assert_eq!(urn.value_at(inside), Some(value));
                }
                point += u64::from(weight);
            }
            assert_eq!(urn.value_at(point), None);
        }
    }

    #[test]
    fn samples_have_the_shares_of_the_weights() {
        let weights = [1, 2, 3, 4, 10, 0, 30];
        let urn: Urn<usize> = weights.iter().copied().zip(0..).collect();
        let mut random = random(1);
        let n = 100_000;
        let mut counts = [0.0; 7];
        for _ in 0..n {
            counts[*urn.value_at(random.below(urn.weight())).unwrap()] += 1.0;
        }
        let expected = weights.map(|it| f64::from(it) * f64::from(n) / 50.0);
        let terms = counts.iter().zip(expected).filter(|it| it.1 > 0.0);
        let chi_square: f64 = terms.map(|(a, b)| (a - b) * (a - b) / b).sum();
        // Five degrees of freedom: one in a thousand seeds exceeds this by chance, and ours is
        // fixed.
        assert!(chi_square < 20.5, "{chi_square}");
        assert_eq!(counts[5], 0.0);
    }

    #[test]
    fn taking_all_out_gives_each_once() {
        let mut urn: Urn<u32> = (0..100).map(|it| (it % 7 + 1, it)).collect();
        let mut random = random(2);
        let mut taken = Vec::new();
        while urn.weight() > 0 {
            taken.push(urn.remove(random.below(urn.weight())).unwrap().1);
        }
        taken.sort_unstable();
        assert_eq!(taken, (0..100).collect::<Vec<_>>());
        assert!(urn.is_empty() && urn.value_at(0).is_none());
    }
}

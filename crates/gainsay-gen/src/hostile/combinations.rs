//! Combinations of the values of several components: all of them if they are few, otherwise a
//! pairwise covering array.

/// Every combination of one value of each component, as indices; if there would be more than
/// `most`, rows that cover all pairs.
pub(super) fn combinations(sizes: &[usize], most: usize) -> Vec<Vec<usize>> {
    if sizes.contains(&0) {
        return Vec::new();
    }
    let n_all = sizes.iter().try_fold(1_usize, |all, n| all.checked_mul(*n));
    match n_all.filter(|n| *n <= most) {
        Some(n) => (0..n).map(|number| digits(number, sizes)).collect(),
        None => pairwise(sizes),
    }
}

/// A number in a mixed-radix system, the last digit varying fastest.
fn digits(mut number: usize, bases: &[usize]) -> Vec<usize> {
    let mut digits = vec![0; bases.len()];
    for (digit, base) in digits.iter_mut().zip(bases).rev() {
        *digit = number % base;
        number /= base;
    }
    digits
}

/// Rows that cover each pair of values of two components, greedily: each row takes, component by
/// component, the value that covers most new pairs (after AETG: Cohen, Dalal, Fredman and Patton,
/// 1997, without its random choices).
fn pairwise(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut open = UncoveredPairs::new(sizes);
    let mut rows = vec![vec![0; sizes.len()]];
    open.cover(&rows[0]);
    // Starting from an uncovered pair guarantees progress, so this ends.
    while let Some((first, second)) = open.next() {
        let mut row: Vec<Option<usize>> = vec![None; sizes.len()];
        row[first.0] = Some(first.1);
        row[second.0] = Some(second.1);
        for at in 0..sizes.len() {
            if row[at].is_none() {
                // Ties go to the smaller index: the simplest value.
                let gain = |value: &usize| (open.gain(&row, at, *value), usize::MAX - *value);
                row[at] = (0..sizes[at]).max_by_key(gain);
            }
        }
        let row: Vec<usize> = row.into_iter().map(|value| value.unwrap_or(0)).collect();
        open.cover(&row);
        rows.push(row);
    }
    rows
}

/// A component and the index of one of its values.
type ComponentValue = (usize, usize);

/// The pairs that are not covered yet.
struct UncoveredPairs {
    uncovered: std::collections::BTreeSet<(ComponentValue, ComponentValue)>,
}

impl UncoveredPairs {
    fn new(sizes: &[usize]) -> Self {
        let mut open = std::collections::BTreeSet::new();
        for a in 0..sizes.len() {
            for b in a + 1..sizes.len() {
                for x in 0..sizes[a] {
                    open.extend((0..sizes[b]).map(|y| ((a, x), (b, y))));
                }
            }
        }
        Self { uncovered: open }
    }

    fn next(&self) -> Option<(ComponentValue, ComponentValue)> {
        self.uncovered.first().copied()
    }

    fn cover(&mut self, row: &[usize]) {
        for b in 0..row.len() {
            for a in 0..b {
                self.uncovered.remove(&((a, row[a]), (b, row[b])));
            }
        }
    }

    /// How many uncovered pairs a value would cover.
    fn gain(&self, row: &[Option<usize>], at: usize, value: usize) -> usize {
        let others = row.iter().enumerate().filter_map(|(other, chosen)| {
            let chosen = (other, (*chosen)?);
            let pair = if other < at { (chosen, (at, value)) } else { ((at, value), chosen) };
            Some(pair)
        });
        others.filter(|pair| self.uncovered.contains(pair)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::combinations;

    #[test]
    fn few_components_are_multiplied() {
        assert_eq!(combinations(&[2, 2], 4), [[0, 0], [0, 1], [1, 0], [1, 1]]);
        assert_eq!(combinations(&[], 4), [[0_usize; 0]; 1]);
        assert!(combinations(&[3, 0], 4).is_empty());
    }

    #[test]
    fn of_many_components_any_two_values_meet() {
        let sizes = [5, 3, 7, 2, 5, 4];
        let rows = combinations(&sizes, 200);
        assert!(rows.len() < 80, "{} rows", rows.len());
        for a in 0..sizes.len() {
            for b in a + 1..sizes.len() {
                for (x, y) in (0..sizes[a]).flat_map(|x| (0..sizes[b]).map(move |y| (x, y))) {
                    assert!(rows.iter().any(|row| row[a] == x && row[b] == y));
                }
            }
        }
    }
}

//! Covering arrays: few combinations in which any two choices, or any three, of different axes
//! meet, for products that are too large to run.
//!
//! Rows are built one after the other, each around the first uncovered tuple, and take for every
//! other axis the choice that covers the most new tuples. That is the greedy method of AETG
//! (Cohen, Dalal, Fredman and Patton, 1997) without its random choices, so that the rows are
//! deterministic. Most failures need few conditions at once (Kuhn, Wallace and Gallo, 2004), which
//! is why pairs and triples are worth covering.

/// Maximum number of tuples of one strength. Each takes one bit.
const MAX_TUPLES: usize = 1 << 22;
/// Maximum number of choices of one axis to compare when a row is filled.
const MAX_COMPARED_CHOICES: usize = 64;
/// Maximum number of tuple lookups to fill the rows of one strength.
const MAX_LOOKUPS: usize = 20_000_000;

/// One choice for each axis.
pub(super) type CoveringRow = Box<[usize]>;

/// Choices of different axes, as pairs of axis and choice.
pub(super) type ChoiceTuple = Vec<(usize, usize)>;

/// Which tuples of a strength have been covered.
pub(super) struct CoveringArray {
    sizes: Vec<usize>,
    axis_tuples: Vec<AxisTuples>,
    /// The groups before this index are covered.
    current: usize,
    n_tuples: u64,
    n_covered: u64,
    n_excluded: u64,
    n_lookups: usize,
    n_rows: usize,
}

/// The tuples of the same axes.
struct AxisTuples {
    axes: Vec<usize>,
    /// The distance between tuples that differ by one in an axis.
    strides: Vec<usize>,
    n_tuples: usize,
    /// A bit for each tuple that needs no further row: covered or excluded.
    covered: Vec<u64>,
    /// The tuples before this one need no further row.
    first_uncovered: usize,
}

impl AxisTuples {
    fn new(axes: Vec<usize>, sizes: &[usize]) -> Self {
        let mut strides = vec![1; axes.len()];
        for at in (1..axes.len()).rev() {
            strides[at - 1] = strides[at] * sizes[axes[at]];
        }
        let n_tuples = axes.iter().map(|at| sizes[*at]).product();
        Self {
            axes,
            strides,
            n_tuples,
            covered: vec![0; n_tuples / 64 + 1],
            first_uncovered: 0,
        }
    }

    fn is_covered(&self, tuple: usize) -> bool {
        self.covered[tuple / 64] >> (tuple % 64) & 1 == 1
    }

    /// Marks a tuple as covered, and returns whether it was uncovered before.
    fn mark_covered(&mut self, tuple: usize) -> bool {
        let was_open = !self.is_covered(tuple);
        self.covered[tuple / 64] |= 1 << (tuple % 64);
        was_open
    }

    fn next_uncovered(&mut self) -> Option<usize> {
        while self.first_uncovered < self.n_tuples && self.is_covered(self.first_uncovered) {
            self.first_uncovered += 1;
        }
        (self.first_uncovered < self.n_tuples).then_some(self.first_uncovered)
    }

    fn tuple(&self, number: usize, sizes: &[usize]) -> ChoiceTuple {
        let axes = self.axes.iter().zip(&self.strides);
        axes.map(|(axis, stride)| (*axis, number / stride % sizes[*axis])).collect()
    }
}

impl CoveringArray {
    /// An empty array. `None` if there are too many tuples to track.
    pub(super) fn new(sizes: &[usize], strength: usize) -> Option<Self> {
        let mut n_tuples = 0_usize;
        let mut groups = Vec::new();
        // An upper bound, so that `subsets` does not run out of memory first.
        let n_groups = (0..strength).fold(1_usize, |all, _| all.saturating_mul(sizes.len()));
        if n_groups > MAX_TUPLES {
            return None;
        }
        for axes in subsets(sizes.len(), strength) {
            let n = axes.iter().try_fold(1_usize, |all, at| all.checked_mul(sizes[*at]))?;
            n_tuples = n_tuples.checked_add(n).filter(|n| *n <= MAX_TUPLES)?;
            groups.push(AxisTuples::new(axes, sizes));
        }
        Some(Self {
            sizes: sizes.to_vec(),
            axis_tuples: groups,
            current: 0,
            n_tuples: n_tuples as u64,
            n_covered: 0,
            n_excluded: 0,
            n_lookups: 0,
            n_rows: 0,
        })
    }

    /// Covers the tuples of a row.
    pub(super) fn cover(&mut self, row: &[usize]) {
        for group in &mut self.axis_tuples {
            let parts = group.axes.iter().zip(&group.strides);
            let tuple = parts.map(|(axis, stride)| row[*axis] * stride).sum();
            self.n_covered += u64::from(group.mark_covered(tuple));
        }
    }

    /// The next uncovered tuple.
    pub(super) fn next_uncovered(&mut self) -> Option<ChoiceTuple> {
        while let Some(group) = self.axis_tuples.get_mut(self.current) {
            if let Some(number) = group.next_uncovered() {
                return Some(group.tuple(number, &self.sizes));
            }
            self.current += 1;
        }
        None
    }

    /// Excludes the tuple that `next_uncovered` returned last: no row with it counts.
    pub(super) fn exclude(&mut self) {
        if let Some(group) = self.axis_tuples.get_mut(self.current) {
            let at = group.first_uncovered;
            self.n_excluded += u64::from(group.mark_covered(at));
        }
    }

    /// A row with the given tuple that covers as many others as possible. `None` if the lookup
    /// budget is used up.
    pub(super) fn fill_row(&mut self, tuple: &ChoiceTuple) -> Option<CoveringRow> {
        if self.n_lookups > MAX_LOOKUPS {
            return None;
        }
        self.n_rows += 1;
        let mut row: Vec<Option<usize>> = vec![None; self.sizes.len()];
        for (axis, choice) in tuple {
            row[*axis] = Some(*choice);
        }
        // In a fixed order instead of a random one: the same block runs the same cases everywhere.
        for axis in 0..row.len() {
            if row[axis].is_none() {
                row[axis] = Some(self.best_choice(&row, axis));
            }
        }
        Some(row.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// The choice of an axis that covers the most new tuples together with the choices made so far.
    fn best_choice(&mut self, row: &[Option<usize>], axis: usize) -> usize {
        // Only groups whose other axes are all chosen can gain a tuple now. For these, the tuple
        // index is `base + choice * stride`.
        let mut partial: Vec<(&AxisTuples, usize, usize)> = Vec::new();
        for group in &self.axis_tuples {
            let mut base = 0;
            let mut own = None;
            let mut is_chosen = true;
            for (other, stride) in group.axes.iter().zip(&group.strides) {
                if *other == axis {
                    own = Some(*stride);
                } else if let Some(choice) = row[*other] {
                    base += choice * stride;
                } else {
                    is_chosen = false;
                }
            }
            if let (Some(stride), true) = (own, is_chosen) {
                partial.push((group, base, stride));
            }
        }
        let size = self.sizes[axis];
        let n_compared = size.min(MAX_COMPARED_CHOICES);
        // Axes with many choices are compared in turns: each row starts where the last one ended.
        let first = if size > MAX_COMPARED_CHOICES {
            self.n_rows * MAX_COMPARED_CHOICES % size
        } else {
            0
        };
        let gain = |choice: usize| {
            let open = partial
                .iter()
                .filter(|(group, base, stride)| !group.is_covered(base + choice * stride));
            open.count()
        };
        let mut best = (0, first);
        for at in 0..n_compared {
            let choice = (first + at) % size;
            let gained = gain(choice);
            if gained > best.0 {
                best = (gained, choice);
            }
        }
        self.n_lookups += self.axis_tuples.len() + partial.len() * n_compared;
        // If nothing gains, take the first choice, which is a declared one.
        if best.0 == 0 { 0 } else { best.1 }
    }

    /// Whether every tuple is covered or excluded.
    pub(super) fn is_complete(&mut self) -> bool {
        self.next_uncovered().is_none()
    }

    /// The number of tuples that met in a row that counts.
    pub(super) fn n_covered(&self) -> u64 {
        self.n_covered
    }

    /// The number of excluded tuples.
    pub(super) fn n_excluded(&self) -> u64 {
        self.n_excluded
    }

    /// The number of all tuples.
    pub(super) fn n_tuples(&self) -> u64 {
        self.n_tuples
    }
}

/// All ascending subsets of `0..n` with `len` elements.
fn subsets(n: usize, len: usize) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..len {
        let longer = found.iter().flat_map(|it| {
            let first = it.last().map_or(0, |last| last + 1);
            (first..n).map(|next| [&it[..], &[next]].concat())
        });
        found = longer.collect();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{CoveringArray, CoveringRow, subsets};

    /// The rows that cover all tuples of a strength.
    fn rows(sizes: &[usize], strength: usize) -> Vec<CoveringRow> {
        let mut covering = CoveringArray::new(sizes, strength).unwrap();
        let mut rows = Vec::new();
        while let Some(tuple) = covering.next_uncovered() {
            let row = covering.fill_row(&tuple).unwrap();
            covering.cover(&row);
            rows.push(row);
        }
        rows
    }

    fn assert_covered(sizes: &[usize], strength: usize, rows: &[CoveringRow]) {
        for axes in subsets(sizes.len(), strength) {
            let n: usize = axes.iter().map(|at| sizes[*at]).product();
            for number in 0..n {
                let mut rest = number;
                let wanted: Vec<(usize, usize)> = axes
                    .iter()
                    .map(|at| {
                        let choice = rest % sizes[*at];
                        rest /= sizes[*at];
                        (*at, choice)
                    })
                    .collect();
                let is_met =
                    rows.iter().any(|row| wanted.iter().all(|(at, it)| row[*at] == *it));
                assert!(is_met, "{wanted:?}");
            }
        }
    }

    #[test]
    fn any_two_and_any_three_choices_meet() {
        let sizes = [7, 7, 7, 7, 7, 7];
        let pairs = rows(&sizes, 2);
        assert_covered(&sizes, 2, &pairs);
        assert!(pairs.len() < 100, "{} rows", pairs.len());
        let triples = rows(&sizes, 3);
        assert_covered(&sizes, 3, &triples);
        assert!(triples.len() < 900, "{} rows", triples.len());
    }

    #[test]
    fn axes_may_be_of_any_size() {
        let sizes = [1, 300, 2, 5];
        let pairs = rows(&sizes, 2);
        assert_covered(&sizes, 2, &pairs);
        assert!(pairs.len() <= 1_600, "{} rows", pairs.len());
        assert_eq!(rows(&[3], 1).len(), 3);
        assert!(rows(&[3, 3], 3).is_empty());
    }

    #[test]
    fn too_many_tuples_are_refused() {
        assert!(CoveringArray::new(&[100_000, 100_000], 2).is_none());
    }

    #[test]
    fn what_is_left_out_is_counted_apart() {
        let mut covering = CoveringArray::new(&[2, 2], 2).unwrap();
        covering.cover(&[0, 0]);
        let tuple = covering.next_uncovered().unwrap();
        assert_eq!(tuple, [(0, 0), (1, 1)]);
        covering.exclude();
        assert_eq!((covering.n_covered(), covering.n_excluded()), (1, 1));
        assert!(!covering.is_complete());
        covering.cover(&[1, 0]);
        covering.cover(&[1, 1]);
        assert!(covering.is_complete());
        assert_eq!(covering.n_tuples(), 4);
    }
}

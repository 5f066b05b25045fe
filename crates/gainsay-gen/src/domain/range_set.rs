//! Sets represented as a few ranges: code points, and floats by their position in total order.

use num_traits::ToPrimitive as _;

use super::IntSet;

/// Inclusive ranges, sorted and disjoint.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct RangeSet(Vec<(i64, i64)>);

impl RangeSet {
    pub(crate) fn of(mut ranges: Vec<(i64, i64)>) -> Self {
        ranges.retain(|(min, max)| min <= max);
        ranges.sort_unstable();
        let mut merged: Vec<(i64, i64)> = Vec::new();
        for (min, max) in ranges {
            match merged.last_mut() {
                // Adjacent ranges merge as well, so that equal sets are equal lists.
                Some(last) if min <= last.1.saturating_add(1) => last.1 = last.1.max(max),
                Some(_) | None => merged.push((min, max)),
            }
        }
        RangeSet(merged)
    }

    pub(crate) fn list(&self) -> &[(i64, i64)] {
        &self.0
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn meet(&self, other: &RangeSet) -> RangeSet {
        let common = self.0.iter().flat_map(|a| {
            let with = |b: &(i64, i64)| (a.0.max(b.0), a.1.min(b.1));
            other.0.iter().map(with).collect::<Vec<_>>()
        });
        RangeSet::of(common.collect())
    }

    pub(crate) fn join(&self, other: &RangeSet) -> RangeSet {
        RangeSet::of(self.0.iter().chain(&other.0).copied().collect())
    }

    /// The members of `all` that are not in the set.
    pub(crate) fn complement(&self, all: &RangeSet) -> RangeSet {
        let mut gaps = Vec::new();
        let mut next = i64::MIN;
        for (min, max) in &self.0 {
            // Nothing is below the least integer, and `min - 1` would overflow.
            if *min > i64::MIN {
                gaps.push((next, min - 1));
            }
            let Some(after) = max.checked_add(1) else { return RangeSet::of(gaps).meet(all) };
            next = after;
        }
        gaps.push((next, i64::MAX));
        RangeSet::of(gaps).meet(all)
    }

    pub(crate) fn count(&self) -> u64 {
        let widths = self.0.iter().map(|(min, max)| max.abs_diff(*min));
        widths.fold(0, |sum: u64, width| sum.saturating_add(width).saturating_add(1))
    }
}

/// Code points of characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct CodePointSet(pub(crate) RangeSet);

impl CodePointSet {
    /// Those of all characters.
    pub(crate) fn all() -> Self {
        CodePointSet(RangeSet::of(vec![(0, 0xd7ff), (0xe000, 0x10_ffff)]))
    }

    /// Those in a set of integers; `None` if it is more than intervals.
    pub(crate) fn from_ints(ints: &IntSet) -> Option<Self> {
        let end = 0x11_0000_i64;
        let ranges = ints.pieces().iter().map(|it| {
            let min = it.min.as_ref().map_or(Some(0), |min| min.to_i64());
            let max = it.max.as_ref().map_or(Some(end), |max| max.to_i64());
            let is_interval = it.step == 1.into();
            is_interval.then(|| (min.unwrap_or(end), max.unwrap_or(end)))
        });
        let ranges: Option<Vec<_>> = ranges.collect();
        Some(CodePointSet(RangeSet::of(ranges?).meet(&CodePointSet::all().0)))
    }

    /// Those of characters that satisfy a predicate.
    pub(crate) fn matching(holds: impl Fn(char) -> bool) -> Self {
        let codes =
            ('\0'..=char::MAX).filter(|it| holds(*it)).map(|it| i64::from(u32::from(it)));
        let mut ranges: Vec<(i64, i64)> = Vec::new();
        for code in codes {
            match ranges.last_mut() {
                Some(last) if last.1 + 1 == code => last.1 = code,
                Some(_) | None => ranges.push((code, code)),
            }
        }
        CodePointSet(RangeSet::of(ranges))
    }

    /// The ranges as characters.
    pub(crate) fn chars(&self) -> Vec<(char, char)> {
        let char = |code: i64| u32::try_from(code).ok().and_then(char::from_u32);
        let pairs = self.0.list().iter().map(|(min, max)| Some((char(*min)?, char(*max)?)));
        pairs.flatten().collect()
    }
}

/// Floats: ranges of their order keys, and whether NaN is a member.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct FloatSet {
    pub(crate) order_keys: RangeSet,
    pub(crate) nan: bool,
}

/// The position of a float in total order, in which -0.0 is below 0.0.
fn order_key(float: f64) -> i64 {
    let bits = float.to_bits() as i64;
    // Negative floats order backwards by their bits; flipping all but the sign bit reverses them.
    if bits < 0 { bits ^ i64::MAX } else { bits }
}

/// The float with an order key.
pub(crate) fn from_order_key(place: i64) -> f64 {
    let bits = if place < 0 { place ^ i64::MAX } else { place };
    f64::from_bits(bits as u64)
}

impl FloatSet {
    /// Whether a number is a member.
    pub(crate) fn contains(&self, float: f64) -> bool {
        let place = order_key(float);
        self.order_keys.list().iter().any(|(first, last)| *first <= place && place <= *last)
    }

    pub(crate) fn all() -> Self {
        FloatSet { nan: true, ..FloatSet::numbers(f64::NEG_INFINITY, f64::INFINITY) }
    }

    /// The numbers between two, as IEEE 754 compares, so that both zeros are one.
    pub(crate) fn numbers(min: f64, max: f64) -> Self {
        // The zeros have two keys: a range that contains one must reach over both.
        let min = if min == 0.0 { -0.0 } else { min };
        let max = if max == 0.0 { 0.0 } else { max };
        FloatSet {
            order_keys: RangeSet::of(vec![(order_key(min), order_key(max))]),
            nan: false,
        }
    }

    /// The numbers below a bound.
    pub(crate) fn below(bound: f64) -> Self {
        let bound = if bound == 0.0 { -0.0 } else { bound };
        let ranges = vec![(order_key(f64::NEG_INFINITY), order_key(bound) - 1)];
        FloatSet { order_keys: RangeSet::of(ranges), nan: false }
    }

    /// The numbers above a bound.
    pub(crate) fn above(bound: f64) -> Self {
        let bound = if bound == 0.0 { 0.0 } else { bound };
        let ranges = vec![(order_key(bound) + 1, order_key(f64::INFINITY))];
        FloatSet { order_keys: RangeSet::of(ranges), nan: false }
    }

    pub(crate) fn not(&self) -> Self {
        FloatSet {
            order_keys: self.order_keys.complement(&FloatSet::all().order_keys),
            nan: !self.nan,
        }
    }

    pub(crate) fn meet(&self, other: &FloatSet) -> FloatSet {
        FloatSet {
            order_keys: self.order_keys.meet(&other.order_keys),
            nan: self.nan && other.nan,
        }
    }

    pub(crate) fn join(&self, other: &FloatSet) -> FloatSet {
        FloatSet {
            order_keys: self.order_keys.join(&other.order_keys),
            nan: self.nan || other.nan,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.order_keys.is_empty() && !self.nan
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_in_order() {
        let floats = [f64::NEG_INFINITY, -1.5, -5e-324, -0.0, 0.0, 5e-324, 1.0, f64::INFINITY];
        for pair in floats.windows(2) {
            assert!(order_key(pair[0]) < order_key(pair[1]), "{pair:?}");
        }
        for float in floats {
            assert_eq!(from_order_key(order_key(float)).to_bits(), float.to_bits());
        }
    }

    #[test]
    fn zeros_are_one_number() {
        assert_eq!(FloatSet::below(0.0), FloatSet::below(-0.0));
        assert_eq!(FloatSet::numbers(0.0, 0.0).order_keys.count(), 2);
        let not_below = FloatSet::below(0.0).not();
        let from_zero = FloatSet::numbers(0.0, f64::INFINITY);
        assert_eq!(not_below, FloatSet { nan: true, ..from_zero });
        assert!(FloatSet::above(f64::INFINITY).is_empty());
    }

    #[test]
    fn complements_are_complements() {
        let all = CodePointSet::all();
        let digits = CodePointSet::matching(|it| it.is_ascii_digit());
        assert_eq!(digits.chars(), [('0', '9')]);
        let others = digits.0.complement(&all.0);
        assert_eq!(others.count() + digits.0.count(), all.0.count());
        assert!(others.meet(&digits.0).is_empty());
    }
}

//! Sets of numbers that are few ranges: code points, and floats by their place in order.

use num_traits::ToPrimitive as _;

use super::Ints;

/// Ranges with both ends included, in order and apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Ranges(Vec<(i64, i64)>);

impl Ranges {
    pub(crate) fn of(mut ranges: Vec<(i64, i64)>) -> Self {
        ranges.retain(|(min, max)| min <= max);
        ranges.sort_unstable();
        let mut merged: Vec<(i64, i64)> = Vec::new();
        for (min, max) in ranges {
            match merged.last_mut() {
                Some(last) if min <= last.1.saturating_add(1) => last.1 = last.1.max(max),
                Some(_) | None => merged.push((min, max)),
            }
        }
        Ranges(merged)
    }

    pub(crate) fn list(&self) -> &[(i64, i64)] {
        &self.0
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn meet(&self, other: &Ranges) -> Ranges {
        let common = self.0.iter().flat_map(|a| {
            let with = |b: &(i64, i64)| (a.0.max(b.0), a.1.min(b.1));
            other.0.iter().map(with).collect::<Vec<_>>()
        });
        Ranges::of(common.collect())
    }

    pub(crate) fn join(&self, other: &Ranges) -> Ranges {
        Ranges::of(self.0.iter().chain(&other.0).copied().collect())
    }

    /// The members of `all` that are not in the set.
    pub(crate) fn complement(&self, all: &Ranges) -> Ranges {
        let mut gaps = Vec::new();
        let mut next = i64::MIN;
        for (min, max) in &self.0 {
            if *min > i64::MIN {
                gaps.push((next, min - 1));
            }
            let Some(after) = max.checked_add(1) else { return Ranges::of(gaps).meet(all) };
            next = after;
        }
        gaps.push((next, i64::MAX));
        Ranges::of(gaps).meet(all)
    }

    pub(crate) fn count(&self) -> u64 {
        let widths = self.0.iter().map(|(min, max)| max.abs_diff(*min));
        widths.fold(0, |sum: u64, width| sum.saturating_add(width).saturating_add(1))
    }
}

/// Code points of characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Codes(pub(crate) Ranges);

impl Codes {
    /// Those of all characters.
    pub(crate) fn all() -> Self {
        Codes(Ranges::of(vec![(0, 0xd7ff), (0xe000, 0x10_ffff)]))
    }

    /// Those that are in a set of integers; nothing if it is more than a few ranges.
    pub(crate) fn among(ints: &Ints) -> Option<Self> {
        let end = 0x11_0000_i64;
        let ranges = ints.pieces().iter().map(|it| {
            let min = it.min.as_ref().map_or(Some(0), |min| min.to_i64());
            let max = it.max.as_ref().map_or(Some(end), |max| max.to_i64());
            let is_interval = it.step == 1.into();
            is_interval.then(|| (min.unwrap_or(end), max.unwrap_or(end)))
        });
        let ranges: Option<Vec<_>> = ranges.collect();
        Some(Codes(Ranges::of(ranges?).meet(&Codes::all().0)))
    }

    /// Those of characters of which something holds.
    pub(crate) fn where_(holds: impl Fn(char) -> bool) -> Self {
        let codes =
            ('\0'..=char::MAX).filter(|it| holds(*it)).map(|it| i64::from(u32::from(it)));
        let mut ranges: Vec<(i64, i64)> = Vec::new();
        for code in codes {
            match ranges.last_mut() {
                Some(last) if last.1 + 1 == code => last.1 = code,
                Some(_) | None => ranges.push((code, code)),
            }
        }
        Codes(Ranges::of(ranges))
    }

    /// The ranges as characters.
    pub(crate) fn chars(&self) -> Vec<(char, char)> {
        let char = |code: i64| u32::try_from(code).ok().and_then(char::from_u32);
        let pairs = self.0.list().iter().map(|(min, max)| Some((char(*min)?, char(*max)?)));
        pairs.flatten().collect()
    }
}

/// Floats: ranges of their places in order, and whether NaN is among them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Floats {
    pub(crate) places: Ranges,
    pub(crate) nan: bool,
}

/// The place of a float in the order in which -0.0 is below 0.0.
fn place(float: f64) -> i64 {
    let bits = float.to_bits() as i64;
    if bits < 0 { bits ^ i64::MAX } else { bits }
}

/// The float of a place.
pub(crate) fn at_place(place: i64) -> f64 {
    let bits = if place < 0 { place ^ i64::MAX } else { place };
    f64::from_bits(bits as u64)
}

impl Floats {
    /// Whether a number is among them.
    pub(crate) fn contains(&self, float: f64) -> bool {
        let place = place(float);
        self.places.list().iter().any(|(first, last)| *first <= place && place <= *last)
    }

    pub(crate) fn all() -> Self {
        Floats { nan: true, ..Floats::numbers(f64::NEG_INFINITY, f64::INFINITY) }
    }

    /// The numbers between two, as IEEE 754 compares, so that both zeros are one.
    pub(crate) fn numbers(min: f64, max: f64) -> Self {
        let min = if min == 0.0 { -0.0 } else { min };
        let max = if max == 0.0 { 0.0 } else { max };
        Floats { places: Ranges::of(vec![(place(min), place(max))]), nan: false }
    }

    /// The numbers below one.
    pub(crate) fn below(bound: f64) -> Self {
        let bound = if bound == 0.0 { -0.0 } else { bound };
        let ranges = vec![(place(f64::NEG_INFINITY), place(bound) - 1)];
        Floats { places: Ranges::of(ranges), nan: false }
    }

    /// The numbers above one.
    pub(crate) fn above(bound: f64) -> Self {
        let bound = if bound == 0.0 { 0.0 } else { bound };
        let ranges = vec![(place(bound) + 1, place(f64::INFINITY))];
        Floats { places: Ranges::of(ranges), nan: false }
    }

    pub(crate) fn not(&self) -> Self {
        Floats { places: self.places.complement(&Floats::all().places), nan: !self.nan }
    }

    pub(crate) fn meet(&self, other: &Floats) -> Floats {
        Floats { places: self.places.meet(&other.places), nan: self.nan && other.nan }
    }

    pub(crate) fn join(&self, other: &Floats) -> Floats {
        Floats { places: self.places.join(&other.places), nan: self.nan || other.nan }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty() && !self.nan
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_in_order() {
        let floats = [f64::NEG_INFINITY, -1.5, -5e-324, -0.0, 0.0, 5e-324, 1.0, f64::INFINITY];
        for pair in floats.windows(2) {
            assert!(place(pair[0]) < place(pair[1]), "{pair:?}");
        }
        for float in floats {
            assert_eq!(at_place(place(float)).to_bits(), float.to_bits());
        }
    }

    #[test]
    fn zeros_are_one_number() {
        assert_eq!(Floats::below(0.0), Floats::below(-0.0));
        assert_eq!(Floats::numbers(0.0, 0.0).places.count(), 2);
        let not_below = Floats::below(0.0).not();
        let from_zero = Floats::numbers(0.0, f64::INFINITY);
        assert_eq!(not_below, Floats { nan: true, ..from_zero });
        assert!(Floats::above(f64::INFINITY).is_empty());
    }

    #[test]
    fn complements_are_complements() {
        let all = Codes::all();
        let digits = Codes::where_(|it| it.is_ascii_digit());
        assert_eq!(digits.chars(), [('0', '9')]);
        let others = digits.0.complement(&all.0);
        assert_eq!(others.count() + digits.0.count(), all.0.count());
        assert!(others.meet(&digits.0).is_empty());
    }
}

//! Sets of integers: unions of pieces, each of which repeats with a period.

mod periodic_interval;

use num_bigint::BigInt;
use num_traits::Signed;

use self::periodic_interval::MAX_BLOCKS;
pub(crate) use self::periodic_interval::PeriodicInterval;

/// A union of non-empty pieces. Pieces with different steps may overlap.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct IntSet {
    pieces: Vec<PeriodicInterval>,
}

/// Sets of more pieces are not represented.
const MAX_PIECES: usize = MAX_BLOCKS;

impl IntSet {
    /// All integers.
    pub(crate) fn all() -> Self {
        IntSet { pieces: vec![PeriodicInterval::interval(None, None)] }
    }

    /// One integer.
    pub(crate) fn one(member: &BigInt) -> Self {
        IntSet {
            pieces: vec![PeriodicInterval::interval(
                Some(member.clone()),
                Some(member.clone()),
            )],
        }
    }

    /// The integers between two bounds.
    pub(crate) fn between(min: Option<BigInt>, max: Option<BigInt>) -> Self {
        IntSet::of(vec![PeriodicInterval::interval(min, max)])
    }

    /// All integers but one.
    pub(crate) fn all_but(member: &BigInt) -> Self {
        let below = PeriodicInterval::interval(None, Some(member - 1));
        IntSet { pieces: vec![below, PeriodicInterval::interval(Some(member + 1), None)] }
    }

    /// The union of pieces, sorted and merged where they touch.
    fn of(mut pieces: Vec<PeriodicInterval>) -> Self {
        pieces.retain(|it| !it.is_empty());
        // One kind of merge can enable the other, so repeat until neither applies.
        loop {
            let n_before = pieces.len();
            pieces = merged_along(merged_across(pieces));
            if pieces.len() == n_before {
                return IntSet { pieces };
            }
        }
    }

    /// The pieces.
    pub(crate) fn pieces(&self) -> &[PeriodicInterval] {
        &self.pieces
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// An upper bound of the number of members, if finite. Overlapping pieces count twice.
    pub(crate) fn count(&self) -> Option<BigInt> {
        self.pieces.iter().map(PeriodicInterval::count).sum()
    }

    /// The intersection; `None` if it has too many pieces.
    pub(crate) fn meet(&self, other: &IntSet) -> Option<IntSet> {
        // Bounds the work: each pair of pieces may split into many before the limit applies.
        if self.pieces.len() * other.pieces.len() > MAX_PIECES * 4 {
            return None;
        }
        let pairs = self.pieces.iter().flat_map(|a| other.pieces.iter().map(move |b| (a, b)));
        let met: Option<Vec<_>> = pairs.map(|(a, b)| a.meet(b)).collect();
        IntSet::of(met?.concat()).within_limit()
    }

    /// The union; `None` if it has too many pieces.
    pub(crate) fn join(&self, other: &IntSet) -> Option<IntSet> {
        IntSet::of(self.pieces.iter().chain(&other.pieces).cloned().collect()).within_limit()
    }

    fn within_limit(self) -> Option<IntSet> {
        (self.pieces.len() <= MAX_PIECES).then_some(self)
    }

    /// The `x` with `x + c` in the set.
    pub(crate) fn preimage_of_add(&self, c: &BigInt) -> IntSet {
        IntSet::of(self.pieces.iter().map(|it| it.preimage_of_add(c)).collect())
    }

    /// The `x` with `-x` in the set.
    pub(crate) fn preimage_of_negate(&self) -> IntSet {
        IntSet::of(self.pieces.iter().map(PeriodicInterval::preimage_of_negate).collect())
    }

    /// The `x` with `c * x` in the set; `c` is not 0. `None` if these are too many pieces.
    pub(crate) fn preimage_of_multiply(&self, c: &BigInt) -> Option<IntSet> {
        if c.is_negative() {
            // c·x ∈ S  ⇔  (−c)·x ∈ −S
            return self.preimage_of_negate().preimage_of_multiply(&-c);
        }
        let divided: Option<Vec<_>> =
            self.pieces.iter().map(|it| it.preimage_of_multiply(c)).collect();
        IntSet::of(divided?.concat()).within_limit()
    }

    /// The `x` with `x / c` in the set, rounded toward zero; `c` is not 0. `None` if these are too
    /// many pieces.
    pub(crate) fn preimage_of_divide(&self, c: &BigInt) -> Option<IntSet> {
        if c.is_negative() {
            // x / c ∈ S  ⇔  x / (−c) ∈ −S
            return self.preimage_of_negate().preimage_of_divide(&-c);
        }
        IntSet::of(self.pieces.iter().flat_map(|it| it.preimage_of_divide(c)).collect())
            .within_limit()
    }

    /// The `x` with `x % m` in the set, where `x % m` has the sign of `x`; `m` is not 0. `None` if
    /// these are too many pieces.
    pub(crate) fn preimage_of_remainder(&self, m: &BigInt) -> Option<IntSet> {
        // The remainder has the sign of the dividend, so the sign of `m` does not matter.
        let m = m.abs();
        let whole: Option<Vec<_>> =
            self.pieces.iter().map(|it| it.preimage_of_remainder(&m)).collect();
        IntSet::of(whole?.concat()).within_limit()
    }

    /// Whether an integer is a member.
    pub(crate) fn contains(&self, member: &BigInt) -> bool {
        self.pieces.iter().any(|it| it.contains(member))
    }
}

/// Merges pieces with the same blocks where one continues the other.
fn merged_along(mut pieces: Vec<PeriodicInterval>) -> Vec<PeriodicInterval> {
    pieces.sort_by(|a, b| {
        let key =
            |it: &'_ PeriodicInterval| (it.step.clone(), it.residue.clone(), it.width.clone());
        key(a).cmp(&key(b)).then_with(|| a.min.cmp(&b.min))
    });
    let mut merged: Vec<PeriodicInterval> = Vec::new();
    for piece in pieces {
        match merged.last_mut() {
            Some(last) if touch(last, &piece) => {
                // `zip`: a piece without an upper end makes the merged one unbounded.
                last.max = last.max.take().zip(piece.max).map(|(a, b)| a.max(b));
            }
            Some(_) | None => merged.push(piece),
        }
    }
    merged
}

/// Whether the second piece has the blocks of the first, and begins where the first ends or before.
fn touch(a: &PeriodicInterval, b: &PeriodicInterval) -> bool {
    if (&a.step, &a.residue, &a.width) != (&b.step, &b.residue, &b.width) {
        return false;
    }
    match (a.last(), b.first()) {
        (Some(last), Some(first)) => first <= a.next_member(&(last + 1)),
        (None, _) | (_, None) => true,
    }
}

/// Merges pieces with the same bounds whose blocks are adjacent.
fn merged_across(mut pieces: Vec<PeriodicInterval>) -> Vec<PeriodicInterval> {
    pieces.sort_by(|a, b| {
        let key = |it: &'_ PeriodicInterval| (it.step.clone(), it.min.clone(), it.max.clone());
        key(a).cmp(&key(b)).then_with(|| a.residue.cmp(&b.residue))
    });
    let mut merged: Vec<PeriodicInterval> = Vec::new();
    for piece in pieces {
        match merged.last_mut() {
            Some(last) if are_adjacent(last, &piece) => {
                let end = &piece.residue + &piece.width;
                let width = (end - &last.residue).max(last.width.clone());
                *last = last.blocks(&last.residue, width, last.step.clone());
            }
            Some(_) | None => merged.push(piece),
        }
    }
    merged_around(merged)
}

/// Merges the last piece of a period with the first one, where its blocks wrap around the end.
fn merged_around(mut pieces: Vec<PeriodicInterval>) -> Vec<PeriodicInterval> {
    let mut at = 0;
    while at < pieces.len() {
        let first = pieces[at].clone();
        let same = |it: &PeriodicInterval| {
            (&it.step, &it.min, &it.max) == (&first.step, &first.min, &first.max)
        };
        let n_same = pieces[at..].iter().take_while(|it| same(it)).count();
        let last = at + n_same - 1;
        let end = &pieces[last].residue + &pieces[last].width;
        if n_same > 1 && end >= &first.step + &first.residue {
            let start = pieces[last].residue.clone();
            let width = (&first.step + &first.residue + &first.width - &start)
                .max(pieces[last].width.clone());
            pieces[at] = first.blocks(&start, width, first.step.clone());
            pieces.remove(last);
        }
        at += n_same;
    }
    pieces
}

fn are_adjacent(a: &PeriodicInterval, b: &PeriodicInterval) -> bool {
    let is_alike = (&a.step, &a.min, &a.max) == (&b.step, &b.min, &b.max);
    is_alike && b.residue <= &a.residue + &a.width
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: std::ops::RangeInclusive<i64> = -320..=320;

    fn members(set: &IntSet) -> Vec<i64> {
        SPAN.filter(|it| set.contains(&BigInt::from(*it))).collect()
    }

    fn some_sets() -> Vec<IntSet> {
        let big = |it: i64| BigInt::from(it);
        let evens = IntSet::one(&big(0)).preimage_of_remainder(&big(2)).unwrap();
        let odds = IntSet::one(&big(1)).preimage_of_remainder(&big(2)).unwrap();
        let hundreds = IntSet::one(&big(0)).preimage_of_remainder(&big(100)).unwrap();
        let others = IntSet::all_but(&big(0)).preimage_of_remainder(&big(100)).unwrap();
        let upper =
            IntSet::between(Some(big(70)), None).preimage_of_remainder(&big(100)).unwrap();
        let tens = IntSet::one(&big(3)).preimage_of_remainder(&big(10)).unwrap();
        vec![
            IntSet::all(),
            IntSet::of(Vec::new()),
            IntSet::one(&big(7)),
            IntSet::all_but(&big(0)),
            IntSet::between(Some(big(-5)), Some(big(20))),
            IntSet::between(None, Some(big(3))),
            evens.clone(),
            odds,
            evens.meet(&IntSet::one(&big(1)).preimage_of_remainder(&big(3)).unwrap()).unwrap(),
            evens.join(&IntSet::between(Some(big(10)), Some(big(13)))).unwrap(),
            hundreds.meet(&IntSet::between(Some(big(-150)), Some(big(250)))).unwrap(),
            others.meet(&IntSet::between(Some(big(-150)), Some(big(250)))).unwrap(),
            others,
            upper,
            tens.preimage_of_divide(&big(10)).unwrap(),
        ]
    }

    #[test]
    fn meets_and_joins_are_those_of_sets() {
        for a in some_sets() {
            let in_a = members(&a);
            for b in some_sets() {
                let in_b = members(&b);
                if let Some(met) = a.meet(&b) {
                    let both: Vec<i64> =
                        in_a.iter().copied().filter(|it| in_b.contains(it)).collect();
                    assert_eq!(members(&met), both, "{a:?} and {b:?}");
                }
                let is_in_either = |it: &i64| in_a.contains(it) || in_b.contains(it);
                let either: Vec<i64> = SPAN.filter(is_in_either).collect();
                assert_eq!(members(&a.join(&b).unwrap()), either, "{a:?} or {b:?}");
            }
        }
    }

    #[test]
    fn large_moduli_are_written_down() {
        let big = |it: i64| BigInt::from(it);
        let others = IntSet::all_but(&big(0)).preimage_of_remainder(&big(1_000)).unwrap();
        assert_eq!(others.pieces().len(), 1);
        let sevens = IntSet::one(&big(7)).preimage_of_remainder(&big(1_000)).unwrap();
        assert_eq!(sevens.meet(&others).unwrap(), sevens);
        let above = sevens.meet(&IntSet::between(Some(big(50_001)), None)).unwrap();
        assert_eq!(above.pieces()[0].first(), Some(big(51_007 - 1_000)));
        let all =
            others.join(&IntSet::one(&big(0)).preimage_of_remainder(&big(1_000)).unwrap());
        assert_eq!(all.unwrap(), IntSet::all());
    }

    #[test]
    fn whole_blocks_have_the_same_members() {
        for set in some_sets() {
            for piece in set.pieces() {
                let own = IntSet { pieces: vec![piece.clone()] };
                let whole = piece.in_whole_blocks();
                for it in SPAN.map(BigInt::from) {
                    let n_in = whole.iter().filter(|part| part.contains(&it)).count();
                    assert_eq!(n_in, usize::from(own.contains(&it)), "{it} in {piece:?}");
                }
                let counts: Option<BigInt> = whole.iter().map(PeriodicInterval::count).sum();
                assert_eq!(counts, piece.count());
            }
        }
    }

    #[test]
    fn preimages_are_those_of_the_operations() {
        for set in some_sets() {
            let has = |it: i64| set.contains(&BigInt::from(it));
            let want = |f: &dyn Fn(i64) -> i64| SPAN.filter(|x| has(f(*x))).collect::<Vec<_>>();
            for c in [-7_i64, -3, -2, -1, 1, 2, 3, 5, 12, 100, 150] {
                let big = BigInt::from(c);
                assert_eq!(members(&set.preimage_of_add(&big)), want(&|x| x + c));
                if let Some(multiplied) = set.preimage_of_multiply(&big) {
                    assert_eq!(members(&multiplied), want(&|x| x * c), "{set:?} * {c}");
                }
                if let Some(remainder) = set.preimage_of_remainder(&big) {
                    assert_eq!(members(&remainder), want(&|x| x % c), "{set:?} % {c}");
                }
                if let Some(divided) = set.preimage_of_divide(&big) {
                    assert_eq!(members(&divided), want(&|x| x / c), "{set:?} / {c}");
                }
            }
            assert_eq!(members(&set.preimage_of_negate()), want(&|x| -x));
        }
    }

    #[test]
    fn the_nearest_member_is_nearest() {
        for set in some_sets() {
            for piece in set.pieces() {
                let own = IntSet { pieces: vec![piece.clone()] };
                let nearest = members(&own).into_iter().min_by_key(|it| it.abs());
                if let Some(nearest) = nearest {
                    let found = piece.nearest_to_zero();
                    assert_eq!(found.magnitude(), BigInt::from(nearest).magnitude());
                    assert!(own.contains(&found));
                }
            }
        }
    }
}

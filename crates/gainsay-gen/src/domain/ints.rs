//! Sets of integers: unions of pieces, each of which comes again with a step.

mod piece;

use num_bigint::BigInt;
use num_traits::Signed;

use self::piece::MOST_BLOCKS;
pub(crate) use self::piece::Piece;

/// A union of pieces, none of which is empty. Pieces of different steps may overlap.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Ints {
    pieces: Vec<Piece>,
}

/// More pieces than anybody writes down are not told apart.
const MOST_PIECES: usize = MOST_BLOCKS;

impl Ints {
    /// All integers.
    pub(crate) fn all() -> Self {
        Ints { pieces: vec![Piece::interval(None, None)] }
    }

    /// One integer.
    pub(crate) fn one(member: &BigInt) -> Self {
        Ints { pieces: vec![Piece::interval(Some(member.clone()), Some(member.clone()))] }
    }

    /// The integers between two bounds.
    pub(crate) fn between(min: Option<BigInt>, max: Option<BigInt>) -> Self {
        Ints::of(vec![Piece::interval(min, max)])
    }

    /// All integers but one.
    pub(crate) fn all_but(member: &BigInt) -> Self {
        let below = Piece::interval(None, Some(member - 1));
        Ints { pieces: vec![below, Piece::interval(Some(member + 1), None)] }
    }

    /// The union of pieces, in order and merged where they touch.
    fn of(mut pieces: Vec<Piece>) -> Self {
        pieces.retain(|it| !it.is_empty());
        loop {
            let n_before = pieces.len();
            pieces = merged_along(merged_across(pieces));
            if pieces.len() == n_before {
                return Ints { pieces };
            }
        }
    }

    /// The pieces.
    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// How many members there are at most, if that is finite.
    pub(crate) fn count(&self) -> Option<BigInt> {
        self.pieces.iter().map(Piece::count).sum()
    }

    /// The common members; nothing if they are too many pieces to write down.
    pub(crate) fn meet(&self, other: &Ints) -> Option<Ints> {
        if self.pieces.len() * other.pieces.len() > MOST_PIECES * 4 {
            return None;
        }
        let pairs = self.pieces.iter().flat_map(|a| other.pieces.iter().map(move |b| (a, b)));
        let met: Option<Vec<_>> = pairs.map(|(a, b)| a.meet(b)).collect();
        Ints::of(met?.concat()).if_few()
    }

    /// The members of either; nothing if they are too many pieces to write down.
    pub(crate) fn join(&self, other: &Ints) -> Option<Ints> {
        Ints::of(self.pieces.iter().chain(&other.pieces).cloned().collect()).if_few()
    }

    fn if_few(self) -> Option<Ints> {
        (self.pieces.len() <= MOST_PIECES).then_some(self)
    }

    /// The `x` with `x + c` in the set.
    pub(crate) fn before_adding(&self, c: &BigInt) -> Ints {
        Ints::of(self.pieces.iter().map(|it| it.before_adding(c)).collect())
    }

    /// The `x` with `-x` in the set.
    pub(crate) fn before_negating(&self) -> Ints {
        Ints::of(self.pieces.iter().map(Piece::before_negating).collect())
    }

    /// The `x` with `c * x` in the set; `c` is not 0. Nothing if these are too many pieces.
    pub(crate) fn before_multiplying(&self, c: &BigInt) -> Option<Ints> {
        if c.is_negative() {
            return self.before_negating().before_multiplying(&-c);
        }
        let divided: Option<Vec<_>> =
            self.pieces.iter().map(|it| it.before_multiplying(c)).collect();
        Ints::of(divided?.concat()).if_few()
    }

    /// The `x` with `x / c` in the set, rounded towards zero; `c` is not 0. Nothing if these are
    /// too many pieces.
    pub(crate) fn before_dividing(&self, c: &BigInt) -> Option<Ints> {
        if c.is_negative() {
            return self.before_negating().before_dividing(&-c);
        }
        Ints::of(self.pieces.iter().flat_map(|it| it.before_dividing(c)).collect()).if_few()
    }

    /// The `x` with `x % m` in the set, which has the sign of `x`; `m` is not 0. Nothing if these
    /// are too many pieces.
    pub(crate) fn before_remainder(&self, m: &BigInt) -> Option<Ints> {
        let m = m.abs();
        let whole: Option<Vec<_>> =
            self.pieces.iter().map(|it| it.before_remainder(&m)).collect();
        Ints::of(whole?.concat()).if_few()
    }

    /// Whether a number is among them.
    pub(crate) fn contains(&self, member: &BigInt) -> bool {
        self.pieces.iter().any(|it| it.contains(member))
    }
}

/// Merges pieces that go on where others of the same blocks end.
fn merged_along(mut pieces: Vec<Piece>) -> Vec<Piece> {
    pieces.sort_by(|a, b| {
        let key = |it: &'_ Piece| (it.step.clone(), it.residue.clone(), it.width.clone());
        key(a).cmp(&key(b)).then_with(|| a.min.cmp(&b.min))
    });
    let mut merged: Vec<Piece> = Vec::new();
    for piece in pieces {
        match merged.last_mut() {
            Some(last) if touch(last, &piece) => {
                last.max = last.max.take().zip(piece.max).map(|(a, b)| a.max(b));
            }
            Some(_) | None => merged.push(piece),
        }
    }
    merged
}

/// Whether the second of two pieces has the blocks of the first, and begins where it ends or
/// before.
fn touch(a: &Piece, b: &Piece) -> bool {
    if (&a.step, &a.residue, &a.width) != (&b.step, &b.residue, &b.width) {
        return false;
    }
    match (a.last(), b.first()) {
        (Some(last), Some(first)) => first <= a.not_below(&(last + 1)),
        (None, _) | (_, None) => true,
    }
}

/// Merges pieces between the same bounds whose blocks are side by side.
fn merged_across(mut pieces: Vec<Piece>) -> Vec<Piece> {
    pieces.sort_by(|a, b| {
        let key = |it: &'_ Piece| (it.step.clone(), it.min.clone(), it.max.clone());
        key(a).cmp(&key(b)).then_with(|| a.residue.cmp(&b.residue))
    });
    let mut merged: Vec<Piece> = Vec::new();
    for piece in pieces {
        match merged.last_mut() {
            Some(last) if beside(last, &piece) => {
                let end = &piece.residue + &piece.width;
                let width = (end - &last.residue).max(last.width.clone());
                *last = last.blocks(&last.residue, width, last.step.clone());
            }
            Some(_) | None => merged.push(piece),
        }
    }
    around(merged)
}

/// Merges the last pieces of a step with the first ones, where their blocks go on past its end.
fn around(mut pieces: Vec<Piece>) -> Vec<Piece> {
    let mut at = 0;
    while at < pieces.len() {
        let first = pieces[at].clone();
        let same =
            |it: &Piece| (&it.step, &it.min, &it.max) == (&first.step, &first.min, &first.max);
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

fn beside(a: &Piece, b: &Piece) -> bool {
    let is_alike = (&a.step, &a.min, &a.max) == (&b.step, &b.min, &b.max);
    is_alike && b.residue <= &a.residue + &a.width
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: std::ops::RangeInclusive<i64> = -320..=320;

    fn members(set: &Ints) -> Vec<i64> {
        SPAN.filter(|it| set.contains(&BigInt::from(*it))).collect()
    }

    fn some_sets() -> Vec<Ints> {
        let big = |it: i64| BigInt::from(it);
        let evens = Ints::one(&big(0)).before_remainder(&big(2)).unwrap();
        let odds = Ints::one(&big(1)).before_remainder(&big(2)).unwrap();
        let hundreds = Ints::one(&big(0)).before_remainder(&big(100)).unwrap();
        let others = Ints::all_but(&big(0)).before_remainder(&big(100)).unwrap();
        let upper = Ints::between(Some(big(70)), None).before_remainder(&big(100)).unwrap();
        let tens = Ints::one(&big(3)).before_remainder(&big(10)).unwrap();
        vec![
            Ints::all(),
            Ints::of(Vec::new()),
            Ints::one(&big(7)),
            Ints::all_but(&big(0)),
            Ints::between(Some(big(-5)), Some(big(20))),
            Ints::between(None, Some(big(3))),
            evens.clone(),
            odds,
            evens.meet(&Ints::one(&big(1)).before_remainder(&big(3)).unwrap()).unwrap(),
            evens.join(&Ints::between(Some(big(10)), Some(big(13)))).unwrap(),
            hundreds.meet(&Ints::between(Some(big(-150)), Some(big(250)))).unwrap(),
            others.meet(&Ints::between(Some(big(-150)), Some(big(250)))).unwrap(),
            others,
            upper,
            tens.before_dividing(&big(10)).unwrap(),
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
        let others = Ints::all_but(&big(0)).before_remainder(&big(1_000)).unwrap();
        assert_eq!(others.pieces().len(), 1);
        let sevens = Ints::one(&big(7)).before_remainder(&big(1_000)).unwrap();
        assert_eq!(sevens.meet(&others).unwrap(), sevens);
        let above = sevens.meet(&Ints::between(Some(big(50_001)), None)).unwrap();
        assert_eq!(above.pieces()[0].first(), Some(big(51_007 - 1_000)));
        let all = others.join(&Ints::one(&big(0)).before_remainder(&big(1_000)).unwrap());
        assert_eq!(all.unwrap(), Ints::all());
    }

    #[test]
    fn whole_blocks_have_the_same_members() {
        for set in some_sets() {
            for piece in set.pieces() {
                let own = Ints { pieces: vec![piece.clone()] };
                let whole = piece.in_whole_blocks();
                for it in SPAN.map(BigInt::from) {
                    let n_in = whole.iter().filter(|part| part.contains(&it)).count();
                    assert_eq!(n_in, usize::from(own.contains(&it)), "{it} in {piece:?}");
                }
                let counts: Option<BigInt> = whole.iter().map(Piece::count).sum();
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
                assert_eq!(members(&set.before_adding(&big)), want(&|x| x + c));
                if let Some(multiplied) = set.before_multiplying(&big) {
                    assert_eq!(members(&multiplied), want(&|x| x * c), "{set:?} * {c}");
                }
                if let Some(remainder) = set.before_remainder(&big) {
                    assert_eq!(members(&remainder), want(&|x| x % c), "{set:?} % {c}");
                }
                if let Some(divided) = set.before_dividing(&big) {
                    assert_eq!(members(&divided), want(&|x| x / c), "{set:?} / {c}");
                }
            }
            assert_eq!(members(&set.before_negating()), want(&|x| -x));
        }
    }

    #[test]
    fn the_nearest_member_is_nearest() {
        for set in some_sets() {
            for piece in set.pieces() {
                let own = Ints { pieces: vec![piece.clone()] };
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

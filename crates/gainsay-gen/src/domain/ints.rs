//! Sets of integers: unions of intervals with a step.

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The integers from `min` to `max` that leave `residue` when divided by `step`.
///
/// Bounds are as they came, not moved to members, so that pieces which differ only in their
/// residue are recognised as parts of one interval.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Piece {
    pub(crate) min: Option<BigInt>,
    pub(crate) max: Option<BigInt>,
    /// At least 1.
    pub(crate) step: BigInt,
    /// From 0 to below the step.
    pub(crate) residue: BigInt,
}

/// A union of pieces, none of which is empty. Pieces of different steps may overlap.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Ints {
    pieces: Vec<Piece>,
}

/// More pieces than anybody writes down are not told apart.
const MOST_PIECES: usize = 64;

/// Residues beyond this number are not told apart.
const MOST_RESIDUES: u32 = 64;

impl Piece {
    fn interval(min: Option<BigInt>, max: Option<BigInt>) -> Self {
        Piece { min, max, step: BigInt::one(), residue: BigInt::zero() }
    }

    /// The smallest member, if there is a bound below.
    pub(crate) fn first(&self) -> Option<BigInt> {
        let min = self.min.as_ref()?;
        Some(min + modulo(&(&self.residue - min), &self.step))
    }

    /// The largest member, if there is a bound above.
    pub(crate) fn last(&self) -> Option<BigInt> {
        let max = self.max.as_ref()?;
        Some(max - modulo(&(max - &self.residue), &self.step))
    }

    fn is_empty(&self) -> bool {
        matches!((self.first(), self.last()), (Some(first), Some(last)) if first > last)
    }

    /// How many members there are, if that is finite.
    pub(crate) fn count(&self) -> Option<BigInt> {
        Some((self.last()? - self.first()?) / &self.step + 1)
    }

    /// The member nearest to zero.
    pub(crate) fn nearest_to_zero(&self) -> BigInt {
        match (self.first(), self.last()) {
            (Some(first), _) if !first.is_negative() => first,
            (_, Some(last)) if !last.is_positive() => last,
            (first, last) => {
                let below = &self.residue - &self.step;
                let is_near = self.residue.magnitude() <= below.magnitude();
                let has_above = last.is_none_or(|it| self.residue <= it);
                let has_below = first.is_none_or(|it| below >= it);
                if has_above && (is_near || !has_below) { self.residue.clone() } else { below }
            }
        }
    }

    /// The common members, which are a piece again; nothing if there are none.
    fn meet(&self, other: &Piece) -> Option<Piece> {
        let min = self.min.iter().chain(&other.min).max().cloned();
        let max = self.max.iter().chain(&other.max).min().cloned();
        let (step, residue) =
            congruence((&self.step, &self.residue), (&other.step, &other.residue))?;
        Some(Piece { min, max, step, residue }).filter(|it| !it.is_empty())
    }

    fn map(&self, change: impl Fn(&BigInt) -> BigInt) -> Piece {
        let residue = modulo(&change(&self.residue), &self.step);
        let (min, max) = (self.min.as_ref().map(&change), self.max.as_ref().map(&change));
        Piece { min, max, step: self.step.clone(), residue }
    }
}

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
        let key = |it: &Piece| (it.step.clone(), it.residue.clone(), it.min.clone());
        pieces.sort_by_cached_key(key);
        let mut merged: Vec<Piece> = Vec::new();
        for piece in pieces {
            match merged.last_mut() {
                Some(last) if touch(last, &piece) => {
                    let max = match (&last.max, &piece.max) {
                        (Some(a), Some(b)) => Some(a.max(b).clone()),
                        (None, _) | (_, None) => None,
                    };
                    last.max = max;
                }
                Some(_) | None => merged.push(piece),
            }
        }
        let whole = without_steps(&merged);
        whole.unwrap_or(Ints { pieces: merged })
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
        Ints::of(pairs.filter_map(|(a, b)| a.meet(b)).collect()).if_few()
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
        Ints::of(self.pieces.iter().map(|it| it.map(|bound| bound - c)).collect())
    }

    /// The `x` with `-x` in the set.
    pub(crate) fn before_negating(&self) -> Ints {
        let negated = self.pieces.iter().map(|it| {
            let negated = it.map(|bound| -bound);
            Piece { min: negated.max, max: negated.min, ..negated }
        });
        Ints::of(negated.collect())
    }

    //   c·x ∈ [a, b]        ⇔  ⌈a / c⌉ ≤ x ≤ ⌊b / c⌋
    //   c·x ≡ r (mod s)     ⇔  g = gcd(c, s) divides r, and x ≡ (r / g)·(c / g)⁻¹ (mod s / g)
    /// The `x` with `c * x` in the set; `c` is not 0.
    pub(crate) fn before_multiplying(&self, c: &BigInt) -> Ints {
        if c.is_negative() {
            return self.before_negating().before_multiplying(&-c);
        }
        let divided = self.pieces.iter().filter_map(|it| {
            let (g, inverse, _) = bezout(c, &it.step);
            if !(&it.residue % &g).is_zero() {
                return None;
            }
            let step = &it.step / &g;
            let residue = modulo(&(&it.residue / &g * inverse), &step);
            let min = it.min.as_ref().map(|min| -floor_div(&-min, c));
            let max = it.max.as_ref().map(|max| floor_div(max, c));
            Some(Piece { min, max, step, residue })
        });
        Ints::of(divided.collect())
    }

    /// The `x` with `x / c` in the set, rounded towards zero; `c` is not 0. Nothing where steps
    /// would have to be followed.
    pub(crate) fn before_dividing(&self, c: &BigInt) -> Option<Ints> {
        if c.is_negative() {
            return self.before_negating().before_dividing(&-c);
        }
        let slack = c - 1;
        let mut pieces = Vec::new();
        for piece in &self.pieces {
            if !piece.step.is_one() {
                return None;
            }
            let min = piece
                .min
                .as_ref()
                .map(|min| if min.is_positive() { min * c } else { min * c - &slack });
            let max = piece
                .max
                .as_ref()
                .map(|max| if max.is_negative() { max * c } else { max * c + &slack });
            pieces.push(Piece::interval(min, max));
        }
        Some(Ints::of(pieces))
    }

    /// The `x` with `x % m` in the set, which has the sign of `x`; `m` is not 0. Nothing if that
    /// are too many residues.
    pub(crate) fn before_remainder(&self, m: &BigInt) -> Option<Ints> {
        let m = m.abs();
        let small = m.to_u32().filter(|it| *it <= MOST_RESIDUES)?;
        let mut pieces = Vec::new();
        for remainder in 0..small {
            let remainder = BigInt::from(remainder);
            if self.contains(&remainder) {
                let (step, residue) = (m.clone(), remainder.clone());
                pieces.push(Piece { min: Some(BigInt::zero()), max: None, step, residue });
            }
            if self.contains(&-&remainder) {
                let (step, residue) = (m.clone(), modulo(&-remainder, &m));
                pieces.push(Piece { min: None, max: Some(BigInt::zero()), step, residue });
            }
        }
        Some(Ints::of(pieces))
    }

    pub(crate) fn contains(&self, member: &BigInt) -> bool {
        let one = Piece::interval(Some(member.clone()), Some(member.clone()));
        self.pieces.iter().any(|it| it.meet(&one).is_some())
    }
}

/// Whether the second of two pieces of one step and residue begins where the first ends or before.
fn touch(a: &Piece, b: &Piece) -> bool {
    if a.step != b.step || a.residue != b.residue {
        return false;
    }
    match (a.last(), b.first()) {
        (Some(last), Some(first)) => first <= last + &a.step,
        (None, _) | (_, None) => true,
    }
}

/// The same set in intervals, if its pieces are intervals cut up by all residues of one step.
fn without_steps(pieces: &[Piece]) -> Option<Ints> {
    let step = &pieces.first()?.step;
    let n_residues = step.to_usize().filter(|it| *it > 1)?;
    if !pieces.len().is_multiple_of(n_residues) || pieces.iter().any(|it| it.step != *step) {
        return None;
    }
    let mut bounds: Vec<_> = pieces.iter().map(|it| (it.min.clone(), it.max.clone())).collect();
    bounds.sort();
    let is_whole = bounds.chunks(n_residues).all(|it| it.iter().all(|bound| *bound == it[0]));
    let intervals = bounds.chunks(n_residues).map(|it| it[0].clone());
    is_whole.then(|| Ints::of(intervals.map(|(min, max)| Piece::interval(min, max)).collect()))
}

//   x ≡ a (mod s)    x ≡ b (mod t)    g = gcd(s, t) = p·s + q·t divides b − a
//   ─────────────────────────────────────────────────────────────────────── (CHINESE REMAINDER)
//                x ≡ a + s·p·(b − a)/g   (mod s·t/g)
fn congruence(
    (s, a): (&BigInt, &BigInt),
    (t, b): (&BigInt, &BigInt),
) -> Option<(BigInt, BigInt)> {
    let (g, p, _) = bezout(s, t);
    let difference = b - a;
    if !(&difference % &g).is_zero() {
        return None;
    }
    let step = s * t / &g;
    let residue = modulo(&(a + s * p * (difference / g)), &step);
    Some((step, residue))
}

/// The greatest common divisor of two positive integers, and factors that give it as a sum.
fn bezout(a: &BigInt, b: &BigInt) -> (BigInt, BigInt, BigInt) {
    let (mut old, mut new) = (a.clone(), b.clone());
    let (mut old_p, mut p) = (BigInt::one(), BigInt::zero());
    let (mut old_q, mut q) = (BigInt::zero(), BigInt::one());
    while !new.is_zero() {
        let quotient = &old / &new;
        (old, new) = (new.clone(), old - &quotient * new);
        (old_p, p) = (p.clone(), old_p - &quotient * p);
        (old_q, q) = (q.clone(), old_q - &quotient * q);
    }
    (old, old_p, old_q)
}

/// The remainder from 0 to below `m`.
pub(crate) fn modulo(a: &BigInt, m: &BigInt) -> BigInt {
    let remainder = a % m;
    if remainder.is_negative() { remainder + m } else { remainder }
}

/// The quotient rounded down; `c` is positive.
pub(crate) fn floor_div(a: &BigInt, c: &BigInt) -> BigInt {
    (a - modulo(a, c)) / c
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: std::ops::RangeInclusive<i64> = -60..=60;

    fn members(set: &Ints) -> Vec<i64> {
        SPAN.filter(|it| set.contains(&BigInt::from(*it))).collect()
    }

    fn some_sets() -> Vec<Ints> {
        let big = |it: i64| BigInt::from(it);
        let evens = Ints::one(&big(0)).before_remainder(&big(2)).unwrap();
        let odds = Ints::one(&big(1)).before_remainder(&big(2)).unwrap();
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
        ]
    }

    #[test]
    fn meets_and_joins_are_those_of_sets() {
        for a in some_sets() {
            for b in some_sets() {
                let both: Vec<i64> =
                    members(&a).into_iter().filter(|it| members(&b).contains(it)).collect();
                assert_eq!(members(&a.meet(&b).unwrap()), both, "{a:?} and {b:?}");
                let either: Vec<i64> = SPAN
                    .filter(|it| members(&a).contains(it) || members(&b).contains(it))
                    .collect();
                assert_eq!(members(&a.join(&b).unwrap()), either, "{a:?} or {b:?}");
            }
        }
    }

    #[test]
    fn preimages_are_those_of_the_operations() {
        for set in some_sets() {
            let has = |it: i64| set.contains(&BigInt::from(it));
            let want = |f: &dyn Fn(i64) -> i64| SPAN.filter(|x| has(f(*x))).collect::<Vec<_>>();
            for c in [-7_i64, -3, -2, -1, 1, 2, 3, 5, 12] {
                let big = BigInt::from(c);
                assert_eq!(members(&set.before_adding(&big)), want(&|x| x + c));
                assert_eq!(members(&set.before_multiplying(&big)), want(&|x| x * c));
                let remainder = set.before_remainder(&big).unwrap();
                assert_eq!(members(&remainder), want(&|x| x % c), "{set:?} % {c}");
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

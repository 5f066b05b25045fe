//! A piece of a set of integers: blocks that repeat with a period, between two bounds.

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Sets of more blocks are not represented.
pub(super) const MAX_BLOCKS: usize = 64;

/// The integers from `min` to `max` that are in a block: `width` consecutive integers, the first of
/// which is congruent to `residue` modulo `step`.
///
/// Bounds are not moved to members, so that pieces which differ only in their residues are
/// recognised as parts of one interval.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct PeriodicInterval {
    pub(crate) min: Option<BigInt>,
    pub(crate) max: Option<BigInt>,
    /// At least 1.
    pub(crate) step: BigInt,
    /// At least 0 and below the step.
    pub(crate) residue: BigInt,
    /// At least 1, and below the step unless that is 1.
    pub(crate) width: BigInt,
}

impl PeriodicInterval {
    /// All integers between two bounds.
    pub(super) fn interval(min: Option<BigInt>, max: Option<BigInt>) -> Self {
        let (step, residue, width) = (BigInt::one(), BigInt::zero(), BigInt::one());
        PeriodicInterval { min, max, step, residue, width }
    }

    /// The integers of blocks between the bounds of this piece: `width` integers from `start` on,
    /// repeated with a step.
    pub(super) fn blocks(&self, start: &BigInt, width: BigInt, step: BigInt) -> Self {
        let (min, max) = (self.min.clone(), self.max.clone());
        // Blocks that touch are an interval.
        if width >= step {
            return PeriodicInterval::interval(min, max);
        }
        PeriodicInterval { min, max, residue: modulo(start, &step), width, step }
    }

    /// The distance of an integer from the start of the last block that starts at or before it.
    pub(crate) fn offset_in_block(&self, it: &BigInt) -> BigInt {
        modulo(&(it - &self.residue), &self.step)
    }

    /// The index of the last block that starts at or before an integer.
    pub(crate) fn block_index(&self, it: &BigInt) -> BigInt {
        floor_div(&(it - &self.residue), &self.step)
    }

    /// The smallest integer in a block that is at least `it`, ignoring the bounds.
    pub(super) fn next_member(&self, it: &BigInt) -> BigInt {
        let place = self.offset_in_block(it);
        if place < self.width { it.clone() } else { it + &self.step - place }
    }

    /// The largest integer in a block that is at most `it`, ignoring the bounds.
    fn previous_member(&self, it: &BigInt) -> BigInt {
        let place = self.offset_in_block(it);
        if place < self.width { it.clone() } else { it + &self.width - 1 - place }
    }

    /// The smallest member, if there is a lower bound.
    pub(crate) fn first(&self) -> Option<BigInt> {
        self.min.as_ref().map(|it| self.next_member(it))
    }

    /// The largest member, if there is an upper bound.
    pub(crate) fn last(&self) -> Option<BigInt> {
        self.max.as_ref().map(|it| self.previous_member(it))
    }

    pub(super) fn is_empty(&self) -> bool {
        matches!((self.first(), self.last()), (Some(first), Some(last)) if first > last)
    }

    pub(crate) fn contains(&self, it: &BigInt) -> bool {
        self.offset_in_block(it) < self.width
            && self.min.as_ref().is_none_or(|min| min <= it)
            && self.max.as_ref().is_none_or(|max| it <= max)
    }

    /// The number of members, if finite.
    pub(crate) fn count(&self) -> Option<BigInt> {
        // Members are numbered consecutively: whole blocks before, plus the place within the block.
        let number =
            |it: &BigInt| self.block_index(it) * &self.width + self.offset_in_block(it);
        Some(number(&self.last()?) - number(&self.first()?) + 1)
    }

    /// The member nearest to zero.
    pub(crate) fn nearest_to_zero(&self) -> BigInt {
        match (self.first(), self.last()) {
            (Some(first), _) if !first.is_negative() => first,
            (_, Some(last)) if !last.is_positive() => last,
            (first, last) => {
                let above = self.next_member(&BigInt::zero());
                let below = self.previous_member(&BigInt::zero());
                let is_near = above.magnitude() <= below.magnitude();
                let has_above = last.is_none_or(|it| above <= it);
                let has_below = first.is_none_or(|it| below >= it);
                if has_above && (is_near || !has_below) { above } else { below }
            }
        }
    }

    /// The same members in pieces of whole blocks: a block that a bound cuts becomes an interval.
    pub(crate) fn in_whole_blocks(&self) -> Vec<PeriodicInterval> {
        let mut whole = self.clone();
        let mut pieces = Vec::new();
        if let Some(first) = self.first()
            && !self.offset_in_block(&first).is_zero()
        {
            let end = &first - self.offset_in_block(&first) + &self.width - 1;
            let end = self.last().into_iter().chain([end]).min();
            whole.min = end.as_ref().map(|it| it + 1);
            pieces.push(PeriodicInterval::interval(Some(first), end));
        }
        if let Some(last) = whole.last()
            && !whole.is_empty()
            && self.offset_in_block(&last) + 1 != self.width
        {
            let start = &last - self.offset_in_block(&last);
            whole.max = Some(&start - 1);
            pieces.push(PeriodicInterval::interval(Some(start), Some(last)));
        }
        if !whole.is_empty() {
            pieces.push(whole);
        }
        pieces
    }

    /// The first and last integer of each block, clipped to two bounds; `None` if they are too
    /// many.
    pub(super) fn blocks_between(
        &self,
        lo: &BigInt,
        hi: &BigInt,
    ) -> Option<Vec<(BigInt, BigInt)>> {
        let lo = self.min.iter().chain([lo]).max()?.clone();
        let hi = self.max.iter().chain([hi]).min()?.clone();
        if self.step.is_one() {
            return Some(if lo <= hi { vec![(lo, hi)] } else { Vec::new() });
        }
        let n_blocks: BigInt = self.block_index(&hi) - self.block_index(&lo) + 1;
        let n_blocks = n_blocks.to_usize().filter(|it| *it <= MAX_BLOCKS);
        if n_blocks.is_none() && lo <= hi {
            return None;
        }
        let first = &lo - self.offset_in_block(&lo);
        let starts = (0..n_blocks.unwrap_or(0)).map(|n| &first + &self.step * n);
        let blocks = starts.map(|start| {
            let end: BigInt = &start + &self.width - 1;
            (start.max(lo.clone()), end.min(hi.clone()))
        });
        Some(blocks.filter(|(start, end)| start <= end).collect())
    }

    /// The intersection, as pieces; `None` if they are too many.
    pub(super) fn meet(&self, other: &PeriodicInterval) -> Option<Vec<PeriodicInterval>> {
        let min = self.min.iter().chain(&other.min).max().cloned();
        let max = self.max.iter().chain(&other.max).min().cloned();
        let between = PeriodicInterval::interval(min, max);
        let (long, short) = if self.step >= other.step { (self, other) } else { (other, self) };
        let met: Vec<PeriodicInterval> = if short.step.is_one() {
            vec![between.blocks(&long.residue, long.width.clone(), long.step.clone())]
        } else if (&long.step % &short.step).is_zero() {
            // The short period divides the long one, so one long block shows all common members.
            // This keeps large moduli representable, where the general case below enumerates
            // residues.
            let end = &long.residue + &long.width - 1;
            let endless = PeriodicInterval { min: None, max: None, ..short.clone() };
            let blocks = endless.blocks_between(&long.residue, &end)?;
            let met = blocks.into_iter().map(|(start, end)| {
                let width = end - &start + 1;
                between.blocks(&start, width, long.step.clone())
            });
            met.collect()
        } else {
            let (a, b) = (long.residues()?, short.residues()?);
            if a.len() * b.len() > MAX_BLOCKS {
                return None;
            }
            let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
            let met = pairs.filter_map(|(a, b)| congruence((&long.step, a), (&short.step, b)));
            met.map(|(step, residue)| between.blocks(&residue, BigInt::one(), step)).collect()
        };
        Some(met.into_iter().filter(|it| !it.is_empty()).collect())
    }

    /// The residues of the members modulo the step; `None` if they are too many.
    fn residues(&self) -> Option<Vec<BigInt>> {
        let width = self.width.to_usize().filter(|it| *it <= MAX_BLOCKS)?;
        Some((0..width).map(|it| &self.residue + it).collect())
    }

    /// The `x` with `x + c` in the piece.
    pub(super) fn preimage_of_add(&self, c: &BigInt) -> PeriodicInterval {
        let moved = |bound: &Option<BigInt>| bound.as_ref().map(|it| it - c);
        let (min, max) = (moved(&self.min), moved(&self.max));
        let bounds = PeriodicInterval::interval(min, max);
        bounds.blocks(&(&self.residue - c), self.width.clone(), self.step.clone())
    }

    /// The `x` with `-x` in the piece.
    pub(super) fn preimage_of_negate(&self) -> PeriodicInterval {
        let negated = |bound: &Option<BigInt>| bound.as_ref().map(|it| -it);
        let bounds = PeriodicInterval::interval(negated(&self.max), negated(&self.min));
        // −(residue + width − 1): the last integer of a block becomes the first.
        let start = 1 - &self.residue - &self.width;
        bounds.blocks(&start, self.width.clone(), self.step.clone())
    }

    //   c·x ∈ [a, b]        ⇔  ⌈a / c⌉ ≤ x ≤ ⌊b / c⌋
    //   c·x ≡ r (mod s)     ⇔  g = gcd(c, s) divides r, and x ≡ (r / g)·(c / g)⁻¹ (mod s / g)
    /// The `x` with `c * x` in the piece; `c` is positive. `None` if these are too many pieces.
    pub(super) fn preimage_of_multiply(&self, c: &BigInt) -> Option<Vec<PeriodicInterval>> {
        let min = self.min.as_ref().map(|min| ceiling_div(min, c));
        let max = self.max.as_ref().map(|max| floor_div(max, c));
        let bounds = PeriodicInterval::interval(min, max);
        if (&self.step % c).is_zero() {
            let start = ceiling_div(&self.residue, c);
            let width: BigInt = floor_div(&(&self.residue + &self.width - 1), c) - &start + 1;
            let blocks =
                width.is_positive().then(|| bounds.blocks(&start, width, &self.step / c));
            return Some(blocks.into_iter().collect());
        }
        let (g, inverse, _) = bezout(c, &self.step);
        let step = &self.step / &g;
        let residues = self.residues()?.into_iter().filter(|it| (it % &g).is_zero());
        let pieces = residues
            .map(|it| bounds.blocks(&(it / &g * &inverse), BigInt::one(), step.clone()));
        Some(pieces.collect())
    }

    //   0 < y:  x / c = y  ⇔  c·y ≤ x ≤ c·y + (c − 1)       x / c = 0  ⇔  |x| < c
    //   y < 0:  x / c = y  ⇔  c·y − (c − 1) ≤ x ≤ c·y
    /// The `x` with `x / c` in the piece, rounded toward zero; `c` is positive.
    pub(super) fn preimage_of_divide(&self, c: &BigInt) -> Vec<PeriodicInterval> {
        let slack: BigInt = c - 1;
        let one = BigInt::one();
        let mut pieces = Vec::new();
        if self.contains(&BigInt::zero()) {
            pieces.push(PeriodicInterval::interval(Some(-&slack), Some(slack.clone())));
        }
        let (width, step) = (&self.width * c, &self.step * c);
        if self.max.as_ref().is_none_or(Signed::is_positive) {
            let min = self.min.as_ref().map_or(&one, |it| it.max(&one)) * c;
            let max = self.max.as_ref().map(|it| it * c + &slack);
            let bounds = PeriodicInterval::interval(Some(min), max);
            pieces.push(bounds.blocks(&(&self.residue * c), width.clone(), step.clone()));
        }
        if self.min.as_ref().is_none_or(Signed::is_negative) {
            let least = -one;
            let min = self.min.as_ref().map(|it| it * c - &slack);
            let max = self.max.as_ref().map_or(&least, |it| it.min(&least)) * c;
            let bounds = PeriodicInterval::interval(min, Some(max));
            pieces.push(bounds.blocks(&(&self.residue * c - slack), width, step));
        }
        pieces
    }

    /// The `x` with `x % m` in the piece, where `x % m` has the sign of `x`; `m` is positive.
    /// `None` if these are too many pieces.
    pub(super) fn preimage_of_remainder(&self, m: &BigInt) -> Option<Vec<PeriodicInterval>> {
        let zero = BigInt::zero();
        let most: BigInt = m - 1;
        let natural = PeriodicInterval::interval(Some(zero.clone()), None);
        let negative = PeriodicInterval::interval(None, Some(zero.clone()));
        let mut pieces = Vec::new();
        for (sign, lo, hi) in [(natural, &zero, &most), (negative, &-&most, &zero)] {
            let is_cut = self.min.as_ref().is_some_and(|it| it > lo)
                || self.max.as_ref().is_some_and(|it| it < hi);
            // All remainders of this sign are within the bounds and periods fit: the blocks carry
            // over as they are, without enumerating them.
            if !is_cut && (m % &self.step).is_zero() {
                pieces.push(sign.blocks(&self.residue, self.width.clone(), self.step.clone()));
                continue;
            }
            for (start, end) in self.blocks_between(lo, hi)? {
                pieces.push(sign.blocks(&start, end - &start + 1, m.clone()));
            }
        }
        Some(pieces)
    }
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

/// The greatest common divisor of two positive integers, and the coefficients of Bézout's identity.
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

/// The remainder in `0..m`.
fn modulo(a: &BigInt, m: &BigInt) -> BigInt {
    let remainder = a % m;
    if remainder.is_negative() { remainder + m } else { remainder }
}

/// The quotient rounded up; `c` is positive.
fn ceiling_div(a: &BigInt, c: &BigInt) -> BigInt {
    -floor_div(&-a, c)
}

/// The quotient rounded down; `c` is positive.
fn floor_div(a: &BigInt, c: &BigInt) -> BigInt {
    (a - modulo(a, c)) / c
}

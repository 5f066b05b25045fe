//! Draws of integers, floats and truth values.

use gainsay_choice::{Boolean, Float, Integer, Kind, Pool, Selector};
use gainsay_core::{ModuleId, TermId, TypeTable, builtin};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive as _, Zero};

use super::Deriver;
use crate::domain::{Floats, Ints, Piece, at_place, by_simplicity, floor_div};
use crate::emit::Emit;

/// Integers that were drawn before come again, wherever in the case.
const INTS: Pool = Pool(0);

/// The largest weight of a piece of a set: small ones are seldom missed, large ones are most.
const MOST_WEIGHT: u32 = 16;

impl Deriver<'_> {
    pub(super) fn int(&mut self, it: &mut Emit, ints: &Ints, module: ModuleId) -> TermId {
        let pieces = by_simplicity(ints);
        if let [piece] = &pieces[..] {
            return self.int_of(it, piece, module);
        }
        let weight = |it: &Piece| {
            let count = it.count().and_then(|it| it.to_u32()).unwrap_or(MOST_WEIGHT);
            count.clamp(1, MOST_WEIGHT)
        };
        let weights: Vec<u32> = pieces.iter().map(weight).collect();
        let number = self.alternative(it, &weights);
        let terms = pieces.iter().map(|piece| self.int_of(it, piece, module)).collect();
        it.choose(number, terms)
    }

    /// Asks for one of some alternatives of which at least one has a weight.
    pub(super) fn alternative(&mut self, it: &mut Emit, weights: &[u32]) -> TermId {
        let selector = Selector::weighted(weights).or_else(|| Selector::even(1));
        let selector = selector.expect("one alternative can be picked");
        let kind = self.kind(Kind::Selector(selector));
        self.pick(it, kind)
    }

    //   x = residue + step·k,  ⌈(min − residue) / step⌉ ≤ k ≤ ⌊(max − residue) / step⌋
    fn int_of(&mut self, it: &mut Emit, piece: &Piece, module: ModuleId) -> TermId {
        let edges = self.constants(module).ints;
        let scaled = |it: BigInt| floor_div(&(it - &piece.residue), &piece.step);
        let (min, max) = (piece.first().map(scaled), piece.last().map(scaled));
        let integer = Integer::range(min, max).unwrap_or_else(Integer::any);
        if piece.step.is_one() {
            let integer = integer.with_edges(edges).in_pool(INTS);
            let kind = self.kind(Kind::Integer(integer));
            return self.of_kind(it, self.ops.int, kind);
        }
        let is_member = |it: &BigInt| ((it - &piece.residue) % &piece.step).is_zero();
        let edges: Vec<BigInt> = edges.into_iter().filter(is_member).map(scaled).collect();
        let kind = self.kind(Kind::Integer(integer.with_edges(edges)));
        let k = self.of_kind(it, self.ops.int, kind);
        let step = it.big(&piece.step);
        let multiple = it.builtin(builtin::INT_MUL, &[], &[k, step], TypeTable::INT);
        if piece.residue.is_zero() {
            return multiple;
        }
        let residue = it.big(&piece.residue);
        it.builtin(builtin::INT_ADD, &[], &[multiple, residue], TypeTable::INT)
    }

    pub(super) fn bool(&mut self, it: &mut Emit, known: Option<bool>) -> TermId {
        let (hits, of) = match known {
            None => (1, 2),
            Some(true) => (1, 1),
            Some(false) => (0, 1),
        };
        let kind = self.kind(Kind::Boolean(Boolean::with_chance(hits, of)));
        let number = self.pick(it, kind);
        it.is(number, 1)
    }

    pub(super) fn float(&mut self, it: &mut Emit, floats: &Floats, module: ModuleId) -> TermId {
        let draw = |this: &mut Self, it: &mut Emit, float: Float| {
            let kind = this.kind(Kind::Float(float));
            let kind = it.int(i64::from(kind.number()));
            it.perform(this.ops.float, vec![kind], TypeTable::FLOAT)
        };
        let mut terms = Vec::new();
        if *floats == Floats::all() {
            terms.push(draw(self, it, Float::any()));
        } else {
            for (min, max) in floats.places.list() {
                let range = Float::between(at_place(*min), at_place(*max));
                terms.extend(range.map(|range| draw(self, it, range)));
            }
            if floats.nan {
                terms.push(it.float(f64::NAN));
            }
        }
        let n_ranges = terms.len();
        let constants = self.constants(module).floats;
        let is_member = |float: &f64| {
            !Floats::numbers(*float, *float).meet(floats).is_empty() && n_ranges > 0
        };
        terms.extend(constants.into_iter().filter(is_member).map(|float| it.float(float)));
        self.mostly(it, terms, n_ranges)
    }

    /// One of some terms: mostly one of the first, now and then one of the constants after them.
    pub(super) fn mostly(
        &mut self,
        it: &mut Emit,
        mut terms: Vec<TermId>,
        n_first: usize,
    ) -> TermId {
        const TIMES: usize = 6;
        if terms.len() == 1
            && let Some(only) = terms.pop()
        {
            return only;
        }
        let n_constants = terms.len() - n_first;
        let first = (TIMES * n_constants).div_ceil(n_first.max(1)).max(1) as u32;
        let weights: Vec<u32> =
            (0..terms.len()).map(|at| if at < n_first { first } else { 1 }).collect();
        let number = self.alternative(it, &weights);
        it.choose(number, terms)
    }
}

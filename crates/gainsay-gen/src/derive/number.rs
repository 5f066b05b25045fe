//! Draws of integers, floats and truth values.

use gainsay_choice::{Boolean, Float, Integer, Kind, Pool, Selector};
use gainsay_core::{ModuleId, TermId, TypeId, TypeTable, builtin};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive as _, Zero};

use super::Deriver;
use crate::domain::{Floats, Ints, Piece, at_place, by_simplicity};
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
    pub(crate) fn alternative(&mut self, it: &mut Emit, weights: &[u32]) -> TermId {
        self.alternative_of(it, weights, None)
    }

    /// The same for the constructors of a sum, some of which a case may favour.
    pub(super) fn alternative_of(
        &mut self,
        it: &mut Emit,
        weights: &[u32],
        sum: Option<(TypeId, u64)>,
    ) -> TermId {
        let selector = Selector::weighted(weights).or_else(|| Selector::even(1));
        let selector = selector.expect("one alternative can be picked");
        let selector = match sum {
            Some((sum, recursive)) => selector.of_sum(sum.0, recursive),
            None => selector,
        };
        let kind = self.kind(Kind::Selector(selector));
        self.pick(it, kind)
    }

    //   x = residue + step·k + j,  0 ≤ j < width,  block(min) ≤ k ≤ block(max)
    /// An integer of a piece that cuts no block in two.
    fn int_of(&mut self, it: &mut Emit, piece: &Piece, module: ModuleId) -> TermId {
        let edges = self.constants(module).ints;
        if piece.step.is_one() {
            let integer = Integer::range(piece.first(), piece.last());
            let integer = integer.unwrap_or_else(Integer::any).with_edges(edges).in_pool(INTS);
            return self.of_integer(it, integer);
        }
        let simplest = piece.nearest_to_zero();
        let blocks = |it: Option<BigInt>| it.map(|it| piece.block(&it));
        let integer = Integer::range(blocks(piece.first()), blocks(piece.last()))
            .unwrap_or_else(Integer::any)
            .with_edges(edges.iter().filter(|it| piece.contains(it)).map(|it| piece.block(it)));
        let k = self.of_integer(it, integer.towards(piece.block(&simplest)));
        let step = it.big(&piece.step);
        let mut sum = it.builtin(builtin::INT_MUL, &[], &[k, step], TypeTable::INT);
        if !piece.width.is_one() {
            let end = &piece.width - 1;
            let integer = Integer::range(Some(BigInt::zero()), Some(end))
                .unwrap_or_else(Integer::any)
                .with_edges(
                    edges.iter().filter(|it| piece.contains(it)).map(|it| piece.place(it)),
                );
            let j = self.of_integer(it, integer.towards(piece.place(&simplest)));
            sum = it.builtin(builtin::INT_ADD, &[], &[sum, j], TypeTable::INT);
        }
        if piece.residue.is_zero() {
            return sum;
        }
        let residue = it.big(&piece.residue);
        it.builtin(builtin::INT_ADD, &[], &[sum, residue], TypeTable::INT)
    }

    fn of_integer(&mut self, it: &mut Emit, integer: Integer) -> TermId {
        let kind = self.kind(Kind::Integer(integer));
        self.of_kind(it, self.ops.int, kind)
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
        let constants = self.constants(module).floats;
        let draw = |this: &mut Self, it: &mut Emit, float: Float| {
            let kind = this.kind(Kind::Float(float.with_edges(constants.iter().copied())));
            let kind = it.int(i64::from(kind.number()));
            it.perform(this.ops.float, vec![kind], TypeTable::FLOAT)
        };
        if *floats == Floats::all() {
            return draw(self, it, Float::any());
        }
        let mut terms = Vec::new();
        for (min, max) in floats.places.list() {
            let range = Float::between(at_place(*min), at_place(*max));
            terms.extend(range.map(|range| draw(self, it, range)));
        }
        if floats.nan {
            terms.push(it.float(f64::NAN));
        }
        if let [only] = terms[..] {
            return only;
        }
        let number = self.alternative(it, &vec![1; terms.len()]);
        it.choose(number, terms)
    }
}

//! Draws of integers, floats and booleans.

use gainsay_choice::{BooleanKind, FloatKind, IntegerKind, Kind, PoolId, SelectorKind};
use gainsay_core::{ModuleId, TermId, TypeId, TypeTable, builtin};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive as _, Zero};

use super::Deriver;
use crate::core_builder::CoreBuilder;
use crate::domain::{FloatSet, IntSet, PeriodicInterval, by_simplicity, from_order_key};

/// The pool of all integers: one that was drawn before may be drawn again anywhere in the case.
pub(super) const INTS: PoolId = PoolId(0);

/// The maximum weight of a piece of a set: small pieces are still drawn often enough, and large
/// ones most often.
const MAX_WEIGHT: u32 = 16;

impl Deriver<'_> {
    pub(super) fn emit_int(
        &mut self,
        it: &mut CoreBuilder,
        ints: &IntSet,
        module: ModuleId,
    ) -> TermId {
        let pieces = by_simplicity(ints);
        if let [piece] = &pieces[..] {
            return self.emit_int_in(it, piece, module);
        }
        let weight = |it: &PeriodicInterval| {
            let count = it.count().and_then(|it| it.to_u32()).unwrap_or(MAX_WEIGHT);
            count.clamp(1, MAX_WEIGHT)
        };
        let weights: Vec<u32> = pieces.iter().map(weight).collect();
        let number = self.emit_alternative(it, &weights);
        let terms = pieces.iter().map(|piece| self.emit_int_in(it, piece, module)).collect();
        it.choose_by_index(number, terms)
    }

    /// Draws one of some alternatives, at least one of which has a positive weight.
    pub(crate) fn emit_alternative(&mut self, it: &mut CoreBuilder, weights: &[u32]) -> TermId {
        self.emit_constructor_choice(it, weights, None)
    }

    /// The same for the constructors of a sum, some of which a case may favour.
    pub(super) fn emit_constructor_choice(
        &mut self,
        it: &mut CoreBuilder,
        weights: &[u32],
        sum: Option<(TypeId, u64)>,
    ) -> TermId {
        let selector = SelectorKind::weighted(weights).or_else(|| SelectorKind::even(1));
        let selector = selector.expect("one alternative can be picked");
        let selector = match sum {
            Some((sum, recursive)) => selector.for_sum_type(sum.0, recursive),
            None => selector,
        };
        let kind = self.intern_kind(Kind::Selector(selector));
        self.emit_pick(it, kind)
    }

    //   x = residue + step·k + j,  0 ≤ j < width,  block(min) ≤ k ≤ block(max)
    /// An integer of a piece of whole blocks.
    fn emit_int_in(
        &mut self,
        it: &mut CoreBuilder,
        piece: &PeriodicInterval,
        module: ModuleId,
    ) -> TermId {
        let edges = self.constants(module).ints;
        if piece.step.is_one() {
            let integer = IntegerKind::range(piece.first(), piece.last());
            let integer =
                integer.unwrap_or_else(IntegerKind::any).with_edges(edges).in_pool(INTS);
            return self.emit_integer(it, integer);
        }
        // Draw the block and the offset as two choices. Each shrinks toward the integer of the
        // piece that is nearest to zero.
        let simplest = piece.nearest_to_zero();
        let blocks = |it: Option<BigInt>| it.map(|it| piece.block_index(&it));
        let integer = IntegerKind::range(blocks(piece.first()), blocks(piece.last()))
            .unwrap_or_else(IntegerKind::any)
            .with_edges(
                edges.iter().filter(|it| piece.contains(it)).map(|it| piece.block_index(it)),
            );
        let k = self.emit_integer(it, integer.towards(piece.block_index(&simplest)));
        let step = it.big(&piece.step);
        let mut sum = it.builtin(builtin::INT_MUL, &[], &[k, step], TypeTable::INT);
        if !piece.width.is_one() {
            let end = &piece.width - 1;
            let integer = IntegerKind::range(Some(BigInt::zero()), Some(end))
                .unwrap_or_else(IntegerKind::any)
                .with_edges(
                    edges
                        .iter()
                        .filter(|it| piece.contains(it))
                        .map(|it| piece.offset_in_block(it)),
                );
            let j = self.emit_integer(it, integer.towards(piece.offset_in_block(&simplest)));
            sum = it.builtin(builtin::INT_ADD, &[], &[sum, j], TypeTable::INT);
        }
        if piece.residue.is_zero() {
            return sum;
        }
        let residue = it.big(&piece.residue);
        it.builtin(builtin::INT_ADD, &[], &[sum, residue], TypeTable::INT)
    }

    pub(super) fn emit_integer(
        &mut self,
        it: &mut CoreBuilder,
        integer: IntegerKind,
    ) -> TermId {
        let kind = self.intern_kind(Kind::Integer(integer));
        self.emit_draw(it, self.ops.int, kind)
    }

    pub(super) fn emit_bool(&mut self, it: &mut CoreBuilder, known: Option<bool>) -> TermId {
        let (hits, of) = match known {
            None => (1, 2),
            Some(true) => (1, 1),
            Some(false) => (0, 1),
        };
        let kind = self.intern_kind(Kind::Boolean(BooleanKind::with_chance(hits, of)));
        let number = self.emit_pick(it, kind);
        it.equals_int(number, 1)
    }

    pub(super) fn emit_float(
        &mut self,
        it: &mut CoreBuilder,
        floats: &FloatSet,
        module: ModuleId,
    ) -> TermId {
        let constants = self.constants(module).floats;
        let draw = |this: &mut Self, it: &mut CoreBuilder, float: FloatKind| {
            let kind =
                this.intern_kind(Kind::Float(float.with_edges(constants.iter().copied())));
            let kind = it.int(i64::from(kind.number()));
            it.perform(this.ops.float, vec![kind], TypeTable::FLOAT)
        };
        // All floats, including NaN, are a single kind.
        if *floats == FloatSet::all() {
            return draw(self, it, FloatKind::any());
        }
        let mut terms = Vec::new();
        for (min, max) in floats.order_keys.list() {
            let range = FloatKind::between(from_order_key(*min), from_order_key(*max));
            terms.extend(range.map(|range| draw(self, it, range)));
        }
        if floats.nan {
            terms.push(it.float(f64::NAN));
        }
        if let [only] = terms[..] {
            return only;
        }
        let number = self.emit_alternative(it, &vec![1; terms.len()]);
        it.choose_by_index(number, terms)
    }
}

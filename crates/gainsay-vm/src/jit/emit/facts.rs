//! Facts: what a condition that holds, or does not, says of the integers in it.
//!
//! ```text
//!       x, y small    x + 1 < y
//!   ────────────────────────────────
//!     x + 1 small,    y - 1 small
//! ```
//!
//! Facts are about locals that are known to be small, and are known in the branches of the
//! condition. Integers have no bounds in the language, so that a comparison of sums says the
//! same of their terms whether or not a sum is small.

use gainsay_core::builtin::{BOOL_NOT, INT_ADD, INT_SUB};
use gainsay_core::{LocalId, Term, TermId};

use cranelift_codegen::ir::condcodes::{CondCode as _, IntCC};

use super::Emitter;
use crate::jit::range::Range;

/// How many conditions in each other are looked at.
const MAX_DEPTH: usize = 16;

/// A number, and a local that it is added to if there is one.
#[derive(Copy, Clone)]
struct Sum {
    local: Option<LocalId>,
    number: i64,
}

impl Emitter<'_, '_> {
    /// Emits a branch of a condition, with what is known there.
    pub(super) fn knowing<T>(
        &mut self,
        condition: TermId,
        holds: Holds,
        emit: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if !self.knows_small() {
            return emit(self);
        }
        let known = self.ranges.clone();
        self.learn(condition, holds, MAX_DEPTH);
        let result = emit(self);
        self.ranges = known;
        result
    }

    /// Whether a local is known to be a small integer.
    fn is_small_local(&self, local: LocalId) -> bool {
        let doubled = self.turns.as_ref().and_then(|turns| turns.doubled(local));
        self.small[local.index()] || doubled.is_some()
    }

    fn knows_small(&self) -> bool {
        self.turns.is_some() || self.small.contains(&true)
    }

    fn learn(&mut self, condition: TermId, holds: Holds, depth: usize) {
        let Some(depth) = depth.checked_sub(1).filter(|_| !self.is_switched(condition)) else {
            return;
        };
        let function = self.function;
        match (function.body.term(condition), holds) {
            (Term::And(a, b), Holds(true)) | (Term::Or(a, b), Holds(false)) => {
                self.learn(*a, holds, depth);
                self.learn(*b, holds, depth);
            }
            (Term::Builtin { builtin: BOOL_NOT, args, .. }, Holds(truth)) => {
                self.learn(args[0], Holds(!truth), depth);
            }
            _ => self.learn_comparison(condition, holds),
        }
    }

    fn learn_comparison(&mut self, condition: TermId, Holds(truth): Holds) {
        let Some((_, comparison, [a, b])) = self.comparison_of_ints(condition) else { return };
        let (Some(a), Some(b)) = (self.sum(a), self.sum(b)) else { return };
        let comparison = if truth { comparison } else { comparison.complement() };
        match comparison {
            IntCC::SignedLessThan => self.learn_order(a, b, 1),
            IntCC::SignedLessThanOrEqual => self.learn_order(a, b, 0),
            IntCC::SignedGreaterThan => self.learn_order(b, a, 1),
            IntCC::SignedGreaterThanOrEqual => self.learn_order(b, a, 0),
            IntCC::Equal => {
                self.learn_order(a, b, 0);
                self.learn_order(b, a, 0);
            }
            IntCC::NotEqual
            | IntCC::UnsignedLessThan
            | IntCC::UnsignedGreaterThanOrEqual
            | IntCC::UnsignedGreaterThan
            | IntCC::UnsignedLessThanOrEqual => {}
        }
    }

    /// One sum is less than another by at least some amount.
    fn learn_order(&mut self, low: Sum, high: Sum, amount: i128) {
        let (least, greatest) = (self.bounds(low).0, self.bounds(high).1);
        if let Some(local) = low.local {
            let most = greatest - amount - i128::from(low.number);
            let range = &mut self.ranges[local.index()];
            *range = range.within((i128::MIN, most));
        }
        if let Some(local) = high.local {
            let fewest = least + amount - i128::from(high.number);
            let range = &mut self.ranges[local.index()];
            *range = range.within((fewest, i128::MAX));
        }
    }

    fn bounds(&self, sum: Sum) -> (i128, i128) {
        let range = sum.local.map_or(Range::exactly(0), |local| self.ranges[local.index()]);
        let (least, greatest) = range.bounds();
        (least + i128::from(sum.number), greatest + i128::from(sum.number))
    }

    /// A term as a sum of a local that is small and a number.
    fn sum(&self, id: TermId) -> Option<Sum> {
        if let Some(number) = self.small_literal(id) {
            return Some(Sum { local: None, number });
        }
        if let Some(local) = self.small_local(id) {
            return Some(Sum { local: Some(local), number: 0 });
        }
        let (builtin, args) = self.inner(id)?;
        let [a, b] = *args else { return None };
        match builtin {
            INT_ADD | INT_SUB if let Some(number) = self.small_literal(b) => {
                let number = if builtin == INT_SUB { -number } else { number };
                Some(Sum { local: Some(self.small_local(a)?), number })
            }
            INT_ADD => {
                let number = self.small_literal(a)?;
                Some(Sum { local: Some(self.small_local(b)?), number })
            }
            _ => None,
        }
    }

    /// The local that a term is, if that is known to be small.
    pub(super) fn small_local(&self, id: TermId) -> Option<LocalId> {
        let Term::Local(local) = *self.function.body.term(id) else { return None };
        (self.is_small_local(local) && !self.is_switched(id)).then_some(local)
    }
}

/// Whether a condition holds in a branch.
#[derive(Copy, Clone)]
pub(super) struct Holds(pub(super) bool);

//! Condition facts: what is known about integers in the branches of a condition.
//!
//! ```text
//!       x, y small    x + 1 < y
//!   ────────────────────────────────
//!     x + 1 small,    y - 1 small
//! ```
//!
//! Facts concern locals that are known to be small, and hold within the branches of the condition.
//! Integers are unbounded in the language, so comparing sums constrains their terms whether or not
//! a sum is small.

use gainsay_core::builtin::{BOOL_NOT, INT_ADD, INT_SUB};
use gainsay_core::{LocalId, Term, TermId};

use cranelift_codegen::ir::condcodes::{CondCode as _, IntCC};

use super::Emitter;
use crate::jit::int_range::SmallIntRange;

/// Maximum nesting depth of conditions that are analyzed.
const MAX_DEPTH: usize = 16;

/// A number, plus a local if there is one.
#[derive(Copy, Clone)]
struct LocalOffset {
    local: Option<LocalId>,
    number: i64,
}

impl Emitter<'_, '_> {
    /// Emits a branch of a condition under the facts that hold there.
    pub(super) fn with_condition<T>(
        &mut self,
        condition: TermId,
        holds: ConditionHolds,
        emit: impl FnOnce(&mut Self) -> T,
    ) -> T {
        // Without a local that is known to be small there is nothing to bound, so the ranges need
        // not be saved.
        if !self.knows_small_locals() {
            return emit(self);
        }
        // Facts end with the branch: the ranges are restored after it.
        let ranges_before = self.ranges.clone();
        self.assume_condition(condition, holds, MAX_DEPTH);
        let result = emit(self);
        self.ranges = ranges_before;
        result
    }

    /// Whether a local is known to be a small integer.
    fn is_small_local(&self, local: LocalId) -> bool {
        let doubled = self.small_int_loop.as_ref().and_then(|turns| turns.doubled(local));
        self.small_locals[local.index()] || doubled.is_some()
    }

    fn knows_small_locals(&self) -> bool {
        self.small_int_loop.is_some() || self.small_locals.contains(&true)
    }

    fn assume_condition(&mut self, condition: TermId, holds: ConditionHolds, depth: usize) {
        let Some(depth) =
            depth.checked_sub(1).filter(|_| !self.has_pending_instrumentation(condition))
        else {
            return;
        };
        let function = self.function;
        match (function.body.term(condition), holds) {
            // `a && b` false, or `a || b` true, leaves open which side decided, so nothing follows.
            (Term::And(a, b), ConditionHolds(true))
            | (Term::Or(a, b), ConditionHolds(false)) => {
                self.assume_condition(*a, holds, depth);
                self.assume_condition(*b, holds, depth);
            }
            (Term::Builtin { builtin: BOOL_NOT, args, .. }, ConditionHolds(truth)) => {
                self.assume_condition(args[0], ConditionHolds(!truth), depth);
            }
            _ => self.assume_comparison(condition, holds),
        }
    }

    fn assume_comparison(&mut self, condition: TermId, ConditionHolds(truth): ConditionHolds) {
        let Some((_, comparison, [a, b])) = self.comparison_of_ints(condition) else { return };
        let (Some(a), Some(b)) = (self.local_offset(a), self.local_offset(b)) else { return };
        // Integers are totally ordered, so the complement is exact; of floats it would not be.
        let comparison = if truth { comparison } else { comparison.complement() };
        match comparison {
            IntCC::SignedLessThan => self.assume_order(a, b, 1),
            IntCC::SignedLessThanOrEqual => self.assume_order(a, b, 0),
            IntCC::SignedGreaterThan => self.assume_order(b, a, 1),
            IntCC::SignedGreaterThanOrEqual => self.assume_order(b, a, 0),
            IntCC::Equal => {
                self.assume_order(a, b, 0);
                self.assume_order(b, a, 0);
            }
            // An interval cannot exclude a value in its middle. The unsigned conditions are never
            // generated.
            IntCC::NotEqual
            | IntCC::UnsignedLessThan
            | IntCC::UnsignedGreaterThanOrEqual
            | IntCC::UnsignedGreaterThan
            | IntCC::UnsignedLessThanOrEqual => {}
        }
    }

    /// Assumes `low + amount <= high`.
    fn assume_order(&mut self, low: LocalOffset, high: LocalOffset, amount: i128) {
        // Read both bounds before changing either, since the locals may be the same.
        let (least, greatest) = (self.bounds(low).0, self.bounds(high).1);
        if let Some(local) = low.local {
            // `i128` cannot overflow here: bounds and literals fit 64 bits.
            let most = greatest - amount - i128::from(low.number);
            let range = &mut self.ranges[local.index()];
            *range = range.clamp_to((i128::MIN, most));
        }
        if let Some(local) = high.local {
            let fewest = least + amount - i128::from(high.number);
            let range = &mut self.ranges[local.index()];
            *range = range.clamp_to((fewest, i128::MAX));
        }
    }

    fn bounds(&self, sum: LocalOffset) -> (i128, i128) {
        let range =
            sum.local.map_or(SmallIntRange::exactly(0), |local| self.ranges[local.index()]);
        let (least, greatest) = range.bounds();
        (least + i128::from(sum.number), greatest + i128::from(sum.number))
    }

    /// A term as the sum of a small local and a number.
    fn local_offset(&self, id: TermId) -> Option<LocalOffset> {
        if let Some(number) = self.small_literal(id) {
            return Some(LocalOffset { local: None, number });
        }
        if let Some(local) = self.small_local(id) {
            return Some(LocalOffset { local: Some(local), number: 0 });
        }
        let (builtin, args) = self.inner_operation(id)?;
        let [a, b] = *args else { return None };
        match builtin {
            INT_ADD | INT_SUB if let Some(number) = self.small_literal(b) => {
                // The negation cannot overflow: small literals fit 63 bits.
                let number = if builtin == INT_SUB { -number } else { number };
                Some(LocalOffset { local: Some(self.small_local(a)?), number })
            }
            INT_ADD => {
                let number = self.small_literal(a)?;
                Some(LocalOffset { local: Some(self.small_local(b)?), number })
            }
            _ => None,
        }
    }

    /// The local that a term refers to, if it is known to be small.
    pub(super) fn small_local(&self, id: TermId) -> Option<LocalId> {
        let Term::Local(local) = *self.function.body.term(id) else { return None };
        // A mutant in place of the local would not be bounded by what is known of the local.
        (self.is_small_local(local) && !self.has_pending_instrumentation(id)).then_some(local)
    }
}

/// Whether a condition holds in a branch.
#[derive(Copy, Clone)]
pub(super) struct ConditionHolds(pub(super) bool);

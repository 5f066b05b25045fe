//! What is left once nothing waits for a constructor: integers, and unknowns without constraints.

use super::choice::OrderItem;
use super::heap::{Cell, Ref};
use super::{END, Interrupt, Run, Step};
use crate::ranges::is_finite;
use crate::store::{Offset, VarId};

/// The largest integer that is drawn.
const LARGEST_DRAWN: i64 = 1 << 60;

/// How far above that a required minimum is exceeded.
const STEP_BEYOND: i64 = 1_000;

/// Draws of an integer until one is not excluded.
const MAX_TRIES: u32 = 20;

impl Run<'_, '_> {
    /// Draws one of the things that are left; false if there is none.
    pub(super) fn draw_rest(&mut self) -> Step<bool> {
        // Integers last: those that are computed from opaque values are determined by them.
        if let Some(it) = self.next_opaque() {
            return self.decide_opaque(it);
        }
        if let Some(var) = self.next_int() {
            let it = self.var(var);
            return self.decide_int(it);
        }
        self.draw_unconstrained()
    }

    /// The integer to draw next. Drawn in the order of the structure, chains `a < b < c` would
    /// crowd at one end; the middle first, then the middles of both halves, leaves room everywhere.
    fn next_int(&self) -> Option<VarId> {
        let n = self.it.store.len();
        let bits = usize::BITS - n.leading_zeros();
        let shift = (usize::BITS - bits).min(usize::BITS - 1);
        (1..1usize << bits)
            .chain([0])
            .map(|at| (at.reverse_bits() >> shift) as u32)
            .filter(|at| (*at as usize) < n)
            .map(VarId)
            .find(|var| {
                let root = self.it.store.root(*var);
                root.var == *var && self.it.store.value(*var).is_none()
            })
    }

    /// Draws an integer between its bounds.
    pub(super) fn draw_int(&mut self, it: Ref, n_tried: u32) -> Step<()> {
        let Cell::Var(Offset { var, plus }) = self.it.heap.cell(it) else { return self.cut() };
        let (lo, hi) = self.it.store.bounds(var);
        let bound = |it: i64| is_finite(it).then_some(it);
        // Away from what counts as infinite, so that sums of drawn integers stay finite.
        let (least, most) = if lo >= LARGEST_DRAWN {
            (lo, hi.min(lo.saturating_add(STEP_BEYOND)))
        } else if hi <= -LARGEST_DRAWN {
            (lo.max(hi.saturating_sub(STEP_BEYOND)), hi)
        } else {
            (lo.max(-LARGEST_DRAWN), hi.min(LARGEST_DRAWN))
        };
        let mut value = least;
        let wish = self.int_wish(var);
        for _ in 0..MAX_TRIES {
            if let Some(wish) = wish {
                // Simpler ones first: a replay is to find something no larger than it was given.
                let simpler = wish - wish.signum() * i64::from(n_tried).min(wish.abs());
                value = simpler.clamp(least, most);
                break;
            }
            value = self.context.chooser.integer(bound(lo), bound(hi)).clamp(least, most);
            if !self.it.store.is_hole(var, value) {
                break;
            }
        }
        if self.it.store.is_hole(var, value) {
            value = self.nearest_free(var, value, (lo, hi)).ok_or(Interrupt::Conflict)?;
        }
        self.it.store.within(Offset { var, plus }, value + plus, value + plus)?;
        self.run_ready()
    }

    /// The value that an integer would like to have.
    fn int_wish(&self, var: VarId) -> Option<i64> {
        let store = &self.it.store;
        let wishes = self.it.int_wishes.iter().enumerate().take(store.len());
        wishes.filter_map(|(at, wish)| Some((VarId(at as u32), (*wish)?))).find_map(
            |(at, wish)| {
                let root = store.root(at);
                (root.var == var).then(|| wish.saturating_sub(root.plus))
            },
        )
    }

    /// The value nearest to one that is not excluded.
    fn nearest_free(&self, var: VarId, value: i64, (lo, hi): (i64, i64)) -> Option<i64> {
        let most = self.it.store.n_holes(var) as i64 + 1;
        (1..=most)
            .flat_map(|by| [value.saturating_add(by), value.saturating_sub(by)])
            .find(|it| (lo..=hi).contains(it) && !self.it.store.is_hole(var, *it))
    }

    /// An opaque unknown that some goal waits for.
    fn next_opaque(&self) -> Option<Ref> {
        let waits = |goal: u32| !self.it.is_done[goal as usize];
        (0..self.it.heap.cells.len() as u32).map(Ref).find(|it| {
            let Cell::Unknown(id) = self.it.heap.cells[it.index()] else { return false };
            self.it.heap.watchers(id).any(waits)
        })
    }

    pub(super) fn draw_opaque(&mut self, it: Ref) -> Step<()> {
        let Cell::Unknown(id) = self.it.heap.cell(it) else { return Ok(()) };
        let unknown = *self.it.heap.unknown(id);
        let value = match unknown.wish {
            Some(wish) => wish,
            None => {
                let ty = self.context.code.shape(unknown.shape).ty;
                let Some(value) = self.context.chooser.opaque(ty) else { return self.cut() };
                self.import(&value)
            }
        };
        self.unify(it, value)?;
        self.run_ready()
    }

    /// Decides an unknown that nothing constrains; false if there is none.
    fn draw_unconstrained(&mut self) -> Step<bool> {
        let mut at = self.it.order[0].next;
        while at != END {
            let node = self.it.order[at as usize];
            if let OrderItem::Unknown(it) = node.item
                && let Cell::Unknown(_) = self.it.heap.cell(it)
            {
                self.decide_freely(at, it)?;
                return Ok(true);
            }
            at = node.next;
        }
        Ok(false)
    }
}

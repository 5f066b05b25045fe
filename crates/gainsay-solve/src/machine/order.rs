//! The order of terms with unknowns: by constructor, then part by part.

use std::cmp::Ordering;

use gainsay_core::Comparison;
use gainsay_vm::Value;

use super::equality::Blocker;
use super::goals::{Goal, Progress};
use super::heap::{Cell, Ref};
use super::{Interrupt, Run, Step};

/// The order of two terms, as far as it is known.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum TermOrder {
    Known(Ordering),
    /// Everything before these is equal, and their order decides; whether nothing comes after.
    Open {
        a: Ref,
        b: Ref,
        is_last: bool,
    },
}

impl TermOrder {
    /// Whether a comparison holds, if that is known.
    pub(super) fn holds(self, comparison: Comparison) -> Option<bool> {
        let TermOrder::Known(order) = self else { return None };
        Some(match comparison {
            Comparison::Eq => order.is_eq(),
            Comparison::Ne => order.is_ne(),
            Comparison::Lt => order.is_lt(),
            Comparison::Le => order.is_le(),
            Comparison::Gt => order.is_gt(),
            Comparison::Ge => order.is_ge(),
        })
    }
}

impl Run<'_, '_> {
    /// The order of two terms of the same type.
    pub(super) fn order(&mut self, a: Ref, b: Ref) -> Step<TermOrder> {
        let mut pending = vec![(a, b)];
        while let Some((a, b)) = pending.pop() {
            self.visit()?;
            let (a, b) = (self.it.heap.deref(a), self.it.heap.deref(b));
            if a == b {
                continue;
            }
            let (x, y) = (self.it.heap.cells[a.index()], self.it.heap.cells[b.index()]);
            let decided = match (x, y) {
                (Cell::Opaque(x), Cell::Opaque(y)) => {
                    let heap = &self.it.heap;
                    let (x, y) = (&heap.opaque[x as usize], &heap.opaque[y as usize]);
                    Some(gainsay_vm::order(x, y))
                }
                _ if self.is_collection(a) && self.is_collection(b) => {
                    pending.push((self.items(a)?, self.items(b)?));
                    Some(Ordering::Equal)
                }
                (Cell::Unknown(_), _) | (_, Cell::Unknown(_)) => None,
                (Cell::Var(_) | Cell::Int(_), _) | (_, Cell::Var(_) | Cell::Int(_)) => {
                    self.order_of_ints(a, b)
                }
                (Cell::Bool(x), Cell::Bool(y)) => Some(x.cmp(&y)),
                (Cell::Nil, Cell::Nil) => Some(Ordering::Equal),
                (Cell::Nil, _) => Some(Ordering::Less),
                (_, Cell::Nil) => Some(Ordering::Greater),
                (Cell::Cons(x, xs), Cell::Cons(y, ys)) => {
                    pending.extend([(xs, ys), (x, y)]);
                    Some(Ordering::Equal)
                }
                (Cell::Data(c, _), Cell::Data(d, _)) if c != d => Some(c.cmp(&d)),
                (Cell::Data(_, x), Cell::Data(_, y)) | (Cell::Tuple(x), Cell::Tuple(y)) => {
                    let parts = (0..x.len.min(y.len) as usize).rev();
                    let heap = &self.it.heap;
                    pending.extend(parts.map(|at| (heap.part(x, at), heap.part(y, at))));
                    Some(Ordering::Equal)
                }
                // Functions compare equal.
                _ => Some(Ordering::Equal),
            };
            match decided {
                Some(Ordering::Equal) => {}
                Some(unequal) => return Ok(TermOrder::Known(unequal)),
                None => return Ok(TermOrder::Open { a, b, is_last: pending.is_empty() }),
            }
        }
        Ok(TermOrder::Known(Ordering::Equal))
    }

    /// Whether a term is a text, set or map, known or not.
    fn is_collection(&self, it: Ref) -> bool {
        match self.it.heap.cell(it) {
            Cell::Unknown(id) => {
                self.collection_shape(self.it.heap.unknown(id).shape).is_some()
            }
            cell => cell.is_collection(),
        }
    }

    fn order_of_ints(&mut self, a: Ref, b: Ref) -> Option<Ordering> {
        if let (Some(x), Some(y)) = (self.known_int(a), self.known_int(b)) {
            return Some(x.cmp(&y));
        }
        let (x, y) = (self.known_integer(a), self.known_integer(b));
        if let (Some(x), Some(y)) = (x, y) {
            return Some(gainsay_vm::order(&x, &y));
        }
        let (a, b) = (self.offset(a)?, self.offset(b)?);
        let store = &self.it.store;
        if store.decide_eq(a, b) == Some(true) {
            Some(Ordering::Equal)
        } else if store.decide_le(a, 1, b) == Some(true) {
            Some(Ordering::Less)
        } else if store.decide_le(b, 1, a) == Some(true) {
            Some(Ordering::Greater)
        } else {
            None
        }
    }

    /// A known integer of any size.
    pub(super) fn known_integer(&self, it: Ref) -> Option<Value> {
        match self.it.heap.cell(it) {
            Cell::Opaque(at) => Some(self.it.heap.opaque[at as usize].clone()),
            _ => self.known_int(it).map(Value::Int),
        }
    }

    /// Makes a term less than another, or at most as large, as the comparison says.
    pub(super) fn run_ordered(
        &mut self,
        id: u32,
        (a, b): (Ref, Ref),
        comparison: Comparison,
    ) -> Step<Progress> {
        let (x, y, is_last) = match self.order(a, b)? {
            TermOrder::Known(order) => {
                self.finish(id);
                let holds = TermOrder::Known(order).holds(comparison) == Some(true);
                return if holds { Ok(Progress::Done) } else { Err(Interrupt::Conflict) };
            }
            TermOrder::Open { a, b, is_last } => (a, b, is_last),
        };
        let blockers = [self.blocker(x), self.blocker(y)];
        if blockers.iter().flatten().any(|it| matches!(it, Blocker::Unknown(_))) {
            return Ok(Progress::Waits(blockers));
        }
        self.finish(id);
        let is_large = |it| matches!(self.it.heap.cell(it), Cell::Opaque(_));
        if is_large(x) || is_large(y) {
            return self.cut();
        }
        if is_last {
            self.require(comparison, x, y)?;
            return Ok(Progress::Done);
        }
        // In a lexicographic order the first pair is never in the wrong order; whether the
        // rest matters depends on its equality, which may be decided later.
        self.require(Comparison::Le, x, y)?;
        let are_equal = self.compare(Comparison::Eq, x, y, None)?;
        self.suspend(Goal::OrderedBy { are_equal, first: (x, y), a, b, comparison })?;
        Ok(Progress::Done)
    }
}

//! The stack of slots that frames consist of.
//!
//! An unused slot holds [`EMPTY_SLOT`]. Values are constructed in place, in empty slots: building
//! one elsewhere in several stores and then loading it whole would stall on store forwarding. For
//! this reason functions here take a closure that makes the value rather than the value.

use std::mem::{forget, replace, swap, take};
use std::ops::{Index, Range};

use super::EvalOutput;
use crate::value::{FreeCells, Value};

/// The content of an unused slot. An integer, because dropping one takes no work.
pub(super) const EMPTY_SLOT: Value = Value::Int(0);

/// All slots, and the free cells that their values returned.
#[derive(Default)]
pub(super) struct SlotStack {
    values: Vec<Value>,
    pub(super) cells: FreeCells,
}

impl Index<usize> for SlotStack {
    type Output = Value;

    #[inline(always)]
    fn index(&self, at: usize) -> &Value {
        &self.values[at]
    }
}

impl SlotStack {
    /// Grows the stack to at least `len` slots.
    #[inline(always)]
    pub(super) fn ensure_len(&mut self, len: usize) {
        if self.values.len() < len {
            self.grow(len);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, len: usize) {
        // Doubling keeps growth amortized over the depth of a recursion.
        self.values.resize((len * 2).max(64), EMPTY_SLOT);
    }

    /// The values in a range of slots.
    pub(super) fn range(&self, slots: Range<usize>) -> &[Value] {
        &self.values[slots]
    }

    /// The values in a range of slots, and free cells to move them to.
    pub(super) fn range_mut(&mut self, slots: Range<usize>) -> (&mut [Value], &mut FreeCells) {
        (&mut self.values[slots], &mut self.cells)
    }

    /// Stores a value in a slot.
    #[inline(always)]
    pub(super) fn put(&mut self, to: usize, value: impl FnOnce() -> Value) {
        self.clear(to);
        // `clear` has left an integer there, so `forget` skips a drop that would do nothing.
        forget(replace(&mut self.values[to], value()));
    }

    /// Stores an integer in a slot.
    #[inline(always)]
    pub(super) fn put_int(&mut self, to: usize, int: i64) {
        self.clear(to);
        // After `clear` the slot holds an integer: overwrite the payload and keep the tag.
        if let Value::Int(before) = &mut self.values[to] {
            *before = int;
        }
    }

    /// Stores the output of a term in its slot.
    #[inline(always)]
    pub(super) fn put_output(&mut self, to: usize, out: EvalOutput) {
        match out {
            EvalOutput::Int(int) => self.put_int(to, int),
            EvalOutput::True => self.put(to, || Value::Bool(true)),
            EvalOutput::False => self.put(to, || Value::Bool(false)),
            EvalOutput::Stored => {}
        }
    }

    /// The content of a slot as the output of a term evaluated into it.
    #[inline(always)]
    pub(super) fn output_at(&self, at: usize) -> EvalOutput {
        if let Value::Int(int) = self.values[at] {
            EvalOutput::Int(int)
        } else {
            EvalOutput::Stored
        }
    }

    /// Moves a value from one slot to another.
    #[inline(always)]
    pub(super) fn move_(&mut self, from: usize, to: usize) {
        let [from, to] = self.slot_pair_into_empty(from, to);
        // Integers and lists are written field by field, which avoids the wide copy of `swap`.
        if let (Value::Int(int), Value::Int(before)) = (&*from, &mut *to) {
            *before = *int;
        } else if let Value::List(list) = from {
            let list = take(list);
            forget(replace(from, EMPTY_SLOT));
            forget(replace(to, Value::List(list)));
        } else {
            swap(from, to);
        }
    }

    /// Moves a range of values down.
    #[inline(always)]
    pub(super) fn slide(&mut self, from: usize, to: usize, count: usize) {
        for at in 0..count {
            let [source, slot] = self.slot_pair(from + at, to + at);
            if let (Value::Int(int), Value::Int(before)) = (&mut *source, &mut *slot) {
                *before = *int;
            } else {
                // `swap` leaves the old value of the target in the source, where it is released.
                // The ranges may overlap, and the target is lower, so no source is overwritten
                // before it has moved.
                swap(source, slot);
                self.clear(from + at);
            }
        }
    }

    /// Copies the value in one slot, or a part of it, to another; returns whether the part exists.
    #[inline(always)]
    pub(super) fn copy(
        &mut self,
        from: usize,
        to: usize,
        part: impl Fn(&Value) -> Option<&Value>,
    ) -> bool {
        let [from, to] = self.slot_pair_into_empty(from, to);
        let Some(part) = part(from) else { return false };
        if let (Value::Int(int), Value::Int(before)) = (part, &mut *to) {
            *before = *int;
        } else if let Value::List(list) = part {
            forget(replace(to, Value::List(list.clone())));
        } else if let Value::Data(ctor, fields) = part {
            forget(replace(to, Value::Data(*ctor, fields.clone())));
        } else {
            put_clone(to, part);
        }
        true
    }

    /// Copies the tail of the list in one slot to another; returns whether there is one.
    #[inline(always)]
    pub(super) fn copy_tail(&mut self, from: usize, to: usize) -> bool {
        let [from, to] = self.slot_pair_into_empty(from, to);
        let Value::List(list) = from else { return false };
        let Some((_, tail)) = list.split_first() else { return false };
        forget(replace(to, Value::List(tail.clone())));
        true
    }

    /// Two slots, the second one emptied.
    #[inline(always)]
    fn slot_pair_into_empty(&mut self, from: usize, to: usize) -> [&mut Value; 2] {
        let [from, to] = self.slot_pair(from, to);
        if !matches!(to, Value::Int(_)) {
            reset_slot(to);
        }
        [from, to]
    }

    /// Two slots. A value is never moved to its own slot.
    #[inline(always)]
    fn slot_pair(&mut self, from: usize, to: usize) -> [&mut Value; 2] {
        self.values.get_disjoint_mut([from, to]).expect("two slots of frames")
    }

    /// Takes the value out of a slot.
    #[inline(always)]
    pub(super) fn take(&mut self, from: usize) -> Value {
        replace(&mut self.values[from], EMPTY_SLOT)
    }

    /// Takes a list out of a slot, if there is one.
    #[inline(always)]
    pub(super) fn take_list(&mut self, from: usize) -> Option<crate::value::List> {
        let slot = &mut self.values[from];
        let Value::List(list) = slot else { return None };
        let list = take(list);
        forget(replace(slot, EMPTY_SLOT));
        Some(list)
    }

    /// Takes the output of a term that was evaluated into a slot.
    #[inline(always)]
    pub(super) fn take_output(&mut self, from: usize, out: EvalOutput) -> Value {
        match out {
            EvalOutput::Int(int) => Value::Int(int),
            EvalOutput::True => Value::Bool(true),
            EvalOutput::False => Value::Bool(false),
            EvalOutput::Stored => self.take(from),
        }
    }

    /// Empties a slot. Most hold an integer, for which there is nothing to do.
    #[inline(always)]
    pub(super) fn clear(&mut self, at: usize) {
        if !matches!(self.values[at], Value::Int(_)) {
            self.release(at);
        }
    }

    /// Empties a range of slots.
    #[inline(always)]
    pub(super) fn clear_all(&mut self, slots: Range<usize>) {
        for at in slots {
            self.clear(at);
        }
    }

    #[inline(never)]
    fn release(&mut self, at: usize) {
        match self.take_list(at) {
            Some(list) => self.cells.reclaim_list(list),
            None => {
                let value = self.take(at);
                self.cells.reclaim(value);
            }
        }
    }
}

#[cold]
#[inline(never)]
fn reset_slot(slot: &mut Value) {
    *slot = EMPTY_SLOT;
}

#[inline(never)]
fn put_clone(slot: &mut Value, value: &Value) {
    *slot = value.clone();
}

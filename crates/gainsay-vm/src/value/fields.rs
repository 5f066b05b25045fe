//! Fields of a constructor, elements of a tuple, captures of a function.

use std::rc::Rc;

use super::Value;
use super::free_cells::FreeCells;
use super::live_memory::{charge, discharge, release, shared_address};

/// A fixed number of values; none costs nothing.
#[derive(Debug, Clone, Default)]
pub struct Fields(Option<Rc<FieldsCell>>);

/// Few fields lie in the cell itself, so that it is one allocation.
#[derive(Debug)]
pub(super) enum FieldsCell {
    /// As many as the number says, none in a cell that is free; the others are nothing.
    Few(u32, [Value; MOST_IN_CELL]),
    Many(Box<[Value]>),
}

const MOST_IN_CELL: usize = 4;

impl Fields {
    /// No fields.
    pub const EMPTY: Self = Self(None);

    /// These fields.
    pub fn new(mut items: Vec<Value>) -> Self {
        if items.len() <= MOST_IN_CELL {
            Self::take_slots(&mut items)
        } else {
            Self::many(items)
        }
    }

    /// The values of some slots, taken out of them.
    pub(crate) fn take_slots(slots: &mut [Value]) -> Self {
        if slots.is_empty() {
            return Self::EMPTY;
        }
        if slots.len() > MOST_IN_CELL {
            let items = slots.iter_mut().map(|slot| std::mem::replace(slot, EMPTY_FIELD));
            return Self::many(items.collect());
        }
        Self::fill_cell(Rc::new(FieldsCell::Few(0, [EMPTY_FIELD; MOST_IN_CELL])), slots)
    }

    /// The same, in a cell that was free if there is one.
    #[inline]
    pub(crate) fn take_slots_in(cells: &mut FreeCells, slots: &mut [Value]) -> Self {
        if slots.is_empty() || slots.len() > MOST_IN_CELL {
            return Self::take_slots(slots);
        }
        match cells.fields() {
            Some(cell) => Self::fill_cell(cell, slots),
            None => Self::take_slots(slots),
        }
    }

    /// A free cell with the values of some slots.
    #[inline(always)]
    fn fill_cell(mut cell: Rc<FieldsCell>, slots: &mut [Value]) -> Self {
        if let Some(FieldsCell::Few(n_items, items)) = Rc::get_mut(&mut cell) {
            charge(CELL_BYTES);
            *n_items = slots.len() as u32;
            for (item, slot) in items.iter_mut().zip(slots) {
                if let (Value::Int(item), Value::Int(int)) = (&mut *item, &mut *slot) {
                    *item = *int;
                } else {
                    std::mem::swap(item, slot);
                }
            }
        }
        Self(Some(cell))
    }

    pub(super) fn into_cell(self) -> Option<Rc<FieldsCell>> {
        self.0
    }

    /// The last `count` values of a stack, taken off it.
    pub(crate) fn pop(stack: &mut Vec<Value>, count: usize) -> Self {
        let start = stack.len().saturating_sub(count);
        let fields = Self::take_slots(&mut stack[start..]);
        stack.truncate(start);
        fields
    }

    fn many(items: Vec<Value>) -> Self {
        let cell = FieldsCell::Many(items.into());
        charge(cell.bytes());
        Self(Some(Rc::new(cell)))
    }

    /// Where they are stored, if others refer to them too.
    pub(crate) fn shared_address(&self) -> Option<u64> {
        self.0.as_ref().and_then(shared_address)
    }

    /// The fields in order.
    #[inline]
    pub fn as_slice(&self) -> &[Value] {
        match self.0.as_deref() {
            None => &[],
            Some(FieldsCell::Few(n_items, items)) => {
                items.get(..*n_items as usize).unwrap_or(items)
            }
            Some(FieldsCell::Many(items)) => items,
        }
    }
}

/// What is where no field is.
const EMPTY_FIELD: Value = Value::Int(0);

/// What a cell holds of memory, counters included.
const CELL_BYTES: u64 = size_of::<FieldsCell>() as u64 + 16;

impl FieldsCell {
    fn bytes(&self) -> u64 {
        match self {
            Self::Few(0, _) => 0,
            Self::Few(..) => CELL_BYTES,
            Self::Many(items) => CELL_BYTES + items.len() as u64 * 16,
        }
    }

    /// Takes what is in a cell that nobody else has, which makes it free; whether it is.
    #[inline(always)]
    pub(super) fn take_contents(cell: &mut Rc<Self>, mut taken: impl FnMut(Value)) -> bool {
        let Some(Self::Few(n_items, items)) = Rc::get_mut(cell) else { return false };
        discharge(CELL_BYTES);
        for item in items.iter_mut().take(*n_items as usize) {
            if !matches!(item, Value::Int(_)) {
                taken(std::mem::replace(item, EMPTY_FIELD));
            }
        }
        *n_items = 0;
        true
    }
}

impl Drop for FieldsCell {
    fn drop(&mut self) {
        discharge(self.bytes());
        let items: &mut [Value] = match self {
            Self::Few(_, items) => items,
            Self::Many(items) => items,
        };
        release(items.iter_mut());
    }
}

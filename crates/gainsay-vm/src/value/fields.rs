//! Fields of a constructor, elements of a tuple, captures of a function.

use std::rc::Rc;

use super::Value;
use super::free_cells::FreeCells;
use super::live_memory::{charge, discharge, release, shared_address};

/// A fixed number of values; an empty one takes no memory.
#[derive(Debug, Clone, Default)]
pub struct Fields(Option<Rc<FieldsCell>>);

/// A few fields are stored in the cell itself, which is then a single allocation.
#[derive(Debug)]
pub(super) enum FieldsCell {
    /// The number of fields, which is 0 for a free cell, followed by the fields; the rest is
    /// unused.
    Few(u32, [Value; MAX_IN_CELL]),
    Many(Box<[Value]>),
}

const MAX_IN_CELL: usize = 4;

impl Fields {
    /// No fields.
    pub const EMPTY: Self = Self(None);

    /// Creates fields from values.
    pub fn new(mut items: Vec<Value>) -> Self {
        // Few fields fit the cell; more are boxed.
        if items.len() <= MAX_IN_CELL {
            Self::take_slots(&mut items)
        } else {
            Self::many(items)
        }
    }

    /// Moves the values out of some slots.
    pub(crate) fn take_slots(slots: &mut [Value]) -> Self {
        if slots.is_empty() {
            return Self::EMPTY;
        }
        if slots.len() > MAX_IN_CELL {
            let items = slots.iter_mut().map(|slot| std::mem::replace(slot, EMPTY_FIELD));
            return Self::many(items.collect());
        }
        Self::fill_cell(Rc::new(FieldsCell::Few(0, [EMPTY_FIELD; MAX_IN_CELL])), slots)
    }

    /// The same, in a free cell if there is one.
    #[inline]
    pub(crate) fn take_slots_in(cells: &mut FreeCells, slots: &mut [Value]) -> Self {
        if slots.is_empty() || slots.len() > MAX_IN_CELL {
            return Self::take_slots(slots);
        }
        match cells.fields() {
            Some(cell) => Self::fill_cell(cell, slots),
            None => Self::take_slots(slots),
        }
    }

    /// Moves the values of some slots into a free cell.
    #[inline(always)]
    fn fill_cell(mut cell: Rc<FieldsCell>, slots: &mut [Value]) -> Self {
        if let Some(FieldsCell::Few(n_items, items)) = Rc::get_mut(&mut cell) {
            charge(CELL_BYTES);
            *n_items = slots.len() as u32;
            for (item, slot) in items.iter_mut().zip(slots) {
                // Copying an integer leaves the slot as it is, and the tag of the field: both are
                // integers.
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

    /// Pops the last `count` values of a stack.
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

    /// Their address, if they are shared.
    pub(crate) fn shared_address(&self) -> Option<u64> {
        self.0.as_ref().and_then(shared_address)
    }

    /// The fields in order.
    #[inline]
    pub fn as_slice(&self) -> &[Value] {
        match self.0.as_deref() {
            None => &[],
            Some(FieldsCell::Few(n_items, items)) => {
                // `n_items` never exceeds the array; `unwrap_or` only avoids a panic path.
                items.get(..*n_items as usize).unwrap_or(items)
            }
            Some(FieldsCell::Many(items)) => items,
        }
    }
}

/// The content of an unused field.
const EMPTY_FIELD: Value = Value::Int(0);

/// The size of a cell, including reference counts.
const CELL_BYTES: u64 = size_of::<FieldsCell>() as u64 + 16;

impl FieldsCell {
    fn bytes(&self) -> u64 {
        match self {
            // A free cell is not charged: `take_contents` has discharged it.
            Self::Few(0, _) => 0,
            Self::Few(..) => CELL_BYTES,
            Self::Many(items) => CELL_BYTES + items.len() as u64 * 16,
        }
    }

    /// Moves the contents out of an unshared cell, which makes it free; returns whether it is free.
    #[inline(always)]
    pub(super) fn take_contents(cell: &mut Rc<Self>, mut taken: impl FnMut(Value)) -> bool {
        // `get_mut` succeeds only if the cell is unshared.
        let Some(Self::Few(n_items, items)) = Rc::get_mut(cell) else { return false };
        discharge(CELL_BYTES);
        for item in items.iter_mut().take(*n_items as usize) {
            // Integers stay in place: a free cell may hold any integers.
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
        // `release` bounds the recursion that dropping the items in place would cause.
        release(items.iter_mut());
    }
}

//! Fields of a constructor, elements of a tuple, captures of a function.

use std::rc::Rc;

use super::Value;
use super::live::{charge, discharge, release};

/// A fixed number of values; none costs nothing.
#[derive(Debug, Clone, Default)]
pub struct Fields(Option<Rc<Cell>>);

/// Few fields lie in the cell itself, so that it is one allocation.
#[derive(Debug)]
enum Cell {
    /// As many as the number says; the others are nothing.
    Few(u32, [Value; MOST_IN_CELL]),
    Many(Box<[Value]>),
}

const MOST_IN_CELL: usize = 4;

impl Fields {
    /// No fields.
    pub const EMPTY: Self = Self(None);

    /// These fields.
    pub fn new(mut items: Vec<Value>) -> Self {
        if items.len() <= MOST_IN_CELL { Self::taken(&mut items) } else { Self::many(items) }
    }

    /// The values of some slots, taken out of them.
    pub(crate) fn taken(slots: &mut [Value]) -> Self {
        if slots.is_empty() {
            return Self::EMPTY;
        }
        if slots.len() > MOST_IN_CELL {
            let items = slots.iter_mut().map(|slot| std::mem::replace(slot, NOTHING));
            return Self::many(items.collect());
        }
        let mut cell = Rc::new(Cell::Few(slots.len() as u32, [NOTHING; MOST_IN_CELL]));
        if let Some(Cell::Few(_, items)) = Rc::get_mut(&mut cell) {
            for (item, slot) in items.iter_mut().zip(slots) {
                if let (Value::Int(item), Value::Int(int)) = (&mut *item, &mut *slot) {
                    *item = *int;
                } else {
                    std::mem::swap(item, slot);
                }
            }
        }
        charge(CELL_BYTES);
        Self(Some(cell))
    }

    fn many(items: Vec<Value>) -> Self {
        let cell = Cell::Many(items.into());
        charge(cell.bytes());
        Self(Some(Rc::new(cell)))
    }

    /// The fields in order.
    #[inline]
    pub fn as_slice(&self) -> &[Value] {
        match self.0.as_deref() {
            None => &[],
            Some(Cell::Few(n_items, items)) => items.get(..*n_items as usize).unwrap_or(items),
            Some(Cell::Many(items)) => items,
        }
    }
}

/// What is where no field is.
const NOTHING: Value = Value::Int(0);

/// What a cell holds of memory, counters included.
const CELL_BYTES: u64 = size_of::<Cell>() as u64 + 16;

impl Cell {
    fn bytes(&self) -> u64 {
        match self {
            Self::Few(..) => CELL_BYTES,
            Self::Many(items) => CELL_BYTES + items.len() as u64 * 16,
        }
    }
}

impl Drop for Cell {
    fn drop(&mut self) {
        discharge(self.bytes());
        let items: &mut [Value] = match self {
            Self::Few(_, items) => items,
            Self::Many(items) => items,
        };
        release(items.iter_mut());
    }
}

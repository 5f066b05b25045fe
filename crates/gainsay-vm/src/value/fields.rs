//! Fields of a constructor, elements of a tuple, captures of a function.

use std::rc::Rc;

use super::Value;
use super::live::{charge, discharge, release, shared_at};

/// A fixed number of values; none costs nothing.
#[derive(Debug, Clone, Default)]
pub struct Fields(Option<Rc<Cell>>);

#[derive(Debug)]
struct Cell {
    items: Items,
}

/// Few fields lie in the cell itself, so that it is one allocation.
#[derive(Debug)]
enum Items {
    One([Value; 1]),
    Two([Value; 2]),
    Three([Value; 3]),
    Four([Value; 4]),
    Many(Box<[Value]>),
}

impl Fields {
    /// No fields.
    pub const EMPTY: Self = Self(None);

    /// These fields.
    pub fn new(items: Vec<Value>) -> Self {
        let items = match <[Value; 1]>::try_from(items) {
            Ok(one) => return Self::of(Items::One(one)),
            Err(items) => items,
        };
        let items = match <[Value; 2]>::try_from(items) {
            Ok(two) => return Self::of(Items::Two(two)),
            Err(items) => items,
        };
        let items = match <[Value; 3]>::try_from(items) {
            Ok(three) => return Self::of(Items::Three(three)),
            Err(items) => items,
        };
        match <[Value; 4]>::try_from(items) {
            Ok(four) => Self::of(Items::Four(four)),
            Err(items) if items.is_empty() => Self::EMPTY,
            Err(items) => Self::of(Items::Many(items.into())),
        }
    }

    /// The values of some slots, taken out of them.
    pub(crate) fn taken(slots: &mut [Value]) -> Self {
        let take = |slot: &mut Value| std::mem::replace(slot, Value::Int(0));
        match slots {
            [] => Self::EMPTY,
            [a] => Self::of(Items::One([take(a)])),
            [a, b] => Self::of(Items::Two([take(a), take(b)])),
            [a, b, c] => Self::of(Items::Three([take(a), take(b), take(c)])),
            [a, b, c, d] => Self::of(Items::Four([take(a), take(b), take(c), take(d)])),
            many => Self::of(Items::Many(many.iter_mut().map(take).collect())),
        }
    }

    /// The last `count` values of a stack, taken off it.
    pub(crate) fn pop(stack: &mut Vec<Value>, count: usize) -> Self {
        let start = stack.len().saturating_sub(count);
        let fields = Self::taken(&mut stack[start..]);
        stack.truncate(start);
        fields
    }

    fn of(items: Items) -> Self {
        charge(items.bytes());
        Self(Some(Rc::new(Cell { items })))
    }

    /// Where they are stored, if others refer to them too.
    pub(crate) fn shared_at(&self) -> Option<u64> {
        self.0.as_ref().and_then(shared_at)
    }

    /// The fields in order.
    pub fn as_slice(&self) -> &[Value] {
        match self.0.as_deref() {
            None => &[],
            Some(cell) => match &cell.items {
                Items::One(items) => items,
                Items::Two(items) => items,
                Items::Three(items) => items,
                Items::Four(items) => items,
                Items::Many(items) => items,
            },
        }
    }
}

impl Items {
    /// What a cell with them holds of memory, counters included.
    fn bytes(&self) -> u64 {
        let outside = if let Self::Many(many) = self { many.len() as u64 * 16 } else { 0 };
        size_of::<Cell>() as u64 + 16 + outside
    }
}

impl Drop for Cell {
    fn drop(&mut self) {
        discharge(self.items.bytes());
        let items: &mut [Value] = match &mut self.items {
            Items::One(items) => items,
            Items::Two(items) => items,
            Items::Three(items) => items,
            Items::Four(items) => items,
            Items::Many(items) => items,
        };
        release(items.iter_mut());
    }
}

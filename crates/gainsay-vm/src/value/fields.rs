//! Fields of a constructor, elements of a tuple, captures of a function.

use std::rc::Rc;

use super::Value;
use super::live::{Charge, release, shared_at};

/// A fixed number of values; none costs nothing.
#[derive(Debug, Clone, Default)]
pub struct Fields(Option<Rc<Cell>>);

#[derive(Debug)]
struct Cell {
    items: Items,
    _charge: Charge,
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

    /// The last `count` values of a stack, taken off it.
    pub(crate) fn pop(stack: &mut Vec<Value>, count: usize) -> Self {
        let mut next = || stack.pop().unwrap_or(Value::UNIT);
        match count {
            0 => Self::EMPTY,
            1 => Self::of(Items::One([next()])),
            2 => {
                let b = next();
                Self::of(Items::Two([next(), b]))
            }
            3 => {
                let (c, b) = (next(), next());
                Self::of(Items::Three([next(), b, c]))
            }
            4 => {
                let (d, c, b) = (next(), next(), next());
                Self::of(Items::Four([next(), b, c, d]))
            }
            _ => Self::of(Items::Many(stack.drain(stack.len() - count..).collect())),
        }
    }

    fn of(items: Items) -> Self {
        let outside = if let Items::Many(many) = &items { many.len() as u64 * 16 } else { 0 };
        let charge = Charge::new(size_of::<Cell>() as u64 + 16 + outside);
        Self(Some(Rc::new(Cell { items, _charge: charge })))
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

impl Drop for Cell {
    fn drop(&mut self) {
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

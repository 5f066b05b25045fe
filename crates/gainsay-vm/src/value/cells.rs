//! Cells that were given back, to be used again. Whoever makes and drops many values keeps
//! some; everybody else gets cells from the system and gives them back to it.

use std::rc::Rc;

use super::fields::{Fields, FieldsCell};
use super::list::{Cons, List};
use super::Value;

/// How many cells of a kind are kept.
const MOST_KEPT: usize = 4096;

/// Cells that are free.
#[derive(Default)]
pub(crate) struct Cells {
    lists: Vec<Rc<Cons>>,
    fields: Vec<Rc<FieldsCell>>,
    /// What was in cells that are free now. Values nest deeply; this is not recursion.
    pending: Vec<Value>,
}

impl Cells {
    pub(super) fn list(&mut self) -> Option<Rc<Cons>> {
        self.lists.pop()
    }

    pub(super) fn fields(&mut self) -> Option<Rc<FieldsCell>> {
        self.fields.pop()
    }

    /// Drops a value and keeps the cells that nobody else has.
    pub(crate) fn reclaim(&mut self, value: Value) {
        let mut next = Some(value);
        while let Some(value) = next {
            match value {
                Value::List(list) => self.reclaim_list(list),
                Value::Tuple(fields) | Value::Data(_, fields) | Value::Closure(_, fields) => {
                    self.reclaim_fields(fields);
                }
                Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) => {}
                Value::Char(_) | Value::Str(_) | Value::Map(_) | Value::Set(_) => {}
            }
            next = self.pending.pop();
        }
    }

    fn reclaim_list(&mut self, list: List) {
        let mut rest = list;
        while let Some(mut cell) = rest.into_cell() {
            let Some((head, tail)) = Cons::empty(&mut cell) else { return };
            if !matches!(head, Value::Int(_)) {
                self.pending.push(head);
            }
            rest = tail;
            if self.lists.len() < MOST_KEPT {
                self.lists.push(cell);
            }
        }
    }

    fn reclaim_fields(&mut self, fields: Fields) {
        let Some(mut cell) = fields.into_cell() else { return };
        let pending = &mut self.pending;
        let is_empty = FieldsCell::empty(&mut cell, |value| pending.push(value));
        if is_empty && self.fields.len() < MOST_KEPT {
            self.fields.push(cell);
        }
    }
}

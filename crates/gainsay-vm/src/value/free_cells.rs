//! FreeCells that were given back, to be used again. Whoever makes and drops many values keeps
//! some; everybody else gets cells from the system and gives them back to it.

use std::rc::Rc;

use super::Value;
use super::fields::{Fields, FieldsCell};
use super::list::{List, ListCell};

/// How many cells of a kind are kept.
const MAX_FREE_CELLS: usize = 4096;

/// FreeCells that are free.
#[derive(Default)]
pub(crate) struct FreeCells {
    lists: Vec<Rc<ListCell>>,
    fields: Vec<Rc<FieldsCell>>,
    /// What was in cells that are free now. Values nest deeply; this is not recursion.
    pending: Vec<Value>,
}

impl FreeCells {
    pub(super) fn list(&mut self) -> Option<Rc<ListCell>> {
        self.lists.pop()
    }

    pub(super) fn fields(&mut self) -> Option<Rc<FieldsCell>> {
        self.fields.pop()
    }

    /// Drops a value and keeps the cells that nobody else has.
    pub(crate) fn reclaim(&mut self, value: Value) {
        self.take_apart(value);
        self.drop_pending();
    }

    /// Drops a list and keeps the cells that nobody else has.
    #[inline]
    pub(crate) fn reclaim_list(&mut self, list: List) {
        self.take_list_apart(list);
        if !self.pending.is_empty() {
            self.drop_pending();
        }
    }

    #[inline(never)]
    fn drop_pending(&mut self) {
        while let Some(value) = self.pending.pop() {
            self.take_apart(value);
        }
    }

    #[inline]
    fn take_apart(&mut self, value: Value) {
        match value {
            Value::List(list) => self.take_list_apart(list),
            Value::Tuple(fields) | Value::Data(_, fields) | Value::Closure(_, fields) => {
                self.take_fields_apart(fields);
            }
            Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) => {}
            Value::Char(_) | Value::Str(_) | Value::Map(_) | Value::Set(_) => {}
        }
    }

    #[inline]
    fn take_list_apart(&mut self, list: List) {
        let mut rest = list;
        while let Some(mut cell) = rest.into_cell() {
            let Some(tail) = ListCell::take_contents(&mut cell, |head| self.pending.push(head))
            else {
                return;
            };
            rest = tail;
            if self.lists.len() < MAX_FREE_CELLS {
                self.lists.push(cell);
            }
        }
    }

    #[inline]
    fn take_fields_apart(&mut self, fields: Fields) {
        let Some(mut cell) = fields.into_cell() else { return };
        let is_empty = FieldsCell::take_contents(&mut cell, |value| {
            if let Value::List(list) = value {
                self.take_list_apart(list);
            } else {
                self.pending.push(value);
            }
        });
        if is_empty && self.fields.len() < MAX_FREE_CELLS {
            self.fields.push(cell);
        }
    }
}

//! Reuse of free cells. The interpreter, which creates and drops many values, keeps some;
//! everything else allocates from the system.

use std::rc::Rc;

use super::Value;
use super::fields::{Fields, FieldsCell};
use super::list::{List, ListCell};

/// The number of cells kept per kind.
const MAX_FREE_CELLS: usize = 4096;

/// Free cells.
#[derive(Default)]
pub(crate) struct FreeCells {
    lists: Vec<Rc<ListCell>>,
    fields: Vec<Rc<FieldsCell>>,
    /// The contents of freed cells that are still to be dropped: a worklist, because values nest
    /// too deeply for recursion.
    pending: Vec<Value>,
}

impl FreeCells {
    pub(super) fn list(&mut self) -> Option<Rc<ListCell>> {
        self.lists.pop()
    }

    pub(super) fn fields(&mut self) -> Option<Rc<FieldsCell>> {
        self.fields.pop()
    }

    /// Drops a value and keeps its unshared cells.
    pub(crate) fn reclaim(&mut self, value: Value) {
        self.take_apart(value);
        self.drop_pending();
    }

    /// Drops a list and keeps its unshared cells.
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
            // A shared cell ends the walk: the rest of the list belongs to someone else as well.
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
            // This does not recurse deeply: list heads go to `pending`.
            if let Value::List(list) = value {
                self.take_list_apart(list);
            } else {
                self.pending.push(value);
            }
        });
        // Beyond the limit the cell goes back to the system, so that one big value does not hold
        // memory for the rest of the run.
        if is_empty && self.fields.len() < MAX_FREE_CELLS {
            self.fields.push(cell);
        }
    }
}

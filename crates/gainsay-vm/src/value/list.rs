//! Linked lists of reference-counted cells with stored lengths.

use std::mem::{forget, replace, take};
use std::rc::Rc;

use super::Value;
use super::free_cells::FreeCells;
use super::live_memory::{charge, discharge, release, shared_address};

/// A list. Length, head and tail take constant time.
#[derive(Debug, Clone, Default)]
pub struct List(Option<Rc<ListCell>>);

#[derive(Debug)]
pub(super) struct ListCell {
    head: Value,
    tail: List,
    /// The length of the list that begins here; 0 for a free cell.
    len: u64,
}

/// The size of a cell, including reference counts.
const CELL_BYTES: u64 = size_of::<ListCell>() as u64 + 16;

impl List {
    /// The empty list.
    pub const EMPTY: Self = Self(None);

    /// Prepends an element.
    #[must_use]
    #[inline(always)]
    pub fn cons(head: Value, tail: Self) -> Self {
        let len = tail.len() + 1;
        charge(CELL_BYTES);
        Self(Some(Rc::new(ListCell { head, tail, len })))
    }

    /// The same, in a free cell if there is one.
    #[inline(always)]
    pub(crate) fn cons_in(
        cells: &mut FreeCells,
        head: impl FnOnce() -> Value,
        tail: Self,
    ) -> Self {
        let len = tail.len() + 1;
        let Some(mut cell) = cells.list() else { return Self::cons(head(), tail) };
        if let Some(cons) = Rc::get_mut(&mut cell) {
            charge(CELL_BYTES);
            cons.len = len;
            // A free cell holds an empty tail and an integer, so there is nothing to drop.
            forget(replace(&mut cons.tail, tail));
            forget(replace(&mut cons.head, head()));
        }
        Self(Some(cell))
    }

    pub(super) fn into_cell(self) -> Option<Rc<ListCell>> {
        self.0
    }

    /// A list of elements in order.
    pub fn from_items(
        items: impl IntoIterator<Item = Value, IntoIter: DoubleEndedIterator>,
    ) -> Self {
        Self::prepend_items(items, Self::EMPTY)
    }

    /// Prepends elements, in order, to `rest`.
    pub(crate) fn prepend_items(
        items: impl IntoIterator<Item = Value, IntoIter: DoubleEndedIterator>,
        rest: Self,
    ) -> Self {
        items.into_iter().rev().fold(rest, |tail, head| Self::cons(head, tail))
    }

    /// Number of elements.
    pub fn len(&self) -> u64 {
        self.0.as_ref().map_or(0, |cons| cons.len)
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The head and the tail.
    pub fn split_first(&self) -> Option<(&Value, &Self)> {
        self.0.as_deref().map(|cons| (&cons.head, &cons.tail))
    }

    /// The address of the first cell, if it is shared.
    pub(crate) fn shared_address(&self) -> Option<u64> {
        self.0.as_ref().and_then(shared_address)
    }

    /// Iterates over the elements.
    pub fn iter(&self) -> ListIter<'_> {
        ListIter(self)
    }
}

/// Iterates over a list from the front.
#[derive(Debug, Clone)]
pub struct ListIter<'a>(&'a List);

impl<'a> Iterator for ListIter<'a> {
    type Item = &'a Value;

    fn next(&mut self) -> Option<Self::Item> {
        let (head, tail) = self.0.split_first()?;
        self.0 = tail;
        Some(head)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl ListIter<'_> {
    /// The part that has not been visited yet.
    pub fn rest(&self) -> List {
        self.0.clone()
    }
}

impl<'a> IntoIterator for &'a List {
    type Item = &'a Value;
    type IntoIter = ListIter<'a>;

    fn into_iter(self) -> ListIter<'a> {
        self.iter()
    }
}

impl ListCell {
    /// Moves the contents out of an unshared cell, which makes it free; returns the tail.
    #[inline(always)]
    pub(super) fn take_contents(
        cell: &mut Rc<Self>,
        taken: impl FnOnce(Value),
    ) -> Option<List> {
        let cons = Rc::get_mut(cell)?;
        discharge(CELL_BYTES);
        cons.len = 0;
        if !matches!(cons.head, Value::Int(_)) {
            taken(replace(&mut cons.head, Value::Int(0)));
        }
        Some(take(&mut cons.tail))
    }
}

impl Drop for ListCell {
    fn drop(&mut self) {
        // A free cell was discharged and emptied when it became free.
        if self.len == 0 {
            return;
        }
        discharge(CELL_BYTES);
        release(std::iter::once(&mut self.head));
        // The spine is dropped in a loop: lists are too long for recursion.
        let mut rest = take(&mut self.tail);
        // `into_inner` ends the loop at the first shared cell.
        while let Some(mut cons) = rest.0.take().and_then(Rc::into_inner) {
            rest = take(&mut cons.tail);
        }
    }
}

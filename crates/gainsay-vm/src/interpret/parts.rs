//! Values with parts: tuples, constructors, closures, lists, and fields of them.

use gainsay_core::{CtorId, FunctionId};

use super::code::Node;
use super::slots::NOTHING;
use super::{At, Eval, Machine, Out, Stop};
use crate::fault::FaultKind;
use crate::limits::{words_of_closure, words_of_fields, words_of_list};
use crate::value::{Fields, List, Value};

impl<'a> Machine<'a> {
    #[inline(never)]
    pub(super) fn tuple(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        items: &'a [Node],
        to: usize,
    ) -> Eval {
        let fields = self.fields(at, node, items)?;
        self.store(to, || Value::Tuple(fields))
    }

    #[inline(never)]
    pub(super) fn construct(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        ctor: CtorId,
        args: &'a [Node],
        to: usize,
    ) -> Eval {
        let fields = self.fields(at, node, args)?;
        self.store(to, || Value::Data(ctor, fields))
    }

    #[inline(never)]
    pub(super) fn closure(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        function: FunctionId,
        captures: &'a [Node],
        to: usize,
    ) -> Eval {
        let words = words_of_closure(captures.len() as u64);
        let captures = self.fields_for(at, node, captures, words)?;
        self.store(to, || Value::Closure(function, captures))
    }

    #[inline]
    fn fields(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        items: &'a [Node],
    ) -> Result<Fields, Stop> {
        self.fields_for(at, node, items, words_of_fields(items.len() as u64))
    }

    #[inline]
    fn fields_for(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        items: &'a [Node],
        words: u64,
    ) -> Result<Fields, Stop> {
        let start = at.home(node) + 1;
        self.put_all(at, items, start)?;
        self.take(at, node, words)?;
        let (slots, cells) = self.stack.range_mut(start..start + items.len());
        Ok(Fields::taken_in(cells, slots))
    }

    #[inline(never)]
    pub(super) fn list(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        items: &'a [Node],
        to: usize,
    ) -> Eval {
        let start = at.home(node) + 1;
        self.put_all(at, items, start)?;
        self.take(at, node, words_of_list(items.len() as u64))?;
        let (items, _) = self.stack.range_mut(start..start + items.len());
        let list = List::from_items(items.iter_mut().map(take));
        self.store(to, || Value::List(list))
    }

    #[inline(never)]
    pub(super) fn list_before(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        parts: &'a [Node],
        to: usize,
    ) -> Eval {
        let start = at.home(node) + 1;
        self.put_all(at, parts, start)?;
        let end = start + parts.len().saturating_sub(1);
        let rest = self.take_list(at, node, end)?;
        self.take(at, node, words_of_list((end - start) as u64))?;
        let (items, _) = self.stack.range_mut(start..end);
        let list = List::onto(items.iter_mut().map(take), rest);
        self.store(to, || Value::List(list))
    }

    #[inline(never)]
    pub(super) fn cons(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        [item, rest]: &'a [Node; 2],
        to: usize,
    ) -> Eval {
        let home = at.home(node);
        let item = self.number(at, item, home + 1)?;
        self.put(at, rest, home + 2)?;
        let rest = self.take_list(at, node, home + 2)?;
        self.take(at, node, words_of_list(1))?;
        let list = match item {
            Out::Int(int) => List::cons_in(&mut self.stack.cells, || Value::Int(int), rest),
            Out::True | Out::False | Out::Stored => {
                let item = self.stack.take_out(home + 1, item);
                List::cons_in(&mut self.stack.cells, || item, rest)
            }
        };
        self.store(to, || Value::List(list))
    }

    /// Takes a list out of a slot.
    #[inline(always)]
    fn take_list(&mut self, at: At<'a>, node: &'a Node, from: usize) -> Result<List, Stop> {
        match self.stack.take_list(from) {
            Some(list) => Ok(list),
            None => {
                let kind = FaultKind::Unsupported("a rest that is no list");
                Err(self.fault(at, node, kind))
            }
        }
    }

    #[inline(never)]
    pub(super) fn field(&mut self, at: At<'a>, base: &'a Node, index: u32, to: usize) -> Eval {
        let from = at.home(base);
        self.put(at, base, from)?;
        let is_there = self.stack.copy(from, to, |value| value.fields().get(index as usize));
        self.stack.clear(from);
        if is_there {
            return Ok(self.stack.out(to));
        }
        Err(self.fault(at, base, FaultKind::Unsupported("a field that is not there")))
    }
}

fn take(slot: &mut Value) -> Value {
    std::mem::replace(slot, NOTHING)
}

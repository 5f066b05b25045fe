//! Evaluation of compound values: tuples, constructors, closures, lists, and field access.

use gainsay_core::{CtorId, FunctionId};

use super::node_code::CodeNode;
use super::slot_stack::EMPTY_SLOT;
use super::{EvalOutput, EvalResult, FrameRef, Interpreter, Unwind};
use crate::fault::FaultKind;
use crate::limits::{words_of_closure, words_of_fields, words_of_list};
use crate::value::{Fields, List, Value};

impl<'a> Interpreter<'a> {
    #[inline(never)]
    pub(super) fn tuple(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        items: &'a [CodeNode],
        to: usize,
    ) -> EvalResult {
        let fields = self.fields(at, node, items)?;
        self.store(to, || Value::Tuple(fields))
    }

    #[inline(never)]
    pub(super) fn construct(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        ctor: CtorId,
        args: &'a [CodeNode],
        to: usize,
    ) -> EvalResult {
        let fields = self.fields(at, node, args)?;
        self.store(to, || Value::Data(ctor, fields))
    }

    #[inline(never)]
    pub(super) fn closure(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        function: FunctionId,
        captures: &'a [CodeNode],
        to: usize,
    ) -> EvalResult {
        let words = words_of_closure(captures.len() as u64);
        // A closure has words of its own: the function beside its captures.
        let captures = self.fields_for(at, node, captures, words)?;
        self.store(to, || Value::Closure(function, captures))
    }

    #[inline]
    fn fields(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        items: &'a [CodeNode],
    ) -> Result<Fields, Unwind> {
        self.fields_for(at, node, items, words_of_fields(items.len() as u64))
    }

    #[inline]
    fn fields_for(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        items: &'a [CodeNode],
        words: u64,
    ) -> Result<Fields, Unwind> {
        // The operands occupy the slots after the node's own, from which they are moved out.
        let start = at.home_slot(node) + 1;
        self.eval_all_into(at, items, start)?;
        self.charge_words(at, node, words)?;
        let (slots, cells) = self.stack.range_mut(start..start + items.len());
        Ok(Fields::take_slots_in(cells, slots))
    }

    #[inline(never)]
    pub(super) fn list(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        items: &'a [CodeNode],
        to: usize,
    ) -> EvalResult {
        let start = at.home_slot(node) + 1;
        self.eval_all_into(at, items, start)?;
        self.charge_words(at, node, words_of_list(items.len() as u64))?;
        let (items, _) = self.stack.range_mut(start..start + items.len());
        let list = List::from_items(items.iter_mut().map(take_slot));
        self.store(to, || Value::List(list))
    }

    #[inline(never)]
    pub(super) fn prepend_list(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        parts: &'a [CodeNode],
        to: usize,
    ) -> EvalResult {
        let start = at.home_slot(node) + 1;
        // The tail is the last part.
        self.eval_all_into(at, parts, start)?;
        let end = start + parts.len().saturating_sub(1);
        let rest = self.take_list(at, node, end)?;
        self.charge_words(at, node, words_of_list((end - start) as u64))?;
        let (items, _) = self.stack.range_mut(start..end);
        let list = List::prepend_items(items.iter_mut().map(take_slot), rest);
        self.store(to, || Value::List(list))
    }

    #[inline(never)]
    pub(super) fn cons(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        [item, rest]: &'a [CodeNode; 2],
        to: usize,
    ) -> EvalResult {
        let home = at.home_slot(node);
        // An integer head need not pass through the stack: it goes straight into the cell.
        let item = self.eval_int(at, item, home + 1)?;
        self.eval_into(at, rest, home + 2)?;
        let rest = self.take_list(at, node, home + 2)?;
        self.charge_words(at, node, words_of_list(1))?;
        let list = match item {
            EvalOutput::Int(int) => {
                List::cons_in(&mut self.stack.cells, || Value::Int(int), rest)
            }
            EvalOutput::True | EvalOutput::False | EvalOutput::Stored => {
                let item = self.stack.take_output(home + 1, item);
                List::cons_in(&mut self.stack.cells, || item, rest)
            }
        };
        self.store(to, || Value::List(list))
    }

    /// Moves a list out of a slot.
    #[inline(always)]
    fn take_list(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        from: usize,
    ) -> Result<List, Unwind> {
        match self.stack.take_list(from) {
            Some(list) => Ok(list),
            None => {
                let kind = FaultKind::Unsupported("a rest that is no list");
                Err(self.fault(at, node, kind))
            }
        }
    }

    #[inline(never)]
    pub(super) fn field(
        &mut self,
        at: FrameRef<'a>,
        base: &'a CodeNode,
        index: u32,
        to: usize,
    ) -> EvalResult {
        let from = at.home_slot(base);
        self.eval_into(at, base, from)?;
        // Copy the field before clearing: `from` may hold the last reference to the aggregate.
        let is_there = self.stack.copy(from, to, |value| value.fields().get(index as usize));
        self.stack.clear(from);
        if is_there {
            return Ok(self.stack.output_at(to));
        }
        Err(self.fault(at, base, FaultKind::Unsupported("a field that is not there")))
    }
}

fn take_slot(slot: &mut Value) -> Value {
    std::mem::replace(slot, EMPTY_SLOT)
}

//! Evaluation: the dispatch over node kinds, and the common ones.

use gainsay_core::builtin::{
    EQ, GE, GT, INT_ADD, INT_DIV, INT_MUL, INT_REM, INT_SUB, LE, LT, NE, SAME,
};
use gainsay_core::{BuiltinId, FunctionId};

use super::node_code::{CodeNode, CodeNodeKind, ReadyOperand};
use super::{CallSite, EvalOutput, EvalResult, FrameRef, Interpreter, Unwind, ValueResult};
use crate::builtin;
use crate::fault::FaultKind;
use crate::limits::is_small_int;
use crate::value::{Fields, Value};

impl<'a> Interpreter<'a> {
    /// Evaluates a node. It only dispatches, so that its native frame, of which there is one per
    /// level of nesting, is almost empty.
    #[inline(never)]
    pub(super) fn eval(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        to: usize,
    ) -> EvalResult {
        self.dispatch(at, node, to)
    }

    /// Evaluates a node that may be a call. Calls nest deeply, and a processor's return predictor
    /// holds only so many entries, so no native frame lies between one call and the next where that
    /// can be avoided.
    #[inline(always)]
    pub(super) fn call_or_eval(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        to: usize,
    ) -> EvalResult {
        if let CodeNodeKind::Call(function, args) = &node.kind {
            self.call_function(at, node, *function, args, to)
        } else {
            self.eval(at, node, to)
        }
    }

    #[inline(always)]
    pub(super) fn dispatch(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        to: usize,
    ) -> EvalResult {
        match &node.kind {
            CodeNodeKind::Ready(ready) => self.eval_ready(at, node, ready, to),
            CodeNodeKind::Float(_)
            | CodeNodeKind::Bool(_)
            | CodeNodeKind::Char(_)
            | CodeNodeKind::Shared(_) => self.eval_leaf(node, to),
            CodeNodeKind::Function(_) | CodeNodeKind::NullaryCtor(_) => {
                self.eval_leaf(node, to)
            }
            CodeNodeKind::Constant(id) => self.constant(at, node, *id, to),
            CodeNodeKind::Closure(function, captures) => {
                self.closure(at, node, *function, captures, to)
            }
            CodeNodeKind::Call(function, args) => {
                self.call_function(at, node, *function, args, to)
            }
            CodeNodeKind::CallValue(parts) => self.call_closure(at, node, parts, to),
            CodeNodeKind::Arithmetic(builtin, args) => {
                self.arithmetic(at, node, *builtin, args, to)
            }
            CodeNodeKind::Comparison(..) => self.truth(at, node),
            CodeNodeKind::Builtin(builtin, args) => self.builtin(at, node, *builtin, args, to),
            CodeNodeKind::Perform(op, args) => self.perform(at, node, *op, args, to),
            CodeNodeKind::Tuple(items) => self.tuple(at, node, items, to),
            CodeNodeKind::Construct(ctor, args) => self.construct(at, node, *ctor, args, to),
            CodeNodeKind::List(items) => self.list(at, node, items, to),
            CodeNodeKind::Cons(parts) => self.cons(at, node, parts, to),
            CodeNodeKind::PrependList(parts) => self.prepend_list(at, node, parts, to),
            CodeNodeKind::Field(base, index) => self.field(at, base, *index, to),
            CodeNodeKind::If(_)
            | CodeNodeKind::And(_)
            | CodeNodeKind::Or(_)
            | CodeNodeKind::Match(_)
            | CodeNodeKind::Block(..) => self.eval_choice(at, node, to),
            CodeNodeKind::ParResult(parts) | CodeNodeKind::Rare(parts) => {
                self.eval_rare(at, node, parts, to)
            }
        }
    }

    /// Evaluates a node whose value is that of one of its parts.
    #[inline(never)]
    fn eval_choice(
        &mut self,
        at: FrameRef<'a>,
        mut node: &'a CodeNode,
        to: usize,
    ) -> EvalResult {
        loop {
            // The loop handles nested choices without a native frame per level.
            if let CodeNodeKind::If(parts) = &node.kind {
                let [condition, then, otherwise] = &**parts;
                node = if self.eval_condition(at, condition)? { then } else { otherwise };
            } else if let CodeNodeKind::Match(match_) = &node.kind {
                self.eval_subjects(at, &match_.subjects)?;
                node = self.select_arm(at, node, match_)?;
            } else if let CodeNodeKind::Block(statements, result) = &node.kind {
                self.statements(at, statements)?;
                node = result;
            } else if let CodeNodeKind::And(parts) = &node.kind {
                if !self.eval_condition(at, &parts[0])? {
                    // Without evaluating the right side, which may fail or perform effects.
                    return Ok(EvalOutput::False);
                }
                node = &parts[1];
            } else if let CodeNodeKind::Or(parts) = &node.kind {
                if self.eval_condition(at, &parts[0])? {
                    return Ok(EvalOutput::True);
                }
                node = &parts[1];
            } else {
                return self.eval(at, node, to);
            }
        }
    }

    /// Evaluates a node without parts.
    #[inline(never)]
    fn eval_leaf(&mut self, node: &'a CodeNode, to: usize) -> EvalResult {
        if let CodeNodeKind::NullaryCtor(ctor) = &node.kind {
            self.store(to, || Value::Data(*ctor, Fields::EMPTY))
        } else if let CodeNodeKind::Bool(bool) = &node.kind {
            Ok(EvalOutput::from(*bool))
        } else if let CodeNodeKind::Float(float) = &node.kind {
            self.store(to, || Value::Float(*float))
        } else if let CodeNodeKind::Char(char) = &node.kind {
            self.store(to, || Value::Char(*char))
        } else if let CodeNodeKind::Function(function) = &node.kind {
            self.store(to, || Value::Closure(*function, Fields::EMPTY))
        } else if let CodeNodeKind::Shared(literal) = &node.kind {
            self.literal(*literal, to)
        } else {
            self.store(to, || Value::UNIT)
        }
    }

    /// Evaluates a node that is probably a small integer.
    #[inline(always)]
    pub(super) fn eval_int(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        to: usize,
    ) -> EvalResult {
        if let CodeNodeKind::Ready(ready) = &node.kind {
            if let ReadyOperand::Int(int) = ready {
                return Ok(EvalOutput::Int(*int));
            }
            // Integers are copied even at their last use: an integer left in its slot needs no
            // release.
            if let ReadyOperand::Local(slot) | ReadyOperand::LastUseOfLocal(slot) = ready
                && let Value::Int(int) = self.stack[at.base + *slot as usize]
            {
                return Ok(EvalOutput::Int(int));
            }
            if let ReadyOperand::Head(slot) = ready
                && let Value::List(list) = &self.stack[at.base + *slot as usize]
                && let Some((Value::Int(int), _)) = list.split_first()
            {
                return Ok(EvalOutput::Int(*int));
            }
            self.eval_ready(at, node, ready, to)
        } else if let CodeNodeKind::Arithmetic(builtin, args) = &node.kind {
            self.arithmetic(at, node, *builtin, args, to)
        } else {
            self.eval(at, node, to)
        }
    }

    #[inline(never)]
    fn eval_ready(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        ready: &ReadyOperand,
        to: usize,
    ) -> EvalResult {
        self.put_ready(at, node, ready, to)?;
        Ok(self.stack.output_at(to))
    }

    /// Puts an operand that needs no evaluation into a slot.
    #[inline(always)]
    fn put_ready(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        ready: &ReadyOperand,
        to: usize,
    ) -> Result<(), Unwind> {
        let from = |slot: u32| at.base + slot as usize;
        let is_there = match *ready {
            ReadyOperand::Int(int) => {
                self.stack.put_int(to, int);
                true
            }
            ReadyOperand::Local(slot) => self.stack.copy(from(slot), to, |value| Some(value)),
            ReadyOperand::LastUseOfLocal(slot) => {
                // Moved: the sooner the last owner is gone, the sooner the cell is free again.
                self.stack.move_(from(slot), to);
                true
            }
            ReadyOperand::Head(slot) => {
                self.stack.copy(from(slot), to, |value| Some(value.as_list()?.split_first()?.0))
            }
            ReadyOperand::Tail(slot) => self.stack.copy_tail(from(slot), to),
            ReadyOperand::Field(slot, index) => {
                self.stack.copy(from(slot), to, |value| value.fields().get(index as usize))
            }
        };
        if is_there {
            return Ok(());
        }
        Err(self.fault(at, node, FaultKind::Unsupported("a part that is not there")))
    }

    /// Evaluates a node into a slot, whatever its value is.
    #[inline(always)]
    pub(super) fn eval_into(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        to: usize,
    ) -> Result<(), Unwind> {
        if let CodeNodeKind::Ready(ready) = &node.kind {
            return self.put_ready(at, node, ready, to);
        }
        let out = self.call_or_eval(at, node, to)?;
        self.stack.put_output(to, out);
        Ok(())
    }

    /// Evaluates nodes in order into adjacent slots.
    #[inline]
    pub(super) fn eval_all_into(
        &mut self,
        at: FrameRef<'a>,
        nodes: &'a [CodeNode],
        to: usize,
    ) -> Result<(), Unwind> {
        for (to, node) in (to..).zip(nodes) {
            self.eval_into(at, node, to)?;
        }
        Ok(())
    }

    /// Evaluates a node and takes the value off the stack.
    pub(super) fn eval_value(&mut self, at: FrameRef<'a>, node: &'a CodeNode) -> ValueResult {
        // The node's own slot serves as scratch space.
        let to = at.home_slot(node);
        let out = self.eval(at, node, to)?;
        Ok(self.stack.take_output(to, out))
    }

    /// Evaluates a condition.
    #[inline(never)]
    pub(super) fn eval_condition(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
    ) -> Result<bool, Unwind> {
        if let CodeNodeKind::Comparison(builtin, args) = &node.kind {
            return self.comparison(at, node, *builtin, args);
        }
        let to = at.home_slot(node);
        let holds = match self.eval(at, node, to)? {
            EvalOutput::True => Some(true),
            EvalOutput::False => Some(false),
            // Read in place: a boolean holds nothing that would have to be released.
            EvalOutput::Stored => self.stack[to].as_bool(),
            EvalOutput::Int(_) => None,
        };
        if let Some(holds) = holds {
            return Ok(holds);
        }
        Err(self.fault(at, node, FaultKind::Unsupported("a condition without truth")))
    }

    #[inline(never)]
    fn call_function(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        function: FunctionId,
        args: &'a [CodeNode],
        to: usize,
    ) -> EvalResult {
        // Arguments are evaluated where the frame of the callee begins, so a call moves nothing.
        let base = at.home_slot(node) + 1;
        self.eval_all_into(at, args, base)?;
        let site = Some(CallSite { code: at.code, node });
        let callee = self.code.function(function);
        // After the arguments, whose failures come first in the order of evaluation.
        self.check_count(callee, args.len(), site)?;
        self.call_in_caller_frame(callee, base, site, to)
    }

    #[inline(never)]
    fn call_closure(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        parts: &'a [CodeNode],
        to: usize,
    ) -> EvalResult {
        let callee = self.prepare_callee(at, node, parts)?;
        self.call(callee, at.home_slot(node) + 2, Some(CallSite { code: at.code, node }), to)
    }

    #[inline(never)]
    fn truth(&mut self, at: FrameRef<'a>, node: &'a CodeNode) -> EvalResult {
        Ok(EvalOutput::from(self.eval_condition(at, node)?))
    }

    #[inline(never)]
    fn literal(&mut self, at: u32, to: usize) -> EvalResult {
        let slot = &mut self.memory.literals[at as usize];
        // Values are not shared between threads, so each worker converts a literal once.
        let literal =
            slot.get_or_insert_with(|| Value::literal(&self.code.literals[at as usize]));
        let value = literal.clone();
        self.store(to, || value)
    }

    /// Integer arithmetic. Small integers stay in registers.
    #[inline(never)]
    fn arithmetic(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        builtin: BuiltinId,
        [a, b]: &'a [CodeNode; 2],
        to: usize,
    ) -> EvalResult {
        let home = at.home_slot(node);
        let a = self.eval_int(at, a, home + 1)?;
        let b = self.eval_int(at, b, home + 2)?;
        if let (EvalOutput::Int(a), EvalOutput::Int(b)) = (a, b)
            && let Some(int) = small_int_result(builtin, a, b)
        {
            return Ok(EvalOutput::Int(int));
        }
        self.apply_to_two(at, node, builtin, (a, b), to)
    }

    /// Evaluates a comparison.
    #[inline(always)]
    fn comparison(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        builtin: BuiltinId,
        [a, b]: &'a [CodeNode; 2],
    ) -> Result<bool, Unwind> {
        let home = at.home_slot(node);
        let a = self.eval_int(at, a, home + 1)?;
        let b = self.eval_int(at, b, home + 2)?;
        if let (EvalOutput::Int(a), EvalOutput::Int(b)) = (a, b)
            && let Some(holds) = compare_ints(builtin, a, b)
        {
            return Ok(holds);
        }
        self.apply_to_two(at, node, builtin, (a, b), home)?;
        Ok(matches!(self.stack[home], Value::Bool(true)))
    }

    #[inline(never)]
    fn apply_to_two(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        builtin: BuiltinId,
        (a, b): (EvalOutput, EvalOutput),
        to: usize,
    ) -> EvalResult {
        let home = at.home_slot(node);
        // Only now are integers that travelled in registers made values.
        let args = [self.stack.take_output(home + 1, a), self.stack.take_output(home + 2, b)];
        let value = self.apply_builtin(at, node, builtin, &args)?;
        self.store(to, || value)
    }

    #[inline(never)]
    fn builtin(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        builtin: BuiltinId,
        args: &'a [CodeNode],
        to: usize,
    ) -> EvalResult {
        let start = at.home_slot(node) + 1;
        self.eval_all_into(at, args, start)?;
        let args = start..start + args.len();
        let mut context =
            builtin::BuiltinContext { program: self.program, meter: &mut self.meter };
        let result = builtin::run(builtin, &mut context, self.stack.range(args.clone()));
        // If the builtin fails, too, so that no argument stays alive in a dead slot.
        self.stack.clear_all(args);
        let value = result.map_err(|kind| self.fault(at, node, *kind))?;
        self.store(to, || value)
    }

    #[inline(never)]
    pub(super) fn apply_builtin(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        builtin: BuiltinId,
        args: &[Value],
    ) -> ValueResult {
        let mut context =
            builtin::BuiltinContext { program: self.program, meter: &mut self.meter };
        builtin::run(builtin, &mut context, args).map_err(|kind| self.fault(at, node, *kind))
    }

    /// Charges words for a value about to be allocated at a node.
    #[inline]
    pub(super) fn charge_words(
        &mut self,
        at: FrameRef<'a>,
        node: &'a CodeNode,
        words: u64,
    ) -> Result<(), Unwind> {
        self.meter.charge_words(words).map_err(|kind| self.fault(at, node, kind))
    }
}

/// The result of arithmetic on small integers; `None` if the result is not small or does not exist:
/// then the builtin decides what happens.
#[inline(always)]
fn small_int_result(builtin: BuiltinId, a: i64, b: i64) -> Option<i64> {
    let int = match builtin {
        INT_ADD => a.checked_add(b),
        INT_SUB => a.checked_sub(b),
        INT_MUL => a.checked_mul(b),
        INT_DIV => a.checked_div(b),
        INT_REM => a.checked_rem(b),
        _ => None,
    };
    // Results that are not small must be charged for, which only the builtin does.
    int.filter(|int| is_small_int(*int))
}

#[inline(always)]
fn compare_ints(builtin: BuiltinId, a: i64, b: i64) -> Option<bool> {
    match builtin {
        EQ | SAME => Some(a == b),
        NE => Some(a != b),
        LT => Some(a < b),
        LE => Some(a <= b),
        GT => Some(a > b),
        GE => Some(a >= b),
        _ => None,
    }
}

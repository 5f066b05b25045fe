//! Evaluation: the dispatch over terms, and the plain ones.

use gainsay_core::builtin::{
    EQ, GE, GT, INT_ADD, INT_DIV, INT_MUL, INT_REM, INT_SUB, LE, LT, NE, SAME,
};
use gainsay_core::{BuiltinId, FunctionId};

use super::code::{Kind, Node, Ready};
use super::{At, Eval, Machine, Made, Out, Site, Stop};
use crate::builtin;
use crate::fault::FaultKind;
use crate::limits::is_small_int;
use crate::value::{Fields, Value};

impl<'a> Machine<'a> {
    /// The value of a node. It only hands on, so that its frame, which would be on the stack
    /// once per level of nesting, is next to nothing.
    #[inline(never)]
    pub(super) fn eval(&mut self, at: At<'a>, node: &'a Node, to: usize) -> Eval {
        self.hand_on(at, node, to)
    }

    /// The value of a node that may be a call. Calls nest deeply, and a processor foresees only
    /// so many returns, so there is nothing between one call and the next where it can be.
    #[inline(always)]
    pub(super) fn call_or_eval(&mut self, at: At<'a>, node: &'a Node, to: usize) -> Eval {
        if let Kind::Call(function, args) = &node.kind {
            self.call_known(at, node, *function, args, to)
        } else {
            self.eval(at, node, to)
        }
    }

    #[inline(always)]
    pub(super) fn hand_on(&mut self, at: At<'a>, node: &'a Node, to: usize) -> Eval {
        match &node.kind {
            Kind::Ready(ready) => self.any_ready(at, node, ready, to),
            Kind::Float(_) | Kind::Bool(_) | Kind::Char(_) | Kind::Shared(_) => {
                self.plain(node, to)
            }
            Kind::Function(_) | Kind::Plain(_) => self.plain(node, to),
            Kind::Constant(id) => self.constant(at, node, *id, to),
            Kind::Closure(function, captures) => {
                self.closure(at, node, *function, captures, to)
            }
            Kind::Call(function, args) => self.call_known(at, node, *function, args, to),
            Kind::CallValue(parts) => self.call_unknown(at, node, parts, to),
            Kind::Arithmetic(builtin, args) => self.arithmetic(at, node, *builtin, args, to),
            Kind::Comparison(..) => self.truth(at, node),
            Kind::Builtin(builtin, args) => self.builtin(at, node, *builtin, args, to),
            Kind::Perform(op, args) => self.perform(at, node, *op, args, to),
            Kind::Tuple(items) => self.tuple(at, node, items, to),
            Kind::Construct(ctor, args) => self.construct(at, node, *ctor, args, to),
            Kind::List(items) => self.list(at, node, items, to),
            Kind::Cons(parts) => self.cons(at, node, parts, to),
            Kind::ListBefore(parts) => self.list_before(at, node, parts, to),
            Kind::Field(base, index) => self.field(at, base, *index, to),
            Kind::If(_) | Kind::And(_) | Kind::Or(_) | Kind::Match(_) | Kind::Block(..) => {
                self.choice(at, node, to)
            }
            Kind::ParResult(parts) | Kind::Rare(parts) => self.rare(at, node, parts, to),
        }
    }

    /// The value of a node that has the value of one of its parts.
    #[inline(never)]
    fn choice(&mut self, at: At<'a>, mut node: &'a Node, to: usize) -> Eval {
        loop {
            if let Kind::If(parts) = &node.kind {
                let [condition, then, otherwise] = &**parts;
                node = if self.condition(at, condition)? { then } else { otherwise };
            } else if let Kind::Match(match_) = &node.kind {
                self.put_subjects(at, &match_.subjects)?;
                node = self.arm(at, node, match_)?;
            } else if let Kind::Block(statements, result) = &node.kind {
                self.statements(at, statements)?;
                node = result;
            } else if let Kind::And(parts) = &node.kind {
                if !self.condition(at, &parts[0])? {
                    return Ok(Out::False);
                }
                node = &parts[1];
            } else if let Kind::Or(parts) = &node.kind {
                if self.condition(at, &parts[0])? {
                    return Ok(Out::True);
                }
                node = &parts[1];
            } else {
                return self.eval(at, node, to);
            }
        }
    }

    /// The value of a node without parts.
    #[inline(never)]
    fn plain(&mut self, node: &'a Node, to: usize) -> Eval {
        if let Kind::Plain(ctor) = &node.kind {
            self.store(to, || Value::Data(*ctor, Fields::EMPTY))
        } else if let Kind::Bool(bool) = &node.kind {
            Ok(Out::from(*bool))
        } else if let Kind::Float(float) = &node.kind {
            self.store(to, || Value::Float(*float))
        } else if let Kind::Char(char) = &node.kind {
            self.store(to, || Value::Char(*char))
        } else if let Kind::Function(function) = &node.kind {
            self.store(to, || Value::Closure(*function, Fields::EMPTY))
        } else if let Kind::Shared(literal) = &node.kind {
            self.literal(*literal, to)
        } else {
            self.store(to, || Value::UNIT)
        }
    }

    /// The value of a node that is likely to be a small integer.
    #[inline(always)]
    pub(super) fn number(&mut self, at: At<'a>, node: &'a Node, to: usize) -> Eval {
        if let Kind::Ready(ready) = &node.kind {
            if let Ready::Int(int) = ready {
                return Ok(Out::Int(*int));
            }
            if let Ready::Local(slot) | Ready::LastOfLocal(slot) = ready
                && let Value::Int(int) = self.stack[at.base + *slot as usize]
            {
                return Ok(Out::Int(int));
            }
            if let Ready::Head(slot) = ready
                && let Value::List(list) = &self.stack[at.base + *slot as usize]
                && let Some((Value::Int(int), _)) = list.split_first()
            {
                return Ok(Out::Int(*int));
            }
            self.any_ready(at, node, ready, to)
        } else if let Kind::Arithmetic(builtin, args) = &node.kind {
            self.arithmetic(at, node, *builtin, args, to)
        } else {
            self.eval(at, node, to)
        }
    }

    #[inline(never)]
    fn any_ready(&mut self, at: At<'a>, node: &'a Node, ready: &Ready, to: usize) -> Eval {
        self.put_ready(at, node, ready, to)?;
        Ok(self.stack.out(to))
    }

    /// Puts what is ready into a slot.
    #[inline(always)]
    fn put_ready(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        ready: &Ready,
        to: usize,
    ) -> Result<(), Stop> {
        let from = |slot: u32| at.base + slot as usize;
        let is_there = match *ready {
            Ready::Int(int) => {
                self.stack.put_int(to, int);
                true
            }
            Ready::Local(slot) => self.stack.copy(from(slot), to, |value| Some(value)),
            Ready::LastOfLocal(slot) => {
                self.stack.move_(from(slot), to);
                true
            }
            Ready::Head(slot) => {
                self.stack.copy(from(slot), to, |value| Some(value.as_list()?.split_first()?.0))
            }
            Ready::Tail(slot) => self.stack.copy_tail(from(slot), to),
            Ready::Field(slot, index) => {
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
    pub(super) fn put(&mut self, at: At<'a>, node: &'a Node, to: usize) -> Result<(), Stop> {
        if let Kind::Ready(ready) = &node.kind {
            return self.put_ready(at, node, ready, to);
        }
        let out = self.call_or_eval(at, node, to)?;
        self.stack.put_out(to, out);
        Ok(())
    }

    /// Evaluates nodes in order into slots side by side.
    #[inline]
    pub(super) fn put_all(
        &mut self,
        at: At<'a>,
        nodes: &'a [Node],
        to: usize,
    ) -> Result<(), Stop> {
        for (to, node) in (to..).zip(nodes) {
            self.put(at, node, to)?;
        }
        Ok(())
    }

    /// The value of a node on its own, off the stack.
    pub(super) fn value(&mut self, at: At<'a>, node: &'a Node) -> Made {
        let to = at.home(node);
        let out = self.eval(at, node, to)?;
        Ok(self.stack.take_out(to, out))
    }

    /// Whether the value of a node is true.
    #[inline(never)]
    pub(super) fn condition(&mut self, at: At<'a>, node: &'a Node) -> Result<bool, Stop> {
        if let Kind::Comparison(builtin, args) = &node.kind {
            return self.comparison(at, node, *builtin, args);
        }
        let to = at.home(node);
        let holds = match self.eval(at, node, to)? {
            Out::True => Some(true),
            Out::False => Some(false),
            Out::Stored => self.stack[to].as_bool(),
            Out::Int(_) => None,
        };
        if let Some(holds) = holds {
            return Ok(holds);
        }
        Err(self.fault(at, node, FaultKind::Unsupported("a condition without truth")))
    }

    #[inline(never)]
    fn call_known(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        function: FunctionId,
        args: &'a [Node],
        to: usize,
    ) -> Eval {
        let base = at.home(node) + 1;
        self.put_all(at, args, base)?;
        let site = Some(Site { code: at.code, node });
        let callee = self.code.function(function);
        self.check_count(callee, args.len(), site)?;
        self.call_here(callee, base, site, to)
    }

    #[inline(never)]
    fn call_unknown(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        parts: &'a [Node],
        to: usize,
    ) -> Eval {
        let callee = self.put_callee(at, node, parts)?;
        self.call(callee, at.home(node) + 2, Some(Site { code: at.code, node }), to)
    }

    #[inline(never)]
    fn truth(&mut self, at: At<'a>, node: &'a Node) -> Eval {
        Ok(Out::from(self.condition(at, node)?))
    }

    #[inline(never)]
    fn literal(&mut self, at: u32, to: usize) -> Eval {
        let slot = &mut self.memory.literals[at as usize];
        let literal =
            slot.get_or_insert_with(|| Value::literal(&self.code.literals[at as usize]));
        let value = literal.clone();
        self.store(to, || value)
    }

    /// Arithmetic of two integers. Small ones do not leave this function.
    #[inline(never)]
    fn arithmetic(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        builtin: BuiltinId,
        [a, b]: &'a [Node; 2],
        to: usize,
    ) -> Eval {
        let home = at.home(node);
        let a = self.number(at, a, home + 1)?;
        let b = self.number(at, b, home + 2)?;
        if let (Out::Int(a), Out::Int(b)) = (a, b)
            && let Some(int) = small(builtin, a, b)
        {
            return Ok(Out::Int(int));
        }
        self.apply_to_two(at, node, builtin, (a, b), to)
    }

    /// Whether two values compare like this.
    #[inline(always)]
    fn comparison(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        builtin: BuiltinId,
        [a, b]: &'a [Node; 2],
    ) -> Result<bool, Stop> {
        let home = at.home(node);
        let a = self.number(at, a, home + 1)?;
        let b = self.number(at, b, home + 2)?;
        if let (Out::Int(a), Out::Int(b)) = (a, b)
            && let Some(holds) = compare(builtin, a, b)
        {
            return Ok(holds);
        }
        self.apply_to_two(at, node, builtin, (a, b), home)?;
        Ok(matches!(self.stack[home], Value::Bool(true)))
    }

    #[inline(never)]
    fn apply_to_two(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        builtin: BuiltinId,
        (a, b): (Out, Out),
        to: usize,
    ) -> Eval {
        let home = at.home(node);
        let args = [self.stack.take_out(home + 1, a), self.stack.take_out(home + 2, b)];
        let value = self.apply(at, node, builtin, &args)?;
        self.store(to, || value)
    }

    #[inline(never)]
    fn builtin(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        builtin: BuiltinId,
        args: &'a [Node],
        to: usize,
    ) -> Eval {
        let start = at.home(node) + 1;
        self.put_all(at, args, start)?;
        let args = start..start + args.len();
        let mut context = builtin::Context { program: self.program, meter: &mut self.meter };
        let result = builtin::run(builtin, &mut context, self.stack.range(args.clone()));
        self.stack.clear_all(args);
        let value = result.map_err(|kind| self.fault(at, node, *kind))?;
        self.store(to, || value)
    }

    #[inline(never)]
    pub(super) fn apply(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        builtin: BuiltinId,
        args: &[Value],
    ) -> Made {
        let mut context = builtin::Context { program: self.program, meter: &mut self.meter };
        builtin::run(builtin, &mut context, args).map_err(|kind| self.fault(at, node, *kind))
    }

    /// Takes words for a value about to be made at a node.
    #[inline]
    pub(super) fn take(&mut self, at: At<'a>, node: &'a Node, words: u64) -> Result<(), Stop> {
        self.meter.take(words).map_err(|kind| self.fault(at, node, kind))
    }
}

/// What arithmetic gives on small integers; nothing when the result is not one, or there is
/// none: then the builtin says what happens.
#[inline(always)]
fn small(builtin: BuiltinId, a: i64, b: i64) -> Option<i64> {
    let int = match builtin {
        INT_ADD => a.checked_add(b),
        INT_SUB => a.checked_sub(b),
        INT_MUL => a.checked_mul(b),
        INT_DIV => a.checked_div(b),
        INT_REM => a.checked_rem(b),
        _ => None,
    };
    int.filter(|int| is_small_int(*int))
}

#[inline(always)]
fn compare(builtin: BuiltinId, a: i64, b: i64) -> Option<bool> {
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

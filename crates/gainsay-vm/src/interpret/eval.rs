//! Evaluation: the dispatch over terms, and the plain ones.

use gainsay_core::builtin::{
    EQ, GE, GT, INT_ADD, INT_DIV, INT_MUL, INT_REM, INT_SUB, LE, LT, NE, SAME,
};
use gainsay_core::{BuiltinId, FunctionId, Term, TermId, TryKind};

use super::code::{Node, Range};
use super::{At, Eval, Machine, Site, Stop};
use crate::builtin;
use crate::fault::{FaultKind, RefinedRole};
use crate::limits::{words_of_closure, words_of_fields, words_of_list};
use crate::value::{Fields, List, Value};

impl<'a> Machine<'a> {
    /// The value of a node. The arms are functions of their own, so that the frame of this
    /// one, which is on the stack once per level of nesting, stays small.
    pub(super) fn eval(&mut self, at: At<'a>, node: u32) -> Eval {
        match at.code.nodes[node as usize] {
            Node::Int(int) => Ok(Value::Int(int)),
            Node::Float(float) => Ok(Value::Float(float)),
            Node::Bool(bool) => Ok(Value::Bool(bool)),
            Node::Char(char) => Ok(Value::Char(char)),
            Node::Local(local) => Ok(self.stack[at.base + local as usize].clone()),
            Node::Shared(literal) => Ok(self.literal(literal)),
            Node::Constant(id) => self.constant(at, node, id),
            Node::Function(function) => Ok(Value::Closure(function, Fields::EMPTY)),
            Node::Closure(function, captures) => self.closure(at, node, function, captures),
            Node::Call(function, args) => self.call_known(at, node, function, args),
            Node::CallValue(callee, args) => self.call_unknown(at, node, callee, args),
            Node::Binary(builtin, a, b) => self.binary(at, node, builtin, a, b),
            Node::Builtin(builtin, args) => self.builtin(at, node, builtin, args),
            Node::Perform(op, args) => self.perform(at, node, op, args),
            Node::Tuple(items) => self.fields(at, node, items).map(Value::Tuple),
            Node::Construct(ctor, args) => {
                self.fields(at, node, args).map(|fields| Value::Data(ctor, fields))
            }
            Node::List(items) => self.list(at, node, items, None),
            Node::ListBefore(items, rest) => self.list(at, node, items, Some(rest)),
            Node::Field(base, index) => self.field(at, base, index),
            Node::If(condition, then, otherwise) => {
                let holds = self.condition(at, condition)?;
                self.eval(at, if holds { then } else { otherwise })
            }
            Node::And(a, b) => {
                if self.condition(at, a)? {
                    self.eval(at, b)
                } else {
                    Ok(Value::Bool(false))
                }
            }
            Node::Or(a, b) => {
                if self.condition(at, a)? {
                    Ok(Value::Bool(true))
                } else {
                    self.eval(at, b)
                }
            }
            Node::Match(scrutinee, arms) => {
                let body = self.arm(at, node, scrutinee, arms)?;
                self.eval(at, body)
            }
            Node::Block(statements, result) => {
                self.statements(at, statements)?;
                self.eval(at, result)
            }
            Node::Same(inner) => self.eval(at, inner),
            Node::ParResult | Node::Rare => self.rare(at, node),
        }
    }

    /// The value of a node, without a call for those that are already values.
    #[inline(always)]
    pub(super) fn operand(&mut self, at: At<'a>, node: u32) -> Eval {
        let term = at.code.nodes[node as usize];
        if let Node::Local(local) = term {
            Ok(copy(&self.stack[at.base + local as usize]))
        } else if let Node::Int(int) = term {
            Ok(Value::Int(int))
        } else if let Node::Binary(builtin, a, b) = term {
            self.binary(at, node, builtin, a, b)
        } else {
            self.eval(at, node)
        }
    }

    /// The value of small arithmetic on small integers, found without making values of its
    /// parts. Nothing when there is more to it: then it is evaluated as usual, from the
    /// start, which is harmless because nothing but arithmetic has happened. The depth is
    /// bounded so that what is looked at in vain stays little.
    #[inline(always)]
    fn quick_int(&self, at: At<'a>, node: u32, depth: u32) -> Option<i64> {
        let term = at.code.nodes[node as usize];
        if let Node::Local(local) = term {
            self.stack[at.base + local as usize].as_int()
        } else if let Node::Int(int) = term {
            Some(int)
        } else if let Node::Binary(builtin, a, b) = term
            && depth > 0
        {
            self.quick_binary(at, builtin, (a, b), depth - 1)
        } else {
            None
        }
    }

    #[inline(never)]
    fn quick_binary(
        &self,
        at: At<'a>,
        builtin: BuiltinId,
        (a, b): (u32, u32),
        depth: u32,
    ) -> Option<i64> {
        let a = self.quick_int(at, a, depth)?;
        let b = self.quick_int(at, b, depth)?;
        small_int(builtin, a, b)
    }

    #[inline]
    pub(super) fn condition(&mut self, at: At<'a>, node: u32) -> Result<bool, Stop> {
        if let Node::Binary(builtin, a, b) = at.code.nodes[node as usize]
            && let Some(a) = self.quick_int(at, a, 1)
            && let Some(b) = self.quick_int(at, b, 1)
            && let Some(holds) = small_comparison(builtin, a, b)
        {
            return Ok(holds);
        }
        if let Value::Bool(holds) = self.operand(at, node)? {
            return Ok(holds);
        }
        Err(self.fault(at, node, FaultKind::Unsupported("a condition without truth")))
    }

    /// Pushes the values of nodes in order.
    #[inline]
    pub(super) fn push_all(&mut self, at: At<'a>, nodes: Range) -> Result<(), Stop> {
        for node in nodes.of(&at.code.operands) {
            let value = self.operand(at, *node)?;
            self.stack.push(value);
        }
        Ok(())
    }

    #[inline(never)]
    fn call_known(&mut self, at: At<'a>, node: u32, function: FunctionId, args: Range) -> Eval {
        let base = self.stack.len();
        self.push_all(at, args)?;
        self.call(self.code.function(function), base, Some(Site { code: at.code, node }))
    }

    #[inline(never)]
    fn call_unknown(&mut self, at: At<'a>, node: u32, callee: u32, args: Range) -> Eval {
        let base = self.stack.len();
        let callee = self.push_callee(at, node, callee, args)?;
        self.call(callee, base, Some(Site { code: at.code, node }))
    }

    #[inline(never)]
    fn literal(&mut self, at: u32) -> Value {
        let slot = &mut self.memory.literals[at as usize];
        slot.get_or_insert_with(|| Value::literal(&self.code.literals[at as usize])).clone()
    }

    /// A builtin of two arguments. Machine-sized integers do not leave this function.
    #[inline(never)]
    fn binary(&mut self, at: At<'a>, node: u32, builtin: BuiltinId, a: u32, b: u32) -> Eval {
        if let Some(a) = self.quick_int(at, a, QUICK_DEPTH)
            && let Some(b) = self.quick_int(at, b, QUICK_DEPTH)
            && let Some(value) = small(builtin, a, b)
        {
            return Ok(value);
        }
        let a = self.operand(at, a)?;
        let b = self.operand(at, b)?;
        if let (Value::Int(a), Value::Int(b)) = (&a, &b)
            && let Some(value) = small(builtin, *a, *b)
        {
            return Ok(value);
        }
        self.apply(at, node, builtin, &[a, b])
    }

    #[inline(never)]
    fn builtin(&mut self, at: At<'a>, node: u32, builtin: BuiltinId, args: Range) -> Eval {
        let start = self.stack.len();
        self.push_all(at, args)?;
        let mut context = builtin::Context { program: self.program, meter: &mut self.meter };
        let result = builtin::run(builtin, &mut context, &self.stack[start..]);
        self.stack.truncate(start);
        result.map_err(|kind| self.fault(at, node, *kind))
    }

    #[inline(never)]
    pub(super) fn apply(
        &mut self,
        at: At<'a>,
        node: u32,
        builtin: BuiltinId,
        args: &[Value],
    ) -> Eval {
        let mut context = builtin::Context { program: self.program, meter: &mut self.meter };
        builtin::run(builtin, &mut context, args).map_err(|kind| self.fault(at, node, *kind))
    }

    /// Takes words for a value about to be made at a node.
    #[inline]
    pub(super) fn take(&mut self, at: At<'a>, node: u32, words: u64) -> Result<(), Stop> {
        self.meter.take(words).map_err(|kind| self.fault(at, node, kind))
    }

    #[inline(never)]
    fn fields(&mut self, at: At<'a>, node: u32, items: Range) -> Result<Fields, Stop> {
        self.push_all(at, items)?;
        self.take(at, node, words_of_fields(items.len() as u64))?;
        Ok(Fields::pop(&mut self.stack, items.len()))
    }

    #[inline(never)]
    fn closure(
        &mut self,
        at: At<'a>,
        node: u32,
        function: FunctionId,
        captures: Range,
    ) -> Eval {
        self.push_all(at, captures)?;
        self.take(at, node, words_of_closure(captures.len() as u64))?;
        Ok(Value::Closure(function, Fields::pop(&mut self.stack, captures.len())))
    }

    #[inline(never)]
    fn list(&mut self, at: At<'a>, node: u32, items: Range, rest: Option<u32>) -> Eval {
        let start = self.stack.len();
        self.push_all(at, items)?;
        let rest = match rest {
            None => Value::List(List::EMPTY),
            Some(rest) => self.operand(at, rest)?,
        };
        let Value::List(rest) = rest else {
            return Err(self.fault(at, node, FaultKind::Unsupported("a rest that is no list")));
        };
        self.take(at, node, words_of_list(items.len() as u64))?;
        Ok(Value::List(List::onto(self.stack.drain(start..), rest)))
    }

    #[inline(never)]
    fn field(&mut self, at: At<'a>, base: u32, index: u32) -> Eval {
        if let Node::Local(local) = at.code.nodes[base as usize] {
            let fields = self.stack[at.base + local as usize].fields();
            if let Some(value) = fields.get(index as usize) {
                return Ok(value.clone());
            }
        }
        let value = self.eval(at, base)?;
        match value.fields().get(index as usize) {
            Some(field) => Ok(field.clone()),
            None => {
                Err(self.fault(at, base, FaultKind::Unsupported("a field that is not there")))
            }
        }
    }

    /// Terms that are looked at as they stand in core.
    #[inline(never)]
    fn rare(&mut self, at: At<'a>, node: u32) -> Eval {
        let program = self.program;
        let Some(term) = program.function(at.code.id).body.terms.get(node as usize) else {
            return Err(self.fault(
                at,
                node,
                FaultKind::Unsupported("a function without a body"),
            ));
        };
        let unsupported = match term {
            Term::Update { base, fields } => return self.update(at, node, *base, fields),
            Term::Try { value, kind } => return self.try_(at, *value, *kind),
            Term::Refine { value, ty } => {
                let value = self.eval(at, value.0)?;
                let outside = self.outside(&value, *ty, Site { code: at.code, node })?;
                let Some((ty, part)) = outside else { return Ok(value) };
                let kind = FaultKind::Refinement { ty, role: RefinedRole::Part };
                return Err(self.fault_with(at, node, kind, vec![("it".to_owned(), part)]));
            }
            Term::Observe { condition, strength } => {
                return self.observe(at, node, *condition, *strength);
            }
            Term::Assume(condition) => return self.assume(at, node, *condition),
            Term::Throws { kinds, body } => return self.throws(at, node, kinds, *body),
            Term::Under { answers, body } => return self.under(at, node, answers, *body),
            Term::Par { branches, cancelling } => {
                return if *cancelling {
                    self.par_cancelling(at, node, branches)
                } else {
                    self.par(at, node, branches)
                };
            }
            Term::Traced { call } => return self.traced(at, node, *call),
            Term::Across { .. } => "`across`",
            Term::CheckRel { .. } => "a relation",
            Term::Hole => "a place where an error was reported",
            Term::Literal(_) | Term::Local(_) | Term::Constant(_) | Term::Function { .. } => "",
            Term::Closure { .. } | Term::Call { .. } | Term::CallValue { .. } => "",
            Term::Builtin { .. } | Term::Perform { .. } | Term::Tuple(_) => "",
            Term::List { .. } | Term::Construct { .. } | Term::Field { .. } => "",
            Term::If { .. } | Term::And(..) | Term::Or(..) | Term::Match { .. } => "",
            Term::Block { .. } | Term::Sample { .. } => "",
        };
        Err(self.fault(at, node, FaultKind::Unsupported(unsupported)))
    }

    fn update(
        &mut self,
        at: At<'a>,
        node: u32,
        base: TermId,
        changes: &[(u32, TermId)],
    ) -> Eval {
        let base = self.eval(at, base.0)?;
        let mut fields = base.fields().to_vec();
        for (index, value) in changes {
            let value = self.eval(at, value.0)?;
            if let Some(field) = fields.get_mut(*index as usize) {
                *field = value;
            }
        }
        self.take(at, node, words_of_fields(fields.len() as u64))?;
        Ok(match base.as_ctor() {
            Some(ctor) => Value::data(ctor, fields),
            None => Value::tuple(fields),
        })
    }

    //   v ⇓ Some(x) or Ok(x)        v ⇓ None or Err(e)
    //   ─────────────────────       ─────────────────────────────────
    //         v? ⇓ x                v? leaves the function with v
    fn try_(&mut self, at: At<'a>, value: TermId, kind: TryKind) -> Eval {
        let value = self.eval(at, value.0)?;
        let lang = &self.program.lang;
        let wanted = match kind {
            TryKind::Option => lang.some,
            TryKind::Result => lang.ok,
        };
        match value.fields() {
            [content] if value.as_ctor() == wanted => Ok(content.clone()),
            _ => {
                self.leaving = Some(value);
                Err(Stop::Leave)
            }
        }
    }
}

/// How deep arithmetic is looked into before it is evaluated in general.
const QUICK_DEPTH: u32 = 2;

/// A clone that is one comparison for what needs no counting.
#[inline(always)]
fn copy(value: &Value) -> Value {
    if let Value::Int(int) = value { Value::Int(*int) } else { value.clone() }
}

/// What arithmetic and comparison give on machine-sized integers; nothing when the result is
/// not one, or there is none.
#[inline(always)]
fn small(builtin: BuiltinId, a: i64, b: i64) -> Option<Value> {
    match small_int(builtin, a, b) {
        Some(int) => Some(Value::Int(int)),
        None => small_comparison(builtin, a, b).map(Value::Bool),
    }
}

#[inline(always)]
fn small_int(builtin: BuiltinId, a: i64, b: i64) -> Option<i64> {
    match builtin {
        INT_ADD => a.checked_add(b),
        INT_SUB => a.checked_sub(b),
        INT_MUL => a.checked_mul(b),
        INT_DIV => a.checked_div(b),
        INT_REM => a.checked_rem(b),
        _ => None,
    }
}

#[inline(always)]
fn small_comparison(builtin: BuiltinId, a: i64, b: i64) -> Option<bool> {
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

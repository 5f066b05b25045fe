//! Evaluation: the dispatch over terms, and the plain ones.

use gainsay_core::builtin::{
    EQ, GE, GT, INT_ADD, INT_DIV, INT_MUL, INT_REM, INT_SUB, LE, LT, NE, SAME,
};
use gainsay_core::{BuiltinId, FunctionId, Term, TermId, TryKind};

use super::code::{Node, Range};
use super::{At, Eval, Machine, Made, Out, Site, Stop, clear, put_copy, put_int, take};
use crate::builtin;
use crate::fault::{FaultKind, RefinedRole};
use crate::limits::{words_of_fields, words_of_list};
use crate::value::{Fields, List, Value};

impl<'a> Machine<'a> {
    /// The value of a node. The arms are functions of their own, so that the frame of this
    /// one, which is on the stack once per level of nesting, stays small.
    pub(super) fn eval(&mut self, at: At<'a>, mut node: u32, to: usize) -> Eval {
        loop {
            return match at.code.nodes[node as usize] {
                Node::Int(int) => Ok(Out::Int(int)),
                Node::Float(float) => self.store(to, || Value::Float(float)),
                Node::Bool(bool) => self.store(to, || Value::Bool(bool)),
                Node::Char(char) => self.store(to, || Value::Char(char)),
                Node::Local(slot) => self.copy(at.base + slot as usize, to),
                Node::Shared(literal) => self.literal(literal, to),
                Node::Constant(id) => self.constant(at, node, id, to),
                Node::Function(function) => {
                    self.store(to, || Value::Closure(function, Fields::EMPTY))
                }
                Node::Plain(ctor) => self.store(to, || Value::Data(ctor, Fields::EMPTY)),
                Node::Closure(function, captures) => {
                    self.closure(at, node, function, captures, to)
                }
                Node::Call(function, args) => self.call_known(at, node, function, args, to),
                Node::CallValue(callee, args) => self.call_unknown(at, node, callee, args, to),
                Node::Arithmetic(builtin, a, b) => self.arithmetic(at, node, builtin, a, b, to),
                Node::Comparison(builtin, a, b) => {
                    let holds = self.comparison(at, node, builtin, a, b)?;
                    self.store(to, || Value::Bool(holds))
                }
                Node::Builtin(builtin, args) => self.builtin(at, node, builtin, args, to),
                Node::Perform(op, args) => self.perform(at, node, op, args, to),
                Node::Tuple(items) => {
                    let fields = self.fields(at, node, items)?;
                    self.store(to, || Value::Tuple(fields))
                }
                Node::Construct(ctor, args) => {
                    let fields = self.fields(at, node, args)?;
                    self.store(to, || Value::Data(ctor, fields))
                }
                Node::List(items) => self.list(at, node, items, None, to),
                Node::Cons(item, rest) => self.cons(at, node, item, rest, to),
                Node::ListBefore(items, rest) => self.list(at, node, items, Some(rest), to),
                Node::Field(base, index) => self.field(at, node, base, index, to),
                Node::If(condition, then, otherwise) => {
                    node = if self.condition(at, condition)? { then } else { otherwise };
                    continue;
                }
                Node::And(a, b) => {
                    if self.condition(at, a)? {
                        node = b;
                        continue;
                    }
                    self.store(to, || Value::Bool(false))
                }
                Node::Or(a, b) => {
                    if !self.condition(at, a)? {
                        node = b;
                        continue;
                    }
                    self.store(to, || Value::Bool(true))
                }
                Node::Match(match_) => {
                    node = self.arm(at, node, match_)?;
                    continue;
                }
                Node::Block(statements, result) => {
                    self.statements(at, statements)?;
                    node = result;
                    continue;
                }
                Node::Same(inner) => {
                    node = inner;
                    continue;
                }
                Node::ParResult | Node::Rare => self.rare(at, node, to),
            };
        }
    }

    /// The value of a node, without a call for those that are already values.
    #[inline(always)]
    pub(super) fn operand(&mut self, at: At<'a>, node: u32, to: usize) -> Eval {
        let term = at.code.nodes[node as usize];
        if let Node::Local(slot) = term {
            self.copy(at.base + slot as usize, to)
        } else if let Node::Int(int) = term {
            Ok(Out::Int(int))
        } else if let Node::Arithmetic(builtin, a, b) = term {
            self.arithmetic(at, node, builtin, a, b, to)
        } else {
            self.eval(at, node, to)
        }
    }

    #[inline(always)]
    #[expect(clippy::unnecessary_wraps, reason = "one of many evaluations")]
    fn copy(&mut self, from: usize, to: usize) -> Eval {
        if let Value::Int(int) = self.stack[from] {
            return Ok(Out::Int(int));
        }
        if let Ok([from, to]) = self.stack.get_disjoint_mut([from, to]) {
            put_copy(to, from);
        }
        Ok(Out::Stored)
    }

    /// Evaluates a node into a slot, whatever its value is.
    #[inline(always)]
    pub(super) fn put(&mut self, at: At<'a>, node: u32, to: usize) -> Result<(), Stop> {
        if let Out::Int(int) = self.operand(at, node, to)? {
            put_int(&mut self.stack[to], int);
        }
        Ok(())
    }

    /// Evaluates nodes in order into slots side by side.
    #[inline]
    pub(super) fn put_all(&mut self, at: At<'a>, nodes: Range, to: usize) -> Result<(), Stop> {
        for (to, node) in (to..).zip(nodes.of(&at.code.operands)) {
            self.put(at, *node, to)?;
        }
        Ok(())
    }

    /// The value of a node on its own, off the stack.
    pub(super) fn value(&mut self, at: At<'a>, node: u32) -> Made {
        let to = at.home(node);
        let out = self.eval(at, node, to)?;
        Ok(self.taken(out, to))
    }

    /// What was evaluated into a slot.
    #[inline(always)]
    pub(super) fn taken(&mut self, out: Out, to: usize) -> Value {
        match out {
            Out::Int(int) => Value::Int(int),
            Out::Stored => take(&mut self.stack[to]),
        }
    }

    pub(super) fn condition(&mut self, at: At<'a>, node: u32) -> Result<bool, Stop> {
        if let Node::Comparison(builtin, a, b) = at.code.nodes[node as usize] {
            return self.comparison(at, node, builtin, a, b);
        }
        let to = at.home(node);
        if let Out::Stored = self.eval(at, node, to)?
            && let Value::Bool(holds) = self.stack[to]
        {
            return Ok(holds);
        }
        Err(self.fault(at, node, FaultKind::Unsupported("a condition without truth")))
    }

    #[inline(never)]
    fn call_known(
        &mut self,
        at: At<'a>,
        node: u32,
        function: FunctionId,
        args: Range,
        to: usize,
    ) -> Eval {
        let base = at.home(node) + 1;
        self.put_all(at, args, base)?;
        let site = Some(Site { code: at.code, node });
        let callee = self.code.function(function);
        self.check_count(callee, args.len(), site)?;
        self.call(callee, base, site, to)
    }

    #[inline(never)]
    fn call_unknown(
        &mut self,
        at: At<'a>,
        node: u32,
        callee: u32,
        args: Range,
        to: usize,
    ) -> Eval {
        let callee = self.put_callee(at, node, callee, args)?;
        self.call(callee, at.home(node) + 2, Some(Site { code: at.code, node }), to)
    }

    #[inline(never)]
    fn literal(&mut self, at: u32, to: usize) -> Eval {
        let slot = &mut self.memory.literals[at as usize];
        let literal = slot.get_or_insert_with(|| Value::literal(&self.code.literals[at as usize]));
        let value = literal.clone();
        self.store(to, || value)
    }

    /// Arithmetic of two integers. Small ones do not leave this function.
    #[inline(never)]
    fn arithmetic(
        &mut self,
        at: At<'a>,
        node: u32,
        builtin: BuiltinId,
        a: u32,
        b: u32,
        to: usize,
    ) -> Eval {
        let home = at.home(node);
        let a = self.operand(at, a, home + 1)?;
        let b = self.operand(at, b, home + 2)?;
        if let (Out::Int(a), Out::Int(b)) = (a, b)
            && let Some(int) = small(builtin, a, b)
        {
            return Ok(Out::Int(int));
        }
        self.apply_to_two(at, node, builtin, (a, b), to)
    }

    /// Whether two values compare like this.
    #[inline]
    fn comparison(
        &mut self,
        at: At<'a>,
        node: u32,
        builtin: BuiltinId,
        a: u32,
        b: u32,
    ) -> Result<bool, Stop> {
        let home = at.home(node);
        let a = self.operand(at, a, home + 1)?;
        let b = self.operand(at, b, home + 2)?;
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
        node: u32,
        builtin: BuiltinId,
        (a, b): (Out, Out),
        to: usize,
    ) -> Eval {
        let home = at.home(node);
        let args = [self.taken(a, home + 1), self.taken(b, home + 2)];
        let value = self.apply(at, node, builtin, &args)?;
        self.store(to, || value)
    }

    #[inline(never)]
    fn builtin(
        &mut self,
        at: At<'a>,
        node: u32,
        builtin: BuiltinId,
        args: Range,
        to: usize,
    ) -> Eval {
        let start = at.home(node) + 1;
        self.put_all(at, args, start)?;
        let args = start..start + args.len();
        let mut context = builtin::Context { program: self.program, meter: &mut self.meter };
        let result = builtin::run(builtin, &mut context, &self.stack[args.clone()]);
        self.clear(args);
        let value = result.map_err(|kind| self.fault(at, node, *kind))?;
        self.store(to, || value)
    }

    #[inline(never)]
    pub(super) fn apply(
        &mut self,
        at: At<'a>,
        node: u32,
        builtin: BuiltinId,
        args: &[Value],
    ) -> Made {
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
        let start = at.home(node) + 1;
        self.put_all(at, items, start)?;
        self.take(at, node, words_of_fields(items.len() as u64))?;
        Ok(Fields::taken(&mut self.stack[start..start + items.len()]))
    }

    #[inline(never)]
    fn closure(
        &mut self,
        at: At<'a>,
        node: u32,
        function: FunctionId,
        captures: Range,
        to: usize,
    ) -> Eval {
        let captures = self.fields(at, node, captures)?;
        self.store(to, || Value::Closure(function, captures))
    }

    #[inline(never)]
    fn list(
        &mut self,
        at: At<'a>,
        node: u32,
        items: Range,
        rest: Option<u32>,
        to: usize,
    ) -> Eval {
        let start = at.home(node) + 1;
        let end = start + items.len();
        self.put_all(at, items, start)?;
        let rest = match rest {
            None => List::EMPTY,
            Some(rest) => self.rest(at, node, rest, end)?,
        };
        self.take(at, node, words_of_list(items.len() as u64))?;
        let list = List::onto(self.stack[start..end].iter_mut().map(take), rest);
        self.store(to, || Value::List(list))
    }

    #[inline(never)]
    fn cons(&mut self, at: At<'a>, node: u32, item: u32, rest: u32, to: usize) -> Eval {
        let home = at.home(node);
        let item = self.operand(at, item, home + 1)?;
        let rest = self.rest(at, node, rest, home + 2)?;
        self.take(at, node, words_of_list(1))?;
        let list = match item {
            Out::Int(int) => List::cons(Value::Int(int), rest),
            Out::Stored => List::cons(take(&mut self.stack[home + 1]), rest),
        };
        self.store(to, || Value::List(list))
    }

    /// The list that a node gives.
    #[inline(always)]
    fn rest(&mut self, at: At<'a>, node: u32, rest: u32, to: usize) -> Result<List, Stop> {
        if let Out::Stored = self.operand(at, rest, to)?
            && let slot = &mut self.stack[to]
            && let Value::List(list) = slot
        {
            let list = std::mem::take(list);
            clear(slot);
            return Ok(list);
        }
        Err(self.fault(at, node, FaultKind::Unsupported("a rest that is no list")))
    }

    #[inline(never)]
    fn field(&mut self, at: At<'a>, node: u32, base: u32, index: u32, to: usize) -> Eval {
        let from = if let Node::Local(slot) = at.code.nodes[base as usize] {
            at.base + slot as usize
        } else {
            let from = at.home(node) + 1;
            self.put(at, base, from)?;
            from
        };
        let Some(value) = self.stack[from].fields().get(index as usize).cloned() else {
            let kind = FaultKind::Unsupported("a field that is not there");
            return Err(self.fault(at, base, kind));
        };
        if from > at.home(node) {
            clear(&mut self.stack[from]);
        }
        self.store(to, || value)
    }

    /// Terms that are looked at as they stand in core.
    #[inline(never)]
    fn rare(&mut self, at: At<'a>, node: u32, to: usize) -> Eval {
        let value = self.rare_value(at, node)?;
        self.store(to, || value)
    }

    fn rare_value(&mut self, at: At<'a>, node: u32) -> Made {
        let program = self.program;
        let Some(term) = program.function(at.code.id).body.terms.get(node as usize) else {
            let kind = FaultKind::Unsupported("a function without a body");
            return Err(self.fault(at, node, kind));
        };
        let unsupported = match term {
            Term::Update { base, fields } => return self.update(at, node, *base, fields),
            Term::Try { value, kind } => return self.try_(at, *value, *kind),
            Term::Refine { value, ty } => {
                let value = self.value(at, value.0)?;
                let outside = self.outside(&value, *ty, at, node)?;
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
    ) -> Made {
        let base = self.value(at, base.0)?;
        let mut fields = base.fields().to_vec();
        for (index, value) in changes {
            let value = self.value(at, value.0)?;
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
    fn try_(&mut self, at: At<'a>, value: TermId, kind: TryKind) -> Made {
        let value = self.value(at, value.0)?;
        let lang = &self.program.lang;
        let wanted = match kind {
            TryKind::Option => lang.some,
            TryKind::Result => lang.ok,
        };
        match value.fields() {
            [content] if value.as_ctor() == wanted => Ok(content.clone()),
            _ => {
                self.leaving = Some(value);
                Err(Stop)
            }
        }
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
    int.filter(|int| (SMALLEST..=-SMALLEST - 1).contains(int))
}

/// The least of the small integers, which are those of 63 bits.
const SMALLEST: i64 = -1 << 62;

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

//! Evaluation: the dispatch over terms, and the plain ones.

use gainsay_core::builtin::{
    EQ, GE, GT, INT_ADD, INT_DIV, INT_MUL, INT_REM, INT_SUB, LE, LT, NE, SAME,
};
use gainsay_core::{BuiltinId, FunctionId, Term, TermId, TryKind};

use super::code::{Kind, Node};
use super::{
    At, Eval, Machine, Made, NOTHING, Out, Site, Stop, clear, put_copy, put_int, put_moved,
    take,
};
use crate::builtin;
use crate::fault::{FaultKind, RefinedRole};
use crate::limits::{words_of_closure, words_of_fields, words_of_list};
use crate::value::{Fields, List, Value};

impl<'a> Machine<'a> {
    /// The value of a node. The arms are functions of their own, so that the frame of this
    /// one, which is on the stack once per level of nesting, stays small.
    pub(super) fn eval(&mut self, at: At<'a>, mut node: &'a Node, to: usize) -> Eval {
        loop {
            return match &node.kind {
                Kind::Int(int) => Ok(Out::Int(*int)),
                Kind::Float(float) => self.store(to, || Value::Float(*float)),
                Kind::Bool(bool) => self.store(to, || Value::Bool(*bool)),
                Kind::Char(char) => self.store(to, || Value::Char(*char)),
                Kind::Local(slot) => self.copy(at.base + *slot as usize, to),
                Kind::LastOfLocal(slot) => self.move_(at.base + *slot as usize, to),
                Kind::Shared(literal) => self.literal(*literal, to),
                Kind::Constant(id) => self.constant(at, node, *id, to),
                Kind::Function(function) => {
                    self.store(to, || Value::Closure(*function, Fields::EMPTY))
                }
                Kind::Plain(ctor) => self.store(to, || Value::Data(*ctor, Fields::EMPTY)),
                Kind::Closure(function, captures) => {
                    let words = words_of_closure(captures.len() as u64);
                    let captures = self.fields_for(at, node, captures, words)?;
                    self.store(to, || Value::Closure(*function, captures))
                }
                Kind::Call(function, args) => self.call_known(at, node, *function, args, to),
                Kind::CallValue(parts) => {
                    let callee = self.put_callee(at, node, parts)?;
                    let site = Some(Site { code: at.code, node });
                    self.call(callee, at.home(node) + 2, site, to)
                }
                Kind::Arithmetic(builtin, args) => {
                    self.arithmetic(at, node, *builtin, args, to)
                }
                Kind::Comparison(builtin, args) => {
                    let holds = self.comparison(at, node, *builtin, args)?;
                    self.store(to, || Value::Bool(holds))
                }
                Kind::Builtin(builtin, args) => self.builtin(at, node, *builtin, args, to),
                Kind::Perform(op, args) => self.perform(at, node, *op, args, to),
                Kind::Tuple(items) => {
                    let fields = self.fields(at, node, items)?;
                    self.store(to, || Value::Tuple(fields))
                }
                Kind::Construct(ctor, args) => {
                    let fields = self.fields(at, node, args)?;
                    self.store(to, || Value::Data(*ctor, fields))
                }
                Kind::List(items) => self.list(at, node, items, List::EMPTY, to),
                Kind::Cons(parts) => self.cons(at, node, parts, to),
                Kind::ListBefore(parts) => self.list_before(at, node, parts, to),
                Kind::Field(base, index) => self.field(at, base, *index, to),
                Kind::FieldOfLocal(slot, index) => {
                    self.field_of(at, node, at.base + *slot as usize, *index, to)
                }
                Kind::If(parts) => {
                    let [condition, then, otherwise] = &**parts;
                    node = if self.condition(at, condition)? { then } else { otherwise };
                    continue;
                }
                Kind::And(parts) => {
                    let [a, b] = &**parts;
                    if self.condition(at, a)? {
                        node = b;
                        continue;
                    }
                    self.store(to, || Value::Bool(false))
                }
                Kind::Or(parts) => {
                    let [a, b] = &**parts;
                    if !self.condition(at, a)? {
                        node = b;
                        continue;
                    }
                    self.store(to, || Value::Bool(true))
                }
                Kind::Match(match_) => {
                    node = self.arm(at, node, match_)?;
                    continue;
                }
                Kind::Block(statements, result) => {
                    self.statements(at, statements)?;
                    node = result;
                    continue;
                }
                Kind::ParResult(parts) | Kind::Rare(parts) => self.rare(at, node, parts, to),
            };
        }
    }

    /// The value of a node, without a call for those that are already values.
    #[inline(always)]
    pub(super) fn operand(&mut self, at: At<'a>, node: &'a Node, to: usize) -> Eval {
        if let Kind::Local(slot) = &node.kind {
            self.copy(at.base + *slot as usize, to)
        } else if let Kind::LastOfLocal(slot) = &node.kind {
            self.move_(at.base + *slot as usize, to)
        } else if let Kind::Int(int) = &node.kind {
            Ok(Out::Int(*int))
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

    #[inline(always)]
    #[expect(clippy::unnecessary_wraps, reason = "one of many evaluations")]
    fn move_(&mut self, from: usize, to: usize) -> Eval {
        if let Value::Int(int) = self.stack[from] {
            return Ok(Out::Int(int));
        }
        if let Ok([from, to]) = self.stack.get_disjoint_mut([from, to]) {
            put_moved(to, from);
        }
        Ok(Out::Stored)
    }

    /// Evaluates a node into a slot, whatever its value is.
    #[inline(always)]
    pub(super) fn put(&mut self, at: At<'a>, node: &'a Node, to: usize) -> Result<(), Stop> {
        if let Out::Int(int) = self.operand(at, node, to)? {
            put_int(&mut self.stack[to], int);
        }
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

    pub(super) fn condition(&mut self, at: At<'a>, node: &'a Node) -> Result<bool, Stop> {
        if let Kind::Comparison(builtin, args) = &node.kind {
            return self.comparison(at, node, *builtin, args);
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
        self.call(callee, base, site, to)
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
        node: &'a Node,
        builtin: BuiltinId,
        [a, b]: &'a [Node; 2],
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
        node: &'a Node,
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
        node: &'a Node,
        builtin: BuiltinId,
        args: &'a [Node],
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

    #[inline(never)]
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
        Ok(Fields::taken(&mut self.stack[start..start + items.len()]))
    }

    #[inline(never)]
    fn list(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        items: &'a [Node],
        rest: List,
        to: usize,
    ) -> Eval {
        let start = at.home(node) + 1;
        self.put_all(at, items, start)?;
        self.take(at, node, words_of_list(items.len() as u64))?;
        let items = &mut self.stack[start..start + items.len()];
        let list = List::onto(items.iter_mut().map(take), rest);
        self.store(to, || Value::List(list))
    }

    #[inline(never)]
    fn list_before(
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
        let list = List::onto(self.stack[start..end].iter_mut().map(take), rest);
        self.store(to, || Value::List(list))
    }

    #[inline(never)]
    fn cons(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        [item, rest]: &'a [Node; 2],
        to: usize,
    ) -> Eval {
        let home = at.home(node);
        let item = self.operand(at, item, home + 1)?;
        self.put(at, rest, home + 2)?;
        let rest = self.take_list(at, node, home + 2)?;
        self.take(at, node, words_of_list(1))?;
        let list = match item {
            Out::Int(int) => List::cons(Value::Int(int), rest),
            Out::Stored => List::cons(take(&mut self.stack[home + 1]), rest),
        };
        self.store(to, || Value::List(list))
    }

    /// Takes a list out of a slot.
    #[inline(always)]
    fn take_list(&mut self, at: At<'a>, node: &'a Node, from: usize) -> Result<List, Stop> {
        let slot = &mut self.stack[from];
        if let Value::List(list) = slot {
            let list = std::mem::take(list);
            std::mem::forget(std::mem::replace(slot, NOTHING));
            return Ok(list);
        }
        Err(self.fault(at, node, FaultKind::Unsupported("a rest that is no list")))
    }

    #[inline(never)]
    fn field(&mut self, at: At<'a>, base: &'a Node, index: u32, to: usize) -> Eval {
        let from = at.home(base);
        self.put(at, base, from)?;
        let out = self.field_of(at, base, from, index, to)?;
        clear(&mut self.stack[from]);
        Ok(out)
    }

    #[inline(never)]
    fn field_of(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        from: usize,
        index: u32,
        to: usize,
    ) -> Eval {
        match self.stack[from].fields().get(index as usize) {
            Some(Value::Int(int)) => Ok(Out::Int(*int)),
            Some(value) => {
                let value = value.clone();
                self.store(to, || value)
            }
            None => {
                let kind = FaultKind::Unsupported("a field that is not there");
                Err(self.fault(at, node, kind))
            }
        }
    }

    /// Terms that are looked at as they stand in core.
    #[inline(never)]
    fn rare(&mut self, at: At<'a>, node: &'a Node, parts: &'a [Node], to: usize) -> Eval {
        let value = self.rare_value(at, node, parts)?;
        self.store(to, || value)
    }

    fn rare_value(&mut self, at: At<'a>, node: &'a Node, parts: &'a [Node]) -> Made {
        let program = self.program;
        let Some(term) = program.function(at.code.id).body.terms.get(node.term as usize) else {
            let kind = FaultKind::Unsupported("a function without a body");
            return Err(self.fault(at, node, kind));
        };
        match (term, parts) {
            (Term::Update { fields, .. }, [base, values @ ..]) => {
                self.update(at, node, base, fields, values)
            }
            (Term::Try { kind, .. }, [value]) => self.try_(at, value, *kind),
            (Term::Refine { ty, .. }, [value]) => {
                let value = self.value(at, value)?;
                let outside = self.outside(&value, *ty, at, node)?;
                let Some((ty, part)) = outside else { return Ok(value) };
                let kind = FaultKind::Refinement { ty, role: RefinedRole::Part };
                Err(self.fault_with(at, node, kind, vec![("it".to_owned(), part)]))
            }
            (Term::Observe { strength, .. }, [condition]) => {
                self.observe(at, node, condition, *strength)
            }
            (Term::Assume(_), [condition]) => self.assume(at, node, condition),
            (Term::Throws { kinds, .. }, [body]) => self.throws(at, node, kinds, body),
            (Term::Under { answers, .. }, [stubs @ .., body]) => {
                self.under(at, node, answers, stubs, body)
            }
            (Term::Par { cancelling: true, .. }, _) => self.par_cancelling(at, node, parts),
            (Term::Par { .. }, _) => self.par(at, node, parts),
            (Term::Traced { call }, [part]) => self.traced(at, node, *call, part),
            _ => Err(self.fault(at, node, FaultKind::Unsupported(unsupported(term)))),
        }
    }

    fn update(
        &mut self,
        at: At<'a>,
        node: &'a Node,
        base: &'a Node,
        changes: &[(u32, TermId)],
        values: &'a [Node],
    ) -> Made {
        let base = self.value(at, base)?;
        let mut fields = base.fields().to_vec();
        for ((index, _), value) in changes.iter().zip(values) {
            let value = self.value(at, value)?;
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
    fn try_(&mut self, at: At<'a>, value: &'a Node, kind: TryKind) -> Made {
        let value = self.value(at, value)?;
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

fn unsupported(term: &Term) -> &'static str {
    match term {
        Term::Across { .. } => "`across`",
        Term::CheckRel { .. } => "a relation",
        Term::Hole => "a place where an error was reported",
        Term::Literal(_) | Term::Local(_) | Term::Constant(_) | Term::Function { .. } => "",
        Term::Closure { .. } | Term::Call { .. } | Term::CallValue { .. } => "",
        Term::Builtin { .. } | Term::Perform { .. } | Term::Tuple(_) | Term::List { .. } => "",
        Term::Construct { .. } | Term::Field { .. } | Term::Update { .. } => "",
        Term::If { .. } | Term::And(..) | Term::Or(..) | Term::Match { .. } => "",
        Term::Block { .. } | Term::Try { .. } | Term::Refine { .. } => "",
        Term::Observe { .. } | Term::Assume(_) | Term::Throws { .. } => "",
        Term::Under { .. } | Term::Par { .. } | Term::Sample { .. } | Term::Traced { .. } => "",
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

//! Evaluation of expressions on terms with unknowns.
//!
//! `want` is what the value must be, as far as that is known: it flows inward, so that alternatives
//! that cannot lead to it are not tried. What depends on an unknown becomes a goal that waits, and
//! an unknown that stands for its value.

use gainsay_core::{Comparison, CtorId, Literal, builtin};
use gainsay_vm::Value;

use super::choice::OrderItem;
use super::goals::{Alternative, Goal};
use super::heap::{Cell, Ref, Refs};
use super::{Interrupt, Run, Step};
use crate::code::{
    Arithmetic, CodeFnId, Expr, ExprId, KnownCall, ResultRange, ShapeId, ShapeKind,
};
use crate::ranges::{INFINITY, is_finite};
use crate::store::{Offset, Relation};

/// Calls nested deeper than this become goals, so that the stack is bounded.
const MAX_DEPTH: u32 = 200;

/// The size of unknowns that are not part of the answer, unless they become part of it.
pub(super) const UNSIZED: i32 = i32::MAX;

impl Run<'_, '_> {
    /// The value of an expression.
    pub(super) fn eval(&mut self, id: ExprId, env: Refs, want: Option<Ref>) -> Step<Ref> {
        let code = self.context.code;
        let value = match code.expr(id) {
            Expr::Literal(literal) => self.literal(literal),
            Expr::Local(slot) => self.it.heap.part(env, slot.index()),
            Expr::Construct(..) | Expr::Tuple(_) | Expr::List(..) | Expr::Closure(..) => {
                self.eval_aggregate(id, env)?
            }
            Expr::Field(..) | Expr::Update(..) => self.eval_aggregate(id, env)?,
            Expr::If(condition, then, otherwise) => {
                let condition = self.eval(*condition, env, None)?;
                let then = Alternative::Expr(*then);
                let otherwise = Alternative::Expr(*otherwise);
                return self.branch(id, condition, (then, otherwise), env, want);
            }
            Expr::And(a, b) => {
                if self.known_bool(want) == Some(true) {
                    // Both sides must hold, so neither has to wait for the other: the second
                    // may determine what the first depends on.
                    self.eval(*a, env, want)?;
                    return self.eval(*b, env, want);
                }
                let a = self.eval(*a, env, None)?;
                let otherwise = Alternative::Known(false);
                return self.branch(id, a, (Alternative::Expr(*b), otherwise), env, want);
            }
            Expr::Or(a, b) => {
                if self.known_bool(want) == Some(false) {
                    // The same for two sides that must not hold.
                    self.eval(*a, env, want)?;
                    return self.eval(*b, env, want);
                }
                let a = self.eval(*a, env, None)?;
                let then = Alternative::Known(true);
                return self.branch(id, a, (then, Alternative::Expr(*b)), env, want);
            }
            Expr::Not(a) => return self.negation(id, *a, env, want),
            Expr::Match(scrutinee, _) => {
                let scrutinee = self.eval(*scrutinee, env, None)?;
                return self.eval_match(id, scrutinee, env, want);
            }
            Expr::Let(matcher, value, rest) => {
                let value = self.eval(*value, env, None)?;
                self.bind_pattern(*matcher, value, env)?;
                return self.eval(*rest, env, want);
            }
            Expr::Then(first, rest) => {
                self.eval(*first, env, None)?;
                return self.eval(*rest, env, want);
            }
            Expr::Call(function, args) => {
                let args = self.eval_all(args, env)?;
                return self.call(*function, &args, want);
            }
            Expr::CallValue(callee, args) => {
                let callee = self.eval(*callee, env, None)?;
                let args = self.eval_all(args, env)?;
                return self.call_value(callee, &args, want);
            }
            Expr::Compare(comparison, a, b) => {
                let a = self.eval(*a, env, None)?;
                let b = self.eval(*b, env, None)?;
                return self.compare(*comparison, a, b, want);
            }
            Expr::Arithmetic(operator, a, b) => {
                let a = self.eval(*a, env, None)?;
                let b = self.eval(*b, env, None)?;
                self.arithmetic(*operator, a, b)?
            }
            Expr::Builtin(call) => {
                let args = self.eval_all(&call.args, env)?;
                return self.known_call(id, call, &args, want);
            }
            Expr::Collection(op, call) => {
                let args = self.eval_all(&call.args, env)?;
                return self.eval_collection((id, *op), call, &args, want);
            }
            Expr::Rel(rel, args) => {
                let args = self.eval_all(args, env)?;
                return self.eval_rel(*rel, &args, want);
            }
            Expr::Refine(value, predicate) => {
                let value = self.eval(*value, env, want)?;
                self.call(*predicate, &[value], Some(Ref::TRUE))?;
                return Ok(value);
            }
            Expr::Sample(condition, slot) => {
                // `!x` takes effect once the condition has narrowed `x`, so its item comes
                // after those that the condition has raised.
                let value = self.eval(*condition, env, want)?;
                let drawn = self.it.heap.part(env, slot.index());
                self.insert_item(OrderItem::Draw(drawn));
                return Ok(value);
            }
            // A predicate that fails does not hold: a failure is a contradiction like any
            // other.
            Expr::Fail => return Err(Interrupt::Conflict),
        };
        self.meet(value, want)
    }

    /// The value of an expression that makes a value of others, or takes one apart.
    fn eval_aggregate(&mut self, id: ExprId, env: Refs) -> Step<Ref> {
        let code = self.context.code;
        Ok(match code.expr(id) {
            Expr::Construct(ctor, args) => {
                let args = self.eval_all(args, env)?;
                let args = self.it.heap.add_refs(args);
                self.it.heap.add(Cell::Data(*ctor, args))
            }
            Expr::Tuple(parts) => {
                let parts = self.eval_all(parts, env)?;
                let parts = self.it.heap.add_refs(parts);
                self.it.heap.add(Cell::Tuple(parts))
            }
            Expr::List(items, rest) => {
                let items = self.eval_all(items, env)?;
                let mut list = match rest {
                    Some(rest) => self.eval(*rest, env, None)?,
                    None => Ref::NIL,
                };
                for item in items.into_iter().rev() {
                    list = self.it.heap.add(Cell::Cons(item, list));
                }
                list
            }
            Expr::Closure(function, captures) => {
                let captures = self.eval_all(captures, env)?;
                let captures = self.it.heap.add_refs(captures);
                self.it.heap.add(Cell::Closure(*function, captures))
            }
            Expr::Field(base, at) => {
                let base = self.eval(*base, env, None)?;
                let (Cell::Tuple(parts) | Cell::Data(_, parts)) = self.it.heap.cell(base)
                else {
                    return self.cut();
                };
                self.it.heap.part(parts, *at as usize)
            }
            Expr::Update(base, fields) => {
                let base = self.eval(*base, env, None)?;
                let Cell::Data(ctor, parts) = self.it.heap.cell(base) else {
                    return self.cut();
                };
                let mut updated: Vec<Ref> =
                    (0..parts.len as usize).map(|it| self.it.heap.part(parts, it)).collect();
                for (at, value) in fields {
                    updated[*at as usize] = self.eval(*value, env, None)?;
                }
                let parts = self.it.heap.add_refs(updated);
                self.it.heap.add(Cell::Data(ctor, parts))
            }
            _ => return self.cut(),
        })
    }

    /// A value that must be what is wanted.
    pub(super) fn meet(&mut self, value: Ref, want: Option<Ref>) -> Step<Ref> {
        if let Some(want) = want {
            self.unify(value, want)?;
        }
        Ok(value)
    }

    /// Gives up on an alternative that the machine does not understand.
    pub(super) fn cut<T>(&mut self) -> Step<T> {
        self.it.was_cut = true;
        Err(Interrupt::Conflict)
    }

    fn eval_all(&mut self, ids: &[ExprId], env: Refs) -> Step<Vec<Ref>> {
        ids.iter().map(|it| self.eval(*it, env, None)).collect()
    }

    pub(super) fn known_bool(&self, it: Option<Ref>) -> Option<bool> {
        if let Cell::Bool(it) = self.it.heap.cell(it?) { Some(it) } else { None }
    }

    pub(super) fn literal(&mut self, literal: &Literal) -> Ref {
        match literal {
            Literal::Int(int) if is_finite(*int) => self.it.heap.int(*int),
            Literal::Bool(it) => Ref::from(*it),
            Literal::Char(it) => self.it.heap.int(i64::from(u32::from(*it))),
            Literal::Int(_) | Literal::Big(_) | Literal::Float(_) | Literal::Str(_) => {
                self.it.heap.opaque(Value::literal(literal))
            }
        }
    }

    /// What stands for the value of an expression that has to wait.
    pub(super) fn result(&mut self, id: ExprId, want: Option<Ref>) -> Step<Ref> {
        let code = self.context.code;
        let result = match (want, code.expr_shapes[id.index()]) {
            (Some(want), _) => want,
            (None, Some(shape)) => self.fresh_result(shape)?,
            (None, None) => return self.cut(),
        };
        self.constrain(result, code.expr_range(id))?;
        Ok(result)
    }

    /// An unknown for the value of a call. That it satisfies its refinement is checked elsewhere.
    fn fresh_result(&mut self, mut shape: ShapeId) -> Step<Ref> {
        while let ShapeKind::Refined(base, _) = &self.context.code.shape(shape).kind {
            shape = *base;
        }
        self.fresh(shape, UNSIZED)
    }

    fn negation(&mut self, id: ExprId, a: ExprId, env: Refs, want: Option<Ref>) -> Step<Ref> {
        if let Some(want) = self.known_bool(want) {
            self.eval(a, env, Some(Ref::from(!want)))?;
            return Ok(Ref::from(want));
        }
        let a = self.eval(a, env, None)?;
        if let Some(a) = self.known_bool(Some(a)) {
            return self.meet(Ref::from(!a), want);
        }
        let result = self.result(id, want)?;
        self.suspend(Goal::Not { a, result })?;
        Ok(result)
    }

    fn branch(
        &mut self,
        id: ExprId,
        condition: Ref,
        (then, otherwise): (Alternative, Alternative),
        env: Refs,
        want: Option<Ref>,
    ) -> Step<Ref> {
        if let Some(holds) = self.known_bool(Some(condition)) {
            let taken = if holds { then } else { otherwise };
            return self.eval_alternative(taken, env, want);
        }
        let result = self.result(id, want)?;
        self.suspend(Goal::Branch { condition, then, otherwise, env, result })?;
        Ok(result)
    }

    pub(super) fn eval_alternative(
        &mut self,
        it: Alternative,
        env: Refs,
        want: Option<Ref>,
    ) -> Step<Ref> {
        match it {
            Alternative::Known(it) => self.meet(Ref::from(it), want),
            Alternative::Expr(it) => self.eval(it, env, want),
        }
    }

    /// A call, with what is known of its result.
    pub(super) fn call(
        &mut self,
        function: CodeFnId,
        args: &[Ref],
        want: Option<Ref>,
    ) -> Step<Ref> {
        self.step()?;
        let code = self.context.code;
        let definition = code.function(function);
        let env = self.frame(definition.n_slots, args);
        if self.it.depth >= MAX_DEPTH {
            let result = match want {
                Some(want) => want,
                None => self.fresh_result(definition.result)?,
            };
            self.constrain(result, &definition.result_range)?;
            // The call continues from the loop over ready goals, where the stack is shallow.
            let goal = self.add_goal(Goal::Enter { function, env, result });
            self.it.ready.push(goal);
            return Ok(result);
        }
        self.it.depth += 1;
        let result = self.enter(function, env, want);
        self.it.depth -= 1;
        result
    }

    /// Runs a function in its frame.
    pub(super) fn enter(
        &mut self,
        function: CodeFnId,
        env: Refs,
        want: Option<Ref>,
    ) -> Step<Ref> {
        let code = self.context.code;
        let definition = code.function(function);
        for condition in &definition.requires {
            self.eval(*condition, env, Some(Ref::TRUE))?;
        }
        // Contracts are conditions like all others here: a call that violates one is a dead
        // end, and what it requires narrows the arguments.
        let result = self.eval(definition.body, env, want)?;
        self.constrain(result, &definition.result_range)?;
        for (slot, condition) in &definition.ensures {
            if let Some(slot) = slot {
                self.it.heap.refs[env.start as usize + slot.index()] = result;
            }
            self.eval(*condition, env, Some(Ref::TRUE))?;
        }
        Ok(result)
    }

    fn call_value(&mut self, callee: Ref, args: &[Ref], want: Option<Ref>) -> Step<Ref> {
        let Cell::Closure(function, captures) = self.it.heap.cell(callee) else {
            return self.cut();
        };
        let captured = (0..captures.len as usize).map(|it| self.it.heap.part(captures, it));
        let args: Vec<Ref> = captured.chain(args.iter().copied()).collect();
        self.call(function, &args, want)
    }

    /// Applies what is known of a result before its call has ended.
    fn constrain(&mut self, result: Ref, range: &ResultRange) -> Step<()> {
        match range {
            ResultRange::Never => Err(Interrupt::Conflict),
            ResultRange::Any => Ok(()),
            ResultRange::Int(lo, hi) => match self.it.heap.cell(result) {
                Cell::Var(var) => Ok(self.it.store.within(var, *lo, *hi)?),
                Cell::Int(int) if int < *lo || int > *hi => Err(Interrupt::Conflict),
                _ => Ok(()),
            },
            ResultRange::NonEmpty => match self.it.heap.cell(result) {
                Cell::Unknown(id) => {
                    let at = self.it.heap.deref(result);
                    self.exclude_tags(at, id, 1)
                }
                Cell::Nil => Err(Interrupt::Conflict),
                _ => Ok(()),
            },
            ResultRange::Tuple(ranges) => {
                if let Cell::Tuple(parts) = self.it.heap.cell(result) {
                    for (at, range) in ranges.iter().enumerate() {
                        let part = self.it.heap.part(parts, at);
                        self.constrain(part, range)?;
                    }
                }
                Ok(())
            }
            ResultRange::Data(ctors) => self.constrain_data(result, ctors),
        }
    }

    /// The same for one of several constructors.
    fn constrain_data(
        &mut self,
        result: Ref,
        ctors: &[(CtorId, Box<[ResultRange]>)],
    ) -> Step<()> {
        match self.it.heap.cell(result) {
            Cell::Data(found, parts) => {
                let Some((_, fields)) = ctors.iter().find(|it| it.0 == found) else {
                    return Err(Interrupt::Conflict);
                };
                for (at, range) in fields.iter().enumerate() {
                    let part = self.it.heap.part(parts, at);
                    self.constrain(part, range)?;
                }
                Ok(())
            }
            Cell::Unknown(id) => {
                let shape = self.it.heap.unknown(id).shape;
                let ShapeKind::Sum(all) = &self.context.code.shape(shape).kind else {
                    return Ok(());
                };
                let is_excluded = |it: &CtorId| !ctors.iter().any(|known| known.0 == *it);
                let tags = all.iter().take(64).enumerate();
                let excluded = tags.filter(|(_, it)| is_excluded(&it.ctor));
                let mask = excluded.fold(0, |mask, (at, _)| mask | 1 << at);
                let at = self.it.heap.deref(result);
                self.exclude_tags(at, id, mask)
            }
            _ => Ok(()),
        }
    }

    /// An integer as an unknown of the store plus a constant.
    pub(super) fn offset(&mut self, it: Ref) -> Option<Offset> {
        match self.it.heap.cell(it) {
            Cell::Var(offset) => {
                self.it.store.set_used(offset.var);
                Some(offset)
            }
            Cell::Int(int) => Some(Offset { var: self.it.store.fresh(int, int), plus: 0 }),
            _ => None,
        }
    }

    /// The integer, if it is known.
    pub(super) fn known_int(&self, it: Ref) -> Option<i64> {
        match self.it.heap.cell(it) {
            Cell::Int(int) => Some(int),
            Cell::Var(offset) => self.it.store.value(offset.var).map(|it| it + offset.plus),
            _ => None,
        }
    }

    pub(super) fn arithmetic(&mut self, operator: Arithmetic, a: Ref, b: Ref) -> Step<Ref> {
        let (x, y) = (self.known_int(a), self.known_int(b));
        if let (Some(x), Some(y)) = (x, y) {
            let result = match operator {
                Arithmetic::Add => x.checked_add(y),
                Arithmetic::Sub => x.checked_sub(y),
                Arithmetic::Mul => x.checked_mul(y),
                Arithmetic::Div if y == 0 => return Err(Interrupt::Conflict),
                Arithmetic::Rem if y == 0 => return Err(Interrupt::Conflict),
                Arithmetic::Div => x.checked_div(y),
                Arithmetic::Rem => x.checked_rem(y),
            };
            return match result.filter(|it| is_finite(*it)) {
                Some(result) => Ok(self.it.heap.int(result)),
                None => self.large_arithmetic(operator, a, b),
            };
        }
        let is_large = |it| matches!(self.it.heap.cell(it), Cell::Opaque(_));
        if is_large(a) || is_large(b) {
            return self.large_arithmetic(operator, a, b);
        }
        let (Some(a), Some(b)) = (self.offset(a), self.offset(b)) else { return self.cut() };
        let store = &mut self.it.store;
        let shifted = |it: Offset, by: i64| it.plus.checked_add(by);
        match (operator, x, y) {
            (Arithmetic::Add, Some(x), None) => self.shifted(b, shifted(b, x)),
            (Arithmetic::Add, None, Some(y)) => self.shifted(a, shifted(a, y)),
            (Arithmetic::Sub, None, Some(y)) => self.shifted(a, shifted(a, -y)),
            (Arithmetic::Add, ..) => {
                let z = store.fresh(-INFINITY, INFINITY);
                store.relate(Relation::Sum(a.var, b.var, a.plus + b.plus, z))?;
                Ok(self.var(z))
            }
            (Arithmetic::Sub, ..) => {
                // a - b == z is b + z == a.
                let z = store.fresh(-INFINITY, INFINITY);
                store.relate(Relation::Sum(b.var, z, b.plus - a.plus, a.var))?;
                Ok(self.var(z))
            }
            (Arithmetic::Mul, Some(k), None) => self.scaled(k, b),
            (Arithmetic::Mul, None, Some(k)) => self.scaled(k, a),
            (Arithmetic::Mul, ..) => {
                let (a, b) = (self.plain(a)?, self.plain(b)?);
                let z = self.it.store.fresh_computed();
                self.it.store.relate(Relation::Product(a, b, z))?;
                Ok(self.var(z))
            }
            (Arithmetic::Div | Arithmetic::Rem, _, Some(0)) => Err(Interrupt::Conflict),
            (Arithmetic::Div, _, Some(k)) => {
                let a = self.plain(a)?;
                let z = self.it.store.fresh_computed();
                self.it.store.relate(Relation::Quotient(a, k, z))?;
                Ok(self.var(z))
            }
            (Arithmetic::Rem, _, Some(k)) => {
                let a = self.plain(a)?;
                let z = self.it.store.fresh_computed();
                self.it.store.relate(Relation::Remainder(a, k, z))?;
                Ok(self.var(z))
            }
            (Arithmetic::Div | Arithmetic::Rem, ..) => {
                // A division by zero fails, so wherever the division is reached, the divisor
                // is something else.
                self.it.store.exclude(b, 0)?;
                let (a, b) = (self.plain(a)?, self.plain(b)?);
                let z = self.it.store.fresh_computed();
                self.it.store.relate(match operator {
                    Arithmetic::Div => Relation::Division(a, b, z),
                    _ => Relation::Modulus(a, b, z),
                })?;
                Ok(self.var(z))
            }
        }
    }

    /// Arithmetic on known integers that the store does not count with.
    fn large_arithmetic(&mut self, operator: Arithmetic, a: Ref, b: Ref) -> Step<Ref> {
        let (Some(a), Some(b)) = (self.known_integer(a), self.known_integer(b)) else {
            return self.cut();
        };
        let called = match operator {
            Arithmetic::Add => builtin::INT_ADD,
            Arithmetic::Sub => builtin::INT_SUB,
            Arithmetic::Mul => builtin::INT_MUL,
            Arithmetic::Div => builtin::INT_DIV,
            Arithmetic::Rem => builtin::INT_REM,
        };
        match gainsay_vm::run_builtin(self.context.program, called, &[a, b]) {
            Some(value) => Ok(self.import(&value)),
            None => Err(Interrupt::Conflict),
        }
    }

    fn shifted(&mut self, it: Offset, plus: Option<i64>) -> Step<Ref> {
        match plus.filter(|it| is_finite(*it)) {
            Some(plus) => Ok(self.it.heap.add(Cell::Var(Offset { plus, ..it }))),
            None => self.cut(),
        }
    }

    fn scaled(&mut self, k: i64, it: Offset) -> Step<Ref> {
        let Some(plus) = k.checked_mul(it.plus) else { return self.cut() };
        if k == 0 {
            return Ok(self.it.heap.int(0));
        }
        let y = self.it.store.fresh(-INFINITY, INFINITY);
        self.it.store.relate(Relation::Scale(k, it.var, plus, y))?;
        Ok(self.var(y))
    }

    /// An unknown that is equal to an unknown plus a constant.
    fn plain(&mut self, it: Offset) -> Step<crate::store::VarId> {
        if it.plus == 0 {
            return Ok(it.var);
        }
        let var = self.it.store.fresh(-INFINITY, INFINITY);
        self.it.store.equate(it, Offset { var, plus: 0 })?;
        Ok(var)
    }

    pub(super) fn var(&mut self, var: crate::store::VarId) -> Ref {
        self.it.heap.add(Cell::Var(Offset { var, plus: 0 }))
    }

    /// A comparison. Equality is on all types, order on integers.
    pub(super) fn compare(
        &mut self,
        comparison: Comparison,
        a: Ref,
        b: Ref,
        want: Option<Ref>,
    ) -> Step<Ref> {
        if let Some(holds) = self.decide(comparison, a, b)? {
            return self.meet(Ref::from(holds), want);
        }
        if let Some(holds) = self.known_bool(want) {
            let required = if holds { comparison } else { comparison.negated() };
            self.require(required, a, b)?;
            return Ok(Ref::from(holds));
        }
        let result = match want {
            Some(want) => want,
            None => {
                let shape = self.bool_shape();
                self.fresh(shape, 0)?
            }
        };
        self.suspend(Goal::Compare { comparison, a, b, result })?;
        Ok(result)
    }

    /// The shape of booleans.
    fn bool_shape(&self) -> ShapeId {
        self.context.code.bool_shape
    }

    fn known_call(
        &mut self,
        id: ExprId,
        call: &KnownCall,
        args: &[Ref],
        want: Option<Ref>,
    ) -> Step<Ref> {
        if self.are_ground(args)? {
            let value = self.run_builtin(call, args)?;
            return self.meet(value, want);
        }
        // Models run only while something is unknown: on known arguments, the builtin itself
        // is exact and cheaper.
        if let Some(model) = call.model {
            return self.call(model, args, want);
        }
        let result = self.result(id, want)?;
        let args = self.it.heap.add_refs(args.iter().copied());
        self.suspend(Goal::Test { call: id, args, result })?;
        Ok(result)
    }

    pub(super) fn are_ground(&mut self, args: &[Ref]) -> Step<bool> {
        for arg in args {
            if !self.is_ground(*arg)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Runs a builtin on known arguments.
    pub(super) fn run_builtin(&mut self, call: &KnownCall, args: &[Ref]) -> Step<Ref> {
        let values = args.iter().zip(&call.arg_shapes);
        let values = values.map(|(it, shape)| self.export(*it, *shape));
        let values = values.collect::<Step<Vec<Value>>>()?;
        match gainsay_vm::run_builtin(self.context.program, call.builtin, &values) {
            Some(value) => Ok(self.import(&value)),
            None => Err(Interrupt::Conflict),
        }
    }
}

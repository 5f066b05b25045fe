//! Evaluation of code on terms with unknowns: without choices, and as far as it gets.

use std::rc::Rc;

use gainsay_core::{Comparison, Literal};

use super::state::RuleState;
use super::term::{Locals, Sym, SymTerm};
use super::{BundleDeriver, NotDerived};
use crate::code::{
    Arithmetic, CodeFnId, Expr, ExprId, Matcher, MatcherId, ShapeId, ShapeKind, SlotId,
};

/// Calls inside calls; code that nests them deeper on known constructors is not followed.
const MAX_DEPTH: u32 = 120;

/// The locals of a body under evaluation.
#[derive(Debug, Clone, Default)]
pub(super) struct SymFrame(Vec<(SlotId, Sym)>);

impl SymFrame {
    pub(super) fn of_args(args: &[Sym]) -> Self {
        SymFrame((0..).map(SlotId).zip(args.iter().cloned()).collect())
    }

    fn get(&self, slot: SlotId) -> Option<&Sym> {
        self.0.iter().rev().find(|it| it.0 == slot).map(|it| &it.1)
    }

    fn with(&self, bound: Vec<(SlotId, Sym)>) -> Self {
        let mut frame = self.clone();
        frame.0.extend(bound);
        frame
    }
}

/// Whether a pattern matches a term.
pub(super) enum PatternFit {
    Yes,
    No,
    /// It depends on this part of the term.
    Open(Sym),
}

impl BundleDeriver<'_> {
    /// The value of an expression.
    pub(super) fn eval(
        &mut self,
        state: &RuleState,
        id: ExprId,
        frame: &SymFrame,
    ) -> Result<Sym, NotDerived> {
        self.spend_step()?;
        let code = self.code;
        Ok(match code.expr(id) {
            Expr::Literal(Literal::Int(int)) => Rc::new(SymTerm::Int(*int)),
            Expr::Literal(Literal::Bool(bool)) => Rc::new(SymTerm::Bool(*bool)),
            Expr::Literal(_) => return Err(NotDerived::OpaqueValue),
            Expr::Local(slot) => frame.get(*slot).cloned().ok_or(NotDerived::NotUnderstood)?,
            Expr::Construct(ctor, parts) => {
                Rc::new(SymTerm::Data(*ctor, self.eval_all(state, parts, frame)?))
            }
            Expr::Tuple(parts) => Rc::new(SymTerm::Tuple(self.eval_all(state, parts, frame)?)),
            Expr::Closure(function, captures) => {
                Rc::new(SymTerm::Closure(*function, self.eval_all(state, captures, frame)?))
            }
            Expr::List(items, rest) => {
                let items = self.eval_all(state, items, frame)?;
                let mut list = match rest {
                    Some(rest) => self.eval(state, *rest, frame)?,
                    None => Rc::new(SymTerm::Nil),
                };
                for item in items.iter().rev() {
                    list = Rc::new(SymTerm::Cons(Rc::clone(item), list));
                }
                list
            }
            Expr::Field(base, at) => {
                let base = self.eval(state, *base, frame)?;
                self.field(state, &base, *at)?
            }
            Expr::If(condition, ..) | Expr::And(condition, _) | Expr::Or(condition, _) => {
                let condition = self.eval(state, *condition, frame)?;
                self.branch(state, id, &condition, frame)?
            }
            Expr::Not(a) => {
                let a = self.eval(state, *a, frame)?;
                negated(&self.force(state, &a)?)
            }
            Expr::Match(scrutinee, _) => {
                let scrutinee = self.eval(state, *scrutinee, frame)?;
                self.select(state, id, &scrutinee, frame)?
            }
            Expr::Let(matcher, value, rest) => {
                let value = self.eval(state, *value, frame)?;
                match code.matcher(*matcher) {
                    Matcher::Bind(slot) => {
                        self.eval(state, *rest, &frame.with(vec![(*slot, value)]))?
                    }
                    _ => self.select(state, id, &value, frame)?,
                }
            }
            Expr::Then(_, rest) => self.eval(state, *rest, frame)?,
            Expr::Call(function, args) => {
                let args = self.eval_all(state, args, frame)?;
                self.call(state, *function, &args)?
            }
            Expr::CallValue(callee, args) => {
                let callee = self.eval(state, *callee, frame)?;
                let args = self.eval_all(state, args, frame)?;
                self.call_value(state, &callee, &args)?
            }
            Expr::Compare(op, a, b) => {
                let (a, b) = (self.eval(state, *a, frame)?, self.eval(state, *b, frame)?);
                self.compare(state, *op, &a, &b)?
            }
            Expr::Arithmetic(op, a, b) => {
                let (a, b) = (self.eval(state, *a, frame)?, self.eval(state, *b, frame)?);
                self.calculate(state, *op, &a, &b)?
            }
            Expr::Builtin(call) => {
                // Builtins are evaluated through their models in the language itself, which
                // the derivation can look into.
                let model = call.model.ok_or(NotDerived::OpaqueValue)?;
                let args = self.eval_all(state, &call.args, frame)?;
                self.call(state, model, &args)?
            }
            Expr::Rel(rel, args) => {
                let args = self.eval_all(state, args, frame)?;
                Rc::new(SymTerm::Rel(*rel, args.iter().cloned().map(Some).collect()))
            }
            Expr::Sample(..) => return Err(NotDerived::OrderedDraw),
            Expr::Collection(..) => return Err(NotDerived::OpaqueValue),
            Expr::Update(..) => return Err(NotDerived::NotUnderstood),
            // Goals are put off and reordered here, which is right only for code that always
            // has a value.
            Expr::Refine(..) | Expr::Fail => return Err(NotDerived::MayFail),
        })
    }

    fn eval_all(
        &mut self,
        state: &RuleState,
        ids: &[ExprId],
        frame: &SymFrame,
    ) -> Result<Box<[Sym]>, NotDerived> {
        ids.iter().map(|it| self.eval(state, *it, frame)).collect()
    }

    /// A call of a known function value.
    pub(super) fn call_value(
        &mut self,
        state: &RuleState,
        callee: &Sym,
        args: &[Sym],
    ) -> Result<Sym, NotDerived> {
        let callee = self.force(state, callee)?;
        let SymTerm::Closure(function, captures) = &*callee else {
            return Err(NotDerived::NotUnderstood);
        };
        let all: Vec<Sym> = captures.iter().chain(args).cloned().collect();
        self.call(state, *function, &all)
    }

    /// A call, evaluated if that resolves more than its first branch.
    pub(super) fn call(
        &mut self,
        state: &RuleState,
        function: CodeFnId,
        args: &[Sym],
    ) -> Result<Sym, NotDerived> {
        let value = self.inlined(state, function, args)?;
        let is_stuck_at_once = match &*value {
            SymTerm::If(id, ..) | SymTerm::Match(id, ..) => self.is_first_branch(function, *id),
            _ => false,
        };
        // A call that says no more than its body is kept as a call, because equal calls are
        // equal terms: bundles are found again, and recursion closes.
        if is_stuck_at_once {
            return Ok(Rc::new(SymTerm::Call(function, args.into())));
        }
        Ok(value)
    }

    /// The body of a function, evaluated on arguments.
    pub(super) fn inlined(
        &mut self,
        state: &RuleState,
        function: CodeFnId,
        args: &[Sym],
    ) -> Result<Sym, NotDerived> {
        let definition = self.code.function(function);
        if self.depth >= MAX_DEPTH {
            return Err(NotDerived::TooLarge);
        }
        self.depth += 1;
        let value = self.eval(state, definition.body, &SymFrame::of_args(args));
        self.depth -= 1;
        value
    }

    /// Whether a branch is the first thing that a function does.
    fn is_first_branch(&self, function: CodeFnId, branch: ExprId) -> bool {
        let mut at = self.code.function(function).body;
        loop {
            if at == branch {
                return true;
            }
            match self.code.expr(at) {
                Expr::Let(_, _, rest) | Expr::Then(_, rest) => at = *rest,
                _ => return false,
            }
        }
    }

    /// A branch on a condition.
    fn branch(
        &mut self,
        state: &RuleState,
        id: ExprId,
        condition: &Sym,
        frame: &SymFrame,
    ) -> Result<Sym, NotDerived> {
        let condition = self.force(state, condition)?;
        if let SymTerm::Bool(holds) = *condition {
            return self.taken(state, (id, holds), frame);
        }
        let locals = self.kept_locals(id, frame);
        Ok(Rc::new(SymTerm::If(id, condition, locals)))
    }

    /// The value of a branch whose condition is decided.
    fn taken(
        &mut self,
        state: &RuleState,
        (id, holds): (ExprId, bool),
        frame: &SymFrame,
    ) -> Result<Sym, NotDerived> {
        match (self.code.expr(id), holds) {
            (Expr::If(_, then, _), true) => self.eval(state, *then, frame),
            (Expr::If(_, _, otherwise), false) => self.eval(state, *otherwise, frame),
            (Expr::And(_, b), true) | (Expr::Or(_, b), false) => self.eval(state, *b, frame),
            (_, holds) => Ok(Rc::new(SymTerm::Bool(holds))),
        }
    }

    /// The value that a suspended branch would have.
    pub(super) fn if_taken(
        &mut self,
        state: &RuleState,
        (id, holds): (ExprId, bool),
        locals: &Locals,
    ) -> Result<Sym, NotDerived> {
        self.taken(state, (id, holds), &SymFrame(locals.to_vec()))
    }

    /// The arms of a match, or of a `let` with a pattern.
    pub(super) fn arms(&self, id: ExprId) -> Vec<(MatcherId, ExprId)> {
        match self.code.expr(id) {
            Expr::Match(_, arms) => arms.iter().map(|arm| (arm.matcher, arm.body)).collect(),
            Expr::Let(matcher, _, rest) => vec![(*matcher, *rest)],
            _ => Vec::new(),
        }
    }

    /// The value of the arm that matches.
    fn select(
        &mut self,
        state: &RuleState,
        id: ExprId,
        scrutinee: &Sym,
        frame: &SymFrame,
    ) -> Result<Sym, NotDerived> {
        for (matcher, body) in self.arms(id) {
            let mut bound = Vec::new();
            match self.fit(state, matcher, scrutinee, &mut bound)? {
                PatternFit::Yes => return self.eval(state, body, &frame.with(bound)),
                PatternFit::No => {}
                PatternFit::Open(_) => {
                    let locals = self.kept_locals(id, frame);
                    let scrutinee = self.force(state, scrutinee)?;
                    return Ok(Rc::new(SymTerm::Match(id, scrutinee, locals)));
                }
            }
        }
        Err(NotDerived::NotUnderstood)
    }

    /// What decides the first arm of a suspended match that is open.
    pub(super) fn blocker(
        &mut self,
        state: &RuleState,
        id: ExprId,
        scrutinee: &Sym,
    ) -> Result<Sym, NotDerived> {
        for (matcher, _) in self.arms(id) {
            match self.fit(state, matcher, scrutinee, &mut Vec::new())? {
                PatternFit::Open(blocker) => return Ok(blocker),
                PatternFit::Yes => break,
                PatternFit::No => {}
            }
        }
        Err(NotDerived::NotUnderstood)
    }

    /// Whether a pattern matches a term; adds what it binds.
    fn fit(
        &mut self,
        state: &RuleState,
        matcher: MatcherId,
        term: &Sym,
        bound: &mut Vec<(SlotId, Sym)>,
    ) -> Result<PatternFit, NotDerived> {
        let code = self.code;
        match code.matcher(matcher) {
            Matcher::Any => return Ok(PatternFit::Yes),
            Matcher::Bind(slot) => {
                bound.push((*slot, Rc::clone(term)));
                return Ok(PatternFit::Yes);
            }
            Matcher::Or(parts) => {
                let mut open = PatternFit::No;
                for part in parts {
                    match self.fit(state, *part, term, bound)? {
                        PatternFit::Yes => return Ok(PatternFit::Yes),
                        PatternFit::No => {}
                        PatternFit::Open(it) => {
                            if !matches!(open, PatternFit::Open(_)) {
                                open = PatternFit::Open(it);
                            }
                        }
                    }
                }
                return Ok(open);
            }
            _ => {}
        }
        let term = self.force(state, term)?;
        Ok(match (code.matcher(matcher), &*term) {
            (Matcher::Literal(Literal::Int(int)), SymTerm::Int(it)) => (it == int).into(),
            (Matcher::Literal(Literal::Bool(bool)), SymTerm::Bool(it)) => (it == bool).into(),
            (Matcher::Literal(Literal::Int(int)), SymTerm::Var(var))
                if state.is_excluded(*var, *int) =>
            {
                PatternFit::No
            }
            (Matcher::Literal(Literal::Int(_) | Literal::Bool(_)), _) => PatternFit::Open(term),
            (Matcher::Literal(_), _) => return Err(NotDerived::OpaqueValue),
            (Matcher::Tuple(matchers), SymTerm::Tuple(parts)) => {
                self.fit_parts(state, matchers, parts, bound)?
            }
            (Matcher::Ctor(ctor, matchers), SymTerm::Data(found, parts)) => {
                if ctor == found {
                    self.fit_parts(state, matchers, parts, bound)?
                } else {
                    PatternFit::No
                }
            }
            (Matcher::List(items, rest), _) => {
                self.fit_list(state, (items, *rest), &term, bound)?
            }
            _ => PatternFit::Open(term),
        })
    }

    fn fit_parts(
        &mut self,
        state: &RuleState,
        matchers: &[MatcherId],
        parts: &[Sym],
        bound: &mut Vec<(SlotId, Sym)>,
    ) -> Result<PatternFit, NotDerived> {
        let mut fit = PatternFit::Yes;
        for (matcher, part) in matchers.iter().zip(parts) {
            fit = fit.and(self.fit(state, *matcher, part, bound)?);
            if matches!(fit, PatternFit::No) {
                break;
            }
        }
        Ok(fit)
    }

    fn fit_list(
        &mut self,
        state: &RuleState,
        (items, rest): (&[MatcherId], Option<MatcherId>),
        list: &Sym,
        bound: &mut Vec<(SlotId, Sym)>,
    ) -> Result<PatternFit, NotDerived> {
        let mut fit = PatternFit::Yes;
        let mut list = Rc::clone(list);
        for item in items {
            match &*self.force(state, &list)? {
                SymTerm::Nil => return Ok(PatternFit::No),
                SymTerm::Cons(first, others) => {
                    fit = fit.and(self.fit(state, *item, first, bound)?);
                    list = Rc::clone(others);
                }
                _ => return Ok(fit.and(PatternFit::Open(list))),
            }
        }
        let rest = match rest {
            Some(rest) => self.fit(state, rest, &list, bound)?,
            None => match &*self.force(state, &list)? {
                SymTerm::Nil => PatternFit::Yes,
                SymTerm::Cons(..) => PatternFit::No,
                _ => PatternFit::Open(list),
            },
        };
        Ok(fit.and(rest))
    }

    /// The value of a term, as far as it is determined.
    pub(super) fn force(&mut self, state: &RuleState, term: &Sym) -> Result<Sym, NotDerived> {
        let term = state.resolve(term);
        Ok(match &*term {
            SymTerm::Arithmetic(op, a, b) => self.calculate(state, *op, a, b)?,
            SymTerm::Compare(op, a, b) => self.compare(state, *op, a, b)?,
            SymTerm::Not(a) => negated(&self.force(state, a)?),
            SymTerm::If(id, condition, locals) => {
                self.branch(state, *id, condition, &SymFrame(locals.to_vec()))?
            }
            SymTerm::Match(id, scrutinee, locals) => {
                self.select(state, *id, scrutinee, &SymFrame(locals.to_vec()))?
            }
            SymTerm::Call(function, args) => self.call(state, *function, args)?,
            SymTerm::Field(base, at) => {
                let field = self.field(state, base, *at)?;
                if matches!(&*field, SymTerm::Field(..)) {
                    field
                } else {
                    self.force(state, &field)?
                }
            }
            _ => term,
        })
    }

    /// A field of a product.
    fn field(&mut self, state: &RuleState, base: &Sym, at: u32) -> Result<Sym, NotDerived> {
        let base = self.force(state, base)?;
        match &*base {
            SymTerm::Tuple(parts) | SymTerm::Data(_, parts) => {
                parts.get(at as usize).cloned().ok_or(NotDerived::NotUnderstood)
            }
            _ if base.is_suspended() => Ok(Rc::new(SymTerm::Field(base, at))),
            _ => Err(NotDerived::NotUnderstood),
        }
    }

    fn compare(
        &mut self,
        state: &RuleState,
        op: Comparison,
        a: &Sym,
        b: &Sym,
    ) -> Result<Sym, NotDerived> {
        let (a, b) = (self.force(state, a)?, self.force(state, b)?);
        Ok(Rc::new(match (&*a, &*b, op) {
            (SymTerm::Int(a), SymTerm::Int(b), _) => SymTerm::Bool(op.holds(a, b)),
            (SymTerm::Bool(a), SymTerm::Bool(b), Comparison::Eq) => SymTerm::Bool(a == b),
            (SymTerm::Bool(a), SymTerm::Bool(b), Comparison::Ne) => SymTerm::Bool(a != b),
            _ => SymTerm::Compare(op, a, b),
        }))
    }

    fn calculate(
        &mut self,
        state: &RuleState,
        op: Arithmetic,
        a: &Sym,
        b: &Sym,
    ) -> Result<Sym, NotDerived> {
        let (a, b) = (self.force(state, a)?, self.force(state, b)?);
        let (SymTerm::Int(x), SymTerm::Int(y)) = (&*a, &*b) else {
            return Ok(Rc::new(SymTerm::Arithmetic(op, a, b)));
        };
        let result = match op {
            Arithmetic::Add => x.checked_add(*y),
            Arithmetic::Sub => x.checked_sub(*y),
            Arithmetic::Mul => x.checked_mul(*y),
            Arithmetic::Div | Arithmetic::Rem => None,
        };
        result.map(|it| Rc::new(SymTerm::Int(it))).ok_or(NotDerived::Arithmetic)
    }

    /// The locals that a suspended branch still needs.
    fn kept_locals(&mut self, id: ExprId, frame: &SymFrame) -> Locals {
        // Locals that are no longer needed would make equal terms look different.
        let needed = self.free_slots(id);
        let kept = needed.iter().filter_map(|slot| Some((*slot, Rc::clone(frame.get(*slot)?))));
        kept.collect()
    }

    /// The slots that the branches of an expression mention, in order. Those that it binds itself
    /// are not in the frame yet.
    fn free_slots(&mut self, id: ExprId) -> Rc<[SlotId]> {
        if let Some(cached) = self.free_slots.get(&id) {
            return Rc::clone(cached);
        }
        let mut slots = Vec::new();
        let mut pending: Vec<ExprId> = match self.code.expr(id) {
            Expr::If(_, a, b) => vec![*a, *b],
            Expr::And(_, b) | Expr::Or(_, b) => vec![*b],
            _ => self.arms(id).into_iter().map(|it| it.1).collect(),
        };
        while let Some(next) = pending.pop() {
            if let Expr::Local(slot) = self.code.expr(next) {
                slots.push(*slot);
            }
            self.code.expr(next).each_part(&mut |part| pending.push(part));
        }
        slots.sort_unstable();
        slots.dedup();
        let slots: Rc<[SlotId]> = slots.into();
        self.free_slots.insert(id, Rc::clone(&slots));
        slots
    }

    /// The shape of a suspended term.
    pub(super) fn shape_of(&self, term: &SymTerm) -> Result<ShapeId, NotDerived> {
        let shape = match term {
            SymTerm::Call(function, _) => Some(self.code.function(*function).result),
            SymTerm::If(id, ..) | SymTerm::Match(id, ..) => self.code.expr_shapes[id.index()],
            SymTerm::Compare(..) | SymTerm::Not(_) | SymTerm::Rel(..) => {
                Some(self.code.bool_shape)
            }
            SymTerm::Field(base, at) => match &self.code.shape(self.shape_of(base)?).kind {
                ShapeKind::Tuple(parts) => parts.get(*at as usize).copied(),
                ShapeKind::Sum(ctors) => {
                    ctors.first().and_then(|it| it.fields.get(*at as usize).copied())
                }
                _ => None,
            },
            _ => None,
        };
        shape.map(|it| self.base_shape(it)).ok_or(NotDerived::NotUnderstood)
    }
}

fn negated(term: &Sym) -> Sym {
    Rc::new(match &**term {
        SymTerm::Bool(it) => SymTerm::Bool(!it),
        SymTerm::Not(it) => return Rc::clone(it),
        _ => SymTerm::Not(Rc::clone(term)),
    })
}

impl From<bool> for PatternFit {
    fn from(fits: bool) -> Self {
        if fits { PatternFit::Yes } else { PatternFit::No }
    }
}

impl PatternFit {
    fn and(self, other: PatternFit) -> PatternFit {
        match (self, other) {
            (PatternFit::No, _) | (_, PatternFit::No) => PatternFit::No,
            (PatternFit::Yes, other) => other,
            (open, _) => open,
        }
    }
}

//! Generates the declared functions of a program: first their signatures, so that they can call
//! each other, then their bodies and contracts.
//!
//! A function only calls functions that are planned later, so that calls terminate. In addition a
//! group of functions may call each other as long as there is fuel, their first parameter.

use gainsay_core::builtin::{EQ, INT_ADD, INT_SUB, LE, SAME};
use gainsay_core::{
    Arm, Clause, FunctionId, FunctionKind, Literal, LocalId, Pattern, Statement, Term, TermId,
    Ty, TyId, TypeTable,
};
use num_bigint::BigInt;

use super::program_generator::{
    AllowedEffects, BoundedRecursion, ClaimStatements, FunctionHead, ProgramGenerator,
};

/// A declared function, as its callers see it.
#[derive(Debug, Clone)]
pub(super) struct FunctionPlan {
    pub(super) id: FunctionId,
    pub(super) n_type_params: u32,
    pub(super) params: Vec<TyId>,
    pub(super) result: TyId,
    pub(super) level: AllowedEffects,
    /// The group of mutually recursive functions it belongs to.
    pub(super) group: Option<RecursionGroup>,
}

/// A group of mutually recursive functions.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) struct RecursionGroup {
    pub(super) id: u32,
    /// The number of recursive calls per body: with one, a lot of fuel does no harm.
    pub(super) n_calls: u32,
}

impl ProgramGenerator {
    /// Plans from here on are pure and use no constants, so that constants may use them.
    pub(super) fn first_plain(&self) -> usize {
        self.plans.len() * 2 / 3
    }

    /// Plans functions, as many as requested or one more.
    pub(super) fn plan(&mut self, n_functions: u64) {
        let n_functions = n_functions as usize;
        while self.plans.len() < n_functions {
            let is_plain = self.plans.len() >= n_functions * 2 / 3;
            let level = match self.chance.below(20) {
                _ if is_plain => AllowedEffects::Pure,
                0..=7 => AllowedEffects::Pure,
                8..=10 => AllowedEffects::Open,
                _ => AllowedEffects::All,
            };
            let n_type_params = self.chance.weighted(&[(70, 0), (22, 1), (8, 2)]).unwrap_or(0);
            let result = self.some_ty_over(n_type_params);
            let group = self.chance.percent(35).then(|| RecursionGroup {
                id: self.plans.len() as u32,
                n_calls: if self.chance.percent(70) { 1 } else { 2 },
            });
            let size = 1 + usize::from(group.is_some() && self.chance.percent(35));
            for _ in 0..size {
                let params = self.params(n_type_params, level, group);
                let id = self.reserve();
                if group.is_none() && n_type_params == 0 && self.chance.percent(70) {
                    // Its type becomes a favourite, so that the function is used as a value.
                    let (params, row) = (params.clone().into(), self.row(level));
                    let ty = self.ty(Ty::Function { params, result, row });
                    self.favourites.push(ty);
                }
                self.plans.push(FunctionPlan {
                    id,
                    n_type_params,
                    params,
                    result,
                    level,
                    group,
                });
            }
        }
    }

    fn params(
        &mut self,
        n_type_params: u32,
        level: AllowedEffects,
        group: Option<RecursionGroup>,
    ) -> Vec<TyId> {
        let mut params = Vec::new();
        params.extend(group.map(|_| TypeTable::INT));
        for at in 0..n_type_params {
            params.push(self.ty(Ty::Param(at)));
        }
        if level == AllowedEffects::Open {
            let given: Box<[TyId]> =
                (0..self.chance.below(3)).map(|_| self.some_ty_over(n_type_params)).collect();
            let result = self.some_ty_over(n_type_params);
            let row = self.open_row;
            params.push(self.ty(Ty::Function { params: given, result, row }));
        }
        for _ in 0..self.chance.below(4) {
            params.push(self.some_ty_over(n_type_params));
        }
        params
    }

    /// Generates the planned functions, each with its share of the term budget.
    pub(super) fn make_planned(&mut self, terms_each: i64) {
        for at in 0..self.plans.len() {
            self.terms_left = terms_each;
            let plan = self.plans[at].clone();
            let is_plain = at >= self.first_plain();
            let params = plan.params.iter().enumerate();
            let head = FunctionHead {
                name: format!("f{at}"),
                kind: FunctionKind::Declared,
                n_type_params: plan.n_type_params,
                n_captures: 0,
                params: params.map(|(at, ty)| (format!("a{at}"), *ty)).collect(),
                result: plan.result,
                level: plan.level,
                voice: ClaimStatements::Allowed,
                first_callee: self.after_group(at),
                n_constants: if is_plain { 0 } else { self.program.constants.len() },
            };
            self.define(plan.id, head, |maker| {
                maker.contract(plan.result);
                maker.planned_body(&plan)
            });
        }
    }

    /// The first plan after the group of a plan.
    fn after_group(&self, at: usize) -> usize {
        let group = self.plans[at].group;
        let later = &self.plans[at + 1..];
        let n_group = later.iter().take_while(|it| it.group == group && group.is_some());
        at + 1 + n_group.count()
    }

    fn planned_body(&mut self, plan: &FunctionPlan) -> TermId {
        let depth = 3 + self.chance.below(5) as u32;
        let Some(group) = plan.group else {
            return if self.chance.percent(60) {
                self.block(plan.result, depth - 1)
            } else {
                self.term(plan.result, depth)
            };
        };
        // `plan` makes the fuel the first parameter of every function in a group.
        let fuel = LocalId(0);
        if self.chance.percent(70) {
            let left = self.local_term(fuel);
            let condition = self.comparison(LE, left, BigInt::from(0));
            let then = self.term(plan.result, depth - 1);
            let otherwise = self.recursive_step(plan, group, depth - 1);
            return self.add(Term::If { condition, then, otherwise }, plan.result);
        }
        // The same as a match: `0 => .., n if n <= 0 => .., _ => ..`.
        let scrutinee = self.local_term(fuel);
        let zero = self.literal_arm(Literal::Int(0), plan.result);
        let n = self.add_local(TypeTable::INT);
        let below = self.draft_mut().body.add_pattern(Pattern::Bind(n));
        let left = self.local_term(n);
        let guard = self.comparison(LE, left, BigInt::from(0));
        let body = self.term(plan.result, depth - 1);
        let below = Arm { pattern: below, weight: None, guard: Some(guard), body };
        let pattern = self.draft_mut().body.add_pattern(Pattern::Wildcard);
        let body = self.recursive_step(plan, group, depth - 1);
        let step = Arm { pattern, weight: None, guard: None, body };
        let arms = Box::new([zero, below, step]);
        self.add(Term::Match { scrutinee, arms }, plan.result)
    }

    fn literal_arm(&mut self, literal: Literal, ty: TyId) -> Arm {
        let pattern = self.draft_mut().body.add_pattern(Pattern::Literal(literal));
        let body = self.term(ty, 1);
        Arm { pattern, weight: None, guard: None, body }
    }

    fn recursive_step(
        &mut self,
        plan: &FunctionPlan,
        group: RecursionGroup,
        depth: u32,
    ) -> TermId {
        let recursion =
            BoundedRecursion { fuel: LocalId(0), group: group.id, n_left: group.n_calls };
        self.draft_mut().recursion = Some(recursion);
        let step = match self.chance.below(10) {
            0..=3 => self.recursive_call(plan.result, depth),
            4..=7 => self.recursive_call(plan.result, depth).map(|call| {
                let local = self.add_local(plan.result);
                let pattern = self.draft_mut().body.add_pattern(Pattern::Bind(local));
                self.draft_mut().scope.push(local);
                let result = self.term(plan.result, depth);
                self.draft_mut().scope.pop();
                let statements = Box::new([Statement::Let(pattern, call)]);
                self.add(Term::Block { statements, result }, plan.result)
            }),
            _ => None,
        };
        let step = step.unwrap_or_else(|| self.term(plan.result, depth));
        self.draft_mut().recursion = None;
        step
    }

    /// A call of a function of the current group, with one less fuel.
    pub(super) fn recursive_call(&mut self, ty: TyId, depth: u32) -> Option<TermId> {
        let draft = self.draft_mut();
        let recursion = draft.recursion.as_mut().filter(|it| it.n_left > 0)?;
        recursion.n_left -= 1;
        let (fuel, group, level) = (recursion.fuel, recursion.group, draft.level);
        let members = self.plans.iter().filter(|it| {
            it.group.is_some_and(|it| it.id == group) && it.result == ty && it.level == level
        });
        let members: Vec<FunctionPlan> = members.cloned().collect();
        let at = self.chance.below(members.len() as u64) as usize;
        let callee = members.get(at)?;
        let left = self.local_term(fuel);
        let one = self.int_term(BigInt::from(1));
        let mut args = vec![self.builtin_term(INT_SUB, &[left, one], TypeTable::INT)];
        for param in callee.params.iter().skip(1) {
            args.push(self.term(*param, depth.min(2)));
        }
        let type_args = (0..callee.n_type_params).map(|at| self.ty(Ty::Param(at))).collect();
        let function = callee.id;
        Some(self.add(Term::Call { function, type_args, args: args.into() }, callee.result))
    }

    /// The fuel that a call from outside a group passes.
    pub(super) fn fuel(&mut self, group: RecursionGroup) -> i64 {
        match self.chance.below(20) {
            0..=15 => self.chance.between(-1, 4),
            16..=18 if group.n_calls == 1 => self.chance.between(5, 40),
            _ if group.n_calls == 1 => self.chance.between(40, 400),
            _ => self.chance.between(4, 6),
        }
    }

    /// Sometimes contract clauses; most of them hold.
    fn contract(&mut self, result: TyId) {
        let draft = self.draft_mut();
        draft.may_leave = false;
        let voice = std::mem::replace(&mut draft.voice, ClaimStatements::Forbidden);
        let level = std::mem::replace(&mut draft.level, AllowedEffects::Pure);
        if self.chance.percent(15) {
            let scope = self.draft().scope.clone();
            let about = self.chance.pick(&scope);
            let term = self.clause(about);
            let span = self.place();
            self.draft_mut().requires.push(Clause { term, result: None, span });
        }
        if self.chance.percent(15) {
            let local = self.chance.percent(80).then(|| self.add_local(result));
            self.draft_mut().scope.extend(local);
            let term = self.clause(local);
            if local.is_some() {
                self.draft_mut().scope.pop();
            }
            let span = self.place();
            self.draft_mut().ensures.push(Clause { term, result: local, span });
        }
        let draft = self.draft_mut();
        draft.voice = voice;
        draft.level = level;
        draft.may_leave = true;
    }

    /// A condition that holds for a local, or any condition.
    fn clause(&mut self, about: Option<LocalId>) -> TermId {
        if let Some(local) = about
            && self.chance.percent(88)
        {
            let ty = self.draft().body.local(local).ty;
            if self.is_first_order(ty) {
                let (lhs, rhs) = (self.local_term(local), self.local_term(local));
                let type_args = Box::new([ty]);
                let args = Box::new([lhs, rhs]);
                let builtin = if self.chance.percent(80) { SAME } else { EQ };
                return self.add(Term::Builtin { builtin, type_args, args }, TypeTable::BOOL);
            }
        }
        self.term(TypeTable::BOOL, 2)
    }

    /// A function that recurses as deep as its argument says, for tens of thousands of calls.
    pub(super) fn deep_function(&mut self) {
        let ints = self.ty(Ty::List(TypeTable::INT));
        let forms = [TypeTable::INT, TypeTable::BOOL, ints];
        let result = self.chance.pick(&forms).unwrap_or(TypeTable::INT);
        let group = Some(RecursionGroup { id: self.plans.len() as u32, n_calls: 1 });
        let (level, params) = (AllowedEffects::Pure, vec![TypeTable::INT]);
        let ids = [self.reserve(), self.reserve()];
        for at in 0..2 {
            let head = FunctionHead {
                name: format!("deep_{at}"),
                kind: FunctionKind::Declared,
                n_type_params: 0,
                n_captures: 0,
                params: vec![("n".to_owned(), TypeTable::INT)],
                result,
                level,
                voice: ClaimStatements::Allowed,
                first_callee: usize::MAX,
                n_constants: 0,
            };
            self.define(ids[at], head, |maker| maker.deep_body(ids[1 - at], result));
        }
        let plan = FunctionPlan { id: ids[0], n_type_params: 0, params, result, level, group };
        self.plans.push(plan);
    }

    fn deep_body(&mut self, next: FunctionId, result: TyId) -> TermId {
        let n = self.local_term(LocalId(0));
        let condition = self.comparison(LE, n, BigInt::from(0));
        let then = self.leaf(result);
        let n = self.local_term(LocalId(0));
        let one = self.int_term(BigInt::from(1));
        let less = self.builtin_term(INT_SUB, &[n, one], TypeTable::INT);
        let (type_args, args) = (Box::default(), Box::new([less]));
        let call = self.add(Term::Call { function: next, type_args, args }, result);
        let otherwise = match result {
            _ if self.chance.percent(25) => call,
            TypeTable::INT => {
                let n = self.local_term(LocalId(0));
                self.builtin_term(INT_ADD, &[n, call], result)
            }
            TypeTable::BOOL => {
                self.builtin_term(gainsay_core::builtin::BOOL_NOT, &[call], result)
            }
            _ => {
                let n = self.local_term(LocalId(0));
                self.add(Term::List { items: Box::new([n]), rest: Some(call) }, result)
            }
        };
        self.add(Term::If { condition, then, otherwise }, result)
    }
}

//! Generates calls of builtins, declared functions and function values; functions as values.

use gainsay_core::builtin::{
    CHAR_FROM_CODE, COMPARE, EQ, FAIL, FLOAT_FROM_BITS, FLOAT_PARSE, GE, GT, INT_ADD, INT_DIV,
    INT_MUL, INT_NEG, INT_PARSE, INT_POW, INT_REM, INT_SHL, INT_SHR, INT_SUB, LE, LIST_AT,
    LIST_DROP, LIST_RANGE, LIST_TAKE, LT, NE, SAME, STR_REPEAT, STR_SLICE,
};
use gainsay_core::{BuiltinId, Term, TermId, Ty, TyId, TypeTable, builtin};
use num_bigint::BigInt;

use super::function_plan::FunctionPlan;
use super::prelude::{BuiltinSignature, PRELUDE};
use super::program_generator::{AllowedEffects, ProgramGenerator};

impl ProgramGenerator {
    /// A call of a builtin with this result type.
    pub(super) fn builtin(&mut self, ty: TyId, depth: u32) -> Option<TermId> {
        let mut fitting: Vec<(u32, usize)> = Vec::new();
        for (at, signature) in PRELUDE.signatures.iter().enumerate() {
            if self.binds(signature.result, ty, &mut [None; 2]) {
                fitting.push((weight(signature.builtin), at));
            }
        }
        if fitting.iter().map(|(weight, _)| weight).sum::<u32>() <= 1 && self.chance.percent(80)
        {
            return None;
        }
        let signature: &BuiltinSignature =
            &PRELUDE.signatures[self.chance.weighted(&fitting)?];
        let mut bound = vec![None; signature.n_type_params];
        self.binds(signature.result, ty, &mut bound);
        let id = signature.builtin;
        let type_args: Box<[TyId]> = bound
            .into_iter()
            .map(|bound| bound.unwrap_or_else(|| self.comparable_ty_here()))
            .collect();
        if builtin::get(id).first_order
            && let Some(first) = type_args.first()
            && !self.is_first_order(*first)
        {
            return None;
        }
        if id == LIST_RANGE {
            let args = self.range_ends();
            return Some(self.builtin_term(id, &args, ty));
        }
        let mut args = Vec::with_capacity(signature.params.len());
        for (at, param) in signature.params.iter().enumerate() {
            let param = self.program.types.instantiate(*param, &type_args);
            let hinted =
                if self.chance.percent(90) { self.hinted(id, at, param) } else { None };
            args.push(hinted.unwrap_or_else(|| self.term(param, depth)));
        }
        Some(self.add(Term::Builtin { builtin: id, type_args, args: args.into() }, ty))
    }

    /// A plausible argument, where random ones would almost always be rejected.
    fn hinted(&mut self, id: BuiltinId, at: usize, ty: TyId) -> Option<TermId> {
        let int = match (id, at) {
            (INT_DIV | INT_REM, 1) => {
                let divisors = [1, 2, 3, 7, -1, -2, 1 << 62, i64::MIN, 0];
                BigInt::from(self.chance.pick(&divisors)?)
            }
            (INT_POW, 1) => BigInt::from(self.chance.between(0, 9)),
            (INT_SHL | INT_SHR, 1) => {
                let middle = self.chance.pick(&[1, 8, 31, 62, 64]).unwrap_or(1);
                BigInt::from(middle + self.chance.between(-1, 1))
            }
            (LIST_AT, 1) => BigInt::from(self.chance.below(2)),
            (LIST_TAKE | LIST_DROP, 1) | (STR_SLICE, 1 | 2) => {
                BigInt::from(self.chance.between(-1, 5))
            }
            (STR_REPEAT, 1) => BigInt::from(self.chance.below(5)),
            (CHAR_FROM_CODE, 0) => BigInt::from(self.chance.below(0x11_1000)),
            (FLOAT_FROM_BITS, 0) => BigInt::from(self.chance.float().to_bits()),
            (LIST_AT, 0) => return self.filled_list(ty),
            (INT_PARSE | FLOAT_PARSE, 0) => {
                let texts = ["12", "-7", "9223372036854775808", "4611686018427387904", "1e3"];
                let text = self.chance.pick(&texts)?;
                return Some(self.text_term(text));
            }
            _ => return None,
        };
        Some(self.int_term(int))
    }

    /// The ends of a short range.
    fn range_ends(&mut self) -> [TermId; 2] {
        let bases = [0, 0, 0, (1 << 62) - 2, i64::MAX - 2];
        let base = BigInt::from(self.chance.pick(&bases).unwrap_or(0));
        let start = self.chance.between(-2, 1);
        let len = self.chance.between(-1, 6);
        [start, start + len].map(|end| self.int_term(&base + end))
    }

    /// A list of two or three elements.
    fn filled_list(&mut self, ty: TyId) -> Option<TermId> {
        let Ty::List(item) = *self.program.types.get(ty) else { return None };
        let items = (0..2 + self.chance.below(2)).map(|_| self.leaf(item)).collect();
        Some(self.add(Term::List { items, rest: None }, ty))
    }

    /// Whether a type over parameters can be instantiated to another one, and how.
    fn binds(&self, over: TyId, wanted: TyId, bound: &mut [Option<TyId>]) -> bool {
        let types = &self.program.types;
        if over == wanted && !types.flags(over).has_param() {
            return true;
        }
        let pairs: Vec<(TyId, TyId)> = match (types.get(over), types.get(wanted)) {
            (Ty::Param(at), _) => {
                return match bound.get_mut(*at as usize) {
                    Some(slot) => *slot.get_or_insert(wanted) == wanted,
                    None => false,
                };
            }
            (Ty::List(a), Ty::List(b)) | (Ty::Set(a), Ty::Set(b)) => vec![(*a, *b)],
            (Ty::Map(a, c), Ty::Map(b, d)) => vec![(*a, *b), (*c, *d)],
            (Ty::Tuple(a), Ty::Tuple(b)) if a.len() == b.len() => zipped(a, b),
            (Ty::Named(a, a_args), Ty::Named(b, b_args)) if a == b => zipped(a_args, b_args),
            _ => return false,
        };
        pairs.into_iter().all(|(over, wanted)| self.binds(over, wanted, bound))
    }

    /// The declared functions that may be called here with this result type, with their type
    /// arguments.
    fn callees(&self, ty: TyId) -> Vec<(usize, Vec<Option<TyId>>)> {
        let mut found = Vec::new();
        let first = self.draft().first_callee.min(self.plans.len());
        for (at, plan) in self.plans.iter().enumerate().skip(first) {
            let mut bound = vec![None; plan.n_type_params as usize];
            let may_call = plan.level == AllowedEffects::Open || self.may_call(plan.level);
            if may_call && self.binds(plan.result, ty, &mut bound) {
                found.push((at, bound));
            }
        }
        found
    }

    pub(super) fn call(&mut self, ty: TyId, depth: u32) -> Option<TermId> {
        let callees = self.callees(ty);
        let at = self.chance.below(callees.len() as u64) as usize;
        let (at, bound) = callees.into_iter().nth(at)?;
        let plan = self.plans[at].clone();
        let type_args: Box<[TyId]> = bound
            .into_iter()
            .map(|bound| bound.unwrap_or_else(|| self.comparable_ty_here()))
            .collect();
        if !type_args.iter().all(|it| self.is_first_order(*it)) {
            return None;
        }
        let params = self.params_here(&plan, &type_args);
        let args = self.args(&plan, &params, depth);
        let function = plan.id;
        Some(self.add(Term::Call { function, type_args, args }, ty))
    }

    /// The parameters of a function as it is called here: its function arguments may perform what
    /// is allowed here.
    fn params_here(&mut self, plan: &FunctionPlan, type_args: &[TyId]) -> Vec<TyId> {
        let here = self.row(self.draft().level);
        let types = &mut self.program.types;
        let mut params = Vec::new();
        for param in &plan.params {
            let instance = types.instantiate(*param, type_args);
            let mut here_too = instance;
            if let Ty::Function { params, result, row } = types.get(instance).clone()
                && row == self.open_row
            {
                here_too = types.intern(Ty::Function { params, result, row: here });
            }
            params.push(here_too);
        }
        params
    }

    fn args(&mut self, plan: &FunctionPlan, params: &[TyId], depth: u32) -> Box<[TermId]> {
        let mut args = Vec::with_capacity(params.len());
        for (at, param) in params.iter().enumerate() {
            args.push(match plan.group {
                Some(group) if at == 0 => {
                    let fuel = self.fuel(group);
                    self.int_term(BigInt::from(fuel))
                }
                Some(_) | None => self.term(*param, depth),
            });
        }
        args.into()
    }

    /// A call of a function value: of a local, or of a closure generated for it.
    pub(super) fn call_value(&mut self, ty: TyId, depth: u32) -> TermId {
        let mut locals = Vec::new();
        for local in self.draft().scope.clone() {
            let local_ty = self.program.types.get(self.draft().body.local(local).ty);
            if let Ty::Function { result, row, .. } = local_ty
                && *result == ty
                && self.may_call(self.level(*row))
            {
                locals.push(local);
            }
        }
        let callee = match self.chance.pick(&locals) {
            Some(local) => self.local_term(local),
            None => {
                let params: Box<[TyId]> =
                    (0..self.chance.below(3)).map(|_| self.ty_here()).collect();
                let level = self.draft().level;
                let row = self.row(level);
                let callee = self.ty(Ty::Function { params, result: ty, row });
                self.term(callee, depth)
            }
        };
        let callee_ty = self.draft().body.ty(callee);
        let Ty::Function { params, .. } = self.program.types.get(callee_ty).clone() else {
            return self.leaf(ty);
        };
        let args = params.iter().map(|param| self.term(*param, depth)).collect();
        self.add(Term::CallValue { callee, args }, ty)
    }

    /// A declared function of this type, as a value.
    pub(super) fn function_value(&mut self, ty: TyId) -> Option<TermId> {
        let Ty::Function { params, result, row } = self.program.types.get(ty).clone() else {
            return None;
        };
        let level = self.level(row);
        let first = self.draft().first_callee.min(self.plans.len());
        let mut found = Vec::new();
        for (at, plan) in self.plans.iter().enumerate().skip(first) {
            let mut bound = vec![None; plan.n_type_params as usize];
            let fits = plan.params.len() == params.len()
                && (plan.level == AllowedEffects::Pure || plan.level == level)
                && plan.group.is_none()
                && self.binds(plan.result, result, &mut bound)
                && plan
                    .params
                    .iter()
                    .zip(&params)
                    .all(|(over, wanted)| self.binds(*over, *wanted, &mut bound));
            if fits {
                found.push((at, bound));
            }
        }
        let at = self.chance.below(found.len() as u64) as usize;
        let (at, bound) = found.into_iter().nth(at)?;
        let function = self.plans[at].id;
        let type_args = bound.into_iter().map(|it| it.unwrap_or(TypeTable::INT)).collect();
        Some(self.add(Term::Function { function, type_args }, ty))
    }
}

/// The weight of a builtin: arithmetic has fast paths, which is where engines disagree.
fn weight(id: BuiltinId) -> u32 {
    match id {
        FAIL => 0,
        LIST_AT => 1,
        EQ | LT | LE | INT_ADD | INT_SUB | INT_MUL => 12,
        NE | GT | GE | SAME | COMPARE | INT_DIV | INT_REM | INT_NEG => 6,
        _ => 2,
    }
}

fn zipped(a: &[TyId], b: &[TyId]) -> Vec<(TyId, TyId)> {
    a.iter().copied().zip(b.iter().copied()).collect()
}

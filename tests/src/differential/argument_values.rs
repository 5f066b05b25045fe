//! Generates values by type: arguments of calls, and answers of the host.

use gainsay_core::{CtorId, FunctionId, FunctionKind, OpId, Ty, TyId, TypeTable};
use gainsay_vm::{Fields, Value, ValueTable};

use super::declarations::RefinementWitness;
use super::program_generator::{
    AllowedEffects, ClaimStatements, FunctionHead, ProgramGenerator,
};
use super::test_program::HostAnswers;

/// The term budget of a function that is passed in from outside.
const TERMS_OF_GIVEN: i64 = 12;

impl ProgramGenerator {
    /// A value of a type without type parameters.
    pub(super) fn value(&mut self, ty: TyId, depth: u32) -> Value {
        if let Some(literal) = self.chance.literal(ty) {
            return Value::literal(&literal);
        }
        let inner = depth.saturating_sub(1);
        match self.program.types.get(ty).clone() {
            Ty::Tuple(parts) => {
                Value::tuple(parts.iter().map(|it| self.value(*it, inner)).collect())
            }
            Ty::List(item) => Value::list(self.values(item, depth)),
            Ty::Set(item) => Value::Set(ValueTable::from_items(self.values(item, depth))),
            Ty::Map(key, value) => {
                let keys = self.values(key, depth);
                let entries: Vec<(Value, Value)> =
                    keys.into_iter().map(|key| (key, self.value(value, inner))).collect();
                Value::Map(ValueTable::from_entries(entries))
            }
            Ty::Named(name, args) => {
                let ctor = self.some_ctor(name, depth);
                self.data(ctor, &args, inner)
            }
            Ty::Function { .. } => self.given(ty),
            Ty::Refined { base, .. } => self.refined_value(ty, base, depth),
            Ty::Int | Ty::Float | Ty::Bool | Ty::Char | Ty::Str => Value::UNIT,
            Ty::Param(_) | Ty::Var(_) | Ty::Error => Value::UNIT,
        }
    }

    fn values(&mut self, ty: TyId, depth: u32) -> Vec<Value> {
        let count = if depth == 0 { 0 } else { self.chance.below(5) };
        (0..count).map(|_| self.value(ty, depth - 1)).collect()
    }

    fn data(&mut self, ctor: CtorId, args: &[TyId], depth: u32) -> Value {
        let fields = self.field_types(ctor, args);
        Value::data(ctor, fields.iter().map(|field| self.value(*field, depth)).collect())
    }

    /// A value of a refined type; most of them satisfy the predicate.
    fn refined_value(&mut self, ty: TyId, base: TyId, depth: u32) -> Value {
        let refinement = self.refinements.iter().find(|it| it.ty == ty).copied();
        let Some(refinement) = refinement.filter(|_| self.chance.percent(92)) else {
            return self.value(base, depth);
        };
        match refinement.witness {
            RefinementWitness::Ints { low, high, step } => {
                Value::Int(low + self.chance.between(0, (high - low) / step) * step)
            }
            RefinementWitness::Texts(least) => {
                Value::str("é".repeat((least + self.chance.below(3)) as usize))
            }
            RefinementWitness::Lists(item) => {
                let count = 1 + self.chance.below(3);
                let items: Vec<Value> = (0..count).map(|_| self.value(item, 1)).collect();
                Value::list(items)
            }
            RefinementWitness::Pairs => {
                let low = self.chance.between(-5, 5);
                let high = low + self.chance.between(0, 5);
                Value::tuple(vec![Value::Int(low), Value::Int(high)])
            }
        }
    }

    /// A function value: of a function generated for it, or an earlier one, with fresh captures.
    fn given(&mut self, ty: TyId) -> Value {
        let candidates = self.givens.iter().filter(|(given, _)| *given == ty);
        let candidates: Vec<FunctionId> = candidates.map(|(_, id)| *id).collect();
        let function = match self.chance.pick(&candidates) {
            Some(id) if candidates.len() > 2 || self.chance.percent(60) => id,
            Some(_) | None => self.make_given(ty),
        };
        let made = self.functions[function.index()].as_ref();
        let made = made.expect("a given function is made before it is given");
        let n_captures = made.n_captures as usize;
        let tys: Vec<TyId> = made.params.iter().take(n_captures).map(|it| it.ty).collect();
        let captures = tys.iter().map(|ty| self.value(*ty, 1)).collect();
        Value::Closure(function, Fields::new(captures))
    }

    fn make_given(&mut self, ty: TyId) -> FunctionId {
        let Ty::Function { params, result, row } = self.program.types.get(ty).clone() else {
            unreachable!("only functions are given as functions")
        };
        let level = match self.level(row) {
            AllowedEffects::Open | AllowedEffects::Pure => AllowedEffects::Pure,
            AllowedEffects::All => AllowedEffects::All,
        };
        let n_captures = self.chance.below(3);
        let captures: Vec<TyId> = (0..n_captures).map(|_| self.comparable_ty(1)).collect();
        let id = self.reserve();
        let names = captures.iter().chain(params.iter()).enumerate();
        let head = FunctionHead {
            name: format!("given_{}", id.0),
            kind: FunctionKind::Lambda(self.plans[0].id),
            n_type_params: 0,
            n_captures: n_captures as u32,
            params: names.map(|(at, ty)| (format!("g{at}"), *ty)).collect(),
            result,
            level,
            voice: ClaimStatements::Allowed,
            first_callee: self.first_plain(),
            n_constants: self.program.constants.len(),
        };
        self.terms_left = TERMS_OF_GIVEN;
        self.define(id, head, |maker| maker.term(result, 2));
        self.givens.push((ty, id));
        id
    }

    /// The possible answers of the host to each performed operation.
    pub(super) fn host_answers(&mut self) -> Vec<HostAnswers> {
        let mut performed = std::mem::take(&mut self.performed);
        let mut answers = Vec::new();
        // Functions generated for answers may perform operations in turn.
        for _ in 0..3 {
            performed.sort_unstable();
            performed.dedup();
            for (op, type_args) in std::mem::take(&mut performed) {
                let is_same = |it: &HostAnswers| it.op == op && it.type_args == type_args;
                if !answers.iter().any(is_same) {
                    answers.push(self.answers(op, type_args));
                }
            }
            performed.append(&mut self.performed);
        }
        answers
    }

    fn answers(&mut self, op: OpId, type_args: Box<[TyId]>) -> HostAnswers {
        let result = self.program.op(op).result;
        let result = self.program.types.instantiate(result, &type_args);
        let values = (0..3).map(|_| self.value(result, 2)).collect();
        let mut calls = Vec::new();
        if self.chance.percent(40) {
            let params: Box<[TyId]> =
                (0..self.chance.below(3)).map(|_| self.some_ty()).collect();
            let (given, row) = (params.clone(), TypeTable::PURE);
            let ty = self.ty(Ty::Function { params, result, row });
            let callee = self.given(ty);
            calls.push((callee, given.iter().map(|ty| self.value(*ty, 2)).collect()));
        }
        HostAnswers { op, type_args, values, calls }
    }
}

//! Generates terms for effects and claims: `perform`, `under`, `par`, `throws`, `observe`,
//! `assume`, `?`, samples and traced calls.

use gainsay_core::builtin::{self, EQ};
use gainsay_core::{
    BuiltinId, EffectHandler, FailureKind, ObserveStrength, OpId, Term, TermId, TryKind, Ty,
    TyId, TypeTable, WorldId,
};

use super::prelude::{OPTION, RESULT, TRACED};
use super::program_generator::{AllowedEffects, ProgramGenerator};

impl ProgramGenerator {
    /// Sometimes any operation, where effects are allowed.
    pub(super) fn perform_any(&mut self, depth: u32) -> Option<TermId> {
        if self.draft().level != AllowedEffects::All || self.chance.percent(60) {
            return None;
        }
        let ops = self.stubbed_ops();
        let op = self.chance.pick(&ops)?;
        let result = self.program.op(op).result;
        self.perform(result, depth.min(2))
    }

    /// An operation with this result type.
    pub(super) fn perform(&mut self, ty: TyId, depth: u32) -> Option<TermId> {
        // A host must know the type it answers at, even inside a generic function.
        let is_closed = !self.program.types.flags(ty).has_param();
        let takes_generic = is_closed && self.chance.percent(25);
        let ops = (0..).map(OpId).zip(&self.program.ops);
        let fitting: Vec<OpId> = ops
            .filter(
                |(_, op)| {
                    if op.n_type_params > 0 { takes_generic } else { op.result == ty }
                },
            )
            .map(|(id, _)| id)
            .collect();
        let op = self.chance.pick(&fitting)?;
        let operation = self.program.op(op);
        let type_args: Box<[TyId]> =
            if operation.n_type_params > 0 { Box::new([ty]) } else { Box::default() };
        let params: Vec<TyId> = operation.params.iter().map(|(_, ty)| *ty).collect();
        let mut args = Vec::new();
        for param in params {
            let param = self.program.types.instantiate(param, &type_args);
            args.push(self.term(param, depth));
        }
        self.performed.push((op, type_args.clone()));
        Some(self.add(Term::Perform { op, type_args, args: args.into() }, ty))
    }

    /// A body whose effects are answered. Where nothing may be performed, all are, by pure stubs.
    pub(super) fn under(&mut self, ty: TyId, depth: u32) -> Option<TermId> {
        let mut ops = self.stubbed_ops();
        let here = self.draft().level;
        if here != AllowedEffects::All && ops.len() < self.program.ops.len() {
            return None;
        }
        if here == AllowedEffects::All {
            ops.retain(|_| self.chance.percent(60));
        }
        let mut answers = Vec::new();
        if !self.program.worlds.is_empty() && self.chance.percent(40) {
            answers.push(EffectHandler::World(WorldId(0)));
        }
        for op in ops {
            let is_pure = here != AllowedEffects::All || self.chance.percent(60);
            let level = if is_pure { AllowedEffects::Pure } else { AllowedEffects::All };
            let Some(stub_ty) = self.stub_ty(op, level) else { continue };
            let stub = self.term(stub_ty, depth.min(2));
            answers.push(EffectHandler::Stub(op, stub));
        }
        let body = self.thunk(ty, AllowedEffects::All, depth);
        Some(self.add(Term::Under { handlers: answers.into(), body }, ty))
    }

    /// A closure without parameters.
    fn thunk(&mut self, ty: TyId, level: AllowedEffects, depth: u32) -> TermId {
        self.closure(&[], ty, level, depth)
    }

    fn result_ty(&mut self, content: TyId, error: TyId) -> TyId {
        self.ty(Ty::Named(RESULT, Box::new([content, error])))
    }

    /// `par` of a tuple, or `par?` whose value is a `Result` of one.
    pub(super) fn par(&mut self, ty: TyId, depth: u32) -> Option<TermId> {
        let level = self.draft().level;
        match self.program.types.get(ty).clone() {
            Ty::Tuple(parts) => {
                let branches =
                    parts.iter().map(|part| self.thunk(*part, level, depth)).collect();
                Some(self.add(Term::Par { branches, cancelling: false }, ty))
            }
            Ty::Named(RESULT, args) => {
                let Ty::Tuple(parts) = self.program.types.get(args[0]).clone() else {
                    return None;
                };
                self.par_of_results(&parts, args[1], ty, depth)
            }
            Ty::Int | Ty::Float | Ty::Bool | Ty::Char | Ty::Str | Ty::List(_) => None,
            Ty::Map(..) | Ty::Set(_) | Ty::Named(..) | Ty::Function { .. } => None,
            Ty::Refined { .. } | Ty::Param(_) | Ty::Var(_) | Ty::Error => None,
        }
    }

    /// `par?` that returns from the function with the first error.
    pub(super) fn par_leaving(&mut self, ty: TyId, depth: u32) -> Option<TermId> {
        let Ty::Tuple(parts) = self.program.types.get(ty).clone() else { return None };
        let (_, args) = self.leaves_with()?;
        let error = *args.get(1)?;
        self.par_of_results(&parts, error, ty, depth)
    }

    fn par_of_results(
        &mut self,
        parts: &[TyId],
        error: TyId,
        ty: TyId,
        depth: u32,
    ) -> Option<TermId> {
        let level = self.draft().level;
        let mut branches = Vec::new();
        for part in parts {
            let result = self.result_ty(*part, error);
            branches.push(self.thunk(result, level, depth));
        }
        Some(self.add(Term::Par { branches: branches.into(), cancelling: true }, ty))
    }

    /// The type that `?` may return from the current function with.
    fn leaves_with(&self) -> Option<(TryKind, Box<[TyId]>)> {
        if !self.draft().may_leave {
            return None;
        }
        let result = self.program.types.base(self.draft().result);
        let Ty::Named(name, args) = self.program.types.get(result) else { return None };
        let kind = match *name {
            OPTION => TryKind::Option,
            RESULT => TryKind::Result,
            _ => return None,
        };
        Some((kind, args.clone()))
    }

    /// `e?`, in a function that returns an `Option` or a `Result`.
    pub(super) fn try_(&mut self, ty: TyId, depth: u32) -> Option<TermId> {
        let (kind, args) = self.leaves_with()?;
        let tried = match kind {
            TryKind::Option => self.ty(Ty::Named(OPTION, Box::new([ty]))),
            TryKind::Result => self.result_ty(ty, args[1]),
        };
        let value = self.term(tried, depth);
        Some(self.add(Term::Try { value, kind }, ty))
    }

    /// A call with its traces.
    pub(super) fn traced(&mut self, ty: TyId, depth: u32) -> Option<TermId> {
        let Ty::Named(TRACED, args) = self.program.types.get(ty).clone() else { return None };
        let content = args[0];
        let mut call = match self.call(content, depth) {
            Some(call) => call,
            None => self.call_value(content, depth),
        };
        if !matches!(self.draft().body.term(call), Term::Call { .. } | Term::CallValue { .. }) {
            return None;
        }
        if self.program.types.flags(content).has_refinement() {
            call = self.add(Term::Refine { value: call, ty: content }, content);
        }
        Some(self.add(Term::Traced { call }, ty))
    }

    /// A `throws` expression.
    pub(super) fn throws(&mut self, depth: u32) -> TermId {
        let mut kinds = Vec::new();
        if self.chance.percent(50) {
            kinds.extend(FailureKind::ALL.into_iter().filter(|_| self.chance.percent(60)));
        }
        let level = self.draft().level;
        let ty = self.ty_here();
        let fails = self.chance.percent(30);
        let body = self.closure_with(&[], ty, level, |maker| {
            if fails { maker.fail(ty) } else { maker.term(ty, depth) }
        });
        self.add(Term::Throws { kinds: kinds.into(), body }, TypeTable::BOOL)
    }

    /// `condition !x`.
    pub(super) fn sample(&mut self, depth: u32) -> Option<TermId> {
        let scope = self.draft().scope.clone();
        let local = self.chance.pick(&scope)?;
        let condition = self.term(TypeTable::BOOL, depth);
        Some(self.add(Term::Sample { condition, local }, TypeTable::BOOL))
    }

    /// `observe` or `assume`.
    pub(super) fn statement(&mut self, depth: u32) -> TermId {
        let condition = self.claimed(depth);
        let term = if self.chance.percent(75) {
            let strengths =
                [ObserveStrength::Exact, ObserveStrength::Relation, ObserveStrength::Truth];
            let strength = self.chance.pick(&strengths).unwrap_or(ObserveStrength::Truth);
            Term::Observe { condition, strength }
        } else {
            Term::Assume(condition)
        };
        self.add(term, TypeTable::UNIT)
    }

    /// A condition: often a comparison, often one that holds.
    fn claimed(&mut self, depth: u32) -> TermId {
        if self.chance.percent(25) {
            return self.term(TypeTable::BOOL, depth);
        }
        let ty = self.comparable_ty_here();
        let ids = (0..).map(BuiltinId).zip(builtin::ALL);
        let comparisons = ids.filter(|(_, it)| it.total_comparison.is_some()).map(|it| it.0);
        let comparisons: Vec<BuiltinId> = comparisons.collect();
        let builtin = self.chance.pick(&comparisons).unwrap_or(EQ);
        let (lhs, rhs) = match (self.local_of(ty), self.chance.percent(60)) {
            (Some(lhs), true) => {
                let Term::Local(local) = *self.draft().body.term(lhs) else {
                    unreachable!("a local is a local")
                };
                (lhs, self.local_term(local))
            }
            (_, _) => (self.term(ty, depth), self.term(ty, depth)),
        };
        let (type_args, args) = (Box::new([ty]), Box::new([lhs, rhs]));
        self.add(Term::Builtin { builtin, type_args, args }, TypeTable::BOOL)
    }
}

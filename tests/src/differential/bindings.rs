//! Generates terms that bind locals: blocks and matches.

use gainsay_core::{
    Arm, CtorId, Literal, LocalId, Pattern, PatternId, RestPattern, Statement, Term, TermId,
    Ty, TyId, TypeTable,
};

use super::patterns::PatternBindings;
use super::program_generator::{ClaimStatements, ProgramGenerator};

impl ProgramGenerator {
    /// Statements, then a value that may use what they bind.
    pub(super) fn block(&mut self, ty: TyId, depth: u32) -> TermId {
        let n_before = self.draft().scope.len();
        let mut statements = Vec::new();
        for _ in 0..1 + self.chance.below(3) {
            if let Some(performed) = self.perform_any(depth) {
                statements.push(Statement::Drop(performed));
            } else if self.chance.percent(75) {
                let bound_ty = self.ty_here();
                let value = self.term(bound_ty, depth);
                let mut bound = Vec::new();
                let pattern = self.sure_pattern(bound_ty, 2, PatternBindings::May, &mut bound);
                self.draft_mut().scope.extend(bound);
                statements.push(Statement::Let(pattern, value));
            } else {
                let dropped = if self.draft().voice == ClaimStatements::Allowed {
                    TypeTable::UNIT
                } else {
                    self.ty_here()
                };
                statements.push(Statement::Drop(self.term(dropped, depth)));
            }
        }
        let result = self.term(ty, depth);
        self.draft_mut().scope.truncate(n_before);
        self.add(Term::Block { statements: statements.into(), result }, ty)
    }

    /// An exhaustive match.
    pub(super) fn match_(&mut self, ty: TyId, depth: u32) -> TermId {
        let seen_ty = self.ty_here();
        let scrutinee = self.term(seen_ty, depth);
        let mut arms = Vec::new();
        for _ in 0..self.chance.below(4) {
            let mut bound = Vec::new();
            let pattern = self.pattern(seen_ty, 3, PatternBindings::May, &mut bound);
            arms.push(self.arm(pattern, bound, ty, depth));
        }
        for (pattern, bound) in self.covering(seen_ty) {
            let mut arm = self.arm(pattern, bound, ty, depth);
            arm.guard = None;
            arms.push(arm);
        }
        self.add(Term::Match { scrutinee, arms: arms.into() }, ty)
    }

    fn arm(&mut self, pattern: PatternId, bound: Vec<LocalId>, ty: TyId, depth: u32) -> Arm {
        let n_before = self.draft().scope.len();
        self.draft_mut().scope.extend(bound);
        let weight = self.chance.percent(5).then(|| self.leaf(TypeTable::INT));
        let guard = self.chance.percent(25).then(|| self.term(TypeTable::BOOL, depth.min(2)));
        let body = self.term(ty, depth);
        self.draft_mut().scope.truncate(n_before);
        Arm { pattern, weight, guard, body }
    }

    /// Patterns that together are exhaustive.
    fn covering(&mut self, ty: TyId) -> Vec<(PatternId, Vec<LocalId>)> {
        let base = self.program.types.get(self.program.types.base(ty)).clone();
        if self.chance.percent(50) {
            match base {
                Ty::Named(name, args) => {
                    let ctors = self.program.nominal(name).ctors.clone();
                    return ctors.iter().map(|it| self.ctor_pattern(*it, &args)).collect();
                }
                Ty::Bool => {
                    let body = &mut self.draft_mut().body;
                    let literals = [true, false].map(|it| Pattern::Literal(Literal::Bool(it)));
                    return literals.map(|it| (body.add_pattern(it), Vec::new())).into();
                }
                Ty::List(item) => return self.covering_lists(ty, item),
                Ty::Int | Ty::Float | Ty::Char | Ty::Str | Ty::Tuple(_) | Ty::Map(..) => {}
                Ty::Set(_) | Ty::Function { .. } | Ty::Refined { .. } => {}
                Ty::Param(_) | Ty::Var(_) | Ty::Error => {}
            }
        }
        let mut bound = Vec::new();
        let pattern = self.sure_pattern(ty, 2, PatternBindings::May, &mut bound);
        vec![(pattern, bound)]
    }

    fn ctor_pattern(&mut self, ctor: CtorId, args: &[TyId]) -> (PatternId, Vec<LocalId>) {
        let mut bound = Vec::new();
        let fields = self.field_types(ctor, args);
        let parts = fields
            .iter()
            .map(|field| self.sure_pattern(*field, 1, PatternBindings::May, &mut bound))
            .collect();
        (self.draft_mut().body.add_pattern(Pattern::Ctor(ctor, parts)), bound)
    }

    /// `[]` and `[first, ..rest]`.
    fn covering_lists(&mut self, ty: TyId, item: TyId) -> Vec<(PatternId, Vec<LocalId>)> {
        let empty = Pattern::List(Box::default(), RestPattern::Nothing);
        let empty = self.draft_mut().body.add_pattern(empty);
        let mut bound = Vec::new();
        let first = self.sure_pattern(item, 1, PatternBindings::May, &mut bound);
        let rest = self.sure_pattern(ty, 0, PatternBindings::May, &mut bound);
        let filled = Pattern::List(Box::new([first]), RestPattern::Some(rest));
        let filled = self.draft_mut().body.add_pattern(filled);
        vec![(empty, Vec::new()), (filled, bound)]
    }
}

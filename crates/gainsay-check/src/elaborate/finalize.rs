//! Fourth stage, at the end of each declaration: solves rows, substitutes types, checks matches.

use std::collections::{BTreeSet, HashMap};

use gainsay_core::{
    ArmGuard, Body, FunctionId, MatchArm as MatchRow, OpId, ParamNames, PatternId, RewriteStep,
    Row, RowId, Term, Ty, TyId, TypeTable, check_match, effect_names, row_text,
};
use gainsay_source::Span;

use super::Elaborator;
use super::frame::{FinishedBody, IsGuarded, PendingMatch, PendingMatchKind};
use crate::effect_rows::{EffectLimit, EffectViolation};
use crate::findings::{
    CannotInfer, EffectInPurePlace, EffectWithoutWorld, NonExhaustiveMatch, RefutablePattern,
    TooEffectful, UndeclaredEffect, UnreachableArm,
};
use crate::unify::Unifier;

impl Elaborator<'_, '_> {
    /// Substitutes the inferred types into the functions of this declaration and checks their
    /// matches.
    pub(crate) fn finish(mut self) {
        // Rows first: substitution replaces row variables by their solutions.
        self.solve();
        for finished in std::mem::take(&mut self.finished) {
            self.substitute_solution(finished.function);
            self.check_matches(finished);
        }
    }

    /// Solves the rows, and reports violations and types that stay unknown.
    fn solve(&mut self) {
        let excess = self.unifier.rows.solve(&self.checker.program.types);
        self.report_effect_violations(excess);
        for (ty, span, subject) in std::mem::take(&mut self.required_types) {
            // Where an error stands, the type is unknown because of it.
            if self.unifier.is_unsolved(&self.checker.program.types, ty) && !self.is_error(ty) {
                self.report(CannotInfer { subject, span });
            }
        }
    }

    /// Reports each undeclared effect once per function, where it first occurs.
    fn report_effect_violations(&mut self, excess: Vec<EffectViolation>) {
        let mut reported: BTreeSet<(OpId, bool)> = BTreeSet::new();
        for it in excess {
            let by_signature = it.origin.limit == EffectLimit::Signature;
            // Sorted, so that effects are listed in the order of their declarations.
            let ops: BTreeSet<OpId> = it.ops.iter().copied().collect();
            let ops: Vec<OpId> = ops
                .into_iter()
                // One declaration in the signature fixes all calls at once. The other limits are
                // fixed where they are violated, so each place is reported.
                .filter(|op| !by_signature || reported.insert((*op, by_signature)))
                .collect();
            let mut effects = effect_names(&self.checker.program, &ops);
            let names = &self.types.effects;
            effects.extend(
                it.params
                    .iter()
                    .filter_map(|at| names.get(*at as usize))
                    .map(|it| (*it).to_owned()),
            );
            effects.dedup();
            if effects.is_empty() {
                continue;
            }
            let span = it.origin.span;
            match it.origin.limit {
                EffectLimit::Signature => self.report_undeclared(effects, &it),
                EffectLimit::Pure(place) => {
                    self.report(EffectInPurePlace { place, effects, span })
                }
                EffectLimit::Claim => self.report(EffectWithoutWorld { effects, span }),
                EffectLimit::FunctionType => self.report(TooEffectful { effects, span }),
            }
        }
    }

    fn report_undeclared(&mut self, effects: Vec<String>, added: &EffectViolation) {
        let span = added.origin.span;
        // Closures finish before the function around them, so the declared function is the last
        // one.
        let Some(declaration) = self.finished.iter().rev().map(|it| it.function).find(|id| {
            let kind = self.checker.program.function(*id).kind;
            kind == gainsay_core::FunctionKind::Declared
        }) else {
            return;
        };
        let wanted = self.wanted_row(declaration, added);
        let function = self.checker.program.function(declaration);
        let finding = UndeclaredEffect {
            function: function.name.to_string(),
            effects,
            span,
            signature: function.span,
            row: self.row_span,
            wanted,
        };
        self.report(finding);
    }

    /// The row that a signature should declare, in source syntax.
    fn wanted_row(&mut self, declaration: FunctionId, added: &EffectViolation) -> String {
        let function = self.checker.program.function(declaration);
        let row = self.checker.program.types.get_row(function.row);
        let ops = row.ops.iter().chain(&added.ops).copied().collect();
        let params = row.params.iter().chain(&added.params).copied().collect();
        let (types, effects) = (function.type_params.clone(), function.effect_params.clone());
        let row = self.type_table().intern_row(Row::new(ops, params, Vec::new()));
        let names = ParamNames { types: &types, effects: &effects };
        format!("! {}", row_text(&self.checker.program, names, row))
    }

    /// Replaces variables with their solutions. Unconstrained types become `Unit`: no value can
    /// depend on them, as with the element type of an empty list.
    fn substitute_solution(&mut self, id: FunctionId) {
        let mut function = std::mem::take(&mut self.checker.program.functions[id.index()].body);
        let mut solved = SolvedTypes { unifier: &self.unifier, types: HashMap::new() };
        let table = &mut self.checker.program.types;
        solved.body(table, &mut function);
        let declared = &mut self.checker.program.functions[id.index()];
        declared.body = function;
        for param in &mut declared.params {
            param.ty = solved.ty(table, param.ty);
        }
        declared.result = solved.ty(table, declared.result);
        declared.row = solved.row(table, declared.row);
    }

    fn check_matches(&mut self, finished: FinishedBody) {
        let id = finished.function;
        for pending in finished.matches {
            let ty = self.solved_type(pending.scrutinee);
            self.check_match(id, ty, pending, &finished.alternatives);
        }
    }

    fn solved_type(&mut self, ty: TyId) -> TyId {
        let mut solved = SolvedTypes { unifier: &self.unifier, types: HashMap::new() };
        solved.ty(&mut self.checker.program.types, ty)
    }

    fn check_match(
        &mut self,
        id: FunctionId,
        scrutinee: TyId,
        pending: PendingMatch,
        alternatives: &[(PatternId, Span)],
    ) {
        let rows: Vec<MatchRow> = pending
            .rows
            .iter()
            .map(|(pattern, guarded, _)| MatchRow {
                pattern: *pattern,
                guard: match guarded {
                    IsGuarded::Yes => ArmGuard::Present,
                    IsGuarded::No => ArmGuard::Absent,
                },
            })
            .collect();
        let program = &self.checker.program;
        let body = &program.function(id).body;
        let coverage = check_match(program, body, scrutinee, &rows);
        let span = pending.span;
        if !coverage.missing.is_empty() {
            let missing = coverage.missing;
            let guarded = pending.rows.iter().any(|(_, guarded, _)| *guarded == IsGuarded::Yes);
            match pending.kind {
                PendingMatchKind::Match => {
                    self.report(NonExhaustiveMatch { missing, span, guarded });
                }
                PendingMatchKind::Binding => self.report(RefutablePattern { missing, span }),
            }
        }
        for at in coverage.unreachable {
            self.report(UnreachableArm { span: pending.rows[at].2 });
        }
        for (_, pattern) in coverage.unreachable_alternatives {
            if let Some((_, span)) = alternatives.iter().find(|(it, _)| *it == pattern) {
                self.report(UnreachableArm { span: *span });
            }
        }
    }
}

/// The solution, memoized per type.
struct SolvedTypes<'u> {
    unifier: &'u Unifier,
    types: HashMap<TyId, TyId>,
}

impl SolvedTypes<'_> {
    fn ty(&mut self, table: &mut TypeTable, ty: TyId) -> TyId {
        if !table.flags(ty).has_var() {
            return ty;
        }
        if let Some(solved) = self.types.get(&ty) {
            return *solved;
        }
        let found = self.unifier.finish(table, ty);
        // See decision 0011.
        let found = unit_for_unknown(table, found);
        self.types.insert(ty, found);
        found
    }

    fn row(&mut self, table: &mut TypeTable, row: RowId) -> RowId {
        self.unifier.rows.solution_of(table, row)
    }

    fn body(&mut self, table: &mut TypeTable, body: &mut Body) {
        for ty in &mut body.tys {
            *ty = self.ty(table, *ty);
        }
        for local in &mut body.locals {
            local.ty = self.ty(table, local.ty);
        }
        for term in &mut body.terms {
            self.term(table, term);
        }
    }

    fn term(&mut self, table: &mut TypeTable, term: &mut Term) {
        if let Term::Function { type_args, .. }
        | Term::Call { type_args, .. }
        | Term::Builtin { type_args, .. }
        | Term::Perform { type_args, .. } = term
        {
            type_args.iter_mut().for_each(|ty| *ty = self.ty(table, *ty));
        } else if let Term::Refine { ty, .. } = term {
            *ty = self.ty(table, *ty);
        } else if let Term::Across { binders, .. } = term {
            binders.iter_mut().for_each(|binder| binder.ty = self.ty(table, binder.ty));
        }
    }
}

fn unit_for_unknown(table: &mut TypeTable, ty: TyId) -> TyId {
    table.rewrite(ty, &mut |_, row| row, &mut |table, id| {
        if !table.flags(id).has_var() {
            return RewriteStep::Keep;
        }
        let is_var = matches!(table.get(id), Ty::Var(_));
        if is_var { RewriteStep::ReplaceWith(TypeTable::UNIT) } else { RewriteStep::Descend }
    })
}

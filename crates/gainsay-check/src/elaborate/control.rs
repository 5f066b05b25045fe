//! Elaborates blocks, branches, matches and `?`.

use gainsay_core::{Arm, Statement, Term, TermId, TryKind, Ty, TyId, TypeTable};
use gainsay_source::Span;
use gainsay_syntax::ast::{self, Block, Expr, IfExpr, LetStmt, MatchExpr, Stmt, TryExpr};

use super::exprs::value_span;
use super::frame::{IsGuarded, PendingMatch, PendingMatchKind};
use super::{Elaborator, InferredType};
use crate::effect_rows::{EffectLimit, PurePlace};
use crate::findings::{BadTry, MismatchHint, TryProblem, TypeMismatch, UnusedValue};

impl<'t> Elaborator<'_, 't> {
    pub(super) fn block(&mut self, it: Block<'t>, expected: Option<TyId>) -> TermId {
        let span = it.span();
        let mark = self.enter_scope();
        let stmts: Vec<Stmt<'t>> = it.stmts().collect();
        let mut statements = Vec::new();
        let mut result = None;
        for (at, stmt) in stmts.iter().enumerate() {
            match stmt {
                Stmt::Let(it) => statements.extend(self.let_stmt(*it)),
                Stmt::Expr(expr) if at + 1 == stmts.len() => {
                    // Only the last statement receives the expected type: it is the value of the
                    // block.
                    result = Some(match expected {
                        Some(ty) => self.check(*expr, ty),
                        None => self.infer(*expr),
                    });
                }
                Stmt::Expr(expr) => {
                    let term = self.infer(*expr);
                    self.report_unused_value(term, expr.span());
                    statements.push(Statement::Drop(term));
                }
            }
        }
        let result = result.unwrap_or_else(|| self.unit(span));
        self.leave_scope(mark);
        // `{ e }` is just `e`: no block term for it.
        if statements.is_empty() {
            return result;
        }
        let ty = self.ty(result);
        self.term(Term::Block { statements: statements.into(), result }, ty, span)
    }

    /// Reports a value that is not used.
    pub(super) fn report_unused_value(&mut self, term: TermId, span: Span) {
        let ty = self.ty(term);
        if self.shallow(ty) != TypeTable::UNIT
            && !matches!(self.shallow_type(ty), Ty::Var(_) | Ty::Error)
        {
            let in_claim = self.in_claim && self.shallow(ty) == TypeTable::BOOL;
            let ty = self.type_text(ty);
            self.report(UnusedValue { ty, span, in_claim });
        }
    }

    pub(super) fn let_stmt(&mut self, it: LetStmt<'t>) -> Option<Statement> {
        let span = it.span();
        let annotated = it.ty().map(|ty| self.annotation(ty));
        let value = match (it.value(), annotated) {
            (Some(value), Some(ty)) => {
                let term = self.check(value, ty);
                // `check` ignores refinements, so an annotated `let` needs an explicit run-time
                // check.
                self.refine(term, ty, value.span())
            }
            (Some(value), None) => self.infer(value),
            (None, _) => self.hole(span),
        };
        let ty = annotated.unwrap_or_else(|| self.ty(value));
        let pattern = it.pattern()?;
        let id = self.pattern(pattern, ty);
        self.pending_binding(id, ty, pattern.span());
        Some(Statement::Let(id, value))
    }

    /// `if`; without `else` its type is `Unit`.
    pub(super) fn if_expr(&mut self, it: IfExpr<'t>, expected: Option<TyId>) -> TermId {
        let span = it.span();
        let condition = match it.condition() {
            Some(condition) => self.check(condition, TypeTable::BOOL),
            None => self.hole(span),
        };
        let branch = it.then_branch().map(Expr::Block);
        let Some(otherwise) = it.else_branch() else {
            let then = self.branch(branch, None, span);
            if !self.check_unit_branch(then, branch.map_or(span, value_span)) {
                return self.hole(span);
            }
            let otherwise = self.unit(span);
            let term = Term::If { condition, then, otherwise };
            return self.term(term, TypeTable::UNIT, span);
        };
        let then = self.branch(branch, expected, span);
        let ty = expected.unwrap_or_else(|| self.ty(then));
        // An error in the first branch must not hide errors in the second one: the error type would
        // accept anything.
        let ty = if self.is_plain_error(ty) { self.fresh() } else { ty };
        let otherwise = self.branch(Some(otherwise), Some(ty), span);
        self.term(Term::If { condition, then, otherwise }, ty, span)
    }

    /// The branch of an `if` without `else` must have type `Unit`.
    fn check_unit_branch(&mut self, then: TermId, value: Span) -> bool {
        let ty = self.ty(then);
        let types = &mut self.checker.program.types;
        if self
            .unifier
            .unify(types, ty, TypeTable::UNIT, Self::constraint_origin(value))
            .is_ok()
        {
            return !self.is_plain_error(ty);
        }
        let (expected, actual) = ("Unit".to_owned(), self.type_text(ty));
        let hint = Some(MismatchHint::AddElse);
        self.report(TypeMismatch { expected, actual, span: value, hint });
        false
    }

    /// Whether a type is the error type itself.
    fn is_plain_error(&self, ty: TyId) -> bool {
        matches!(self.shallow_type(ty), Ty::Error)
    }

    fn branch(&mut self, expr: Option<Expr<'t>>, expected: Option<TyId>, span: Span) -> TermId {
        match (expr, expected) {
            (Some(expr), Some(ty)) => self.check(expr, ty),
            (Some(expr), None) => self.infer(expr),
            (None, _) => self.hole(span),
        }
    }

    pub(super) fn match_expr(&mut self, it: MatchExpr<'t>, expected: Option<TyId>) -> TermId {
        let span = it.span();
        let scrutinee = match it.scrutinee() {
            Some(scrutinee) => self.infer(scrutinee),
            None => self.hole(span),
        };
        let ty = self.ty(scrutinee);
        let mut result = expected;
        let mut arms = Vec::new();
        let mut rows = Vec::new();
        // Saved and restored, because matches nest: an inner invalid pattern must not silence the
        // outer match.
        let broken = std::mem::replace(&mut self.broken_pattern, false);
        for arm in it.arms() {
            let Some((core, row)) = self.arm(arm, ty, &mut result) else { continue };
            arms.push(core);
            rows.push(row);
        }
        // What an invalid pattern would have covered is unknown, so its match is not checked.
        if !std::mem::replace(&mut self.broken_pattern, broken) {
            let head = it.scrutinee().map_or(span, |it| it.span());
            let kind = PendingMatchKind::Match;
            self.frame_mut().matches.push(PendingMatch {
                scrutinee: ty,
                rows,
                span: head,
                kind,
            });
        }
        let result = result.unwrap_or_else(|| self.fresh());
        self.term(Term::Match { scrutinee, arms: arms.into() }, result, span)
    }

    pub(super) fn arm(
        &mut self,
        arm: ast::Arm<'t>,
        scrutinee: TyId,
        result: &mut Option<TyId>,
    ) -> Option<(Arm, (gainsay_core::PatternId, IsGuarded, Span))> {
        let pattern = arm.pattern()?;
        let id = |it: &mut Self| it.pattern(pattern, scrutinee);
        Some(self.arm_of(arm, (pattern.span(), id), result))
    }

    /// An arm whose pattern is made by a function, in the scope of the arm.
    pub(super) fn arm_of(
        &mut self,
        arm: ast::Arm<'t>,
        (span, pattern): (Span, impl FnOnce(&mut Self) -> gainsay_core::PatternId),
        result: &mut Option<TyId>,
    ) -> (Arm, (gainsay_core::PatternId, IsGuarded, Span)) {
        let mark = self.enter_scope();
        let weight =
            arm.weight().map(|it| self.pure_expr(PurePlace::Weight, it, TypeTable::INT));
        let id = pattern(self);
        let guard = arm.guard().map(|it| self.pure_expr(PurePlace::Guard, it, TypeTable::BOOL));
        let body = self.branch(arm.body(), *result, arm.span());
        // The first arm without an error decides the type that the later arms are checked against.
        if result.is_none() {
            let ty = self.ty(body);
            *result = (!self.is_plain_error(ty)).then_some(ty);
        }
        self.leave_scope(mark);
        let guarded = if guard.is_some() { IsGuarded::Yes } else { IsGuarded::No };
        (Arm { pattern: id, weight, guard, body }, (id, guarded, span))
    }

    /// An expression that must perform nothing.
    pub(super) fn pure_expr(&mut self, place: PurePlace, expr: Expr<'t>, ty: TyId) -> TermId {
        self.frame_mut().push_effect_sink(TypeTable::PURE, EffectLimit::Pure(place));
        let term = self.check(expr, ty);
        self.frame_mut().pop_effect_sink();
        term
    }

    /// The rule for `?` on a `Result`; on an `Option` it is the same without `E`:
    //
    //   e : Result<A, E>    the function gives Result<B, E>
    //   ─────────────────────────────────────────────────── (TRY)
    //                       e? : A
    pub(super) fn try_expr(&mut self, it: TryExpr<'t>) -> TermId {
        let span = it.span();
        let Some(inner) = it.inner() else { return self.hole(span) };
        let value = self.infer(inner);
        let ty = self.ty(value);
        let lang = self.checker.program.lang;
        let (content, kind, leaves) = match self.inferred_type(ty) {
            InferredType::Known(Ty::Named(id, args)) if Some(id) == lang.option => {
                // `?` keeps only the failure side of the type: the function may return another
                // payload.
                let any = self.fresh();
                (args[0], TryKind::Option, self.checker.option_of(any))
            }
            InferredType::Known(Ty::Named(id, args)) if Some(id) == lang.result => {
                let any = self.fresh();
                (args[0], TryKind::Result, self.checker.result_of(any, args[1]))
            }
            InferredType::Error => return self.hole(span),
            InferredType::Unknown | InferredType::Known(_) => {
                let problem = TryProblem::NotOptionOrResult { actual: self.type_text(ty) };
                self.report(BadTry { problem, span });
                return self.hole(span);
            }
        };
        // These blocks become closures, and a `?` in them would return from the closure.
        if self.frame().is_block {
            self.report(BadTry { problem: TryProblem::InBlock, span });
            return self.hole(span);
        }
        let result = self.frame().result;
        // A mismatch because of an earlier error is no news. The term is kept, because the type of
        // its content is known and the rest of the body can be checked with it.
        if self.is_error(ty) || self.is_error(result) {
            return self.term(Term::Try { value, kind }, content, span);
        }
        let types = &mut self.checker.program.types;
        if self.unifier.unify(types, result, leaves, Self::constraint_origin(span)).is_err() {
            let problem = self.try_problem(ty, result, kind);
            self.report(BadTry { problem, span });
            return self.hole(span);
        }
        self.term(Term::Try { value, kind }, content, span)
    }

    /// Why `?` cannot return from the function.
    fn try_problem(&mut self, actual: TyId, result: TyId, kind: TryKind) -> TryProblem {
        let lang = self.checker.program.lang;
        let gives = match self.inferred_type(result) {
            InferredType::Known(Ty::Named(id, args)) if Some(id) == lang.option => {
                (Some(TryKind::Option), args)
            }
            InferredType::Known(Ty::Named(id, args)) if Some(id) == lang.result => {
                (Some(TryKind::Result), args)
            }
            InferredType::Unknown | InferredType::Error | InferredType::Known(_) => {
                (None, Box::default())
            }
        };
        match (kind, gives) {
            (TryKind::Result, (Some(TryKind::Result), wanted)) => {
                let Ty::Named(_, found) = self.shallow_type(actual) else {
                    return TryProblem::IncompatibleResult { result: self.type_text(result) };
                };
                TryProblem::ErrorMismatch {
                    found: self.type_text(found[1]),
                    wanted: self.type_text(wanted[1]),
                }
            }
            (TryKind::Result, (Some(TryKind::Option), _)) => TryProblem::ResultInOption,
            (TryKind::Option, (Some(TryKind::Result), _)) => TryProblem::OptionInResult,
            (_, _) => TryProblem::IncompatibleResult { result: self.type_text(result) },
        }
    }
}

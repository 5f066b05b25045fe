//! Blocks, branches, matches and `?`.

use gainsay_core::{Arm, Statement, Term, TermId, TryKind, Ty, TyId, TypeTable};
use gainsay_source::Span;
use gainsay_syntax::ast::{self, Block, Expr, IfExpr, LetStmt, MatchExpr, Stmt, TryExpr};

use super::Elaborator;
use super::frame::{Guarded, MatchKind, PendingMatch};
use crate::findings::{BadTry, UnusedValue};
use crate::rows::Demand;

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
                    result = Some(match expected {
                        Some(ty) => self.check_tail(*expr, ty),
                        None => self.infer(*expr),
                    });
                }
                Stmt::Expr(expr) => {
                    let term = self.infer(*expr);
                    self.dropped(term, expr.span());
                    statements.push(Statement::Drop(term));
                }
            }
        }
        let result = result.unwrap_or_else(|| self.unit(span));
        self.leave_scope(mark);
        if statements.is_empty() {
            return result;
        }
        let ty = self.ty(result);
        self.term(Term::Block { statements: statements.into(), result }, ty, span)
    }

    /// The last expression of a block that must have a type. The caller compares the types,
    /// so that a mismatch is said once.
    fn check_tail(&mut self, expr: Expr<'t>, expected: TyId) -> TermId {
        let term = self.check(expr, expected);
        let actual = self.ty(term);
        // What did not fit was reported; the caller must not say it again.
        let types = &mut self.checker.program.types;
        match self.unifier.subsume(types, actual, expected, Self::because(expr.span())) {
            Ok(()) => term,
            Err(_) => self.hole(expr.span()),
        }
    }

    /// Complains of a value that nobody takes.
    fn dropped(&mut self, term: TermId, span: Span) {
        let ty = self.ty(term);
        if self.shallow(ty) != TypeTable::UNIT
            && !matches!(self.shape(ty), Ty::Var(_) | Ty::Error)
        {
            let ty = self.text(ty);
            self.report(UnusedValue { ty, span });
        }
    }

    pub(super) fn let_stmt(&mut self, it: LetStmt<'t>) -> Option<Statement> {
        let span = it.span();
        let annotated = it.ty().map(|ty| self.annotation(ty));
        let value = match (it.value(), annotated) {
            (Some(value), Some(ty)) => {
                let term = self.check(value, ty);
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

    /// `if`; without `else` it gives `Unit`.
    pub(super) fn if_expr(&mut self, it: IfExpr<'t>, expected: Option<TyId>) -> TermId {
        let span = it.span();
        let condition = match it.condition() {
            Some(condition) => self.check(condition, TypeTable::BOOL),
            None => self.hole(span),
        };
        let branch = it.then_branch().map(Expr::Block);
        let Some(otherwise) = it.else_branch() else {
            let then = self.branch(branch, Some(TypeTable::UNIT), span);
            let otherwise = self.unit(span);
            let term = Term::If { condition, then, otherwise };
            return self.term(term, TypeTable::UNIT, span);
        };
        let then = self.branch(branch, expected, span);
        let ty = expected.unwrap_or_else(|| self.ty(then));
        let ty = if self.is_plain_error(ty) { self.fresh() } else { ty };
        let otherwise = self.branch(Some(otherwise), Some(ty), span);
        self.term(Term::If { condition, then, otherwise }, ty, span)
    }

    /// Whether a type is only what is left of an error.
    fn is_plain_error(&self, ty: TyId) -> bool {
        matches!(self.shape(ty), Ty::Error)
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
        for arm in it.arms() {
            let Some((core, row)) = self.arm(arm, ty, &mut result) else { continue };
            arms.push(core);
            rows.push(row);
        }
        let head = it.scrutinee().map_or(span, |it| it.span());
        let pending = PendingMatch { scrutinee: ty, rows, span: head, kind: MatchKind::Match };
        self.frame_mut().matches.push(pending);
        let result = result.unwrap_or_else(|| self.fresh());
        self.term(Term::Match { scrutinee, arms: arms.into() }, result, span)
    }

    fn arm(
        &mut self,
        arm: ast::Arm<'t>,
        scrutinee: TyId,
        result: &mut Option<TyId>,
    ) -> Option<(Arm, (gainsay_core::PatternId, Guarded, Span))> {
        let mark = self.enter_scope();
        let weight = arm.weight().map(|it| self.pure("a weight", it, TypeTable::INT));
        let Some(pattern) = arm.pattern() else {
            self.leave_scope(mark);
            return None;
        };
        let id = self.pattern(pattern, scrutinee);
        let guard = arm.guard().map(|it| self.pure("a guard", it, TypeTable::BOOL));
        let body = self.branch(arm.body(), *result, arm.span());
        if result.is_none() {
            let ty = self.ty(body);
            *result = (!self.is_plain_error(ty)).then_some(ty);
        }
        self.leave_scope(mark);
        let guarded = if guard.is_some() { Guarded::Yes } else { Guarded::No };
        Some((Arm { pattern: id, weight, guard, body }, (id, guarded, pattern.span())))
    }

    /// An expression that must perform nothing.
    pub(super) fn pure(&mut self, place: &'static str, expr: Expr<'t>, ty: TyId) -> TermId {
        self.frame_mut().push_sink(TypeTable::PURE, Demand::Pure(place));
        let term = self.check(expr, ty);
        self.frame_mut().pop_sink();
        term
    }

    /// The rule for `?` on a `Result`; that on an `Option` is the same without `E`:
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
        let (content, kind, leaves) = match self.shape(ty) {
            Ty::Named(id, args) if Some(id) == lang.option => {
                let any = self.fresh();
                (args[0], TryKind::Option, self.checker.option_of(any))
            }
            Ty::Named(id, args) if Some(id) == lang.result => {
                let any = self.fresh();
                (args[0], TryKind::Result, self.checker.result_of(any, args[1]))
            }
            Ty::Error => return self.hole(span),
            Ty::Int
            | Ty::Float
            | Ty::Bool
            | Ty::Char
            | Ty::Str
            | Ty::Tuple(_)
            | Ty::List(_)
            | Ty::Map(..)
            | Ty::Set(_)
            | Ty::Named(..)
            | Ty::Function { .. }
            | Ty::Refined { .. }
            | Ty::Param(_)
            | Ty::Var(_) => {
                let (actual, result) = (Some(self.text(ty)), String::new());
                self.report(BadTry { actual, result, span });
                return self.hole(span);
            }
        };
        let result = self.frame().result;
        let because = Self::because(span);
        let types = &mut self.checker.program.types;
        if self.unifier.unify(types, result, leaves, because).is_err() {
            let result = self.text(result);
            self.report(BadTry { actual: None, result, span });
        }
        self.term(Term::Try { value, kind }, content, span)
    }
}

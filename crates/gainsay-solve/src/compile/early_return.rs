//! `e?`: what follows moves into the arm of the match in which there is a value.
//!
//! ```text
//! tail  f(g()?)  =  match g() { Some(x) => Some(f(x)), None => None }
//! ```
//!
//! The translation is that to continuation-passing style, for the terms that need it only.

use gainsay_core::{Body, Statement, Term, TermId, TryKind};

use super::{BodyCompiler, NotSolvable};
use crate::code::{CodeArm, Expr, ExprId, Matcher};

/// What is made of the value of a term.
type Continuation<'k, 's> =
    &'k mut dyn FnMut(&mut BodyCompiler<'_, '_, '_>, ExprId) -> Result<ExprId, NotSolvable>;

/// Which terms contain a `?`.
pub(super) fn terms_that_return_early(body: &Body) -> Vec<bool> {
    let mut found = vec![false; body.terms.len()];
    for (at, term) in body.terms.iter().enumerate() {
        let mut is_in = matches!(term, Term::Try { .. });
        // Subterms come first.
        term.for_each_subterm(&mut |part| is_in |= found[part.index()]);
        found[at] = is_in;
    }
    found
}

impl BodyCompiler<'_, '_, '_> {
    /// A term whose value is that of the function.
    pub(super) fn tail(&mut self, id: TermId) -> Result<ExprId, NotSolvable> {
        self.then(id, &mut |_, value| Ok(value))
    }

    /// A term and what is made of its value.
    fn then(&mut self, id: TermId, next: Continuation<'_, '_>) -> Result<ExprId, NotSolvable> {
        if !self.returns_early[id.index()] {
            let value = self.term(id)?;
            return next(self, value);
        }
        let body = self.body;
        match body.term(id) {
            Term::Try { value, kind } => {
                self.then(*value, &mut |it, value| it.unwrap_or_return(value, *kind, next))
            }
            Term::If { condition, then, otherwise } => {
                self.then(*condition, &mut |it, value| {
                    let then = it.then(*then, next)?;
                    let otherwise = it.then(*otherwise, next)?;
                    Ok(it.add(Expr::If(value, then, otherwise)))
                })
            }
            Term::And(a, b) => self.then(*a, &mut |it, value| {
                let both = it.then(*b, next)?;
                let no = it.add(Expr::Literal(gainsay_core::Literal::Bool(false)));
                let no = next(it, no)?;
                Ok(it.add(Expr::If(value, both, no)))
            }),
            Term::Or(a, b) => self.then(*a, &mut |it, value| {
                let other = it.then(*b, next)?;
                let yes = it.add(Expr::Literal(gainsay_core::Literal::Bool(true)));
                let yes = next(it, yes)?;
                Ok(it.add(Expr::If(value, yes, other)))
            }),
            Term::Match { scrutinee, arms } => self.then(*scrutinee, &mut |it, value| {
                let mut compiled = Vec::new();
                for arm in arms {
                    let body = it.then(arm.body, next)?;
                    compiled.push(it.arm(arm, body)?);
                }
                Ok(it.guarded_match(value, compiled))
            }),
            Term::Block { statements, result } => self.block(statements, *result, next),
            term => {
                let mut parts = Vec::new();
                term.for_each_subterm(&mut |part| parts.push(part));
                self.strict_then(id, &parts, Vec::new(), next)
            }
        }
    }

    fn block(
        &mut self,
        statements: &[Statement],
        result: TermId,
        next: Continuation<'_, '_>,
    ) -> Result<ExprId, NotSolvable> {
        let Some((first, rest)) = statements.split_first() else {
            return self.then(result, next);
        };
        let (Statement::Let(_, value) | Statement::Drop(value)) = first;
        self.then(*value, &mut |it, value| {
            let rest = it.block(rest, result, next)?;
            Ok(it.before(first, value, rest))
        })
    }

    fn strict_then(
        &mut self,
        id: TermId,
        parts: &[TermId],
        done: Vec<ExprId>,
        next: Continuation<'_, '_>,
    ) -> Result<ExprId, NotSolvable> {
        let Some((first, rest)) = parts.split_first() else {
            let value = self.strict(id, &done)?;
            return next(self, value);
        };
        self.then(*first, &mut |it, value| {
            let mut done = done.clone();
            done.push(value);
            it.strict_then(id, rest, done, next)
        })
    }

    fn unwrap_or_return(
        &mut self,
        value: ExprId,
        kind: TryKind,
        next: Continuation<'_, '_>,
    ) -> Result<ExprId, NotSolvable> {
        let lang = self.compiler.program.lang;
        let (good, bad) = match kind {
            TryKind::Option => (lang.some, lang.none),
            TryKind::Result => (lang.ok, lang.err),
        };
        let (Some(good), Some(bad)) = (good, bad) else {
            return Ok(self.add(Expr::Fail));
        };
        let payload = self.fresh_slot();
        let inner = self.add(Expr::Local(payload));
        let body = next(self, inner)?;
        let bind = self.compiler.code.add_matcher(Matcher::Bind(payload));
        let matcher = self.compiler.code.add_matcher(Matcher::Ctor(good, [bind].into()));
        let going_on = CodeArm { matcher, weight: None, body };
        let returned = match kind {
            TryKind::Option => {
                let matcher =
                    self.compiler.code.add_matcher(Matcher::Ctor(bad, Box::default()));
                let body = self.add(Expr::Construct(bad, Box::default()));
                CodeArm { matcher, weight: None, body }
            }
            TryKind::Result => {
                let error = self.fresh_slot();
                let bind = self.compiler.code.add_matcher(Matcher::Bind(error));
                let matcher = self.compiler.code.add_matcher(Matcher::Ctor(bad, [bind].into()));
                let error = self.add(Expr::Local(error));
                let body = self.add(Expr::Construct(bad, [error].into()));
                CodeArm { matcher, weight: None, body }
            }
        };
        Ok(self.add(Expr::Match(value, [going_on, returned].into())))
    }
}

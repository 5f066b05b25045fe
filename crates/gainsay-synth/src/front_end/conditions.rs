//! Expressions of conditions, as terms of the solver.

use std::collections::BTreeMap;

use gainsay_smt::{Sort, TermId, VarId};
use gainsay_source::Span;
use gainsay_syntax::ast::{BinaryExpr, BinaryOp, CallExpr, Expr, Name, UnaryOp};

use super::SpecReader;
use crate::findings::{SpecMistake, SpecName};

/// Larger numbers could overflow in the arithmetic of the solver.
const MAX_NUMBER: i128 = 1_000_000_000_000;

impl<'t> SpecReader<'t> {
    /// A condition; `None` after reporting an error.
    pub(super) fn condition(&mut self, it: Expr<'t>) -> Option<TermId> {
        self.expr_of(it, Sort::Bool)
    }

    /// An expression of a sort; `None` after reporting an error.
    pub(super) fn expr_of(&mut self, it: Expr<'t>, expected: Sort) -> Option<TermId> {
        let term = self.expr(it)?;
        let actual = self.spec.terms.sort(term);
        if actual == expected {
            return Some(term);
        }
        let (expected, actual) = (self.sort_text(expected), self.sort_text(actual));
        self.report(SpecMistake::Sort { expected, actual }, it.span());
        None
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other expressions are not conditions")]
    fn expr(&mut self, it: Expr<'t>) -> Option<TermId> {
        match it {
            Expr::Paren(it) => self.expr(it.inner()?),
            Expr::Literal(it) => {
                let literal = it.literal()?;
                if let Some(truth) = literal.bool_value() {
                    return Some(if truth { TermId::TRUE } else { TermId::FALSE });
                }
                let Some(digits) = literal.int_digits() else {
                    self.report(SpecMistake::UnsupportedExpression, it.span());
                    return None;
                };
                let number = i128::from_str_radix(&digits.digits, digits.radix).ok();
                let Some(number) = number.filter(|it| *it <= MAX_NUMBER) else {
                    self.report(SpecMistake::HugeNumber, it.span());
                    return None;
                };
                Some(self.spec.terms.int(number))
            }
            Expr::Name(it) => self.name(it.name()?),
            Expr::Call(it) => self.call(it),
            Expr::Unary(it) => {
                let operand = it.operand()?;
                match it.op()? {
                    UnaryOp::Not => {
                        let inner = self.condition(operand)?;
                        Some(self.spec.terms.not(inner))
                    }
                    UnaryOp::Neg => {
                        let (zero, inner) =
                            (self.spec.terms.int(0), self.expr_of(operand, Sort::Int)?);
                        Some(self.spec.terms.sub(zero, inner))
                    }
                }
            }
            Expr::Binary(it) => self.binary(it),
            Expr::If(it) => {
                let condition = self.condition(it.condition()?)?;
                let then = self.expr(Expr::Block(it.then_branch()?))?;
                let sort = self.spec.terms.sort(then);
                let otherwise = self.expr_of(it.else_branch()?, sort)?;
                Some(self.spec.terms.ite(condition, then, otherwise))
            }
            Expr::Block(block) if block.stmts().count() == 0 => self.expr(block.tail()?),
            other => {
                self.report(SpecMistake::UnsupportedExpression, other.span());
                None
            }
        }
    }

    fn name(&mut self, name: Name<'t>) -> Option<TermId> {
        let scoped = self.scopes.iter().rev().find_map(|it| it.get(name.text()));
        if let Some(found) = scoped {
            return Some(*found);
        }
        if let Some(fun) = self.funs.get(name.text()).copied()
            && self.spec.terms.signature.fun(fun).params.is_empty()
        {
            return Some(self.spec.terms.app(fun, Vec::new()));
        }
        let names: Vec<&str> = self
            .scopes
            .iter()
            .flat_map(BTreeMap::keys)
            .chain(self.funs.keys())
            .copied()
            .collect();
        self.report_unknown(SpecName::Variable, name, names);
        None
    }

    fn call(&mut self, it: CallExpr<'t>) -> Option<TermId> {
        let Some(Expr::Name(callee)) = it.callee() else {
            self.report(SpecMistake::UnsupportedExpression, it.span());
            return None;
        };
        let name = callee.name()?;
        let args: Vec<Expr<'t>> = it
            .args()
            .into_iter()
            .flat_map(|it| it.args())
            .filter_map(|it| it.value())
            .collect();
        if let Some(definition) = self.definitions.get(name.text()).cloned() {
            let sorts = definition.params.iter();
            let sorts: Vec<Sort> =
                sorts.map(|it| self.spec.terms.signature.var(*it).sort).collect();
            let args = self.args(&args, &sorts, it.span())?;
            let by: BTreeMap<VarId, TermId> = definition.params.into_iter().zip(args).collect();
            return Some(self.spec.terms.substitute(definition.body, &by));
        }
        let Some(fun) = self.funs.get(name.text()).copied() else {
            let names: Vec<&str> =
                self.funs.keys().chain(self.definitions.keys()).copied().collect();
            self.report_unknown(SpecName::Function, name, names);
            return None;
        };
        let sorts = self.spec.terms.signature.fun(fun).params.clone();
        let args = self.args(&args, &sorts, it.span())?;
        Some(self.spec.terms.app(fun, args))
    }

    fn args(&mut self, args: &[Expr<'t>], sorts: &[Sort], span: Span) -> Option<Vec<TermId>> {
        if args.len() != sorts.len() {
            let (expected, actual) = (sorts.len(), args.len());
            self.report(SpecMistake::ArgumentCount { expected, actual }, span);
            return None;
        }
        args.iter().zip(sorts).map(|(arg, sort)| self.expr_of(*arg, *sort)).collect()
    }

    fn binary(&mut self, it: BinaryExpr<'t>) -> Option<TermId> {
        let (lhs, rhs, op) = (it.lhs()?, it.rhs()?, it.op()?);
        match op {
            BinaryOp::And | BinaryOp::Or => {
                let parts = vec![self.condition(lhs)?, self.condition(rhs)?];
                let terms = &mut self.spec.terms;
                Some(if op == BinaryOp::And { terms.and(parts) } else { terms.or(parts) })
            }
            BinaryOp::Implies | BinaryOp::Iff => {
                let (left, right) = (self.condition(lhs)?, self.condition(rhs)?);
                let terms = &mut self.spec.terms;
                let is_implication = op == BinaryOp::Implies;
                Some(if is_implication {
                    terms.implies(left, right)
                } else {
                    terms.eq(left, right)
                })
            }
            BinaryOp::Eq | BinaryOp::Ne => {
                let (left, right) = (self.expr(lhs)?, self.expr(rhs)?);
                let sorts = [left, right].map(|it| self.spec.terms.sort(it));
                if sorts[0] != sorts[1] {
                    let [left, right] = sorts.map(|it| self.sort_text(it));
                    self.report(SpecMistake::DifferentSorts { left, right }, it.span());
                    return None;
                }
                let terms = &mut self.spec.terms;
                let equal = op == BinaryOp::Eq;
                Some(if equal { terms.eq(left, right) } else { terms.ne(left, right) })
            }
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                let left = self.expr_of(lhs, Sort::Int)?;
                let right = self.expr_of(rhs, Sort::Int)?;
                let terms = &mut self.spec.terms;
                let (smaller, larger) = if matches!(op, BinaryOp::Lt | BinaryOp::Le) {
                    (left, right)
                } else {
                    (right, left)
                };
                let is_strict = matches!(op, BinaryOp::Lt | BinaryOp::Gt);
                Some(if is_strict {
                    terms.lt(smaller, larger)
                } else {
                    terms.le(smaller, larger)
                })
            }
            BinaryOp::Add | BinaryOp::Sub => {
                let left = self.expr_of(lhs, Sort::Int)?;
                let right = self.expr_of(rhs, Sort::Int)?;
                let terms = &mut self.spec.terms;
                let is_sum = op == BinaryOp::Add;
                Some(if is_sum { terms.add(left, right) } else { terms.sub(left, right) })
            }
            BinaryOp::Mul => {
                let left = self.expr_of(lhs, Sort::Int)?;
                let right = self.expr_of(rhs, Sort::Int)?;
                let is_known = |it| self.spec.terms.vars(it).is_empty();
                if !is_known(left) && !is_known(right) {
                    self.report(SpecMistake::NonlinearProduct, it.span());
                    return None;
                }
                Some(self.spec.terms.mul(left, right))
            }
            BinaryOp::Pipe | BinaryOp::Concat | BinaryOp::Div | BinaryOp::Rem => {
                self.report(SpecMistake::UnsupportedExpression, it.span());
                None
            }
        }
    }
}

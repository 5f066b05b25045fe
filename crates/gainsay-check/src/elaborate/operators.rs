//! Elaborates operators.

use gainsay_core::{BuiltinId, Literal, Term, TermId, Ty, TyId, TypeTable, builtin};
use gainsay_source::Span;
use gainsay_syntax::ast::{BinaryExpr, BinaryOp, Expr, UnaryExpr, UnaryOp};

use super::calls::PendingArgument;
use super::exprs::TypeFit;
use super::{Elaborator, InferredType};
use crate::findings::{FloatEquality, MismatchHint, TypeMismatch};
use crate::number_literals::negate;

impl<'t> Elaborator<'_, 't> {
    pub(super) fn unary(&mut self, it: UnaryExpr<'t>) -> TermId {
        let span = it.span();
        let (Some(op), Some(operand)) = (it.op(), it.operand()) else { return self.hole(span) };
        match op {
            UnaryOp::Not => {
                let operand = self.check(operand, TypeTable::BOOL);
                self.builtin(builtin::BOOL_NOT, &[], &[operand], TypeTable::BOOL, span)
            }
            UnaryOp::Neg => self.negation(operand, span),
        }
    }

    /// `-e`; a literal with a sign is folded into a literal.
    fn negation(&mut self, operand: Expr<'t>, span: Span) -> TermId {
        // Folding also keeps `-9223372036854775808` a machine integer, unlike its absolute value.
        if let Expr::Literal(it) = operand {
            let literal = it.literal().and_then(|it| self.literal(it));
            let negated = literal.and_then(|(literal, ty)| Some((negate(literal)?, ty)));
            if let Some((literal, ty)) = negated {
                return self.term(Term::Literal(literal), ty, span);
            }
        }
        let operand = self.infer(operand);
        let ty = self.numeric_type(operand);
        let row = if ty == TypeTable::FLOAT { builtin::FLOAT_NEG } else { builtin::INT_NEG };
        self.builtin(row, &[], &[operand], ty, span)
    }

    /// `Int` or `Float`, whichever a term is; `Int` if it is not known.
    fn numeric_type(&mut self, term: TermId) -> TyId {
        let ty = self.ty(term);
        match self.inferred_type(ty) {
            InferredType::Known(Ty::Float) => TypeTable::FLOAT,
            // Defaults to `Int`: there is no overloading (decision 0004), so the type must be
            // decided here.
            InferredType::Known(Ty::Int) | InferredType::Unknown => {
                let span = self.frame().body.span(term);
                self.expect_type(ty, TypeTable::INT, span);
                TypeTable::INT
            }
            InferredType::Error => TypeTable::INT,
            InferredType::Known(_) => {
                let joins = matches!(self.shallow_type(ty), Ty::Str | Ty::List(_));
                let hint = joins.then_some(MismatchHint::JoinWithConcat);
                let actual = self.type_text(ty);
                let expected = "Int` or `Float".to_owned();
                let span = self.frame().body.span(term);
                self.report(TypeMismatch { expected, actual, span, hint });
                TypeTable::ERROR
            }
        }
    }

    pub(super) fn binary(&mut self, it: BinaryExpr<'t>, expected: Option<TyId>) -> TermId {
        let span = it.span();
        let (Some(op), Some(lhs), Some(rhs)) = (it.op(), it.lhs(), it.rhs()) else {
            for side in [it.lhs(), it.rhs()].into_iter().flatten() {
                self.infer(side);
            }
            return self.hole(span);
        };
        match op {
            BinaryOp::Pipe => self.pipe(lhs, rhs, span, expected),
            BinaryOp::And | BinaryOp::Or => {
                let lhs = self.check(lhs, TypeTable::BOOL);
                let rhs = self.check(rhs, TypeTable::BOOL);
                let term =
                    if op == BinaryOp::And { Term::And(lhs, rhs) } else { Term::Or(lhs, rhs) };
                self.term(term, TypeTable::BOOL, span)
            }
            BinaryOp::Implies => {
                let condition = self.check(lhs, TypeTable::BOOL);
                let then = self.check(rhs, TypeTable::BOOL);
                let literal = Term::Literal(Literal::Bool(true));
                let otherwise = self.term(literal, TypeTable::BOOL, span);
                let term = Term::If { condition, then, otherwise };
                self.term(term, TypeTable::BOOL, span)
            }
            BinaryOp::Iff => {
                let sides = [lhs, rhs].map(|it| self.check(it, TypeTable::BOOL));
                self.builtin(builtin::EQ, &[TypeTable::BOOL], &sides, TypeTable::BOOL, span)
            }
            BinaryOp::Concat => self.concat(lhs, rhs, span, expected),
            BinaryOp::Eq | BinaryOp::Ne => self.compare(op, lhs, rhs, span),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                self.compare(op, lhs, rhs, span)
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => {
                self.arithmetic(op, lhs, rhs, span)
            }
        }
    }

    /// `x |> f` is `f(x)`, and `x |> f(y)` is `f(x, y)`.
    fn pipe(
        &mut self,
        lhs: Expr<'t>,
        rhs: Expr<'t>,
        span: Span,
        expected: Option<TyId>,
    ) -> TermId {
        let value = self.infer(lhs);
        // Elaborated first: its type finds the function, and is the parameter type of a lambda.
        let piped = PendingArgument::Term(value, lhs.span());
        if let Expr::Call(call) = rhs {
            return self.call(call, Some(piped), expected);
        }
        if let Expr::Name(it) = rhs
            && let Some(name) = it.name()
        {
            return self.call_name(name, None, vec![piped], span, expected);
        }
        if let Expr::Method(it) = rhs
            && it.receiver().is_some_and(|it| self.namespace(it).is_some())
        {
            return self.method(it, Some(piped), expected);
        }
        if let Expr::Field(it) = rhs
            && let (Some(owner), Some(name)) = (it.receiver(), it.name())
            && let Some(namespace) = self.namespace(owner)
        {
            return match self.member(namespace, owner.node().text(), name) {
                Some(member) => {
                    self.call_member(member, None, vec![piped], span, name.span(), expected)
                }
                None => self.hole(span),
            };
        }
        // The parameter type is known from the left side, so the lambda needs no annotation.
        let callee = if let Expr::Lambda(it) = rhs {
            let param = self.ty(value);
            let result = self.fresh();
            let row = self.unifier.fresh_row(&mut self.checker.program.types);
            let ty = Ty::Function { params: Box::new([param]), result, row };
            let wanted = self.type_table().intern(ty);
            self.lambda(it, Some(wanted))
        } else {
            self.infer(rhs)
        };
        self.call_term(callee, vec![piped], span)
    }

    fn concat(
        &mut self,
        lhs: Expr<'t>,
        rhs: Expr<'t>,
        span: Span,
        expected: Option<TyId>,
    ) -> TermId {
        // An expected type of another sort is left out, so that the error is about `++` and not
        // about its left operand.
        let wanted =
            expected.filter(|ty| matches!(self.shallow_type(*ty), Ty::Str | Ty::List(_)));
        let lhs = match wanted {
            Some(ty) => self.check(lhs, ty),
            None => self.infer(lhs),
        };
        let ty = self.ty(lhs);
        let is_known = matches!(self.shallow_type(ty), Ty::Str | Ty::List(_));
        // Checked only against a type that can be joined: otherwise the error is about the left
        // operand.
        let rhs = if is_known { self.check(rhs, ty) } else { self.infer(rhs) };
        // The left side did not determine the type; perhaps the right side does.
        if let Ty::Var(_) = self.shallow_type(ty) {
            let (right, at) = (self.ty(rhs), self.frame().body.span(lhs));
            self.expect_type(ty, right, at);
        }
        match self.inferred_type(ty) {
            InferredType::Known(Ty::Str) => {
                self.builtin(builtin::STR_CONCAT, &[], &[lhs, rhs], TypeTable::STR, span)
            }
            InferredType::Known(Ty::List(item)) => {
                let ty = self.type_table().intern(Ty::List(item));
                self.builtin(builtin::LIST_CONCAT, &[item], &[lhs, rhs], ty, span)
            }
            InferredType::Error => self.hole(span),
            InferredType::Unknown | InferredType::Known(_) => {
                let actual = self.type_text(ty);
                let expected = "Str` or `List<_>".to_owned();
                let span = self.frame().body.span(lhs);
                let hint = Some(MismatchHint::ShowNumber);
                self.report(TypeMismatch { expected, actual, span, hint });
                self.hole(span)
            }
        }
    }

    fn compare(&mut self, op: BinaryOp, lhs: Expr<'t>, rhs: Expr<'t>, span: Span) -> TermId {
        let left = self.infer(lhs);
        let ty = self.ty(left);
        let right = self.check(rhs, ty);
        let equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
        if equality && matches!(self.shallow_type(ty), Ty::Float) {
            self.report(FloatEquality { span });
        }
        let row = builtin::comparison_written(op.symbol()).unwrap_or(builtin::EQ);
        self.builtin(row, &[ty], &[left, right], TypeTable::BOOL, span)
    }

    fn arithmetic(&mut self, op: BinaryOp, lhs: Expr<'t>, rhs: Expr<'t>, span: Span) -> TermId {
        let left = self.infer(lhs);
        let right = self.infer(rhs);
        let (left_ty, right_ty) = (self.ty(left), self.ty(right));
        let ty = match (self.shallow_type(left_ty), self.shallow_type(right_ty)) {
            (Ty::Error, _) | (_, Ty::Error) => return self.hole(span),
            (Ty::Int, Ty::Float) => return self.report_mixed_numbers(lhs.span()),
            (Ty::Float, Ty::Int) => return self.report_mixed_numbers(rhs.span()),
            // The right side may determine what the left side does not.
            (Ty::Var(_), _) => {
                let ty = self.numeric_type(right);
                self.expect_type(left_ty, ty, lhs.span());
                ty
            }
            (_, _) => {
                let ty = self.numeric_type(left);
                if ty != TypeTable::ERROR
                    && self.expect_type(right_ty, ty, rhs.span()) == TypeFit::No
                {
                    return self.hole(span);
                }
                ty
            }
        };
        if ty == TypeTable::ERROR {
            return self.hole(span);
        }
        self.builtin(arithmetic_builtin(op, ty), &[], &[left, right], ty, span)
    }

    /// Reports an `Int` operand beside a `Float`: the `Int` is the one that can be converted.
    fn report_mixed_numbers(&mut self, span: Span) -> TermId {
        let (expected, actual) = ("Float".to_owned(), "Int".to_owned());
        let hint = Some(MismatchHint::IntToFloat);
        self.report(TypeMismatch { expected, actual, span, hint });
        self.hole(span)
    }
}

/// The `Int` and `Float` builtins of each arithmetic operator.
const ARITHMETIC: [(BinaryOp, BuiltinId, BuiltinId); 5] = [
    (BinaryOp::Add, builtin::INT_ADD, builtin::FLOAT_ADD),
    (BinaryOp::Sub, builtin::INT_SUB, builtin::FLOAT_SUB),
    (BinaryOp::Mul, builtin::INT_MUL, builtin::FLOAT_MUL),
    (BinaryOp::Div, builtin::INT_DIV, builtin::FLOAT_DIV),
    (BinaryOp::Rem, builtin::INT_REM, builtin::FLOAT_REM),
];

fn arithmetic_builtin(op: BinaryOp, ty: TyId) -> BuiltinId {
    let row = ARITHMETIC.iter().find(|(it, ..)| *it == op).unwrap_or(&ARITHMETIC[0]);
    if ty == TypeTable::FLOAT { row.2 } else { row.1 }
}

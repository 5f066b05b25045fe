//! Elaborates expressions: the two directions of type inference, and the simple forms.
//!
//! `infer` synthesizes the type of an expression; `check` pushes an expected type into it. The
//! expected type reaches lambdas, branches, blocks, lists, tuples, calls and constructors; every
//! other form is inferred and compared (Dunfield and Krishnaswami, "Bidirectional typing", 2021).

use std::sync::Arc;

use gainsay_core::{Literal, Term, TermId, Ty, TyId, TypeTable, builtin};
use gainsay_source::Span;
use gainsay_syntax::ast::{self, Expr, ListExpr, ListItem, LiteralKind, TupleExpr, Type};

use super::Elaborator;
use crate::findings::{
    HugeNumber, LiteralInterpolation, MismatchHint, MisplacedForm, MisplacedFormKind,
    SelfContainingType, TypeMismatch,
};
use crate::number_literals::{MAX_DIGITS, parse_integer};
use crate::unify::UnifyError;

/// Whether a type is accepted where another is expected.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum TypeFit {
    /// It is.
    Yes,
    /// It is not, and the mismatch was reported.
    No,
}

impl<'t> Elaborator<'_, 't> {
    /// Elaborates an expression and infers its type.
    pub(crate) fn infer(&mut self, expr: Expr<'t>) -> TermId {
        self.expr(expr, None)
    }

    /// Elaborates an expression that must have the expected type.
    pub(crate) fn check(&mut self, expr: Expr<'t>, expected: TyId) -> TermId {
        // The expected type is a hint for inference here; it is enforced below, for all forms
        // alike.
        let term = self.expr(expr, Some(expected));
        let actual = self.ty(term);
        // On a mismatch the term becomes a hole, so that enclosing expressions do not report it
        // again.
        match self.expect_type(actual, expected, value_span(expr)) {
            TypeFit::Yes => term,
            TypeFit::No => self.hole(expr.span()),
        }
    }

    fn expr(&mut self, expr: Expr<'t>, expected: Option<TyId>) -> TermId {
        let span = expr.span();
        match expr {
            Expr::Name(it) => match it.name() {
                Some(name) => self.name(name),
                None => self.hole(span),
            },
            Expr::Literal(it) => self.literal_expr(it.literal(), span),
            Expr::Call(it) => self.call(it, None, expected),
            Expr::Method(it) => self.method(it, None, expected),
            Expr::Field(it) => self.field(it),
            Expr::Index(it) => self.index(it),
            Expr::Binary(it) => self.binary(it, expected),
            Expr::Unary(it) => self.unary(it),
            Expr::Paren(it) => match it.inner() {
                Some(inner) => self.expr(inner, expected),
                None => self.hole(span),
            },
            Expr::Tuple(it) => self.tuple(it, expected),
            Expr::List(it) => self.list(it, expected),
            Expr::Record(it) => self.record(it, expected),
            Expr::Update(it) => self.update(it),
            Expr::Block(it) => self.block(it, expected),
            Expr::If(it) => self.if_expr(it, expected),
            Expr::Match(it) => self.match_expr(it, expected),
            Expr::Lambda(it) => self.lambda(it, expected),
            Expr::Try(it) => self.try_expr(it),
            Expr::Sample(it) => self.sample(it),
            Expr::Observe(it) => self.observe(it),
            Expr::Assume(it) => self.assume(it),
            Expr::Throws(it) => self.throws(it),
            Expr::Under(it) => self.under(it, expected),
            Expr::Across(it) => self.across(it),
            Expr::Par(it) => self.par(it),
            Expr::Hole(_) if self.in_rule => self.anonymous_variable(span),
            Expr::Hole(_) => self.report_misplaced(MisplacedFormKind::HoleAsValue, span),
            Expr::Range(_) => self.report_misplaced(MisplacedFormKind::Range, span),
        }
    }

    pub(super) fn report_misplaced(&mut self, form: MisplacedFormKind, span: Span) -> TermId {
        self.report(MisplacedForm { form, span });
        self.hole(span)
    }

    /// A type annotation inside a body.
    pub(super) fn annotation(&mut self, ty: Type<'t>) -> TyId {
        let mut scope = std::mem::take(&mut self.types);
        let annotated = self.checker.annotate(&mut scope, Some(ty));
        self.types = scope;
        annotated
    }

    /// Reports a mismatch unless a value of type `actual` is accepted where `expected` is expected.
    pub(super) fn expect_type(&mut self, actual: TyId, expected: TyId, span: Span) -> TypeFit {
        let because = Self::constraint_origin(span);
        let types = &mut self.checker.program.types;
        let Err(clash) = self.unifier.subsume(types, actual, expected, because) else {
            return TypeFit::Yes;
        };
        // An error in a part was reported there; a mismatch because of it is no news.
        if self.is_error(actual) || self.is_error(expected) {
            return TypeFit::No;
        }
        // The hint is derived from the types before they become text.
        let hint = self.type_mismatch_hint(actual, expected);
        let (wanted, found) = (expected, actual);
        let (mut expected, mut actual) = (self.type_text(expected), self.type_text(actual));
        // Two types of the same name from different modules: only the qualified names tell them
        // apart.
        if expected == actual {
            expected = self.with_module(wanted, expected);
            actual = self.with_module(found, actual);
        }
        match clash {
            UnifyError::Mismatch => {
                self.report(TypeMismatch { expected, actual, span, hint });
            }
            UnifyError::InfiniteType => {
                self.report(SelfContainingType { left: actual, right: expected, span });
            }
        }
        TypeFit::No
    }

    /// The text of a type, qualified by its module.
    fn with_module(&self, ty: TyId, text: String) -> String {
        match self.method_module(ty) {
            Some(home) => format!("{}.{text}", self.checker.scope(home).name),
            None => text,
        }
    }

    /// What usually helps when one type is given for another.
    fn type_mismatch_hint(&mut self, actual: TyId, expected: TyId) -> Option<MismatchHint> {
        let (found, wanted) = (self.shallow_type(actual), self.shallow_type(expected));
        let lang = self.checker.program.lang;
        let is = |ty: &Ty, id| matches!(ty, Ty::Named(name, _) if Some(*name) == id);
        // The first that applies: numbers and text before the general advice to wrap or to unwrap.
        Some(match (found, wanted) {
            (Ty::Int, Ty::Float) => MismatchHint::IntToFloat,
            (Ty::Float, Ty::Int) => MismatchHint::FloatToInt,
            (Ty::Char, Ty::Str) => MismatchHint::CharToStr,
            (Ty::Int | Ty::Float | Ty::Bool, Ty::Str) => MismatchHint::Show,
            (Ty::Function { params, .. }, Ty::Function { params: wanted, .. })
                if params.len() != wanted.len() =>
            {
                let (expected, actual) = (wanted.len(), params.len());
                MismatchHint::ParameterCount { expected, actual }
            }
            (Ty::Function { .. }, wanted) if !matches!(wanted, Ty::Function { .. }) => {
                MismatchHint::CallFunction
            }
            (Ty::Tuple(parts), _) if parts.is_empty() => MismatchHint::EndWithValue,
            (_, Ty::Tuple(parts)) if parts.is_empty() => {
                MismatchHint::DropOrReturn(self.type_text(actual))
            }
            (found, wanted) if is(&wanted, lang.option) && !is(&found, lang.option) => {
                MismatchHint::WrapInSome
            }
            (found, wanted) if is(&wanted, lang.result) && !is(&found, lang.result) => {
                MismatchHint::WrapInOk
            }
            (found, _) if is(&found, lang.option) || is(&found, lang.result) => {
                MismatchHint::Unwrap
            }
            _ => return None,
        })
    }

    fn literal_expr(&mut self, literal: Option<ast::LiteralToken<'t>>, span: Span) -> TermId {
        if let Some(literal) = literal
            && literal.kind() == LiteralKind::Str
        {
            self.warn_of_interpolation(literal);
        }
        match literal.and_then(|it| self.literal(it)) {
            Some((value, ty)) => self.term(Term::Literal(value), ty, span),
            None => self.hole(span),
        }
    }

    /// Warns about `"${x}"` where `x` is a variable: other languages interpolate there.
    fn warn_of_interpolation(&mut self, literal: ast::LiteralToken<'t>) {
        let text = literal.text();
        let mut parts = text.split("${").skip(1).filter_map(|it| it.split_once('}'));
        // Only names in scope: other text that looks like this is more likely meant as it is.
        let locals = self.local_names();
        if let Some((name, _)) = parts.find(|(name, _)| locals.contains(name)) {
            let (variable, span) = (name.to_owned(), literal.span());
            self.report(LiteralInterpolation { variable, span });
        }
    }

    /// The value and type of a literal; `None` if it is malformed, which the parser has reported.
    pub(super) fn literal(&mut self, it: ast::LiteralToken<'t>) -> Option<(Literal, TyId)> {
        Some(match it.kind() {
            LiteralKind::Int => {
                let digits = it.int_digits()?;
                // Before parsing, which takes quadratic time.
                if digits.digits.len() > MAX_DIGITS {
                    let n_digits = digits.digits.len();
                    let span = it.span();
                    self.report(HugeNumber { n_digits, most: MAX_DIGITS, span });
                    return None;
                }
                (parse_integer(&digits.digits, digits.radix)?, TypeTable::INT)
            }
            LiteralKind::Float => (Literal::Float(it.float_value()?), TypeTable::FLOAT),
            LiteralKind::Str => (Literal::Str(Arc::from(it.string_value()?)), TypeTable::STR),
            LiteralKind::Char => (Literal::Char(it.char_value()?), TypeTable::CHAR),
            LiteralKind::Bool => (Literal::Bool(it.bool_value()?), TypeTable::BOOL),
        })
    }

    fn tuple(&mut self, it: TupleExpr<'t>, expected: Option<TyId>) -> TermId {
        let parts: Vec<Expr<'t>> = it.parts().collect();
        let wanted: Box<[TyId]> = match expected.map(|ty| self.shallow_type(ty)) {
            // With another number of parts, infer them; the comparison with the expected type
            // reports it.
            Some(Ty::Tuple(wanted)) if wanted.len() == parts.len() => wanted,
            _ => Box::default(),
        };
        let mut terms = Vec::new();
        for (at, part) in parts.into_iter().enumerate() {
            terms.push(match wanted.get(at) {
                Some(ty) => self.check(part, *ty),
                None => self.infer(part),
            });
        }
        let tys = terms.iter().map(|it| self.ty(*it)).collect();
        let ty = self.type_table().intern(Ty::Tuple(tys));
        self.term(Term::Tuple(terms.into()), ty, it.span())
    }

    /// `[a, b, ..rest]`; a spread elsewhere than at the end becomes a concatenation.
    fn list(&mut self, it: ListExpr<'t>, expected: Option<TyId>) -> TermId {
        let span = it.span();
        let item = match expected.map(|ty| self.shallow_type(ty)) {
            Some(Ty::List(item)) => item,
            _ => self.fresh(),
        };
        let ty = self.type_table().intern(Ty::List(item));
        // A list is a sequence of pieces, each some items followed by at most one spread. Built
        // from the right, since core lists have a tail only at the end.
        let mut pieces: Vec<(Vec<TermId>, Option<TermId>)> = vec![(Vec::new(), None)];
        for entry in it.items() {
            let piece = pieces.last_mut().expect("never empty");
            if piece.1.is_some() {
                pieces.push((Vec::new(), None));
            }
            let term = match entry {
                ListItem::Item(expr) => (self.check(expr, item), false),
                ListItem::Spread(spread) => match spread.list() {
                    Some(list) => (self.check(list, ty), true),
                    None => (self.hole(spread.span()), true),
                },
            };
            let piece = pieces.last_mut().expect("never empty");
            match term {
                (term, false) => piece.0.push(term),
                (term, true) => piece.1 = Some(term),
            }
        }
        let mut whole: Option<TermId> = None;
        for (items, rest) in pieces.into_iter().rev() {
            let rest = match (rest, whole) {
                (Some(rest), Some(whole)) => {
                    Some(self.builtin(builtin::LIST_CONCAT, &[item], &[rest, whole], ty, span))
                }
                (Some(rest), None) => Some(rest),
                (None, whole) => whole,
            };
            whole = Some(match (items.is_empty(), rest) {
                (true, Some(rest)) => rest,
                (_, rest) => self.term(Term::List { items: items.into(), rest }, ty, span),
            });
        }
        whole.expect("there is at least one piece")
    }

    /// Applies a builtin to terms.
    pub(super) fn builtin(
        &mut self,
        builtin: gainsay_core::BuiltinId,
        type_args: &[TyId],
        args: &[TermId],
        ty: TyId,
        span: Span,
    ) -> TermId {
        let term = Term::Builtin { builtin, type_args: type_args.into(), args: args.into() };
        self.term(term, ty, span)
    }
}

/// The part of an expression that yields its value: type errors point there.
pub(super) fn value_span(expr: Expr<'_>) -> Span {
    let Expr::Block(block) = expr else { return expr.span() };
    block.tail().map_or(block.span(), value_span)
}

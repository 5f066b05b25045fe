//! A builder for core: writes the body of one function bottom-up.

use std::sync::Arc;

use gainsay_core::{
    Arm, Body, BuiltinId, CtorId, Function, FunctionId, FunctionKind, Literal, LocalId,
    ModuleId, ObserveStrength, OpId, Param, Pattern, RowId, Statement, Term, TermId, TyId,
    TypeTable, builtin,
};
use gainsay_source::Span;
use num_bigint::BigInt;
use num_traits::ToPrimitive as _;

/// A body under construction. All its terms get the current source span.
pub(crate) struct CoreBuilder {
    pub(crate) body: Body,
    n_params: usize,
    span: Span,
}

/// What a finished function has besides its body.
pub(crate) struct FunctionHeader {
    pub(crate) name: Box<str>,
    pub(crate) module: ModuleId,
    pub(crate) kind: FunctionKind,
    pub(crate) n_captures: u32,
    pub(crate) result: TyId,
    pub(crate) row: RowId,
}

impl CoreBuilder {
    pub(crate) fn new(span: Span) -> Self {
        CoreBuilder { body: Body::default(), n_params: 0, span }
    }

    /// Sets the source span of the terms that follow.
    pub(crate) fn set_span(&mut self, span: Span) {
        self.span = span;
    }

    /// Adds a parameter; all parameters must come before other locals.
    pub(crate) fn param(&mut self, name: &str, ty: TyId) -> LocalId {
        self.n_params += 1;
        self.body.add_local(name, ty, self.span)
    }

    pub(crate) fn add(&mut self, term: Term, ty: TyId) -> TermId {
        self.body.add(term, ty, self.span)
    }

    pub(crate) fn int(&mut self, int: i64) -> TermId {
        self.add(Term::Literal(Literal::Int(int)), TypeTable::INT)
    }

    pub(crate) fn big(&mut self, int: &BigInt) -> TermId {
        let literal = match int.to_i64() {
            Some(int) => Literal::Int(int),
            None => Literal::Big(Arc::new(int.clone())),
        };
        self.add(Term::Literal(literal), TypeTable::INT)
    }

    pub(crate) fn float(&mut self, float: f64) -> TermId {
        self.add(Term::Literal(Literal::Float(float)), TypeTable::FLOAT)
    }

    pub(crate) fn literal(&mut self, literal: Literal, ty: TyId) -> TermId {
        self.add(Term::Literal(literal), ty)
    }

    pub(crate) fn char(&mut self, char: char) -> TermId {
        self.add(Term::Literal(Literal::Char(char)), TypeTable::CHAR)
    }

    pub(crate) fn str(&mut self, text: &Arc<str>) -> TermId {
        self.add(Term::Literal(Literal::Str(Arc::clone(text))), TypeTable::STR)
    }

    pub(crate) fn unit(&mut self) -> TermId {
        self.tuple(Box::default(), TypeTable::UNIT)
    }

    pub(crate) fn local(&mut self, local: LocalId) -> TermId {
        let ty = self.body.local(local).ty;
        self.add(Term::Local(local), ty)
    }

    pub(crate) fn locals(&mut self, locals: &[LocalId]) -> Vec<TermId> {
        locals.iter().map(|it| self.local(*it)).collect()
    }

    pub(crate) fn tuple(&mut self, parts: Box<[TermId]>, ty: TyId) -> TermId {
        self.add(Term::Tuple(parts), ty)
    }

    pub(crate) fn construct(&mut self, ctor: CtorId, args: Box<[TermId]>, ty: TyId) -> TermId {
        self.add(Term::Construct { ctor, args }, ty)
    }

    /// `[item, ..rest]`, or the empty list.
    pub(crate) fn list(&mut self, items: &[TermId], rest: Option<TermId>, ty: TyId) -> TermId {
        self.add(Term::List { items: items.into(), rest }, ty)
    }

    pub(crate) fn call(&mut self, function: FunctionId, args: Vec<TermId>, ty: TyId) -> TermId {
        self.generic_call(function, Box::default(), args, ty)
    }

    pub(crate) fn generic_call(
        &mut self,
        function: FunctionId,
        type_args: Box<[TyId]>,
        args: Vec<TermId>,
        ty: TyId,
    ) -> TermId {
        self.add(Term::Call { function, type_args, args: args.into() }, ty)
    }

    pub(crate) fn call_value(&mut self, callee: TermId, args: Vec<TermId>, ty: TyId) -> TermId {
        self.add(Term::CallValue { callee, args: args.into() }, ty)
    }

    pub(crate) fn closure(
        &mut self,
        function: FunctionId,
        captures: Vec<TermId>,
        ty: TyId,
    ) -> TermId {
        self.add(Term::Closure { function, captures: captures.into() }, ty)
    }

    pub(crate) fn perform(&mut self, op: OpId, args: Vec<TermId>, ty: TyId) -> TermId {
        self.generic_perform(op, Box::default(), args, ty)
    }

    pub(crate) fn generic_perform(
        &mut self,
        op: OpId,
        type_args: Box<[TyId]>,
        args: Vec<TermId>,
        ty: TyId,
    ) -> TermId {
        self.add(Term::Perform { op, type_args, args: args.into() }, ty)
    }

    /// An operation with constant integers as arguments.
    pub(crate) fn perform_with_ints(&mut self, op: OpId, args: &[i64]) -> TermId {
        let args = args.iter().map(|it| self.int(*it)).collect();
        self.perform(op, args, TypeTable::INT)
    }

    pub(crate) fn builtin(
        &mut self,
        builtin: BuiltinId,
        type_args: &[TyId],
        args: &[TermId],
        ty: TyId,
    ) -> TermId {
        self.add(Term::Builtin { builtin, type_args: type_args.into(), args: args.into() }, ty)
    }

    /// Arithmetic on an integer and a constant.
    pub(crate) fn arithmetic(&mut self, builtin: BuiltinId, a: TermId, b: i64) -> TermId {
        let b = self.int(b);
        self.builtin(builtin, &[], &[a, b], TypeTable::INT)
    }

    /// A comparison of an integer with a constant.
    pub(crate) fn compare(&mut self, builtin: BuiltinId, a: TermId, b: i64) -> TermId {
        let b = self.int(b);
        self.builtin(builtin, &[TypeTable::INT], &[a, b], TypeTable::BOOL)
    }

    pub(crate) fn equals_int(&mut self, a: TermId, b: i64) -> TermId {
        self.compare(builtin::EQ, a, b)
    }

    pub(crate) fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.add(Term::And(a, b), TypeTable::BOOL)
    }

    pub(crate) fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.add(Term::Or(a, b), TypeTable::BOOL)
    }

    pub(crate) fn if_(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        let ty = self.body.ty(then);
        self.add(Term::If { condition, then, otherwise }, ty)
    }

    pub(crate) fn assume(&mut self, condition: TermId) -> TermId {
        self.add(Term::Assume(condition), TypeTable::UNIT)
    }

    pub(crate) fn observe(&mut self, condition: TermId, strength: ObserveStrength) -> TermId {
        self.add(Term::Observe { condition, strength }, TypeTable::UNIT)
    }

    /// A match that selects one of some terms by an index from 0.
    pub(crate) fn choose_by_index(&mut self, number: TermId, mut terms: Vec<TermId>) -> TermId {
        let Some(last) = terms.pop() else { return number };
        if terms.is_empty() {
            // Evaluate the index all the same: it may be a draw, and a draw is an effect.
            let dropped = Statement::Drop(number);
            return self.block(vec![dropped], last);
        }
        let ty = self.body.ty(last);
        let mut arms = Vec::new();
        for (at, body) in (0..).zip(terms) {
            let pattern = self.body.add_pattern(Pattern::Literal(Literal::Int(at)));
            arms.push(Arm { pattern, weight: None, guard: None, body });
        }
        let pattern = self.body.add_pattern(Pattern::Wildcard);
        arms.push(Arm { pattern, weight: None, guard: None, body: last });
        self.add(Term::Match { scrutinee: number, arms: arms.into() }, ty)
    }

    /// A match on an option.
    pub(crate) fn match_option(
        &mut self,
        option: TermId,
        (some, content, then): (CtorId, LocalId, TermId),
        otherwise: TermId,
    ) -> TermId {
        let ty = self.body.ty(then);
        let bind = self.body.add_pattern(Pattern::Bind(content));
        let pattern = self.body.add_pattern(Pattern::Ctor(some, [bind].into()));
        let with = Arm { pattern, weight: None, guard: None, body: then };
        let pattern = self.body.add_pattern(Pattern::Wildcard);
        let without = Arm { pattern, weight: None, guard: None, body: otherwise };
        self.add(Term::Match { scrutinee: option, arms: [with, without].into() }, ty)
    }

    /// A match of one pattern, and what follows if it does not fit.
    pub(crate) fn match_pattern(
        &mut self,
        scrutinee: TermId,
        (pattern, then): (Pattern, TermId),
        otherwise: TermId,
    ) -> TermId {
        let ty = self.body.ty(then);
        let pattern = self.body.add_pattern(pattern);
        let with = Arm { pattern, weight: None, guard: None, body: then };
        let pattern = self.body.add_pattern(Pattern::Wildcard);
        let without = Arm { pattern, weight: None, guard: None, body: otherwise };
        self.add(Term::Match { scrutinee, arms: [with, without].into() }, ty)
    }

    /// A pattern that binds locals.
    pub(crate) fn bind_patterns(
        &mut self,
        locals: &[LocalId],
    ) -> Box<[gainsay_core::PatternId]> {
        locals.iter().map(|it| self.body.add_pattern(Pattern::Bind(*it))).collect()
    }

    pub(crate) fn new_local(&mut self, name: &str, ty: TyId) -> LocalId {
        self.body.add_local(name, ty, self.span)
    }

    /// Binds a value to a new local.
    pub(crate) fn bind(&mut self, name: &str, value: TermId) -> (LocalId, Statement) {
        let local = self.new_local(name, self.body.ty(value));
        let pattern = self.body.add_pattern(Pattern::Bind(local));
        (local, Statement::Let(pattern, value))
    }

    pub(crate) fn block(&mut self, statements: Vec<Statement>, result: TermId) -> TermId {
        let ty = self.body.ty(result);
        if statements.is_empty() {
            return result;
        }
        self.add(Term::Block { statements: statements.into(), result }, ty)
    }

    /// The function with the finished body.
    pub(crate) fn finish(mut self, header: FunctionHeader, root: TermId) -> Function {
        self.body.root = Some(root);
        // Parameters are the first locals.
        let params = self.body.locals[..self.n_params].iter();
        let param = |it: &gainsay_core::Local| Param {
            name: it.name.clone(),
            ty: it.ty,
            span: it.span,
        };
        Function {
            name: header.name,
            module: header.module,
            span: self.span,
            kind: header.kind,
            type_params: Box::default(),
            effect_params: Box::default(),
            n_captures: header.n_captures,
            params: params.map(param).collect(),
            result: header.result,
            row: header.row,
            requires: Box::default(),
            ensures: Box::default(),
            body: self.body,
            attributes: Default::default(),
        }
    }
}

//! Elaborates closures: lambdas, and the parts of other forms that become closures.

use gainsay_core::{
    Body, BuiltinId, Clause, FunctionId, FunctionKind, LocalId, Param, RowId, Term, TermId, Ty,
    TyId,
};
use gainsay_source::Span;
use gainsay_syntax::ast::{Expr, LambdaExpr, Pattern};

use super::Elaborator;
use super::frame::{BodyFrame, FinishedBody, IsGuarded, PendingMatch, PendingMatchKind};
use crate::checker::Checker;
use crate::declarations::identity_args;
use crate::effect_rows::EffectLimit;

/// A parameter of a closure: a name, or `None` if a pattern destructures it.
pub(super) struct ClosureParam<'t> {
    pub(super) name: Option<&'t str>,
    pub(super) ty: TyId,
    pub(super) span: Span,
}

/// Gives a standard function without a body one: the builtin applied to the parameters.
pub(super) fn builtin_wrapper(checker: &mut Checker<'_>, id: FunctionId, builtin: BuiltinId) {
    let n = checker.program.function(id).type_params.len();
    let type_args = identity_args(&mut checker.program.types, n);
    let function = &mut checker.program.functions[id.index()];
    let (span, result) = (function.span, function.result);
    let params: Vec<TyId> = function.params.iter().map(|it| it.ty).collect();
    let args = params
        .iter()
        .enumerate()
        .map(|(at, ty)| function.body.add(Term::Local(LocalId(at as u32)), *ty, span))
        .collect();
    let root = function.body.add(Term::Builtin { builtin, type_args, args }, result, span);
    function.body.root = Some(root);
}

impl<'t> Elaborator<'_, 't> {
    /// Enters the body of a function with a known signature.
    pub(super) fn enter_declared(&mut self, id: FunctionId, demand: EffectLimit) {
        let function = &mut self.checker.program.functions[id.index()];
        let body = std::mem::take(&mut function.body);
        let (row, result) = (function.row, function.result);
        let params: Vec<(LocalId, Span)> = (0..function.params.len())
            .map(|at| (LocalId(at as u32), function.params[at].span))
            .collect();
        let mut frame = BodyFrame::new(id, body, result);
        frame.push_effect_sink(row, demand);
        self.frames.push(frame);
        let tree = self.checker.scope(self.module).tree;
        for (local, span) in params {
            let name = tree.text().get(span.start as usize..span.end as usize).unwrap_or("_");
            // The parameter of a predicate is called `it`, whatever its span covers.
            let name = if self.in_refinement { "it" } else { name };
            self.bind_param(name, local, span);
        }
    }

    /// Leaves the body of a function with a known signature.
    pub(super) fn leave_declared(
        &mut self,
        root: TermId,
        requires: Vec<Clause>,
        ensures: Vec<Clause>,
    ) {
        let mut frame = self.frames.pop().expect("a frame was entered");
        frame.body.root = Some(root);
        let function = &mut self.checker.program.functions[frame.function.index()];
        function.body = std::mem::take(&mut frame.body);
        function.requires = requires.into();
        function.ensures = ensures.into();
        let BodyFrame { function, matches, alternatives, .. } = frame;
        self.finished.push(FinishedBody { function, matches, alternatives });
    }

    /// The whole body of a function that is a single expression.
    pub(super) fn simple_body(
        &mut self,
        id: FunctionId,
        expr: Option<Expr<'t>>,
        demand: EffectLimit,
    ) {
        self.enter_declared(id, demand);
        let expected = self.frame().result;
        let span = self.checker.program.function(id).span;
        let root = match expr {
            Some(expr) => self.check(expr, expected),
            None => self.hole(span),
        };
        self.leave_declared(root, Vec::new(), Vec::new());
    }

    /// A closure with these parameters, whose body `build` elaborates; returns its term and its
    /// row.
    ///
    /// The row of the closure is a fresh variable; callers of the closure perform it.
    pub(super) fn closure(
        &mut self,
        span: Span,
        params: &[ClosureParam<'t>],
        result: TyId,
        build: impl FnOnce(&mut Self, &[LocalId]) -> TermId,
    ) -> (TermId, RowId) {
        let outer = self.frame().function;
        let parent = self.checker.program.function(outer);
        // A lambda refers to the parameters of its function by index, so it needs the same lists.
        let (type_params, effect_params) =
            (parent.type_params.clone(), parent.effect_params.clone());
        let name = parent.name.clone();
        let id =
            self.checker.new_function(&name, self.module, span, FunctionKind::Lambda(outer));
        // A variable, not the row of the enclosing function: creating a closure performs nothing.
        // What its body performs flows into this row, and from there to wherever the closure is
        // called.
        let row = self.unifier.fresh_row(&mut self.checker.program.types);
        let mut body = Body::default();
        for param in params {
            body.add_local(param.name.unwrap_or("_"), param.ty, param.span);
        }
        let mut frame = BodyFrame::new(id, body, result);
        // The limit is never consulted: the right side is a variable, and only rigid ones can be
        // violated.
        frame.push_effect_sink(row, EffectLimit::Signature);
        self.frames.push(frame);
        let locals: Vec<LocalId> = (0..params.len() as u32).map(LocalId).collect();
        for (param, local) in params.iter().zip(&locals) {
            if let Some(name) = param.name {
                self.bind_param(name, *local, param.span);
            }
        }
        let root = build(self, &locals);
        let mut frame = self.frames.pop().expect("a frame was entered");
        frame.body.root = Some(root);
        // Only now are all captures known: the body discovers them.
        frame.put_captures_first();
        let captures: Vec<LocalId> = frame.captures.iter().map(|(outer, _)| *outer).collect();
        let param_tys: Vec<TyId> = params.iter().map(|it| it.ty).collect();
        let function = &mut self.checker.program.functions[id.index()];
        function.type_params = type_params;
        function.effect_params = effect_params;
        function.n_captures = captures.len() as u32;
        let locals = frame.body.locals[..frame.n_params].iter();
        function.params = locals
            .map(|it| Param { name: it.name.clone(), ty: it.ty, span: it.span })
            .collect();
        function.result = result;
        function.row = row;
        function.body = frame.body;
        let (matches, alternatives) = (frame.matches, frame.alternatives);
        self.finished.push(FinishedBody { function: id, matches, alternatives });
        let captures = captures
            .into_iter()
            .map(|local| {
                let ty = self.frame().body.local(local).ty;
                self.term(Term::Local(local), ty, span)
            })
            .collect();
        let ty = Ty::Function { params: param_tys.into(), result, row };
        let ty = self.type_table().intern(ty);
        (self.term(Term::Closure { function: id, captures }, ty, span), row)
    }

    /// `|x, (a, b), y: T| body`, checked against the expected function type if there is one.
    pub(super) fn lambda(&mut self, it: LambdaExpr<'t>, expected: Option<TyId>) -> TermId {
        let wanted = expected.map(|ty| self.shallow_type(ty));
        let (wanted_params, wanted_result) = match wanted {
            Some(Ty::Function { params, result, .. }) => (params, Some(result)),
            _ => (Box::default(), None),
        };
        let ast: Vec<_> = it.params().collect();
        let mut params = Vec::new();
        for (at, param) in ast.iter().enumerate() {
            let ty = match param.ty() {
                Some(ty) => {
                    let mut scope = std::mem::take(&mut self.types);
                    let annotated = self.checker.annotate(&mut scope, Some(ty));
                    self.types = scope;
                    annotated
                }
                None => match wanted_params.get(at) {
                    // With a different number of parameters the types would be paired wrongly. The
                    // mismatch itself is reported when the lambda's type is compared with the
                    // expected one.
                    Some(ty) if wanted_params.len() == ast.len() => *ty,
                    _ => self.fresh(),
                },
            };
            let name = match param.pattern() {
                Some(Pattern::Bind(bind)) => bind.name().map(|it| it.text()),
                _ => None,
            };
            params.push(ClosureParam { name, ty, span: param.span() });
        }
        let result = wanted_result.unwrap_or_else(|| self.fresh());
        let patterns: Vec<Option<Pattern<'t>>> = ast.iter().map(|it| it.pattern()).collect();
        let span = it.span();
        let mut is_broken = false;
        let (term, _) = self.closure(span, &params, result, |this, locals| {
            let body = this.lambda_body(it, &patterns, locals, result);
            // Calls look for errors in the outermost type of an argument only (`any_error`), so a
            // lambda with a broken body becomes a hole as a whole.
            is_broken = matches!(this.shallow_type(this.ty(body)), Ty::Error);
            body
        });
        if is_broken { self.hole(span) } else { term }
    }

    /// The body of a lambda, after destructuring its pattern parameters.
    fn lambda_body(
        &mut self,
        it: LambdaExpr<'t>,
        patterns: &[Option<Pattern<'t>>],
        locals: &[LocalId],
        result: TyId,
    ) -> TermId {
        let span = it.span();
        let mark = self.enter_scope();
        let mut statements = Vec::new();
        for (pattern, local) in patterns.iter().zip(locals) {
            let Some(pattern) = pattern else { continue };
            // A plain name is the parameter itself and was bound when the closure was entered.
            if matches!(pattern, Pattern::Bind(_) | Pattern::Wildcard(_)) {
                continue;
            }
            let ty = self.frame().body.local(*local).ty;
            let value = self.term(Term::Local(*local), ty, pattern.span());
            let id = self.pattern(*pattern, ty);
            self.pending_binding(id, ty, pattern.span());
            statements.push(gainsay_core::Statement::Let(id, value));
        }
        let body = match it.body() {
            Some(body) => self.check(body, result),
            None => self.hole(span),
        };
        self.leave_scope(mark);
        if statements.is_empty() {
            return body;
        }
        let ty = self.ty(body);
        let statements = statements.into();
        self.term(Term::Block { statements, result: body }, ty, span)
    }

    /// Registers a binding pattern, which must be irrefutable.
    pub(super) fn pending_binding(
        &mut self,
        pattern: gainsay_core::PatternId,
        scrutinee: TyId,
        span: Span,
    ) {
        let rows = vec![(pattern, IsGuarded::No, span)];
        let pending = PendingMatch { scrutinee, rows, span, kind: PendingMatchKind::Binding };
        self.frame_mut().matches.push(pending);
    }

    /// A closure without parameters around an expression; returns the closure and its row.
    pub(super) fn thunk(&mut self, body: Expr<'t>, result: TyId) -> (TermId, RowId) {
        self.closure(body.span(), &[], result, |this, _| {
            this.frame_mut().is_block = true;
            this.check(body, result)
        })
    }
}

//! Elaborates calls: of functions, values, constructors and builtins.

use gainsay_core::{CtorId, FunctionId, OpId, RelId, Term, TermId, Ty, TyId, TypeTable};
use gainsay_source::Span;
use gainsay_syntax::ast::{Args, CallExpr, Expr, Name, TypeArgs};

use super::exprs::TypeFit;
use super::name_values::InstantiatedSignature;
use super::{Elaborator, InferredType};
use crate::findings::{
    DuplicateField, FieldContext, MissingField, NamedArgument, NotAFunction, UnknownField,
    WrongArgumentCount, WrongTypeArgumentCount,
};
use crate::scope::ValueSymbol;

/// An argument of a call.
#[derive(Copy, Clone)]
pub(super) enum PendingArgument<'t> {
    /// Not elaborated yet; perhaps with a label.
    Expr(Expr<'t>, Option<Name<'t>>),
    /// A receiver or piped value, already elaborated.
    Term(TermId, Span),
    /// Missing in broken code.
    Missing(Span),
}

impl PendingArgument<'_> {
    fn span(self) -> Span {
        match self {
            Self::Expr(expr, _) => expr.span(),
            Self::Term(_, span) | Self::Missing(span) => span,
        }
    }
}

/// The arguments in parentheses.
pub(super) fn arguments(args: Option<Args<'_>>) -> Vec<PendingArgument<'_>> {
    let args = args.into_iter().flat_map(|it| it.args());
    args.map(|arg| match arg.value() {
        Some(value) => PendingArgument::Expr(value, arg.label()),
        None => PendingArgument::Missing(arg.span()),
    })
    .collect()
}

impl<'t> Elaborator<'_, 't> {
    /// `f(x)`. `piped` precedes the arguments.
    pub(super) fn call(
        &mut self,
        it: CallExpr<'t>,
        piped: Option<PendingArgument<'t>>,
        expected: Option<TyId>,
    ) -> TermId {
        let span = it.span();
        let mut args: Vec<PendingArgument<'t>> = piped.into_iter().collect();
        args.extend(arguments(it.args()));
        match it.callee() {
            Some(Expr::Name(callee)) => match callee.name() {
                Some(name) => self.call_name(name, it.type_args(), args, span, expected),
                None => self.recover_call(args, span),
            },
            Some(callee) => {
                let callee = self.infer(callee);
                self.call_term(callee, args, span)
            }
            None => self.recover_call(args, span),
        }
    }

    /// A call by unqualified name: a local, a name in scope, or else a function in the module of
    /// the first argument's type.
    pub(super) fn call_name(
        &mut self,
        name: Name<'t>,
        type_args: Option<TypeArgs<'t>>,
        mut args: Vec<PendingArgument<'t>>,
        span: Span,
        expected: Option<TyId>,
    ) -> TermId {
        if let Some(local) = self.find_local(name.text()) {
            let callee = self.local(local, name.span());
            return self.call_term(callee, args, span);
        }
        if let Some(def) = self.find_value(name) {
            return self.call_value_def(def, type_args, args, span, name.span(), expected);
        }
        // Inferred only now: if the name were known, its parameter types would be pushed into the
        // arguments instead.
        if let Some(PendingArgument::Expr(first, None)) = args.first().copied() {
            let term = self.infer(first);
            args[0] = PendingArgument::Term(term, first.span());
        }
        if let Some(PendingArgument::Term(first, _)) = args.first().copied() {
            let ty = self.ty(first);
            if let Some(def) = self.find_method(ty, name) {
                return self.call_value_def(def, type_args, args, span, name.span(), expected);
            }
        }
        self.unknown_name(name);
        self.recover_call(args, span)
    }

    /// Elaborates the arguments of an invalid call, to report the errors in them.
    pub(super) fn recover_call(
        &mut self,
        args: Vec<PendingArgument<'t>>,
        span: Span,
    ) -> TermId {
        for arg in args {
            if let PendingArgument::Expr(expr, _) = arg {
                self.infer(expr);
            }
        }
        self.hole(span)
    }

    pub(super) fn call_value_def(
        &mut self,
        def: ValueSymbol,
        type_args: Option<TypeArgs<'t>>,
        args: Vec<PendingArgument<'t>>,
        span: Span,
        name: Span,
        expected: Option<TyId>,
    ) -> TermId {
        match def {
            ValueSymbol::Function(id) => {
                self.call_function(id, type_args, args, span, expected)
            }
            ValueSymbol::Ctor(id) => self.construct(id, args, span, expected),
            ValueSymbol::Rel(id) => self.call_rel(id, args, span),
            ValueSymbol::Constant(_) | ValueSymbol::World(_) => {
                let callee = self.value(def, name);
                self.call_term(callee, args, span)
            }
        }
    }

    fn call_function(
        &mut self,
        id: FunctionId,
        type_args: Option<TypeArgs<'t>>,
        args: Vec<PendingArgument<'t>>,
        span: Span,
        expected: Option<TyId>,
    ) -> TermId {
        let instance = self.instance(id);
        let function = self.checker.program.function(id);
        let (name, declared) = (format!("`{}`", function.name), function.span);
        // Most certain first: what is written, then what is expected, then what the arguments show.
        let written = self.explicit_types(&name, &instance.type_args, type_args);
        if let Some(expected) = expected {
            self.propagate_expected(instance.result, expected, span);
        }
        let args = self.call_args(&name, Some(declared), &instance.params, args, span);
        self.perform(instance.row, span);
        // A helper that observes makes the claim that calls it observe, too.
        if self.performs_observe(instance.row) {
            self.observed = true;
        }
        let InstantiatedSignature { type_args, result, .. } = instance;
        let type_args = written.unwrap_or(type_args);
        // The result type of a generic function depends on its arguments, and nothing useful can be
        // inferred from a broken one. Without type arguments the result is known in spite of the
        // error.
        if !type_args.is_empty() && self.any_error(&args) {
            return self.hole(span);
        }
        let args = args.into();
        let term = match self.checker.builtins.get(&id).copied() {
            Some(builtin) => Term::Builtin { builtin, type_args, args },
            None => Term::Call { function: id, type_args, args },
        };
        let call = self.term(term, result, span);
        if self.traced == Some(id) { self.traced_call(call, result, span) } else { call }
    }

    /// Propagates the expected type of a call into its type arguments before the arguments are
    /// elaborated, so that lambdas among them know their parameter types. A mismatch is not
    /// reported here; the later comparison of the types reports it.
    pub(super) fn propagate_expected(&mut self, result: TyId, expected: TyId, span: Span) {
        let same_head = match (self.shallow_type(result), self.shallow_type(expected)) {
            (Ty::Named(left, _), Ty::Named(right, _)) => left == right,
            (Ty::List(_), Ty::List(_)) | (Ty::Set(_), Ty::Set(_)) => true,
            (Ty::Map(..), Ty::Map(..)) | (Ty::Var(_), _) => true,
            _ => false,
        };
        // Function types are left out: unifying would demand equal rows, and subsumption only `⊆`.
        let flat = !matches!(self.shallow_type(expected), Ty::Function { .. });
        if same_head && flat {
            let because = Self::constraint_origin(span);
            let _ =
                self.unifier.unify(&mut self.checker.program.types, result, expected, because);
        }
    }

    /// Unifies the type arguments of a call with the explicit ones, and returns them as written:
    /// unification ignores refinements, but `Gen.any<Nat>()` must generate naturals.
    fn explicit_types(
        &mut self,
        name: &str,
        fresh: &[TyId],
        type_args: Option<TypeArgs<'t>>,
    ) -> Option<Box<[TyId]>> {
        let type_args = type_args?;
        let written: Vec<_> = type_args.args().collect();
        if written.len() != fresh.len() {
            let name = name.trim_matches('`').to_owned();
            let (expected, actual) = (fresh.len(), written.len());
            let span = type_args.span();
            self.report(WrongTypeArgumentCount { name, expected, actual, span });
            return None;
        }
        let written = fresh.iter().zip(written).map(|(fresh, written)| {
            let ty = self.annotation(written);
            let because = Self::constraint_origin(type_args.span());
            let types = &mut self.checker.program.types;
            let _ = self.unifier.unify(types, *fresh, ty, because);
            ty
        });
        Some(written.collect())
    }

    /// Checks arguments against parameters. Lambdas come last, because the other arguments may
    /// determine their parameter types; the order of evaluation is unchanged.
    pub(super) fn call_args(
        &mut self,
        callee: &str,
        declared: Option<Span>,
        params: &[TyId],
        args: Vec<PendingArgument<'t>>,
        span: Span,
    ) -> Vec<TermId> {
        if params.len() != args.len() {
            let (expected, actual) = (params.len(), args.len());
            let callee = callee.to_owned();
            self.report(WrongArgumentCount { callee, expected, actual, span, declared });
        }
        let label = args.iter().find_map(|arg| {
            let PendingArgument::Expr(_, label) = arg else { return None };
            *label
        });
        if let Some(label) = label {
            let (name, callee) = (label.text().to_owned(), callee.to_owned());
            self.report(NamedArgument { name, span: label.span(), callee });
        }
        // By index, because arguments are elaborated in a different order than they are evaluated
        // in. All of them are elaborated even if there are too many, to report the errors inside.
        let mut terms: Vec<Option<TermId>> = vec![None; args.len()];
        for lambdas in [false, true] {
            for (at, arg) in args.iter().enumerate() {
                let is_lambda = matches!(arg, PendingArgument::Expr(Expr::Lambda(_), _));
                if is_lambda == lambdas {
                    terms[at] = Some(self.argument(*arg, params.get(at).copied()));
                }
            }
        }
        terms.into_iter().map(|it| it.expect("every argument was elaborated")).collect()
    }

    pub(super) fn argument(&mut self, arg: PendingArgument<'t>, param: Option<TyId>) -> TermId {
        match (arg, param) {
            (PendingArgument::Expr(expr, _), Some(ty)) => self.check(expr, ty),
            (PendingArgument::Expr(expr, _), None) => self.infer(expr),
            (PendingArgument::Term(term, span), Some(ty)) => {
                let actual = self.ty(term);
                match self.expect_type(actual, ty, span) {
                    TypeFit::Yes => term,
                    TypeFit::No => self.hole(span),
                }
            }
            (PendingArgument::Term(term, _), None) => term,
            (PendingArgument::Missing(span), _) => self.hole(span),
        }
    }

    /// Whether an argument has an error, so that errors about a result that depends on it are
    /// suppressed.
    fn any_error(&self, args: &[TermId]) -> bool {
        args.iter().any(|arg| matches!(self.shallow_type(self.ty(*arg)), Ty::Error))
    }

    /// A call of a function value. Its refinements are those of its static type.
    pub(super) fn call_term(
        &mut self,
        callee: TermId,
        args: Vec<PendingArgument<'t>>,
        span: Span,
    ) -> TermId {
        let ty = self.ty(callee);
        match self.inferred_type(ty) {
            InferredType::Known(Ty::Function { params, result, row }) => {
                let args = self.call_args("this function", None, &params, args, span);
                let args: Box<[TermId]> = args
                    .into_iter()
                    .zip(params.iter())
                    // A declared function checks its own parameters, but the callee here may be any
                    // function: its static type is the declared boundary (decision 0003).
                    .map(|(arg, ty)| self.refine(arg, *ty, span))
                    .collect();
                self.perform(row, span);
                if self.any_error(&args) {
                    return self.hole(span);
                }
                let call = self.term(Term::CallValue { callee, args }, result, span);
                self.refine(call, result, span)
            }
            InferredType::Unknown => self.call_unknown(callee, args, span),
            InferredType::Error => self.recover_call(args, span),
            InferredType::Known(_) => {
                let actual = self.type_text(ty);
                let span_of_callee = self.frame().body.span(callee);
                self.report(NotAFunction { actual, span: span_of_callee });
                self.recover_call(args, span)
            }
        }
    }

    /// A call of a value of unknown type: the type becomes a function type.
    fn call_unknown(
        &mut self,
        callee: TermId,
        args: Vec<PendingArgument<'t>>,
        span: Span,
    ) -> TermId {
        // The arguments determine the parameter types, not the other way round: nothing is known
        // about the callee yet.
        let args: Vec<TermId> = args.into_iter().map(|arg| self.argument(arg, None)).collect();
        let params: Box<[TyId]> = args.iter().map(|arg| self.ty(*arg)).collect();
        let result = self.fresh();
        let row = self.unifier.fresh_row(&mut self.checker.program.types);
        let wanted = self.type_table().intern(Ty::Function { params, result, row });
        let actual = self.ty(callee);
        self.expect_type(actual, wanted, span);
        self.perform(row, span);
        self.term(Term::CallValue { callee, args: args.into() }, result, span)
    }

    pub(super) fn call_op(
        &mut self,
        op: OpId,
        type_args: Option<TypeArgs<'t>>,
        args: Vec<PendingArgument<'t>>,
        span: Span,
    ) -> TermId {
        let instance = self.op_instance(op, span);
        let name = format!("`{}`", self.checker.program.op_name(op));
        let declared = self.checker.program.op(op).span;
        let written = self.explicit_types(&name, &instance.type_args, type_args);
        let args = self.call_args(&name, Some(declared), &instance.params, args, span);
        self.perform(instance.row, span);
        let InstantiatedSignature { type_args, result, .. } = instance;
        let type_args = written.unwrap_or(type_args);
        self.term(Term::Perform { op, type_args, args: args.into() }, result, span)
    }

    fn call_rel(&mut self, id: RelId, args: Vec<PendingArgument<'t>>, span: Span) -> TermId {
        let params = self.rel_instance(id);
        let rel = self.checker.program.rel(id);
        let (name, declared) = (format!("`{}`", rel.name), rel.span);
        let args = self.call_args(&name, Some(declared), &params, args, span);
        self.term(Term::CheckRel { rel: id, args: args.into() }, TypeTable::BOOL, span)
    }

    /// `Node(x, l, r)`, `Transfer(from: a, to: b)`.
    pub(super) fn construct(
        &mut self,
        id: CtorId,
        args: Vec<PendingArgument<'t>>,
        span: Span,
        expected: Option<TyId>,
    ) -> TermId {
        let (fields, ty) = self.ctor_instance(id);
        if let Some(expected) = expected {
            self.propagate_expected(ty, expected, span);
        }
        let has_names = self.checker.program.ctor(id).fields.iter().any(|it| it.name.is_some());
        let labelled = args.iter().any(|arg| matches!(arg, PendingArgument::Expr(_, Some(_))));
        let args =
            if labelled && has_names { self.in_field_order(id, args, span) } else { args };
        let ctor = self.checker.program.ctor(id);
        let (name, declared) = (format!("`{}`", ctor.name), ctor.span);
        let terms = self.call_args(&name, Some(declared), &fields, args, span);
        let args = terms
            .into_iter()
            .zip(&fields)
            .map(|(arg, ty)| {
                let span = self.frame().body.span(arg);
                self.refine(arg, *ty, span)
            })
            .collect();
        self.term(Term::Construct { ctor: id, args }, ty, span)
    }

    /// Labelled arguments in field order; unlabelled ones fill the remaining positions.
    fn in_field_order(
        &mut self,
        id: CtorId,
        args: Vec<PendingArgument<'t>>,
        span: Span,
    ) -> Vec<PendingArgument<'t>> {
        let ctor = self.checker.program.ctor(id);
        let owner = ctor.name.to_string();
        let names: Vec<Option<Box<str>>> =
            ctor.fields.iter().map(|it| it.name.clone()).collect();
        let mut placed: Vec<Option<PendingArgument<'t>>> = vec![None; names.len()];
        let mut loose = Vec::new();
        let mut unknown = false;
        for arg in args {
            let PendingArgument::Expr(expr, Some(label)) = arg else {
                loose.push(arg);
                continue;
            };
            let at = names.iter().position(|it| it.as_deref() == Some(label.text()));
            match at {
                Some(at) if placed[at].is_none() => {
                    placed[at] = Some(PendingArgument::Expr(expr, None));
                }
                Some(at) => {
                    let first = placed[at].map_or(span, PendingArgument::span);
                    let (name, span) = (label.text().to_owned(), label.span());
                    self.report(DuplicateField { name, span, first });
                }
                None => {
                    unknown = true;
                    self.report_unknown_label(&owner, label, &names);
                }
            }
        }
        // Only after the labels have taken their places, wherever among the arguments they stand.
        let mut loose = loose.into_iter();
        for place in &mut placed {
            if place.is_none() {
                *place = loose.next();
            }
        }
        let missing: Vec<String> = names
            .iter()
            .zip(&placed)
            .filter(|(_, place)| place.is_none())
            .map(|(name, _)| name.as_deref().unwrap_or("_").to_owned())
            .collect();
        // An unknown label is probably the missing field, misspelled: one report is enough.
        if !missing.is_empty() && !unknown {
            let place = FieldContext::Value;
            self.report(MissingField { owner, missing, span, place });
        }
        let filled = placed.into_iter().map(|it| it.unwrap_or(PendingArgument::Missing(span)));
        // What is left over is too much, and `call_args` reports it.
        filled.chain(loose).collect()
    }

    pub(super) fn report_unknown_label(
        &mut self,
        owner: &str,
        label: Name<'t>,
        names: &[Option<Box<str>>],
    ) {
        let fields: Vec<String> = names.iter().flatten().map(|it| it.to_string()).collect();
        let close =
            gainsay_source::closest_name(label.text(), fields.iter().map(String::as_str));
        let close = close.map(str::to_owned);
        let (owner, name, span) = (owner.to_owned(), label.text().to_owned(), label.span());
        self.report(UnknownField { owner, name, span, close, fields });
    }
}

//! Elaborates record construction and update.

use gainsay_core::{Shape, Term, TermId, Ty, TyId};
use gainsay_source::Span;
use gainsay_syntax::ast::{Name, RecordExpr, RecordField, UpdateExpr};

use super::exprs::TypeFit;
use super::{Elaborator, InferredType};
use crate::findings::{
    CannotInfer, DuplicateField, FieldContext, InferenceSubject, MissingField, NotARecord,
    RecordExpectation, UnknownType,
};
use crate::scope::TypeSymbol;

impl<'t> Elaborator<'_, 't> {
    /// `Account { id: 1, owner }`.
    pub(super) fn record(&mut self, it: RecordExpr<'t>, expected: Option<TyId>) -> TermId {
        let span = it.span();
        let Some(path) = it.path() else { return self.recover_fields(it.fields(), span) };
        let found = self.checker.find_type(self.module, path);
        let id = match found {
            Some(TypeSymbol::Nominal(id)) => id,
            Some(TypeSymbol::Alias(at)) => {
                let target = self.checker.resolve_alias(at);
                let Ty::Named(id, _) = self.shallow_type(target) else {
                    let actual = self.type_text(target);
                    let what = RecordExpectation::Record;
                    self.report(NotARecord { actual, span: path.span(), what });
                    return self.recover_fields(it.fields(), span);
                };
                id
            }
            Some(TypeSymbol::Effect(_) | TypeSymbol::Builtin(_) | TypeSymbol::Spec(_)) => {
                let (name, span) = (path.dotted(), path.span());
                self.report(UnknownType { name, span, counterpart: None, close: None });
                return self.recover_fields(it.fields(), it.span());
            }
            None => return self.recover_fields(it.fields(), span),
        };
        let def = self.checker.program.nominal(id);
        if def.shape != Shape::Record {
            let actual = def.name.to_string();
            let what = RecordExpectation::Record;
            self.report(NotARecord { actual, span: path.span(), what });
            return self.recover_fields(it.fields(), span);
        }
        // A record has exactly one constructor.
        let ctor = def.ctors[0];
        let (fields, ty) = self.ctor_instance(ctor);
        if let Some(expected) = expected {
            // Before the fields, so that lambdas in them know the types of their parameters.
            self.propagate_expected(ty, expected, span);
        }
        let given = self.given_fields(ctor, &fields, it.fields());
        let names = self.field_names(ctor);
        let is_declared = |field: RecordField<'t>| {
            field.name().is_none_or(|name| names.iter().any(|it| it == name.text()))
        };
        // Unknown fields were reported; the fields they were meant to be must not be reported as
        // missing.
        if !it.fields().all(is_declared) {
            return self.term(Term::Hole, ty, span);
        }
        let missing: Vec<String> = names
            .iter()
            .enumerate()
            .filter(|(at, _)| !given.iter().any(|(it, _)| *it as usize == *at))
            .map(|(_, name)| name.clone())
            .collect();
        if !missing.is_empty() {
            let owner = self.checker.program.ctor(ctor).name.to_string();
            let place = FieldContext::Value;
            self.report(MissingField { owner, missing, span: path.span(), place });
            return self.term(Term::Hole, ty, span);
        }
        // Fields are evaluated in the order in which they are written.
        let in_order = given.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if in_order {
            let args = given.into_iter().map(|(_, term)| term).collect();
            return self.term(Term::Construct { ctor, args }, ty, span);
        }
        self.construct_reordered(ctor, given, ty, span)
    }

    /// Binds fields written out of order to locals first, then constructs the record.
    fn construct_reordered(
        &mut self,
        ctor: gainsay_core::CtorId,
        given: Vec<(u32, TermId)>,
        ty: TyId,
        span: Span,
    ) -> TermId {
        let mut statements = Vec::new();
        let mut placed = Vec::new();
        for (at, term) in given {
            let field_ty = self.ty(term);
            let field_span = self.frame().body.span(term);
            // `_` is no name that an expression can refer to.
            let local = self.frame_mut().body.add_local("_", field_ty, field_span);
            let pattern = self.frame_mut().body.add_pattern(gainsay_core::Pattern::Bind(local));
            statements.push(gainsay_core::Statement::Let(pattern, term));
            placed.push((at, local, field_ty, field_span));
        }
        placed.sort_by_key(|(at, ..)| *at);
        let args = placed
            .into_iter()
            .map(|(_, local, ty, span)| self.term(Term::Local(local), ty, span))
            .collect();
        let result = self.term(Term::Construct { ctor, args }, ty, span);
        self.term(Term::Block { statements: statements.into(), result }, ty, span)
    }

    /// `{ ..a, f: e }`.
    pub(super) fn update(&mut self, it: UpdateExpr<'t>) -> TermId {
        let span = it.span();
        let Some(base_expr) = it.base() else {
            return self.recover_fields(it.fields(), span);
        };
        let base = self.infer(base_expr);
        let ty = self.ty(base);
        let (id, args) = match self.inferred_type(ty) {
            InferredType::Known(Ty::Named(id, args))
                if self.checker.program.nominal(id).shape == Shape::Record =>
            {
                (id, args)
            }
            // Reported already where the type was lost.
            InferredType::Error => return self.recover_fields(it.fields(), span),
            InferredType::Unknown => {
                let subject = InferenceSubject::UpdatedRecord;
                self.report(CannotInfer { subject, span: base_expr.span() });
                return self.recover_fields(it.fields(), span);
            }
            InferredType::Known(_) => {
                let actual = self.type_text(ty);
                let what = RecordExpectation::Record;
                self.report(NotARecord { actual, span: base_expr.span(), what });
                return self.recover_fields(it.fields(), span);
            }
        };
        let ctor = self.checker.program.nominal(id).ctors[0];
        let fields: Vec<TyId> =
            self.checker.program.ctor(ctor).fields.iter().map(|it| it.ty).collect();
        let fields: Vec<TyId> =
            fields.iter().map(|ty| self.type_table().instantiate(*ty, &args)).collect();
        let given = self.given_fields(ctor, &fields, it.fields());
        let ty = self.shallow(ty);
        self.term(Term::Update { base, fields: given.into() }, ty, span)
    }

    fn field_names(&self, ctor: gainsay_core::CtorId) -> Vec<String> {
        let fields = &self.checker.program.ctor(ctor).fields;
        fields.iter().map(|it| it.name.as_deref().unwrap_or("_").to_owned()).collect()
    }

    /// The written fields by position, checked and refined.
    fn given_fields(
        &mut self,
        ctor: gainsay_core::CtorId,
        tys: &[TyId],
        fields: impl Iterator<Item = RecordField<'t>>,
    ) -> Vec<(u32, TermId)> {
        let names: Vec<Option<Box<str>>> =
            self.checker.program.ctor(ctor).fields.iter().map(|it| it.name.clone()).collect();
        let owner = self.checker.program.ctor(ctor).name.to_string();
        let mut given: Vec<(u32, TermId)> = Vec::new();
        let mut seen: Vec<(u32, Span)> = Vec::new();
        for field in fields {
            let Some(name) = field.name() else { continue };
            let at = names.iter().position(|it| it.as_deref() == Some(name.text()));
            // Even for an unknown name, so that errors in the value are reported, too.
            let term = self.field_value(field, name, at.map(|at| tys[at]));
            let Some(at) = at else {
                self.report_unknown_label(&owner, name, &names);
                continue;
            };
            let at = at as u32;
            if let Some((_, first)) = seen.iter().find(|(it, _)| *it == at) {
                let first = *first;
                let (name, span) = (name.text().to_owned(), name.span());
                self.report(DuplicateField { name, span, first });
                continue;
            }
            seen.push((at, name.span()));
            let span = self.frame().body.span(term);
            given.push((at, self.refine(term, tys[at as usize], span)));
        }
        given
    }

    fn field_value(
        &mut self,
        field: RecordField<'t>,
        name: Name<'t>,
        ty: Option<TyId>,
    ) -> TermId {
        if field.is_shorthand() {
            let term = self.name(name);
            let Some(ty) = ty else { return term };
            let actual = self.ty(term);
            return match self.expect_type(actual, ty, name.span()) {
                TypeFit::Yes => term,
                TypeFit::No => self.hole(name.span()),
            };
        }
        match (field.value(), ty) {
            (Some(value), Some(ty)) => self.check(value, ty),
            (Some(value), None) => self.infer(value),
            (None, _) => self.hole(field.span()),
        }
    }

    /// Elaborates the fields of an invalid record, to report the errors in them.
    fn recover_fields(
        &mut self,
        fields: impl Iterator<Item = RecordField<'t>>,
        span: Span,
    ) -> TermId {
        for field in fields {
            if let Some(value) = field.value() {
                self.infer(value);
            }
        }
        self.hole(span)
    }
}

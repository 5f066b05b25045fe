//! Elaborates names used as values, and instantiates signatures.

use gainsay_core::{
    ConstId, CtorId, FunctionId, LocalId, OpId, RelId, Row, Term, TermId, Ty, TyId, TypeTable,
};
use gainsay_source::Span;
use gainsay_syntax::ast::{Name, Path};

use super::Elaborator;
use super::closures::ClosureParam;
use crate::findings::{InferenceSubject, MisplacedFormKind, UnknownConstructor, UnknownName};
use crate::scope::{NameLookup, ValueSymbol, is_upper};

/// A signature with its parameters replaced by fresh variables.
pub(super) struct InstantiatedSignature {
    pub(super) type_args: Box<[TyId]>,
    pub(super) params: Vec<TyId>,
    pub(super) result: TyId,
    pub(super) row: gainsay_core::RowId,
}

impl<'t> Elaborator<'_, 't> {
    /// A name in value position.
    pub(super) fn name(&mut self, name: Name<'t>) -> TermId {
        let span = name.span();
        if let Some(local) = self.find_local(name.text()) {
            return self.local(local, span);
        }
        match self.find_value(name) {
            Some(def) => self.value(def, span),
            None => self.unknown_name(name),
        }
    }

    /// A local variable as a term.
    pub(super) fn local(&mut self, local: LocalId, span: Span) -> TermId {
        let ty = self.frame().body.local(local).ty;
        self.term(Term::Local(local), ty, span)
    }

    /// The declaration that a non-local name denotes; reports ambiguity.
    pub(super) fn find_value(&mut self, name: Name<'t>) -> Option<ValueSymbol> {
        let scope = self.checker.scope(self.module);
        match scope.value(&self.checker.prelude, name.text()) {
            NameLookup::Found(def) => Some(def),
            NameLookup::Ambiguous(modules) => {
                self.checker.report_ambiguous(name, &modules);
                None
            }
            NameLookup::Missing => None,
        }
    }

    /// The declaration that a path denotes, perhaps qualified by a module: `f`, `m.f`.
    pub(super) fn find_path(&mut self, path: Path<'t>) -> Option<ValueSymbol> {
        let name = path.last()?;
        let Some(qualifier) = path.qualifiers().last() else { return self.find_value(name) };
        let from = *self.checker.scope(self.module).uses.get(qualifier.text())?;
        self.checker.scope(from).values.get(name.text()).map(|(def, _)| *def)
    }

    /// Inside a rule an unknown name becomes a variable; elsewhere it is reported.
    pub(super) fn unknown_name(&mut self, name: Name<'t>) -> TermId {
        let (text, span) = (name.text(), name.span());
        if self.in_rule && !is_upper(text) {
            let ty = self.fresh();
            let local = self.bind(text, ty, span);
            return self.local(local, span);
        }
        let scope = self.checker.scope(self.module);
        if matches!(scope.value(&self.checker.prelude, text), NameLookup::Ambiguous(_))
            // Either problem was reported already: the ambiguity when the name was looked up, an
            // unresolved import at its `use`.
            || scope.unresolved.contains(text)
        {
            return self.hole(span);
        }
        let locals = self.local_names();
        let close = match text {
            // A user who writes `it` wants the value of a refinement, not a similar name.
            "it" => None,
            _ => scope.closest_value(&self.checker.prelude, text, &locals),
        };
        let name = text.to_owned();
        // `MAX_SIZE` is a constant in most languages, so it is not reported as a constructor.
        let is_shouted = text.len() > 1 && !text.chars().any(char::is_lowercase);
        if is_upper(text) && !is_shouted {
            let is_type = matches!(scope.ty(&self.checker.prelude, text), NameLookup::Found(_));
            self.report(UnknownConstructor {
                name,
                span,
                may_be_foreign: true,
                close,
                is_type,
            });
        } else {
            let in_refinement = self.in_refinement;
            self.report(UnknownName { name, span, may_be_foreign: true, close, in_refinement });
        }
        self.hole(span)
    }

    /// A declaration as a value.
    pub(super) fn value(&mut self, def: ValueSymbol, span: Span) -> TermId {
        match def {
            ValueSymbol::Function(id) => self.function_value(id, span),
            ValueSymbol::Constant(id) => self.constant(id, span),
            ValueSymbol::Ctor(id) => self.ctor_value(id, span),
            ValueSymbol::Rel(id) => self.rel_value(id, span),
            ValueSymbol::World(_) => {
                self.report_misplaced(MisplacedFormKind::WorldAsValue, span)
            }
        }
    }

    pub(super) fn constant(&mut self, id: ConstId, span: Span) -> TermId {
        let ty = self.checker.program.constant(id).ty;
        self.term(Term::Constant(id), ty, span)
    }

    /// A signature at fresh type and effect arguments.
    pub(super) fn instance(&mut self, id: FunctionId) -> InstantiatedSignature {
        let function = self.checker.program.function(id);
        let params: Vec<TyId> = function.params.iter().map(|it| it.ty).collect();
        let (result, row) = (function.result, function.row);
        let (n_types, n_effects) = (function.type_params.len(), function.effect_params.len());
        let type_args: Box<[TyId]> = (0..n_types).map(|_| self.fresh()).collect();
        let rows: Vec<u32> = (0..n_effects).map(|_| self.unifier.rows.fresh()).collect();
        let table = self.type_table();
        InstantiatedSignature {
            params: params
                .iter()
                .map(|ty| instantiate(table, *ty, &type_args, &rows))
                .collect(),
            result: instantiate(table, result, &type_args, &rows),
            row: instantiate_row(table, row, &rows),
            type_args,
        }
    }

    fn function_value(&mut self, id: FunctionId, span: Span) -> TermId {
        let InstantiatedSignature { type_args, params, result, row } = self.instance(id);
        // Whoever is given a helper that observes is expected to call it.
        if self.performs_observe(row) {
            self.observed = true;
        }
        let ty = self.type_table().intern(Ty::Function { params: params.into(), result, row });
        self.term(Term::Function { function: id, type_args }, ty, span)
    }

    /// A constructor as a value: itself if it has no fields, otherwise a function of them.
    fn ctor_value(&mut self, id: CtorId, span: Span) -> TermId {
        let (fields, ty) = self.ctor_instance(id);
        if fields.is_empty() {
            return self.term(Term::Construct { ctor: id, args: Box::default() }, ty, span);
        }
        // Core has no constructor values. The expansion also gives refined fields a place to be
        // checked.
        self.eta_expand(span, &fields, ty, |this, args| {
            let args = args
                .iter()
                .zip(&fields)
                .map(|(arg, ty)| this.refine(*arg, *ty, span))
                .collect();
            this.term(Term::Construct { ctor: id, args }, ty, span)
        })
    }

    /// An operation as a value: a function that performs it.
    pub(super) fn op_value(&mut self, id: OpId, span: Span) -> TermId {
        let InstantiatedSignature { type_args, params, result, row } =
            self.op_instance(id, span);
        self.eta_expand(span, &params, result, |this, args| {
            this.perform(row, span);
            this.term(Term::Perform { op: id, type_args, args: args.into() }, result, span)
        })
    }

    fn rel_value(&mut self, id: RelId, span: Span) -> TermId {
        let params: Vec<TyId> = self.rel_instance(id);
        self.eta_expand(span, &params, TypeTable::BOOL, |this, args| {
            this.term(Term::CheckRel { rel: id, args: args.into() }, TypeTable::BOOL, span)
        })
    }

    /// A closure that passes its parameters on (eta expansion).
    fn eta_expand(
        &mut self,
        span: Span,
        params: &[TyId],
        result: TyId,
        build: impl FnOnce(&mut Self, &[TermId]) -> TermId,
    ) -> TermId {
        let params: Vec<ClosureParam<'t>> =
            params.iter().map(|ty| ClosureParam { name: None, ty: *ty, span }).collect();
        let (term, _) = self.closure(span, &params, result, |this, locals| {
            let args: Vec<TermId> = locals.iter().map(|it| this.local(*it, span)).collect();
            build(this, &args)
        });
        term
    }

    /// The field types and the type of a constructor, at fresh type arguments.
    pub(super) fn ctor_instance(&mut self, id: CtorId) -> (Vec<TyId>, TyId) {
        let ctor = self.checker.program.ctor(id);
        let owner = ctor.ty;
        let fields: Vec<TyId> = ctor.fields.iter().map(|it| it.ty).collect();
        let n = self.checker.program.nominal(owner).params.len();
        let args: Box<[TyId]> = (0..n).map(|_| self.fresh()).collect();
        let table = self.type_table();
        let fields = fields.iter().map(|ty| table.instantiate(*ty, &args)).collect();
        let ty = table.intern(Ty::Named(owner, args));
        (fields, ty)
    }

    /// An operation at fresh type arguments. Inference must determine them, because otherwise no
    /// handler could answer.
    pub(super) fn op_instance(&mut self, id: OpId, span: Span) -> InstantiatedSignature {
        let op = self.checker.program.op(id);
        let params: Vec<TyId> = op.params.iter().map(|(_, ty)| *ty).collect();
        let (result, n) = (op.result, op.n_type_params);
        let name = self.checker.program.op_name(id);
        let type_args: Box<[TyId]> = (0..n).map(|_| self.fresh()).collect();
        // Checked at the end of the declaration: later code may still determine the type.
        for ty in &type_args {
            self.required_types.push((
                *ty,
                span,
                InferenceSubject::OperationResult { op: name.clone() },
            ));
        }
        let table = self.type_table();
        let row = table.intern_row(Row::new(vec![id], Vec::new(), Vec::new()));
        InstantiatedSignature {
            params: params.iter().map(|ty| table.instantiate(*ty, &type_args)).collect(),
            result: table.instantiate(result, &type_args),
            row,
            type_args,
        }
    }

    /// The parameter types of a relation, at fresh type arguments.
    pub(super) fn rel_instance(&mut self, id: RelId) -> Vec<TyId> {
        let rel = self.checker.program.rel(id);
        let params: Vec<TyId> = rel.params.iter().map(|it| it.ty).collect();
        let n = rel.type_params.len();
        let args: Box<[TyId]> = (0..n).map(|_| self.fresh()).collect();
        params.iter().map(|ty| self.type_table().instantiate(*ty, &args)).collect()
    }
}

/// The type with type parameters replaced by `args` and effect parameters by row variables.
pub(super) fn instantiate(
    table: &mut TypeTable,
    ty: TyId,
    args: &[TyId],
    rows: &[u32],
) -> TyId {
    let mut row = |table: &mut TypeTable, row| instantiate_row(table, row, rows);
    table.rewrite(ty, &mut row, &mut |table, id| table.instantiation_step(id, args))
}

/// The row with effect parameters replaced by row variables.
fn instantiate_row(
    table: &mut TypeTable,
    row: gainsay_core::RowId,
    rows: &[u32],
) -> gainsay_core::RowId {
    let it = table.get_row(row);
    if it.params.is_empty() {
        return row;
    }
    let vars = it.params.iter().filter_map(|at| rows.get(*at as usize).copied()).collect();
    let ops = it.ops.to_vec();
    table.intern_row(Row::new(ops, Vec::new(), vars))
}

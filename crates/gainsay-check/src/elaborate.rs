//! Third stage: bodies. One walk finds names, infers types, collects effects and writes core.
//!
//! An [`Elaborator`] works on one declaration: its type and row variables live as long. Each
//! function body, and each closure in it, is a [`BodyFrame`]. When the walk is over the rows are
//! solved, the types put in, and the matches judged, all by [`finalize`].

mod calls;
mod claims;
mod closures;
mod control;
mod exprs;
mod finalize;
mod frame;
mod members;
mod name_values;
mod operators;
mod patterns;
mod records;
mod relations;
mod verify;

use gainsay_core::{
    Clause, FunctionId, ModuleId, ParamNames, RowId, Term, TermId, Ty, TyId, TypeTable,
};
use gainsay_source::{Diagnostic, Span};
use gainsay_syntax::ast::{Block, Expr, FnItem, Name};

pub(crate) use self::claims::stub_type;
use self::frame::{BodyFrame, FinishedBody};
use crate::checker::Checker;
use crate::declarations::Declarations;
use crate::effect_rows::{ConstraintOrigin, EffectLimit, PurePlace};
use crate::findings::{InferenceSubject, PlaceboKind, PlaceboTest, PropertyResult};
use crate::type_annotations::TypeScope;
use crate::unify::Unifier;

/// Elaborates every body of the program.
pub(crate) fn elaborate<'t>(checker: &mut Checker<'t>, declarations: &Declarations<'t>) {
    // Worlds come first: what they answer does not get out of an `under`.
    for (id, item, module) in &declarations.worlds {
        claims::elaborate_world(checker, *id, *item, *module);
    }
    for (id, item, module) in &declarations.functions {
        elaborate_function(checker, *id, *item, *module);
    }
    for (id, item, module) in &declarations.constants {
        let function = checker.program.constant(*id).function;
        let scope = TypeScope::new(*module, Vec::new());
        let mut it = Elaborator::new(checker, *module, scope);
        it.simple_body(function, item.value(), EffectLimit::Pure(PurePlace::Constant));
        it.finish();
    }
    for (id, item, module) in &declarations.rels {
        relations::elaborate_rel(checker, *id, *item, *module);
    }
    claims::elaborate_claims(checker, declarations);
    // Refinements may stand in the bodies just elaborated, and in other refinements.
    while let Some(pending) = checker.predicates.pop() {
        let module = checker.program.function(pending.function).module;
        let scope = TypeScope::new(module, pending.type_params);
        let mut it = Elaborator::new(checker, module, scope);
        it.in_refinement = true;
        it.simple_body(
            pending.function,
            Some(pending.expr),
            EffectLimit::Pure(PurePlace::Refinement),
        );
        it.finish();
    }
}

fn elaborate_function<'t>(
    checker: &mut Checker<'t>,
    id: FunctionId,
    item: FnItem<'t>,
    module: ModuleId,
) {
    if let Some(builtin) = checker.builtins.get(&id).copied() {
        return closures::builtin_wrapper(checker, id, builtin);
    }
    let Some(body) = item.body() else { return };
    let n_errors = checker.n_errors();
    let mut scope =
        TypeScope::new(module, crate::signatures::type_param_names(item.type_params()));
    scope.effects = checker.effect_params.get(&id).cloned().unwrap_or_default();
    let mut it = Elaborator::new(checker, module, scope);
    it.row_span = item.effects().map(|row| row.span());
    it.in_claim = it.checker.program.function(id).attributes.property.is_some();
    it.enter_declared(
        id,
        if it.in_claim { EffectLimit::Claim } else { EffectLimit::Signature },
    );
    let requires = item.in_clauses().filter_map(|clause| clause.condition());
    let requires: Vec<Clause> = requires.map(|block| it.clause(block, None)).collect();
    let ensures: Vec<Clause> = item
        .out_clauses()
        .filter_map(|clause| Some(it.clause(clause.condition()?, clause.result())))
        .collect();
    let expected = it.frame().result;
    let root = it.check(Expr::Block(body), expected);
    it.leave_declared(root, requires, ensures);
    let observed = it.observed;
    it.finish();
    let function = checker.program.function(id);
    if function.attributes.property.is_none() {
        return;
    }
    if let Some(ty) = item.return_type().filter(|_| function.result != TypeTable::UNIT) {
        let truth = body.tail().map(|it| it.node().text()).filter(|it| !it.contains('\n'));
        checker.report(PropertyResult {
            name: function.name.to_string(),
            span: ty.node().span(),
            ty: ty.node().text().to_owned(),
            truth: truth.filter(|_| function.result == TypeTable::BOOL).map(str::to_owned),
        });
    } else if !observed && checker.n_errors() == n_errors {
        // What could not be read may be the observation that is missing.
        let (name, span) = (function.name.to_string(), function.span);
        checker.report(PlaceboTest { kind: PlaceboKind::Property, name, span });
    }
}

/// How much is known of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum InferredType {
    /// Nothing yet.
    Unknown,
    /// Something about it was reported.
    Error,
    /// What it is, at its outside.
    Known(Ty),
}

/// The walk over one declaration.
pub(crate) struct Elaborator<'c, 't> {
    pub(crate) checker: &'c mut Checker<'t>,
    pub(crate) module: ModuleId,
    pub(crate) unifier: Unifier,
    pub(crate) types: TypeScope<'t>,
    frames: Vec<BodyFrame<'t>>,
    finished: Vec<FinishedBody>,
    /// Types that must come out known, with what they are the type of.
    required_types: Vec<(TyId, Span, InferenceSubject)>,
    /// The place of the effect row of the declaration, if it has one.
    row_span: Option<Span>,
    in_refinement: bool,
    /// Inside a rule, unknown names are variables of the rule.
    in_rule: bool,
    /// Whether anything was observed.
    observed: bool,
    /// Whether a claim is elaborated.
    in_claim: bool,
    /// Whether a pattern was reported, so that its match is not judged.
    broken_pattern: bool,
    /// In a trace block: the function whose calls give traces.
    traced: Option<FunctionId>,
}

impl<'c, 't> Elaborator<'c, 't> {
    pub(crate) fn new(
        checker: &'c mut Checker<'t>,
        module: ModuleId,
        types: TypeScope<'t>,
    ) -> Self {
        Self {
            checker,
            module,
            unifier: Unifier::default(),
            types,
            frames: Vec::new(),
            finished: Vec::new(),
            required_types: Vec::new(),
            row_span: None,
            in_refinement: false,
            in_rule: false,
            observed: false,
            in_claim: false,
            broken_pattern: false,
            traced: None,
        }
    }

    pub(crate) fn report(&mut self, finding: impl Into<Diagnostic>) {
        self.checker.report(finding);
    }

    /// The table of types.
    pub(crate) fn type_table(&mut self) -> &mut TypeTable {
        &mut self.checker.program.types
    }

    /// A type not yet known.
    pub(crate) fn fresh(&mut self) -> TyId {
        self.unifier.fresh(&mut self.checker.program.types)
    }

    /// What is known of a type so far, at its outside.
    pub(crate) fn shallow(&self, ty: TyId) -> TyId {
        self.unifier.shallow(&self.checker.program.types, ty)
    }

    /// The shape of what is known of a type so far.
    pub(crate) fn shallow_type(&self, ty: TyId) -> Ty {
        self.checker.program.types.get(self.shallow(ty)).clone()
    }

    /// How much is known of a type so far.
    pub(crate) fn inferred_type(&self, ty: TyId) -> InferredType {
        let shape = self.shallow_type(ty);
        if let Ty::Error = shape {
            InferredType::Error
        } else if let Ty::Var(_) = shape {
            InferredType::Unknown
        } else {
            InferredType::Known(shape)
        }
    }

    /// The type of a term of the current body.
    pub(crate) fn ty(&self, term: TermId) -> TyId {
        self.frame().body.ty(term)
    }

    /// Adds a term to the current body.
    pub(crate) fn term(&mut self, term: Term, ty: TyId, span: Span) -> TermId {
        self.frame_mut().body.add(term, ty, span)
    }

    /// What stands for something that was reported.
    pub(crate) fn hole(&mut self, span: Span) -> TermId {
        self.term(Term::Hole, TypeTable::ERROR, span)
    }

    /// `()`.
    pub(crate) fn unit(&mut self, span: Span) -> TermId {
        self.term(Term::Tuple(Box::default()), TypeTable::UNIT, span)
    }

    /// A type as the user would write it.
    pub(crate) fn type_text(&mut self, ty: TyId) -> String {
        let ty = self.unifier.resolve(&mut self.checker.program.types, ty);
        let types: Vec<Box<str>> = self.types.params.iter().map(|it| (*it).into()).collect();
        let effects: Vec<Box<str>> = self.types.effects.iter().map(|it| (*it).into()).collect();
        self.checker.type_text(ParamNames { types: &types, effects: &effects }, ty)
    }

    /// Says that the current place performs a row.
    pub(crate) fn perform(&mut self, row: RowId, span: Span) {
        let (sink, demand) = self.frame().effect_sink();
        self.unifier.rows.require_subset(row, sink, ConstraintOrigin { span, limit: demand });
    }

    /// The reason for a constraint between types.
    pub(crate) fn constraint_origin(span: Span) -> ConstraintOrigin {
        ConstraintOrigin { span, limit: EffectLimit::FunctionType }
    }

    /// The value wrapped in the check of a refined type; itself when nothing is refined.
    pub(crate) fn refine(&mut self, value: TermId, ty: TyId, span: Span) -> TermId {
        if !self.type_table().flags(ty).has_refinement() {
            return value;
        }
        self.term(Term::Refine { value, ty }, ty, span)
    }

    /// Whether a type has to do with a reported error.
    pub(crate) fn is_error(&mut self, ty: TyId) -> bool {
        let ty = self.unifier.resolve(&mut self.checker.program.types, ty);
        self.type_table().flags(ty).has_error()
    }

    /// A clause of a contract: a pure truth value, which may name the result.
    fn clause(&mut self, block: Block<'t>, result: Option<Name<'t>>) -> Clause {
        let mark = self.enter_scope();
        let ty = self.frame().result;
        let local = result.map(|name| self.bind_allow_unused(name.text(), ty, name.span()));
        self.frame_mut()
            .push_effect_sink(TypeTable::PURE, EffectLimit::Pure(PurePlace::Contract));
        let term = self.check(Expr::Block(block), TypeTable::BOOL);
        self.frame_mut().pop_effect_sink();
        self.leave_scope(mark);
        Clause { term, result: local, span: clause_span(block) }
    }
}

/// The place of what a clause says, without its braces.
fn clause_span(block: Block<'_>) -> Span {
    block.tail().map_or(block.span(), |tail| tail.span())
}

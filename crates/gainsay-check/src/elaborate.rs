//! Third stage: elaborates bodies. One walk resolves names, infers types, collects effects and
//! writes core.
//!
//! An [`Elaborator`] works on one declaration, and owns its type and row variables. Each function
//! body, and each closure in it, has a [`BodyFrame`]. When the walk is over, [`finalize`] solves
//! the rows, substitutes the types and checks the matches.

mod against;
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
use gainsay_syntax::ast::{Block, Expr, FnItem, Name, Params};

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
    // Worlds come first: the operations they answer are subtracted from the row of an `under`.
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
    // Predicates are added by the bodies just elaborated, and by other predicates.
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
    if let Some(inputs) = inputs_of_property(item).filter(|_| it.in_claim) {
        let root = it.property_inputs(item.span(), inputs, item.in_clauses(), body);
        it.leave_declared(root, Vec::new(), Vec::new());
        let observed = it.observed;
        it.finish();
        return check_property(checker, id, item, (observed, n_errors));
    }
    // Clauses come before the body, while only the parameters are in scope.
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
    check_property(checker, id, item, (observed, n_errors));
}

/// The parameters of a property, if one has a generator or a condition.
fn inputs_of_property<'t>(item: FnItem<'t>) -> Option<Params<'t>> {
    item.params().filter(|it| it.binders().next().is_some())
}

/// Reports a property with a result, and one that observes nothing.
fn check_property<'t>(
    checker: &mut Checker<'t>,
    id: FunctionId,
    item: FnItem<'t>,
    (observed, n_errors): (bool, usize),
) {
    let function = checker.program.function(id);
    if function.attributes.property.is_none() {
        return;
    }
    let Some(body) = item.body() else { return };
    if let Some(ty) = item.return_type().filter(|_| function.result != TypeTable::UNIT) {
        let truth = body.tail().map(|it| it.node().text()).filter(|it| !it.contains('\n'));
        checker.report(PropertyResult {
            name: function.name.to_string(),
            span: ty.node().span(),
            ty: ty.node().text().to_owned(),
            truth: truth.filter(|_| function.result == TypeTable::BOOL).map(str::to_owned),
        });
    } else if !observed && checker.n_errors() == n_errors {
        // After an error, the missing `observe` may be in code that could not be elaborated.
        let (name, span) = (function.name.to_string(), function.span);
        checker.report(PlaceboTest { kind: PlaceboKind::Property, name, span });
    }
}

/// What inference knows about a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum InferredType {
    /// Nothing yet.
    Unknown,
    /// An error was reported about it.
    Error,
    /// Its outermost constructor.
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
    /// Types that inference must determine, with the expression they belong to.
    required_types: Vec<(TyId, Span, InferenceSubject)>,
    /// The span of the declared effect row, if there is one.
    row_span: Option<Span>,
    in_refinement: bool,
    /// Inside a rule, unknown names are variables of the rule.
    in_rule: bool,
    /// Whether the body contains an `observe`.
    observed: bool,
    /// Whether a claim is being elaborated.
    in_claim: bool,
    /// Whether an error was reported in a pattern; its match is then not checked.
    broken_pattern: bool,
    /// In a `trace` block: the function whose calls return traces.
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

    /// A fresh type variable.
    pub(crate) fn fresh(&mut self) -> TyId {
        self.unifier.fresh(&mut self.checker.program.types)
    }

    /// A type with its outermost variables resolved.
    pub(crate) fn shallow(&self, ty: TyId) -> TyId {
        self.unifier.shallow(&self.checker.program.types, ty)
    }

    /// The outermost constructor of a type, as far as it is known.
    pub(crate) fn shallow_type(&self, ty: TyId) -> Ty {
        self.checker.program.types.get(self.shallow(ty)).clone()
    }

    /// What is known about a type so far.
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

    /// A placeholder for a term that was reported.
    pub(crate) fn hole(&mut self, span: Span) -> TermId {
        self.term(Term::Hole, TypeTable::ERROR, span)
    }

    /// `()`.
    pub(crate) fn unit(&mut self, span: Span) -> TermId {
        self.term(Term::Tuple(Box::default()), TypeTable::UNIT, span)
    }

    /// A type in source syntax.
    pub(crate) fn type_text(&mut self, ty: TyId) -> String {
        let ty = self.unifier.resolve(&mut self.checker.program.types, ty);
        let types: Vec<Box<str>> = self.types.params.iter().map(|it| (*it).into()).collect();
        let effects: Vec<Box<str>> = self.types.effects.iter().map(|it| (*it).into()).collect();
        self.checker.type_text(ParamNames { types: &types, effects: &effects }, ty)
    }

    /// Adds a row to the effects of the current position.
    pub(crate) fn perform(&mut self, row: RowId, span: Span) {
        let (sink, demand) = self.frame().effect_sink();
        self.unifier.rows.require_subset(row, sink, ConstraintOrigin { span, limit: demand });
    }

    /// The reason for a constraint between types.
    pub(crate) fn constraint_origin(span: Span) -> ConstraintOrigin {
        ConstraintOrigin { span, limit: EffectLimit::FunctionType }
    }

    /// Wraps the value in a refinement check; the value itself if the type has no refinements.
    pub(crate) fn refine(&mut self, value: TermId, ty: TyId, span: Span) -> TermId {
        if !self.type_table().flags(ty).has_refinement() {
            return value;
        }
        self.term(Term::Refine { value, ty }, ty, span)
    }

    /// Whether a type contains a reported error.
    pub(crate) fn is_error(&mut self, ty: TyId) -> bool {
        let ty = self.unifier.resolve(&mut self.checker.program.types, ty);
        self.type_table().flags(ty).has_error()
    }

    /// A contract clause: a pure condition, which may name the result.
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

/// The span of the condition of a clause, without its braces.
fn clause_span(block: Block<'_>) -> Span {
    block.tail().map_or(block.span(), |tail| tail.span())
}

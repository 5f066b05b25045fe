//! Elaborates the claim forms: `observe`, `assume`, `throws`, `under`, `across`, `par`, and the
//! items that contain them.

use gainsay_core::{
    AcrossBinder, BinderSource, Claim, ClaimKind, EffectHandler, FailureKind, FunctionId,
    FunctionKind, LocalId, ModuleId, ObserveStrength, OpId, OperationKind, Row, RowId,
    Statement, Term, TermId, Ty, TyId, TypeTable, WorldId,
};
use gainsay_source::Span;
use gainsay_syntax::ast::{
    AcrossExpr, AssumeExpr, BinaryOp, Binder, Binding, Block, Expr, InClause, Name,
    ObserveExpr, ParExpr, Params, Path, SampleExpr, TestItem, ThrowsExpr, UnderExpr, WorldItem,
};

use super::Elaborator;
use super::closures::ClosureParam;
use crate::attributes::{self, AttributeTarget};
use crate::checker::{Checker, ClaimOwner};
use crate::declarations::Declarations;
use crate::effect_rows::{ConstraintOrigin, EffectLimit, PurePlace};
use crate::findings::{
    AcrossWithoutInputs, DuplicateDefinition, MisplacedForm, MisplacedFormKind, OutputStub,
    PlaceboKind, PlaceboTest, UnknownName,
};
use crate::scope::{TypeSymbol, ValueSymbol};
use crate::type_annotations::TypeScope;

/// Elaborates tests and `verify` blocks, and registers the properties.
pub(super) fn elaborate_claims<'t>(checker: &mut Checker<'t>, declarations: &Declarations<'t>) {
    for (id, _, module) in &declarations.functions {
        let function = checker.program.function(*id);
        let Some(settings) = function.attributes.property else { continue };
        let claim = Claim {
            name: function.name.clone(),
            module: *module,
            span: function.span,
            kind: ClaimKind::Property(*id, settings),
            ignore: function.attributes.ignore.clone(),
        };
        checker.program.claims.push(claim);
    }
    for (item, module) in &declarations.tests {
        elaborate_test(checker, *item, *module);
    }
    for (item, module) in &declarations.against {
        super::against::elaborate_against(checker, *item, *module);
    }
    for (item, module) in &declarations.verifies {
        super::verify::elaborate_verify(checker, *item, *module);
    }
    // Reports list claims in source order, whatever their kind.
    checker.program.claims.sort_by_key(|claim| claim.span);
}

fn elaborate_test<'t>(checker: &mut Checker<'t>, item: TestItem<'t>, module: ModuleId) {
    let Some(body) = item.body() else { return };
    let span = item.name().map_or(item.span(), |it| it.span());
    let name = item.name().and_then(|it| it.string_value()).unwrap_or_default();
    let attributes =
        attributes::read_attributes(checker, AttributeTarget::Claim, item.attributes());
    let n_errors = checker.n_errors();
    let row = checker.with_case_ops(TypeTable::PURE);
    let function = checker.new_function(&name, module, span, FunctionKind::Claim);
    checker.program.functions[function.index()].result = TypeTable::UNIT;
    checker.program.functions[function.index()].row = row;
    let mut it = Elaborator::new(checker, module, TypeScope::new(module, Vec::new()));
    it.in_claim = true;
    it.enter_declared(function, EffectLimit::Claim);
    let root = it.claim_body(body);
    it.leave_declared(root, Vec::new(), Vec::new());
    let observed = it.observed;
    it.finish();
    // After an error, the missing `observe` may be in code that could not be elaborated.
    if !observed && checker.n_errors() == n_errors {
        let (kind, name) = (PlaceboKind::Test, name.clone());
        checker.report(PlaceboTest { kind, name, span });
    }
    checker.check_unique_claim_name(ClaimOwner::Module(module), &name, span);
    let kind = ClaimKind::Test(function);
    let (name, ignore) = (name.into(), attributes.ignore);
    checker.program.claims.push(Claim { name, module, span, kind, ignore });
}

pub(super) fn elaborate_world<'t>(
    checker: &mut Checker<'t>,
    id: WorldId,
    item: WorldItem<'t>,
    module: ModuleId,
) {
    let mut answers: Vec<(OpId, FunctionId)> = Vec::new();
    for binding in item.bindings() {
        let Some((op, stub)) = stub_of(checker, module, binding) else { continue };
        let name = checker.program.op_name(op);
        if let Some((_, twin)) = answers.iter().find(|(it, _)| *it == op) {
            let (first, span) = (checker.program.function(*twin).span, binding.span());
            checker.report(DuplicateDefinition { name: name.clone(), span, first });
        }
        let function = checker.new_function(&name, module, binding.span(), FunctionKind::Claim);
        checker.program.functions[function.index()].result = stub;
        let mut it = Elaborator::new(checker, module, TypeScope::new(module, Vec::new()));
        it.simple_body(function, binding.value(), EffectLimit::Pure(PurePlace::Stub));
        it.finish();
        answers.push((op, function));
    }
    checker.program.worlds[id.index()].stubs = answers.into();
}

/// The operation that a binding answers, and the type its stub must have.
fn stub_of<'t>(
    checker: &mut Checker<'t>,
    module: ModuleId,
    binding: Binding<'t>,
) -> Option<(OpId, TyId)> {
    let path = binding.path()?;
    let ops = checker.find_ops(module, path);
    let [op] = ops[..] else {
        // No operation at all was reported by `find_ops`; several mean that a whole effect was
        // named.
        if ops.len() > 1 {
            let name = path.dotted();
            let close = Some(checker.program.op_name(ops[0]));
            let span = path.span();
            checker.report(crate::findings::UnknownEffect { name, span, close });
        }
        return None;
    };
    let ty = stub_type(checker, op, path.span())?;
    Some((op, ty))
}

/// The type of a stub. Generative stubs take `(path, n, ..args)`, snapshot stubs only the
/// arguments; output operations have no answer, so stubbing them is reported.
pub(crate) fn stub_type(checker: &mut Checker<'_>, op: OpId, span: Span) -> Option<TyId> {
    let operation = checker.program.op(op);
    // A stub is a value, and function types are not polymorphic.
    if operation.n_type_params > 0 {
        checker.report(MisplacedForm { form: MisplacedFormKind::GenericStub, span });
        return None;
    }
    let mut params: Vec<TyId> = operation.params.iter().map(|(_, ty)| *ty).collect();
    let result = operation.result;
    match operation.kind {
        OperationKind::Output => {
            let op = checker.program.op_name(op);
            checker.report(OutputStub { op, span });
            return None;
        }
        OperationKind::Snapshot => {}
        OperationKind::Generative | OperationKind::GenerativeOutput => {
            let path = std_type(checker, "BranchPath", &[])?;
            // A generative stub gets the position of the call, so that it can answer each call
            // differently and still be a pure function.
            params.splice(0..0, [path, TypeTable::INT]);
        }
    }
    let params = params.into();
    let row = TypeTable::PURE;
    Some(checker.program.types.intern(Ty::Function { params, result, row }))
}

/// A type of the standard library by name.
pub(super) fn std_type(checker: &mut Checker<'_>, name: &str, args: &[TyId]) -> Option<TyId> {
    let scope_types = checker.prelude.types.get(name).copied();
    match scope_types {
        Some(TypeSymbol::Nominal(id)) => {
            Some(checker.program.types.intern(Ty::Named(id, args.into())))
        }
        Some(
            TypeSymbol::Alias(_)
            | TypeSymbol::Effect(_)
            | TypeSymbol::Builtin(_)
            | TypeSymbol::Spec(_),
        )
        | None => None,
    }
}

impl<'t> Elaborator<'_, 't> {
    /// A block whose value is ignored.
    pub(super) fn claim_body(&mut self, block: Block<'t>) -> TermId {
        let span = block.span();
        let term = self.infer(Expr::Block(block));
        let ty = self.ty(term);
        if self.shallow(ty) == TypeTable::UNIT {
            return term;
        }
        if let Some(tail) = block.tail() {
            self.report_unused_value(term, tail.span());
        }
        let result = self.unit(span);
        let statements = Box::new([Statement::Drop(term)]);
        self.term(Term::Block { statements, result }, TypeTable::UNIT, span)
    }

    /// Adds an operation of `Claim` to the effects of the current position.
    fn perform_claim(&mut self, name: &str, span: Span) {
        if let Some(op) = self.claim_op(name) {
            let row = self.type_table().intern_row(Row::new(vec![op], Vec::new(), Vec::new()));
            self.perform(row, span);
        }
    }

    fn claim_op(&self, name: &str) -> Option<OpId> {
        let Some(TypeSymbol::Effect(effect)) = self.checker.prelude.types.get("Claim") else {
            return None;
        };
        let ops = &self.checker.program.effect(*effect).ops;
        ops.iter().copied().find(|it| &*self.checker.program.op(*it).name == name)
    }

    /// Whether a row contains the operation that `observe` performs.
    pub(super) fn performs_observe(&mut self, row: RowId) -> bool {
        let op = self.claim_op("observe");
        let row = self.type_table().get_row(row);
        op.is_some_and(|op| row.ops.contains(&op))
    }

    pub(super) fn observe(&mut self, it: ObserveExpr<'t>) -> TermId {
        let span = it.span();
        // Also without an expression, so that a half-typed `observe` is not reported as a test
        // without observations.
        self.observed = true;
        let Some(claim) = it.claim() else { return self.unit(span) };
        let condition = self.check(claim, TypeTable::BOOL);
        self.perform_claim("observe", span);
        let strength = observe_strength(claim);
        self.term(Term::Observe { condition, strength }, TypeTable::UNIT, span)
    }

    pub(super) fn assume(&mut self, it: AssumeExpr<'t>) -> TermId {
        let span = it.span();
        let Some(condition) = it.condition() else { return self.unit(span) };
        let condition = self.check(condition, TypeTable::BOOL);
        self.perform_claim("assume", span);
        self.term(Term::Assume(condition), TypeTable::UNIT, span)
    }

    /// `throws { .. }`: the body may have any type and any effects.
    pub(super) fn throws(&mut self, it: ThrowsExpr<'t>) -> TermId {
        let span = it.span();
        let mut kinds = Vec::new();
        if let Some(name) = it.failure() {
            kinds.extend(self.failure_kind(name));
        }
        let Some(body) = it.body() else { return self.hole(span) };
        // The value of the body is dropped, so any type will do.
        let result = self.fresh();
        let (body, row) = self.thunk(Expr::Block(body), result);
        self.perform(row, span);
        self.term(Term::Throws { kinds: kinds.into(), body }, TypeTable::BOOL, span)
    }

    fn failure_kind(&mut self, name: Name<'t>) -> Option<FailureKind> {
        let found = FailureKind::ALL.into_iter().find(|it| it.name() == name.text());
        if found.is_none() {
            let kinds = FailureKind::ALL.iter().map(|it| it.name());
            let close = gainsay_source::closest_name(name.text(), kinds).map(str::to_owned);
            let (name, span) = (name.text().to_owned(), name.span());
            self.report(UnknownName {
                name,
                span,
                may_be_foreign: false,
                close,
                in_refinement: false,
            });
        }
        found
    }

    /// Effects that the world answers do not escape:
    //
    //     body ! E    the world answers H
    //   ────────────────────────────────── (UNDER)
    //      under world { body } ! (E − H)
    pub(super) fn under(&mut self, it: UnderExpr<'t>, expected: Option<TyId>) -> TermId {
        let span = it.span();
        let mut answers = Vec::new();
        let mut answered = Vec::new();
        for binding in it.bindings() {
            let Some((op, ty)) = stub_of(self.checker, self.module, binding) else {
                answered.extend(self.every_op());
                continue;
            };
            // In the frame outside the body: a stub does not see what the body binds.
            let stub = match binding.value() {
                Some(value) => self.check(value, ty),
                None => self.hole(binding.span()),
            };
            answers.push(EffectHandler::Stub(op, stub));
            answered.push(op);
        }
        let world = it.world().and_then(|path| self.world(path));
        if it.world().is_some() && world.is_none() {
            answered.extend(self.every_op());
        }
        if let Some(world) = world {
            answered.extend(self.checker.program.world(world).stubs.iter().map(|it| it.0));
            answers.push(EffectHandler::World(world));
        }
        let Some(body) = it.body() else { return self.hole(span) };
        let result = expected.unwrap_or_else(|| self.fresh());
        // The body is a closure, because the handlers have to be in force before anything in it
        // runs.
        let (body, row) = self.thunk(Expr::Block(body), result);
        let except = self.type_table().intern_row(Row::new(answered, Vec::new(), Vec::new()));
        let (sink, demand) = self.frame().effect_sink();
        let because = ConstraintOrigin { span, limit: demand };
        self.unifier.rows.require_subset_except(row, sink, except, because);
        self.term(Term::Under { handlers: answers.into(), body }, result, span)
    }

    /// Every operation: an invalid binding counts as answering all of them, so that it causes no
    /// further errors.
    pub(super) fn every_op(&self) -> impl Iterator<Item = OpId> + use<> {
        (0..self.checker.program.ops.len() as u32).map(OpId)
    }

    /// The world that a path names; `None` after reporting an error.
    pub(super) fn world(&mut self, path: Path<'t>) -> Option<WorldId> {
        let name = path.last()?;
        let found = self.find_path(path);
        if let Some(ValueSymbol::World(id)) = found {
            return Some(id);
        }
        let worlds = self.checker.program.worlds.iter().map(|it| &*it.name);
        let close = gainsay_source::closest_name(name.text(), worlds).map(str::to_owned);
        let (name, span) = (path.dotted(), path.span());
        self.report(UnknownName {
            name,
            span,
            may_be_foreign: false,
            close,
            in_refinement: false,
        });
        None
    }

    pub(super) fn across(&mut self, it: AcrossExpr<'t>) -> TermId {
        let span = it.span();
        if it.binders().next().is_none() {
            self.report(AcrossWithoutInputs { span });
        }
        self.inputs(span, it.binders(), Vec::new(), it.body())
    }

    /// The body of a property with generators or conditions among its parameters: an `across` of
    /// these around it.
    pub(super) fn property_inputs(
        &mut self,
        span: Span,
        params: Params<'t>,
        clauses: impl Iterator<Item = InClause<'t>>,
        body: Block<'t>,
    ) -> TermId {
        let preconditions = clauses.filter_map(|it| it.condition()).map(Expr::Block).collect();
        self.inputs(span, params.inputs(), preconditions, Some(body))
    }

    /// Each binder is in scope of the later ones, and all are in scope of conditions and body.
    fn inputs(
        &mut self,
        span: Span,
        inputs: impl Iterator<Item = Binder<'t>>,
        preconditions: Vec<Expr<'t>>,
        body: Option<Block<'t>>,
    ) -> TermId {
        let mut binders: Vec<AcrossBinder> = Vec::new();
        let mut params: Vec<ClosureParam<'t>> = Vec::new();
        let mut conditions = preconditions;
        for binder in inputs {
            let Some((core, param)) = self.binder(binder, &params) else { continue };
            binders.push(core);
            params.push(param);
            conditions.extend(binder.condition());
        }
        // All `where`s are checked together, after all inputs: a condition may name any of them.
        let condition = (!conditions.is_empty()).then(|| self.conditions(&params, &conditions));
        let Some(body) = body else { return self.hole(span) };
        let (body, row) = self
            .closure(body.span(), &params, TypeTable::UNIT, |this, _| this.claim_body(body));
        self.perform(row, span);
        // Only a claim can run an `across`, so it performs `observe` even if its body does not.
        self.perform_claim("observe", span);
        let binders = binders.into();
        self.term(Term::Across { binders, condition, body }, TypeTable::UNIT, span)
    }

    fn binder(
        &mut self,
        binder: Binder<'t>,
        before: &[ClosureParam<'t>],
    ) -> Option<(AcrossBinder, ClosureParam<'t>)> {
        let name = binder.name()?;
        let span = name.span();
        let (ty, source) = match binder.generator() {
            Some(generator) => {
                let ty = self.fresh();
                let (term, row) = self
                    .closure(generator.span(), before, ty, |this, _| this.check(generator, ty));
                self.perform_generator(row, generator.span());
                (ty, BinderSource::Generator(term))
            }
            None => (self.annotation(binder.ty()?), BinderSource::Type),
        };
        let core = AcrossBinder { name: name.text().into(), ty, source, span };
        Some((core, ClosureParam { name: Some(name.text()), ty, span }))
    }

    /// A generator may perform `Gen`, which the claim answers.
    fn perform_generator(&mut self, row: RowId, span: Span) {
        let ops = match self.checker.prelude.types.get("Gen") {
            Some(TypeSymbol::Effect(effect)) => {
                self.checker.program.effect(*effect).ops.to_vec()
            }
            _ => Vec::new(),
        };
        let except = self.type_table().intern_row(Row::new(ops, Vec::new(), Vec::new()));
        let (sink, demand) = self.frame().effect_sink();
        let because = ConstraintOrigin { span, limit: demand };
        self.unifier.rows.require_subset_except(row, sink, except, because);
    }

    fn conditions(&mut self, params: &[ClosureParam<'t>], conditions: &[Expr<'t>]) -> TermId {
        let span = conditions[0].span();
        let (term, row) = self.closure(span, params, TypeTable::BOOL, |this, _: &[LocalId]| {
            let mut all: Option<TermId> = None;
            for condition in conditions {
                let term = this.check(*condition, TypeTable::BOOL);
                all = Some(match all {
                    None => term,
                    Some(before) => this.term(Term::And(before, term), TypeTable::BOOL, span),
                });
            }
            all.expect("there is a condition")
        });
        let because = ConstraintOrigin { span, limit: EffectLimit::Pure(PurePlace::Where) };
        self.unifier.rows.require_subset(row, TypeTable::PURE, because);
        term
    }

    /// `par (a, b)` is the tuple of the results; `par? (a, b)` is a `Result` of the tuple of the
    /// `Ok` payloads.
    pub(super) fn par(&mut self, it: ParExpr<'t>) -> TermId {
        let span = it.span();
        let cancelling = it.is_cancelling();
        // All branches of `par?` share one error type, because any of them may be the one returned.
        let err = self.fresh();
        let mut branches = Vec::new();
        let mut tys = Vec::new();
        for branch in it.branches() {
            let ok = self.fresh();
            let result = if cancelling { self.checker.result_of(ok, err) } else { ok };
            let (term, row) = self.thunk(branch, result);
            self.perform(row, branch.span());
            branches.push(term);
            tys.push(ok);
        }
        let mut ty = self.type_table().intern(Ty::Tuple(tys.into()));
        if cancelling {
            ty = self.checker.result_of(ty, err);
        }
        self.term(Term::Par { branches: branches.into(), cancelling }, ty, span)
    }

    /// `e !x`: `x` is a local of this function.
    pub(super) fn sample(&mut self, it: SampleExpr<'t>) -> TermId {
        let span = it.span();
        let Some(inner) = it.inner() else { return self.hole(span) };
        let condition = self.check(inner, TypeTable::BOOL);
        let Some(name) = it.name() else { return condition };
        let Some(local) = self.find_local(name.text()) else {
            self.unknown_name(name);
            return condition;
        };
        self.term(Term::Sample { condition, local }, TypeTable::BOOL, span)
    }
}

/// The strength of an observed expression.
fn observe_strength(claim: Expr<'_>) -> ObserveStrength {
    match claim.without_parens() {
        Some(Expr::Binary(it)) => match it.op() {
            Some(BinaryOp::Eq) => ObserveStrength::Exact,
            Some(op) if op.is_comparison() => ObserveStrength::Relation,
            Some(_) | None => ObserveStrength::Truth,
        },
        _ => ObserveStrength::Truth,
    }
}

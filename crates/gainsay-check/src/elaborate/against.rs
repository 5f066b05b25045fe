//! Elaborates tests against trace specifications: a call of `walk.walk` with the system as
//! functions.

use gainsay_core::{
    Arm, Claim, ClaimKind, FunctionId, FunctionKind, Literal, LocalId, ModuleId, OpId, Pattern,
    PatternId, Row, Statement, Term, TermId, TraceTest, Ty, TyId, TypeTable,
};
use gainsay_source::{Span, closest_name};
use gainsay_syntax::ast::{
    self, AgainstTest, CtorPatItem, Expr, Item, Name, OperationKeyword, Path, PendingEvents,
    SpecFn,
};

use super::Elaborator;
use super::calls::PendingArgument;
use super::closures::ClosureParam;
use super::frame::{IsGuarded, PendingMatch, PendingMatchKind};
use crate::attributes::{self, AttributeTarget};
use crate::checker::{Checker, ClaimOwner};
use crate::effect_rows::EffectLimit;
use crate::findings::{AgainstMistake, BadAgainstTest};
use crate::scope::{TypeSymbol, ValueSymbol};
use crate::type_annotations::TypeScope;

/// The number of values that are drawn of each type: enough for several different ones.
const POOL: usize = 8;

/// What a test is against.
#[derive(Clone, Copy)]
struct Target<'t> {
    spec: usize,
    goal: Option<Name<'t>>,
    span: Span,
}

pub(super) fn elaborate_against<'t>(
    checker: &mut Checker<'t>,
    item: AgainstTest<'t>,
    module: ModuleId,
) {
    let span = item.name().map_or(item.span(), |it| it.span());
    let name = item.name().and_then(|it| it.string_value()).unwrap_or_default();
    let attributes =
        attributes::read_attributes(checker, AttributeTarget::Claim, item.attributes());
    checker.check_unique_claim_name(ClaimOwner::Module(module), &name, span);
    let Some(target) = item.goal().and_then(|it| find_target(checker, module, it)) else {
        return;
    };
    let row = checker.with_case_ops(TypeTable::PURE);
    let function = checker.new_function(&name, module, span, FunctionKind::Claim);
    checker.program.functions[function.index()].result = TypeTable::UNIT;
    checker.program.functions[function.index()].row = row;
    let mut it = Elaborator::new(checker, module, TypeScope::new(module, Vec::new()));
    it.in_claim = true;
    it.enter_declared(function, EffectLimit::Claim);
    let root = it.walk(item, target);
    it.leave_declared(root, Vec::new(), Vec::new());
    it.finish();
    add_trace_test(checker, target, function);
    let kind = ClaimKind::Test(function);
    let (name, ignore) = (name.into(), attributes.ignore);
    checker.program.claims.push(Claim { name, module, span, kind, ignore });
}

/// The specification and the goal that a path names; `None` after reporting that there are none.
fn find_target<'t>(
    checker: &mut Checker<'t>,
    module: ModuleId,
    path: Path<'t>,
) -> Option<Target<'t>> {
    let names: Vec<Name<'t>> = path.names().collect();
    let span = path.span();
    if let Some(spec) = checker.spec_of_names(module, &names) {
        return Some(Target { spec, goal: None, span });
    }
    let (goal, qualifiers) = names.split_last()?;
    let Some(spec) = checker.spec_of_names(module, qualifiers) else {
        let unknown = if qualifiers.is_empty() { &names[..] } else { qualifiers };
        report_unknown_spec(checker, unknown);
        return None;
    };
    let goals: Vec<&str> =
        checker.specs[spec].goals().filter_map(|it| it.name()).map(Name::text).collect();
    if goals.contains(&goal.text()) {
        return Some(Target { spec, goal: Some(*goal), span });
    }
    let close = closest_name(goal.text(), goals).map(str::to_owned);
    let (spec, name) = (checker.specs[spec].name.to_owned(), goal.text().to_owned());
    let mistake = AgainstMistake::UnknownGoal { spec, name, close };
    checker.report(BadAgainstTest { mistake, span: goal.span() });
    None
}

fn report_unknown_spec(checker: &mut Checker<'_>, names: &[Name<'_>]) {
    let Some(last) = names.last() else { return };
    let close = closest_name(last.text(), checker.specs.iter().map(|it| it.name));
    let close = close.map(str::to_owned);
    let name: Vec<&str> = names.iter().map(|it| it.text()).collect();
    let mistake = AgainstMistake::UnknownSpec { name: name.join("."), close };
    checker.report(BadAgainstTest { mistake, span: last.span() });
}

/// Keeps the text that the run reads the specification from.
fn add_trace_test(checker: &mut Checker<'_>, target: Target<'_>, function: FunctionId) {
    let spec = &checker.specs[target.spec];
    let items = checker.file(spec.module).into_iter().flat_map(|it| it.items());
    let mut source = String::new();
    for item in items {
        if matches!(item, Item::Spec(_) | Item::Weaken(_) | Item::Type(_)) {
            source.push_str(item.node().text());
            source.push('\n');
        }
    }
    let spec = &checker.specs[target.spec];
    let test = TraceTest {
        function,
        source: source.into(),
        spec: spec.name.into(),
        goal: target.goal.map(|it| it.text().into()),
        event: spec.event,
        span: target.span,
    };
    checker.program.trace_tests.push(test);
}

/// The types of a system.
#[derive(Clone, Copy)]
struct SystemTypes {
    event: TyId,
    events: TyId,
    state: TyId,
    /// The result of a step: `(List<Event>, State)`.
    step: TyId,
    has_state: bool,
}

impl<'t> Elaborator<'_, 't> {
    /// `walk(number, initial, step, deliverable, fails)`.
    fn walk(&mut self, item: AgainstTest<'t>, target: Target<'t>) -> TermId {
        self.check_types(target);
        let span = target.span;
        self.check_once("state", item.states().map(|it| it.span()));
        self.check_once("pending", item.pending().map(|it| it.span()));
        let event = self.checker.type_of_events(target.spec);
        let events = self.type_table().intern(Ty::List(event));
        let (initial, state, has_state) = self.initial_state(item, span);
        let step = self.type_table().intern(Ty::Tuple(Box::new([events, state])));
        let types = SystemTypes { event, events, state, step, has_state };
        let number = self.checker.program.trace_tests.len() as i64;
        let number = self.term(Term::Literal(Literal::Int(number)), TypeTable::INT, span);
        let step = self.step(item, target, types);
        let deliverable = self.deliverable(item.pending().next(), types, span);
        let fails = self.fails(span);
        let prepare = self.prepare(target);
        let tables = self.tables(target);
        let args = [number, prepare, tables, initial, step, deliverable, fails];
        let args = args.map(|it| PendingArgument::Term(it, span)).to_vec();
        let Some(walk) = self.walk_function("walk") else { return self.hole(span) };
        self.call_value_def(walk, None, args, span, span, None)
    }

    /// A function of the standard module `walk`.
    fn walk_function(&self, name: &str) -> Option<ValueSymbol> {
        let module = *self.checker.prelude.modules.get("walk")?;
        self.checker.scope(module).values.get(name).map(|it| it.0)
    }

    fn check_once(&mut self, word: &'static str, mut spans: impl Iterator<Item = Span>) {
        let Some(first) = spans.next() else { return };
        for span in spans {
            self.report(BadAgainstTest {
                mistake: AgainstMistake::Twice { word, first },
                span,
            });
        }
    }

    /// The initial state; a system without one has the state `()`.
    fn initial_state(&mut self, item: AgainstTest<'t>, span: Span) -> (TermId, TyId, bool) {
        let Some(state) = item.states().next() else {
            return (self.unit(span), TypeTable::UNIT, false);
        };
        let ty = match state.ty() {
            Some(ty) => self.annotation(ty),
            None => self.fresh(),
        };
        let initial = match state.initial() {
            Some(initial) => {
                let term = self.check(initial, ty);
                self.refine(term, ty, initial.span())
            }
            None => self.hole(state.span()),
        };
        (initial, ty, true)
    }

    /// `|state, event| match event { arms }`.
    fn step(
        &mut self,
        item: AgainstTest<'t>,
        target: Target<'t>,
        types: SystemTypes,
    ) -> TermId {
        let span = target.span;
        let params =
            [state_param(types, span), ClosureParam { name: None, ty: types.event, span }];
        let result = if types.has_state { types.step } else { types.events };
        let (term, _) = self.closure(span, &params, types.step, |this, locals| {
            this.frame_mut().is_block = true;
            let caused = this.dispatch(item, target, types, (locals, result));
            if types.has_state {
                return caused;
            }
            let state = this.unit(span);
            this.term(Term::Tuple(Box::new([caused, state])), types.step, span)
        });
        term
    }

    fn dispatch(
        &mut self,
        item: AgainstTest<'t>,
        target: Target<'t>,
        types: SystemTypes,
        (locals, result): (&[LocalId], TyId),
    ) -> TermId {
        let span = target.span;
        let mut expected = Some(result);
        let broken = std::mem::replace(&mut self.broken_pattern, false);
        let (mut arms, mut rows) = (Vec::new(), Vec::new());
        let mut handled: Vec<&str> = Vec::new();
        let mut handles_any = false;
        for arm in item.arms() {
            if let Some(any) = any_event(arm) {
                let (core, row) = self.any_arm(arm, any, types.event, &mut expected);
                handles_any |= row.1 == IsGuarded::No;
                arms.push(core);
                rows.push(row);
                continue;
            }
            let Some(operation) = self.operation_of(arm, target) else {
                self.broken_pattern = true;
                continue;
            };
            handled.push(operation);
            let Some((core, row)) = self.arm(arm, types.event, &mut expected) else { continue };
            arms.push(core);
            rows.push(row);
        }
        if !handles_any {
            self.check_every_operation_is_handled(item, target, &handled);
        }
        for operation in self.checker.specs[target.spec].operations.clone() {
            let is_default = operation.kind == OperationKeyword::Observed
                && !handles_any
                && !handled.contains(&operation.name.text());
            let Some(ctor) = operation.ctor.filter(|_| is_default) else { continue };
            let n_fields = self.checker.program.ctor(ctor).fields.len();
            let body = self.nothing_happens(types, locals, span);
            let frame = self.frame_mut();
            let parts =
                (0..n_fields).map(|_| frame.body.add_pattern(Pattern::Wildcard)).collect();
            let pattern = frame.body.add_pattern(Pattern::Ctor(ctor, parts));
            rows.push((pattern, IsGuarded::No, span));
            arms.push(Arm { pattern, weight: None, guard: None, body });
        }
        if !std::mem::replace(&mut self.broken_pattern, broken) {
            let kind = PendingMatchKind::Match;
            let scrutinee = types.event;
            self.frame_mut().matches.push(PendingMatch { scrutinee, rows, span, kind });
        }
        let scrutinee = self.term(Term::Local(locals[1]), types.event, span);
        self.term(Term::Match { scrutinee, arms: arms.into() }, result, span)
    }

    /// `any(event) => ..`: an arm for every event that no arm before it is for.
    fn any_arm(
        &mut self,
        arm: ast::Arm<'t>,
        any: ast::CtorPat<'t>,
        event: TyId,
        result: &mut Option<TyId>,
    ) -> (Arm, (PatternId, IsGuarded, Span)) {
        let mut args = any.items().filter_map(|it| match it {
            CtorPatItem::Arg(it) => it.pattern(),
            CtorPatItem::Rest(_) => None,
        });
        let (bound, extra) = (args.next(), args.next());
        if let Some(extra) = extra {
            self.report(BadAgainstTest {
                mistake: AgainstMistake::AnyOfSeveral,
                span: extra.span(),
            });
        }
        let pattern = |it: &mut Self| match bound {
            Some(bound) => it.pattern(bound, event),
            None => it.frame_mut().body.add_pattern(Pattern::Wildcard),
        };
        self.arm_of(arm, (any.span(), pattern), result)
    }

    /// Nothing is caused, and the state stays.
    fn nothing_happens(
        &mut self,
        types: SystemTypes,
        locals: &[LocalId],
        span: Span,
    ) -> TermId {
        let nothing =
            self.term(Term::List { items: Box::default(), rest: None }, types.events, span);
        if !types.has_state {
            return nothing;
        }
        let state = self.term(Term::Local(locals[0]), types.state, span);
        self.term(Term::Tuple(Box::new([nothing, state])), types.step, span)
    }

    /// The operation that an arm is for; `None` after reporting that there is none.
    fn operation_of(&mut self, arm: ast::Arm<'t>, target: Target<'t>) -> Option<&'t str> {
        let Some(ast::Pattern::Ctor(pattern)) = arm.pattern() else { return None };
        let path = pattern.path()?;
        let name = path.last()?;
        if path.qualifiers().next().is_some() {
            let spec = self.checker.spec_before(self.module, path)?;
            self.checker.event_constructor(spec, name)?;
            return Some(name.text());
        }
        let spec = &self.checker.specs[target.spec];
        let span = name.span();
        let found = spec.operation(name.text());
        let mistake = match found {
            Some(it) if it.kind != OperationKeyword::Ghost => return Some(name.text()),
            Some(_) => AgainstMistake::Ghost { name: name.text().to_owned() },
            None => {
                let names = spec.operations.iter().filter(|it| it.ctor.is_some());
                let close = closest_name(name.text(), names.map(|it| it.name.text()));
                let (spec, close) = (spec.name.to_owned(), close.map(str::to_owned));
                let name = name.text().to_owned();
                AgainstMistake::UnknownOperation { spec, name, close }
            }
        };
        self.report(BadAgainstTest { mistake, span });
        None
    }

    fn check_every_operation_is_handled(
        &mut self,
        item: AgainstTest<'t>,
        target: Target<'t>,
        handled: &[&str],
    ) {
        let spec = &self.checker.specs[target.spec];
        let missing: Vec<String> = spec
            .operations
            .iter()
            .filter(|it| it.kind == OperationKeyword::Generated)
            .filter(|it| !handled.contains(&it.name.text()))
            .map(|it| it.name.text().to_owned())
            .collect();
        if missing.is_empty() {
            return;
        }
        self.broken_pattern = true;
        let mistake =
            AgainstMistake::MissingArms { spec: spec.name.to_owned(), operations: missing };
        let span = item.name().map_or(target.span, |it| it.span());
        self.report(BadAgainstTest { mistake, span });
    }

    /// `|state, queue| pending`, or the queue itself: the events that were caused and not delivered,
    /// the oldest first.
    fn deliverable(
        &mut self,
        pending: Option<PendingEvents<'t>>,
        types: SystemTypes,
        span: Span,
    ) -> TermId {
        let queue = ClosureParam { name: Some("queue"), ty: types.events, span };
        let params = [state_param(types, span), queue];
        let events: Option<Expr<'t>> = pending.and_then(|it| it.events());
        let (term, _) = self.closure(span, &params, types.events, |this, locals| {
            this.frame_mut().is_block = true;
            match events {
                Some(events) => this.check(events, types.events),
                None => this.term(Term::Local(locals[1]), types.events, span),
            }
        });
        term
    }

    /// `|| { Walk.pool<T>("T", [Gen.any<T>(), ..]) .. }`, for each type that the specification
    /// does not look into.
    fn prepare(&mut self, target: Target<'t>) -> TermId {
        let pools = self.checker.pools(target.spec);
        let span = target.span;
        let (term, _) = self.closure(span, &[], TypeTable::UNIT, |this, _| {
            let mut statements = Vec::new();
            for (sort, ty) in pools {
                let values = (0..POOL).map(|_| this.any_value(ty, span)).collect();
                let list = this.type_table().intern(Ty::List(ty));
                let values = this.term(Term::List { items: values, rest: None }, list, span);
                let sort = Term::Literal(Literal::Str(sort.into()));
                let sort = this.term(sort, TypeTable::STR, span);
                let args = [sort, values].into();
                let pooled =
                    this.perform_op("Walk", "pool", (&[ty], args), TypeTable::UNIT, span);
                statements.push(Statement::Drop(pooled));
            }
            let result = this.unit(span);
            let block = Term::Block { statements: statements.into(), result };
            this.term(block, TypeTable::UNIT, span)
        });
        term
    }

    /// `|| { tabulate("f", |(a, b)| f(a, b)) .. }`, for each function without a definition.
    fn tables(&mut self, target: Target<'t>) -> TermId {
        let span = target.span;
        let module = self.checker.specs[target.spec].module;
        let functions = self.checker.specs[target.spec].functions();
        let (term, _) = self.closure(span, &[], TypeTable::UNIT, |this, _| {
            let mut statements = Vec::new();
            for function in functions {
                let table = this.table(function, module, target);
                statements.extend(table.map(Statement::Drop));
            }
            let result = this.unit(span);
            let block = Term::Block { statements: statements.into(), result };
            this.term(block, TypeTable::UNIT, span)
        });
        term
    }

    fn table(
        &mut self,
        function: SpecFn<'t>,
        module: ModuleId,
        target: Target<'t>,
    ) -> Option<TermId> {
        let span = target.span;
        let name = function.name()?.text();
        let n_params = function.params().map_or(0, |it| it.params().count());
        let found = match self.checker.scope(module).values.get(name) {
            Some((ValueSymbol::Function(id), _)) => Some(*id),
            Some(_) | None => None,
        };
        let fits = |it: &FunctionId| {
            let it = self.checker.program.function(*it);
            it.params.len() == n_params && it.type_params.is_empty()
        };
        let Some(id) = found.filter(fits) else {
            let spec = self.checker.specs[target.spec].name.to_owned();
            let declaration = function.node().text().trim().to_owned();
            let mistake = AgainstMistake::MissingFunction { spec, declaration };
            self.report(BadAgainstTest { mistake, span });
            return None;
        };
        let params: Box<[TyId]> =
            self.checker.program.function(id).params.iter().map(|it| it.ty).collect();
        let result = self.checker.program.function(id).result;
        let all = match *params {
            [ty] => ty,
            _ => self.type_table().intern(Ty::Tuple(params.clone())),
        };
        let closure = [ClosureParam { name: None, ty: all, span }];
        let (apply, _) = self.closure(span, &closure, result, |this, locals| {
            let given = this.term(Term::Local(locals[0]), all, span);
            let args = match *params {
                [_] => vec![given],
                _ => (0..)
                    .zip(&params)
                    .map(|(index, ty)| this.term(Term::Field { base: given, index }, *ty, span))
                    .collect(),
            };
            let args = args.into_iter().map(|it| PendingArgument::Term(it, span)).collect();
            this.call_value_def(ValueSymbol::Function(id), None, args, span, span, None)
        });
        let tabulate = self.walk_function("tabulate")?;
        let name = self.term(Term::Literal(Literal::Str(name.into())), TypeTable::STR, span);
        let args = vec![PendingArgument::Term(name, span), PendingArgument::Term(apply, span)];
        Some(self.call_value_def(tabulate, None, args, span, span, None))
    }

    fn any_value(&mut self, ty: TyId, span: Span) -> TermId {
        self.perform_op("Gen", "any", (&[ty], Box::default()), ty, span)
    }

    /// Performs an operation of the standard library.
    fn perform_op(
        &mut self,
        effect: &str,
        name: &str,
        (type_args, args): (&[TyId], Box<[TermId]>),
        result: TyId,
        span: Span,
    ) -> TermId {
        let Some(op) = self.standard_op(effect, name) else { return self.hole(span) };
        let row = self.type_table().intern_row(Row::new(vec![op], Vec::new(), Vec::new()));
        self.perform(row, span);
        self.term(Term::Perform { op, type_args: type_args.into(), args }, result, span)
    }

    fn standard_op(&self, effect: &str, name: &str) -> Option<OpId> {
        let Some(TypeSymbol::Effect(effect)) = self.checker.prelude.types.get(effect) else {
            return None;
        };
        let ops = &self.checker.program.effect(*effect).ops;
        ops.iter().copied().find(|it| &*self.checker.program.op(*it).name == name)
    }

    /// Reports sorts without a type.
    fn check_types(&mut self, target: Target<'t>) {
        for (sort, declaration) in self.checker.sorts_without_type(target.spec) {
            let spec = self.checker.specs[target.spec].name.to_owned();
            let mistake = AgainstMistake::MissingType { spec, sort, declaration };
            self.report(BadAgainstTest { mistake, span: target.span });
        }
        for (sort, declaration) in self.checker.sorts_with_other_constructors(target.spec) {
            let spec = self.checker.specs[target.spec].name.to_owned();
            let mistake = AgainstMistake::OtherConstructors { spec, sort, declaration };
            self.report(BadAgainstTest { mistake, span: target.span });
        }
    }

    /// `|reason| fail(reason)`, at the goal: the test fails there.
    fn fails(&mut self, span: Span) -> TermId {
        let params = [ClosureParam { name: None, ty: TypeTable::STR, span }];
        let (term, _) = self.closure(span, &params, TypeTable::UNIT, |this, locals| {
            let Some(fail) = this.checker.prelude.values.get("fail").copied() else {
                return this.hole(span);
            };
            let reason = this.term(Term::Local(locals[0]), TypeTable::STR, span);
            let args = vec![PendingArgument::Term(reason, span)];
            this.call_value_def(fail, None, args, span, span, Some(TypeTable::UNIT))
        });
        term
    }
}

/// The pattern `any` or `any(event)` of an arm.
fn any_event(arm: ast::Arm<'_>) -> Option<ast::CtorPat<'_>> {
    let Some(ast::Pattern::Ctor(pattern)) = arm.pattern() else { return None };
    let path = pattern.path()?;
    let is_any = path.qualifiers().next().is_none() && path.last()?.text() == "any";
    is_any.then_some(pattern)
}

fn state_param<'t>(types: SystemTypes, span: Span) -> ClosureParam<'t> {
    ClosureParam { name: types.has_state.then_some("state"), ty: types.state, span }
}

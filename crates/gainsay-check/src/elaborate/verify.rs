//! Elaborates `verify` blocks: each part that is evaluated on its own becomes a function of the
//! given values and the preceding `let`s.

use gainsay_core::{
    Assertion, Claim, ClaimKind, FunctionId, FunctionKind, Given, GivenSource, Literal,
    ModuleId, OpId, Param, Row, RowId, Term, TermId, TryKind, Ty, TyId, TypeTable, VerifyBlock,
    VerifyForm, builtin,
};
use gainsay_source::Span;
use gainsay_syntax::ast::{
    self, Expr, LetStmt, MethodExpr, Name, Path, Pattern, Type, VerifyItem, VerifyStmt,
};
use gainsay_syntax::{Node, NodeKind};

use super::Elaborator;
use super::calls::{PendingArgument, arguments};
use super::claims::{std_type, stub_type};
use super::members::QualifiedMember;
use crate::attributes::{self, AttributeTarget};
use crate::checker::{Checker, ClaimOwner};
use crate::effect_rows::{EffectLimit, PurePlace};
use crate::findings::{
    BadEventPattern, BadVerify, DuplicateBinding, UnknownName, UnneededStub, VerifyProblem,
    WrongArgumentCount,
};
use crate::scope::{NameLookup, TypeSymbol, ValueSymbol, is_upper};
use crate::type_annotations::TypeScope;

/// A block under construction.
struct VerifyBuilder<'t> {
    item: VerifyItem<'t>,
    function: FunctionId,
    /// Given values, then `let`s.
    params: Vec<Param>,
    n_givens: usize,
    answered: Vec<OpId>,
}

pub(super) fn elaborate_verify<'t>(
    checker: &mut Checker<'t>,
    item: VerifyItem<'t>,
    module: ModuleId,
) {
    let Some(path) = item.function() else { return };
    let attributes =
        attributes::read_attributes(checker, AttributeTarget::Claim, item.attributes());
    let mut it = Elaborator::new(checker, module, TypeScope::new(module, Vec::new()));
    let Some(function) = it.verified_function(path) else { return };
    let mut reading =
        VerifyBuilder { item, function, params: Vec::new(), n_givens: 0, answered: Vec::new() };
    let givens = it.givens(&mut reading);
    reading.n_givens = reading.params.len();
    let when = it.when(&reading);
    let (lets, assertions) = it.assertions(&mut reading);
    it.finish();
    // The types of `let`s were unknown when their parameters were created.
    let lets: Vec<(Param, FunctionId)> = lets
        .into_iter()
        .map(|(param, function)| {
            let ty = checker.program.function(function).result;
            (Param { ty, ..param }, function)
        })
        .collect();
    let form = match item.law() {
        Some(law) if item.is_law() => VerifyForm::Law(law.text().into()),
        _ => VerifyForm::Cases,
    };
    check_assertion_count(checker, item, &form, assertions.len());
    if let Some(law) = item.law().filter(|_| item.is_law()) {
        checker.check_unique_claim_name(ClaimOwner::Function(function), law.text(), law.span());
    }
    let verify = VerifyBlock {
        function,
        form,
        traced: item.is_trace(),
        givens: givens.into(),
        when,
        lets: lets.into(),
        assertions: assertions.into(),
    };
    let span = item.law().map_or(path.span(), Name::span);
    let name = block_name(checker, module, &verify);
    let (kind, ignore) = (ClaimKind::Verify(verify), attributes.ignore);
    checker.program.claims.push(Claim { name, module, span, kind, ignore });
}

/// The name of a block: `pick_one law uses_oracle`. Blocks with the same name are numbered.
fn block_name(checker: &mut Checker<'_>, module: ModuleId, verify: &VerifyBlock) -> Box<str> {
    let function = &checker.program.function(verify.function).name;
    let traced = if verify.traced { " trace" } else { "" };
    let name = match &verify.form {
        VerifyForm::Cases => format!("{function}{traced}"),
        VerifyForm::Law(law) => format!("{function}{traced} law {law}"),
    };
    let number = checker.block_names.entry((module, name.clone())).or_insert(0);
    *number += 1;
    if *number == 1 { name.into() } else { format!("{name} ({number})").into() }
}

/// Whether an expression contains `?` outside its lambdas.
fn contains_try(node: Node<'_>) -> bool {
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        let kind = node.kind();
        if kind == NodeKind::TryExpr {
            return true;
        }
        // A `?` in a lambda returns from the lambda.
        if kind != NodeKind::LambdaExpr {
            pending.extend(node.children());
        }
    }
    false
}

/// Reports a block without assertions, and a law without exactly one.
fn check_assertion_count(
    checker: &mut Checker<'_>,
    item: VerifyItem<'_>,
    form: &VerifyForm,
    n: usize,
) {
    let span = item.function().map_or(item.span(), |it| it.span());
    if n == 0 {
        checker.report(BadVerify { problem: VerifyProblem::ClaimsNothing, span });
    } else if n > 1 && *form != VerifyForm::Cases {
        checker.report(BadVerify { problem: VerifyProblem::SeveralClaims(n), span });
    }
}

impl<'t> Elaborator<'_, 't> {
    fn verified_function(&mut self, path: Path<'t>) -> Option<FunctionId> {
        let name = path.last()?;
        let found = self.find_path(path);
        if let Some(ValueSymbol::Function(id)) = found {
            return Some(id);
        }
        let scope = self.checker.scope(self.module);
        let close = scope.closest_value(&self.checker.prelude, name.text(), &[]);
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

    fn givens(&mut self, reading: &mut VerifyBuilder<'t>) -> Vec<Given> {
        let mut givens = Vec::new();
        for stmt in reading.item.stmts() {
            match stmt {
                VerifyStmt::Given(it) => {
                    let given = self.given(reading, it);
                    if given.is_none() {
                        // An invalid `given` counts as answering everything, so that it causes no
                        // further errors.
                        reading.answered.extend(self.every_op());
                    }
                    givens.extend(given);
                }
                VerifyStmt::GivenWorld(it) => {
                    let Some(world) = it.world().and_then(|path| self.world(path)) else {
                        reading.answered.extend(self.every_op());
                        continue;
                    };
                    let answers = self.checker.program.world(world).stubs.iter();
                    reading.answered.extend(answers.map(|(op, _)| *op));
                    givens.push(Given {
                        name: "".into(),
                        ty: TypeTable::UNIT,
                        source: GivenSource::World(world),
                        span: it.span(),
                    });
                }
                VerifyStmt::Let(_) | VerifyStmt::When(_) | VerifyStmt::Case(_) => {}
            }
        }
        givens
    }

    fn given(&mut self, reading: &mut VerifyBuilder<'t>, it: ast::Given<'t>) -> Option<Given> {
        let (name, ty, span) = (it.name()?, it.ty()?, it.span());
        let (ty, source) = match self.effect_of(ty) {
            Some(path) => self.given_stubs(reading, path, it.values(), span)?,
            None => {
                let ty = self.annotation(ty);
                (ty, self.given_values(ty, it.values(), span))
            }
        };
        if let GivenSource::Values(list) | GivenSource::Stubs(_, list) = &source {
            // A value outside its type is reported under the name of the given.
            self.checker.program.functions[list.index()].name = name.text().into();
        }
        let twin = reading.params.iter().find(|it| &*it.name == name.text());
        if let Some(first) = twin.map(|it| it.span) {
            let (name, span) = (name.text().to_owned(), name.span());
            self.report(DuplicateBinding { name, span, first });
        }
        // Also after an error, so that uses of the name are not reported as unknown.
        reading.params.push(Param { name: name.text().into(), ty, span: name.span() });
        Some(Given { name: name.text().into(), ty, source, span })
    }

    /// The path of a type that denotes an effect operation: `Random.int`.
    fn effect_of(&self, ty: Type<'t>) -> Option<Path<'t>> {
        let Type::Path(it) = ty else { return None };
        let path = it.path()?;
        let names: Vec<Name<'t>> = path.names().collect();
        let at = names.iter().position(|name| is_upper(name.text()))?;
        let scope = self.checker.scope(self.module);
        let def = match at {
            0 => match scope.ty(&self.checker.prelude, names[0].text()) {
                NameLookup::Found(def) => def,
                NameLookup::Ambiguous(_) | NameLookup::Missing => return None,
            },
            _ => {
                let from = *scope.uses.get(names[at - 1].text())?;
                self.checker.scope(from).types.get(names[at].text())?.0
            }
        };
        matches!(def, TypeSymbol::Effect(_)).then_some(path)
    }

    fn given_stubs(
        &mut self,
        reading: &mut VerifyBuilder<'t>,
        path: Path<'t>,
        values: Option<Expr<'t>>,
        span: Span,
    ) -> Option<(TyId, GivenSource)> {
        let ops = self.checker.find_ops(self.module, path);
        let [op] = ops[..] else {
            if !ops.is_empty() {
                let op = self.checker.program.op_name(ops[0]);
                let problem = VerifyProblem::StubOfEffect { op };
                self.report(BadVerify { problem, span: path.span() });
            }
            return None;
        };
        let ty = stub_type(self.checker, op, path.span())?;
        // The declared row, not what the body does: the signature is what a caller can rely on.
        let row = self.checker.program.function(reading.function).row;
        if !self.type_table().get_row(row).ops.contains(&op) {
            let function = self.checker.program.function(reading.function).name.to_string();
            let op = self.checker.program.op_name(op);
            self.report(UnneededStub { op, function, span: path.span() });
        }
        reading.answered.push(op);
        let list = self.type_table().intern(Ty::List(ty));
        let function = self.part_function(
            &[],
            list,
            TypeTable::PURE,
            EffectLimit::Pure(PurePlace::Given),
            span,
            values,
        );
        Some((ty, GivenSource::Stubs(op, function)))
    }

    fn given_values(&mut self, ty: TyId, values: Option<Expr<'t>>, span: Span) -> GivenSource {
        let pure = EffectLimit::Pure(PurePlace::Given);
        if let Some(Expr::Range(range)) = values {
            self.expect_type(TypeTable::INT, ty, range.span());
            let from = self.part_function(
                &[],
                TypeTable::INT,
                TypeTable::PURE,
                pure,
                span,
                range.start(),
            );
            let to = self.part_function(
                &[],
                TypeTable::INT,
                TypeTable::PURE,
                pure,
                span,
                range.end(),
            );
            return GivenSource::Range { from, to, inclusive: range.is_inclusive() };
        }
        let list = self.type_table().intern(Ty::List(ty));
        let function = self.part_function(&[], list, TypeTable::PURE, pure, span, values);
        GivenSource::Values(function)
    }

    /// A function for a part of the block.
    fn part_function(
        &mut self,
        params: &[Param],
        result: TyId,
        row: RowId,
        demand: EffectLimit,
        span: Span,
        expr: Option<Expr<'t>>,
    ) -> FunctionId {
        let id = self.part_header(params, result, row, span, expr);
        self.simple_body(id, expr, demand);
        id
    }

    /// The left side of an assertion. With a `?` it returns an `Option` or `Result`; the value at
    /// its end is wrapped accordingly.
    fn lhs_function(
        &mut self,
        params: &[Param],
        result: TyId,
        row: RowId,
        span: Span,
        expr: Option<Expr<'t>>,
    ) -> (FunctionId, Option<TryKind>) {
        let Some(tried) = expr.filter(|it| contains_try(it.node())) else {
            return (
                self.part_function(params, result, row, EffectLimit::Claim, span, expr),
                None,
            );
        };
        // Elaborating `?` determines this type: it unifies with the `Option` or `Result` that the
        // function returns early with.
        let leaves = self.fresh();
        let id = self.part_header(params, leaves, row, span, expr);
        self.enter_declared(id, EffectLimit::Claim);
        let content = self.check(tried, result);
        let lang = self.checker.program.lang;
        let left =
            if let Ty::Named(ty, _) = self.shallow_type(leaves) { Some(ty) } else { None };
        let span = tried.span();
        let (kind, ctor, ty) = if left.is_some() && left == lang.option {
            (TryKind::Option, lang.some, self.checker.option_of(result))
        } else {
            let error = self.fresh();
            (TryKind::Result, lang.ok, self.checker.result_of(result, error))
        };
        // Still unknown: the `?` itself was invalid, and reported.
        let root = match ctor.filter(|_| left.is_some()) {
            Some(ctor) => {
                self.expect_type(ty, leaves, span);
                self.term(Term::Construct { ctor, args: Box::new([content]) }, leaves, span)
            }
            None => self.hole(span),
        };
        self.leave_declared(root, Vec::new(), Vec::new());
        (id, Some(kind))
    }

    fn part_header(
        &mut self,
        params: &[Param],
        result: TyId,
        row: RowId,
        span: Span,
        expr: Option<Expr<'t>>,
    ) -> FunctionId {
        let span = expr.map_or(span, |it| it.span());
        let id = self.checker.new_function("verify", self.module, span, FunctionKind::Claim);
        let function = &mut self.checker.program.functions[id.index()];
        function.params = params.into();
        function.result = result;
        function.row = row;
        for param in params {
            function.body.add_local(&param.name, param.ty, param.span);
        }
        id
    }

    fn when(&mut self, reading: &VerifyBuilder<'t>) -> Option<FunctionId> {
        let mut conditions = reading.item.stmts().filter_map(|stmt| {
            let VerifyStmt::When(it) = stmt else { return None };
            Some(it)
        });
        let first = conditions.next()?;
        if let Some(second) = conditions.next() {
            let problem = VerifyProblem::SecondWhen;
            self.report(BadVerify { problem, span: second.span() });
        }
        // Only the given values, no `let`s: a case is skipped before anything of it runs.
        let (params, demand) =
            (&reading.params[..reading.n_givens], EffectLimit::Pure(PurePlace::When));
        let (result, row) = (TypeTable::BOOL, TypeTable::PURE);
        Some(self.part_function(params, result, row, demand, first.span(), first.condition()))
    }

    fn assertions(
        &mut self,
        reading: &mut VerifyBuilder<'t>,
    ) -> (Vec<(Param, FunctionId)>, Vec<Assertion>) {
        let answered = std::mem::take(&mut reading.answered);
        let base = self.type_table().intern_row(Row::new(answered, Vec::new(), Vec::new()));
        let row = self.checker.with_claim_ops(base);
        if reading.item.is_trace() {
            self.traced = Some(reading.function);
        }
        let mut lets = Vec::new();
        let mut assertions = Vec::new();
        for stmt in reading.item.stmts() {
            match stmt {
                VerifyStmt::Let(it) => lets.extend(self.verify_let(reading, it, row)),
                VerifyStmt::Case(it) => {
                    let result = self.fresh();
                    let span = it.span();
                    // A snapshot: only the `let`s before this line are in scope of it.
                    let params = reading.params.clone();
                    let (lhs, tries) = self.lhs_function(&params, result, row, span, it.lhs());
                    let rhs = self.part_function(
                        &params,
                        result,
                        row,
                        EffectLimit::Claim,
                        span,
                        it.rhs(),
                    );
                    assertions.push(Assertion { lhs, lhs_try: tries, rhs, span });
                }
                VerifyStmt::Given(_) | VerifyStmt::GivenWorld(_) | VerifyStmt::When(_) => {}
            }
        }
        // Calls outside the assertions return plain values.
        self.traced = None;
        (lets, assertions)
    }

    fn verify_let(
        &mut self,
        reading: &mut VerifyBuilder<'t>,
        it: LetStmt<'t>,
        row: RowId,
    ) -> Option<(Param, FunctionId)> {
        let ty = match it.ty() {
            Some(ty) => self.annotation(ty),
            None => self.fresh(),
        };
        // Cloned before the name is bound: a `let` is not in scope of its own value.
        let params = reading.params.clone();
        let function =
            self.part_function(&params, ty, row, EffectLimit::Claim, it.span(), it.value());
        let name = match it.pattern() {
            Some(Pattern::Bind(bind)) => bind.name()?,
            Some(other) => {
                let problem = VerifyProblem::LetPattern;
                self.report(BadVerify { problem, span: other.span() });
                return None;
            }
            None => return None,
        };
        let param = Param { name: name.text().into(), ty, span: name.span() };
        reading.params.push(param.clone());
        Some((param, function))
    }

    /// A call of the traced function: its result with the trace.
    pub(super) fn traced_call(&mut self, call: TermId, result: TyId, span: Span) -> TermId {
        match std_type(self.checker, "Traced", &[result]) {
            Some(ty) => self.term(Term::Traced { call }, ty, span),
            None => call,
        }
    }

    /// `trace.contains(Random.int(1, _))`, `trace.count(Random.int)`: queries whose argument is an
    /// event pattern.
    pub(super) fn trace_query(
        &mut self,
        base: TermId,
        name: Name<'t>,
        it: MethodExpr<'t>,
    ) -> Option<TermId> {
        let trace = std_type(self.checker, "Trace", &[])?;
        let ty = self.ty(base);
        // Only these three take event patterns; the arguments of other methods are ordinary values.
        if self.shallow(ty) != trace
            || !matches!(name.text(), "contains" | "count" | "matching")
        {
            return None;
        }
        let args = arguments(it.args());
        let [PendingArgument::Expr(event, None)] = args[..] else { return None };
        let pattern = self.event_pattern(event)?;
        let def = self.find_method(ty, name)?;
        let receiver = self.frame().body.span(base);
        let args = vec![
            PendingArgument::Term(base, receiver),
            PendingArgument::Term(pattern, event.span()),
        ];
        Some(self.call_value_def(def, it.type_args(), args, it.span(), name.span(), None))
    }

    /// `Random.int` or `Random.int(1, _)` as an `EventPattern`: the name of the operation, and its
    /// printed arguments, with `None` for each `_`. Anything else is a value.
    fn event_pattern(&mut self, event: Expr<'t>) -> Option<TermId> {
        let (receiver, name, args) = if let Expr::Field(it) = event {
            (it.receiver()?, it.name()?, None)
        } else if let Expr::Method(it) = event {
            (it.receiver()?, it.name()?, Some(arguments(it.args())))
        } else if matches!(event, Expr::Name(_) | Expr::Call(_)) {
            return None;
        } else {
            self.report(BadEventPattern { span: event.span() });
            return Some(self.hole(event.span()));
        };
        // Not an operation but a variable, or a function of one: an `EventPattern` value,
        // elaborated as usual.
        let namespace = self.namespace(receiver)?;
        let Some(QualifiedMember::Op(op)) =
            self.member(namespace, receiver.node().text(), name)
        else {
            return Some(self.hole(event.span()));
        };
        Some(self.event_value(op, args, event.span()))
    }

    fn event_value(
        &mut self,
        op: OpId,
        args: Option<Vec<PendingArgument<'t>>>,
        span: Span,
    ) -> TermId {
        let method = Literal::Str(self.checker.program.op_name(op).into());
        let method = self.term(Term::Literal(method), TypeTable::STR, span);
        let text = self.checker.option_of(TypeTable::STR);
        let texts = self.type_table().intern(Ty::List(text));
        // `None` matches any arguments: a bare `Random.int` says nothing about them.
        let wanted = self.checker.option_of(texts);
        let args = match args {
            None => self.none(wanted, span),
            Some(args) => {
                let params: Vec<TyId> =
                    self.checker.program.op(op).params.iter().map(|(_, ty)| *ty).collect();
                if args.len() != params.len() {
                    let callee = format!("`{}`", self.checker.program.op_name(op));
                    let declared = Some(self.checker.program.op(op).span);
                    let (expected, actual) = (params.len(), args.len());
                    self.report(WrongArgumentCount {
                        callee,
                        expected,
                        actual,
                        span,
                        declared,
                    });
                }
                let mut items = Vec::new();
                for (at, arg) in args.into_iter().enumerate() {
                    items.push(self.event_arg(arg, params.get(at).copied(), text));
                }
                let list =
                    self.term(Term::List { items: items.into(), rest: None }, texts, span);
                self.some(list, wanted, span)
            }
        };
        let Some(ty) = std_type(self.checker, "EventPattern", &[]) else {
            return self.hole(span);
        };
        let Ty::Named(id, _) = self.shallow_type(ty) else { return self.hole(span) };
        let ctor = self.checker.program.nominal(id).ctors[0];
        self.term(Term::Construct { ctor, args: Box::new([method, args]) }, ty, span)
    }

    fn event_arg(
        &mut self,
        arg: PendingArgument<'t>,
        param: Option<TyId>,
        text: TyId,
    ) -> TermId {
        match arg {
            PendingArgument::Expr(Expr::Hole(it), _) => self.none(text, it.span()),
            PendingArgument::Expr(expr, _) => {
                let term = self.argument(arg, param);
                let ty = self.ty(term);
                let span = expr.span();
                // Events keep their arguments as text, because one list holds those of all
                // operations.
                let shown = self.builtin(builtin::SHOW, &[ty], &[term], TypeTable::STR, span);
                self.some(shown, text, span)
            }
            PendingArgument::Term(_, span) | PendingArgument::Missing(span) => self.hole(span),
        }
    }

    fn none(&mut self, ty: TyId, span: Span) -> TermId {
        match self.checker.program.lang.none {
            Some(ctor) => self.term(Term::Construct { ctor, args: Box::default() }, ty, span),
            None => self.hole(span),
        }
    }

    fn some(&mut self, value: TermId, ty: TyId, span: Span) -> TermId {
        match self.checker.program.lang.some {
            Some(ctor) => {
                self.term(Term::Construct { ctor, args: Box::new([value]) }, ty, span)
            }
            None => self.hole(span),
        }
    }
}

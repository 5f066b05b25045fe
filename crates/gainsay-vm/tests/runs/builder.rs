//! Builds core programs term by term.

use std::sync::Arc;

use gainsay_core::{
    Body, BuiltinId, Clause, Ctor, CtorId, Effect, EffectId, Field, Function, FunctionId,
    FunctionKind, Literal, LocalId, Module, ModuleId, ObserveStrength, OpId, Operation,
    OperationKind, Param, Pattern, PatternId, Program, Shape, Statement, Term, TermId, Ty,
    TyId, TypeDef, TypeId, TypeTable,
};
use gainsay_source::{FileId, Span};
use gainsay_vm::{CallOutcome, Engine, EngineKind, Fault, Host, Limits, NoEffects, Value};

pub(crate) const INT: TyId = TypeTable::INT;
pub(crate) const BOOL: TyId = TypeTable::BOOL;
pub(crate) const STR: TyId = TypeTable::STR;
pub(crate) const UNIT: TyId = TypeTable::UNIT;

/// A program with `Option`, `Result` and `BranchPath`.
pub(crate) struct ProgramBuilder {
    pub(crate) program: Program,
}

pub(crate) const NONE: CtorId = CtorId(0);
pub(crate) const SOME: CtorId = CtorId(1);
pub(crate) const OK: CtorId = CtorId(2);
pub(crate) const ERR: CtorId = CtorId(3);

impl ProgramBuilder {
    pub(crate) fn new() -> Self {
        let module = Module { name: "branch_path".into(), file: FileId(0), is_std: true };
        let program = Program { modules: vec![module], ..Program::default() };
        let mut builder = Self { program };
        let a = builder.ty(Ty::Param(0));
        let b = builder.ty(Ty::Param(1));
        let ints = builder.ty(Ty::List(INT));
        builder.sum("Option", &["A"], &[("None", &[]), ("Some", &[("", a)])]);
        builder.sum("Result", &["A", "E"], &[("Ok", &[("", a)]), ("Err", &[("", b)])]);
        builder.sum("BranchPath", &[], &[("BranchPath", &[("", ints)])]);
        let lang = &mut builder.program.lang;
        lang.option = Some(TypeId(0));
        lang.result = Some(TypeId(1));
        (lang.none, lang.some, lang.ok, lang.err) =
            (Some(NONE), Some(SOME), Some(OK), Some(ERR));
        builder
    }

    pub(crate) fn ty(&mut self, ty: Ty) -> TyId {
        self.program.types.intern(ty)
    }

    pub(crate) fn sum(
        &mut self,
        name: &str,
        params: &[&str],
        ctors: &[(&str, &[(&str, TyId)])],
    ) -> Vec<CtorId> {
        self.nominal(name, params, ctors, Shape::Sum)
    }

    pub(crate) fn record(&mut self, name: &str, fields: &[(&str, TyId)]) -> CtorId {
        self.nominal(name, &[], &[(name, fields)], Shape::Record)[0]
    }

    fn nominal(
        &mut self,
        name: &str,
        params: &[&str],
        ctors: &[(&str, &[(&str, TyId)])],
        shape: Shape,
    ) -> Vec<CtorId> {
        let ty = TypeId(self.program.nominals.len() as u32);
        let first = self.program.ctors.len() as u32;
        for (tag, (ctor, fields)) in (0_u32..).zip(ctors) {
            let field = |(name, ty): &(&str, TyId)| Field {
                name: (!name.is_empty()).then(|| (*name).into()),
                ty: *ty,
                span: span(0),
            };
            self.program.ctors.push(Ctor {
                name: (*ctor).into(),
                ty,
                tag,
                fields: fields.iter().map(field).collect(),
                span: span(0),
            });
        }
        let ids: Vec<CtorId> = (first..self.program.ctors.len() as u32).map(CtorId).collect();
        self.program.nominals.push(TypeDef {
            name: name.into(),
            module: ModuleId(0),
            span: span(0),
            params: params.iter().map(|it| (*it).into()).collect(),
            shape,
            ctors: ids.clone().into(),
            weights: None,
        });
        ids
    }

    pub(crate) fn op(
        &mut self,
        name: &str,
        params: &[TyId],
        result: TyId,
        dimension: OperationKind,
    ) -> OpId {
        let effect = EffectId(self.program.effects.len() as u32);
        let op = OpId(self.program.ops.len() as u32);
        self.program.effects.push(Effect {
            is_system: false,
            name: "World".into(),
            module: ModuleId(0),
            span: span(0),
            ops: Box::new([op]),
        });
        self.program.ops.push(Operation {
            name: name.into(),
            effect,
            n_type_params: 0,
            params: params.iter().map(|ty| ("x".into(), *ty)).collect(),
            result,
            kind: dimension,
            span: span(0),
        });
        op
    }

    /// The id that the next function will have, for recursion.
    pub(crate) fn next(&self) -> FunctionId {
        FunctionId(self.program.functions.len() as u32)
    }

    /// Adds a function; `build` makes its body and may set its contract.
    pub(crate) fn function(
        &mut self,
        name: &str,
        params: &[(&str, TyId)],
        result: TyId,
        build: impl FnOnce(&mut BodyBuilder) -> TermId,
    ) -> FunctionId {
        self.function_with_captures(name, 0, params, result, build)
    }

    pub(crate) fn function_with_captures(
        &mut self,
        name: &str,
        n_captures: u32,
        params: &[(&str, TyId)],
        result: TyId,
        build: impl FnOnce(&mut BodyBuilder) -> TermId,
    ) -> FunctionId {
        let id = self.next();
        let mut draft = BodyBuilder {
            body: Body::default(),
            requires: Vec::new(),
            ensures: Vec::new(),
            first_span: 1000 * (id.0 + 1),
        };
        for (name, ty) in params {
            draft.body.add_local(name, *ty, span(0));
        }
        let root = build(&mut draft);
        draft.body.root = Some(root);
        let kind = if n_captures > 0 {
            FunctionKind::Lambda(FunctionId(0))
        } else {
            FunctionKind::Declared
        };
        let param = |(name, ty): &(&str, TyId)| Param {
            name: (*name).into(),
            ty: *ty,
            span: span(1000 * (id.0 + 1) + 998),
        };
        self.program.functions.push(Function {
            name: name.into(),
            module: ModuleId(0),
            span: span(1000 * (id.0 + 1) + 999),
            kind,
            type_params: Box::default(),
            effect_params: Box::default(),
            n_captures,
            params: params.iter().map(param).collect(),
            result,
            row: TypeTable::PURE,
            requires: draft.requires.into(),
            ensures: draft.ensures.into(),
            body: draft.body,
            attributes: Default::default(),
        });
        id
    }

    /// `Int{it >= 0}`.
    pub(crate) fn nat(&mut self) -> TyId {
        let predicate = self.function("nat", &[("it", INT)], BOOL, |d| {
            let (it, zero) = (d.local(0), d.int(0));
            d.builtin(gainsay_core::builtin::GE, &[it, zero])
        });
        self.ty(Ty::Refined { base: INT, predicate, args: Box::default() })
    }

    pub(crate) fn engine(self) -> Engine {
        Engine::new(Arc::new(self.program), kind())
    }

    pub(crate) fn run(self, function: FunctionId, args: &[Value]) -> CallOutcome {
        self.run_with(function, args, Limits::default(), &mut NoEffects)
    }

    pub(crate) fn run_with(
        self,
        function: FunctionId,
        args: &[Value],
        limits: Limits,
        host: &mut dyn Host,
    ) -> CallOutcome {
        self.engine().worker(limits).call(function, args, host)
    }

    pub(crate) fn value(self, function: FunctionId, args: &[Value]) -> Value {
        self.run(function, args).result.expect("a value")
    }

    pub(crate) fn fault(self, function: FunctionId, args: &[Value]) -> Fault {
        self.run(function, args).result.expect_err("a fault")
    }
}

/// A body under construction. The n-th term of the k-th function has the span `1000 (k + 1) + n`.
pub(crate) struct BodyBuilder {
    pub(crate) body: Body,
    requires: Vec<Clause>,
    ensures: Vec<Clause>,
    first_span: u32,
}

impl BodyBuilder {
    pub(crate) fn add(&mut self, term: Term) -> TermId {
        let at = self.first_span + self.body.terms.len() as u32;
        self.body.add(term, UNIT, span(at))
    }

    pub(crate) fn int(&mut self, int: i64) -> TermId {
        self.add(Term::Literal(Literal::Int(int)))
    }

    pub(crate) fn str(&mut self, text: &str) -> TermId {
        self.add(Term::Literal(Literal::Str(text.into())))
    }

    pub(crate) fn literal(&mut self, literal: Literal) -> TermId {
        self.add(Term::Literal(literal))
    }

    pub(crate) fn local(&mut self, local: u32) -> TermId {
        self.add(Term::Local(LocalId(local)))
    }

    pub(crate) fn builtin(&mut self, builtin: BuiltinId, args: &[TermId]) -> TermId {
        self.add(Term::Builtin { builtin, type_args: Box::default(), args: args.into() })
    }

    pub(crate) fn call(&mut self, function: FunctionId, args: &[TermId]) -> TermId {
        self.add(Term::Call { function, type_args: Box::default(), args: args.into() })
    }

    pub(crate) fn closure(&mut self, function: FunctionId, captures: &[TermId]) -> TermId {
        self.add(Term::Closure { function, captures: captures.into() })
    }

    pub(crate) fn perform(&mut self, op: OpId, args: &[TermId]) -> TermId {
        self.add(Term::Perform { op, type_args: Box::default(), args: args.into() })
    }

    pub(crate) fn construct(&mut self, ctor: CtorId, args: &[TermId]) -> TermId {
        self.add(Term::Construct { ctor, args: args.into() })
    }

    pub(crate) fn list(&mut self, items: &[TermId], rest: Option<TermId>) -> TermId {
        self.add(Term::List { items: items.into(), rest })
    }

    pub(crate) fn tuple(&mut self, items: &[TermId]) -> TermId {
        self.add(Term::Tuple(items.into()))
    }

    pub(crate) fn if_(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        self.add(Term::If { condition, then, otherwise })
    }

    pub(crate) fn observe(&mut self, condition: TermId) -> TermId {
        self.add(Term::Observe { condition, strength: ObserveStrength::Exact })
    }

    pub(crate) fn pattern(&mut self, pattern: Pattern) -> PatternId {
        self.body.add_pattern(pattern)
    }

    pub(crate) fn block(&mut self, statements: Vec<Statement>, result: TermId) -> TermId {
        self.add(Term::Block { statements: statements.into(), result })
    }

    pub(crate) fn requires(&mut self, term: TermId) {
        let span = self.body.span(term);
        self.requires.push(Clause { term, result: None, span });
    }

    pub(crate) fn ensures(&mut self, result: LocalId, term: TermId) {
        let span = self.body.span(term);
        self.ensures.push(Clause { term, result: Some(result), span });
    }
}

pub(crate) fn span(at: u32) -> Span {
    Span::new(FileId(0), at, at + 1)
}

/// The engine that the tests run on: `GAINSAY_ENGINE`, or else the best available.
fn kind() -> EngineKind {
    match std::env::var("GAINSAY_ENGINE").as_deref() {
        Ok("interpreter") => EngineKind::Interpreter,
        Ok(_) | Err(_) => EngineKind::best(),
    }
}

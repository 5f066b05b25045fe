//! Laws as properties: derives the function of a law that draws its givens, and optionally its
//! world, and compares both sides once.

use gainsay_core::{
    Assertion, ClaimKind, EffectHandler, FunctionId, FunctionKind, GivenSource, LocalId,
    ModuleId, ObserveStrength, OpId, Statement, Term, TermId, TryKind, Ty, TyId, TypeTable,
    VerifyBlock, VerifyForm, builtin,
};
use gainsay_source::Span;

use crate::core_builder::{CoreBuilder, FunctionHeader};
use crate::derive::GeneratorMode;
use crate::domain::Domain;
use crate::lower::claim_header;
use crate::rewrite::Rewriter;
use crate::site::{LawInputSource, SiteHeader};
use crate::solve::solve_condition;

/// The default number of cases of a law in generated worlds: two answers in a row must coincide at
/// random.
const GENERATED_WORLD_CASES: u64 = 1_000;

/// How the world of an explored law answers.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum ExploredWorlds {
    /// By the given stubs, one of each list.
    Declared,
    /// By random stubs.
    Generated,
}

/// An input of an explored law.
struct LawInput {
    name: Box<str>,
    ty: TyId,
    span: Span,
    source: LawInputSource,
    /// The operation that it answers.
    op: Option<OpId>,
    /// Whether it is a given of the block, and so a parameter of its parts.
    is_given: bool,
}

impl Rewriter<'_> {
    /// For each claim that is a law, the function that runs one explored case of it.
    pub(crate) fn explored_laws(&mut self, worlds: ExploredWorlds) -> Vec<Option<FunctionId>> {
        let program = self.deriver.program;
        let claims = program.claims.iter().map(|claim| match &claim.kind {
            ClaimKind::Verify(verify) if verify.form != VerifyForm::Cases => {
                self.explored_law(verify, claim.module, claim.span, worlds)
            }
            ClaimKind::Verify(_) | ClaimKind::Test(_) | ClaimKind::Property(..) => None,
        });
        claims.collect()
    }

    fn explored_law(
        &mut self,
        verify: &VerifyBlock,
        module: ModuleId,
        span: Span,
        worlds: ExploredWorlds,
    ) -> Option<FunctionId> {
        let inputs = self.inputs(verify, span, worlds);
        let assertion = verify.assertions.first()?;
        let law = self.deriver.reserve();
        let lambdas = LawLambdas::reserve(self, verify);
        for mode in [GeneratorMode::Search, GeneratorMode::Record] {
            self.write_law(verify, module, &inputs, assertion, law, &lambdas, mode);
        }
        let name = self.deriver.program.function(verify.function).name.clone();
        let bound = inputs.iter().map(|it| (it.name.clone(), it.ty, it.span)).collect();
        let sources = inputs.into_iter().map(|it| it.source).collect();
        let n_cases = match worlds {
            ExploredWorlds::Declared => None,
            ExploredWorlds::Generated => Some(GENERATED_WORLD_CASES),
        };
        let named = SiteHeader { name, module, span, n_cases };
        Some(self.law_site(named, bound, sources, law))
    }

    /// The givens, then in generated worlds the operations that nothing else answers.
    fn inputs(
        &mut self,
        verify: &VerifyBlock,
        span: Span,
        worlds: ExploredWorlds,
    ) -> Vec<LawInput> {
        let domains = self.guard_domains(verify);
        let mut inputs = Vec::new();
        for given in &verify.givens {
            let (ty, span) = (given.ty, given.span);
            let domain = domains.get(inputs.len()).cloned().unwrap_or(Domain::Any);
            let (source, op) = match (&given.source, worlds) {
                (GivenSource::Values(list), _) => {
                    (LawInputSource::Type(ty, domain, Some(*list)), None)
                }
                (GivenSource::Range { .. }, _) => {
                    (LawInputSource::Type(ty, domain, None), None)
                }
                (GivenSource::Stubs(op, list), ExploredWorlds::Declared) => {
                    (LawInputSource::Listed(*list), Some(*op))
                }
                (GivenSource::Stubs(op, _), ExploredWorlds::Generated) => {
                    (LawInputSource::RandomStub(*op), Some(*op))
                }
                // Worlds are not drawn; `ExploredWorld::answers` adds them.
                (GivenSource::World(_), _) => continue,
            };
            let name = given.name.clone();
            inputs.push(LawInput { name, ty, span, source, op, is_given: true });
        }
        if worlds == ExploredWorlds::Generated {
            self.add_random_stubs(verify, span, &mut inputs);
        }
        inputs
    }

    fn add_random_stubs(
        &mut self,
        verify: &VerifyBlock,
        span: Span,
        inputs: &mut Vec<LawInput>,
    ) {
        let program = self.deriver.program;
        let row = program.function(verify.function).row;
        for op in program.types.get_row(row).ops.clone() {
            let operation = program.op(op);
            let is_known = inputs.iter().any(|it| it.op == Some(op));
            if is_known || operation.n_type_params > 0 || !operation.kind.is_stubbable() {
                continue;
            }
            let name = program.op_name(op).into();
            let ty = self.stub_type(op);
            let source = LawInputSource::RandomStub(op);
            inputs.push(LawInput { name, ty, span, source, op: Some(op), is_given: false });
        }
    }

    /// The type of the stubs of an operation.
    fn stub_type(&mut self, op: OpId) -> TyId {
        let operation = self.deriver.program.op(op);
        let mut params: Vec<TyId> = operation.params.iter().map(|(_, ty)| *ty).collect();
        if operation.kind.stub_takes_path_and_count() {
            let path = self.deriver.branch_path();
            params.splice(0..0, [path, TypeTable::INT]);
        }
        let (params, row) = (params.into(), TypeTable::PURE);
        self.deriver.types.intern(Ty::Function { params, result: operation.result, row })
    }

    /// The domain that `when` implies for each given.
    fn guard_domains(&mut self, verify: &VerifyBlock) -> Vec<Domain> {
        let Some(when) = verify.when else { return Vec::new() };
        let tys: Vec<TyId> =
            self.deriver.program.function(when).params.iter().map(|it| it.ty).collect();
        let deriver = &mut self.deriver;
        let solved = solve_condition(deriver.program, &mut deriver.types, when, &tys);
        if let Domain::Tuple(parts) = solved.domain { parts.into() } else { Vec::new() }
    }

    /// `assume when(..); let x = under world { .. }; observe same(under world { lhs }, ..)`.
    #[expect(clippy::too_many_arguments, reason = "they are what a law consists of")]
    fn write_law(
        &mut self,
        verify: &VerifyBlock,
        module: ModuleId,
        inputs: &[LawInput],
        assertion: &Assertion,
        law: FunctionId,
        lambdas: &LawLambdas,
        mode: GeneratorMode,
    ) {
        let program = self.deriver.program;
        let mut it = CoreBuilder::new(assertion.span);
        let locals: Vec<LocalId> =
            inputs.iter().map(|input| it.param(&input.name, input.ty)).collect();
        let givens = inputs.iter().zip(&locals).filter(|(input, _)| input.is_given);
        let mut args: Vec<LocalId> = givens.map(|(_, local)| *local).collect();
        let world = ExploredWorld { verify, inputs, locals: &locals, law };
        let mut statements = Vec::new();
        if let Some(when) = verify.when {
            it.set_span(program.function(when).span);
            let given = it.locals(&args);
            let holds = it.call(when, given, TypeTable::BOOL);
            let assume = it.assume(holds);
            statements.push(Statement::Drop(assume));
        }
        for ((param, function), lambda) in verify.lets.iter().zip(&lambdas.lets) {
            it.set_span(param.span);
            let value = self.under_world(&mut it, &world, *function, &args, *lambda, mode);
            let (local, bind) = it.bind(&param.name, value);
            statements.push(bind);
            // Later parts may use this value.
            args.push(local);
        }
        let (left, right) = (assertion.lhs, assertion.rhs);
        it.set_span(program.function(left).span);
        let actual = self.under_world(&mut it, &world, left, &args, lambdas.left, mode);
        it.set_span(program.function(right).span);
        let mut expected = self.under_world(&mut it, &world, right, &args, lambdas.right, mode);
        let ty = program.function(left).result;
        let wrapped = match assertion.lhs_try {
            Some(TryKind::Option) => program.lang.some,
            Some(TryKind::Result) => program.lang.ok,
            None => None,
        };
        // The left side is still wrapped in `Some` or `Ok`, so wrap the right side, too.
        if let Some(ctor) = wrapped {
            expected = it.construct(ctor, [expected].into(), ty);
        }
        it.set_span(assertion.span);
        let is_same = it.builtin(builtin::SAME, &[ty], &[actual, expected], TypeTable::BOOL);
        let observe = it.observe(is_same, ObserveStrength::Exact);
        statements.push(Statement::Drop(observe));
        let unit = it.unit();
        let root = it.block(statements, unit);
        let row = self.site_row();
        let name = program.function(verify.function).name.clone();
        self.deriver.define(mode, law, it.finish(claim_header(&name, module, row), root));
    }

    /// A part of the block in the world of the case: `under (..) { part(args) }`.
    fn under_world(
        &mut self,
        it: &mut CoreBuilder,
        world: &ExploredWorld<'_>,
        part: FunctionId,
        args: &[LocalId],
        lambda: FunctionId,
        mode: GeneratorMode,
    ) -> TermId {
        let function = self.deriver.program.function(part);
        let n_params = function.params.len();
        let (result, module, span) = (function.result, function.module, function.span);
        let mut inner = CoreBuilder::new(span);
        // A part takes the givens and the `let`s before it, which is a prefix of all arguments.
        let captured: Vec<LocalId> = args[..n_params]
            .iter()
            .map(|arg| {
                let local = it.body.local(*arg).clone();
                inner.param(&local.name, local.ty)
            })
            .collect();
        let given = inner.locals(&captured);
        let root = inner.call(part, given, result);
        let row = self.site_row();
        let header = FunctionHeader {
            kind: FunctionKind::Lambda(world.law),
            n_captures: n_params as u32,
            result,
            ..claim_header("verify", module, row)
        };
        self.deriver.define(mode, lambda, inner.finish(header, root));
        let ty = Ty::Function { params: Box::default(), result, row };
        let ty = self.deriver.types.intern(ty);
        let captures = it.locals(&args[..n_params]);
        let body = it.closure(lambda, captures, ty);
        let answers = world.answers(it);
        if answers.is_empty() {
            return it.call_value(body, Vec::new(), result);
        }
        it.add(Term::Under { handlers: answers.into(), body }, result)
    }
}

/// The world of an explored case.
struct ExploredWorld<'a> {
    verify: &'a VerifyBlock,
    inputs: &'a [LawInput],
    locals: &'a [LocalId],
    law: FunctionId,
}

impl ExploredWorld<'_> {
    /// Declared worlds and stubs in the order of the block; random stubs come last and win.
    fn answers(&self, it: &mut CoreBuilder) -> Vec<EffectHandler> {
        let mut answers = Vec::new();
        // Inputs are in the order of the givens, worlds left out; random stubs of other operations
        // follow.
        let mut inputs = self.inputs.iter().zip(self.locals);
        for given in &self.verify.givens {
            if let GivenSource::World(world) = given.source {
                answers.push(EffectHandler::World(world));
            } else if let Some((input, local)) = inputs.next()
                && let Some(op) = input.op
            {
                answers.push(EffectHandler::Stub(op, it.local(*local)));
            }
        }
        for (input, local) in inputs {
            if let Some(op) = input.op {
                answers.push(EffectHandler::Stub(op, it.local(*local)));
            }
        }
        answers
    }
}

/// The functions of the parts of a law, each run in the world of the case.
struct LawLambdas {
    lets: Vec<FunctionId>,
    left: FunctionId,
    right: FunctionId,
}

impl LawLambdas {
    fn reserve(rewriter: &mut Rewriter<'_>, verify: &VerifyBlock) -> Self {
        let mut reserve = || rewriter.deriver.reserve();
        let lets = verify.lets.iter().map(|_| reserve()).collect();
        Self { lets, left: reserve(), right: reserve() }
    }
}

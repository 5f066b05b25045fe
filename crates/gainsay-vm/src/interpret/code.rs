//! Programs made ready for the interpreter: one node per term, under the same number.
//!
//! A node holds what evaluation needs at hand; whatever is rare stays a term of core. The
//! parts of a term come before it, so that one pass in order makes all nodes.

use std::sync::Arc;

use gainsay_core::builtin;
use gainsay_core::{
    BuiltinId, ConstId, CtorId, Function, FunctionId, Literal, OpId, Pattern, PatternId,
    Program, Statement, Term, TermId, Ty, TyId,
};
use gainsay_source::Span;

/// A program made ready.
pub(crate) struct Code {
    pub(crate) program: Arc<Program>,
    pub(crate) functions: Box<[FunctionCode]>,
    /// Literals that each worker turns into values of its own once.
    pub(crate) literals: Box<[Literal]>,
    /// The constructor of `BranchPath`, if the program knows the type.
    pub(crate) branch_path: Option<CtorId>,
    /// The constructors that traces are made of, if the program knows them.
    pub(crate) trace: Option<TraceTypes>,
}

/// What traces are made of.
#[derive(Copy, Clone)]
pub(crate) struct TraceTypes {
    pub(crate) event: CtorId,
    pub(crate) trace: CtorId,
    pub(crate) traced: CtorId,
}

/// A function made ready.
pub(crate) struct FunctionCode {
    pub(crate) id: FunctionId,
    pub(crate) nodes: Box<[Node]>,
    pub(crate) operands: Box<[u32]>,
    pub(crate) arms: Box<[ArmCode]>,
    pub(crate) statements: Box<[StatementCode]>,
    pub(crate) root: u32,
    pub(crate) n_params: u32,
    pub(crate) n_locals: u32,
    /// What is checked around the body; nothing for most functions.
    pub(crate) checks: Option<Box<Checks>>,
    /// Something is checked after the body, so that no call in it may replace the frame.
    pub(crate) checks_result: bool,
}

/// What is checked around a body.
pub(crate) struct Checks {
    /// Parameters with refinements in their types.
    pub(crate) params: Box<[(u32, TyId)]>,
    /// The type of the result, if there are refinements in it.
    pub(crate) result: Option<TyId>,
}

/// Places in a list of the function.
#[derive(Copy, Clone)]
pub(crate) struct Range {
    start: u32,
    len: u32,
}

impl Range {
    pub(crate) fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.start as usize..][..self.len as usize]
    }

    pub(crate) fn len(self) -> usize {
        self.len as usize
    }
}

/// A term made ready. Numbers without a type are nodes of the same function.
#[derive(Copy, Clone)]
pub(crate) enum Node {
    Int(i64),
    Float(f64),
    Bool(bool),
    Char(char),
    /// A literal of [`Code::literals`].
    Shared(u32),
    Local(u32),
    Constant(ConstId),
    Function(FunctionId),
    Closure(FunctionId, Range),
    Call(FunctionId, Range),
    CallValue(u32, Range),
    /// A builtin of two arguments: most of them are arithmetic.
    Binary(BuiltinId, u32, u32),
    Builtin(BuiltinId, Range),
    Perform(OpId, Range),
    Tuple(Range),
    Construct(CtorId, Range),
    List(Range),
    ListBefore(Range, u32),
    Field(u32, u32),
    If(u32, u32, u32),
    And(u32, u32),
    Or(u32, u32),
    Match(u32, Range),
    Block(Range, u32),
    /// The value of another node.
    Same(u32),
    /// `par?` whose value is a `Result`, rather than one that leaves the function.
    ParResult,
    /// Whatever is rare: evaluation looks at the term itself.
    Rare,
}

/// An arm of a match.
#[derive(Copy, Clone)]
pub(crate) struct ArmCode {
    pub(crate) pattern: PatternId,
    pub(crate) guard: Option<u32>,
    pub(crate) body: u32,
}

/// A statement of a block.
#[derive(Copy, Clone)]
pub(crate) struct StatementCode {
    pub(crate) target: Target,
    pub(crate) value: u32,
}

/// Where the value of a statement goes.
#[derive(Copy, Clone)]
pub(crate) enum Target {
    Nowhere,
    Local(u32),
    Pattern(PatternId),
}

impl Code {
    pub(crate) fn new(program: Arc<Program>) -> Self {
        let mut literals = Vec::new();
        let functions = (0..program.functions.len() as u32)
            .map(|id| Compiler::function(&program, FunctionId(id), &mut literals))
            .collect();
        let branch_path = find_std(&program, "branch_path", "BranchPath");
        let trace = find_trace_types(&program);
        Self { program, functions, literals: literals.into(), branch_path, trace }
    }

    pub(crate) fn function(&self, id: FunctionId) -> &FunctionCode {
        &self.functions[id.index()]
    }

    /// The place of a node.
    pub(crate) fn span(&self, code: &FunctionCode, node: u32) -> Span {
        let function = self.program.function(code.id);
        function.body.spans.get(node as usize).copied().unwrap_or(function.span)
    }
}

/// The first constructor of a type of the standard library.
pub(crate) fn find_std(program: &Program, module: &str, name: &str) -> Option<CtorId> {
    let def = program.nominals.iter().find(|it| {
        let declared_in = program.module(it.module);
        &*it.name == name && &*declared_in.name == module && declared_in.is_std
    })?;
    def.ctors.first().copied()
}

/// The constructors that traces are made of.
pub(crate) fn find_trace_types(program: &Program) -> Option<TraceTypes> {
    Some(TraceTypes {
        event: find_std(program, "trace", "EffectEvent")?,
        trace: find_std(program, "trace", "Trace")?,
        traced: find_std(program, "trace", "Traced")?,
    })
}

struct Compiler<'a> {
    program: &'a Program,
    function: &'a Function,
    operands: Vec<u32>,
    arms: Vec<ArmCode>,
    statements: Vec<StatementCode>,
    literals: &'a mut Vec<Literal>,
}

impl<'a> Compiler<'a> {
    fn function(
        program: &'a Program,
        id: FunctionId,
        literals: &'a mut Vec<Literal>,
    ) -> FunctionCode {
        let function = program.function(id);
        let body = &function.body;
        let mut compiler = Self {
            program,
            function,
            operands: Vec::new(),
            arms: Vec::new(),
            statements: Vec::new(),
            literals,
        };
        let mut nodes: Vec<Node> = Vec::with_capacity(body.terms.len() + 1);
        for at in 0..body.terms.len() {
            nodes.push(compiler.node(TermId(at as u32)));
        }
        // A body without a root, which only a program with errors has, has this one.
        nodes.push(Node::Rare);
        let root = body.root.map_or(nodes.len() as u32 - 1, |root| root.0);
        let checks = compiler.checks();
        let checks_result = !function.ensures.is_empty()
            || checks.as_ref().is_some_and(|checks| checks.result.is_some());
        FunctionCode {
            id,
            nodes: nodes.into(),
            operands: compiler.operands.into(),
            arms: compiler.arms.into(),
            statements: compiler.statements.into(),
            root,
            n_params: function.params.len() as u32,
            n_locals: body.locals.len().max(function.params.len()) as u32,
            checks,
            checks_result,
        }
    }

    fn checks(&self) -> Option<Box<Checks>> {
        let is_refined = |ty: TyId| self.program.types.flags(ty).has_refinement();
        let params: Box<[(u32, TyId)]> = (0_u32..)
            .zip(&self.function.params)
            .skip(self.function.n_captures as usize)
            .filter(|(_, param)| is_refined(param.ty))
            .map(|(at, param)| (at, param.ty))
            .collect();
        let result = Some(self.function.result).filter(|ty| is_refined(*ty));
        let has_clauses =
            !self.function.requires.is_empty() || !self.function.ensures.is_empty();
        let is_checked = !params.is_empty() || result.is_some() || has_clauses;
        is_checked.then(|| Box::new(Checks { params, result }))
    }

    fn range(&mut self, terms: &[TermId]) -> Range {
        let start = self.operands.len() as u32;
        self.operands.extend(terms.iter().map(|term| term.0));
        Range { start, len: terms.len() as u32 }
    }

    fn node(&mut self, id: TermId) -> Node {
        let function = self.function;
        match function.body.term(id) {
            Term::Literal(literal) => self.literal(literal),
            Term::Local(local) => Node::Local(local.0),
            Term::Constant(constant) => Node::Constant(*constant),
            Term::Function { function, .. } => Node::Function(*function),
            Term::Closure { function, captures } => {
                Node::Closure(*function, self.range(captures))
            }
            Term::Call { function, args, .. } => Node::Call(*function, self.range(args)),
            Term::CallValue { callee, args } => Node::CallValue(callee.0, self.range(args)),
            Term::Builtin { builtin, args, .. } => match &**args {
                [a, b] if builtin::get(*builtin).arity == 2 => Node::Binary(*builtin, a.0, b.0),
                args => Node::Builtin(*builtin, self.range(args)),
            },
            Term::Perform { op, args, .. } => Node::Perform(*op, self.range(args)),
            Term::Tuple(items) => Node::Tuple(self.range(items)),
            Term::List { items, rest: None } => Node::List(self.range(items)),
            Term::List { items, rest: Some(rest) } => {
                Node::ListBefore(self.range(items), rest.0)
            }
            Term::Construct { ctor, args } => Node::Construct(*ctor, self.range(args)),
            Term::Field { base, index } => Node::Field(base.0, *index),
            Term::If { condition, then, otherwise } => {
                Node::If(condition.0, then.0, otherwise.0)
            }
            Term::And(a, b) => Node::And(a.0, b.0),
            Term::Or(a, b) => Node::Or(a.0, b.0),
            Term::Match { scrutinee, arms } => self.arms(*scrutinee, arms),
            Term::Block { statements, result } => self.block(statements, *result),
            Term::Sample { condition, .. } => Node::Same(condition.0),
            Term::Par { cancelling: true, .. } => {
                let is_result = matches!(self.base_type(id), Ty::Named(..));
                if is_result { Node::ParResult } else { Node::Rare }
            }
            Term::Par { .. } | Term::Update { .. } | Term::Try { .. } => Node::Rare,
            Term::Refine { value, ty } => {
                let is_refined = self.program.types.flags(*ty).has_refinement();
                if is_refined { Node::Rare } else { Node::Same(value.0) }
            }
            Term::CheckRel { .. } | Term::Observe { .. } | Term::Assume(_) => Node::Rare,
            Term::Throws { .. } | Term::Under { .. } | Term::Across { .. } => Node::Rare,
            Term::Traced { .. } | Term::Hole => Node::Rare,
        }
    }

    fn base_type(&self, id: TermId) -> &Ty {
        let types = &self.program.types;
        types.get(types.base(self.function.body.ty(id)))
    }

    fn literal(&mut self, literal: &Literal) -> Node {
        match literal {
            Literal::Int(int) => Node::Int(*int),
            Literal::Float(float) => Node::Float(*float),
            Literal::Bool(bool) => Node::Bool(*bool),
            Literal::Char(char) => Node::Char(*char),
            Literal::Big(_) | Literal::Str(_) => {
                self.literals.push(literal.clone());
                Node::Shared(self.literals.len() as u32 - 1)
            }
        }
    }

    fn arms(&mut self, scrutinee: TermId, arms: &[gainsay_core::Arm]) -> Node {
        let start = self.arms.len() as u32;
        self.arms.extend(arms.iter().map(|arm| ArmCode {
            pattern: arm.pattern,
            guard: arm.guard.map(|guard| guard.0),
            body: arm.body.0,
        }));
        Node::Match(scrutinee.0, Range { start, len: arms.len() as u32 })
    }

    fn block(&mut self, statements: &[Statement], result: TermId) -> Node {
        let start = self.statements.len() as u32;
        let body = &self.function.body;
        self.statements.extend(statements.iter().map(|statement| match statement {
            Statement::Drop(value) => StatementCode { target: Target::Nowhere, value: value.0 },
            Statement::Let(pattern, value) => {
                let target = match body.pattern(*pattern) {
                    Pattern::Wildcard => Target::Nowhere,
                    Pattern::Bind(local) => Target::Local(local.0),
                    Pattern::Literal(_) | Pattern::Tuple(_) | Pattern::Ctor(..) => {
                        Target::Pattern(*pattern)
                    }
                    Pattern::List(..) | Pattern::Or(_) => Target::Pattern(*pattern),
                };
                StatementCode { target, value: value.0 }
            }
        }));
        Node::Block(Range { start, len: statements.len() as u32 }, result.0)
    }
}

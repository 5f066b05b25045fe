//! From terms to nodes. The parts of a term come before it, so that one pass in order makes
//! all nodes, and one in reverse gives each its place in the frame.

use gainsay_core::builtin::{
    EQ, GE, GT, INT_ADD, INT_DIV, INT_MUL, INT_REM, INT_SUB, LE, LT, NE, SAME,
};
use gainsay_core::{
    BuiltinId, Function, FunctionId, Literal, LocalId, Pattern, Program, Statement, Term,
    TermId, Ty, TyId,
};

use super::code::{
    ArmCode, Bind, Checks, FunctionCode, MatchCode, Node, Range, Row, StatementCode, Step,
    Subject, Target, Test, slot,
};

/// Builtins that fast paths know for small integers.
const ARITHMETIC: [BuiltinId; 5] = [INT_ADD, INT_SUB, INT_MUL, INT_DIV, INT_REM];

/// Builtins that compare two values.
const COMPARISONS: [BuiltinId; 7] = [EQ, NE, LT, LE, GT, GE, SAME];

/// Makes the code of one function.
pub(super) struct Compiler<'a> {
    pub(super) program: &'a Program,
    pub(super) function: &'a Function,
    pub(super) homes: Vec<u32>,
    n_slots: u32,
    operands: Vec<u32>,
    pub(super) matches: Vec<MatchCode>,
    pub(super) subjects: Vec<Subject>,
    pub(super) arms: Vec<ArmCode>,
    pub(super) rows: Vec<Row>,
    pub(super) tests: Vec<Test>,
    pub(super) binds: Vec<Bind>,
    pub(super) steps: Vec<Step>,
    statements: Vec<StatementCode>,
    literals: &'a mut Vec<Literal>,
}

impl<'a> Compiler<'a> {
    pub(super) fn function(
        program: &'a Program,
        id: FunctionId,
        literals: &'a mut Vec<Literal>,
    ) -> FunctionCode {
        let function = program.function(id);
        let body = &function.body;
        let n_locals = body.locals.len().max(function.params.len()) as u32;
        let mut compiler = Self {
            program,
            function,
            homes: vec![n_locals; body.terms.len() + 1],
            n_slots: n_locals + 1,
            operands: Vec::new(),
            matches: Vec::new(),
            subjects: Vec::new(),
            arms: Vec::new(),
            rows: Vec::new(),
            tests: Vec::new(),
            binds: Vec::new(),
            steps: Vec::new(),
            statements: Vec::new(),
            literals,
        };
        (0..body.terms.len()).rev().for_each(|at| compiler.place_parts(at));
        let terms = 0..body.terms.len() as u32;
        let mut nodes: Vec<Node> = terms.map(|at| compiler.node(TermId(at))).collect();
        // A body without a root, which only a program with errors has, has this one.
        nodes.push(Node::Rare);
        let root = body.root.map_or(nodes.len() as u32 - 1, |root| root.0);
        compiler.finish(id, nodes, root, n_locals)
    }

    fn finish(self, id: FunctionId, nodes: Vec<Node>, root: u32, n_locals: u32) -> FunctionCode {
        let function = self.function;
        let checks = self.checks();
        let checks_result = !function.ensures.is_empty()
            || checks.as_ref().is_some_and(|checks| checks.result.is_some());
        FunctionCode {
            id,
            nodes: nodes.into(),
            homes: self.homes.into(),
            operands: self.operands.into(),
            matches: self.matches.into(),
            subjects: self.subjects.into(),
            arms: self.arms.into(),
            rows: self.rows.into(),
            tests: self.tests.into(),
            binds: self.binds.into(),
            steps: self.steps.into(),
            statements: self.statements.into(),
            root,
            n_captures: function.n_captures,
            n_params: function.params.len() as u32,
            n_locals,
            n_slots: self.n_slots,
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

    /// Gives places to the parts of a term, whose own place is known. Parts whose values are
    /// needed together lie side by side; those that are done with before the value of the
    /// term exists, or that are that value, may use its place.
    fn place_parts(&mut self, at: usize) {
        let home = self.homes[at];
        let function = self.function;
        let term = &function.body.terms[at];
        match term {
            Term::If { .. } | Term::And(..) | Term::Or(..) | Term::Block { .. } => {
                term.each_part(&mut |part| self.place(part, home));
            }
            Term::Match { scrutinee, arms } => {
                self.place(*scrutinee, home + 1);
                let n_subjects = match function.body.term(*scrutinee) {
                    Term::Tuple(parts) => parts.len() as u32,
                    _ => 0,
                };
                for arm in arms {
                    if let Some(guard) = arm.guard {
                        self.place(guard, home + 2 + n_subjects);
                    }
                    self.place(arm.body, home);
                }
            }
            _ => {
                let mut next = home + 1;
                term.each_part(&mut |part| {
                    self.place(part, next);
                    next += 1;
                });
            }
        }
    }

    /// Were a term part of several, it would get the last of their places.
    fn place(&mut self, part: TermId, home: u32) {
        let place = &mut self.homes[part.index()];
        *place = home.max(*place);
        self.n_slots = self.n_slots.max(*place + 1);
    }

    pub(super) fn slot(&self, local: LocalId) -> u32 {
        slot(local.0, self.function.n_captures, self.function.params.len() as u32)
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
            Term::Local(local) => Node::Local(self.slot(*local)),
            Term::Constant(constant) => Node::Constant(*constant),
            Term::Function { function, .. } => Node::Function(*function),
            Term::Closure { function, captures } => {
                Node::Closure(*function, self.range(captures))
            }
            Term::Call { function, args, .. } => Node::Call(*function, self.range(args)),
            Term::CallValue { callee, args } => Node::CallValue(callee.0, self.range(args)),
            Term::Builtin { builtin, args, .. } => self.builtin(*builtin, args),
            Term::Perform { op, args, .. } => Node::Perform(*op, self.range(args)),
            Term::Tuple(items) => Node::Tuple(self.range(items)),
            Term::List { items, rest: None } => Node::List(self.range(items)),
            Term::List { items, rest: Some(rest) } => match &**items {
                [item] => Node::Cons(item.0, rest.0),
                items => Node::ListBefore(self.range(items), rest.0),
            },
            Term::Construct { ctor, args } if args.is_empty() => Node::Plain(*ctor),
            Term::Construct { ctor, args } => Node::Construct(*ctor, self.range(args)),
            Term::Field { base, index } => Node::Field(base.0, *index),
            Term::If { condition, then, otherwise } => {
                Node::If(condition.0, then.0, otherwise.0)
            }
            Term::And(a, b) => Node::And(a.0, b.0),
            Term::Or(a, b) => Node::Or(a.0, b.0),
            Term::Match { scrutinee, arms } => Node::Match(self.match_(*scrutinee, arms)),
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

    fn builtin(&mut self, builtin: BuiltinId, args: &[TermId]) -> Node {
        match args {
            [a, b] if ARITHMETIC.contains(&builtin) => Node::Arithmetic(builtin, a.0, b.0),
            [a, b] if COMPARISONS.contains(&builtin) => Node::Comparison(builtin, a.0, b.0),
            args => Node::Builtin(builtin, self.range(args)),
        }
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

    fn block(&mut self, statements: &[Statement], result: TermId) -> Node {
        let mut codes = Vec::with_capacity(statements.len());
        for statement in statements {
            let target = match statement {
                Statement::Drop(_) => Target::Nowhere,
                Statement::Let(pattern, value) => match self.function.body.pattern(*pattern) {
                    Pattern::Bind(local) => Target::Local(self.slot(*local)),
                    Pattern::Wildcard | Pattern::Literal(_) | Pattern::Tuple(_) => {
                        Target::Pattern(self.let_(*pattern, *value))
                    }
                    Pattern::Ctor(..) | Pattern::List(..) | Pattern::Or(_) => {
                        Target::Pattern(self.let_(*pattern, *value))
                    }
                },
            };
            codes.push(StatementCode { target, value: statement.value().0 });
        }
        let start = self.statements.len() as u32;
        self.statements.extend(codes);
        Node::Block(Range { start, len: statements.len() as u32 }, result.0)
    }
}

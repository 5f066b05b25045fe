//! Compiles core terms to interpreter nodes.
//!
//! Nodes are built in reverse evaluation order. That way the compiler knows at each use of a local
//! whether another use may follow, and the last use can move the value instead of copying it.

use gainsay_core::builtin::{self, INT_ADD, INT_DIV, INT_MUL, INT_REM, INT_SUB};
use gainsay_core::{
    BuiltinId, Function, FunctionId, Literal, LocalId, Pattern, Program, Statement, Term,
    TermId, Ty, TyId,
};

use super::node_code::{
    CodeNode, CodeNodeKind, FunctionChecks, FunctionCode, PartStep, ReadyOperand, StatementCode,
};
use super::slot_layout::{LocalLocation, SlotLayout};

/// Builtins with a fast path for small integers.
const ARITHMETIC: [BuiltinId; 5] = [INT_ADD, INT_SUB, INT_MUL, INT_DIV, INT_REM];

/// Compiles one function.
pub(super) struct Compiler<'a> {
    pub(super) program: &'a Program,
    pub(super) function: &'a Function,
    n_slots: u32,
    literals: &'a mut Vec<Literal>,
    /// Locals used by code that is evaluated later.
    live: Vec<bool>,
    /// The locals found to be live, in the order in which they were found.
    live_locals: Vec<LocalId>,
    pub(super) layout: SlotLayout<'a>,
}

impl<'a> Compiler<'a> {
    pub(super) fn function(
        program: &'a Program,
        id: FunctionId,
        literals: &'a mut Vec<Literal>,
    ) -> FunctionCode {
        let function = program.function(id);
        let places = SlotLayout::new(function);
        let n_locals = places.n_slots;
        let compiler = Self {
            program,
            function,
            // One slot more than the locals: the home of the root.
            n_slots: n_locals + 1,
            literals,
            live: vec![false; function.body.locals.len().max(function.params.len())],
            live_locals: Vec::new(),
            layout: places,
        };
        compiler.code(id, n_locals)
    }

    fn code(mut self, id: FunctionId, n_locals: u32) -> FunctionCode {
        let function = self.function;
        let is_refined = |ty: TyId| self.program.types.flags(ty).has_refinement();
        let result = Some(function.result).filter(|ty| is_refined(*ty));
        let checks_result = !function.ensures.is_empty() || result.is_some();
        // Checks of the result can refer to all parameters, so the body must not move them out.
        self.live[..function.params.len()].fill(checks_result);
        let body = match function.body.root {
            Some(root) => self.node(root, n_locals),
            // Only a program with errors has a body without a root.
            None => {
                let (kind, term) =
                    (CodeNodeKind::Rare(Box::default()), function.body.terms.len() as u32);
                CodeNode { kind, term, home: n_locals }
            }
        };
        // Clauses are compiled with everything live: they run before or after the body, which must
        // find its parameters intact, and a clause may be followed by another.
        self.live.fill(true);
        let checks = self.checks(result, n_locals);
        FunctionCode {
            id,
            body,
            n_captures: function.n_captures,
            n_params: function.params.len() as u32,
            n_locals,
            n_slots: self.n_slots,
            checks,
            checks_result,
        }
    }

    fn checks(&mut self, result: Option<TyId>, n_locals: u32) -> Option<Box<FunctionChecks>> {
        let function = self.function;
        let params: Box<[(u32, TyId)]> = (0_u32..)
            .zip(&function.params)
            .skip(function.n_captures as usize)
            .filter(|(_, param)| self.program.types.flags(param.ty).has_refinement())
            .map(|(at, param)| (at, param.ty))
            .collect();
        let requires = function.requires.iter();
        let requires: Box<[CodeNode]> =
            requires.map(|clause| self.node(clause.term, n_locals)).collect();
        let ensures = function.ensures.iter().map(|clause| {
            let slot = clause.result.map(|result| self.slot(result));
            (slot, self.node(clause.term, n_locals))
        });
        let ensures: Box<[(Option<u32>, CodeNode)]> = ensures.collect();
        let has_clauses = !requires.is_empty() || !ensures.is_empty();
        let is_checked = !params.is_empty() || result.is_some() || has_clauses;
        is_checked.then(|| Box::new(FunctionChecks { params, requires, result, ensures }))
    }

    /// The slot of a local, or of the value that it aliases a part of.
    pub(super) fn slot(&self, local: LocalId) -> u32 {
        match self.layout.local(local) {
            LocalLocation::Slot(slot) => slot,
            LocalLocation::Part(term, _) => self.layout.subject(term),
        }
    }

    fn local(&mut self, local: LocalId) -> ReadyOperand {
        match self.layout.local(local) {
            LocalLocation::Slot(slot) => {
                // Building in reverse, the first use found is the last one evaluated.
                let is_last = self.note_use(local);
                if is_last {
                    ReadyOperand::LastUseOfLocal(slot)
                } else {
                    ReadyOperand::Local(slot)
                }
            }
            LocalLocation::Part(term, step) => {
                self.note_use_of_term(term);
                let slot = self.layout.subject(term);
                match step {
                    PartStep::Item(_) => ReadyOperand::Head(slot),
                    PartStep::ListTail(_) => ReadyOperand::Tail(slot),
                    PartStep::Field(index) => ReadyOperand::Field(slot, index),
                }
            }
        }
    }

    /// Marks the local that a term refers to as used, if it has a slot.
    pub(super) fn note_use_of_term(&mut self, term: TermId) {
        if let Some((local, _)) = self.layout.in_slot(term) {
            self.note_use(local);
        }
    }

    /// Marks a local as used; returns whether this is its last use.
    pub(super) fn note_use(&mut self, local: LocalId) -> bool {
        let is_last = !std::mem::replace(&mut self.live[local.index()], true);
        if is_last {
            self.live_locals.push(local);
        }
        is_last
    }

    /// Compiles an alternative to everything built since `mark`: none of that runs after it, so its
    /// locals are not live here. Both alternatives run after whatever is built next, so the locals
    /// of both are live again afterwards.
    pub(super) fn compile_alternative<T>(
        &mut self,
        mark: usize,
        make: impl FnOnce(&mut Self) -> T,
    ) -> T {
        // The alternatives' uses exclude each other: a last use in one does not end the life in the
        // other.
        let others = mark..self.live_locals.len();
        self.live_locals[others.clone()]
            .iter()
            .for_each(|local| self.live[local.index()] = false);
        let made = make(self);
        self.live_locals[others].iter().for_each(|local| self.live[local.index()] = true);
        made
    }

    /// The start of the range for [`Self::compile_alternative`].
    pub(super) fn mark(&self) -> usize {
        self.live_locals.len()
    }

    /// Compiles terms whose values are needed together, in adjacent slots.
    fn nodes(&mut self, terms: &[TermId], first: u32) -> Box<[CodeNode]> {
        let in_reverse = terms.iter().enumerate().rev();
        let nodes = in_reverse.map(|(at, term)| self.node(*term, first + at as u32));
        let mut nodes: Vec<CodeNode> = nodes.collect();
        nodes.reverse();
        nodes.into()
    }

    fn node_pair(&mut self, [a, b]: [TermId; 2], first: u32) -> Box<[CodeNode; 2]> {
        let b = self.node(b, first + 1);
        Box::new([self.node(a, first), b])
    }

    /// Compiles a term. Values that are needed together have adjacent home slots. A subterm that is
    /// consumed before the value of the term exists, or that is this value, may share its home.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the rest has no code of its own")]
    pub(super) fn node(&mut self, id: TermId, home: u32) -> CodeNode {
        self.n_slots = self.n_slots.max(home + 1);
        let (term, next) = (self.function.body.term(id), home + 1);
        let kind = match term {
            Term::Literal(literal) => self.literal(literal),
            Term::Local(local) => CodeNodeKind::Ready(self.local(*local)),
            Term::Constant(constant) => CodeNodeKind::Constant(*constant),
            Term::Function { function, .. } => CodeNodeKind::Function(*function),
            Term::Closure { function, captures } => {
                CodeNodeKind::Closure(*function, self.nodes(captures, next))
            }
            Term::Call { function, args, .. } => {
                CodeNodeKind::Call(*function, self.nodes(args, next))
            }
            Term::Builtin { builtin, args, .. } => self.builtin(*builtin, args, next),
            Term::Perform { op, args, .. } => {
                CodeNodeKind::Perform(*op, self.nodes(args, next))
            }
            Term::Tuple(items) => CodeNodeKind::Tuple(self.nodes(items, next)),
            Term::List { items, rest: None } => CodeNodeKind::List(self.nodes(items, next)),
            Term::List { items, rest: Some(rest) } => match &**items {
                [item] => CodeNodeKind::Cons(self.node_pair([*item, *rest], next)),
                _ => CodeNodeKind::PrependList(self.parts(term, next)),
            },
            Term::Construct { ctor, args } if args.is_empty() => {
                CodeNodeKind::NullaryCtor(*ctor)
            }
            Term::Construct { ctor, args } => {
                CodeNodeKind::Construct(*ctor, self.nodes(args, next))
            }
            Term::Field { base, index } => self.field(*base, *index, next),
            Term::If { condition, then, otherwise } => {
                let mark = self.mark();
                // Reverse evaluation order: the branches first, then the condition.
                let otherwise = self.node(*otherwise, home);
                let then = self.compile_alternative(mark, |it| it.node(*then, home));
                CodeNodeKind::If(Box::new([self.node(*condition, home), then, otherwise]))
            }
            Term::And(a, b) => CodeNodeKind::And(self.nodes_in_sequence(*a, *b, home)),
            Term::Or(a, b) => CodeNodeKind::Or(self.nodes_in_sequence(*a, *b, home)),
            Term::Match { scrutinee, arms } => {
                CodeNodeKind::Match(Box::new(self.match_(*scrutinee, arms, home)))
            }
            Term::Block { statements, result } => {
                let result = Box::new(self.node(*result, home));
                CodeNodeKind::Block(self.statements(statements, home), result)
            }
            Term::Sample { condition: same, .. } => return self.node(*same, home),
            // Without refinements in the type there is nothing to check, so the term disappears.
            Term::Refine { value, ty } if !self.program.types.flags(*ty).has_refinement() => {
                return self.node(*value, home);
            }
            Term::CallValue { .. } => CodeNodeKind::CallValue(self.parts(term, next)),
            Term::Par { cancelling: true, .. } if self.is_nominal(id) => {
                CodeNodeKind::ParResult(self.parts(term, next))
            }
            // `rare_terms` evaluates all other forms, or faults.
            _ => CodeNodeKind::Rare(self.parts(term, next)),
        };
        CodeNode { kind, term: id.0, home }
    }

    fn parts(&mut self, term: &Term, first: u32) -> Box<[CodeNode]> {
        let mut parts = Vec::new();
        term.for_each_subterm(&mut |part| parts.push(part));
        self.nodes(&parts, first)
    }

    fn nodes_in_sequence(&mut self, a: TermId, b: TermId, home: u32) -> Box<[CodeNode; 2]> {
        let b = self.node(b, home);
        Box::new([self.node(a, home), b])
    }

    fn is_nominal(&self, id: TermId) -> bool {
        let types = &self.program.types;
        matches!(types.get(types.base(self.function.body.ty(id))), Ty::Named(..))
    }

    fn builtin(&mut self, builtin: BuiltinId, args: &[TermId], first: u32) -> CodeNodeKind {
        match *args {
            [a, b] if ARITHMETIC.contains(&builtin) => {
                CodeNodeKind::Arithmetic(builtin, self.node_pair([a, b], first))
            }
            [a, b] if builtin::get(builtin).total_comparison.is_some() => {
                CodeNodeKind::Comparison(builtin, self.node_pair([a, b], first))
            }
            _ => CodeNodeKind::Builtin(builtin, self.nodes(args, first)),
        }
    }

    fn literal(&mut self, literal: &Literal) -> CodeNodeKind {
        match literal {
            Literal::Int(int) => CodeNodeKind::Ready(ReadyOperand::Int(*int)),
            Literal::Float(float) => CodeNodeKind::Float(*float),
            Literal::Bool(bool) => CodeNodeKind::Bool(*bool),
            Literal::Char(char) => CodeNodeKind::Char(*char),
            Literal::Big(_) | Literal::Str(_) => {
                self.literals.push(literal.clone());
                CodeNodeKind::Shared(self.literals.len() as u32 - 1)
            }
        }
    }

    fn field(&mut self, base: TermId, index: u32, home: u32) -> CodeNodeKind {
        if let Some((local, slot)) = self.layout.in_slot(base) {
            // Field access reads through the slot without moving the aggregate, so this is never a
            // last use that takes the value.
            self.note_use(local);
            return CodeNodeKind::Ready(ReadyOperand::Field(slot, index));
        }
        CodeNodeKind::Field(Box::new(self.node(base, home)), index)
    }

    fn statements(&mut self, statements: &[Statement], home: u32) -> Box<[StatementCode]> {
        let mut codes: Vec<StatementCode> =
            statements.iter().rev().map(|statement| self.statement(statement, home)).collect();
        codes.reverse();
        codes.into()
    }

    fn statement(&mut self, statement: &Statement, home: u32) -> StatementCode {
        match statement {
            Statement::Drop(value) => StatementCode::Drop(self.node(*value, home)),
            Statement::Let(pattern, value) => {
                if let Pattern::Bind(local) = self.function.body.pattern(*pattern) {
                    return StatementCode::Let(self.slot(*local), self.node(*value, home));
                }
                let subjects = self.layout.subjects(*value, &[*pattern]);
                let row = self.flat_pattern(&subjects, *pattern);
                let subjects = self.subjects(&subjects, home);
                StatementCode::Match { subjects, row, term: value.0 }
            }
        }
    }
}

//! What terms mean in brief: two that mean the same by the simplest laws of arithmetic and logic
//! have the same number. Mutants that mean the same as what they stand for are found by it.
//!
//! Terms become nodes of one graph, each with its parts, no two alike (Ershov, "On programming of
//! arithmetic operations", Communications of the ACM 1(8), 1958). A law is applied where a node is
//! made, to parts that are simple already. It must hold of all that a program can tell: values,
//! failures and effects, but not of the steps and the memory that are taken.

mod laws;
mod node;

use std::collections::{BTreeMap, HashMap};

use gainsay_core::{
    Answer, Arm, Body, FunctionId, Literal, Pattern, Program, Statement, Term, TermId, TryKind,
};
use num_bigint::BigInt;

use self::node::{Calm, Head, Node};

/// What a term means.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Meaning(u32);

/// What the terms of a program mean.
pub(crate) struct Meanings<'p> {
    program: &'p Program,
    nodes: Vec<(Node, Calm)>,
    by_node: HashMap<Node, Meaning>,
    /// Those of the terms of each function.
    known: BTreeMap<FunctionId, Vec<Option<Meaning>>>,
}

impl<'p> Meanings<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Self { program, nodes: Vec::new(), by_node: HashMap::new(), known: BTreeMap::new() }
    }

    /// What a term of a function means.
    pub(crate) fn of(&mut self, function: FunctionId, body: &Body, term: TermId) -> Meaning {
        let mut known = self.known.remove(&function).unwrap_or_default();
        known.resize(body.terms.len(), None);
        let meaning = Reader { meanings: self, body, known: &mut known }.term(term);
        self.known.insert(function, known);
        meaning
    }

    /// The number of a node.
    fn node(&mut self, head: Head, parts: &[Meaning], calm: Calm) -> Meaning {
        let node = Node { head, parts: parts.into() };
        if let Some(known) = self.by_node.get(&node) {
            return *known;
        }
        let meaning = Meaning(self.nodes.len() as u32);
        self.nodes.push((node.clone(), calm));
        self.by_node.insert(node, meaning);
        meaning
    }

    /// A node that is as calm as its parts.
    fn calm_node(&mut self, head: Head, parts: &[Meaning]) -> Meaning {
        let calm = self.calm_of(parts);
        self.node(head, parts, calm)
    }

    fn get(&self, meaning: Meaning) -> &Node {
        &self.nodes[meaning.0 as usize].0
    }

    fn calm(&self, meaning: Meaning) -> Calm {
        self.nodes[meaning.0 as usize].1
    }

    fn calm_of(&self, parts: &[Meaning]) -> Calm {
        parts.iter().map(|it| self.calm(*it)).max().unwrap_or(Calm::Still)
    }

    fn is_still(&self, meaning: Meaning) -> bool {
        self.calm(meaning) == Calm::Still
    }

    fn truth(&mut self, truth: bool) -> Meaning {
        self.node(Head::Bool(truth), &[], Calm::Still)
    }

    fn int(&mut self, int: BigInt) -> Meaning {
        self.node(Head::Int(int), &[], Calm::Still)
    }
}

/// Reads the terms of one body.
struct Reader<'a, 'p> {
    meanings: &'a mut Meanings<'p>,
    body: &'a Body,
    known: &'a mut Vec<Option<Meaning>>,
}

impl Reader<'_, '_> {
    fn term(&mut self, id: TermId) -> Meaning {
        if let Some(known) = self.known[id.index()] {
            return known;
        }
        let meaning = self.read(id);
        self.known[id.index()] = Some(meaning);
        meaning
    }

    fn terms(&mut self, ids: &[TermId]) -> Vec<Meaning> {
        ids.iter().map(|it| self.term(*it)).collect()
    }

    fn read(&mut self, id: TermId) -> Meaning {
        let body = self.body;
        match body.term(id) {
            Term::Literal(literal) => self.literal(literal),
            Term::Builtin { builtin, type_args, args } => {
                let args = self.terms(args);
                self.meanings.builtin(*builtin, type_args, &args)
            }
            Term::And(a, b) => {
                let (a, b) = (self.term(*a), self.term(*b));
                self.meanings.and(a, b)
            }
            Term::Or(a, b) => {
                let (a, b) = (self.term(*a), self.term(*b));
                self.meanings.or(a, b)
            }
            Term::If { condition, then, otherwise } => {
                let condition = self.term(*condition);
                let (then, otherwise) = (self.term(*then), self.term(*otherwise));
                self.meanings.choice(condition, then, otherwise)
            }
            Term::Call { function, type_args, args } => {
                let args = self.terms(args);
                self.meanings.call(*function, type_args, &args)
            }
            Term::List { items, rest } => {
                let items = self.terms(items);
                let rest = rest.map(|it| self.term(it));
                self.meanings.list(items, rest)
            }
            Term::Block { statements, result } => self.block(statements, *result),
            Term::Match { scrutinee, arms } => self.match_(*scrutinee, arms),
            other => self.other(other),
        }
    }

    fn literal(&mut self, literal: &Literal) -> Meaning {
        let head = match literal {
            Literal::Int(int) => Head::Int(BigInt::from(*int)),
            Literal::Big(int) => Head::Int((**int).clone()),
            Literal::Float(float) => Head::Float(float.to_bits()),
            Literal::Bool(truth) => Head::Bool(*truth),
            Literal::Char(char) => Head::Char(*char),
            Literal::Str(text) => Head::Str(text.clone()),
        };
        self.meanings.node(head, &[], Calm::Still)
    }

    //   { s; e } = { e }        if nothing happens in s
    //   { e } = e
    fn block(&mut self, statements: &[Statement], result: TermId) -> Meaning {
        let mut patterns = Vec::new();
        let mut parts = Vec::new();
        for statement in statements {
            let value = self.term(statement.value());
            if statement.pattern().is_none() && self.meanings.is_still(value) {
                continue;
            }
            patterns.push(statement.pattern());
            parts.push(value);
        }
        let result = self.term(result);
        if parts.is_empty() {
            return result;
        }
        parts.push(result);
        self.meanings.calm_node(Head::Block(patterns.into()), &parts)
    }

    //   match x { .. p if g => e; _ => e } = match x { .. _ => e }     if nothing happens in g
    fn match_(&mut self, scrutinee: TermId, arms: &[Arm]) -> Meaning {
        let mut parts = vec![self.term(scrutinee)];
        let read = |it: &Arm, this: &mut Self| {
            let guard = it.guard.map(|guard| this.term(guard));
            (it.pattern, guard, this.term(it.body))
        };
        let mut read: Vec<_> = arms.iter().map(|it| read(it, self)).collect();
        if let Some((last, None, body)) = read.last().copied()
            && matches!(self.body.pattern(last), Pattern::Wildcard)
        {
            read.pop();
            while read.last().is_some_and(|(_, guard, it)| {
                *it == body && guard.is_none_or(|guard| self.meanings.is_still(guard))
            }) {
                read.pop();
            }
            read.push((last, None, body));
        }
        let heads = read.iter().map(|(pattern, guard, _)| (*pattern, guard.is_some()));
        let heads = Head::Match(heads.collect());
        for (_, guard, body) in read {
            parts.extend(guard);
            parts.push(body);
        }
        self.meanings.calm_node(heads, &parts)
    }

    /// A term that no law speaks of: what it is, and its parts.
    fn other(&mut self, term: &Term) -> Meaning {
        let mut parts = Vec::new();
        term.each_part(&mut |part| parts.push(part));
        let parts = self.terms(&parts);
        let inside = self.meanings.calm_of(&parts);
        let (head, calm) = self.head(term);
        self.meanings.node(head, &parts, calm.max(inside))
    }

    /// What a term is apart from its parts, and what may happen in it besides.
    fn head(&self, term: &Term) -> (Head, Calm) {
        match term {
            Term::Local(local) => (Head::Local(*local), Calm::Still),
            Term::Constant(constant) => (Head::Constant(*constant), Calm::MayFail),
            Term::Function { function, type_args } => {
                (Head::Function(*function, type_args.clone()), Calm::Still)
            }
            Term::Closure { function, .. } => (Head::Closure(*function), Calm::Still),
            Term::CallValue { callee, .. } => (Head::CallValue, self.calm_of_calls(*callee)),
            Term::Perform { op, type_args, .. } => {
                (Head::Perform(*op, type_args.clone()), Calm::MayAct)
            }
            Term::CheckRel { rel, .. } => (Head::Rel(*rel), Calm::MayFail),
            Term::Tuple(_) => (Head::Tuple, Calm::Still),
            Term::Construct { ctor, .. } => (Head::Construct(*ctor), Calm::Still),
            Term::Field { index, .. } => (Head::Field(*index), Calm::Still),
            Term::Update { fields, .. } => {
                (Head::Update(fields.iter().map(|it| it.0).collect()), Calm::Still)
            }
            // What leaves the function is not to be left out.
            Term::Try { kind, .. } => (Head::Try(*kind == TryKind::Option), Calm::MayAct),
            Term::Refine { ty, .. } => (Head::Refine(*ty), Calm::MayFail),
            Term::Throws { kinds, .. } => (Head::Throws(kinds.clone()), Calm::MayAct),
            Term::Under { answers, .. } => {
                let answers = answers.iter().map(|it| match it {
                    Answer::Stub(op, _) => (Some(*op), None),
                    Answer::World(world) => (None, Some(*world)),
                });
                (Head::Under(answers.collect()), Calm::MayAct)
            }
            Term::Par { cancelling, .. } => (Head::Par(*cancelling), Calm::MayAct),
            Term::Sample { local, .. } => (Head::Sample(*local), Calm::Still),
            Term::Literal(_)
            | Term::Builtin { .. }
            | Term::Call { .. }
            | Term::List { .. }
            | Term::If { .. }
            | Term::And(..)
            | Term::Or(..)
            | Term::Match { .. }
            | Term::Block { .. }
            | Term::Observe { .. }
            | Term::Assume(_)
            | Term::Across { .. }
            | Term::Traced { .. }
            | Term::Hole => (Head::Other(std::mem::discriminant(term)), Calm::MayAct),
        }
    }

    /// What may happen when a function value is called.
    fn calm_of_calls(&self, callee: TermId) -> Calm {
        let types = &self.meanings.program.types;
        match types.get(types.base(self.body.ty(callee))) {
            gainsay_core::Ty::Function { row, .. } if types.get_row(*row).is_pure() => {
                Calm::MayFail
            }
            _ => Calm::MayAct,
        }
    }
}

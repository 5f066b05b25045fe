//! Value numbering: terms that are equal by simple laws of arithmetic and logic get the same
//! number. Mutants with the number of the original, or of another mutant, are equivalent and
//! dropped.
//!
//! Terms become hash-consed nodes of one graph (Ershov, "On programming of arithmetic operations",
//! Communications of the ACM 1(8), 1958). A law is applied when a node is made, to parts that are
//! already normalized. It must preserve everything a program can observe: values, failures and
//! effects, but not steps and memory.

mod algebraic_laws;
mod value_node;

use std::collections::{BTreeMap, HashMap};

use gainsay_core::{
    Arm, Body, EffectHandler, FunctionId, Literal, Pattern, Program, Statement, Term, TermId,
    TryKind, Ty,
};
use num_bigint::BigInt;

use self::value_node::{NodeHead, TermEffects, ValueNode};

/// The number of a term's value.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ValueNumber(u32);

/// The value numbers of the terms of a program.
pub(crate) struct ValueNumbering<'p> {
    program: &'p Program,
    nodes: Vec<(ValueNode, TermEffects)>,
    by_node: HashMap<ValueNode, ValueNumber>,
    /// The numbers of the terms of each function.
    numbered: BTreeMap<FunctionId, Vec<Option<ValueNumber>>>,
}

impl<'p> ValueNumbering<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        Self { program, nodes: Vec::new(), by_node: HashMap::new(), numbered: BTreeMap::new() }
    }

    /// The value number of a term of a function.
    pub(crate) fn number_of(
        &mut self,
        function: FunctionId,
        body: &Body,
        term: TermId,
    ) -> ValueNumber {
        let mut numbered = self.numbered.remove(&function).unwrap_or_default();
        // Operators append replacement terms to the body between calls, so the table grows.
        numbered.resize(body.terms.len(), None);
        let meaning =
            TermNumbering { numbering: self, body, numbered: &mut numbered }.term(term);
        self.numbered.insert(function, numbered);
        meaning
    }

    /// The number of a node.
    fn node(
        &mut self,
        head: NodeHead,
        parts: &[ValueNumber],
        calm: TermEffects,
    ) -> ValueNumber {
        let node = ValueNode { head, parts: parts.into() };
        if let Some(number) = self.by_node.get(&node) {
            return *number;
        }
        let meaning = ValueNumber(self.nodes.len() as u32);
        self.nodes.push((node.clone(), calm));
        self.by_node.insert(node, meaning);
        meaning
    }

    /// A node with the combined effects of its parts.
    fn node_with_part_effects(&mut self, head: NodeHead, parts: &[ValueNumber]) -> ValueNumber {
        let calm = self.effects_of(parts);
        self.node(head, parts, calm)
    }

    fn get(&self, meaning: ValueNumber) -> &ValueNode {
        &self.nodes[meaning.0 as usize].0
    }

    fn effects(&self, meaning: ValueNumber) -> TermEffects {
        self.nodes[meaning.0 as usize].1
    }

    fn effects_of(&self, parts: &[ValueNumber]) -> TermEffects {
        parts.iter().map(|it| self.effects(*it)).max().unwrap_or(TermEffects::Pure)
    }

    fn is_pure(&self, meaning: ValueNumber) -> bool {
        self.effects(meaning) == TermEffects::Pure
    }

    /// A literal value.
    fn value(&mut self, head: NodeHead) -> ValueNumber {
        self.node(head, &[], TermEffects::Pure)
    }
}

/// Numbers the terms of one body.
struct TermNumbering<'a, 'p> {
    numbering: &'a mut ValueNumbering<'p>,
    body: &'a Body,
    numbered: &'a mut Vec<Option<ValueNumber>>,
}

impl TermNumbering<'_, '_> {
    fn term(&mut self, id: TermId) -> ValueNumber {
        if let Some(number) = self.numbered[id.index()] {
            return number;
        }
        let meaning = self.read(id);
        // Terms are shared between mutants of a body, so each is numbered once.
        self.numbered[id.index()] = Some(meaning);
        meaning
    }

    fn terms(&mut self, ids: &[TermId]) -> Vec<ValueNumber> {
        ids.iter().map(|it| self.term(*it)).collect()
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "laws exist for these forms only")]
    fn read(&mut self, id: TermId) -> ValueNumber {
        let body = self.body;
        match body.term(id) {
            Term::Literal(literal) => self.literal(literal),
            Term::Builtin { builtin, type_args, args } => {
                let args = self.terms(args);
                self.numbering.builtin(*builtin, type_args, &args)
            }
            Term::And(a, b) => {
                let (a, b) = (self.term(*a), self.term(*b));
                self.numbering.and(a, b)
            }
            Term::Or(a, b) => {
                let (a, b) = (self.term(*a), self.term(*b));
                self.numbering.or(a, b)
            }
            Term::If { condition, then, otherwise } => {
                let condition = self.term(*condition);
                let (then, otherwise) = (self.term(*then), self.term(*otherwise));
                self.numbering.conditional(condition, then, otherwise)
            }
            Term::Call { function, type_args, args } => {
                let args = self.terms(args);
                self.numbering.call(*function, type_args, &args)
            }
            Term::List { items, rest } => {
                let items = self.terms(items);
                let rest = rest.map(|it| self.term(it));
                self.numbering.list(items, rest)
            }
            Term::Block { statements, result } => self.block(statements, *result),
            Term::Match { scrutinee, arms } => self.match_(*scrutinee, arms),
            other => self.other(id, other),
        }
    }

    fn literal(&mut self, literal: &Literal) -> ValueNumber {
        let head = match literal {
            Literal::Int(int) => NodeHead::Int(BigInt::from(*int)),
            Literal::Big(int) => NodeHead::Int((**int).clone()),
            Literal::Float(float) => NodeHead::Float(float.to_bits()),
            Literal::Bool(truth) => NodeHead::Bool(*truth),
            Literal::Char(char) => NodeHead::Char(*char),
            Literal::Str(text) => NodeHead::Str(text.clone()),
        };
        self.numbering.value(head)
    }

    //   { s; e } = { e }        if s is pure
    //   { e } = e
    fn block(&mut self, statements: &[Statement], result: TermId) -> ValueNumber {
        let mut patterns = Vec::new();
        let mut parts = Vec::new();
        for statement in statements {
            let value = self.term(statement.value());
            // A binding stays even if it is pure: what follows may use its names.
            if statement.pattern().is_none() && self.numbering.is_pure(value) {
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
        self.numbering.node_with_part_effects(NodeHead::Block(patterns.into()), &parts)
    }

    //   match x { .. p if g => e; _ => e } = match x { .. _ => e }    if g is pure
    //   match x { _ => e } = { x; e }
    fn match_(&mut self, scrutinee: TermId, arms: &[Arm]) -> ValueNumber {
        let scrutinee = self.term(scrutinee);
        let mut read = Vec::with_capacity(arms.len());
        for arm in arms {
            let guard = arm.guard.map(|it| self.term(it));
            read.push((arm.pattern, guard, self.term(arm.body)));
        }
        if let Some((last, None, body)) = read.last().copied()
            && matches!(self.body.pattern(last), Pattern::Wildcard)
        {
            read.pop();
            while read.last().is_some_and(|(_, guard, it)| {
                *it == body && guard.is_none_or(|guard| self.numbering.is_pure(guard))
            }) {
                read.pop();
            }
            if read.is_empty() {
                return self.numbering.sequence(scrutinee, body);
            }
            read.push((last, None, body));
        }
        let heads = read.iter().map(|(pattern, guard, _)| (*pattern, guard.is_some()));
        let head = NodeHead::Match(heads.collect());
        let mut parts = vec![scrutinee];
        for (_, guard, body) in read {
            parts.extend(guard);
            parts.push(body);
        }
        self.numbering.node_with_part_effects(head, &parts)
    }

    /// A term that no law applies to: its head and its parts.
    fn other(&mut self, id: TermId, term: &Term) -> ValueNumber {
        let mut parts = Vec::new();
        term.for_each_subterm(&mut |part| parts.push(part));
        let parts = self.terms(&parts);
        let inside = self.numbering.effects_of(&parts);
        let (head, calm) = self.head(id, term);
        self.numbering.node(head, &parts, calm.max(inside))
    }

    /// The head of a term, and its own effects apart from its parts'.
    #[expect(clippy::wildcard_enum_match_arm, reason = "an unknown form equals only itself")]
    fn head(&self, id: TermId, term: &Term) -> (NodeHead, TermEffects) {
        match term {
            Term::Local(local) => (NodeHead::Local(*local), TermEffects::Pure),
            Term::Constant(constant) => (NodeHead::Constant(*constant), TermEffects::MayFail),
            Term::Function { function, type_args } => {
                (NodeHead::Function(*function, type_args.clone()), TermEffects::Pure)
            }
            // Its captures are the parts; what its body does happens at the call.
            Term::Closure { function, .. } => (NodeHead::Closure(*function), TermEffects::Pure),
            Term::CallValue { callee, .. } => {
                (NodeHead::CallValue, self.effects_of_calls(*callee))
            }
            Term::Perform { op, type_args, .. } => {
                (NodeHead::Perform(*op, type_args.clone()), TermEffects::Effectful)
            }
            Term::CheckRel { rel, .. } => (NodeHead::Rel(*rel), TermEffects::MayFail),
            Term::Tuple(_) => (NodeHead::Tuple, TermEffects::Pure),
            Term::Construct { ctor, .. } => (NodeHead::Construct(*ctor), TermEffects::Pure),
            Term::Field { index, .. } => (NodeHead::Field(*index), TermEffects::Pure),
            Term::Update { fields, .. } => {
                (NodeHead::Update(fields.iter().map(|it| it.0).collect()), TermEffects::Pure)
            }
            // `?` may leave the function, so it must not be dropped.
            Term::Try { kind, .. } => {
                (NodeHead::Try(*kind == TryKind::Option), TermEffects::Effectful)
            }
            Term::Refine { ty, .. } => (NodeHead::Refine(*ty), TermEffects::MayFail),
            Term::Throws { kinds, .. } => {
                (NodeHead::Throws(kinds.clone()), TermEffects::Effectful)
            }
            Term::Under { handlers: answers, .. } => {
                let answers = answers.iter().map(|it| match it {
                    EffectHandler::Stub(op, _) => (Some(*op), None),
                    EffectHandler::World(world) => (None, Some(*world)),
                });
                (NodeHead::Under(answers.collect()), TermEffects::Effectful)
            }
            Term::Par { cancelling, .. } => {
                (NodeHead::Par(*cancelling), TermEffects::Effectful)
            }
            Term::Sample { local, .. } => (NodeHead::Sample(*local), TermEffects::Pure),
            Term::Observe { .. }
            | Term::Assume(_)
            | Term::Across { .. }
            | Term::Traced { .. }
            | Term::Hole => {
                (NodeHead::Other(std::mem::discriminant(term)), TermEffects::Effectful)
            }
            // What else distinguishes two terms of another form is unknown, so each equals only
            // itself.
            _ => (NodeHead::Unknown(id), TermEffects::Effectful),
        }
    }

    /// The effects of calling a function value.
    fn effects_of_calls(&self, callee: TermId) -> TermEffects {
        let types = &self.numbering.program.types;
        let ty = types.get(types.base(self.body.ty(callee)));
        let is_pure = matches!(ty, Ty::Function { row, .. } if types.get_row(*row).is_pure());
        if is_pure { TermEffects::MayFail } else { TermEffects::Effectful }
    }
}

#[cfg(test)]
mod tests;

//! Hash-consed terms: equal terms have equal ids, and every term is in a normal form.

use std::collections::HashMap;

use crate::linear::{LinearSum, div_ceil};
use crate::signature::{FunId, Signature, Sort, VarId, index};

/// A term of an arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TermId(pub(crate) u32);

impl TermId {
    /// The term that is true, in every arena.
    pub const TRUE: TermId = TermId(0);
    /// The term that is false, in every arena.
    pub const FALSE: TermId = TermId(1);

    /// The position of the term in its arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<bool> for TermId {
    fn from(value: bool) -> TermId {
        if value { TermId::TRUE } else { TermId::FALSE }
    }
}

/// What a term is, by its parts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TermNode {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A variable.
    Var(VarId),
    /// A function or constructor, applied.
    App(FunId, Vec<TermId>),
    /// A sum that is neither a constant nor a single term.
    Sum(LinearSum),
    /// The sum is zero or less. The coefficients have no common divisor.
    AtMostZero(LinearSum),
    /// The sum is zero. The first coefficient is positive, and the coefficients have no common
    /// divisor.
    Zero(LinearSum),
    /// Two terms of another sort than `Int` are equal; the smaller id comes first.
    Equal(TermId, TermId),
    /// The negation of an atom that is no inequality.
    Not(TermId),
    /// Two conjuncts or more: ordered, different, and no conjunctions.
    And(Vec<TermId>),
    /// Two disjuncts or more: ordered, different, and no disjunctions.
    Or(Vec<TermId>),
    /// A choice between two terms of another sort than `Bool`.
    Ite(TermId, TermId, TermId),
    /// A value that nothing is known of: what stands for it is not linear or too large. A formula
    /// with it is never reported as satisfiable.
    Opaque(u32, Sort),
}

/// The deepest term that is built; beyond it terms become opaque, so that recursion over terms is
/// bounded.
const MAX_DEPTH: u32 = 400;

/// The largest term that is built, without sharing; it bounds whatever visits every part.
const MAX_SIZE: u32 = 1_000_000;

#[derive(Clone, Debug)]
struct Entry {
    node: TermNode,
    sort: Sort,
    depth: u32,
    size: u32,
    vars: Box<[VarId]>,
}

/// An arena of terms, with the signature they are written in.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Sorts, functions and variables.
    pub signature: Signature,
    entries: Vec<Entry>,
    ids: HashMap<TermNode, TermId>,
    n_opaque: u32,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new(Signature::default())
    }
}

impl Terms {
    /// An arena without terms, apart from the truth values.
    pub fn new(signature: Signature) -> Terms {
        let mut terms =
            Terms { signature, entries: Vec::new(), ids: HashMap::new(), n_opaque: 0 };
        terms.intern(TermNode::Bool(true), Sort::Bool);
        terms.intern(TermNode::Bool(false), Sort::Bool);
        terms
    }

    /// What a term is.
    pub fn node(&self, term: TermId) -> &TermNode {
        &self.entries[term.index()].node
    }

    /// The sort of a term.
    pub fn sort(&self, term: TermId) -> Sort {
        self.entries[term.index()].sort
    }

    /// How deep a term nests.
    pub fn depth(&self, term: TermId) -> u32 {
        self.entries[term.index()].depth
    }

    /// The variables of a term, in order.
    pub fn vars(&self, term: TermId) -> &[VarId] {
        &self.entries[term.index()].vars
    }

    /// What all terms are, in the order in which they were built.
    pub fn nodes(&self) -> impl Iterator<Item = &TermNode> {
        self.entries.iter().map(|it| &it.node)
    }

    /// The number of terms so far.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Never: an arena has at least the truth values.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn intern(&mut self, node: TermNode, sort: Sort) -> TermId {
        if let Some(id) = self.ids.get(&node) {
            return *id;
        }
        let (mut depth, mut size) = (0, 1u32);
        let mut vars: Vec<VarId> = Vec::new();
        if let TermNode::Var(var) = node {
            vars.push(var);
        }
        for child in children(&node) {
            let entry = &self.entries[child.index()];
            depth = depth.max(entry.depth + 1);
            size = size.saturating_add(entry.size);
            vars.extend_from_slice(&entry.vars);
        }
        vars.sort_unstable();
        vars.dedup();
        // An opaque term makes the answer unknown and never wrong.
        if depth > MAX_DEPTH || size > MAX_SIZE {
            return self.opaque(sort);
        }
        let id = TermId(index(self.entries.len()));
        self.entries.push(Entry {
            node: node.clone(),
            sort,
            depth,
            size,
            vars: vars.into_boxed_slice(),
        });
        self.ids.insert(node, id);
        id
    }

    /// A term that nothing is known of.
    pub fn opaque(&mut self, sort: Sort) -> TermId {
        // A new number each time: two opaque terms are not known to be equal.
        self.n_opaque += 1;
        self.intern(TermNode::Opaque(self.n_opaque, sort), sort)
    }

    /// An integer.
    pub fn int(&mut self, value: i128) -> TermId {
        self.intern(TermNode::Int(value), Sort::Int)
    }

    /// An integer, if it occurs in the arena.
    pub fn find_int(&self, value: i128) -> Option<TermId> {
        self.ids.get(&TermNode::Int(value)).copied()
    }

    /// A variable.
    pub fn var(&mut self, var: VarId) -> TermId {
        let sort = self.signature.var(var).sort;
        self.intern(TermNode::Var(var), sort)
    }

    /// A new variable.
    pub fn fresh(&mut self, name: &str, sort: Sort) -> TermId {
        let var = self.signature.add_var(name, sort);
        self.var(var)
    }

    /// A function or constructor, applied to arguments of its sorts.
    pub fn app(&mut self, fun: FunId, args: Vec<TermId>) -> TermId {
        let sort = self.signature.fun(fun).result;
        self.intern(TermNode::App(fun, args), sort)
    }

    // ----- integers

    /// A term as a linear sum.
    pub fn linear(&self, term: TermId) -> LinearSum {
        match self.node(term) {
            TermNode::Int(value) => LinearSum::constant(*value),
            TermNode::Sum(sum) => sum.clone(),
            TermNode::Bool(_)
            | TermNode::Var(_)
            | TermNode::App(..)
            | TermNode::AtMostZero(_)
            | TermNode::Zero(_)
            | TermNode::Equal(..)
            | TermNode::Not(_)
            | TermNode::And(_)
            | TermNode::Or(_)
            | TermNode::Ite(..)
            | TermNode::Opaque(..) => LinearSum::term(term),
        }
    }

    /// A linear sum as a term.
    pub fn sum(&mut self, sum: LinearSum) -> TermId {
        match sum.parts[..] {
            [] => self.int(sum.constant),
            [(term, 1)] if sum.constant == 0 => term,
            _ => self.intern(TermNode::Sum(sum), Sort::Int),
        }
    }

    /// `a + factor * b`.
    pub fn add_scaled(&mut self, a: TermId, b: TermId, factor: i128) -> TermId {
        match self.linear(a).add_scaled(&self.linear(b), factor) {
            Some(sum) => self.sum(sum),
            None => self.opaque(Sort::Int),
        }
    }

    /// `a + b`.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.add_scaled(a, b, 1)
    }

    /// `a - b`.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.add_scaled(a, b, -1)
    }

    /// `a * b`; opaque unless one of them is a constant.
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = (self.linear(a), self.linear(b));
        let product = if a.parts.is_empty() {
            b.scaled(a.constant)
        } else if b.parts.is_empty() {
            a.scaled(b.constant)
        } else {
            None
        };
        match product {
            Some(sum) => self.sum(sum),
            None => self.opaque(Sort::Int),
        }
    }

    /// `a <= b`.
    pub fn le(&mut self, a: TermId, b: TermId) -> TermId {
        match self.linear(a).add_scaled(&self.linear(b), -1) {
            Some(sum) => self.at_most_zero(sum),
            None => self.opaque(Sort::Bool),
        }
    }

    /// `a < b`.
    pub fn lt(&mut self, a: TermId, b: TermId) -> TermId {
        let difference = self.linear(a).add_scaled(&self.linear(b), -1);
        match difference.and_then(|it| it.add_scaled(&LinearSum::constant(1), 1)) {
            Some(sum) => self.at_most_zero(sum),
            None => self.opaque(Sort::Bool),
        }
    }

    /// `sum <= 0`, with the coefficients divided by their divisor and the constant rounded to
    /// what integers can reach.
    pub fn at_most_zero(&mut self, mut sum: LinearSum) -> TermId {
        let divisor = sum.divisor();
        if divisor == 0 {
            return TermId::from(sum.constant <= 0);
        }
        if divisor > 1 {
            sum.constant = div_ceil(sum.constant, divisor);
            for part in &mut sum.parts {
                part.1 /= divisor;
            }
        }
        self.intern(TermNode::AtMostZero(sum), Sort::Bool)
    }

    /// `sum == 0`.
    pub fn zero(&mut self, mut sum: LinearSum) -> TermId {
        let divisor = sum.divisor();
        if divisor == 0 {
            return TermId::from(sum.constant == 0);
        }
        // `2x + 4y == 1` has no integer solution.
        if sum.constant % divisor != 0 {
            return TermId::FALSE;
        }
        let sign = if sum.parts[0].1 < 0 { -divisor } else { divisor };
        let divided = |it: i128| it.checked_div(sign);
        let Some(constant) = divided(sum.constant) else { return self.opaque(Sort::Bool) };
        sum.constant = constant;
        for part in &mut sum.parts {
            let Some(coefficient) = divided(part.1) else { return self.opaque(Sort::Bool) };
            part.1 = coefficient;
        }
        self.intern(TermNode::Zero(sum), Sort::Bool)
    }

    // ----- equality

    /// `a == b`, of terms of one sort.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return TermId::TRUE;
        }
        match self.sort(a) {
            Sort::Bool => self.iff(a, b),
            Sort::Int => match self.linear(a).add_scaled(&self.linear(b), -1) {
                Some(sum) => self.zero(sum),
                None => self.opaque(Sort::Bool),
            },
            Sort::Named(_) => self.eq_named(a, b),
        }
    }

    fn iff(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = (a.min(b), a.max(b));
        if a == TermId::TRUE {
            return b;
        }
        if a == TermId::FALSE {
            return self.not(b);
        }
        let negated = self.not(b);
        if a == negated {
            return TermId::FALSE;
        }
        // Negations move out, so that one of the four forms of an equivalence is the normal one.
        let (plain_a, plain_b) = (self.positive(a), self.positive(b));
        let (p, q) = (plain_a.0.min(plain_b.0), plain_a.0.max(plain_b.0));
        let equal = self.intern(TermNode::Equal(p, q), Sort::Bool);
        if plain_a.1 == plain_b.1 { equal } else { self.not(equal) }
    }

    /// A truth value without a leading negation, and whether there was none.
    fn positive(&self, term: TermId) -> (TermId, bool) {
        match self.node(term) {
            TermNode::Not(inner) => (*inner, false),
            TermNode::Bool(_)
            | TermNode::Int(_)
            | TermNode::Var(_)
            | TermNode::App(..)
            | TermNode::Sum(_)
            | TermNode::AtMostZero(_)
            | TermNode::Zero(_)
            | TermNode::Equal(..)
            | TermNode::And(_)
            | TermNode::Or(_)
            | TermNode::Ite(..)
            | TermNode::Opaque(..) => (term, true),
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other terms are not built")]
    /// The constructor and arguments of a term that is built.
    pub fn constructed(&self, term: TermId) -> Option<(FunId, &[TermId])> {
        match self.node(term) {
            TermNode::App(fun, args) if self.signature.fun(*fun).is_constructor => {
                Some((*fun, args))
            }
            _ => None,
        }
    }

    fn eq_named(&mut self, a: TermId, b: TermId) -> TermId {
        if let (Some((f, xs)), Some((g, ys))) = (self.constructed(a), self.constructed(b)) {
            if f != g {
                return TermId::FALSE;
            }
            let pairs: Vec<(TermId, TermId)> =
                xs.iter().copied().zip(ys.iter().copied()).collect();
            let equations = pairs.into_iter().map(|(x, y)| self.eq(x, y)).collect();
            return self.and(equations);
        }
        if self.is_inside_constructors(a, b) || self.is_inside_constructors(b, a) {
            return TermId::FALSE;
        }
        self.intern(TermNode::Equal(a.min(b), a.max(b)), Sort::Bool)
    }

    /// Whether a term is a proper part of another, below constructors only: no finite value is a
    /// part of itself.
    fn is_inside_constructors(&self, part: TermId, whole: TermId) -> bool {
        self.constructed(whole).is_some_and(|(_, args)| {
            args.iter().any(|it| *it == part || self.is_inside_constructors(part, *it))
        })
    }

    /// `a != b`.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    // ----- connectives

    /// The negation.
    pub fn not(&mut self, term: TermId) -> TermId {
        match self.node(term).clone() {
            TermNode::Bool(value) => TermId::from(!value),
            TermNode::Not(inner) => inner,
            TermNode::AtMostZero(sum) => {
                let negated = LinearSum::constant(1).add_scaled(&sum, -1);
                match negated {
                    Some(sum) => self.at_most_zero(sum),
                    None => self.opaque(Sort::Bool),
                }
            }
            TermNode::And(parts) => {
                let parts = parts.into_iter().map(|it| self.not(it)).collect();
                self.or(parts)
            }
            TermNode::Or(parts) => {
                let parts = parts.into_iter().map(|it| self.not(it)).collect();
                self.and(parts)
            }
            TermNode::Int(_)
            | TermNode::Var(_)
            | TermNode::App(..)
            | TermNode::Sum(_)
            | TermNode::Zero(_)
            | TermNode::Equal(..)
            | TermNode::Ite(..)
            | TermNode::Opaque(..) => self.intern(TermNode::Not(term), Sort::Bool),
        }
    }

    /// The conjunction.
    pub fn and(&mut self, parts: Vec<TermId>) -> TermId {
        let Some(parts) = self.flattened(parts, TermId::TRUE) else { return TermId::FALSE };
        match parts[..] {
            [] => TermId::TRUE,
            [only] => only,
            _ => self.intern(TermNode::And(parts), Sort::Bool),
        }
    }

    /// The disjunction.
    pub fn or(&mut self, parts: Vec<TermId>) -> TermId {
        let Some(parts) = self.flattened(parts, TermId::FALSE) else { return TermId::TRUE };
        match parts[..] {
            [] => TermId::FALSE,
            [only] => only,
            _ => self.intern(TermNode::Or(parts), Sort::Bool),
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other formulas are single parts, and without a negation that is another term"
    )]
    /// The parts of a conjunction or disjunction in normal form, or nothing if the whole is
    /// decided: by the other truth value, or by a part and its negation.
    fn flattened(&mut self, parts: Vec<TermId>, neutral: TermId) -> Option<Vec<TermId>> {
        let is_and = neutral == TermId::TRUE;
        let absorbing = TermId::from(!is_and);
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match self.node(part) {
                TermNode::And(inner) if is_and => flat.extend_from_slice(inner),
                TermNode::Or(inner) if !is_and => flat.extend_from_slice(inner),
                _ if part == neutral => {}
                _ if part == absorbing => return None,
                _ => flat.push(part),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        for part in &flat {
            let negation = match self.node(*part) {
                TermNode::Not(inner) => Some(*inner),
                TermNode::AtMostZero(sum) => LinearSum::constant(1)
                    .add_scaled(sum, -1)
                    .and_then(|it| self.ids.get(&TermNode::AtMostZero(it)).copied()),
                _ => None,
            };
            if negation.is_some_and(|it| flat.binary_search(&it).is_ok()) {
                return None;
            }
        }
        Some(flat)
    }

    /// `a ==> b`.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let negated = self.not(a);
        self.or(vec![negated, b])
    }

    /// `if condition { a } else { b }`.
    pub fn ite(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        if a == b || condition == TermId::TRUE {
            return a;
        }
        if condition == TermId::FALSE {
            return b;
        }
        let sort = self.sort(a);
        if sort == Sort::Bool {
            let otherwise = self.or(vec![condition, b]);
            let then = self.implies(condition, a);
            return self.and(vec![then, otherwise]);
        }
        if let TermNode::Not(inner) = *self.node(condition) {
            return self.intern(TermNode::Ite(inner, b, a), sort);
        }
        self.intern(TermNode::Ite(condition, a, b), sort)
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "any other formula is its only conjunct"
    )]
    /// The conjuncts of a formula.
    pub fn conjuncts(&self, formula: TermId) -> Vec<TermId> {
        match self.node(formula) {
            TermNode::And(parts) => parts.clone(),
            _ if formula == TermId::TRUE => Vec::new(),
            _ => vec![formula],
        }
    }
}

/// The direct parts of a term.
pub fn children(node: &TermNode) -> Vec<TermId> {
    match node {
        TermNode::Bool(_) | TermNode::Int(_) | TermNode::Var(_) | TermNode::Opaque(..) => {
            Vec::new()
        }
        TermNode::App(_, args) => args.clone(),
        TermNode::Sum(sum) | TermNode::AtMostZero(sum) | TermNode::Zero(sum) => {
            sum.parts.iter().map(|it| it.0).collect()
        }
        TermNode::Equal(a, b) => vec![*a, *b],
        TermNode::Not(inner) => vec![*inner],
        TermNode::And(parts) | TermNode::Or(parts) => parts.clone(),
        TermNode::Ite(condition, a, b) => vec![*condition, *a, *b],
    }
}

//! Formulas as clauses of literals, after Plaisted and Greenbaum, "A structure-preserving clause
//! form translation" (1986): every connective that is not a clause by itself gets an atom.

use std::collections::HashMap;

use crate::linear::LinearSum;
use crate::terms::{TermId, TermNode, Terms};

/// An atom or its negation: twice the number of the atom, plus one if negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Literal(u32);

impl Literal {
    /// The literal that says that an atom holds.
    pub(super) fn positive(atom: usize) -> Literal {
        Literal(crate::signature::index(atom) * 2)
    }

    pub(super) fn atom(self) -> usize {
        (self.0 / 2) as usize
    }

    pub(super) fn value(self) -> bool {
        self.0.is_multiple_of(2)
    }

    pub(super) fn negated(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// A direction of a definition.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// The literal implies the formula.
    Implies,
    /// The formula implies the literal.
    ImpliedBy,
}

impl Direction {
    fn reversed(self) -> Direction {
        match self {
            Direction::Implies => Direction::ImpliedBy,
            Direction::ImpliedBy => Direction::Implies,
        }
    }
}

/// What an atom means to the theories.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum AtomMeaning {
    /// It names a connective and means nothing by itself.
    Connective,
    /// A Boolean variable or application.
    Truth(TermId),
    /// Two terms are equal.
    Equal(TermId, TermId),
    /// A sum is zero.
    Zero(LinearSum),
    /// A sum is zero or less.
    AtMostZero(LinearSum),
    /// A formula with an opaque part.
    Unknown,
}

/// Clauses, and the atoms they are about.
#[derive(Default)]
pub(super) struct ClauseSet {
    pub(super) atoms: Vec<AtomMeaning>,
    pub(super) clauses: Vec<Vec<Literal>>,
    /// Atoms that need a value even if every clause holds without.
    pub(super) needed: Vec<usize>,
    literals: HashMap<TermId, Literal>,
    /// Which directions of the definition of a connective have been written: that the atom
    /// implies it, and the converse.
    defined: HashMap<TermId, [bool; 2]>,
}

impl ClauseSet {
    #[expect(clippy::wildcard_enum_match_arm, reason = "other formulas are literals")]
    /// Adds the clauses that say that a formula holds.
    pub(super) fn assert(&mut self, terms: &mut Terms, formula: TermId) {
        match terms.node(formula).clone() {
            TermNode::Bool(true) => {}
            TermNode::Bool(false) => self.clauses.push(Vec::new()),
            TermNode::And(parts) => {
                for part in parts {
                    self.assert(terms, part);
                }
            }
            TermNode::Or(parts) => {
                let clause = parts
                    .into_iter()
                    .map(|it| self.literal(terms, it, Direction::Implies))
                    .collect();
                self.clauses.push(clause);
            }
            _ => {
                let literal = self.literal(terms, formula, Direction::Implies);
                self.clauses.push(vec![literal]);
            }
        }
    }

    /// The literal of a formula, defined in one direction.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other formulas are atoms")]
    pub(super) fn literal(
        &mut self,
        terms: &mut Terms,
        formula: TermId,
        direction: Direction,
    ) -> Literal {
        match terms.node(formula).clone() {
            TermNode::Not(inner) => self.literal(terms, inner, direction.reversed()).negated(),
            TermNode::And(parts) => self.connective(terms, formula, parts, direction),
            TermNode::Or(parts) => self.connective(terms, formula, parts, direction),
            TermNode::Equal(a, b) if terms.sort(a) == crate::Sort::Bool => {
                self.equivalence(terms, formula, [a, b], direction)
            }
            _ => self.atom_literal(terms, formula),
        }
    }

    fn atom_literal(&mut self, terms: &mut Terms, formula: TermId) -> Literal {
        if let Some(literal) = self.literals.get(&formula) {
            return *literal;
        }
        let meaning = match terms.node(formula).clone() {
            TermNode::Zero(sum) => AtomMeaning::Zero(sum),
            TermNode::AtMostZero(sum) => {
                // `1 - sum <= 0` is the negation of `sum <= 0`. With one atom for both, they
                // contradict each other without arithmetic.
                let opposite = LinearSum::constant(1)
                    .add_scaled(&sum, -1)
                    .map(|it| terms.at_most_zero(it))
                    .and_then(|it| self.literals.get(&it).copied());
                if let Some(literal) = opposite {
                    let literal = literal.negated();
                    self.literals.insert(formula, literal);
                    return literal;
                }
                AtomMeaning::AtMostZero(sum)
            }
            TermNode::Equal(a, b) => AtomMeaning::Equal(a, b),
            TermNode::Var(_) | TermNode::App(..) => AtomMeaning::Truth(formula),
            TermNode::Bool(value) => {
                let literal = self.new_atom(AtomMeaning::Connective);
                self.clauses.push(vec![if value { literal } else { literal.negated() }]);
                self.literals.insert(formula, literal);
                return literal;
            }
            TermNode::Int(_)
            | TermNode::Sum(_)
            | TermNode::Not(_)
            | TermNode::And(_)
            | TermNode::Or(_)
            | TermNode::Ite(..)
            | TermNode::Opaque(..) => AtomMeaning::Unknown,
        };
        let literal = self.new_atom(meaning);
        self.literals.insert(formula, literal);
        literal
    }

    fn new_atom(&mut self, meaning: AtomMeaning) -> Literal {
        self.atoms.push(meaning);
        Literal::positive(self.atoms.len() - 1)
    }

    /// The atom of a connective, and whether this direction still has to be defined.
    fn named(&mut self, formula: TermId, direction: Direction) -> (Literal, bool) {
        let literal = match self.literals.get(&formula) {
            Some(literal) => *literal,
            None => {
                let literal = self.new_atom(AtomMeaning::Connective);
                self.literals.insert(formula, literal);
                literal
            }
        };
        let defined = self.defined.entry(formula).or_default();
        let entry = &mut defined[usize::from(direction == Direction::Implies)];
        let is_new = !*entry;
        *entry = true;
        (literal, is_new)
    }

    fn connective(
        &mut self,
        terms: &mut Terms,
        formula: TermId,
        parts: Vec<TermId>,
        direction: Direction,
    ) -> Literal {
        let (name, is_new) = self.named(formula, direction);
        let is_and = matches!(terms.node(formula), TermNode::And(_));
        let holds = direction == Direction::Implies;
        if !is_new {
            return name;
        }
        let parts: Vec<Literal> =
            parts.into_iter().map(|it| self.literal(terms, it, direction)).collect();
        // Only the direction that the polarity of the formula needs is written.
        if is_and == holds {
            for part in parts {
                let clause =
                    if holds { vec![name.negated(), part] } else { vec![name, part.negated()] };
                self.clauses.push(clause);
            }
        } else {
            let mut clause: Vec<Literal> =
                if holds { parts } else { parts.into_iter().map(Literal::negated).collect() };
            clause.push(if holds { name.negated() } else { name });
            self.clauses.push(clause);
        }
        name
    }

    fn equivalence(
        &mut self,
        terms: &mut Terms,
        formula: TermId,
        [a, b]: [TermId; 2],
        direction: Direction,
    ) -> Literal {
        let (name, is_new) = self.named(formula, direction);
        let holds = direction == Direction::Implies;
        if !is_new {
            return name;
        }
        // Both sides occur with both polarities.
        let (p, q) = (self.full_literal(terms, a), self.full_literal(terms, b));
        if holds {
            self.clauses.push(vec![name.negated(), p.negated(), q]);
            self.clauses.push(vec![name.negated(), p, q.negated()]);
        } else {
            self.clauses.push(vec![name, p, q]);
            self.clauses.push(vec![name, p.negated(), q.negated()]);
        }
        name
    }

    /// The literal of a formula, defined in both directions.
    pub(super) fn full_literal(&mut self, terms: &mut Terms, formula: TermId) -> Literal {
        self.literal(terms, formula, Direction::Implies);
        self.literal(terms, formula, Direction::ImpliedBy)
    }
}

//! What the theories say of an assignment of truth values, and what they need decided.

use std::collections::BTreeMap;

use super::arithmetic::{self, Outcome, Problem, Row};
use super::congruence::Classes;
use super::literals::{AtomMeaning, Literal};
use super::{Origin, Search};
use crate::linear::LinearSum;
use crate::signature::Sort;
use crate::terms::{TermId, TermNode};

/// What follows from the literals that hold.
pub(super) enum TheoryVerdict {
    /// They contradict each other.
    Contradiction,
    /// More literals follow, and have been assigned.
    Implied,
    /// They are consistent as far as known.
    Consistent(Solution),
    /// Numbers or rows became too many.
    GaveUp,
}

/// Classes of equal terms, and integers for the classes that are integers.
pub(super) struct Solution {
    pub(super) classes: Classes,
    pub(super) integers: BTreeMap<usize, i128>,
}

impl Search<'_> {
    /// Makes the terms of new atoms known to the theories. Terms that need more than congruence
    /// bring clauses, which may bring atoms.
    pub(super) fn register(&mut self) {
        loop {
            self.values.resize(self.set.atoms.len(), None);
            while self.registered_atoms < self.set.atoms.len() {
                let meaning = self.set.atoms[self.registered_atoms].clone();
                self.registered_atoms += 1;
                match meaning {
                    AtomMeaning::Connective | AtomMeaning::Unknown => {}
                    AtomMeaning::Truth(term) => {
                        self.graph.add(self.terms, term);
                    }
                    AtomMeaning::Equal(a, b) => {
                        self.graph.add(self.terms, a);
                        self.graph.add(self.terms, b);
                    }
                    // `x - c == 0` equates `x` with a constant, which must be a term for
                    // congruence to see it.
                    AtomMeaning::Zero(sum) => {
                        self.add_parts(&sum);
                        if let [(_, 1)] = sum.parts[..]
                            && let Some(value) = sum.constant.checked_neg()
                        {
                            let constant = self.terms.int(value);
                            self.graph.add(self.terms, constant);
                        }
                    }
                    AtomMeaning::AtMostZero(sum) => self.add_parts(&sum),
                }
            }
            // Truth values are terms, so that congruence also covers functions of Booleans.
            if self.registered_nodes == 0 {
                self.graph.add(self.terms, TermId::TRUE);
                self.graph.add(self.terms, TermId::FALSE);
            }
            while self.registered_nodes < self.graph.len() {
                let node = self.registered_nodes;
                self.registered_nodes += 1;
                self.register_node(node);
            }
            if self.registered_atoms == self.set.atoms.len() {
                self.values.resize(self.set.atoms.len(), None);
                return;
            }
        }
    }

    fn add_parts(&mut self, sum: &LinearSum) {
        for (part, _) in &sum.parts {
            self.graph.add(self.terms, *part);
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "other terms need congruence only")]
    fn register_node(&mut self, node: usize) {
        let term = self.graph.terms[node];
        match self.terms.node(term).clone() {
            TermNode::Sum(sum) => self.add_parts(&sum),
            // `t = if c { a } else { b }` is defined by two clauses; to congruence, `t` is a
            // leaf.
            TermNode::Ite(condition, a, b) => {
                let (then, otherwise) = (self.terms.eq(term, a), self.terms.eq(term, b));
                let then = self.terms.implies(condition, then);
                let otherwise = self.terms.or(vec![condition, otherwise]);
                self.set.assert(self.terms, then);
                self.set.assert(self.terms, otherwise);
            }
            TermNode::Bool(_) => {}
            _ if self.graph.sorts[node] == Sort::Bool => {
                let literal = self.set.full_literal(self.terms, term);
                self.truth_links.push((node, literal));
            }
            _ => {}
        }
        // A Boolean argument without a value would leave open whether two applications are
        // congruent.
        if let Some((_, args)) = self.graph.application(node) {
            let args: Vec<usize> = args.to_vec();
            for arg in args {
                let term = self.graph.terms[arg];
                if self.graph.sorts[arg] == Sort::Bool
                    && !matches!(self.terms.node(term), TermNode::Bool(_))
                {
                    let literal = self.set.full_literal(self.terms, term);
                    self.set.needed.push(literal.atom());
                }
            }
        }
    }

    /// The node of a term that has been registered.
    fn node(&self, term: TermId) -> usize {
        self.graph.find(term).expect("terms of atoms are registered before they are checked")
    }

    /// Checks the literals that hold.
    pub(super) fn check_theories(&mut self) -> TheoryVerdict {
        self.steps += 2 * self.graph.len() as u64 + self.set.atoms.len() as u64;
        // The classes are built anew for each check, so there is nothing to undo on
        // backtracking.
        let mut classes = Classes::new(&self.graph);
        let mut unequal = Vec::new();
        self.equate(&mut classes, &mut unequal);
        if classes.close(&self.graph).is_err() {
            return TheoryVerdict::Contradiction;
        }
        for (a, b) in &mut unequal {
            (*a, *b) = (classes.class(*a), classes.class(*b));
            if a == b {
                return TheoryVerdict::Contradiction;
            }
        }
        // Literals that follow come before arithmetic: they are cheap, and may make a clause
        // false that then spares the elimination.
        let implied = self.implied(&classes, &unequal);
        if !implied.is_empty() {
            for literal in implied {
                self.assign(literal, Origin::Implied);
            }
            return TheoryVerdict::Implied;
        }
        let Some(problem) = self.problem(&classes) else { return TheoryVerdict::GaveUp };
        match arithmetic::solve(problem, &mut self.steps) {
            Outcome::Infeasible => TheoryVerdict::Contradiction,
            Outcome::Unknown => TheoryVerdict::GaveUp,
            Outcome::Solution(integers) => {
                TheoryVerdict::Consistent(Solution { classes, integers })
            }
        }
    }

    /// Adds the equations that hold, and collects the pairs that differ.
    fn equate(&self, classes: &mut Classes, unequal: &mut Vec<(usize, usize)>) {
        let (yes, no) = (self.node(TermId::TRUE), self.node(TermId::FALSE));
        for (meaning, value) in self.set.atoms.iter().zip(&self.values) {
            let Some(value) = *value else { continue };
            let pair = match meaning {
                AtomMeaning::Equal(a, b) => Some((self.node(*a), self.node(*b))),
                AtomMeaning::Zero(sum) => self.equated_by(sum),
                AtomMeaning::Truth(term) => {
                    classes.equate(self.node(*term), if value { yes } else { no });
                    None
                }
                AtomMeaning::Connective | AtomMeaning::Unknown | AtomMeaning::AtMostZero(_) => {
                    None
                }
            };
            match pair {
                Some((a, b)) if value => classes.equate(a, b),
                Some(pair) => unequal.push(pair),
                None => {}
            }
        }
        for ((a, b), literal) in &self.equality_links {
            match self.value(*literal) {
                Some(true) => classes.equate(*a, *b),
                Some(false) => unequal.push((*a, *b)),
                None => {}
            }
        }
        for (node, literal) in &self.truth_links {
            if let Some(value) = self.value(*literal) {
                classes.equate(*node, if value { yes } else { no });
            }
        }
    }

    /// The nodes that `sum == 0` equates, if the equation says just that.
    fn equated_by(&self, sum: &LinearSum) -> Option<(usize, usize)> {
        match sum.parts[..] {
            [(x, 1)] => {
                let value = sum.constant.checked_neg()?;
                let constant = self.terms.find_int(value)?;
                Some((self.node(x), self.graph.find(constant)?))
            }
            [(x, 1), (y, -1)] if sum.constant == 0 => Some((self.node(x), self.node(y))),
            _ => None,
        }
    }

    /// The literals that follow from the classes.
    fn implied(&self, classes: &Classes, unequal: &[(usize, usize)]) -> Vec<Literal> {
        let (yes, no) =
            (classes.class(self.node(TermId::TRUE)), classes.class(self.node(TermId::FALSE)));
        let decide = |a: usize, b: usize| {
            let (x, y) = (classes.class(a), classes.class(b));
            if x == y {
                Some(true)
            } else if classes.differ(&self.graph, x, y)
                || unequal.contains(&(x, y))
                || unequal.contains(&(y, x))
            {
                Some(false)
            } else {
                None
            }
        };
        let mut literals = Vec::new();
        for (atom, meaning) in self.set.atoms.iter().enumerate() {
            if self.values[atom].is_some() {
                continue;
            }
            let value = match meaning {
                AtomMeaning::Connective | AtomMeaning::Unknown => None,
                AtomMeaning::Equal(a, b) => decide(self.node(*a), self.node(*b)),
                AtomMeaning::Truth(term) => {
                    let class = classes.class(self.node(*term));
                    (class == yes || class == no).then_some(class == yes)
                }
                AtomMeaning::Zero(sum) => {
                    let equated = self.equated_by(sum).and_then(|(a, b)| decide(a, b));
                    equated.or_else(|| self.constant_sum(classes, sum).map(|it| it == 0))
                }
                AtomMeaning::AtMostZero(sum) => {
                    self.constant_sum(classes, sum).map(|it| it <= 0)
                }
            };
            if let Some(value) = value {
                let literal = Literal::positive(atom);
                literals.push(if value { literal } else { literal.negated() });
            }
        }
        literals
    }

    /// The value of a sum whose parts are equal to constants.
    fn constant_sum(&self, classes: &Classes, sum: &LinearSum) -> Option<i128> {
        let mut total = sum.constant;
        for (part, coefficient) in &sum.parts {
            let value = self.constant(classes, self.node(*part))?;
            total = total.checked_add(value.checked_mul(*coefficient)?)?;
        }
        Some(total)
    }

    /// The integer that a node is equal to.
    #[expect(clippy::wildcard_enum_match_arm, reason = "only integers are constants")]
    pub(super) fn constant(&self, classes: &Classes, node: usize) -> Option<i128> {
        let value = classes.values[classes.class(node)]?;
        match self.terms.node(self.graph.terms[value]) {
            TermNode::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// A sum over classes.
    fn row(&self, classes: &Classes, sum: &LinearSum) -> Option<Row> {
        let mut row = Row { constant: sum.constant, ..Row::default() };
        for (part, coefficient) in &sum.parts {
            let node = self.node(*part);
            match self.constant(classes, node) {
                Some(value) => {
                    row.constant =
                        row.constant.checked_add(value.checked_mul(*coefficient)?)?;
                }
                None => row.add(classes.class(node), *coefficient)?,
            }
        }
        Some(row)
    }

    /// The arithmetic of the literals that hold.
    fn problem(&self, classes: &Classes) -> Option<Problem> {
        let mut problem = Problem::default();
        for (meaning, value) in self.set.atoms.iter().zip(&self.values) {
            let Some(value) = *value else { continue };
            match meaning {
                AtomMeaning::Zero(sum) => {
                    let row = self.row(classes, sum)?;
                    if value {
                        problem.zero.push(row);
                    } else {
                        problem.not_zero.push(row);
                    }
                }
                AtomMeaning::AtMostZero(sum) => {
                    let row = if value {
                        self.row(classes, sum)?
                    } else {
                        // Over the integers, `!(sum <= 0)` is `1 - sum <= 0`.
                        let negated = LinearSum::constant(1).add_scaled(sum, -1)?;
                        self.row(classes, &negated)?
                    };
                    problem.at_most_zero.push(row);
                }
                AtomMeaning::Connective
                | AtomMeaning::Unknown
                | AtomMeaning::Truth(_)
                | AtomMeaning::Equal(..) => {}
            }
        }
        // A sum inside another term is a leaf to congruence. This row tells arithmetic what it
        // is, and so connects its class with those of its parts.
        for (node, term) in self.graph.terms.iter().enumerate() {
            if let TermNode::Sum(sum) = self.terms.node(*term) {
                let mut row = self.row(classes, sum)?;
                match self.constant(classes, node) {
                    Some(value) => row.constant = row.constant.checked_sub(value)?,
                    None => row.add(classes.class(node), -1)?,
                }
                problem.zero.push(row);
            }
        }
        Some(problem)
    }

    // ----- case distinctions

    /// The integer of a node in a solution.
    pub(super) fn integer(&self, solution: &Solution, node: usize) -> i128 {
        let class = solution.classes.class(node);
        self.constant(&solution.classes, node)
            .or_else(|| solution.integers.get(&class).copied())
            .unwrap_or(0)
    }

    /// Adds a clause that the theories need before a solution is a model: a false equation of
    /// integers is split, equal arguments are equated, a value of a finite type is chosen.
    /// Whether there was one.
    pub(super) fn add_case_distinction(&mut self, solution: &Solution) -> bool {
        for atom in 0..self.set.atoms.len() {
            if self.values[atom] != Some(false) {
                continue;
            }
            // Inequations refute nothing in arithmetic, so a solution may make a sum zero that
            // must not be. Only then is the sum split: most solutions keep unequal integers
            // apart anyway.
            let AtomMeaning::Zero(sum) = &self.set.atoms[atom] else { continue };
            let parts =
                sum.parts.iter().try_fold(sum.constant, |total, (part, coefficient)| {
                    let value = self.integer(solution, self.node(*part));
                    total.checked_add(value.checked_mul(*coefficient)?)
                });
            if parts == Some(0) {
                let sum = sum.clone();
                if self.split_sum(&sum) {
                    return true;
                }
            }
        }
        self.split_finite(solution) || self.split_arguments(solution)
    }

    /// Adds `sum == 0 || sum < 0 || sum > 0`, once.
    fn split_sum(&mut self, sum: &LinearSum) -> bool {
        let zero = self.terms.zero(sum.clone());
        if !self.split.insert(zero) {
            return false;
        }
        let one = LinearSum::constant(1);
        let (Some(below), Some(above)) = (sum.add_scaled(&one, 1), one.add_scaled(sum, -1))
        else {
            return false;
        };
        let (below, above) = (self.terms.at_most_zero(below), self.terms.at_most_zero(above));
        let clause = [zero, below, above].map(|it| self.set.full_literal(self.terms, it));
        self.set.needed.push(clause[0].atom());
        self.set.clauses.push(clause.to_vec());
        true
    }

    /// Says that a term of a finite data type is built by one of its constructors.
    fn split_finite(&mut self, solution: &Solution) -> bool {
        for node in 0..self.graph.len() {
            let (term, sort) = (self.graph.terms[node], self.graph.sorts[node]);
            let class = solution.classes.class(node);
            if sort == Sort::Bool
                || solution.classes.values[class].is_some()
                || !self.terms.signature.is_finite(sort)
                || !self.split.insert(term)
            {
                continue;
            }
            let constructors = self.terms.signature.constructors(sort).unwrap_or(&[]).to_vec();
            let mut clause = Vec::new();
            for constructor in constructors {
                let params = self.terms.signature.fun(constructor).params.clone();
                let args = params.into_iter().map(|it| self.terms.fresh("part", it)).collect();
                // Equal to a constructor with unknown arguments, that is: built by it.
                let built = self.terms.app(constructor, args);
                let equal = self.terms.eq(term, built);
                clause.push(self.set.full_literal(self.terms, equal));
            }
            self.set.clauses.push(clause);
            return true;
        }
        false
    }

    /// Distinguishes whether integer arguments are equal that the solution makes equal, where a
    /// function would need two values.
    fn split_arguments(&mut self, solution: &Solution) -> bool {
        // Integers that are equal by chance in a solution are not equal to congruence. A
        // function of them would need two results for the same arguments.
        let mut seen: BTreeMap<(usize, Vec<(bool, i128)>), usize> = BTreeMap::new();
        for node in 0..self.graph.len() {
            let Some((fun, args)) = self.graph.application(node) else { continue };
            let key = |arg: &usize| {
                let class = solution.classes.class(*arg);
                if self.graph.sorts[*arg] == Sort::Int {
                    (true, self.integer(solution, *arg))
                } else {
                    (false, i128::try_from(class).unwrap_or(i128::MAX))
                }
            };
            let key = (fun.index(), args.iter().map(key).collect());
            let first = *seen.entry(key).or_insert(node);
            let same = solution.classes.class(first) == solution.classes.class(node);
            let equal_integers = self.graph.sorts[node] == Sort::Int
                && self.integer(solution, first) == self.integer(solution, node);
            if same || equal_integers {
                continue;
            }
            let (Some((_, xs)), Some((_, ys))) =
                (self.graph.application(first), self.graph.application(node))
            else {
                continue;
            };
            let pairs: Vec<(usize, usize)> =
                xs.iter().copied().zip(ys.iter().copied()).collect();
            for (x, y) in pairs {
                if solution.classes.class(x) == solution.classes.class(y) {
                    continue;
                }
                let left = self.terms.linear(self.graph.terms[x]);
                let right = self.terms.linear(self.graph.terms[y]);
                let Some(sum) = left.add_scaled(&right, -1) else { continue };
                if sum.parts.is_empty() || self.equality_links.contains_key(&(x, y)) {
                    continue;
                }
                // An equation of sums says nothing to congruence; the link does.
                let zero = self.terms.zero(sum.clone());
                let literal = self.set.full_literal(self.terms, zero);
                self.equality_links.insert((x, y), literal);
                self.split_sum(&sum);
                return true;
            }
        }
        false
    }
}

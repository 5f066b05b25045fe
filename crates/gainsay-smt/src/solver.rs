//! Decides conjunctions of formulas: a search over truth values of atoms that the theories check
//! (Davis, Logemann and Loveland, "A machine program for theorem-proving", 1962; Nieuwenhuis,
//! Oliveras and Tinelli, "Solving SAT and SAT modulo theories", 2006).

mod arithmetic;
mod congruence;
mod literals;
mod model;
mod theories;

use std::collections::{BTreeMap, BTreeSet};

use crate::rewrite::Model;
use crate::terms::{TermId, Terms};
use congruence::TermGraph;
use literals::{ClauseSet, Literal};
use theories::TheoryVerdict;

/// Whether formulas can hold together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// They hold in this model. The model has been evaluated.
    Sat(Model),
    /// They hold in no model.
    Unsat,
    /// Nothing is known.
    Unknown(UnknownReason),
}

/// Why nothing is known of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownReason {
    /// The limit of steps was reached.
    Steps,
    /// Part of the formula is not linear, or numbers became too large.
    Incomplete,
    /// Another program was asked and gave no clean answer.
    External,
}

/// How long the solver may try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolverLimits {
    /// The most steps; one step visits one literal, term or row.
    pub steps: u64,
}

impl Default for SolverLimits {
    fn default() -> SolverLimits {
        SolverLimits { steps: 3_000_000 }
    }
}

/// Decides whether formulas can hold together.
pub fn solve(terms: &mut Terms, formulas: &[TermId], limits: SolverLimits) -> Answer {
    solve_counted(terms, formulas, limits).0
}

/// Like [`solve`], with the number of steps it took.
pub fn solve_counted(
    terms: &mut Terms,
    formulas: &[TermId],
    limits: SolverLimits,
) -> (Answer, u64) {
    let mut search = Search {
        terms,
        formulas,
        set: ClauseSet::default(),
        graph: TermGraph::default(),
        registered_atoms: 0,
        registered_nodes: 0,
        truth_links: Vec::new(),
        equality_links: BTreeMap::new(),
        values: Vec::new(),
        trail: Vec::new(),
        split: BTreeSet::new(),
        incomplete: false,
        failed_models: 0,
        steps: 0,
    };
    let answer = search.run(limits.steps);
    (answer, search.steps)
}

/// How a literal came to hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// It was chosen, and its negation has not been tried.
    Chosen,
    /// It follows from what was chosen before it.
    Implied,
}

/// The state of one search.
struct Search<'a> {
    terms: &'a mut Terms,
    formulas: &'a [TermId],
    set: ClauseSet,
    graph: TermGraph,
    registered_atoms: usize,
    registered_nodes: usize,
    /// Nodes of Boolean arguments, with the literals that say what they are.
    truth_links: Vec<(usize, Literal)>,
    /// Nodes of integer arguments, with the literals that say that they are equal.
    equality_links: BTreeMap<(usize, usize), Literal>,
    values: Vec<Option<bool>>,
    trail: Vec<(Literal, Origin)>,
    /// Terms for which a case distinction has been added.
    split: BTreeSet<TermId>,
    /// Whether a branch was given up without a contradiction.
    incomplete: bool,
    failed_models: u32,
    steps: u64,
}

/// After this many solutions that turn out to be no models, the search ends.
const MAX_FAILED_MODELS: u32 = 8;

impl Search<'_> {
    fn run(&mut self, max_steps: u64) -> Answer {
        for formula in self.formulas {
            self.set.assert(self.terms, *formula);
        }
        loop {
            self.register();
            if self.steps > max_steps {
                return Answer::Unknown(UnknownReason::Steps);
            }
            // The theories check every partial assignment, before the next choice and not only
            // when all atoms have values: a contradiction that is found early saves everything
            // below it.
            let consistent = self.propagate() && {
                match self.check_theories() {
                    TheoryVerdict::Contradiction => false,
                    TheoryVerdict::Implied => continue,
                    // The branch is left as if it were contradictory, but the answer can no
                    // longer be `Unsat`.
                    TheoryVerdict::GaveUp => {
                        self.incomplete = true;
                        false
                    }
                    TheoryVerdict::Consistent(solution) => {
                        if let Some(literal) = self.next_choice() {
                            self.assign(literal, Origin::Chosen);
                            continue;
                        }
                        // Every clause holds, but the theories are only consistent as far as
                        // they were asked. Case distinctions come last, because most solutions
                        // need none.
                        if self.add_case_distinction(&solution) {
                            continue;
                        }
                        // A model that evaluates to true needs no trust in the theories. If it
                        // does not, nothing has been refuted either, so the branch counts as
                        // given up.
                        if let Some(model) = self.verified_model(&solution) {
                            return Answer::Sat(model);
                        }
                        self.incomplete = true;
                        self.failed_models += 1;
                        if self.failed_models > MAX_FAILED_MODELS {
                            return Answer::Unknown(UnknownReason::Incomplete);
                        }
                        false
                    }
                }
            };
            if !consistent && !self.backtrack() {
                return if self.incomplete {
                    Answer::Unknown(UnknownReason::Incomplete)
                } else {
                    Answer::Unsat
                };
            }
        }
    }

    fn value(&self, literal: Literal) -> Option<bool> {
        self.values[literal.atom()].map(|it| it == literal.value())
    }

    fn assign(&mut self, literal: Literal, origin: Origin) {
        self.values[literal.atom()] = Some(literal.value());
        self.trail.push((literal, origin));
    }

    /// Replaces the last choice by its negation. Whether there was one.
    fn backtrack(&mut self) -> bool {
        // Only values are taken back. Clauses and terms that were added on the way are valid
        // in every branch, and the theories start anew with each check.
        while let Some((literal, origin)) = self.trail.pop() {
            self.values[literal.atom()] = None;
            if origin == Origin::Chosen {
                self.assign(literal.negated(), Origin::Implied);
                return true;
            }
        }
        false
    }

    /// Assigns what follows from single clauses. Whether no clause is false.
    fn propagate(&mut self) -> bool {
        loop {
            let mut changed = false;
            // Every clause is scanned: queries have some hundred literals, too few for watched
            // literals to pay.
            for number in 0..self.set.clauses.len() {
                let mut open = None;
                let mut n_open = 0;
                let mut holds = false;
                for literal in &self.set.clauses[number] {
                    self.steps += 1;
                    match self.value(*literal) {
                        Some(true) => {
                            holds = true;
                            break;
                        }
                        Some(false) => {}
                        None => {
                            n_open += 1;
                            open = Some(*literal);
                        }
                    }
                }
                match open {
                    _ if holds => {}
                    None => return false,
                    Some(literal) if n_open == 1 => {
                        self.assign(literal, Origin::Implied);
                        changed = true;
                    }
                    Some(_) => {}
                }
            }
            if !changed {
                return true;
            }
        }
    }

    /// A literal of the shortest clause that does not hold yet, or of an atom that needs a value.
    fn next_choice(&self) -> Option<Literal> {
        let mut best: Option<(usize, Literal)> = None;
        for clause in &self.set.clauses {
            let mut n_open = 0;
            let mut first = None;
            let mut holds = false;
            for literal in clause {
                match self.value(*literal) {
                    Some(true) => {
                        holds = true;
                        break;
                    }
                    Some(false) => {}
                    None => {
                        n_open += 1;
                        first = first.or(Some(*literal));
                    }
                }
            }
            // The fewer literals a clause has left, the sooner a wrong choice shows.
            if let Some(literal) = first
                && !holds
                && best.is_none_or(|it| n_open < it.0)
            {
                best = Some((n_open, literal));
            }
        }
        let needed = || {
            let open = self.set.needed.iter().find(|it| self.values[**it].is_none());
            open.map(|it| Literal::positive(*it))
        };
        best.map(|it| it.1).or_else(needed)
    }

    fn verified_model(&mut self, solution: &theories::Solution) -> Option<Model> {
        let model = self.model(solution)?;
        let holds = self.formulas.iter().all(|it| model.holds(self.terms, *it) == Some(true));
        holds.then_some(model)
    }
}

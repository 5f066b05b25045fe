//! Instruments: what is asked of compiled code besides its results.
//!
//! A program is compiled a second time for them, so that plain code pays nothing.

use std::collections::{HashMap, HashSet};

use gainsay_core::{FunctionId, Program, Term, TermId};

/// What to compile in.
#[derive(Debug, Clone, Default)]
pub struct Instruments {
    branches: Vec<Branch>,
    first_counter: HashMap<(FunctionId, TermId), u32>,
    switches: HashMap<(FunctionId, TermId), Switch>,
    mutated: HashSet<FunctionId>,
    /// The number of each mutant in code and its switch, by its position in the list that was
    /// given.
    numbers: Vec<(u64, u32)>,
}

/// A term and what may stand in its place.
#[derive(Debug, Clone)]
pub(crate) struct Switch {
    /// Which switch it is.
    pub(crate) number: u32,
    /// The number of the first mutant.
    pub(crate) first: u64,
    /// What stands in its place in each.
    pub(crate) terms: Vec<TermId>,
}

/// One way to go at a term that chooses.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Branch {
    /// The function it is in.
    pub function: FunctionId,
    /// The `if`, `match`, `&&` or `||`.
    pub term: TermId,
    /// Which way: 0 for a condition that holds and 1 for one that does not, or the arm.
    pub way: u32,
}

/// A term and what stands in its place while the mutant is on.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// The function.
    pub function: FunctionId,
    /// The term as it is written.
    pub term: TermId,
    /// Another term of the same body, of the same type.
    pub instead: TermId,
}

/// How many ways there are to go at a term.
fn n_ways(term: &Term) -> u32 {
    if let Term::Match { arms, .. } = term {
        arms.len() as u32
    } else if matches!(term, Term::If { .. } | Term::And(..) | Term::Or(..)) {
        2
    } else {
        0
    }
}

impl Instruments {
    /// Counts how often each branch is taken.
    #[must_use]
    pub fn with_branches(mut self, program: &Program) -> Self {
        for (at, function) in program.functions.iter().enumerate() {
            let id = FunctionId(at as u32);
            for (at, term) in function.body.terms.iter().enumerate() {
                let n_ways = n_ways(term);
                if n_ways == 0 {
                    continue;
                }
                let term = TermId(at as u32);
                self.first_counter.insert((id, term), self.branches.len() as u32);
                let ways = 0..n_ways;
                self.branches.extend(ways.map(|way| Branch { function: id, term, way }));
            }
        }
        self
    }

    /// Lets each of some mutants be switched on, and be seen whether its term is come to.
    #[must_use]
    pub fn with_mutants(mut self, mutants: &[Mutant]) -> Self {
        let mut order: Vec<usize> = (0..mutants.len()).collect();
        order.sort_by_key(|at| (mutants[*at].function, mutants[*at].term));
        self.numbers = vec![(0, 0); mutants.len()];
        for (number, at) in (1_u64..).zip(order) {
            let mutant = &mutants[at];
            self.mutated.insert(mutant.function);
            let place = (mutant.function, mutant.term);
            let next = self.switches.len() as u32;
            let new = Switch { number: next, first: number, terms: Vec::new() };
            let switch = self.switches.entry(place).or_insert(new);
            switch.terms.push(mutant.instead);
            self.numbers[at] = (number, switch.number);
        }
        self
    }

    /// How many counters there are.
    pub(crate) fn n_counters(&self) -> usize {
        self.branches.len()
    }

    /// How many terms have mutants.
    pub(crate) fn n_switches(&self) -> usize {
        self.switches.len()
    }

    /// The branches, in the order of their counters.
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// The number of a mutant in code, and its switch.
    pub(crate) fn number(&self, mutant: usize) -> Option<(u64, usize)> {
        self.numbers.get(mutant).map(|(number, switch)| (*number, *switch as usize))
    }

    pub(crate) fn counter(&self, function: FunctionId, term: TermId, way: u32) -> Option<u32> {
        self.first_counter.get(&(function, term)).map(|first| first + way)
    }

    /// Whether a function has a mutant.
    pub(crate) fn has_mutants_in(&self, function: FunctionId) -> bool {
        self.mutated.contains(&function)
    }

    pub(crate) fn switch(&self, function: FunctionId, term: TermId) -> Option<&Switch> {
        self.switches.get(&(function, term))
    }
}

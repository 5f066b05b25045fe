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
    mutants: HashMap<(FunctionId, TermId), (u64, Vec<TermId>)>,
    /// The counters of terms that are watched.
    points: HashMap<(FunctionId, TermId), u32>,
    mutated: HashSet<FunctionId>,
    /// The number of each mutant in code, by its position in the list that was given.
    numbers: Vec<u64>,
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

    /// Lets each of some mutants be switched on.
    #[must_use]
    pub fn with_mutants(mut self, mutants: &[Mutant]) -> Self {
        let mut order: Vec<usize> = (0..mutants.len()).collect();
        order.sort_by_key(|at| (mutants[*at].function, mutants[*at].term));
        self.numbers = vec![0; mutants.len()];
        for (number, at) in (1_u64..).zip(order) {
            let mutant = &mutants[at];
            self.numbers[at] = number;
            self.mutated.insert(mutant.function);
            let place = (mutant.function, mutant.term);
            let (_, terms) = self.mutants.entry(place).or_insert((number, Vec::new()));
            terms.push(mutant.instead);
        }
        self
    }

    /// Counts how often each of some terms is evaluated, behind the counters of branches, which
    /// are to be asked for first. A term that is named more than once is counted once.
    #[must_use]
    pub fn with_points(mut self, points: &[(FunctionId, TermId)]) -> Self {
        for place in points {
            let next = (self.branches.len() + self.points.len()) as u32;
            self.points.entry(*place).or_insert(next);
            self.mutants.entry(*place).or_insert((0, Vec::new()));
            self.mutated.insert(place.0);
        }
        self
    }

    /// The counter of a term that is watched.
    pub fn point(&self, function: FunctionId, term: TermId) -> Option<u32> {
        self.points.get(&(function, term)).copied()
    }

    /// How many counters there are.
    pub(crate) fn n_counters(&self) -> usize {
        self.branches.len() + self.points.len()
    }

    /// The branches, in the order of their counters.
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    pub(crate) fn number(&self, mutant: usize) -> u64 {
        self.numbers.get(mutant).copied().unwrap_or(0)
    }

    pub(crate) fn counter(&self, function: FunctionId, term: TermId, way: u32) -> Option<u32> {
        self.first_counter.get(&(function, term)).map(|first| first + way)
    }

    /// Whether a function has a mutant.
    pub(crate) fn has_mutants_in(&self, function: FunctionId) -> bool {
        self.mutated.contains(&function)
    }

    pub(crate) fn mutants_of(
        &self,
        function: FunctionId,
        term: TermId,
    ) -> Option<(u64, &[TermId])> {
        let (first, terms) = self.mutants.get(&(function, term))?;
        Some((*first, terms))
    }
}

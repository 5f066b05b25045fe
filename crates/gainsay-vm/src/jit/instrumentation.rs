//! Instrumentation: what compiled code records besides its results.
//!
//! Programs are compiled separately with instrumentation, so that plain code pays nothing.

use std::collections::{HashMap, HashSet};

use gainsay_core::{FunctionId, Program, Term, TermId};

use super::infection::{self, InfectionEdit};
use crate::{MutantId, SwitchId};

/// What to instrument.
#[derive(Debug, Clone, Default)]
pub struct Instrumentation {
    branches: Vec<Branch>,
    first_counter: HashMap<(FunctionId, TermId), u32>,
    switches: HashMap<(FunctionId, TermId), MutantSwitch>,
    mutated: HashSet<FunctionId>,
    /// In the order in which they were given.
    mutants: Vec<TermMutant>,
    /// For each mutant, its number in compiled code and its switch.
    numbers: Vec<(u64, SwitchId)>,
    /// Whether terms are compared with their mutants.
    compares_infection: bool,
    /// The compared terms.
    infections: HashMap<(FunctionId, TermId), infection::InfectionSite>,
    /// The infection flag of each mutant that is compared.
    infection_flags: Vec<Option<SwitchId>>,
    n_flags: usize,
}

/// A term and its replacements.
#[derive(Debug, Clone)]
pub(crate) struct MutantSwitch {
    /// The switch.
    pub(crate) id: SwitchId,
    /// The number of the first mutant.
    pub(crate) first_mutant: u64,
    /// The replacement in each mutant.
    pub(crate) replacements: Vec<TermId>,
}

/// One outcome of a branching term.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Branch {
    /// The function that contains it.
    pub function: FunctionId,
    /// The `if`, `match`, `&&` or `||`.
    pub term: TermId,
    /// The outcome: 0 if the condition holds and 1 if not, or the index of the arm.
    pub arm: u32,
}

/// A term and its replacement while the mutant is active.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct TermMutant {
    /// The function.
    pub function: FunctionId,
    /// The original term.
    pub term: TermId,
    /// Another term of the same body and type.
    pub replacement: TermId,
}

/// The number of outcomes of a term.
fn n_arms(term: &Term) -> u32 {
    if let Term::Match { arms, .. } = term {
        arms.len() as u32
    } else if matches!(term, Term::If { .. } | Term::And(..) | Term::Or(..)) {
        2
    } else {
        0
    }
}

impl Instrumentation {
    /// Counts how often each branch is taken.
    #[must_use]
    pub fn with_branches(mut self, program: &Program) -> Self {
        for (at, function) in program.functions.iter().enumerate() {
            let id = FunctionId(at as u32);
            for (at, term) in function.body.terms.iter().enumerate() {
                let n = n_arms(term);
                if n == 0 {
                    continue;
                }
                let term = TermId(at as u32);
                self.first_counter.insert((id, term), self.branches.len() as u32);
                let arms = 0..n;
                self.branches.extend(arms.map(|arm| Branch { function: id, term, arm }));
            }
        }
        self
    }

    /// Makes mutants switchable, and records whether their terms are reached.
    #[must_use]
    pub fn with_mutants(mut self, mutants: &[TermMutant]) -> Self {
        let mut order: Vec<MutantId> = MutantId::all(mutants.len()).collect();
        // Sorted, so that the mutants of a term have consecutive numbers.
        order.sort_by_key(|it| (mutants[it.index()].function, mutants[it.index()].term));
        self.numbers = vec![(0, SwitchId(0)); mutants.len()];
        // From 1: in the context, 0 means that no mutant is active.
        for (number, id) in (1_u64..).zip(order) {
            let mutant = &mutants[id.index()];
            self.mutated.insert(mutant.function);
            let place = (mutant.function, mutant.term);
            let next = SwitchId(self.switches.len() as u32);
            // One switch for all mutants of a term: code without an active mutant tests one flag.
            let new = MutantSwitch { id: next, first_mutant: number, replacements: Vec::new() };
            let switch = self.switches.entry(place).or_insert(new);
            switch.replacements.push(mutant.replacement);
            self.numbers[id.index()] = (number, switch.id);
        }
        self.n_flags = self.switches.len();
        // Filled in by `for_program`, which knows the program that is compiled.
        self.infection_flags = vec![None; mutants.len()];
        self.mutants = mutants.to_vec();
        self
    }

    /// Records for mutants in simple terms whether they change a value.
    #[must_use]
    pub fn with_infections(self) -> Self {
        Self { compares_infection: true, ..self }
    }

    /// Completes the instrumentation for the program that is compiled with it, which determines
    /// which terms are simple.
    pub(crate) fn for_program(mut self, program: &Program) -> Self {
        if !self.compares_infection {
            return self;
        }
        for (place, mutants) in infection::infection_sites(program, &self.mutants) {
            // Flags of a site: first the one that enables it, then one per mutant.
            let look = self.n_flags as u32;
            let edit = |it: &MutantId| {
                let TermMutant { term, replacement: instead, .. } = self.mutants[it.index()];
                InfectionEdit { term, replacement: instead }
            };
            let edits = mutants.iter().map(edit).collect();
            self.infections.insert(
                place,
                infection::InfectionSite {
                    compare_flag: SwitchId(look),
                    first_flag: SwitchId(look + 1),
                    edits,
                },
            );
            for (flag, mutant) in (look + 1..).zip(&mutants) {
                self.infection_flags[mutant.index()] = Some(SwitchId(flag));
            }
            self.n_flags += 1 + mutants.len();
        }
        self
    }

    /// Number of counters.
    pub(crate) fn n_counters(&self) -> usize {
        self.branches.len()
    }

    /// Number of flags, of switches and of comparisons.
    pub(crate) fn n_flags(&self) -> usize {
        self.n_flags
    }

    /// The flag that is cleared when a mutant changes a value, if that is compared.
    pub(crate) fn infection_flag(&self, mutant: MutantId) -> Option<SwitchId> {
        self.infection_flags.get(mutant.index()).copied().flatten()
    }

    pub(crate) fn infection(
        &self,
        function: FunctionId,
        term: TermId,
    ) -> Option<&infection::InfectionSite> {
        self.infections.get(&(function, term))
    }

    /// The branches, in the order of their counters.
    pub fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// The number of a mutant in compiled code, and its switch.
    pub(crate) fn number(&self, mutant: MutantId) -> Option<(u64, SwitchId)> {
        self.numbers.get(mutant.index()).copied()
    }

    pub(crate) fn counter(&self, function: FunctionId, term: TermId, arm: u32) -> Option<u32> {
        self.first_counter.get(&(function, term)).map(|first| first + arm)
    }

    /// Whether there are any mutants.
    pub(crate) fn has_mutants(&self) -> bool {
        !self.mutants.is_empty()
    }

    /// Whether a function has mutants.
    pub(crate) fn has_mutants_in(&self, function: FunctionId) -> bool {
        self.mutated.contains(&function)
    }

    pub(crate) fn switch(&self, function: FunctionId, term: TermId) -> Option<&MutantSwitch> {
        self.switches.get(&(function, term))
    }
}

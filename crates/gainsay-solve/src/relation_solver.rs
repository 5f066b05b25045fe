//! Relations as checkers: whether a relation holds of known arguments is decided by a search for a
//! derivation.

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use gainsay_core::{Program, RelId, TyId};
use gainsay_vm::{RelationAnswer, RelationDecider, Value};

use crate::machine::{Budget, Chooser, Machine, NoSolution, SolverQuery, SolverRequest};
use crate::query::compile_relation;

/// Steps of the first attempt; each further one has twice as many.
const FIRST_STEPS: u64 = 10_000;

thread_local! {
    /// Reused for its memory.
    static MACHINE: RefCell<Machine> = RefCell::default();
}

/// Decides the relations of a program.
pub struct RelationSolver {
    program: Arc<Program>,
    /// The relations, compiled on first use; `None` if one cannot be run.
    queries: Box<[OnceLock<Option<SolverQuery>>]>,
}

impl RelationSolver {
    /// A decider for the relations of a program; `None` if it has none.
    pub fn for_program(program: &Arc<Program>) -> Option<Arc<dyn RelationDecider>> {
        if program.rels.is_empty() {
            return None;
        }
        Some(Arc::new(Self {
            program: Arc::clone(program),
            queries: program.rels.iter().map(|_| OnceLock::new()).collect(),
        }))
    }

    fn query(&self, rel: RelId) -> Option<&SolverQuery> {
        let compile =
            || compile_relation(&self.program, &mut self.program.types.clone(), rel).ok();
        self.queries.get(rel.index())?.get_or_init(compile).as_ref()
    }
}

/// What a step of a search counts as in steps of the program. It does more than an instruction, and
/// a limit on steps is to end a search as soon as it ends a loop.
const STEPS_PER_SEARCH_STEP: u64 = 4;

impl RelationDecider for RelationSolver {
    fn decide(&self, rel: RelId, args: &[Value], max_steps: u64) -> RelationAnswer {
        let Some(query) = self.query(rel) else {
            return RelationAnswer { holds: None, steps: 0 };
        };
        let max_steps = max_steps.div_ceil(STEPS_PER_SEARCH_STEP);
        let mut machine = MACHINE.take();
        let args: Vec<Option<Value>> = args.iter().cloned().map(Some).collect();
        let mut used = 0;
        let mut budget = FIRST_STEPS;
        let mut chooser = RotatingOrder { n_attempts: 0 };
        let holds = loop {
            let steps = budget.min(max_steps.saturating_sub(used));
            let budget_now = Budget { steps, attempts: 1 };
            let request =
                SolverRequest { args: &args, wishes: &[], size: 0, budget: budget_now };
            let (found, effort) = machine.solve(query, &self.program, &request, &mut chooser);
            used += effort.steps;
            match found {
                Ok(_) => break Some(true),
                Err(NoSolution::Unsatisfiable) => break Some(false),
                Err(NoSolution::GaveUp) if used >= max_steps || steps == 0 => break None,
                // A search that ended by itself with an alternative left out ends so again.
                Err(NoSolution::GaveUp) if effort.steps < steps => break None,
                Err(NoSolution::GaveUp) => {}
            }
            budget = budget.saturating_mul(2);
            chooser.n_attempts += 1;
        };
        MACHINE.set(machine);
        RelationAnswer { holds, steps: used.saturating_mul(STEPS_PER_SEARCH_STEP) }
    }
}

/// Alternatives in the order of the source; each attempt begins with another one, so that a rule
/// that goes on forever does not hide those after it.
pub(crate) struct RotatingOrder {
    pub(crate) n_attempts: usize,
}

impl Chooser for RotatingOrder {
    fn alternative(&mut self, weights: &[u32]) -> usize {
        let n = weights.len().max(1);
        let rotated = (0..n).map(|at| (at + self.n_attempts) % n);
        rotated.into_iter().find(|at| weights.get(*at).is_some_and(|it| *it > 0)).unwrap_or(0)
    }

    fn integer(&mut self, lo: Option<i64>, hi: Option<i64>) -> i64 {
        let n = self.n_attempts as i64;
        match (lo, hi) {
            (Some(lo), _) => lo.saturating_add(n),
            (None, Some(hi)) => hi.saturating_sub(n),
            (None, None) => n,
        }
    }

    fn list_weights(&mut self, _: u32) -> [u32; 2] {
        [1, 1]
    }

    fn opaque(&mut self, _: TyId) -> Option<Value> {
        None
    }
}

//! Why a solution of a query is one: derivations of the relations in it.

use gainsay_core::{FunctionId, Program};
use gainsay_solve::{Derivation, DerivationFinder};
use gainsay_vm::Value;

use crate::CheckedSample;

/// Derives the relations that a query demands.
pub struct QueryExplainer<'a> {
    program: &'a Program,
    condition: FunctionId,
    finder: DerivationFinder<'a>,
}

impl<'a> QueryExplainer<'a> {
    /// For a query or a condition that demands relations; `None` if it demands none.
    pub fn new(sample: &'a CheckedSample) -> Option<Self> {
        let program = sample.checked.program.as_deref()?;
        let condition = crate::query::condition(program, sample.claim?)?;
        let finder = DerivationFinder::new(program);
        let demands = gainsay_solve::demanded_relations(&program.function(condition).body);
        (demands > 0).then_some(Self { program, condition, finder })
    }

    /// The derivations of the relations for a solution; `None` for those that were not found. To be
    /// called where there is much stack, as in the visitor of [`crate::sample`].
    pub fn derivations(&mut self, solution: &[Value]) -> Vec<Option<Derivation>> {
        let body = &self.program.function(self.condition).body;
        let finder = &mut self.finder;
        match finder.goals(body, solution) {
            Some(goals) => goals.iter().map(|goal| finder.derive(goal)).collect(),
            None => vec![None],
        }
    }
}

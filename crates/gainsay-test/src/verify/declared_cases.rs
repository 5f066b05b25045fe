//! Visits the declared cases of a `verify` block, for a caller that judges them itself.

use std::ops::ControlFlow;

use gainsay_core::VerifyBlock;

use super::axes::{self, Axes, EnumerationError};
use super::verify_case::{VerifyCaseRunner, VerifyOutcome, leave_world};
use crate::claim_runner::ClaimRunner;
use crate::value_tracer::SharedTracer;

/// Length at which a value is cut off.
const MAX_TEXT: usize = 500;

/// The outcome of one case of a block.
pub struct DeclaredCase<'a> {
    /// The outcome of the guard; the case counts if it passed.
    pub guard: VerifyOutcome,
    /// The outcome of each assertion, if the case counts.
    pub assertions: Vec<VerifyOutcome>,
    /// The maximum steps of a part of a case so far.
    pub max_steps: u64,
    /// The givens that have values, as names and source text.
    pub inputs: &'a dyn Fn() -> Vec<(String, String)>,
}

impl ClaimRunner<'_> {
    /// Runs the declared cases of a block one by one, until the visitor stops.
    pub fn visit_declared_cases(
        &mut self,
        verify: &VerifyBlock,
        max_cases: u64,
        tracer: Option<SharedTracer>,
        visit: &mut dyn FnMut(DeclaredCase<'_>) -> ControlFlow<()>,
    ) -> Result<(), EnumerationError> {
        let visited = Axes::declared(self, verify, max_cases)
            .map(|axes| self.visit_combinations(verify, &axes, tracer, visit));
        leave_world(&mut self.search.worker);
        visited
    }

    fn visit_combinations(
        &mut self,
        verify: &VerifyBlock,
        axes: &Axes,
        tracer: Option<SharedTracer>,
        visit: &mut dyn FnMut(DeclaredCase<'_>) -> ControlFlow<()>,
    ) {
        let program = self.engines.program();
        let worker = &mut self.search.worker;
        let mut case = VerifyCaseRunner::new(program, verify);
        if let Some(tracer) = tracer {
            case.trace_values(self.engines.lowered.ops.tell, tracer);
        }
        let bounds = axes.declared_ranges();
        let mut choice = axes::first_combination(&bounds);
        while let Some(now) = &mut choice {
            case.begin(worker, axes, now);
            let guard = case.guard(worker);
            let n_assertions =
                if matches!(guard, VerifyOutcome::Passed) { case.n_assertions() } else { 0 };
            let assertions =
                (0..n_assertions).map(|at| case.compare(worker, program, at)).collect();
            let seen = visit(DeclaredCase {
                guard,
                assertions,
                max_steps: case.max_steps,
                inputs: &|| case.inputs(&|value| self.record.host.text(value, MAX_TEXT)),
            });
            if seen.is_break() || !axes::next_combination(&bounds, now) {
                break;
            }
        }
    }
}

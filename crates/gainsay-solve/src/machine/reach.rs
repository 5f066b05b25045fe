//! Whether a search can find given values: for comparing a search with all values of small size.

use gainsay_core::Program;
use gainsay_vm::Value;

use super::{Chooser, Context, Effort, GrowthLimits, Machine, Run, SolverQuery, SolverRequest};

impl Machine {
    /// Searches once, with the wishes of the request as preferences, and returns what it finds.
    /// Unlike [`Machine::solve`], it does not look first whether the wishes themselves will do:
    /// narrowing must come to them.
    pub fn search_once(
        &mut self,
        query: &SolverQuery,
        program: &Program,
        request: &SolverRequest<'_>,
        chooser: &mut dyn Chooser,
    ) -> Option<Vec<Value>> {
        let context = Context { code: &query.code, program, chooser };
        let mut run = Run { it: self, context, effort: Effort::default() };
        run.it.clear(request.budget.steps, GrowthLimits::default());
        run.attempt(query, (request.args, request.wishes), request.size).ok()
    }
}

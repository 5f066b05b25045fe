//! Goals that only look into known values: one of their solutions is picked.

use super::super::NotDerived;
use super::super::key::BundleKey;
use super::super::recipe::RecipeRule;
use super::super::recipe::{PickStep, RecipeExpr, RecipeStep, RecipeTest, SizeShare};
use super::super::state::RuleState;
use super::super::term::{Sym, SymGoal, SymTerm};
use super::super::{BundleDeriver, BundleId};
use super::RulePlanner;

impl BundleDeriver<'_> {
    /// The alternatives of goals that only look into known values: one for each constructor of what
    /// they look into first.
    pub(in crate::bundle) fn derive_solutions(
        &mut self,
        key: &BundleKey,
    ) -> Result<Vec<RecipeRule>, NotDerived> {
        let mut rules = Vec::new();
        let mut state = RuleState::default();
        let opened = key.open(&mut state);
        state.depth = 1;
        let [SymGoal::Is(term, _)] = &opened.goals[..] else {
            return Err(NotDerived::NotUnderstood);
        };
        let driver = self.known_driver(&state, term)?.ok_or(NotDerived::KnownStructure)?;
        let shape = self.base_shape(state.var(driver).shape);
        for at in 0..self.n_constructors(shape) {
            let mut state = state.clone();
            self.match_known(&mut state, driver, at)?;
            for state in self.reduce(state, opened.goals.clone())? {
                let mut planner = RulePlanner::new(self, state, key.n_params());
                planner.order()?;
                let results = opened.results.iter().map(|it| planner.value(it));
                // What a solution leaves open has infinitely many.
                let results: Vec<RecipeExpr> = results
                    .collect::<Result<_, _>>()
                    .map_err(|_| NotDerived::KnownStructure)?;
                rules.push(planner.finish(Vec::new(), results)?);
            }
        }
        Ok(rules)
    }
}

impl RulePlanner<'_, '_> {
    /// Picks a solution of the first goal that only looks into known values.
    pub(super) fn pick_next_solution(&mut self) -> Result<bool, NotDerived> {
        for at in 0..self.facets.len() {
            let SymGoal::Is(term, wanted) = self.facets[at].clone() else { continue };
            if !matches!(&*term, SymTerm::Call(..) | SymTerm::Rel(..))
                || self.deriver.head_of(&self.state, &term)?.is_some()
                || !self.state.heads(self.deriver.code, &term).is_empty()
            {
                continue;
            }
            self.facets.remove(at);
            self.pick_solution(&term, &wanted)?;
            return Ok(true);
        }
        Ok(false)
    }

    fn pick_solution(&mut self, term: &Sym, wanted: &Sym) -> Result<(), NotDerived> {
        let open = self.deriver.open_inside(&self.state, wanted);
        if open.iter().any(|it| !self.known.contains_key(it)) {
            return Err(NotDerived::KnownStructure);
        }
        let made = self.solution_facet(term, wanted)?;
        let key = BundleKey { shape: None, facets: vec![made.facet] };
        let bundle: BundleId = self.deriver.bundle(key)?;
        // Whether there is a solution is known before the alternative is chosen; what is drawn
        // must not decide it.
        let mut is_static = true;
        for arg in &made.args {
            arg.each_var(&mut |var| is_static &= self.is_static(var));
        }
        if !is_static {
            return Err(NotDerived::DeadEnds);
        }
        for result in &made.results {
            self.known.insert(*result, RecipeExpr::Var(*result));
        }
        self.admission.push(RecipeTest::Solvable(bundle, made.args.clone()));
        let step = PickStep { bundle, args: made.args, results: made.results };
        self.steps.push(RecipeStep::Pick(step));
        Ok(())
    }

    /// Draws what a wanted result leaves open inside a value of a recursive type, such as the type
    /// of an argument inside that of a function.
    pub(super) fn draw_inside_wanted(&mut self, about: &[usize]) -> bool {
        let mut has_drawn = false;
        for at in about {
            let SymGoal::Is(_, wanted) = &self.facets[*at] else { continue };
            for var in self.deriver.open_inside(&self.state, wanted) {
                if !self.known.contains_key(&var) && !self.is_int(var) {
                    self.draw_any(var, vec![SizeShare::Witness]);
                    has_drawn = true;
                }
            }
        }
        has_drawn
    }
}

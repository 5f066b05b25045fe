//! `target`: hill climbing from the random case with the best score toward better scores.

use gainsay_choice::{Budget, SpanLabel, hill_climb};

use super::random_cases::{FailingCase, SitePlan, SiteRun};
use super::{CaseOutcome, ClaimRunner, ClaimSubject};
use crate::tally::better_score;

/// The label of the one score that a claim reports.
pub(crate) const SCORE: SpanLabel = SpanLabel(u32::MAX);

/// Executions per requested case.
const RUNS_PER_CASE: u64 = 2;
/// Minimum number of executions of a climb.
const MIN_CLIMBING_RUNS: u64 = 200;

impl ClaimRunner<'_> {
    /// Climbs from the case with the best score, if there is one and nothing has failed so far. The
    /// loop is `gainsay_choice::hill_climb` with a budget of executions. Its cases are not a random
    /// sample, so they are neither tallied nor counted toward the requested number.
    pub(super) fn hill_climb(&mut self, plan: &SitePlan, best: Option<u64>, run: &mut SiteRun) {
        let Some(number) = best.filter(|_| run.failing.is_empty()) else { return };
        let start = plan.case_start(number);
        let size = start.size;
        self.record.host.record(start);
        // The recording program must agree that the start passes: climbing needs its recorded
        // choices.
        if self.record.run(plan.entry, plan.entered()) != CaseOutcome::Passed {
            return;
        }
        let start = self.record.host.source.recorded_case();
        let engines = self.engines;
        let mut keep_going = || !engines.is_interrupted();
        let executions = (plan.min_cases * RUNS_PER_CASE).max(MIN_CLIMBING_RUNS);
        let budget = Budget { max_executions: executions, should_continue: &mut keep_going };
        let mut source = self.take_source();
        self.record.host.case_size = size;
        let (entry, entered) = (plan.entry, plan.entered());
        let mut claimed = ClaimSubject { runner: &mut self.record, entry, entered };
        let outcome = hill_climb(&mut claimed, &mut source, &start, SCORE, budget);
        self.return_source(source);
        run.tally.hill_climbing_runs += outcome.executions;
        let score = Some(outcome.score).filter(|it| it.is_finite());
        run.tally.best_score = better_score(run.tally.best_score, score);
        if let Some((identity, case)) = outcome.failure {
            run.failing.push(FailingCase { identity, number, size, seed: None, case });
        }
    }
}

//! `target`: from the case with the best score to better ones.

use gainsay_choice::{Budget, Label, climb};

use super::cases::{Failing, SitePlan, SiteRun};
use super::{Attacker, Claimed, End};
use crate::tally::better;

/// The one score a claim reports.
pub(crate) const SCORE: Label = Label(u32::MAX);

/// Runs for each case that is wanted.
const RUNS_PER_CASE: u64 = 2;
/// The fewest runs worth climbing with.
const MIN_RUNS: u64 = 200;

impl Attacker<'_> {
    /// Climbs from the case with the best score, if there is one and nothing failed so far.
    pub(super) fn climb(&mut self, plan: &SitePlan, best: Option<u64>, run: &mut SiteRun) {
        let Some(number) = best.filter(|_| run.failing.is_empty()) else { return };
        let start = plan.case(number);
        let size = start.size;
        self.record.host.record(start);
        if self.record.run(plan.entry, plan.entered()) != End::Passed {
            return;
        }
        let start = self.record.host.source.case();
        let engines = self.engines;
        let mut keep_going = || !engines.is_interrupted();
        let executions = (plan.wanted * RUNS_PER_CASE).max(MIN_RUNS);
        let budget = Budget { executions, keep_going: &mut keep_going };
        let mut source = self.take_source();
        self.record.host.case_size = size;
        let (entry, entered) = (plan.entry, plan.entered());
        let mut claimed = Claimed { runner: &mut self.record, entry, entered };
        let climbed = climb(&mut claimed, &mut source, &start, SCORE, budget);
        self.give_back(source);
        run.tally.climbed += climbed.executions;
        let score = Some(climbed.score).filter(|it| it.is_finite());
        run.tally.best_score = better(run.tally.best_score, score);
        if let Some((identity, case)) = climbed.failure {
            run.failing.push(Failing { identity, number, size, seed: None, case });
        }
    }
}

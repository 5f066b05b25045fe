//! Shrinks failing cases within a budget, and explains which of their inputs matter.

use std::time::Duration;

use gainsay_choice::{
    Budget, Case, ExplanationOutcome, ShrunkCase, TerminationReason as ShrinkEnd, explain,
    shrink,
};
use gainsay_vm::Limits;

use super::random_cases::{FailingCase, SitePlan};
use super::{CaseOutcome, ClaimRunner, ClaimSubject};
use crate::report::ShrinkOutcome;
use crate::settings::Settings;

/// Maximum number of executions to find out which inputs matter.
const MAX_EXPLAIN_RUNS: u64 = 600;

/// Stages for shrinking a case that hits a limit, as (divisor of the limits, executions). Each run
/// up to the real limit takes as long as a run may. A case that hits a lower limit mostly hits the
/// real one, too, because it does not terminate at all; if it does not, the next stage follows.
const SHRINK_STAGES_AT_LIMIT: [(u64, u64); 3] = [(100, 400), (10, 50), (1, 10)];

/// The result of shrinking and explaining a case.
pub(super) struct ExplainedShrink {
    pub(super) shrunk: ShrunkCase,
    pub(super) explained: ExplanationOutcome,
    /// How shrinking ended; `None` if the case did not fail again.
    pub(super) outcome: Option<ShrinkOutcome>,
}

/// The budget for shrinking one case.
#[derive(Debug, Copy, Clone)]
struct ShrinkBudget {
    max_shrinks: u64,
    max_explain_runs: u64,
    deadline: Duration,
}

impl ClaimRunner<'_> {
    /// Shrinks a failing case, and finds out which of its inputs matter.
    pub(super) fn shrink(
        &mut self,
        plan: &SitePlan,
        failing: &FailingCase,
        settings: &Settings,
    ) -> ExplainedShrink {
        let end_of_time = (self.engines.clock)() + settings.shrink_time;
        let shrinking = settings.max_shrinks;
        let allowance = ShrinkBudget {
            max_shrinks: shrinking,
            max_explain_runs: MAX_EXPLAIN_RUNS,
            deadline: end_of_time,
        };
        self.shrink_within(plan, failing, allowance)
    }

    /// Shrinks a case that hits a limit.
    pub(super) fn shrink_at_limit(
        &mut self,
        plan: &SitePlan,
        failing: &FailingCase,
        settings: &Settings,
    ) -> ExplainedShrink {
        let end_of_time = (self.engines.clock)() + settings.shrink_time;
        // The last stage has the real limits, so its result needs no check.
        let [rows @ .., (_, last)] = SHRINK_STAGES_AT_LIMIT;
        let allowance = |runs: u64| ShrinkBudget {
            max_shrinks: runs.min(settings.max_shrinks),
            // Explaining would run the case up to its limit again and again.
            max_explain_runs: 0,
            deadline: end_of_time,
        };
        let too_slow = |mut it: ExplainedShrink| {
            if it.outcome == Some(ShrinkOutcome::BudgetExhausted) {
                it.outcome = Some(ShrinkOutcome::TooSlow);
            }
            it
        };
        for (divisor, runs) in rows {
            // A lower limit only makes the runs faster. The result is checked below against the
            // real one.
            self.record.worker.set_limits(divided_limits(self.limits, divisor));
            let mut it = self.shrink_within(plan, failing, allowance(runs));
            self.record.worker.set_limits(self.limits);
            if it.outcome.is_some() && self.still_fails(plan, failing, &it.shrunk.case) {
                // Other failures were found under a lower limit and need not occur under the real
                // one.
                it.shrunk.other_failures.clear();
                return too_slow(it);
            }
        }
        too_slow(self.shrink_within(plan, failing, allowance(last)))
    }

    /// Whether a shrunk case fails in the same way.
    fn still_fails(&mut self, plan: &SitePlan, failing: &FailingCase, case: &Case) -> bool {
        self.record.host.replay(case, failing.size);
        let end = self.without_interrupts(|it| it.record.run(plan.entry, plan.entered()));
        end == CaseOutcome::Failed(failing.identity)
    }

    fn shrink_within(
        &mut self,
        plan: &SitePlan,
        failing: &FailingCase,
        allowance: ShrinkBudget,
    ) -> ExplainedShrink {
        let engines = self.engines;
        // The shrinker only learns that it has to stop; why, is for the report.
        let mut is_late = false;
        let mut keep_going = || {
            is_late = (engines.clock)() >= allowance.deadline;
            !is_late && !engines.is_interrupted()
        };
        let mut source = self.take_source();
        self.record.host.case_size = failing.size;
        let entered = plan.entered();
        let mut claimed = ClaimSubject { runner: &mut self.record, entry: plan.entry, entered };
        let budget =
            Budget { max_executions: allowance.max_shrinks, should_continue: &mut keep_going };
        let shrunk = shrink(&mut claimed, &mut source, &failing.case, failing.identity, budget);
        let budget = Budget {
            // A budget of its own, so that a long shrink does not leave the result unexplained.
            max_executions: allowance.max_explain_runs,
            should_continue: &mut keep_going,
        };
        let explained =
            explain(&mut claimed, &mut source, &shrunk.case, failing.identity, budget);
        self.return_source(source);
        let outcome = match shrunk.termination {
            ShrinkEnd::Converged => Some(ShrinkOutcome::Minimal),
            ShrinkEnd::ExecutionLimit => Some(ShrinkOutcome::BudgetExhausted),
            ShrinkEnd::Interrupted if is_late => Some(ShrinkOutcome::Timeout),
            ShrinkEnd::Interrupted => Some(ShrinkOutcome::Interrupted),
            // An interrupted run is no evidence that the case is flaky.
            ShrinkEnd::NotReproduced if engines.is_interrupted() => {
                Some(ShrinkOutcome::Interrupted)
            }
            ShrinkEnd::NotReproduced => None,
        };
        ExplainedShrink { shrunk, explained, outcome }
    }
}

/// Divides the limits, but not below what ordinary cases need.
fn divided_limits(limits: Limits, divisor: u64) -> Limits {
    let lower = |limit: u64, least: u64| (limit / divisor).max(least).min(limit);
    let depth = u64::from(limits.depth);
    Limits {
        steps: lower(limits.steps, 10_000),
        depth: lower(depth, 1_000) as u32,
        words: lower(limits.words, 100_000),
        ..limits
    }
}

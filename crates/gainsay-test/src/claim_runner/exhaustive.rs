//! Small domains: every case once, instead of some by chance.

use std::cell::Cell;

use gainsay_choice::{
    Case, EnumerationControl, EnumerationOutcome, FailureIdentity, MAX_SIZE, RunVerdict,
    Source, Subject, enumerate,
};

use super::flaky_case::{CaseRerun, RerunStart};
use super::random_cases::{
    EFFORT_PER_CASE, FailingCase, MAX_EFFORT, MAX_LIMITS, SitePlan, SiteRun,
};
use super::{CaseOutcome, CaseRunner, ClaimRunner, subject_verdict};
use crate::report::SiteStopReason;
use crate::tally::CaseTally;

/// Failing cases that are looked at: each is one more to shrink.
const MAX_FAILING_CASES: usize = 1000;

/// Runs a claim, and counts what it comes to.
struct TallyingSubject<'a, 'l> {
    runner: &'a mut CaseRunner<'l>,
    plan: &'a SitePlan,
    tally: CaseTally,
    /// How many cases reached a limit.
    n_limits: &'a Cell<u64>,
    /// What all cases took.
    effort: &'a Cell<u64>,
}

impl Subject for TallyingSubject<'_, '_> {
    fn run(&mut self, source: &mut Source) -> RunVerdict {
        let end = self.runner.run_with_source(source, self.plan.entry, self.plan.entered());
        self.tally.observed += self.runner.worker.n_unreported_observations();
        self.tally.add_case(&end, &self.runner.host.annotations);
        if self.runner.is_at_limit(&end) {
            self.n_limits.set(self.n_limits.get() + 1);
        }
        self.effort.set(self.effort.get() + EFFORT_PER_CASE + self.runner.steps);
        subject_verdict(&end, source)
    }
}

impl ClaimRunner<'_> {
    /// Runs all cases of a site, if there are no more than would be run anyway. More than are
    /// wanted are given up when they take too much.
    pub(super) fn run_exhaustively(&mut self, plan: &SitePlan) -> Option<SiteRun> {
        let n_inputs = self.engines.lowered.sites[plan.site].n_inputs?;
        if n_inputs > plan.max_cases || plan.pinned_seed.is_some() || plan.deadline.is_some() {
            return None;
        }
        let mut source = self.take_source();
        self.search.host.case_size = MAX_SIZE;
        let mut failed: Vec<(u64, FailureIdentity, Case)> = Vec::new();
        let mut number = 0;
        let engines = self.engines;
        let (n_limits, effort) = (Cell::new(0), Cell::new(0));
        let mut counting = TallyingSubject {
            runner: &mut self.search,
            plan,
            tally: CaseTally::default(),
            n_limits: &n_limits,
            effort: &effort,
        };
        let mut visit = |source: &mut Source, verdict: RunVerdict| {
            if let RunVerdict::Fail(identity) = verdict
                && failed.len() < MAX_FAILING_CASES
            {
                failed.push((number, identity, source.recorded_case()));
            }
            number += 1;
            // After the last case there is nothing left to give up.
            let is_last = number == n_inputs;
            let takes_too_much =
                !is_last && number >= plan.min_cases && effort.get() >= MAX_EFFORT;
            let is_over = engines.is_interrupted() || n_limits.get() >= MAX_LIMITS;
            if is_over || takes_too_much {
                EnumerationControl::Stop
            } else {
                EnumerationControl::Continue
            }
        };
        let ended = enumerate(&mut counting, &mut source, plan.max_cases, &mut visit);
        let tally = counting.tally;
        self.return_source(source);
        let conclusion = match ended {
            EnumerationOutcome::Complete(_) => SiteStopReason::Exhausted,
            EnumerationOutcome::Interrupted if n_limits.get() >= MAX_LIMITS => {
                SiteStopReason::Failed
            }
            EnumerationOutcome::Interrupted if engines.is_interrupted() => {
                SiteStopReason::Interrupted
            }
            EnumerationOutcome::Interrupted if !failed.is_empty() => SiteStopReason::Failed,
            EnumerationOutcome::Interrupted | EnumerationOutcome::LimitExceeded => {
                self.discard_counts();
                return None;
            }
        };
        let mut run = SiteRun {
            tally,
            failing: Vec::new(),
            stop_reason: conclusion,
            flaky: None,
            declined: None,
        };
        for (number, seen, case) in failed {
            if run.failing.len() >= super::MAX_FAILURES || run.flaky.is_some() {
                break;
            }
            self.record_replayed_failure(plan, (number, seen), &case, &mut run);
        }
        self.collect_counts(&mut run.tally);
        Some(run)
    }

    /// Runs a failing case again, with recording.
    fn record_replayed_failure(
        &mut self,
        plan: &SitePlan,
        (number, seen): (u64, FailureIdentity),
        case: &Case,
        run: &mut SiteRun,
    ) {
        self.record.host.replay(case, MAX_SIZE);
        let second = self.without_interrupts(|it| it.record.run(plan.entry, plan.entered()));
        let CaseOutcome::Failed(identity) = second else {
            let again = CaseRerun::of_site(plan, RerunStart::Replayed(case, MAX_SIZE), number);
            run.flaky = Some(self.find_flake(&again, &CaseOutcome::Failed(seen)));
            return;
        };
        if run.failing.iter().all(|it| it.identity != identity) {
            let case = self.record.host.source.recorded_case();
            run.failing.push(FailingCase {
                identity,
                number,
                size: MAX_SIZE,
                seed: None,
                case,
            });
        }
    }
}

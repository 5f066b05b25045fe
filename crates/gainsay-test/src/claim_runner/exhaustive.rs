//! Exhaustive enumeration of small input domains: runs every case once instead of a random
//! sample.

use std::cell::Cell;

use gainsay_choice::{
    Case, EnumerationControl, EnumerationOutcome, FailureIdentity, MAX_SIZE, Source, enumerate,
};

use super::flaky_case::{CaseRerun, RerunStart};
use super::random_cases::{
    EFFORT_PER_CASE, FailingCase, MAX_EFFORT, MAX_LIMITS, SitePlan, SiteRun,
};
use super::{CaseOutcome, CaseRunner, ClaimRunner, needs_system, subject_verdict};
use crate::report::SiteStopReason;
use crate::tally::CaseTally;

/// Maximum number of failing cases that are recorded for replaying.
const MAX_FAILING_CASES: usize = 1000;

impl ClaimRunner<'_> {
    /// Runs the cases of a site in the order of their choices, until there are none left or the
    /// visitor stops. The stopping rules of random sampling do not apply: each case is derived from
    /// the choices of the previous one, and the enumeration knows its last case.
    pub fn enumerate_cases(
        &mut self,
        plan: &SitePlan,
        max_cases: u64,
        visit: &mut dyn FnMut(&CaseRunner<'_>, &CaseOutcome, &mut Source) -> EnumerationControl,
    ) -> EnumerationOutcome {
        let mut source = self.take_source();
        let runner = &mut self.search;
        // At a smaller size the generators would leave out a part of the domain.
        runner.host.case_size = MAX_SIZE;
        let control = Cell::new(EnumerationControl::Continue);
        let mut subject = |source: &mut Source| {
            let end = runner.run_with_source(source, plan.entry, plan.entered());
            control.set(visit(runner, &end, source));
            subject_verdict(&end, source)
        };
        let ended = enumerate(&mut subject, &mut source, max_cases, &mut |_, _| control.get());
        self.return_source(source);
        ended
    }

    /// Runs all cases of a site, if there are at most as many as a random run would take. Beyond
    /// the minimum number of cases, it gives up when they cost too much. `None` means that the
    /// caller has to sample.
    pub(super) fn run_exhaustively(&mut self, plan: &SitePlan) -> Option<SiteRun> {
        let n_inputs = self.engines.lowered.site(plan.site).n_inputs?;
        // A pinned seed asks for one case and a deadline for cases until then: neither is a domain.
        if n_inputs > plan.max_cases || plan.pinned_seed.is_some() || plan.deadline.is_some() {
            return None;
        }
        let mut failed: Vec<(u64, FailureIdentity, Case)> = Vec::new();
        let (mut number, mut effort) = (0, 0);
        let mut declined = None;
        let mut tally = CaseTally::default();
        let engines = self.engines;
        let ended = self.enumerate_cases(plan, plan.max_cases, &mut |runner, end, source| {
            runner.count_case(end, &mut tally);
            effort += EFFORT_PER_CASE + runner.steps;
            if let CaseOutcome::Declined(kind) = end {
                declined.get_or_insert((kind.clone(), number));
            }
            if let CaseOutcome::Failed(identity) = end
                && failed.len() < MAX_FAILING_CASES
            {
                failed.push((number, *identity, source.recorded_case()));
            }
            number += 1;
            // Never give up after the last case: the domain is exhausted by then.
            let is_last = number == n_inputs;
            let takes_too_much = !is_last && number >= plan.min_cases && effort >= MAX_EFFORT;
            let is_over =
                engines.is_interrupted() || tally.limits >= MAX_LIMITS || needs_system(end);
            if is_over || takes_too_much {
                EnumerationControl::Stop
            } else {
                EnumerationControl::Continue
            }
        });
        let conclusion = match ended {
            EnumerationOutcome::Complete(_) => SiteStopReason::Exhausted,
            // Before the interrupt: the limits were hit in any case, and count as failures.
            EnumerationOutcome::Interrupted if tally.limits >= MAX_LIMITS => {
                SiteStopReason::Failed
            }
            EnumerationOutcome::Interrupted if engines.is_interrupted() => {
                SiteStopReason::Interrupted
            }
            EnumerationOutcome::Interrupted if !failed.is_empty() => SiteStopReason::Failed,
            EnumerationOutcome::Interrupted if tally.declined > 0 => {
                SiteStopReason::TooManyLimits
            }
            // The caller starts over with random cases, which count from zero.
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
            declined,
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

    /// Reruns a failing case in the recording program. If it does not fail again, it is flaky.
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
        let again = CaseRerun::of_site(plan, RerunStart::Replayed(case, MAX_SIZE), number);
        if let Err(flaky) = self.confirm_with_system(&again, identity) {
            run.flaky = Some(flaky);
            return;
        }
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

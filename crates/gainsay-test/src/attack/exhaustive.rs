//! Small domains: every case once, instead of some by chance.

use std::cell::Cell;

use gainsay_choice::{
    Case, Enumerated, Identity, MAX_SIZE, Next, Source, Subject, Verdict, enumerate,
};

use super::cases::{EFFORT_PER_CASE, Failing, MAX_EFFORT, MAX_LIMITS, SitePlan, SiteRun};
use super::flaky::{Again, Begin};
use super::{Attacker, End, Runner, as_verdict};
use crate::report::Conclusion;
use crate::tally::Tally;

/// Failing cases that are looked at: each is one more to shrink.
const MAX_FAILED: usize = 1000;

/// Runs a claim, and counts what it comes to.
struct Counting<'a, 'l> {
    runner: &'a mut Runner<'l>,
    plan: &'a SitePlan,
    tally: Tally,
    /// How many cases reached a limit.
    n_limits: &'a Cell<u64>,
    /// What all cases took.
    effort: &'a Cell<u64>,
}

impl Subject for Counting<'_, '_> {
    fn run(&mut self, source: &mut Source) -> Verdict {
        let end = self.runner.run_with(source, self.plan.entry, self.plan.entered());
        self.tally.observed += self.runner.worker.n_unheard();
        self.tally.end(&end, &self.runner.host.remarks);
        if self.runner.is_at_limit(&end) {
            self.n_limits.set(self.n_limits.get() + 1);
        }
        self.effort.set(self.effort.get() + EFFORT_PER_CASE + self.runner.steps);
        as_verdict(&end, source)
    }
}

impl Attacker<'_> {
    /// Runs all cases of a site, if there are no more than would be run anyway. More than are
    /// wanted are given up when they take too much.
    pub(super) fn run_all(&mut self, plan: &SitePlan) -> Option<SiteRun> {
        let n_inputs = self.engines.lowered.sites[plan.site].n_inputs?;
        if n_inputs > plan.most || plan.single.is_some() || plan.deadline.is_some() {
            return None;
        }
        let mut source = self.take_source();
        self.search.host.case_size = MAX_SIZE;
        let mut failed: Vec<(u64, Identity, Case)> = Vec::new();
        let mut number = 0;
        let engines = self.engines;
        let (n_limits, effort) = (Cell::new(0), Cell::new(0));
        let mut counting = Counting {
            runner: &mut self.search,
            plan,
            tally: Tally::default(),
            n_limits: &n_limits,
            effort: &effort,
        };
        let mut visit = |source: &mut Source, verdict: Verdict| {
            if let Verdict::Fail(identity) = verdict
                && failed.len() < MAX_FAILED
            {
                failed.push((number, identity, source.case()));
            }
            number += 1;
            // After the last case there is nothing left to give up.
            let is_last = number == n_inputs;
            let takes_too_much =
                !is_last && number >= plan.wanted && effort.get() >= MAX_EFFORT;
            let is_over = engines.is_interrupted() || n_limits.get() >= MAX_LIMITS;
            if is_over || takes_too_much { Next::End } else { Next::Continue }
        };
        let ended = enumerate(&mut counting, &mut source, plan.most, &mut visit);
        let tally = counting.tally;
        self.give_back(source);
        let conclusion = match ended {
            Enumerated::All(_) => Conclusion::All,
            Enumerated::Ended if n_limits.get() >= MAX_LIMITS => Conclusion::Failed,
            Enumerated::Ended if engines.is_interrupted() => Conclusion::Interrupted,
            Enumerated::Ended if !failed.is_empty() => Conclusion::Failed,
            Enumerated::Ended | Enumerated::TooMany => {
                self.forget_counts();
                return None;
            }
        };
        let mut run =
            SiteRun { tally, failing: Vec::new(), conclusion, flaky: None, declined: None };
        for (number, seen, case) in failed {
            if run.failing.len() >= super::MAX_FAILURES || run.flaky.is_some() {
                break;
            }
            self.note_replayed(plan, (number, seen), &case, &mut run);
        }
        self.collect_counts(&mut run.tally);
        Some(run)
    }

    /// Runs a failing case again, with recording.
    fn note_replayed(
        &mut self,
        plan: &SitePlan,
        (number, seen): (u64, Identity),
        case: &Case,
        run: &mut SiteRun,
    ) {
        self.record.host.replay(case, MAX_SIZE);
        let second = self.undisturbed(|it| it.record.run(plan.entry, plan.entered()));
        let End::Failed(identity) = second else {
            let again = Again::of(plan, Begin::Replayed(case, MAX_SIZE), number);
            run.flaky = Some(self.flaky(&again, &End::Failed(seen)));
            return;
        };
        if run.failing.iter().all(|it| it.identity != identity) {
            let case = self.record.host.source.case();
            run.failing.push(Failing { identity, number, size: MAX_SIZE, seed: None, case });
        }
    }
}

//! Small domains: every case once, instead of some by chance.

use gainsay_choice::{Case, Enumerated, MAX_SIZE, Next, Source, Subject, Verdict, enumerate};

use super::cases::{Failing, SitePlan, SiteRun};
use super::{Attacker, End, Runner, as_verdict};
use crate::report::Conclusion;
use crate::tally::Tally;

/// Runs a claim, and counts what it comes to.
struct Counting<'a, 'l> {
    runner: &'a mut Runner<'l>,
    plan: &'a SitePlan,
    tally: Tally,
}

impl Subject for Counting<'_, '_> {
    fn run(&mut self, source: &mut Source) -> Verdict {
        let end = self.runner.run_with(source, self.plan.entry, self.plan.entered());
        self.tally.observed += self.runner.worker.n_unheard();
        self.tally.end(&end, &self.runner.host.remarks);
        as_verdict(&end, source)
    }
}

impl Attacker<'_> {
    /// Runs all cases of a site, if there are no more than are wanted anyway.
    pub(super) fn run_all(&mut self, plan: &SitePlan) -> Option<SiteRun> {
        let n_inputs = self.engines.lowered.sites[plan.site].n_inputs?;
        if n_inputs > plan.wanted || plan.single.is_some() || plan.deadline.is_some() {
            return None;
        }
        let mut source = self.take_source();
        self.search.host.case_size = MAX_SIZE;
        let mut failed: Vec<(u64, Case)> = Vec::new();
        let mut number = 0;
        let engines = self.engines;
        let mut counting = Counting { runner: &mut self.search, plan, tally: Tally::default() };
        let mut visit = |source: &mut Source, verdict: Verdict| {
            if let Verdict::Fail(_) = verdict {
                failed.push((number, source.case()));
            }
            number += 1;
            if engines.is_interrupted() { Next::End } else { Next::Continue }
        };
        let ended = enumerate(&mut counting, &mut source, plan.wanted, &mut visit);
        let tally = counting.tally;
        self.give_back(source);
        let conclusion = match ended {
            Enumerated::All(_) => Conclusion::All,
            Enumerated::Ended => Conclusion::Interrupted,
            Enumerated::TooMany => {
                self.forget_counts();
                return None;
            }
        };
        let mut run =
            SiteRun { tally, failing: Vec::new(), conclusion, flaky: None, declined: None };
        for (number, case) in failed {
            self.note_replayed(plan, number, &case, &mut run);
        }
        self.collect_counts(&mut run.tally);
        Some(run)
    }

    /// Runs a failing case again, with recording.
    fn note_replayed(&mut self, plan: &SitePlan, number: u64, case: &Case, run: &mut SiteRun) {
        if run.failing.len() >= super::MAX_FAILURES {
            return;
        }
        self.record.host.replay(case, MAX_SIZE);
        let End::Failed(identity) = self.record.run(plan.entry, plan.entered()) else {
            run.flaky = Some(number);
            return;
        };
        if run.failing.iter().all(|it| it.identity != identity) {
            let case = self.record.host.source.case();
            run.failing.push(Failing { identity, number, size: MAX_SIZE, case });
        }
    }
}

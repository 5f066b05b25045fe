//! Makes failing cases simpler.

use std::time::Duration;

use gainsay_choice::{Budget, Case, End as ShrinkEnd, Explained, Shrunk, explain, shrink};
use gainsay_vm::Limits;

use super::cases::{Failing, SitePlan};
use super::{Attacker, Claimed, End};
use crate::report::Outcome;
use crate::settings::Settings;

/// How often a claim is run to find out which inputs matter.
const EXPLAINING: u64 = 600;

/// How a case is shrunk that reaches a limit, where each run that does takes as long as a run may:
/// by which number the limits are divided, and how often the claim is run then. What reaches a
/// lower limit mostly reaches the real one, too, because it does not end at all. If it does not,
/// the next row is tried.
const AT_LIMIT: [(u64, u64); 3] = [(100, 400), (10, 50), (1, 10)];

/// What came of making a case simpler.
pub(super) struct Shrinking {
    pub(super) shrunk: Shrunk,
    pub(super) explained: Explained,
    /// How it ended; nothing if the case did not fail again.
    pub(super) outcome: Option<Outcome>,
}

/// How much making a case simpler may take.
#[derive(Debug, Copy, Clone)]
struct Allowance {
    shrinking: u64,
    explaining: u64,
    end_of_time: Duration,
}

impl Attacker<'_> {
    /// Makes a failing case simpler, and finds out which of its inputs matter.
    pub(super) fn shrink(
        &mut self,
        plan: &SitePlan,
        failing: &Failing,
        settings: &Settings,
    ) -> Shrinking {
        let end_of_time = (self.engines.clock)() + settings.shrink_time;
        let shrinking = settings.max_shrinks;
        let allowance = Allowance { shrinking, explaining: EXPLAINING, end_of_time };
        self.shrink_within(plan, failing, allowance)
    }

    /// The same for a case that reaches a limit.
    pub(super) fn shrink_at_limit(
        &mut self,
        plan: &SitePlan,
        failing: &Failing,
        settings: &Settings,
    ) -> Shrinking {
        let end_of_time = (self.engines.clock)() + settings.shrink_time;
        let [rows @ .., (_, last)] = AT_LIMIT;
        let allowance = |runs: u64| Allowance {
            shrinking: runs.min(settings.max_shrinks),
            explaining: 0,
            end_of_time,
        };
        let too_slow = |mut it: Shrinking| {
            if it.outcome == Some(Outcome::TriesOver) {
                it.outcome = Some(Outcome::TooSlow);
            }
            it
        };
        for (divisor, runs) in rows {
            self.record.worker.set_limits(divided(self.limits, divisor));
            let mut it = self.shrink_within(plan, failing, allowance(runs));
            self.record.worker.set_limits(self.limits);
            if it.outcome.is_some() && self.fails_still(plan, failing, &it.shrunk.case) {
                // What reached a lower limit on the way need not reach this one.
                it.shrunk.others.clear();
                return too_slow(it);
            }
        }
        too_slow(self.shrink_within(plan, failing, allowance(last)))
    }

    /// Whether a simpler case fails in the same way.
    fn fails_still(&mut self, plan: &SitePlan, failing: &Failing, case: &Case) -> bool {
        self.record.host.replay(case, failing.size);
        let end = self.undisturbed(|it| it.record.run(plan.entry, plan.entered()));
        end == End::Failed(failing.identity)
    }

    fn shrink_within(
        &mut self,
        plan: &SitePlan,
        failing: &Failing,
        allowance: Allowance,
    ) -> Shrinking {
        let engines = self.engines;
        let mut is_late = false;
        let mut keep_going = || {
            is_late = (engines.clock)() >= allowance.end_of_time;
            !is_late && !engines.is_interrupted()
        };
        let mut source = self.take_source();
        self.record.host.case_size = failing.size;
        let entered = plan.entered();
        let mut claimed = Claimed { runner: &mut self.record, entry: plan.entry, entered };
        let budget = Budget { executions: allowance.shrinking, keep_going: &mut keep_going };
        let shrunk = shrink(&mut claimed, &mut source, &failing.case, failing.identity, budget);
        let budget = Budget { executions: allowance.explaining, keep_going: &mut keep_going };
        let explained =
            explain(&mut claimed, &mut source, &shrunk.case, failing.identity, budget);
        self.give_back(source);
        let outcome = match shrunk.end {
            ShrinkEnd::Minimal => Some(Outcome::Minimal),
            ShrinkEnd::Executions => Some(Outcome::TriesOver),
            ShrinkEnd::Interrupted if is_late => Some(Outcome::TimeOver),
            ShrinkEnd::Interrupted => Some(Outcome::Interrupted),
            ShrinkEnd::NotReproduced if engines.is_interrupted() => Some(Outcome::Interrupted),
            ShrinkEnd::NotReproduced => None,
        };
        Shrinking { shrunk, explained, outcome }
    }
}

/// Lower limits, but none that every case reaches.
fn divided(limits: Limits, divisor: u64) -> Limits {
    let lower = |limit: u64, least: u64| (limit / divisor).max(least).min(limit);
    let depth = u64::from(limits.depth);
    Limits {
        steps: lower(limits.steps, 10_000),
        depth: lower(depth, 1_000) as u32,
        words: lower(limits.words, 100_000),
        ..limits
    }
}

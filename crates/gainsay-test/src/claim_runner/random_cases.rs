//! Random cases of one `across` or property: which cases a site draws, in which order, and when to
//! stop.

use std::sync::Arc;
use std::time::Duration;

use gainsay_choice::{Case, EdgeCase, FailureIdentity, MAX_SIZE, Seed, case_size};
use gainsay_core::FunctionId;
use gainsay_gen::SiteId;
use gainsay_vm::{FaultKind, Limits};

use super::flaky_case::{CaseRerun, FlakyCase, RerunStart};
use super::{CaseOutcome, CaseRunner, ClaimRunner, needs_system};
use crate::host::{CaseStart, EnteredSite};
use crate::report::SiteStopReason;
use crate::tally::CaseTally;

/// Which cases of a site to run.
#[derive(Debug, Clone)]
pub struct SitePlan {
    /// The function to call for each case.
    pub entry: FunctionId,
    /// The number of the site, in the order in which a run passes them.
    pub number: u32,
    /// The site.
    pub site: SiteId,
    /// The seed of the run.
    pub run_seed: u64,
    /// The part of the seed that is specific to the claim.
    pub claim_seed: u64,
    /// Minimum number of cases that must count.
    pub min_cases: u64,
    /// Maximum number of cases while they are cheap; equal to `min_cases` for a fixed number.
    pub max_cases: u64,
    /// Cases with an input at an edge of its type; they come first.
    pub edges: Arc<[Arc<EdgeCase>]>,
    /// Run exactly one case, from this seed.
    pub pinned_seed: Option<u64>,
    /// The limits of one case.
    pub limits: Limits,
    /// When to stop, on the clock of the run, instead of after a number of cases.
    pub deadline: Option<Duration>,
}

/// A failing case as found, before shrinking.
#[derive(Debug, Clone)]
pub(crate) struct FailingCase {
    pub(crate) identity: FailureIdentity,
    /// The number of the case, from 0.
    pub(crate) number: u64,
    pub(crate) size: u32,
    /// The number for `@property(seed = ..)` that draws the case again, if it fits.
    pub(crate) seed: Option<u64>,
    pub(crate) case: Case,
}

/// The result of running the cases of a site.
#[derive(Debug)]
pub(crate) struct SiteRun {
    pub(crate) tally: CaseTally,
    /// One case per failure identity, the one with the fewest choices.
    pub(crate) failing: Vec<FailingCase>,
    pub(crate) stop_reason: SiteStopReason,
    /// A case that failed, and did not fail when it was rerun.
    pub(crate) flaky: Option<FlakyCase>,
    /// The first case that could not be finished, and why.
    pub(crate) declined: Option<(FaultKind, u64)>,
}

/// Cases to run after the first failing one, to find smaller ones and other failures.
const CASES_AFTER_FAILURE: u64 = 30;

/// Maximum number of discarded cases per requested case.
const DISCARDS_PER_CASE: u64 = 10;
/// Lower bound of the maximum number of discarded cases.
const MIN_DISCARDS: u64 = 1000;

/// Maximum number of discarded cases of a site with this many requested cases.
pub(crate) fn max_discards(wanted: u64) -> u64 {
    wanted.saturating_mul(DISCARDS_PER_CASE).max(MIN_DISCARDS)
}

/// Maximum number of cases that hit a limit: each takes long, and one suffices for a report.
pub(super) const MAX_LIMITS: u64 = 5;

/// Maximum number of cases that cannot be finished.
const MAX_DECLINED: u64 = 5;

/// Effort after which a site stops once it has its minimum number of cases: in steps, about a
/// tenth of a second of compiled code. It counts steps and not time so that only the program and
/// the seed determine the number of cases.
pub(super) const MAX_EFFORT: u64 = 10_000_000;

/// Effort after which a site gives up if every case so far was discarded.
const MAX_DISCARDED_EFFORT: u64 = 5 * MAX_EFFORT;

/// Overhead of a case besides its steps, in steps: per case, and per choice.
pub(super) const EFFORT_PER_CASE: u64 = 20;
const EFFORT_PER_CHOICE: u64 = 3;
/// A process in a scripting language answers about 7,000 times per second.
const EFFORT_PER_SYSTEM_CALL: u64 = 2_000;
/// A step of a solver takes as long as this many of compiled code.
const EFFORT_PER_SOLVER_STEP: u64 = 4;

/// Sizes of edge cases.
const EDGE_SIZES: std::ops::Range<u64> = 5..45;

/// Cases between two checks of the clock.
const CASES_PER_CLOCK_CHECK: u64 = 64;

/// Flag of a seed that identifies one case of a run: 1 bit flag, 7 bits size, 24 bits case number,
/// 32 bits run seed. Without the flag, it is the seed of a run and means its first case.
const PINNED: u64 = 1 << 63;
/// Positions of the size and of the case number in such a seed.
const PINNED_SIZE_SHIFT: u32 = 56;
const PINNED_CASE_SHIFT: u32 = 32;
/// Replaces the size in the seed of an edge case.
const PINNED_EDGE: u32 = 127;
/// The largest case number that fits.
const MAX_PINNED_CASE: u64 = (1 << (PINNED_SIZE_SHIFT - PINNED_CASE_SHIFT)) - 1;

impl SitePlan {
    /// How a case starts. Edge cases come first, but make up at most half of the cases.
    #[inline]
    pub fn case_start(&self, number: u64) -> CaseStart<'_> {
        match self.pinned_seed {
            Some(pinned) if pinned & PINNED != 0 => {
                let case = pinned >> PINNED_CASE_SHIFT & MAX_PINNED_CASE;
                let run = pinned & u64::from(u32::MAX);
                let seed = Seed { run, claim: self.claim_seed, case };
                return match (pinned >> PINNED_SIZE_SHIFT & 0x7f) as u32 {
                    PINNED_EDGE => self.edge_case_start(seed),
                    size => CaseStart::new(seed, size.min(MAX_SIZE)),
                };
            }
            Some(run) => {
                let seed = Seed { run, claim: self.claim_seed, case: 0 };
                // A user who pins the seed of a run gives no size: a medium one.
                return CaseStart::new(seed, MAX_SIZE / 2);
            }
            None => {}
        }
        let seed = Seed { run: self.run_seed, claim: self.claim_seed, case: number };
        let n_edges = (self.edges.len() as u64).min(self.min_cases / 2);
        if number < n_edges {
            return self.edge_case_start(seed);
        }
        CaseStart::new(seed, case_size(number - n_edges, self.min_cases - n_edges))
    }

    /// The start of the edge case with the number of a seed.
    fn edge_case_start(&self, seed: Seed) -> CaseStart<'_> {
        // 7 and the 40 sizes are coprime, so consecutive edge cases run through all sizes.
        let size = EDGE_SIZES.start + seed.case * 7 % (EDGE_SIZES.end - EDGE_SIZES.start);
        CaseStart { seed, size: size as u32, edge: self.edges.get(seed.case as usize) }
    }

    /// The number for `@property(seed = ..)` that draws a case again: the seed of the run, the
    /// number of the case and its size packed together, if they fit.
    pub(crate) fn pinned_seed_of(&self, number: u64) -> Option<u64> {
        if self.pinned_seed.is_some() {
            return self.pinned_seed;
        }
        let start = self.case_start(number);
        let size = u64::from(if start.edge.is_some() { PINNED_EDGE } else { start.size });
        let fits = self.run_seed <= u64::from(u32::MAX) && number <= MAX_PINNED_CASE;
        fits.then_some(
            PINNED | size << PINNED_SIZE_SHIFT | number << PINNED_CASE_SHIFT | self.run_seed,
        )
    }

    /// The same plan with a fixed number of cases, so that the result depends neither on the clock
    /// nor on the effort.
    pub fn with_fixed_count(self) -> Self {
        Self { max_cases: self.min_cases, deadline: None, ..self }
    }

    /// Why to stop before drawing the next case, if so. Everything that draws the cases of a site
    /// stops by this rule, so that a mutant is tried with the same cases as the claim.
    pub fn stop_reason(
        &self,
        number: u64,
        tally: &CaseTally,
        effort: u64,
    ) -> Option<SiteStopReason> {
        // The first three rules also end pinned and timed runs: such cases take too long to go on.
        if tally.limits >= MAX_LIMITS {
            return Some(SiteStopReason::Failed);
        }
        if tally.declined >= MAX_DECLINED {
            return Some(SiteStopReason::TooManyLimits);
        }
        if tally.is_mostly_cut_off() {
            return Some(SiteStopReason::TooManyDiscards);
        }
        if self.pinned_seed.is_some() {
            return (number > 0).then_some(SiteStopReason::EnoughCases);
        }
        if self.deadline.is_some() {
            return None;
        }
        let n_cases = tally.cases + tally.declined;
        if n_cases >= self.min_cases {
            let is_enough = n_cases >= self.max_cases || effort >= MAX_EFFORT;
            return is_enough.then_some(SiteStopReason::EnoughCases);
        }
        // The limit by number alone could take minutes where every case is expensive.
        let is_hopeless = tally.cases == 0
            && tally.discarded() >= self.min_cases
            && effort >= MAX_DISCARDED_EFFORT;
        (tally.discarded() > max_discards(self.min_cases) || is_hopeless)
            .then_some(SiteStopReason::TooManyDiscards)
    }

    /// The `across` that the cases enter.
    pub fn entered(&self) -> EnteredSite {
        EnteredSite::Only(self.number)
    }
}

impl ClaimRunner<'_> {
    /// Runs cases until enough have counted, or one has failed.
    pub(crate) fn run_site(&mut self, plan: &SitePlan) -> SiteRun {
        if let Some(run) = self.run_exhaustively(plan) {
            return run;
        }
        // A listener to cases sees them in order, with a time for each: no running ahead.
        let (tally, first) = match self.case_listener {
            Some(_) => (CaseTally::default(), 0),
            None => self.run_ahead(plan),
        };
        let mut run = SiteRun {
            tally,
            failing: Vec::new(),
            stop_reason: SiteStopReason::EnoughCases,
            flaky: None,
            declined: None,
        };
        let mut last = u64::MAX;
        let mut best: Option<u64> = None;
        let mut effort = 0;
        let mut next_look = plan.min_cases;
        for number in first.. {
            let conclusion = self.stop_reason(plan, number, &run.tally, effort);
            if let Some(conclusion) = conclusion {
                run.stop_reason = conclusion;
                break;
            }
            if number > last {
                break;
            }
            self.report_progress(number);
            let start = self.case_listener.map(|_| (self.engines.clock)());
            let end = self.search_case(plan, number);
            effort += self.search.effort();
            if let Some(start) = start {
                let took = (self.engines.clock)().saturating_sub(start);
                self.report_case(plan, number, &end, took);
            }
            // Compared before the case is counted, because counting it updates the best score.
            let score = self.search.host.annotations.score();
            if score.is_some() && end == CaseOutcome::Passed && score > run.tally.best_score {
                best = Some(number);
            }
            self.search.count_case(&end, &mut run.tally);
            // Look for duplicates at doubling intervals: once most cases repeat, more of them add
            // nothing.
            let looks = end == CaseOutcome::Passed && run.tally.cases >= next_look;
            if plan.max_cases > plan.min_cases && looks {
                next_look = run.tally.cases * 2;
                if run.tally.has_mostly_duplicates() {
                    break;
                }
            }
            if let CaseOutcome::Declined(kind) = &end {
                if run.declined.is_none() {
                    run.declined = Some((kind.clone(), number));
                }
                if needs_system(&end) {
                    break;
                }
            }
            if let CaseOutcome::Failed(_) = &end {
                // From the first failure on: later ones must not prolong the run.
                last = last.min(number.saturating_add(CASES_AFTER_FAILURE));
                if let Err(flaky) = self.record_failing(plan, number, &end, &mut run.failing) {
                    run.flaky = Some(flaky);
                    break;
                }
            }
        }
        self.collect_counts(&mut run.tally);
        // After the counts are collected, so that directed cases enter no percentage.
        self.hill_climb(plan, best, &mut run);
        if !run.failing.is_empty() && run.stop_reason != SiteStopReason::Interrupted {
            run.stop_reason = SiteStopReason::Failed;
        }
        run
    }

    /// Runs a random case.
    #[inline]
    pub fn search_case(&mut self, plan: &SitePlan, number: u64) -> CaseOutcome {
        self.search.host.search(plan.case_start(number));
        let end = self.search.run(plan.entry, plan.entered());
        if !(matches!(end, CaseOutcome::Failed(_)) && self.search.host.relies_on_recipe()) {
            return end;
        }
        // Whatever fails has inputs that were checked.
        self.search.host.search(plan.case_start(number));
        self.search.host.check_conditions();
        self.search.run(plan.entry, plan.entered())
    }

    /// Why to stop, if so, including interrupts and the deadline.
    fn stop_reason(
        &self,
        plan: &SitePlan,
        number: u64,
        tally: &CaseTally,
        effort: u64,
    ) -> Option<SiteStopReason> {
        if self.engines.is_interrupted() {
            return Some(SiteStopReason::Interrupted);
        }
        plan.stop_reason(number, tally, effort).or_else(|| {
            let deadline = plan.deadline.filter(|_| plan.pinned_seed.is_none())?;
            // By number, and not after some time, since asking the clock costs as much as a small
            // case.
            let looks = number.is_multiple_of(CASES_PER_CLOCK_CHECK);
            (looks && (self.engines.clock)() >= deadline).then_some(SiteStopReason::Timeout)
        })
    }

    /// Reruns a failing case with recording, and keeps the smallest case of each failure identity.
    /// A case that does not fail again is flaky.
    fn record_failing(
        &mut self,
        plan: &SitePlan,
        number: u64,
        end: &CaseOutcome,
        failing: &mut Vec<FailingCase>,
    ) -> Result<(), FlakyCase> {
        let start = plan.case_start(number);
        let size = start.size;
        self.record.host.record(start);
        let second = self.without_interrupts(|it| it.record.run(plan.entry, plan.entered()));
        let CaseOutcome::Failed(identity) = second else {
            // The first run may have ended differently because it was interrupted.
            if self.engines.is_interrupted() {
                return Ok(());
            }
            let again = CaseRerun::of_site(plan, RerunStart::Drawn(start), number);
            return Err(self.find_flake(&again, end));
        };
        let again = CaseRerun::of_site(plan, RerunStart::Drawn(start), number);
        self.confirm_with_system(&again, identity)?;
        let case = self.record.host.source.recorded_case();
        let seed = plan.pinned_seed_of(number);
        match failing.iter_mut().find(|it| it.identity == identity) {
            Some(simplest) if case.choices().len() < simplest.case.choices().len() => {
                // The report names the first failing case, even though a later, smaller one gets
                // shrunk.
                let number = simplest.number.min(number);
                *simplest = FailingCase { identity, number, size, seed, case };
            }
            Some(_) => {}
            None => failing.push(FailingCase { identity, number, size, seed, case }),
        }
        Ok(())
    }
}

impl CaseRunner<'_> {
    /// Adds the case that has just ended to a tally.
    #[inline]
    pub fn count_case(&self, end: &CaseOutcome, tally: &mut CaseTally) {
        tally.observed += self.worker.n_unreported_observations();
        tally.add_case(end, &self.host.annotations);
        tally.limits += u64::from(self.is_at_limit(end));
    }

    /// The effort of the last case.
    pub(super) fn effort(&self) -> u64 {
        let n_choices = u64::from(self.host.source.n_choices());
        let solving = EFFORT_PER_SOLVER_STEP * self.host.solver_steps;
        let calls = EFFORT_PER_SYSTEM_CALL * self.host.n_system_calls;
        EFFORT_PER_CASE + self.steps + EFFORT_PER_CHOICE * n_choices + solving + calls
    }
}

//! Runs one claim on several threads with the same result as on one.
//!
//! Threads run cases in chunks. The tallies of the chunks before the first failing one are merged
//! in order; from there on, the cases run sequentially as on a single thread. So the report does
//! not depend on the number of threads or their scheduling.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::random_cases::SitePlan;
use super::{CaseOutcome, ClaimRunner};
use crate::tally::CaseTally;
use crate::threads::run_on_threads;

/// Cases per chunk: what a thread runs before it takes the next chunk.
const CASES_PER_CHUNK: u64 = 256;

/// With fewer cases, threads cost more than they gain.
const MIN_PARALLEL_CASES: u64 = 8 * CASES_PER_CHUNK;

/// The tally of a chunk; `None` if a case failed, or could not be finished.
type ChunkTally = Option<CaseTally>;

impl ClaimRunner<'_> {
    /// Runs cases on several threads up to the first chunk with a failure. Returns their tally and
    /// the number of the next case.
    pub(super) fn run_ahead(&mut self, plan: &SitePlan) -> (CaseTally, u64) {
        let (mut total, mut next) = (CaseTally::default(), 0);
        let n_threads = self.engines.threads_per_claim;
        if n_threads < 2 || plan.pinned_seed.is_some() || plan.deadline.is_some() {
            return (total, next);
        }
        while !self.engines.is_interrupted() {
            let n_missing = plan.min_cases.saturating_sub(total.cases);
            // Leave the rest to the sequential loop if it is too small for threads, or if most
            // cases are discarded: that loop applies the discard limit exactly.
            if n_missing < MIN_PARALLEL_CASES
                || total.n_run() > plan.min_cases.saturating_mul(2)
            {
                break;
            }
            // Rounded down, so that no more than the requested cases run. Discarded ones leave a
            // rest, which the next round takes.
            let n_chunks = (n_missing / CASES_PER_CHUNK) as usize;
            for counted in self.run_chunks(plan, next, n_chunks, n_threads) {
                // The tallies of later chunks are dropped: the sequential loop runs those cases
                // again.
                let Some(tally) = counted else { return (total, next) };
                total.merge(tally);
                next += CASES_PER_CHUNK;
            }
        }
        (total, next)
    }

    fn run_chunks(
        &mut self,
        plan: &SitePlan,
        first: u64,
        n_chunks: usize,
        n_threads: usize,
    ) -> Vec<ChunkTally> {
        let taken = AtomicUsize::new(0);
        // Chunks behind the first one that failed are never used.
        let end = AtomicUsize::new(n_chunks);
        let done: Mutex<Vec<ChunkTally>> = Mutex::new(vec![None; n_chunks]);
        let counters: Mutex<Vec<u64>> = Mutex::new(Vec::new());
        let n_ran = AtomicU64::new(first);
        let (engines, listener) = (self.engines, self.listener);
        let work = || {
            let mut runner = ClaimRunner::new(engines, None);
            runner.set_limits(plan.limits);
            runner.listener = listener;
            loop {
                // Relaxed suffices: the mutexes publish the results. A thread that misses a lower
                // `end` only runs a chunk in vain.
                let at = taken.fetch_add(1, Ordering::Relaxed);
                if at >= end.load(Ordering::Relaxed) {
                    break;
                }
                let counted = runner.run_chunk(plan, first + at as u64 * CASES_PER_CHUNK);
                let before = n_ran.fetch_add(CASES_PER_CHUNK, Ordering::Relaxed);
                runner.report_progress(before + CASES_PER_CHUNK);
                if counted.is_none() {
                    end.fetch_min(at, Ordering::Relaxed);
                }
                done.lock().unwrap_or_else(PoisonError::into_inner)[at] = counted;
            }
            let mut all = counters.lock().unwrap_or_else(PoisonError::into_inner);
            // Sums do not depend on the order in which threads end.
            add_counters(&mut all, runner.search.worker.counters());
        };
        run_on_threads(n_threads, work);
        let counters = counters.into_inner().unwrap_or_else(PoisonError::into_inner);
        add_counters(&mut self.branch_counters, &counters);
        done.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn run_chunk(&mut self, plan: &SitePlan, first: u64) -> ChunkTally {
        let mut tally = CaseTally::default();
        for number in first..first + CASES_PER_CHUNK {
            let end = self.search_case(plan, number);
            match end {
                CaseOutcome::Failed(_)
                | CaseOutcome::TooManyChoices
                | CaseOutcome::Declined(_)
                | CaseOutcome::SiteNotReached
                | CaseOutcome::Interrupted => {
                    self.discard_counts();
                    return None;
                }
                CaseOutcome::Passed
                | CaseOutcome::AssumptionFailed(_)
                | CaseOutcome::NoSolution(_)
                | CaseOutcome::GeneratorGaveUp(_) => {
                    self.search.count_case(&end, &mut tally);
                }
            }
        }
        self.collect_counts(&mut tally);
        Some(tally)
    }
}

/// Adds branch counters element by element.
pub(super) fn add_counters(all: &mut Vec<u64>, more: &[u64]) {
    if all.len() < more.len() {
        all.resize(more.len(), 0);
    }
    for (all, more) in all.iter_mut().zip(more) {
        *all = all.saturating_add(*more);
    }
}

//! One claim on several threads: the same cases as on one, counted together.
//!
//! Cases are run in chunks. What the chunks before the first failing one counted is put
//! together in order; from there on, the cases are run one after the other as on a single
//! thread. So nothing depends on threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::cases::SitePlan;
use super::{Attacker, End};
use crate::tally::Tally;
use crate::threads::on_threads;

/// Cases that are run by one thread before it looks for others.
const CHUNK: u64 = 256;

/// With fewer cases, threads cost more than they bring.
const MANY: u64 = 8 * CHUNK;

/// What a chunk came to; nothing if a case failed, or could not be finished.
type Counted = Option<Tally>;

impl Attacker<'_> {
    /// Counts cases on several threads, as far as none fails: what they came to, and the
    /// number of the next case.
    pub(super) fn run_ahead(&mut self, plan: &SitePlan) -> (Tally, u64) {
        let (mut total, mut next) = (Tally::default(), 0);
        let n_threads = self.engines.threads_per_claim;
        if n_threads < 2 || plan.single.is_some() || plan.deadline.is_some() {
            return (total, next);
        }
        while !self.engines.is_interrupted() {
            let n_missing = plan.wanted.saturating_sub(total.cases);
            if n_missing < MANY || total.tried() > plan.wanted.saturating_mul(2) {
                break;
            }
            let n_chunks = (n_missing / CHUNK) as usize;
            for counted in self.run_chunks(plan, next, n_chunks, n_threads) {
                let Some(tally) = counted else { return (total, next) };
                total.add(tally);
                next += CHUNK;
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
    ) -> Vec<Counted> {
        let taken = AtomicUsize::new(0);
        // Nothing behind a chunk that failed is of use.
        let end = AtomicUsize::new(n_chunks);
        let done: Mutex<Vec<Counted>> = Mutex::new(vec![None; n_chunks]);
        let counters: Mutex<Vec<u64>> = Mutex::new(Vec::new());
        let engines = self.engines;
        let work = || {
            let mut attacker = Attacker::new(engines, None);
            attacker.set_limits(plan.limits);
            loop {
                let at = taken.fetch_add(1, Ordering::Relaxed);
                if at >= end.load(Ordering::Relaxed) {
                    break;
                }
                let counted = attacker.run_chunk(plan, first + at as u64 * CHUNK);
                if counted.is_none() {
                    end.fetch_min(at, Ordering::Relaxed);
                }
                done.lock().unwrap_or_else(PoisonError::into_inner)[at] = counted;
            }
            let mut all = counters.lock().unwrap_or_else(PoisonError::into_inner);
            add_counters(&mut all, attacker.search.worker.counters());
        };
        on_threads(n_threads, work);
        let counters = counters.into_inner().unwrap_or_else(PoisonError::into_inner);
        add_counters(&mut self.counters, &counters);
        done.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn run_chunk(&mut self, plan: &SitePlan, first: u64) -> Counted {
        let mut tally = Tally::default();
        for number in first..first + CHUNK {
            let end = self.search_case(plan, number);
            tally.observed += self.search.worker.n_unheard();
            match end {
                End::Failed(_)
                | End::CutOff
                | End::Declined(_)
                | End::Missed
                | End::Interrupted => {
                    self.forget_counts();
                    return None;
                }
                End::Passed | End::Assumed(_) | End::GaveUp(_) => {
                    tally.end(&end, &self.search.host.remarks);
                }
            }
        }
        self.collect_counts(&mut tally);
        Some(tally)
    }
}

/// Adds counts of branches.
pub(super) fn add_counters(all: &mut Vec<u64>, more: &[u64]) {
    if all.len() < more.len() {
        all.resize(more.len(), 0);
    }
    for (all, more) in all.iter_mut().zip(more) {
        *all = all.saturating_add(*more);
    }
}

//! A run: all claims, on as many threads as wanted, with one result.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use gainsay_gen::Lowered;
use gainsay_vm::{EngineKind, run_on_big_stack};

use crate::attack::{Attacker, Engines};
use crate::report::{ClaimReport, Report, Status};
use crate::settings::Settings;

/// What a run needs besides its settings.
pub struct Job<'a> {
    /// The program, ready for cases.
    pub lowered: &'a Lowered,
    /// The claims to run, by their position in the program.
    pub claims: &'a [usize],
    /// What runs them.
    pub engine: EngineKind,
    /// The time since the run began.
    pub clock: &'a (dyn Fn() -> Duration + Sync),
    /// Ends the run soon after it is set.
    pub interrupt: Arc<AtomicBool>,
    /// Told of each claim when it is done, in any order.
    pub progress: &'a (dyn Fn(&ClaimReport) + Sync),
}

/// Runs claims. The report is the same for any number of threads.
pub fn run(job: &Job<'_>, settings: &Settings) -> Report {
    let engines =
        Engines::new(job.lowered, job.engine, Arc::clone(&job.interrupt), job.clock);
    let next = AtomicUsize::new(0);
    // No claim after the first failing one has to be run, if one is enough.
    let last = AtomicUsize::new(usize::MAX);
    let done: Mutex<Vec<Option<ClaimReport>>> = Mutex::new(vec![None; job.claims.len()]);
    let work = || {
        let mut attacker = Attacker::new(&engines);
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(claim) = job.claims.get(at) else { break };
            let is_wanted = at <= last.load(Ordering::Relaxed) && !engines.is_interrupted();
            let report = if is_wanted {
                attacker.attack(*claim, settings)
            } else {
                attacker.blank(*claim)
            };
            if settings.fail_fast && report.status == Status::Fail {
                last.fetch_min(at, Ordering::Relaxed);
            }
            (job.progress)(&report);
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done[at] = Some(report);
        }
    };
    let n_threads = settings.jobs.clamp(1, job.claims.len().max(1));
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..n_threads).map(|_| scope.spawn(|| run_on_big_stack(work))).collect();
        for thread in threads {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    let claims = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut claims: Vec<ClaimReport> = claims.into_iter().flatten().collect();
    skip_after_failure(&mut claims, settings);
    Report {
        seed: settings.seed,
        claims,
        interrupted: engines.is_interrupted(),
        time: (job.clock)(),
    }
}

/// With several threads, claims after the first failing one may have been run; they count as
/// skipped all the same, or the report would depend on threads.
fn skip_after_failure(claims: &mut [ClaimReport], settings: &Settings) {
    if !settings.fail_fast {
        return;
    }
    let Some(first) = claims.iter().position(|it| it.status == Status::Fail) else { return };
    for claim in &mut claims[first + 1..] {
        claim.skip();
    }
}

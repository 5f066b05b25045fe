//! A run: all claims, on as many threads as wanted, with one result.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use gainsay_gen::Lowered;
use gainsay_source::Files;
use gainsay_vm::EngineKind;

use crate::attack::{Attacker, Engines, Keeper};
use crate::audience::Audience;
use crate::disturbance::Disturbance;
use crate::report::{ClaimReport, Report, Status};
use crate::settings::Settings;
use crate::threads::on_threads;

/// What a run needs besides its settings.
pub struct Job<'a> {
    /// The program, ready for cases.
    pub lowered: &'a Lowered,
    /// Its texts, for reports that quote them.
    pub files: Option<&'a Files>,
    /// The claims to run, by their position in the program, in the order of the report.
    pub claims: &'a [usize],
    /// What runs them.
    pub engine: EngineKind,
    /// The time since the run began.
    pub clock: &'a (dyn Fn() -> Duration + Sync),
    /// Ends the run soon after it is set.
    pub interrupt: Arc<AtomicBool>,
    /// Told what happens.
    pub audience: &'a dyn Audience,
    /// What modules are called, by their number, so that no two claims are called the same; as
    /// in the program if it is not said.
    pub modules: &'a [String],
    /// Where cases are kept, if they are.
    pub keeper: Option<Keeper<'a>>,
}

/// Runs claims. The report is the same for any number of threads.
pub fn run(job: &Job<'_>, settings: &Settings) -> Report {
    run_with(job, settings, None)
}

/// Runs claims whose cases do not repeat, to see what is told of them.
#[doc(hidden)]
pub fn run_disturbed(job: &Job<'_>, settings: &Settings, by: Disturbance) -> Report {
    run_with(job, settings, Some(by))
}

fn run_with(job: &Job<'_>, settings: &Settings, disturbed: Option<Disturbance>) -> Report {
    let interrupt = Arc::clone(&job.interrupt);
    let threads_per_claim = settings.jobs / job.claims.len().max(1);
    let engines =
        Engines::new(job.lowered, job.engine, interrupt, job.clock, threads_per_claim)
            .with_modules(job.modules)
            .with_files(job.files);
    let next = AtomicUsize::new(0);
    let ledger = Ledger::new(job, settings);
    let work = || {
        let mut attacker = Attacker::new(&engines, job.keeper.as_ref());
        attacker.record.host.disturbed.by = disturbed;
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(claim) = job.claims.get(at) else { break };
            let report = if ledger.wants(at) && !engines.is_interrupted() {
                job.audience.begins(at);
                attacker.perform_for(job.audience, at);
                attacker.attack(*claim, settings)
            } else {
                attacker.blank(*claim)
            };
            ledger.enter(at, report);
        }
    };
    let n_threads = settings.jobs.clamp(1, job.claims.len().max(1));
    on_threads(n_threads, work);
    Report {
        seed: settings.seed,
        claims: ledger.close(),
        interrupted: engines.is_interrupted(),
        time: (job.clock)(),
    }
}

/// What became of claims so far. With several threads, claims after the last one that is to
/// fail may have been run; they count as skipped all the same, or the report would depend on
/// threads.
struct Ledger<'a> {
    audience: &'a dyn Audience,
    max_failures: u64,
    pages: Mutex<Pages>,
}

struct Pages {
    /// What is done, but not told.
    done: Vec<Option<ClaimReport>>,
    /// What was told, in order.
    told: Vec<ClaimReport>,
    n_failures: u64,
}

impl<'a> Ledger<'a> {
    fn new(job: &Job<'a>, settings: &Settings) -> Self {
        let pages = Pages {
            done: vec![None; job.claims.len()],
            told: Vec::with_capacity(job.claims.len()),
            n_failures: 0,
        };
        Self {
            audience: job.audience,
            max_failures: settings.max_failures.unwrap_or(u64::MAX),
            pages: Mutex::new(pages),
        }
    }

    /// Whether a claim is to be run, as far as is known.
    fn wants(&self, at: usize) -> bool {
        let pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        let before = pages.done[..at].iter().flatten();
        let n_failures = before.filter(|it| it.status == Status::Fail).count() as u64;
        pages.n_failures + n_failures < self.max_failures
    }

    /// Enters a claim, and tells those whose turn it is.
    fn enter(&self, at: usize, report: ClaimReport) {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.done[at] = Some(report);
        while let Some(mut report) = {
            let next = pages.told.len();
            pages.done.get_mut(next).and_then(Option::take)
        } {
            if pages.n_failures >= self.max_failures {
                report.skip();
            }
            pages.n_failures += u64::from(report.status == Status::Fail);
            self.audience.ends(pages.told.len(), &report);
            pages.told.push(report);
        }
    }

    fn close(self) -> Vec<ClaimReport> {
        self.pages.into_inner().unwrap_or_else(PoisonError::into_inner).told
    }
}

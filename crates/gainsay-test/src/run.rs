//! A run: all claims, on as many threads as wanted, with one result.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use gainsay_core::ClaimId;
use gainsay_gen::LoweredProgram;
use gainsay_source::SourceMap;
use gainsay_vm::EngineKind;

use crate::claim_runner::{ClaimEngines, ClaimRunner, SavedCases};
use crate::flake_injection::FlakeInjection;
use crate::report::{ClaimReport, ClaimStatus, Report};
use crate::run_listener::RunListener;
use crate::settings::Settings;
use crate::threads::run_on_threads;

/// What a run needs besides its settings.
pub struct TestJob<'a> {
    /// The program, ready for cases.
    pub lowered: &'a LoweredProgram,
    /// Its texts, for reports that quote them.
    pub files: Option<&'a SourceMap>,
    /// The claims to run, in the order of the report.
    pub claims: &'a [ClaimId],
    /// What runs them.
    pub engine: EngineKind,
    /// The time since the run began.
    pub clock: &'a (dyn Fn() -> Duration + Sync),
    /// Ends the run soon after it is set.
    pub interrupt: Arc<AtomicBool>,
    /// Told what happens.
    pub listener: &'a dyn RunListener,
    /// What modules are called, by their number, so that no two claims are called the same; as
    /// in the program if it is not said.
    pub modules: &'a [String],
    /// Where cases are kept, if they are.
    pub saved_cases: Option<SavedCases<'a>>,
}

/// Runs claims. The report is the same for any number of threads.
pub fn run(job: &TestJob<'_>, settings: &Settings) -> Report {
    run_claims(job, settings, None)
}

/// Runs claims whose cases do not repeat, to see what is told of them.
#[doc(hidden)]
pub fn run_with_flakes(job: &TestJob<'_>, settings: &Settings, by: FlakeInjection) -> Report {
    run_claims(job, settings, Some(by))
}

fn run_claims(
    job: &TestJob<'_>,
    settings: &Settings,
    disturbed: Option<FlakeInjection>,
) -> Report {
    let interrupt = Arc::clone(&job.interrupt);
    let threads_per_claim = settings.jobs / job.claims.len().max(1);
    let engines =
        ClaimEngines::new(job.lowered, job.engine, interrupt, job.clock, threads_per_claim)
            .with_modules(job.modules)
            .with_files(job.files);
    let next = AtomicUsize::new(0);
    let ledger = ReportCollector::new(job, settings);
    let work = || {
        let mut attacker = ClaimRunner::new(&engines, job.saved_cases.as_ref());
        attacker.record.host.flake_injector.injection = disturbed;
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(claim) = job.claims.get(at) else { break };
            let report = if ledger.is_needed(at) && !engines.is_interrupted() {
                job.listener.claim_started(at);
                attacker.set_listener(job.listener, at);
                attacker.run_claim(*claim, settings)
            } else {
                attacker.blank_report(*claim)
            };
            ledger.add_report(at, report);
        }
    };
    let n_threads = settings.jobs.clamp(1, job.claims.len().max(1));
    run_on_threads(n_threads, work);
    Report {
        seed: settings.seed,
        claims: ledger.into_reports(),
        interrupted: engines.is_interrupted(),
        time: (job.clock)(),
    }
}

/// What became of claims so far. With several threads, claims after the last one that is to
/// fail may have been run; they count as skipped all the same, or the report would depend on
/// threads.
struct ReportCollector<'a> {
    listener: &'a dyn RunListener,
    max_failures: u64,
    state: Mutex<CollectorState>,
}

struct CollectorState {
    /// What is done, but not told.
    out_of_order: Vec<Option<ClaimReport>>,
    /// What was told, in order.
    in_order: Vec<ClaimReport>,
    n_failures: u64,
}

impl<'a> ReportCollector<'a> {
    fn new(job: &TestJob<'a>, settings: &Settings) -> Self {
        let pages = CollectorState {
            out_of_order: vec![None; job.claims.len()],
            in_order: Vec::with_capacity(job.claims.len()),
            n_failures: 0,
        };
        Self {
            listener: job.listener,
            max_failures: settings.max_failures.unwrap_or(u64::MAX),
            state: Mutex::new(pages),
        }
    }

    /// Whether a claim is to be run, as far as is known.
    fn is_needed(&self, at: usize) -> bool {
        let pages = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let before = pages.out_of_order[..at].iter().flatten();
        let n_failures = before.filter(|it| it.status == ClaimStatus::Fail).count() as u64;
        pages.n_failures + n_failures < self.max_failures
    }

    /// Enters a claim, and tells those whose turn it is.
    fn add_report(&self, at: usize, report: ClaimReport) {
        let mut pages = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        pages.out_of_order[at] = Some(report);
        while let Some(mut report) = {
            let next = pages.in_order.len();
            pages.out_of_order.get_mut(next).and_then(Option::take)
        } {
            if pages.n_failures >= self.max_failures {
                report.skip();
            }
            pages.n_failures += u64::from(report.status == ClaimStatus::Fail);
            self.listener.claim_finished(pages.in_order.len(), &report);
            pages.in_order.push(report);
        }
    }

    fn into_reports(self) -> Vec<ClaimReport> {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).in_order
    }
}

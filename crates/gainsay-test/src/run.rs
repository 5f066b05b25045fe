//! A run: distributes claims over threads, and collects one report in source order.

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
use crate::systems::Systems;
use crate::threads::run_on_threads;

/// What a run needs besides its settings.
pub struct TestJob<'a> {
    /// The lowered program.
    pub lowered: &'a LoweredProgram,
    /// Its source texts, for reports that quote them.
    pub files: Option<&'a SourceMap>,
    /// The claims to run, in the order of the report.
    pub claims: &'a [ClaimId],
    /// The engine to run them with.
    pub engine: EngineKind,
    /// The time since the run started.
    pub clock: &'a (dyn Fn() -> Duration + Sync),
    /// Stops the run soon after it is set.
    pub interrupt: Arc<AtomicBool>,
    /// Receives progress events.
    pub listener: &'a dyn RunListener,
    /// Display names of modules by module index, so that claim ids are unique; the program's own
    /// names where absent.
    pub modules: &'a [String],
    /// The store of saved cases, if any.
    pub saved_cases: Option<SavedCases<'a>>,
    /// What answers the operations of systems, if anything.
    pub systems: Option<&'a dyn Systems>,
}

/// Runs claims. The report is the same for any number of threads.
pub fn run(job: &TestJob<'_>, settings: &Settings) -> Report {
    run_claims(job, settings, None)
}

/// Runs claims with injected flakes, to test how flakes are reported.
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
    // With fewer claims than threads, the spare threads share the cases of a claim.
    let threads_per_claim = settings.jobs / job.claims.len().max(1);
    let engines =
        ClaimEngines::new(job.lowered, job.engine, interrupt, job.clock, threads_per_claim)
            .with_modules(job.modules)
            .with_files(job.files)
            .with_systems(job.systems);
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

/// The reports so far. With several threads, claims after the one that reaches `max_failures` may
/// already have run. They are reported as skipped all the same: otherwise the report would depend
/// on scheduling.
struct ReportCollector<'a> {
    listener: &'a dyn RunListener,
    max_failures: u64,
    state: Mutex<CollectorState>,
}

struct CollectorState {
    /// Finished, but waiting for an earlier claim.
    out_of_order: Vec<Option<ClaimReport>>,
    /// Delivered to the listener, in order.
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

    /// Whether a claim must run, as far as is known by now.
    fn is_needed(&self, at: usize) -> bool {
        let pages = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // Only claims before this one matter: a later failure must not skip it.
        let before = pages.out_of_order[..at].iter().flatten();
        let n_failures = before.filter(|it| it.status == ClaimStatus::Fail).count() as u64;
        pages.n_failures + n_failures < self.max_failures
    }

    /// Adds the report of a claim, and delivers all reports that are next in order.
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

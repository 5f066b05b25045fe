//! Flaky cases: reruns a case that did not behave the same way twice, until two runs differ and
//! the report can show both.

use gainsay_choice::{Case, FailureIdentity};
use gainsay_core::FunctionId;
use gainsay_vm::FaultKind;

use super::random_cases::SitePlan;
use super::sampling::is_limit;
use super::{CaseOutcome, ClaimRunner};
use crate::host::{CaseHost, CaseStart, EnteredSite};
use crate::report::{CaseRunEnd, CaseRunReport, Flake};

/// Maximum number of runs in search of two that differ.
const MAX_RERUNS: u64 = 20;

/// How often a failing case runs again if it used a system.
const SYSTEM_CONFIRMATIONS: u32 = 2;

/// A case that did not behave the same way twice.
#[derive(Debug)]
pub(crate) struct FlakyCase(Box<Flake>);

impl FlakyCase {
    /// The report of it.
    pub(crate) fn into_flake(self) -> Flake {
        *self.0
    }
}

/// How a case starts.
#[derive(Debug, Clone, Copy)]
pub(super) enum RerunStart<'a> {
    /// Without inputs.
    Plain,
    /// Drawn from its seed.
    Drawn(CaseStart<'a>),
    /// With the choices of a recorded case, and its size.
    Replayed(&'a Case, u32),
}

/// A case to rerun.
#[derive(Debug, Clone, Copy)]
pub(super) struct CaseRerun<'a> {
    pub(super) entry: FunctionId,
    pub(super) entered: EnteredSite,
    pub(super) start: RerunStart<'a>,
    /// The number of the case, from 0.
    pub(super) number: u64,
}

impl<'a> CaseRerun<'a> {
    /// A case of a site.
    pub(super) fn of_site(plan: &SitePlan, begin: RerunStart<'a>, number: u64) -> Self {
        let (entry, entered) = (plan.entry, plan.entered());
        Self { entry, entered, start: begin, number }
    }

    /// Starts the source of a host.
    fn begin(&self, host: &mut CaseHost<'_>) {
        match self.start {
            RerunStart::Plain => host.record(CaseStart::NOTHING),
            RerunStart::Drawn(start) => host.record(start),
            RerunStart::Replayed(case, size) => host.replay(case, size),
        }
    }

    /// A run of a claim that enters no `across`.
    pub(super) fn outside_sites(entry: FunctionId) -> Self {
        let begin = RerunStart::Plain;
        Self { entry, entered: EnteredSite::None, start: begin, number: 0 }
    }
}

impl ClaimRunner<'_> {
    /// Reruns a case that had two different outcomes until two runs differ. If all reruns agree, it
    /// reports the first outcome `seen` as far as it is known, without inputs or steps.
    pub(super) fn find_flake(
        &mut self,
        again: &CaseRerun<'_>,
        seen: &CaseOutcome,
    ) -> FlakyCase {
        // Compared with each rerun, not with `seen`: of that run only the outcome is known, and a
        // report shows two whole runs.
        let first = self.rerun_case(again);
        let flake = |first, second, runs| {
            FlakyCase(Box::new(Flake { case: again.number + 1, runs, first, second }))
        };
        for runs in 2..=MAX_RERUNS {
            let next = self.rerun_case(again);
            if next != first {
                return flake(first, next, runs);
            }
            if self.engines.is_interrupted() {
                break;
            }
        }
        // All reruns agree: of the deviating first run, only the outcome is known.
        let end = match seen {
            CaseOutcome::Passed | CaseOutcome::SiteNotReached | CaseOutcome::Interrupted => {
                CaseRunEnd::Passed
            }
            CaseOutcome::Failed(_) => CaseRunEnd::Failed(None),
            CaseOutcome::Declined(_) => CaseRunEnd::Unfinished(None),
            CaseOutcome::AssumptionFailed(_)
            | CaseOutcome::GeneratorGaveUp(_)
            | CaseOutcome::NoSolution(_)
            | CaseOutcome::TooManyChoices => CaseRunEnd::Discarded,
        };
        let unknown = CaseRunReport {
            arguments: Vec::new(),
            drawn: Vec::new(),
            observed: None,
            steps: None,
            end,
        };
        flake(unknown, first, MAX_RERUNS + 1)
    }

    /// A system may answer differently each time, so a case that used one counts as a counterexample
    /// only if it fails twice more. The last run of the recording program is the failing one.
    pub(super) fn confirm_with_system(
        &mut self,
        again: &CaseRerun<'_>,
        identity: FailureIdentity,
    ) -> Result<(), FlakyCase> {
        if self.record.host.n_system_calls == 0 {
            return Ok(());
        }
        for _ in 0..SYSTEM_CONFIRMATIONS {
            again.begin(&mut self.record.host);
            let end = self.without_interrupts(|it| it.record.run(again.entry, again.entered));
            if end != CaseOutcome::Failed(identity) {
                return Err(self.find_flake(again, &end));
            }
        }
        Ok(())
    }

    /// Runs a case and records everything it does.
    fn rerun_case(&mut self, again: &CaseRerun<'_>) -> CaseRunReport {
        let host = &mut self.record.host;
        again.begin(host);
        // Else a run would also be charged with the observations of the one before and differ from
        // it.
        host.n_observed = 0;
        host.begin();
        host.entered = again.entered;
        let outcome = self.record.worker.call(again.entry, &[], host);
        let n_observed = std::mem::take(&mut host.n_observed);
        let drawn = host.source.recorded_case().to_lines(&self.engines.lowered.labels);
        let program = self.engines.program();
        let end = match outcome.result {
            Ok(_) => CaseRunEnd::Passed,
            Err(fault) if fault.kind == FaultKind::Discarded => CaseRunEnd::Discarded,
            Err(fault) if is_limit(&fault.kind) => {
                CaseRunEnd::Unfinished(Some(fault.to_diagnostic(program)))
            }
            Err(fault) => CaseRunEnd::Failed(Some(fault.to_diagnostic(program))),
        };
        CaseRunReport {
            arguments: self.arguments(),
            drawn: drawn.lines().map(str::to_owned).collect(),
            observed: Some(self.record.worker.n_unreported_observations() + n_observed),
            steps: Some(outcome.steps),
            end,
        }
    }
}

//! Replays one case of a claim, from a saved file or a replay token.

use gainsay_choice::{Case, MAX_SIZE};
use gainsay_gen::SiteId;
use gainsay_vm::{Fault, FaultKind};

use super::flaky_case::{CaseRerun, RerunStart};
use super::random_cases::SitePlan;
use super::saved_cases::SavedCaseOutcome;
use super::{CaseOutcome, ClaimRunner};
use crate::replay::{ReplayCase, ReplayEnd, ReplayFit, ReplayReport, ReplayRequest};
use crate::report::{ClaimReport, ClaimStatus, Failure};
use crate::saved_cases::{SavedCase, SavedCaseFile};
use crate::settings::Settings;

/// Why a case whose inputs are discarded cannot be used.
const ASSUMPTIONS_NOT_MET: &str = "it no longer meets the assumptions";

impl ClaimRunner<'_> {
    /// Replays one case.
    pub(crate) fn replay(&mut self, request: &ReplayRequest) -> ReplayReport {
        let mut report = self.blank_report(request.claim);
        self.set_limits(self.limits_of(request.claim, &Settings::new(0)));
        let mut it = ReplayDetails { arguments: Vec::new(), fit: ReplayFit::Exact };
        self.n_saved_observations = 0;
        let end = self.replay_request(request, &mut report, &mut it);
        // Others have not decided anything, so they do not count as a case.
        report.cases = u64::from(matches!(end, ReplayEnd::Fails | ReplayEnd::Passes));
        report.status = match &end {
            ReplayEnd::Fails => ClaimStatus::of_failures(&report.failures),
            ReplayEnd::Passes => ClaimStatus::Pass,
            ReplayEnd::Declined(why) => {
                report.reason = Some(why.clone());
                ClaimStatus::Declined
            }
            ReplayEnd::Unusable(_) | ReplayEnd::Interrupted => ClaimStatus::Skipped,
        };
        report.n_observations = std::mem::take(&mut self.n_saved_observations);
        let ReplayDetails { arguments, fit } = it;
        ReplayReport { report, arguments, end, fit }
    }

    fn replay_request(
        &mut self,
        request: &ReplayRequest,
        report: &mut ClaimReport,
        it: &mut ReplayDetails,
    ) -> ReplayEnd {
        let Some(entry) = self.engines.lowered.entries[request.claim.index()] else {
            return self.replay_law(request, report, it);
        };
        // The code outside of the `across`es determines which there are; it may fail by itself.
        let end = self.search_outside_sites(entry);
        if let CaseOutcome::Failed(_) = end {
            return match self.failure_outside_sites(entry, &end) {
                Ok(failure) => report_failure(report, failure),
                Err(_) => ReplayEnd::Unusable(
                    "it is flaky: it behaved differently when run again".to_owned(),
                ),
            };
        }
        let passed = self.search.host.passed_sites.clone();
        let settings = Settings::new(0);
        let plans: Vec<SitePlan> = (0..)
            .zip(&passed)
            .map(|(number, site)| self.site_plan(request.claim, number, *site, &settings))
            .collect();
        if plans.is_empty() {
            return ReplayEnd::Unusable("the claim has no inputs".to_owned());
        }
        match &request.case {
            ReplayCase::Token(word) => self.replay_token(word, &plans, report, it),
            ReplayCase::Saved(file) => match &file.case {
                Ok(case) => self.replay_file((file, case), &plans, report, it),
                Err(broken) => ReplayEnd::Unusable(broken.to_string()),
            },
        }
    }

    pub(crate) fn replay_file(
        &mut self,
        (file, case): (&SavedCaseFile, &SavedCase),
        plans: &[SitePlan],
        report: &mut ClaimReport,
        it: &mut ReplayDetails,
    ) -> ReplayEnd {
        let sites: Vec<SiteId> = plans.iter().map(|plan| plan.site).collect();
        let Some(home) = self.site_of_case(&sites, case) else {
            return ReplayEnd::Unusable(self.unmatched_inputs(&sites, case));
        };
        let plan = &plans[home as usize];
        let has_values = matches!(self.read_saved_values(plan, case), Ok(Some(_)));
        it.fit = if has_values { ReplayFit::ByValues } else { ReplayFit::ByChoices };
        let replayed = self.replay_saved(plan, case);
        it.arguments = self.arguments();
        match replayed {
            SavedCaseOutcome::Fails(fault, _)
                if matches!(fault.kind, FaultKind::Unsupported(_)) =>
            {
                ReplayEnd::Declined(fault.to_diagnostic(self.engines.program()))
            }
            SavedCaseOutcome::Fails(fault, values) => {
                let mut failure = self.saved_failure(plan, file, &fault);
                values.add_to(&mut failure);
                // The caller named the file: no need to say how the case was found.
                failure.shrink = None;
                report_failure(report, failure)
            }
            SavedCaseOutcome::Interrupted => ReplayEnd::Interrupted,
            SavedCaseOutcome::Passes => ReplayEnd::Passes,
            SavedCaseOutcome::Stale(why) => ReplayEnd::Unusable(why),
        }
    }

    pub(crate) fn replay_token(
        &mut self,
        word: &str,
        plans: &[SitePlan],
        report: &mut ClaimReport,
        it: &mut ReplayDetails,
    ) -> ReplayEnd {
        // A copy, because a token may name labels that this program does not have.
        let mut labels = self.engines.lowered.labels.clone();
        let case = match Case::from_replay_token(word, &mut labels) {
            Ok(case) => case,
            Err(error) => return ReplayEnd::Unusable(error.to_string()),
        };
        let inputs: Vec<&str> =
            case.top_spans().filter_map(|span| labels.name(span.label)).collect();
        let binds = |plan: &&SitePlan| {
            let site = self.engines.lowered.site(plan.site);
            let names = site.binders.iter().map(|it| &*it.name);
            // The inputs of nested sites follow the site's own.
            let n_own = if site.may_nest { site.binders.len() } else { inputs.len() };
            names.eq(inputs.iter().copied().take(n_own))
        };
        let named: Vec<&SitePlan> = plans.iter().filter(binds).collect();
        // An input may have been renamed since: without a match by name, try every site.
        let plans = if named.is_empty() { plans.iter().collect() } else { named };
        let mut last = ReplayEnd::Passes;
        for plan in plans {
            let (result, fit) = self.run_choices(plan, &case);
            (it.fit, it.arguments) = (fit, self.arguments());
            last = match result {
                Ok(()) => ReplayEnd::Passes,
                Err(fault) if fault.kind == FaultKind::Interrupted => ReplayEnd::Interrupted,
                Err(fault) if fault.kind == FaultKind::Discarded => {
                    ReplayEnd::Unusable(ASSUMPTIONS_NOT_MET.to_owned())
                }
                Err(fault) if matches!(fault.kind, FaultKind::Unsupported(_)) => {
                    ReplayEnd::Declined(fault.to_diagnostic(self.engines.program()))
                }
                Err(fault) => {
                    let mut failure = self.failure_at(plan, &fault, it.arguments.clone());
                    let realised = self.record.host.source.recorded_case();
                    failure.replay_token =
                        Some(realised.to_replay_token(&self.engines.lowered.labels));
                    let size = self.record.host.case_size;
                    let again =
                        CaseRerun::of_site(plan, RerunStart::Replayed(&realised, size), 0);
                    let values = self.subexpression_values(&fault, &again, &|host| {
                        host.replay(&realised, size);
                    });
                    values.add_to(&mut failure);
                    return report_failure(report, failure);
                }
            };
        }
        last
    }

    /// Runs a case by its choices. A case does not contain the size of the run that found it, so
    /// this tries each size until one consumes every choice exactly.
    fn run_choices(
        &mut self,
        plan: &SitePlan,
        case: &Case,
    ) -> (Result<(), Box<Fault>>, ReplayFit) {
        // From the maximum, at which saved and enumerated cases run.
        for size in (0..=MAX_SIZE).rev() {
            self.record.host.replay(case, size);
            let result = self.rerun_and_count(plan);
            let source = &mut self.record.host.source;
            let is_exact =
                source.stop_reason().is_none() && same_choices(&source.recorded_case(), case);
            if is_exact || self.engines.is_interrupted() {
                return (result, ReplayFit::Exact);
            }
        }
        // No size consumes the choices exactly: let them guide the generators as far as they apply.
        self.record.host.case_size = MAX_SIZE;
        self.record.host.source.replay_guided(case);
        let result = self.rerun_and_count(plan);
        let made = self.record.host.source.recorded_case();
        let fit = ReplayFit::Adapted {
            n_given: case.choices().len() as u64,
            n_made: made.choices().len() as u64,
        };
        (result, fit)
    }

    /// Runs a case whose source has been started, and counts its observations.
    fn rerun_and_count(&mut self, plan: &SitePlan) -> Result<(), Box<Fault>> {
        self.record.host.n_observed = 0;
        let result = self.rerun_for_fault(plan);
        let record = &self.record;
        self.n_saved_observations =
            record.worker.n_unreported_observations() + record.host.n_observed;
        result
    }

    /// Runs a case whose source has been started, and returns its fault with all details.
    pub(super) fn rerun_for_fault(&mut self, plan: &SitePlan) -> Result<(), Box<Fault>> {
        let fault = self.record.run_for_fault(plan.entry, plan.entered());
        fault.map_or(Ok(()), |fault| Err(Box::new(fault)))
    }
}

/// What a replay finds out besides its outcome.
pub(crate) struct ReplayDetails {
    pub(crate) arguments: Vec<crate::report::ReportedInput>,
    pub(crate) fit: ReplayFit,
}

/// Adds a failure to the report.
pub(crate) fn report_failure(report: &mut ClaimReport, failure: Failure) -> ReplayEnd {
    report.failures.push(failure);
    ReplayEnd::Fails
}

/// Whether two cases consist of the same choices. Parsed choices have no kinds, so only class and
/// value are compared.
fn same_choices(left: &Case, right: &Case) -> bool {
    let pairs = left.choices().iter().zip(right.choices());
    left.choices().len() == right.choices().len()
        && pairs.into_iter().all(|(a, b)| {
            a.class() == b.class() && left.integer(a.value()) == right.integer(b.value())
        })
}

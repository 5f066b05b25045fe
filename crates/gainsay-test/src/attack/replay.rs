//! One case of a claim, run again.

use gainsay_choice::{Case, MAX_SIZE};
use gainsay_vm::{Fault, FaultKind};

use super::cases::SitePlan;
use super::flaky::{Again, Begin};
use super::kept::Replayed as KeptEnd;
use super::{Attacker, End};
use crate::cases::{KeptCase, KeptFile};
use crate::replay::{Fit, ReplayCase, ReplayEnd, ReplayRequest, Replayed};
use crate::report::{ClaimReport, Failure, Status};
use crate::settings::Settings;

/// Why a case cannot be used whose inputs are no inputs any more.
const OUTSIDE: &str = "it does not meet the assumptions any more";

impl Attacker<'_> {
    /// Runs one case.
    pub(crate) fn replay(&mut self, request: &ReplayRequest) -> Replayed {
        let mut report = self.blank(request.claim);
        self.set_limits(self.limits_of(request.claim, &Settings::new(0)));
        let mut it = Replaying { arguments: Vec::new(), fit: Fit::Exact };
        self.n_kept_observed = 0;
        let end = self.replay_parts(request, &mut report, &mut it);
        report.cases = u64::from(matches!(end, ReplayEnd::Fails | ReplayEnd::Passes));
        report.status = match &end {
            ReplayEnd::Fails => Status::of_failures(&report.failures),
            ReplayEnd::Passes => Status::Pass,
            ReplayEnd::Declined(why) => {
                report.reason = Some(why.clone());
                Status::Declined
            }
            ReplayEnd::Unusable(_) | ReplayEnd::Interrupted => Status::Skipped,
        };
        report.observed = std::mem::take(&mut self.n_kept_observed);
        let Replaying { arguments, fit } = it;
        Replayed { report, arguments, end, fit }
    }

    fn replay_parts(
        &mut self,
        request: &ReplayRequest,
        report: &mut ClaimReport,
        it: &mut Replaying,
    ) -> ReplayEnd {
        let Some(entry) = self.engines.lowered.entries[request.claim] else {
            return self.replay_law(request, report, it);
        };
        // What stands around the `across`es says which there are; it may fail by itself.
        let end = self.search_once(entry);
        if let End::Failed(_) = end {
            return match self.plain_failure(entry, &end) {
                Ok(failure) => fails(report, failure),
                Err(_) => ReplayEnd::Unusable("it does not go the same way twice".to_owned()),
            };
        }
        let passed = self.search.host.passed.clone();
        let settings = Settings::new(0);
        let plans: Vec<SitePlan> = (0..)
            .zip(&passed)
            .map(|(number, site)| self.plan(request.claim, number, *site as usize, &settings))
            .collect();
        if plans.is_empty() {
            return ReplayEnd::Unusable("the claim has no inputs".to_owned());
        }
        match &request.case {
            ReplayCase::Word(word) => self.replay_word(word, &plans, report, it),
            ReplayCase::Kept(file) => match &file.case {
                Ok(case) => self.replay_file((file, case), &plans, report, it),
                Err(broken) => ReplayEnd::Unusable(broken.to_string()),
            },
        }
    }

    pub(crate) fn replay_file(
        &mut self,
        (file, case): (&KeptFile, &KeptCase),
        plans: &[SitePlan],
        report: &mut ClaimReport,
        it: &mut Replaying,
    ) -> ReplayEnd {
        let sites: Vec<u32> = plans.iter().map(|plan| plan.site as u32).collect();
        let Some(home) = self.home(&sites, case) else {
            return ReplayEnd::Unusable(self.misfit(&sites, case));
        };
        let plan = &plans[home as usize];
        let has_values = matches!(self.read_values(plan, case), Ok(Some(_)));
        it.fit = if has_values { Fit::ByValues } else { Fit::ByChoices };
        let replayed = self.replay_kept(plan, case);
        it.arguments = self.arguments();
        match replayed {
            KeptEnd::Fails(fault, _) if matches!(fault.kind, FaultKind::Unsupported(_)) => {
                ReplayEnd::Declined(fault.to_diagnostic(self.engines.program()))
            }
            KeptEnd::Fails(fault, values) => {
                let mut failure = self.kept_failure(plan, file, &fault);
                values.put_into(&mut failure);
                // Where it comes from is known to whoever named the file.
                failure.found = None;
                fails(report, failure)
            }
            KeptEnd::Passes if self.engines.is_interrupted() => ReplayEnd::Interrupted,
            KeptEnd::Passes => ReplayEnd::Passes,
            KeptEnd::Stale(why) => ReplayEnd::Unusable(why),
        }
    }

    pub(crate) fn replay_word(
        &mut self,
        word: &str,
        plans: &[SitePlan],
        report: &mut ClaimReport,
        it: &mut Replaying,
    ) -> ReplayEnd {
        let mut labels = self.engines.lowered.labels.clone();
        let case = match Case::from_blob(word, &mut labels) {
            Ok(case) => case,
            Err(error) => return ReplayEnd::Unusable(error.to_string()),
        };
        let inputs: Vec<&str> =
            case.top_spans().filter_map(|span| labels.name(span.label)).collect();
        let binds = |plan: &&SitePlan| {
            let site = &self.engines.lowered.sites[plan.site];
            let names = site.binders.iter().map(|it| &*it.name);
            // Behind its own inputs are those of what is inside of it.
            let n_own = if site.nests { site.binders.len() } else { inputs.len() };
            names.eq(inputs.iter().copied().take(n_own))
        };
        let named: Vec<&SitePlan> = plans.iter().filter(binds).collect();
        // A renamed input is no reason to give up a case.
        let plans = if named.is_empty() { plans.iter().collect() } else { named };
        let mut last = ReplayEnd::Passes;
        for plan in plans {
            let (result, fit) = self.run_choices(plan, &case);
            (it.fit, it.arguments) = (fit, self.arguments());
            last = match result {
                Ok(()) => ReplayEnd::Passes,
                Err(fault) if fault.kind == FaultKind::Interrupted => ReplayEnd::Interrupted,
                Err(fault) if fault.kind == FaultKind::Discarded => {
                    ReplayEnd::Unusable(OUTSIDE.to_owned())
                }
                Err(fault) if matches!(fault.kind, FaultKind::Unsupported(_)) => {
                    ReplayEnd::Declined(fault.to_diagnostic(self.engines.program()))
                }
                Err(fault) => {
                    let mut failure = self.failure_at(plan, &fault, it.arguments.clone());
                    let realised = self.record.host.source.case();
                    failure.replay = Some(realised.to_blob(&self.engines.lowered.labels));
                    let size = self.record.host.case_size;
                    let again = Again::of(plan, Begin::Replayed(&realised, size), 0);
                    let values = self.values(&fault, &again, &|host| {
                        host.replay(&realised, size);
                    });
                    values.put_into(&mut failure);
                    return fails(report, failure);
                }
            };
        }
        last
    }

    /// Runs a case by its choices. The size of the run that found it is no part of a case, so
    /// that each is tried until every choice is used.
    fn run_choices(&mut self, plan: &SitePlan, case: &Case) -> (Result<(), Box<Fault>>, Fit) {
        for size in (0..=MAX_SIZE).rev() {
            self.record.host.replay(case, size);
            let result = self.call_counted(plan);
            let source = &mut self.record.host.source;
            let is_exact = source.stop().is_none() && same_choices(&source.case(), case);
            if is_exact || self.engines.is_interrupted() {
                return (result, Fit::Exact);
            }
        }
        self.record.host.case_size = MAX_SIZE;
        self.record.host.source.replay_guided(case);
        let result = self.call_counted(plan);
        let made = self.record.host.source.case();
        let fit = Fit::Adapted {
            n_given: case.choices().len() as u64,
            n_made: made.choices().len() as u64,
        };
        (result, fit)
    }

    /// Runs a case whose source has been begun, and counts what it observes.
    fn call_counted(&mut self, plan: &SitePlan) -> Result<(), Box<Fault>> {
        self.record.host.n_observed = 0;
        let result = self.call(plan);
        let record = &self.record;
        self.n_kept_observed = record.worker.n_unheard() + record.host.n_observed;
        result
    }

    /// Runs a case whose source has been begun, for all there is to know of it.
    pub(super) fn call(&mut self, plan: &SitePlan) -> Result<(), Box<Fault>> {
        let fault = self.record.fault(plan.entry, plan.entered());
        fault.map_or(Ok(()), |fault| Err(Box::new(fault)))
    }
}

/// What is found out while a case is run.
pub(crate) struct Replaying {
    pub(crate) arguments: Vec<crate::report::Argument>,
    pub(crate) fit: Fit,
}

/// A case that fails.
pub(crate) fn fails(report: &mut ClaimReport, failure: Failure) -> ReplayEnd {
    report.failures.push(failure);
    ReplayEnd::Fails
}

/// Whether two cases consist of the same choices. Those that were read know no kinds.
fn same_choices(left: &Case, right: &Case) -> bool {
    let pairs = left.choices().iter().zip(right.choices());
    left.choices().len() == right.choices().len()
        && pairs.into_iter().all(|(a, b)| {
            a.class() == b.class() && left.integer(a.value()) == right.integer(b.value())
        })
}

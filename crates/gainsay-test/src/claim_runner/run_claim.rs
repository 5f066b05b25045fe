//! Runs one claim from start to finish: the code outside its sites, then for each site the saved
//! and the generated cases, and merges everything into a [`ClaimReport`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use gainsay_core::{ClaimId, ClaimKind, FunctionId, type_text};
use gainsay_gen::{FilterReason, InputSite, SiteId};
use gainsay_source::{Diagnostic, Span};
use gainsay_vm::{CallStack, Fault, FaultKind};

use super::flaky_case::{CaseRerun, FlakyCase};
use super::random_cases::{FailingCase, SitePlan, SiteRun};
use super::walks::walk_status;
use super::{CaseOutcome, ClaimRunner, MAX_FAILURES};
use crate::failure_identity::claim_seed;
use crate::findings::UngeneratedInput;
use crate::host::{CaseStart, EnteredSite};
use crate::report::{
    ClaimReport, ClaimStatus, ClaimType, ClaimWarning, CoverVerdict, DiscardCounts, Failure,
    NarrowedPredicate, SiteReport, SiteStopReason,
};
use crate::settings::{CaseCount, Settings};
use crate::tally::CaseTally;

impl ClaimRunner<'_> {
    /// Runs a claim and reports the result.
    pub(crate) fn run_claim(&mut self, claim: ClaimId, settings: &Settings) -> ClaimReport {
        let start = (self.engines.clock)();
        let mut report = self.blank_report(claim);
        if let Some(reason) = &self.engines.lowered.record.claim(claim).ignore {
            report.status = ClaimStatus::Ignored(reason.to_string());
            return report;
        }
        self.set_limits(self.limits_of(claim, settings));
        self.search.host.system_calls.clear();
        self.record.host.system_calls.clear();
        self.search.worker.clear_counters();
        self.branch_counters.clear();
        report.status = match self.run_sites(claim, settings, &mut report) {
            Ok(status) => status,
            Err(flaky) => {
                report.flake = Some(flaky.into_flake());
                self.report_system_calls(&CaseTally::default(), &mut report);
                ClaimStatus::Flaky
            }
        };
        let is_open = match report.status {
            ClaimStatus::Pass
            | ClaimStatus::Vacuous
            | ClaimStatus::Declined
            | ClaimStatus::Skipped
            | ClaimStatus::Unbound(_) => true,
            ClaimStatus::Fail | ClaimStatus::Limit | ClaimStatus::Flaky => false,
            ClaimStatus::Ignored(_) | ClaimStatus::Interrupted => false,
        };
        // An interrupt does not take back a failure that was already found.
        if is_open && self.engines.is_interrupted() {
            report.status = ClaimStatus::Interrupted;
        }
        // Saved cases run in the recording program, which does not count branches. Without a search
        // the coverage would be a misleading zero.
        let has_searched =
            report.failures.is_empty() || !report.sites.is_empty() || report.verify.is_some();
        // Failures outside of the inputs are never shrunk, and the search program has found them.
        let is_plain = report.failures.iter().any(|it| it.shrink.is_none());
        report.branch_coverage =
            self.branch_coverage(claim).filter(|_| has_searched || is_plain);
        report.time = (self.engines.clock)().saturating_sub(start);
        report
    }

    /// A report with everything still empty.
    pub(crate) fn blank_report(&self, claim: ClaimId) -> ClaimReport {
        let program = self.engines.program();
        let claim = program.claim(claim);
        let module = self.engines.modules.get(claim.module.0 as usize);
        let ty = match claim.kind {
            ClaimKind::Test(_) => ClaimType::Test,
            ClaimKind::Property(..) => ClaimType::Property,
            ClaimKind::Verify(_) => ClaimType::Verify,
        };
        ClaimReport {
            module: module
                .map_or_else(|| program.module(claim.module).name.to_string(), Clone::clone),
            name: claim.name.to_string(),
            ty,
            span: claim.span,
            status: ClaimStatus::Skipped,
            cases: 0,
            discards: DiscardCounts::default(),
            n_observations: 0,
            branch_coverage: None,
            sites: Vec::new(),
            failures: Vec::new(),
            narrowed: Vec::new(),
            walks: None,
            warnings: Vec::new(),
            against: Vec::new(),
            system_calls: BTreeMap::new(),
            verify: None,
            reason: None,
            flake: None,
            time: Duration::ZERO,
        }
    }

    fn run_sites(
        &mut self,
        claim: ClaimId,
        settings: &Settings,
        report: &mut ClaimReport,
    ) -> Result<ClaimStatus, FlakyCase> {
        let lowered = self.engines.lowered;
        let Some(entry) = lowered.entries[claim.index()] else {
            let ClaimKind::Verify(verify) = &lowered.record.claim(claim).kind else {
                return Ok(ClaimStatus::Skipped);
            };
            return Ok(self.verify(claim, verify, settings, report));
        };
        // One run without entering any `across` finds the sites of the claim, in order.
        let end = self.search_outside_sites(entry);
        let passed = self.search.host.passed_sites.clone();
        let mut total = CaseTally::default();
        total.observed += self.search.worker.n_unreported_observations();
        total.observed += std::mem::take(&mut self.search.host.n_observed);
        let is_property = report.ty == ClaimType::Property;
        match &end {
            CaseOutcome::Passed => report.cases = u64::from(!is_property && passed.is_empty()),
            CaseOutcome::Failed(_) => {
                report.cases = 1;
                report.n_observations = total.observed;
                // The sites are not run: each of their cases would fail at the same place.
                report.failures.push(self.failure_outside_sites(entry, &end)?);
                self.report_system_calls(&total, report);
                return Ok(ClaimStatus::of_failures(&report.failures));
            }
            CaseOutcome::Interrupted => return Ok(ClaimStatus::Skipped),
            CaseOutcome::AssumptionFailed(_)
            | CaseOutcome::GeneratorGaveUp(_)
            | CaseOutcome::NoSolution(_)
            | CaseOutcome::TooManyChoices => return Ok(ClaimStatus::Vacuous),
            CaseOutcome::Declined(kind) => {
                if let Some(unbound) = self.unbound_system(kind) {
                    return Ok(unbound);
                }
                report.reason = self.adapter_diagnostic(kind, entry).or_else(|| {
                    self.failure_outside_sites(entry, &end).ok().map(|it| it.fault)
                });
                return Ok(ClaimStatus::Declined);
            }
            CaseOutcome::SiteNotReached => {
                report.reason = self.failure_outside_sites(entry, &end).ok().map(|it| it.fault);
                return Ok(ClaimStatus::Declined);
            }
        }
        let mut status = ClaimStatus::Pass;
        let files = self.saved_files(&passed, report);
        for (number, site) in passed.iter().enumerate() {
            let plan = self.site_plan(claim, number as u32, *site, settings);
            let n_before = report.failures.len();
            self.run_saved_cases(&plan, (&files, &passed), settings, report);
            // A saved case of this site still fails: searching for more would only cost time.
            if report.failures.len() > n_before {
                continue;
            }
            let site = self.engines.lowered.site(plan.site);
            if let Some(why) = &site.no_generator {
                let finding = UngeneratedInput::new(self.engines.program(), site, why);
                report.reason = Some(finding.into());
                status = worse_status(status, ClaimStatus::Declined);
                continue;
            }
            let mut run = self.run_site(&plan);
            if let Some(flaky) = run.flaky.take() {
                return Err(flaky);
            }
            if let Some((kind, number)) = &run.declined {
                if let Some(unbound) = self.unbound_system(kind) {
                    return Ok(unbound);
                }
                report.reason = self.declined_diagnostic(&plan, kind, *number);
            }
            let judged = self.site_status(&run, report);
            let ungenerated = self.nested_without_generator(claim, &run);
            if judged == ClaimStatus::Vacuous
                && let Some(reason) = ungenerated
            {
                report.reason = Some(reason);
                status = worse_status(status, ClaimStatus::Declined);
            } else {
                status = worse_status(status, judged);
            }
            self.report_failures(&plan, &run, settings, report)?;
            report.warnings.extend(self.trivial_inputs(&plan, &run));
            report.sites.push(self.site_report(&plan, &run));
            total.merge(run.tally);
        }
        total.observed += std::mem::take(&mut self.n_saved_observations);
        report.cases += total.cases;
        report.discards = total.discards();
        report.n_observations = total.observed;
        self.add_warnings(report, &total);
        self.report_system_calls(&total, report);
        status = worse_status(
            status,
            match &report.walks {
                Some(walks) => walk_status(walks),
                None => self.warn_unreached(claim, &passed, &total, report),
            },
        );
        Ok(worse_status(status, ClaimStatus::of_failures(&report.failures)))
    }

    /// The diagnostic for a nested `across` without a generator, if the cases of the run entered
    /// one.
    fn nested_without_generator(&self, claim: ClaimId, run: &SiteRun) -> Option<Diagnostic> {
        let sites = self.engines.lowered.numbered_sites();
        let mut inside = sites.filter(|(at, site)| {
            site.claims.contains(&claim) && run.tally.entered_sites.contains(at)
        });
        inside.find_map(|(_, site)| {
            let why = site.no_generator.as_ref()?;
            Some(UngeneratedInput::new(self.engines.program(), site, why).into())
        })
    }

    /// Warns of each `across` that no case reached. A claim that observed nothing besides is
    /// vacuous.
    fn warn_unreached(
        &self,
        claim: ClaimId,
        passed: &[SiteId],
        total: &CaseTally,
        report: &mut ClaimReport,
    ) -> ClaimStatus {
        if !report.failures.is_empty() || self.engines.is_interrupted() {
            return ClaimStatus::Pass;
        }
        let sites = self.engines.lowered.numbered_sites();
        let is_unreached = |(at, site): &(SiteId, &InputSite)| {
            let is_reached = passed.contains(at) || total.entered_sites.contains(at);
            site.claims.contains(&claim) && !is_reached
        };
        let mut spans: Vec<Span> = sites.filter(is_unreached).map(|it| it.1.span).collect();
        spans.sort_unstable();
        // Monomorphization copies a generic function for each of its types: one span, several
        // sites.
        spans.dedup();
        let is_vacuous = !spans.is_empty() && total.observed == 0;
        report.warnings.extend(spans.into_iter().map(ClaimWarning::Unreached));
        if is_vacuous { ClaimStatus::Vacuous } else { ClaimStatus::Pass }
    }

    /// Runs the code outside of the acrosses.
    pub fn search_outside_sites(&mut self, entry: gainsay_core::FunctionId) -> CaseOutcome {
        self.search.host.search(CaseStart::NOTHING);
        self.search.run(entry, EnteredSite::None)
    }

    /// The failure of a run that entered no `across`.
    pub(super) fn failure_outside_sites(
        &mut self,
        entry: gainsay_core::FunctionId,
        seen: &CaseOutcome,
    ) -> Result<Failure, FlakyCase> {
        let fault =
            self.without_interrupts(|it| it.record.run_for_fault(entry, EnteredSite::None));
        let Some(fault) = fault else {
            return Err(self.find_flake(&CaseRerun::outside_sites(entry), seen));
        };
        if let CaseOutcome::Failed(identity) = seen {
            self.confirm_with_system(&CaseRerun::outside_sites(entry), *identity)?;
        }
        let mut failure = self.failure(&fault, Vec::new());
        let values =
            self.subexpression_values(&fault, &CaseRerun::outside_sites(entry), &|host| {
                host.record(CaseStart::NOTHING);
            });
        values.add_to(&mut failure);
        Ok(failure)
    }

    /// Names what answered for the systems of the claim, and counts how often.
    fn report_system_calls(&self, total: &CaseTally, report: &mut ClaimReport) {
        let program = self.engines.program();
        let (search, record) = (&self.search.host, &self.record.host);
        for (op, counts) in total.system_calls().iter().chain(&search.system_calls) {
            let all = report.system_calls.entry(program.op_name(*op)).or_default();
            all.answered += counts.answered;
            all.succeeded += counts.succeeded;
        }
        let ops = total.system_calls().keys().chain(search.system_calls.keys());
        let bindings = ops.chain(record.system_calls.keys());
        let bindings = bindings.filter_map(|op| record.connections.binding(*op));
        report.against = bindings.collect::<BTreeSet<String>>().into_iter().collect();
    }

    /// The status of a claim that asked for a system to which nothing is bound.
    fn unbound_system(&self, kind: &FaultKind) -> Option<ClaimStatus> {
        let FaultKind::Unanswered(op) = kind else { return None };
        let program = self.engines.program();
        let system = program.effect(program.op(*op).effect);
        system.is_system.then(|| ClaimStatus::Unbound(system.name.to_string()))
    }

    /// What is wrong with an adapter, at the claim: another run would ask it again, might get
    /// another answer, and would wait again for a silent one.
    fn adapter_diagnostic(&self, kind: &FaultKind, entry: FunctionId) -> Option<Diagnostic> {
        let FaultKind::AdapterFailed(_) = kind else { return None };
        let program = self.engines.program();
        let fault = Fault {
            kind: kind.clone(),
            span: program.function(entry).span,
            function: entry,
            values: Vec::new(),
            call_stack: CallStack::default(),
        };
        Some(fault.to_diagnostic(program))
    }

    /// Why a case could not be finished.
    fn declined_diagnostic(
        &mut self,
        plan: &SitePlan,
        kind: &FaultKind,
        number: u64,
    ) -> Option<Diagnostic> {
        if let Some(reason) = self.adapter_diagnostic(kind, plan.entry) {
            return Some(reason);
        }
        self.record.host.record(plan.case_start(number));
        let fault = self.record.run_for_fault(plan.entry, plan.entered());
        let fault = fault.filter(|it| it.kind == *kind)?;
        Some(fault.to_diagnostic(self.engines.program()))
    }

    /// The plan for the cases of a site, which has this number in the run.
    pub fn site_plan(
        &self,
        claim: ClaimId,
        number: u32,
        site: SiteId,
        settings: &Settings,
    ) -> SitePlan {
        let program = self.engines.program();
        let input_site = self.engines.lowered.site(site);
        let lowered = self.engines.lowered;
        let entry = lowered.entries[claim.index()].or(lowered.explored_laws[claim.index()]);
        let entry = entry.or(lowered.generated_world_laws[claim.index()]);
        let entry = entry.expect("a claim that was run has one");
        let limits = self.limits_of(claim, settings);
        let claim = program.claim(claim);
        let module = &program.module(claim.module).name;
        let count = settings
            .cases
            .or(input_site.cases)
            .map_or(settings.default_cases, CaseCount::Fixed);
        let (wanted, most) = match count {
            CaseCount::Fixed(cases) => (cases, cases),
            CaseCount::ByEffort => (Settings::MIN_CASES, Settings::MAX_CASES),
        };
        SitePlan {
            entry,
            number,
            site,
            run_seed: settings.seed,
            claim_seed: claim_seed(module, &claim.name, number),
            min_cases: wanted,
            max_cases: most,
            edges: Arc::clone(&input_site.edge_cases),
            pinned_seed: input_site.seed,
            limits,
            deadline: settings.time.map(|time| (self.engines.clock)() + time),
        }
    }

    /// The status that the cases of a site imply, failures aside.
    pub(crate) fn site_status(&self, run: &SiteRun, report: &mut ClaimReport) -> ClaimStatus {
        let mut status = ClaimStatus::Pass;
        for cover in run.tally.covers() {
            match cover.verdict {
                CoverVerdict::Holds => {}
                CoverVerdict::Fails => status = ClaimStatus::Fail,
                CoverVerdict::Unclear => {
                    report.warnings.push(ClaimWarning::UnclearCover(cover.name))
                }
            }
        }
        // A failure is reported by itself; discards and declined cases do not matter any more.
        if !run.failing.is_empty() {
            return status;
        }
        let gave_up = run.stop_reason == SiteStopReason::TooManyDiscards;
        if gave_up || (run.tally.cases == 0 && run.tally.n_run() > 0) {
            let is_declined = run.tally.declined > 0 && !gave_up;
            return worse_status(
                status,
                if is_declined { ClaimStatus::Declined } else { ClaimStatus::Vacuous },
            );
        }
        if run.tally.declined > 0 {
            worse_status(status, ClaimStatus::Declined)
        } else {
            status
        }
    }

    pub(crate) fn report_failures(
        &mut self,
        plan: &SitePlan,
        run: &SiteRun,
        settings: &Settings,
        report: &mut ClaimReport,
    ) -> Result<(), FlakyCase> {
        let mut pending: Vec<FailingCase> = run.failing.clone();
        let mut identities: Vec<_> = pending.iter().map(|it| it.identity).collect();
        // `pending` is a stack: the first failure found is on top, and failures that shrinking
        // comes across go to the bottom.
        pending.reverse();
        let mut failures = Vec::new();
        while let Some(failing) = pending.pop() {
            if failures.len() >= MAX_FAILURES {
                break;
            }
            let simplest = self.shrink_and_report(plan, &failing, settings)?;
            for (identity, case) in simplest.others {
                if !identities.contains(&identity) {
                    identities.push(identity);
                    let (number, size) = (failing.number, failing.size);
                    let seed = None;
                    pending.insert(0, FailingCase { identity, number, size, seed, case });
                }
            }
            let mut failure = simplest.failure;
            self.save_failing_case(report, &mut failure, &simplest.case);
            failures.push((simplest.case, failure));
        }
        // The simplest first. The sort is stable, so that equal ones stay in the order of
        // discovery.
        failures.sort_by_key(|(case, _)| case.choices().len());
        report.failures.extend(failures.into_iter().map(|(_, failure)| failure));
        Ok(())
    }

    fn site_report(&self, plan: &SitePlan, run: &SiteRun) -> SiteReport {
        let site = self.engines.lowered.site(plan.site);
        let program = self.engines.program();
        let inputs = site.binders.iter();
        let inputs = inputs.map(|it| (it.name.to_string(), type_text(program, it.ty)));
        SiteReport {
            span: site.span,
            cases: run.tally.cases,
            discards: run.tally.discarded(),
            duplicates: run.tally.duplicates(),
            compared: run.tally.compared(),
            exhaustive: run.stop_reason == SiteStopReason::Exhausted,
            stop_reason: run.stop_reason,
            labels: run.tally.labels(),
            classes: run.tally.classes(),
            covers: run.tally.covers(),
            best_score: run.tally.best_score,
            hill_climbing_runs: run.tally.hill_climbing_runs,
            inputs: inputs.collect(),
        }
    }

    fn add_warnings(&self, report: &mut ClaimReport, total: &CaseTally) {
        let has_run = total.cases > 0 || report.cases > 0;
        if total.observed == 0 && report.failures.is_empty() && has_run {
            report.warnings.push(ClaimWarning::Placebo);
        }
        // A case that was cut off always counts: it took as long as thousands of others.
        if total.discarded() * 3 > total.n_run() || total.cut_off > 0 {
            report.warnings.push(ClaimWarning::ManyDiscards);
        }
        let weak = self.weak_generators(total);
        // Edge cases repeat on purpose. Warn only if hardly anything else comes: that is the fault
        // of a generator.
        if weak.is_empty() && total.duplicates() * 10 > total.compared() * 9 {
            report.warnings.push(ClaimWarning::ManyDuplicates);
        }
        report.warnings.extend(weak);
        report.walks = self.trace_test(report.span).map(|it| self.walk_counts(it, total));
        for (query, counts) in total.narrowings() {
            let span = self.engines.lowered.queries[query as usize].span;
            let predicate = NarrowedPredicate { span, counts };
            if counts.n_gave_up + counts.n_unsatisfiable > 0 {
                report.warnings.push(ClaimWarning::GaveUp(predicate));
            }
            report.narrowed.push(predicate);
        }
        for (filter, rejected, kept) in total.filters() {
            let filter = &self.engines.lowered.filters[filter as usize];
            let FilterReason::Refinement(predicate) = filter.why else { continue };
            report.warnings.push(ClaimWarning::Filtered {
                span: filter.span,
                predicate: self.engines.program().function(predicate).name.to_string(),
                tried: rejected + kept,
                kept,
            });
        }
    }
}

impl ClaimRunner<'_> {
    /// Inputs behind a filter that lets hardly anything but one value through.
    fn weak_generators(&self, total: &CaseTally) -> Vec<ClaimWarning> {
        let lowered = self.engines.lowered;
        let is_refined = |filter: &usize| {
            matches!(lowered.filters[*filter].why, FilterReason::Refinement(_))
        };
        let sites = lowered.sites.iter().filter(|it| it.filters.iter().any(is_refined));
        let binders: Vec<_> = sites.flat_map(|it| &it.binders).collect();
        let weak = total.most_frequent().filter_map(|(id, same, all)| {
            let binder = binders.iter().find(|it| it.id == id)?;
            let is_weak = all >= MIN_VALUES && same * 10 >= all * 9;
            let name = binder.name.to_string();
            is_weak.then_some(ClaimWarning::WeakGenerator {
                span: binder.span,
                name,
                same,
                all,
            })
        });
        weak.collect()
    }
}

/// Minimum number of values of an input before the warning about equal ones applies.
const MIN_VALUES: u64 = 20;

/// The more severe of two statuses.
pub(crate) fn worse_status(a: ClaimStatus, b: ClaimStatus) -> ClaimStatus {
    // A certain defect outweighs a possible one, and that outweighs an unfinished search.
    let weight = |it: &ClaimStatus| match it {
        ClaimStatus::Ignored(_) | ClaimStatus::Skipped => 0,
        ClaimStatus::Pass => 1,
        ClaimStatus::Vacuous => 2,
        ClaimStatus::Declined | ClaimStatus::Unbound(_) => 3,
        ClaimStatus::Interrupted => 4,
        ClaimStatus::Limit => 5,
        ClaimStatus::Flaky => 6,
        ClaimStatus::Fail => 7,
    };
    if weight(&b) > weight(&a) { b } else { a }
}

//! One claim from beginning to end.

use std::sync::Arc;
use std::time::Duration;

use gainsay_core::{Claim, ClaimKind, type_text};
use gainsay_gen::{FilterReason, Site};
use gainsay_source::{Diagnostic, Span};
use gainsay_vm::FaultKind;

use super::cases::{Failing, SitePlan, SiteRun};
use super::flaky::{Again, Flaky};
use super::{Attacker, End, MAX_FAILURES};
use crate::findings::Ungenerated;
use crate::host::{Entered, Start};
use crate::identity::claim_number;
use crate::report::{
    ClaimReport, ClaimType, Conclusion, Discards, Failure, SiteReport, Status, Verdict, Warning,
};
use crate::settings::{CaseCount, Settings};
use crate::tally::Tally;

impl Attacker<'_> {
    /// Attacks a claim.
    pub(crate) fn attack(&mut self, claim: usize, settings: &Settings) -> ClaimReport {
        let start = (self.engines.clock)();
        let mut report = self.blank(claim);
        if let Some(reason) = ignored(&self.engines.lowered.record.claims[claim]) {
            report.status = Status::Ignored(reason);
            return report;
        }
        self.set_limits(self.limits_of(claim, settings));
        self.search.worker.clear_counters();
        self.counters.clear();
        report.status = match self.attack_parts(claim, settings, &mut report) {
            Ok(status) => status,
            Err(flaky) => {
                report.flake = Some(flaky.told());
                Status::Flaky
            }
        };
        let is_open = match report.status {
            Status::Pass | Status::Vacuous | Status::Declined | Status::Skipped => true,
            Status::Fail | Status::Limit | Status::Flaky => false,
            Status::Ignored(_) | Status::Interrupted => false,
        };
        if is_open && self.engines.is_interrupted() {
            report.status = Status::Interrupted;
        }
        // Kept cases are not run by the program that counts branches.
        let has_searched =
            report.failures.is_empty() || !report.sites.is_empty() || report.verify.is_some();
        let is_plain = report.failures.iter().any(|it| it.found.is_none());
        report.reach = self.reach(claim).filter(|_| has_searched || is_plain);
        report.time = (self.engines.clock)().saturating_sub(start);
        report
    }

    /// A report in which nothing has happened yet.
    pub(crate) fn blank(&self, claim: usize) -> ClaimReport {
        let program = self.engines.program();
        let claim = &program.claims[claim];
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
            status: Status::Skipped,
            cases: 0,
            discards: Discards::default(),
            observed: 0,
            reach: None,
            sites: Vec::new(),
            failures: Vec::new(),
            warnings: Vec::new(),
            verify: None,
            reason: None,
            flake: None,
            time: Duration::ZERO,
        }
    }

    fn attack_parts(
        &mut self,
        claim: usize,
        settings: &Settings,
        report: &mut ClaimReport,
    ) -> Result<Status, Flaky> {
        let lowered = self.engines.lowered;
        let Some(entry) = lowered.entries[claim] else {
            let ClaimKind::Verify(verify) = &lowered.record.claims[claim].kind else {
                return Ok(Status::Skipped);
            };
            return Ok(self.verify(claim, verify, settings, report));
        };
        let end = self.search_once(entry);
        let passed = self.search.host.passed.clone();
        let mut total = Tally::default();
        total.observed += self.search.worker.n_unheard();
        total.observed += std::mem::take(&mut self.search.host.n_observed);
        let is_property = report.ty == ClaimType::Property;
        match &end {
            End::Passed => report.cases = u64::from(!is_property && passed.is_empty()),
            End::Failed(_) => {
                report.cases = 1;
                report.observed = total.observed;
                report.failures.push(self.plain_failure(entry, &end)?);
                return Ok(Status::of_failures(&report.failures));
            }
            End::Interrupted => return Ok(Status::Skipped),
            End::Assumed(_) | End::GaveUp(_) | End::CutOff => return Ok(Status::Vacuous),
            End::Declined(_) | End::Missed => {
                report.reason = self.plain_failure(entry, &end).ok().map(|it| it.fault);
                return Ok(Status::Declined);
            }
        }
        let mut status = Status::Pass;
        let kept = self.kept_files(&passed, report);
        for (number, site) in passed.iter().enumerate() {
            let plan = self.plan(claim, number as u32, *site as usize, settings);
            let n_before = report.failures.len();
            self.run_kept(&plan, (&kept, &passed), settings, report);
            if report.failures.len() > n_before {
                continue;
            }
            let site = &self.engines.lowered.sites[plan.site];
            if let Some(why) = &site.no_generator {
                let finding = Ungenerated::new(self.engines.program(), site, why);
                report.reason = Some(finding.into());
                status = worse(status, Status::Declined);
                continue;
            }
            let mut run = self.run_site(&plan);
            if let Some(flaky) = run.flaky.take() {
                return Err(flaky);
            }
            if let Some((kind, number)) = &run.declined {
                report.reason = self.declined(&plan, kind, *number);
            }
            let judged = self.judge_site(&run, report);
            let ungenerated = self.ungenerated_inside(claim, &run);
            if judged == Status::Vacuous
                && let Some(reason) = ungenerated
            {
                report.reason = Some(reason);
                status = worse(status, Status::Declined);
            } else {
                status = worse(status, judged);
            }
            self.tell_failures(&plan, &run, settings, report)?;
            report.sites.push(self.site_report(&plan, &run));
            total.add(run.tally);
        }
        total.observed += std::mem::take(&mut self.n_kept_observed);
        report.cases += total.cases;
        report.discards = total.discards();
        report.observed = total.observed;
        self.warn(report, &total);
        status = worse(status, self.unreached(claim, &passed, &total, report));
        Ok(worse(status, Status::of_failures(&report.failures)))
    }

    /// Why the cases of a site were given up, if an `across` inside of it has no generator.
    fn ungenerated_inside(&self, claim: usize, run: &SiteRun) -> Option<Diagnostic> {
        let sites = (0u32..).zip(&self.engines.lowered.sites);
        let mut inside = sites.filter(|(at, site)| {
            site.claims.contains(&claim) && run.tally.entered_sites.contains(at)
        });
        inside.find_map(|(_, site)| {
            let why = site.no_generator.as_ref()?;
            Some(Ungenerated::new(self.engines.program(), site, why).into())
        })
    }

    /// Warns of each `across` that no case came to. A claim that observed nothing else is
    /// vacuous.
    fn unreached(
        &self,
        claim: usize,
        passed: &[u32],
        total: &Tally,
        report: &mut ClaimReport,
    ) -> Status {
        if !report.failures.is_empty() || self.engines.is_interrupted() {
            return Status::Pass;
        }
        let sites = (0u32..).zip(&self.engines.lowered.sites);
        let is_unreached = |(at, site): &(u32, &Site)| {
            let is_reached = passed.contains(at) || total.entered_sites.contains(at);
            site.claims.contains(&claim) && !is_reached
        };
        let mut spans: Vec<Span> = sites.filter(is_unreached).map(|it| it.1.span).collect();
        spans.sort_unstable();
        // A generic function has a copy for each of its types.
        spans.dedup();
        let is_vacuous = !spans.is_empty() && total.observed == 0;
        report.warnings.extend(spans.into_iter().map(Warning::Unreached));
        if is_vacuous { Status::Vacuous } else { Status::Pass }
    }

    /// Runs what stands around the acrosses.
    pub(crate) fn search_once(&mut self, entry: gainsay_core::FunctionId) -> End {
        self.search.host.search(Start::NOTHING);
        self.search.run(entry, Entered::None)
    }

    /// The failure of a run in which no `across` was entered.
    pub(super) fn plain_failure(
        &mut self,
        entry: gainsay_core::FunctionId,
        seen: &End,
    ) -> Result<Failure, Flaky> {
        let fault = self.undisturbed(|it| it.record.fault(entry, Entered::None));
        let Some(fault) = fault else {
            return Err(self.flaky(&Again::plain(entry), seen));
        };
        let mut failure = self.failure(&fault, Vec::new());
        let values = self.values(&fault, &Again::plain(entry), &|host| {
            host.record(Start::NOTHING);
        });
        values.put_into(&mut failure);
        Ok(failure)
    }

    /// Why a case could not be finished.
    fn declined(
        &mut self,
        plan: &SitePlan,
        kind: &FaultKind,
        number: u64,
    ) -> Option<Diagnostic> {
        self.record.host.record(plan.case(number));
        let fault = self.record.fault(plan.entry, plan.entered());
        let fault = fault.filter(|it| it.kind == *kind)?;
        Some(fault.to_diagnostic(self.engines.program()))
    }

    pub(crate) fn plan(
        &self,
        claim: usize,
        number: u32,
        site: usize,
        settings: &Settings,
    ) -> SitePlan {
        let program = self.engines.program();
        let said = &self.engines.lowered.sites[site];
        let lowered = self.engines.lowered;
        let entry = lowered.entries[claim].or(lowered.explored[claim]);
        let entry = entry.or(lowered.generated[claim]);
        let entry = entry.expect("a claim that was run has one");
        let limits = self.limits_of(claim, settings);
        let claim = &program.claims[claim];
        let module = &program.module(claim.module).name;
        let count =
            settings.cases.or(said.cases).map_or(settings.usual_cases, CaseCount::Fixed);
        let (wanted, most) = match count {
            CaseCount::Fixed(cases) => (cases, cases),
            CaseCount::ByEffort => (Settings::CASES, Settings::MOST_CASES),
        };
        SitePlan {
            entry,
            number,
            site,
            run_seed: settings.seed,
            claim_seed: claim_number(module, &claim.name, number),
            wanted,
            most,
            edges: Arc::clone(&said.edges),
            single: said.seed,
            limits,
            deadline: settings.time.map(|time| (self.engines.clock)() + time),
        }
    }

    /// What the cases of a site say of the claim, failures apart.
    pub(crate) fn judge_site(&self, run: &SiteRun, report: &mut ClaimReport) -> Status {
        let mut status = Status::Pass;
        for cover in run.tally.covers() {
            match cover.verdict {
                Verdict::Holds => {}
                Verdict::Fails => status = Status::Fail,
                Verdict::Unclear => report.warnings.push(Warning::UnclearCover(cover.name)),
            }
        }
        if !run.failing.is_empty() {
            return status;
        }
        let gave_up = run.conclusion == Conclusion::GaveUp;
        if gave_up || (run.tally.cases == 0 && run.tally.tried() > 0) {
            let is_declined = run.tally.declined > 0 && !gave_up;
            return worse(status, if is_declined { Status::Declined } else { Status::Vacuous });
        }
        if run.tally.declined > 0 { worse(status, Status::Declined) } else { status }
    }

    pub(crate) fn tell_failures(
        &mut self,
        plan: &SitePlan,
        run: &SiteRun,
        settings: &Settings,
        report: &mut ClaimReport,
    ) -> Result<(), Flaky> {
        let mut pending: Vec<Failing> = run.failing.clone();
        let mut known: Vec<_> = pending.iter().map(|it| it.identity).collect();
        pending.reverse();
        let mut told = Vec::new();
        while let Some(failing) = pending.pop() {
            if told.len() >= MAX_FAILURES {
                break;
            }
            let simplest = self.simplify(plan, &failing, settings)?;
            for (identity, case) in simplest.others {
                if !known.contains(&identity) {
                    known.push(identity);
                    let (number, size) = (failing.number, failing.size);
                    let seed = None;
                    pending.insert(0, Failing { identity, number, size, seed, case });
                }
            }
            let mut failure = simplest.failure;
            self.keep(report, &mut failure, &simplest.case);
            told.push((simplest.case, failure));
        }
        told.sort_by_key(|(case, _)| case.choices().len());
        report.failures.extend(told.into_iter().map(|(_, failure)| failure));
        Ok(())
    }

    fn site_report(&self, plan: &SitePlan, run: &SiteRun) -> SiteReport {
        let site = &self.engines.lowered.sites[plan.site];
        let program = self.engines.program();
        let inputs = site.binders.iter();
        let inputs = inputs.map(|it| (it.name.to_string(), type_text(program, it.ty)));
        SiteReport {
            span: site.span,
            cases: run.tally.cases,
            discards: run.tally.discarded(),
            duplicates: run.tally.duplicates(),
            compared: run.tally.compared(),
            exhaustive: run.conclusion == Conclusion::All,
            conclusion: run.conclusion,
            labels: run.tally.labels(),
            classes: run.tally.classes(),
            covers: run.tally.covers(),
            best_score: run.tally.best_score,
            climbed: run.tally.climbed,
            inputs: inputs.collect(),
        }
    }

    fn warn(&self, report: &mut ClaimReport, total: &Tally) {
        let has_run = total.cases > 0 || report.cases > 0;
        if total.observed == 0 && report.failures.is_empty() && has_run {
            report.warnings.push(Warning::Placebo);
        }
        if total.discarded() * 3 > total.tried() || total.cut_off > 0 {
            report.warnings.push(Warning::ManyDiscards);
        }
        let weak = self.weak_generators(total);
        // Edges come again on purpose; that hardly anything else comes is a generator's doing.
        if weak.is_empty() && total.duplicates() * 10 > total.compared() * 9 {
            report.warnings.push(Warning::ManyDuplicates);
        }
        report.warnings.extend(weak);
        let program = self.engines.program();
        for (filter, rejected, kept) in total.filters() {
            let filter = &self.engines.lowered.filters[filter as usize];
            let FilterReason::Refinement(predicate) = filter.why else { continue };
            report.warnings.push(Warning::Filtered {
                span: filter.span,
                predicate: program.function(predicate).name.to_string(),
                tried: rejected + kept,
                kept,
            });
        }
    }
}

impl Attacker<'_> {
    /// Inputs behind a filter that lets hardly anything but one value through.
    fn weak_generators(&self, total: &Tally) -> Vec<Warning> {
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
            is_weak.then_some(Warning::WeakGenerator { span: binder.span, name, same, all })
        });
        weak.collect()
    }
}

/// With fewer values of an input it is not told whether they are all the same.
const MIN_VALUES: u64 = 20;

/// Why a claim is not run, if `@ignore` says so.
fn ignored(claim: &Claim) -> Option<String> {
    let attribute = claim.attributes.iter().find(|it| &*it.name == "ignore")?;
    let reason = attribute.args.iter().find(|(name, _)| &**name == "reason");
    let reason = reason.map_or("", |(_, text)| text);
    Some(reason.trim_matches('"').to_owned())
}

/// The status that weighs more.
pub(crate) fn worse(a: Status, b: Status) -> Status {
    let weight = |it: &Status| match it {
        Status::Ignored(_) | Status::Skipped => 0,
        Status::Pass => 1,
        Status::Vacuous => 2,
        Status::Declined => 3,
        Status::Interrupted => 4,
        Status::Limit => 5,
        Status::Flaky => 6,
        Status::Fail => 7,
    };
    if weight(&b) > weight(&a) { b } else { a }
}

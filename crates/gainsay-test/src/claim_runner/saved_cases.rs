//! Saved cases of a claim: runs them before all others, writes new ones for new failures, and
//! marks those that are fixed. The file format is in `crate::saved_cases`.

use std::collections::BTreeMap;

use gainsay_choice::{AddressedChoices, Case, MAX_SIZE};
use gainsay_core::{Datum, Program, TyId};
use gainsay_gen::{InputBinder, InputSite, SiteId};
use gainsay_vm::{Fault, FaultKind, Value};

use super::failure_report::ShrunkFailure;
use super::flaky_case::{CaseRerun, RerunStart};
use super::random_cases::{FailingCase, SitePlan};
use super::subexpression_values::SubexpressionValues;
use super::{CaseOutcome, ClaimRunner, is_of_system};
use crate::datum_conversion::datum_to_value;
use crate::failure_identity::across_number;
use crate::host::CaseHost;
use crate::report::{
    ClaimReport, ClaimWarning, Failure, SavedCaseReport, SavedCaseState, ShrinkOutcome,
    ShrinkSummary,
};
use crate::saved_cases::{
    CaseStore, ClaimName, MarkOutcome, SaveOutcome, SavedCase, SavedCaseFile, SavedValue,
};
use crate::settings::Settings;

/// Parses source text as a value of a type, or says why it is none.
pub type ReadValue<'a> = dyn Fn(&Program, TyId, &str) -> Result<Datum, String> + Sync + 'a;

/// The store of saved cases, and how their inputs are parsed.
pub struct SavedCases<'a> {
    /// The files.
    pub store: CaseStore<'a>,
    /// Parses the inputs in them.
    pub read: &'a ReadValue<'a>,
    /// Today's date, as `2026-11-16`.
    pub today: String,
    /// Whether files may be written.
    pub is_writable: bool,
    /// Prefix of the file paths in reports: the location of the store as seen by the reader of the
    /// report.
    pub folder: String,
}

impl SavedCases<'_> {
    pub(crate) fn case_report(&self, path: &str, state: SavedCaseState) -> SavedCaseReport {
        SavedCaseReport { path: format!("{}{path}", self.folder), state }
    }
}

/// The outcome of a saved case.
pub(crate) enum SavedCaseOutcome {
    /// It still fails; with the values of its subexpressions.
    Fails(Box<Fault>, SubexpressionValues),
    /// It passes.
    Passes,
    /// It no longer applies, and why.
    Stale(String),
    /// The user stopped the run before it ended, so nothing is known about it.
    Interrupted,
}

/// Where the inputs of a saved case come from.
enum SavedInputs {
    /// Its values, by binder, in the order in which each is drawn.
    Given(BTreeMap<u32, Vec<Value>>),
    /// Its recorded choices.
    Guided(AddressedChoices),
}

impl SavedInputs {
    /// Starts the case in a host.
    fn begin(&self, host: &mut CaseHost<'_>) {
        match self {
            Self::Given(given) => {
                // The generators of given inputs do not run, so an empty case suffices.
                host.inputs.give(given.clone());
                host.replay(&Case::default(), MAX_SIZE);
            }
            Self::Guided(guide) => {
                host.case_size = MAX_SIZE;
                host.source.replay_addressed(guide);
            }
        }
    }
}

impl ClaimRunner<'_> {
    /// Runs the saved cases that belong to a site, and reports those that fail.
    pub(super) fn run_saved_cases(
        &mut self,
        plan: &SitePlan,
        (files, sites): (&[SavedCaseFile], &[SiteId]),
        settings: &Settings,
        report: &mut ClaimReport,
    ) {
        for file in files {
            let Ok(case) = &file.case else { continue };
            if self.site_of_case(sites, case) != Some(plan.number) {
                continue;
            }
            match self.replay_saved(plan, case) {
                SavedCaseOutcome::Fails(fault, values) => {
                    let simplest = self.shrink_saved(plan, case, settings);
                    let failure =
                        if let Some(ShrunkFailure { mut failure, case, .. }) = simplest {
                            self.save_failing_case(report, &mut failure, &case);
                            failure
                        } else {
                            let mut failure = self.saved_failure(plan, file, &fault);
                            values.add_to(&mut failure);
                            failure
                        };
                    // It may have been marked as fixed while the code was correct.
                    self.mark_open(&file.path);
                    report.cases += 1;
                    report.failures.push(failure);
                }
                SavedCaseOutcome::Passes => {
                    report.cases += 1;
                    if self.mark_fixed(&file.path, case) {
                        report
                            .warnings
                            .extend(self.saved_case_warning(&file.path, SavedCaseState::Fixed));
                    }
                }
                SavedCaseOutcome::Stale(why) => {
                    report.warnings.extend(
                        self.saved_case_warning(&file.path, SavedCaseState::Stale(why)),
                    );
                }
                SavedCaseOutcome::Interrupted => {}
            }
        }
    }

    /// Resumes shrinking a saved case whose shrinking ended early.
    fn shrink_saved(
        &mut self,
        plan: &SitePlan,
        case: &SavedCase,
        settings: &Settings,
    ) -> Option<ShrunkFailure> {
        // Where nothing may be written, each run would shrink the case again.
        let is_wanted =
            case.is_unfinished() && self.saved_cases.is_some_and(|it| it.is_writable);
        let guide = self.saved_choices(case).filter(|_| is_wanted)?;
        SavedInputs::Guided(guide).begin(&mut self.record.host);
        let CaseOutcome::Failed(identity) = self.record.run(plan.entry, plan.entered()) else {
            return None;
        };
        let case = self.record.host.source.recorded_case();
        let failing = FailingCase { identity, number: 0, size: MAX_SIZE, seed: None, case };
        let mut simplest = self.shrink_and_report(plan, &failing, settings).ok()?;
        if let Some(found) = &mut simplest.failure.shrink {
            // It was not found by any case of this run.
            found.case = 0;
        }
        Some(simplest)
    }

    /// The saved cases of a claim. Warns of those that cannot be parsed, or whose inputs match no
    /// site.
    pub(super) fn saved_files(
        &self,
        sites: &[SiteId],
        report: &mut ClaimReport,
    ) -> Vec<SavedCaseFile> {
        let Some(saved_cases) = self.saved_cases else { return Vec::new() };
        let name = ClaimName::new(report.module.clone(), report.ty, report.name.clone());
        let mut files = saved_cases.store.cases_of(&name);
        // Older versions named files by the last segment of the module path alone.
        if let Some((_, last)) = report.module.rsplit_once('.') {
            let before = ClaimName::new(last, report.ty, report.name.clone());
            let of_before = saved_cases.store.cases_of(&before).into_iter();
            let fits = |file: &SavedCaseFile| {
                let case = file.case.as_ref().ok();
                case.is_some_and(|it| {
                    sites.iter().any(|site| self.inputs_match_site(*site, it))
                })
            };
            files.extend(of_before.filter(fits));
        }
        for file in &files {
            match &file.case {
                Err(broken) => {
                    let state = SavedCaseState::Broken(broken.to_string());
                    report.warnings.extend(self.saved_case_warning(&file.path, state));
                }
                Ok(case) => {
                    let is_used = sites.iter().any(|site| self.inputs_match_site(*site, case));
                    if !is_used {
                        let why = self.unmatched_inputs(sites, case);
                        let state = SavedCaseState::Stale(why);
                        report.warnings.extend(self.saved_case_warning(&file.path, state));
                    }
                }
            }
        }
        files
    }

    /// The number of the site that a case belongs to: the one it was found in, or else the first
    /// with the same inputs.
    pub(crate) fn site_of_case(&self, sites: &[SiteId], case: &SavedCase) -> Option<u32> {
        let mut fitting = (0..)
            .zip(sites)
            .filter(|(_, site)| self.inputs_match_site(**site, case))
            .map(|(number, _)| number);
        let found_in = across_number(&case.failure);
        fitting.clone().find(|it| *it == found_in).or_else(|| fitting.next())
    }

    /// Whether a case has exactly the inputs of a site and of the sites that may nest inside of it.
    pub(crate) fn inputs_match_site(&self, site: SiteId, case: &SavedCase) -> bool {
        let Some((_, nested)) = split_inputs(self.engines.lowered.site(site), case) else {
            return false;
        };
        nested.iter().all(|input| self.nested_binders(site).any(|it| *it.name == *input.name))
    }

    /// The inputs of every `across` that may run inside of a site.
    fn nested_binders(&self, site: SiteId) -> impl Iterator<Item = &InputBinder> {
        let sites = &self.engines.lowered.sites;
        let outer = &sites[site.index()];
        let shares =
            |it: &&InputSite| it.claims.iter().any(|claim| outer.claims.contains(claim));
        sites.iter().filter(|_| outer.may_nest).filter(shares).flat_map(|it| &it.binders)
    }

    /// Says which input of a case no site has.
    pub(crate) fn unmatched_inputs(&self, sites: &[SiteId], case: &SavedCase) -> String {
        let binders = sites.iter().flat_map(|site| {
            let own = &self.engines.lowered.site(*site).binders;
            own.iter().chain(self.nested_binders(*site))
        });
        let names: Vec<&str> = binders.map(|it| &*it.name).collect();
        let gone = case.values.iter().find(|it| !names.contains(&it.name.as_str()));
        match gone {
            Some(gone) => {
                format!(
                    "the claim no longer has the input `{}`; its value was {}",
                    gone.name, gone.text
                )
            }
            None => "the inputs of the claim have changed".to_owned(),
        }
    }

    /// Runs a saved case by its values, or else by its choices. Inputs that no longer parse may
    /// still be regenerated from their choices; that result counts only if the case fails.
    pub(crate) fn replay_saved(
        &mut self,
        plan: &SitePlan,
        case: &SavedCase,
    ) -> SavedCaseOutcome {
        let nests = self.engines.lowered.site(plan.site).may_nest;
        let why = match self.read_saved_values(plan, case) {
            Ok(Some(given)) => match self.run_saved_inputs(plan, &SavedInputs::Given(given)) {
                // A nested `across` may be reached more often than there are values.
                SavedCaseOutcome::Stale(why) if nests => Some(why),
                replayed @ (SavedCaseOutcome::Stale(_)
                | SavedCaseOutcome::Fails(..)
                | SavedCaseOutcome::Passes
                | SavedCaseOutcome::Interrupted) => {
                    return replayed;
                }
            },
            Ok(None) => None,
            Err(why) => Some(why),
        };
        let Some(guide) = self.saved_choices(case) else {
            let why = why.unwrap_or_else(|| "its inputs cannot be reconstructed".to_owned());
            return SavedCaseOutcome::Stale(why);
        };
        let replayed = self.run_saved_inputs(plan, &SavedInputs::Guided(guide));
        match (why, &replayed) {
            (Some(why), SavedCaseOutcome::Passes | SavedCaseOutcome::Stale(_)) => {
                // A pass proves nothing here: the choices may have produced other inputs than the
                // saved ones.
                SavedCaseOutcome::Stale(why)
            }
            (Some(_), SavedCaseOutcome::Fails(..) | SavedCaseOutcome::Interrupted)
            | (None, _) => replayed,
        }
    }

    fn run_saved_inputs(&mut self, plan: &SitePlan, made: &SavedInputs) -> SavedCaseOutcome {
        made.begin(&mut self.record.host);
        let record = &mut self.record;
        let fault = record.run_for_fault(plan.entry, plan.entered());
        self.n_saved_observations += record.worker.n_unreported_observations()
            + std::mem::take(&mut record.host.n_observed);
        // `begin` keeps given values, so they would leak into the next case.
        record.host.inputs.give(BTreeMap::new());
        let Some(fault) = fault else { return SavedCaseOutcome::Passes };
        match &fault.kind {
            FaultKind::Discarded => {
                SavedCaseOutcome::Stale("it no longer meets the assumptions".to_owned())
            }
            // A refinement that fails in the entry function is about an input, not about the code
            // under test.
            FaultKind::Refinement { .. } if fault.function == plan.entry => {
                SavedCaseOutcome::Stale("an input is now outside its type".to_owned())
            }
            FaultKind::Interrupted => SavedCaseOutcome::Interrupted,
            // Without the system nothing is known about the case.
            FaultKind::AdapterFailed(_) => SavedCaseOutcome::Interrupted,
            FaultKind::Unanswered(op) if is_of_system(self.engines.program(), *op) => {
                SavedCaseOutcome::Interrupted
            }
            FaultKind::SystemError { .. }
            | FaultKind::SystemCrashed { .. }
            | FaultKind::Contract { .. }
            | FaultKind::Refinement { .. }
            | FaultKind::DivByZero
            | FaultKind::OutOfRange { .. }
            | FaultKind::Fail { .. }
            | FaultKind::Observe
            | FaultKind::StepLimit
            | FaultKind::DepthLimit
            | FaultKind::MemoryLimit
            | FaultKind::Unanswered(_)
            | FaultKind::HostFailed(_)
            | FaultKind::Unsupported(_) => {
                let again = CaseRerun::of_site(plan, RerunStart::Plain, 0);
                let values =
                    self.subexpression_values(&fault, &again, &|host| made.begin(host));
                SavedCaseOutcome::Fails(Box::new(fault), values)
            }
        }
    }

    /// The input values; `None` if one of them is a function, which cannot be parsed as a value.
    pub(super) fn read_saved_values(
        &self,
        plan: &SitePlan,
        case: &SavedCase,
    ) -> Result<Option<BTreeMap<u32, Vec<Value>>>, String> {
        let Some(saved_cases) = self.saved_cases else { return Ok(None) };
        let program = self.engines.program();
        let site = self.engines.lowered.site(plan.site);
        let Some((mut inputs, nested)) = split_inputs(site, case) else { return Ok(None) };
        if inputs.len() < site.binders.len() {
            return Ok(None);
        }
        for input in nested {
            let mut binders =
                self.nested_binders(plan.site).filter(|it| *it.name == *input.name);
            // Only the choices know which of several inputs with the same name is meant.
            let (Some(binder), None) = (binders.next(), binders.next()) else {
                return Ok(None);
            };
            inputs.push((binder, input));
        }
        let mut given: BTreeMap<u32, Vec<Value>> = BTreeMap::new();
        for (binder, input) in inputs {
            let datum = (saved_cases.read)(program, binder.ty, &input.text)
                .map_err(|why| format!("cannot parse `{}`: {why}", input.name))?;
            let Some(value) = datum_to_value(&datum, &mut |_| None) else { return Ok(None) };
            given.entry(binder.id).or_default().push(value);
        }
        Ok(Some(given))
    }

    fn saved_choices(&self, case: &SavedCase) -> Option<AddressedChoices> {
        let mut labels = self.engines.lowered.labels.clone();
        AddressedChoices::parse(case.choices.as_ref()?, &mut labels).ok()
    }

    pub(crate) fn saved_failure(
        &mut self,
        plan: &SitePlan,
        file: &SavedCaseFile,
        fault: &Fault,
    ) -> Failure {
        let arguments = self.arguments();
        let mut failure = self.failure_at(plan, fault, arguments);
        failure.shrink = Some(ShrinkSummary::from_saved_case());
        failure.saved =
            self.saved_cases.map(|it| it.case_report(&file.path, SavedCaseState::StillFails));
        failure
    }

    pub(crate) fn saved_case_warning(
        &self,
        path: &str,
        state: SavedCaseState,
    ) -> Option<ClaimWarning> {
        Some(ClaimWarning::SavedCase(self.saved_cases?.case_report(path, state)))
    }

    pub(crate) fn mark_fixed(&self, path: &str, case: &SavedCase) -> bool {
        let Some(saved_cases) = self.saved_cases.filter(|it| it.is_writable) else {
            // Without writing, the report still tells of a case that is not marked yet.
            return case.fixed.is_none();
        };
        matches!(
            saved_cases.store.mark_fixed(path, &saved_cases.today),
            Ok(MarkOutcome::Changed)
        )
    }

    pub(crate) fn mark_open(&self, path: &str) {
        if let Some(saved_cases) = self.saved_cases.filter(|it| it.is_writable) {
            // The report says that the case fails, even if updating its file does not succeed.
            drop(saved_cases.store.mark_open(path));
        }
    }

    /// Saves a failing case.
    pub(crate) fn save_failing_case(
        &self,
        report: &ClaimReport,
        failure: &mut Failure,
        case: &Case,
    ) {
        let Some(saved_cases) = self.saved_cases.filter(|it| it.is_writable) else { return };
        let name = ClaimName::new(report.module.clone(), report.ty, report.name.clone());
        let mut saved = SavedCase::new(name, failure.id.clone(), saved_cases.today.clone());
        let values = failure.arguments.iter();
        saved.values = values.map(|it| SavedValue::new(&*it.name, &*it.value)).collect();
        saved.choices = Some(case.to_lines(&self.engines.lowered.labels));
        if !failure.drawn.is_empty() {
            saved.mark_partial();
        }
        if failure.shrink.as_ref().is_some_and(|it| it.outcome != ShrinkOutcome::Minimal) {
            saved.mark_unfinished();
        }
        self.save_case(failure, &saved);
    }

    /// Saves a case, and records its path in the failure.
    pub(crate) fn save_case(&self, failure: &mut Failure, saved: &SavedCase) {
        let Some(saved_cases) = self.saved_cases.filter(|it| it.is_writable) else { return };
        let (path, state) = match saved_cases.store.save(saved) {
            Ok(SaveOutcome::New(path) | SaveOutcome::Replaced(path)) => {
                (path, SavedCaseState::New)
            }
            Ok(SaveOutcome::Same(path)) => (path, SavedCaseState::StillFails),
            Err(error) => (error.path, SavedCaseState::WriteFailed(error.reason)),
        };
        failure.saved = Some(saved_cases.case_report(&path, state));
    }
}

/// An input of a site, and its value in a saved case.
type SavedInput<'a> = (&'a InputBinder, &'a SavedValue);

/// Splits the values of a case into those of the site's inputs and the rest, which belongs to
/// nested sites. A nested site may have inputs with the same names, so the first match wins.
fn split_inputs<'a>(
    site: &'a InputSite,
    case: &'a SavedCase,
) -> Option<(Vec<SavedInput<'a>>, Vec<&'a SavedValue>)> {
    let mut left: Vec<&SavedValue> = case.values.iter().collect();
    let mut inputs = Vec::new();
    for binder in &site.binders {
        let Some(at) = left.iter().position(|it| it.name == *binder.name) else {
            // A generator failed before it drew this input.
            let fits = left.is_empty() && case.is_partial();
            return fits.then_some((inputs, left));
        };
        inputs.push((binder, left.remove(at)));
    }
    let fits = left.is_empty() || site.may_nest;
    fits.then_some((inputs, left))
}

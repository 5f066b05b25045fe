//! Kept cases: run before all others, and written when something is found.

use std::collections::BTreeMap;

use gainsay_choice::{Addressed, Case, MAX_SIZE};
use gainsay_core::{Datum, Program, TyId};
use gainsay_gen::{Binder, Site};
use gainsay_vm::{Fault, FaultKind, Value};

use super::cases::{Failing, SitePlan};
use super::failing::Simplest;
use super::flaky::{Again, Begin};
use super::telling::Values;
use super::{Attacker, End};
use crate::cases::{ClaimName, KeptCase, KeptFile, KeptValue, Marked, Saved, Store};
use crate::data::value_of;
use crate::host::CaseHost;
use crate::identity::across_of;
use crate::report::{ClaimReport, Failure, Found, Outcome, Stored, StoredState, Warning};
use crate::settings::Settings;

/// Reads source text as a value of a type; why not, if it is none.
pub type Read<'a> = dyn Fn(&Program, TyId, &str) -> Result<Datum, String> + Sync + 'a;

/// Where cases are kept, and how they are read.
pub struct Keeper<'a> {
    /// The files.
    pub store: Store<'a>,
    /// Reads the inputs in them.
    pub read: &'a Read<'a>,
    /// The day, as `2026-11-16`.
    pub today: String,
    /// Whether anything may be written.
    pub writes: bool,
    /// What is put before the paths of files that are told: where the store is, as it is seen by
    /// whoever reads the report.
    pub folder: String,
}

impl Keeper<'_> {
    pub(crate) fn stored(&self, path: &str, state: StoredState) -> Stored {
        Stored { path: format!("{}{path}", self.folder), state }
    }
}

/// How a kept case went.
pub(crate) enum Replayed {
    /// It fails still, with the values of what it computes on the way.
    Fails(Box<Fault>, Values),
    /// It passes.
    Passes,
    /// It cannot be used any more.
    Stale(String),
}

/// Where the inputs of a kept case come from.
enum Made {
    /// They are written in it, by binder, in the order in which each is drawn.
    Given(BTreeMap<u32, Vec<Value>>),
    /// They are made from its choices.
    Guided(Addressed),
}

impl Made {
    /// Begins the case in a host.
    fn begin(&self, host: &mut CaseHost<'_>) {
        match self {
            Self::Given(given) => {
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

impl Attacker<'_> {
    /// Runs the kept cases of a claim that belong to a site; what fails is told.
    pub(super) fn run_kept(
        &mut self,
        plan: &SitePlan,
        (files, sites): (&[KeptFile], &[u32]),
        settings: &Settings,
        report: &mut ClaimReport,
    ) {
        for file in files {
            let Ok(case) = &file.case else { continue };
            if self.home(sites, case) != Some(plan.number) {
                continue;
            }
            match self.replay_kept(plan, case) {
                Replayed::Fails(fault, values) => {
                    let simplest = self.simplify_kept(plan, case, settings);
                    let failure = if let Some(Simplest { mut failure, case, .. }) = simplest {
                        self.keep(report, &mut failure, &case);
                        failure
                    } else {
                        let mut failure = self.kept_failure(plan, file, &fault);
                        values.put_into(&mut failure);
                        failure
                    };
                    self.mark_open(&file.path);
                    report.cases += 1;
                    report.failures.push(failure);
                }
                Replayed::Passes => {
                    report.cases += 1;
                    if self.mark_fixed(&file.path, case) {
                        report.warnings.extend(self.warning_of(&file.path, StoredState::Fixed));
                    }
                }
                Replayed::Stale(why) => {
                    report
                        .warnings
                        .extend(self.warning_of(&file.path, StoredState::Stale(why)));
                }
            }
        }
    }

    /// Goes on making a case simpler that came to an early end before.
    fn simplify_kept(
        &mut self,
        plan: &SitePlan,
        case: &KeptCase,
        settings: &Settings,
    ) -> Option<Simplest> {
        let is_wanted = case.is_unfinished() && self.keeper.is_some_and(|it| it.writes);
        let guide = self.guide(case).filter(|_| is_wanted)?;
        Made::Guided(guide).begin(&mut self.record.host);
        let End::Failed(identity) = self.record.run(plan.entry, plan.entered()) else {
            return None;
        };
        let case = self.record.host.source.case();
        let failing = Failing { identity, number: 0, size: MAX_SIZE, seed: None, case };
        let mut simplest = self.simplify(plan, &failing, settings).ok()?;
        if let Some(found) = &mut simplest.failure.found {
            found.case = 0;
        }
        Some(simplest)
    }

    /// The kept cases of a claim; those that cannot be read, or that no site has the inputs
    /// of, are told.
    pub(super) fn kept_files(&self, sites: &[u32], report: &mut ClaimReport) -> Vec<KeptFile> {
        let Some(keeper) = self.keeper else { return Vec::new() };
        let name = ClaimName::new(report.module.clone(), report.ty, report.name.clone());
        let mut files = keeper.store.cases_of(&name);
        // Files were told apart by their last part alone once.
        if let Some((_, last)) = report.module.rsplit_once('.') {
            let before = ClaimName::new(last, report.ty, report.name.clone());
            let of_before = keeper.store.cases_of(&before).into_iter();
            let fits = |file: &KeptFile| {
                let case = file.case.as_ref().ok();
                case.is_some_and(|it| sites.iter().any(|site| self.fits(*site as usize, it)))
            };
            files.extend(of_before.filter(fits));
        }
        for file in &files {
            match &file.case {
                Err(broken) => {
                    let state = StoredState::Broken(broken.to_string());
                    report.warnings.extend(self.warning_of(&file.path, state));
                }
                Ok(case) => {
                    let is_used = sites.iter().any(|site| self.fits(*site as usize, case));
                    if !is_used {
                        let why = self.misfit(sites, case);
                        let state = StoredState::Stale(why);
                        report.warnings.extend(self.warning_of(&file.path, state));
                    }
                }
            }
        }
        files
    }

    /// Which of the sites a case is of, by its number: the one it was found in, or the first that
    /// has its inputs.
    pub(crate) fn home(&self, sites: &[u32], case: &KeptCase) -> Option<u32> {
        let mut fitting = (0..)
            .zip(sites)
            .filter(|(_, site)| self.fits(**site as usize, case))
            .map(|(number, _)| number);
        let found_in = across_of(&case.failure);
        fitting.clone().find(|it| *it == found_in).or_else(|| fitting.next())
    }

    /// Whether a case has exactly the inputs of a site, and of what may be inside of it.
    pub(crate) fn fits(&self, site: usize, case: &KeptCase) -> bool {
        let Some((_, nested)) = split_inputs(&self.engines.lowered.sites[site], case) else {
            return false;
        };
        nested.iter().all(|kept| self.nested_binders(site).any(|it| *it.name == *kept.name))
    }

    /// The inputs of every `across` that may be run inside of a site.
    fn nested_binders(&self, site: usize) -> impl Iterator<Item = &Binder> {
        let sites = &self.engines.lowered.sites;
        let outer = &sites[site];
        let shares = |it: &&Site| it.claims.iter().any(|claim| outer.claims.contains(claim));
        sites.iter().filter(|_| outer.nests).filter(shares).flat_map(|it| &it.binders)
    }

    /// Which inputs of a case no site has.
    pub(crate) fn misfit(&self, sites: &[u32], case: &KeptCase) -> String {
        let binders = sites.iter().flat_map(|site| {
            let own = &self.engines.lowered.sites[*site as usize].binders;
            own.iter().chain(self.nested_binders(*site as usize))
        });
        let names: Vec<&str> = binders.map(|it| &*it.name).collect();
        let gone = case.values.iter().find(|it| !names.contains(&it.name.as_str()));
        match gone {
            Some(gone) => {
                format!("the claim has no input `{}` any more; it was {}", gone.name, gone.text)
            }
            None => "the claim has other inputs now".to_owned(),
        }
    }

    /// Runs a kept case: by its values, or else by its choices. Inputs that cannot be read any
    /// more may still be made by their choices, and are of use if the case fails then.
    pub(crate) fn replay_kept(&mut self, plan: &SitePlan, case: &KeptCase) -> Replayed {
        let nests = self.engines.lowered.sites[plan.site].nests;
        let why = match self.read_values(plan, case) {
            Ok(Some(given)) => match self.run_made(plan, &Made::Given(given)) {
                // An `across` inside may be come to more often than there are values.
                Replayed::Stale(why) if nests => Some(why),
                replayed @ (Replayed::Stale(_) | Replayed::Fails(..) | Replayed::Passes) => {
                    return replayed;
                }
            },
            Ok(None) => None,
            Err(why) => Some(why),
        };
        let Some(guide) = self.guide(case) else {
            let why = why.unwrap_or_else(|| "its inputs cannot be made again".to_owned());
            return Replayed::Stale(why);
        };
        let replayed = self.run_made(plan, &Made::Guided(guide));
        match (why, &replayed) {
            (Some(why), Replayed::Passes | Replayed::Stale(_)) => Replayed::Stale(why),
            (Some(_), Replayed::Fails(..)) | (None, _) => replayed,
        }
    }

    fn run_made(&mut self, plan: &SitePlan, made: &Made) -> Replayed {
        made.begin(&mut self.record.host);
        let record = &mut self.record;
        let fault = record.fault(plan.entry, plan.entered());
        self.n_kept_observed +=
            record.worker.n_unheard() + std::mem::take(&mut record.host.n_observed);
        record.host.inputs.give(BTreeMap::new());
        let Some(fault) = fault else { return Replayed::Passes };
        match &fault.kind {
            FaultKind::Discarded => {
                Replayed::Stale("it does not meet the assumptions any more".to_owned())
            }
            FaultKind::Refinement { .. } if fault.function == plan.entry => {
                Replayed::Stale("an input is outside its type now".to_owned())
            }
            FaultKind::Interrupted => Replayed::Passes,
            FaultKind::Contract { .. }
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
                let again = Again::of(plan, Begin::Plain, 0);
                let values = self.values(&fault, &again, &|host| made.begin(host));
                Replayed::Fails(Box::new(fault), values)
            }
        }
    }

    /// The inputs; nothing when one of them is a function, which is no value by itself.
    pub(super) fn read_values(
        &self,
        plan: &SitePlan,
        case: &KeptCase,
    ) -> Result<Option<BTreeMap<u32, Vec<Value>>>, String> {
        let Some(keeper) = self.keeper else { return Ok(None) };
        let program = self.engines.program();
        let site = &self.engines.lowered.sites[plan.site];
        let Some((mut inputs, nested)) = split_inputs(site, case) else { return Ok(None) };
        if inputs.len() < site.binders.len() {
            return Ok(None);
        }
        for kept in nested {
            let mut binders =
                self.nested_binders(plan.site).filter(|it| *it.name == *kept.name);
            // Which of several it is, only the choices know.
            let (Some(binder), None) = (binders.next(), binders.next()) else {
                return Ok(None);
            };
            inputs.push((binder, kept));
        }
        let mut given: BTreeMap<u32, Vec<Value>> = BTreeMap::new();
        for (binder, kept) in inputs {
            let datum = (keeper.read)(program, binder.ty, &kept.text)
                .map_err(|why| format!("`{}` cannot be read: {why}", kept.name))?;
            let Some(value) = value_of(&datum, &mut |_| None) else { return Ok(None) };
            given.entry(binder.id).or_default().push(value);
        }
        Ok(Some(given))
    }

    fn guide(&self, case: &KeptCase) -> Option<Addressed> {
        let mut labels = self.engines.lowered.labels.clone();
        Addressed::parse(case.choices.as_ref()?, &mut labels).ok()
    }

    pub(crate) fn kept_failure(
        &mut self,
        plan: &SitePlan,
        file: &KeptFile,
        fault: &Fault,
    ) -> Failure {
        let arguments = self.arguments();
        let mut failure = self.failure_at(plan, fault, arguments);
        failure.found = Some(Found::by_an_earlier_run());
        failure.stored = self.keeper.map(|it| it.stored(&file.path, StoredState::Known));
        failure
    }

    pub(crate) fn warning_of(&self, path: &str, state: StoredState) -> Option<Warning> {
        Some(Warning::Stored(self.keeper?.stored(path, state)))
    }

    pub(crate) fn mark_fixed(&self, path: &str, case: &KeptCase) -> bool {
        let Some(keeper) = self.keeper.filter(|it| it.writes) else {
            return case.fixed.is_none();
        };
        matches!(keeper.store.mark_fixed(path, &keeper.today), Ok(Marked::Changed))
    }

    pub(crate) fn mark_open(&self, path: &str) {
        if let Some(keeper) = self.keeper.filter(|it| it.writes) {
            // The case is told as failing, whatever becomes of its file.
            drop(keeper.store.mark_open(path));
        }
    }

    /// Keeps a failing case.
    pub(crate) fn keep(&self, report: &ClaimReport, failure: &mut Failure, case: &Case) {
        let Some(keeper) = self.keeper.filter(|it| it.writes) else { return };
        let name = ClaimName::new(report.module.clone(), report.ty, report.name.clone());
        let mut kept = KeptCase::new(name, failure.id.clone(), keeper.today.clone());
        let values = failure.arguments.iter();
        kept.values = values.map(|it| KeptValue::new(&*it.name, &*it.value)).collect();
        kept.choices = Some(case.to_lines(&self.engines.lowered.labels));
        if !failure.drawn.is_empty() {
            kept.mark_partial();
        }
        if failure.found.as_ref().is_some_and(|it| it.outcome != Outcome::Minimal) {
            kept.mark_unfinished();
        }
        self.save(failure, &kept);
    }

    /// Saves a case, and notes where it is.
    pub(crate) fn save(&self, failure: &mut Failure, kept: &KeptCase) {
        let Some(keeper) = self.keeper.filter(|it| it.writes) else { return };
        let (path, state) = match keeper.store.save(kept) {
            Ok(Saved::New(path) | Saved::Replaced(path)) => (path, StoredState::New),
            Ok(Saved::Same(path)) => (path, StoredState::Known),
            Err(error) => (error.path, StoredState::Unwritten(error.reason)),
        };
        failure.stored = Some(keeper.stored(&path, state));
    }
}

/// An input of a site, and its value in a kept case.
type Input<'a> = (&'a Binder, &'a KeptValue);

/// The values for the inputs of a site, and those that are left for what is inside of it. A site
/// inside of another may have inputs of the same names.
fn split_inputs<'a>(
    site: &'a Site,
    case: &'a KeptCase,
) -> Option<(Vec<Input<'a>>, Vec<&'a KeptValue>)> {
    let mut left: Vec<&KeptValue> = case.values.iter().collect();
    let mut inputs = Vec::new();
    for binder in &site.binders {
        let Some(at) = left.iter().position(|it| it.name == *binder.name) else {
            // A generator failed before this one was drawn.
            let fits = left.is_empty() && case.is_partial();
            return fits.then_some((inputs, left));
        };
        inputs.push((binder, left.remove(at)));
    }
    let fits = left.is_empty() || site.nests;
    fits.then_some((inputs, left))
}

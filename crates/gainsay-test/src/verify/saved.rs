//! Saved cases of laws: run before all others, whatever found them, and written when hostility
//! finds one.
//!
//! The id of a saved case says how it was found, because that decides how it is run again: by
//! what is chosen on each axis (`hostile-`), or by what was drawn (`explored-`, `generated-`).

use gainsay_core::{ClaimKind, Verify};
use gainsay_vm::show;

use super::case::{CaseEnd, CaseRun, leave_world};
use super::domain::{Axes, Choice, Varied};
use super::explore::{EXPLORED, Exploration, GENERATED};
use super::text;
use super::told::Failed;
use crate::attack::{Attacker, KeptEnd, Replaying, SitePlan, fails};
use crate::cases::{ClaimName, KeptCase, KeptFile, KeptValue, Store};
use crate::replay::{Fit, ReplayCase, ReplayEnd, ReplayRequest};
use crate::report::{ClaimReport, ClaimType, Failure, Found, StoredState};
use crate::settings::{Hostility, Settings};

/// What the ids of failures begin with that hostility found.
const HOSTILE: &str = "hostile-";

/// Which kinds of saved cases of laws there are: a program must be made ready for each.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub struct SavedLaws {
    /// Hostility found some.
    pub hostile: bool,
    /// Exploring found some.
    pub explored: bool,
    /// Made-up worlds found some.
    pub generated: bool,
}

impl SavedLaws {
    /// Looks through the saved cases of all claims.
    pub fn of(store: &Store<'_>) -> Self {
        let mut found = Self::default();
        for case in store.all().iter().filter_map(|it| it.case.as_ref().ok()) {
            if case.claim.ty == ClaimType::Verify {
                match way_of(case) {
                    None => found.hostile = true,
                    Some(Exploration::Values) => found.explored = true,
                    Some(Exploration::Worlds) => found.generated = true,
                }
            }
        }
        found
    }
}

/// How a saved case went.
enum SavedEnd {
    Fails(Box<Failure>),
    Passes,
    Stale(String),
}

impl Attacker<'_> {
    /// Runs the saved cases of a law. The ways to explore it that have found something before
    /// need no search.
    pub(super) fn run_saved(
        &mut self,
        claim: usize,
        verify: &Verify,
        settings: &Settings,
        report: &mut ClaimReport,
    ) -> Vec<Exploration> {
        let Some(keeper) = self.keeper else { return Vec::new() };
        let name = ClaimName::new(report.module.clone(), report.ty, report.name.clone());
        let mut found = Vec::new();
        for file in keeper.store.cases_of(&name) {
            let case = match &file.case {
                Ok(case) => case,
                Err(broken) => {
                    let state = StoredState::Broken(broken.to_string());
                    report.warnings.extend(self.warning_of(&file.path, state));
                    continue;
                }
            };
            let way = way_of(case);
            // Hostility tries its own cases by itself.
            if way.is_none() && settings.hostility > Hostility::None {
                continue;
            }
            let end = self.run_saved_case(claim, verify, settings, &file, case);
            let counts = report.verify.as_mut().map(|it| &mut it.hostile);
            match end {
                SavedEnd::Fails(failure) => {
                    self.mark_open(&file.path);
                    if let Some(counts) = counts {
                        counts.failed += 1;
                    }
                    report.failures.push(*failure);
                    found.extend(way);
                }
                SavedEnd::Passes => {
                    if let Some(counts) = counts {
                        counts.passed += 1;
                    }
                    if self.mark_fixed(&file.path, case) {
                        report.warnings.extend(self.warning_of(&file.path, StoredState::Fixed));
                    }
                }
                SavedEnd::Stale(why) => {
                    let state = StoredState::Stale(why);
                    report.warnings.extend(self.warning_of(&file.path, state));
                }
            }
        }
        found
    }

    fn run_saved_case(
        &mut self,
        claim: usize,
        verify: &Verify,
        settings: &Settings,
        file: &KeptFile,
        case: &KeptCase,
    ) -> SavedEnd {
        let Some(way) = way_of(case) else {
            let mut end = self.run_hostile_case(claim, verify, settings, case);
            if let SavedEnd::Fails(failure) = &mut end {
                let stored = self.keeper.map(|it| it.stored(&file.path, StoredState::Known));
                failure.stored = stored;
                failure.found = Some(Found::by_an_earlier_run());
            }
            return end;
        };
        let Some(plan) = self.law_plan(claim, way, settings) else {
            return SavedEnd::Stale("the law is not explored any more".to_owned());
        };
        if !self.fits(plan.site, case) {
            return SavedEnd::Stale(self.misfit(&[plan.site as u32], case));
        }
        match self.replay_kept(&plan, case) {
            KeptEnd::Fails(fault, values) => {
                let mut failure = self.kept_failure(&plan, file, &fault);
                failure.id.insert_str(0, way.prefix());
                values.put_into(&mut failure);
                SavedEnd::Fails(Box::new(self.law_failure(verify, failure, way)))
            }
            KeptEnd::Passes => SavedEnd::Passes,
            KeptEnd::Stale(why) => SavedEnd::Stale(why),
        }
    }

    /// Runs a case that hostility found before.
    fn run_hostile_case(
        &mut self,
        claim: usize,
        verify: &Verify,
        settings: &Settings,
        case: &KeptCase,
    ) -> SavedEnd {
        let hostility = self.engines.lowered.hostilities.get(claim).and_then(Option::as_ref);
        let axes = Axes::declared(self, verify, settings.max_block_cases);
        let (Some(hostility), Ok(mut axes)) = (hostility, axes) else {
            return SavedEnd::Stale("the law has no such cases any more".to_owned());
        };
        self.add_hostility(verify, &mut axes, hostility);
        let choice = match self.choice_of(&axes, case) {
            Ok(choice) => choice,
            Err(why) => return SavedEnd::Stale(why),
        };
        let program = self.engines.program();
        let mut run = CaseRun::new(program, verify);
        let worker = &mut self.search.worker;
        run.begin(worker, &axes, &choice);
        let end = match run.guard(worker) {
            CaseEnd::Passed => run.compare(worker, program, 0),
            end @ (CaseEnd::Skipped
            | CaseEnd::Failed(_)
            | CaseEnd::Declined(_)
            | CaseEnd::Interrupted) => end,
        };
        leave_world(worker);
        match end {
            CaseEnd::Failed(how) | CaseEnd::Declined(how) => {
                let free = vec![None; choice.len()];
                let failed = Failed { choice, assertion: 0, how, free, others: 0 };
                SavedEnd::Fails(Box::new(self.told(verify, &axes, &failed)))
            }
            CaseEnd::Passed | CaseEnd::Interrupted => SavedEnd::Passes,
            CaseEnd::Skipped => SavedEnd::Stale("`when` leaves it out now".to_owned()),
        }
    }

    /// Saves a case that hostility found.
    pub(super) fn save_hostile(
        &self,
        axes: &Axes,
        failed: &Failed,
        report: &ClaimReport,
        failure: &mut Failure,
    ) {
        let Some(keeper) = self.keeper.filter(|it| it.writes) else { return };
        let hostile = axes.hostile_at(&failed.choice);
        let blamed: Vec<String> = hostile
            .map(|at| match &axes.0[at].what {
                Varied::Values(_) => format!("value-of-{}", axes.0[at].name),
                Varied::Stubs(..) | Varied::World(_) | Varied::Profiles(..) => {
                    self.choice_text(axes, at, failed.choice[at])
                }
                Varied::Orders(_) => "order".to_owned(),
            })
            .collect();
        let name = ClaimName::new(report.module.clone(), report.ty, report.name.clone());
        let id = format!("{HOSTILE}{}", blamed.join("-"));
        let mut kept = KeptCase::new(name, id, keeper.today.clone());
        for (at, choice) in failed.choice.iter().enumerate() {
            if matches!(axes.0[at].what, Varied::World(_)) {
                continue;
            }
            let text = self.choice_text(axes, at, *choice);
            kept.values.push(KeptValue::new(axes.0[at].key(), text));
        }
        self.save(failure, &kept);
    }

    /// A choice of an axis, as saved cases have it.
    fn choice_text(&self, axes: &Axes, at: usize, choice: usize) -> String {
        let (program, files) = (self.engines.program(), self.engines.files);
        match &axes.0[at].what {
            Varied::Values(values) => show(program, &values[choice]),
            Varied::Stubs(op, stubs) => match &stubs[choice].profile {
                Some(profile) => format!("{}/{}", program.op_name(*op), profile.name),
                None => text::stub(program, files, &stubs[choice].value),
            },
            Varied::World(_) => String::new(),
            Varied::Profiles(op, stubs) => {
                let profile = choice.checked_sub(1).and_then(|at| stubs[at].profile.as_ref());
                let name = profile.map_or("declared", |it| &it.name);
                format!("{}/{name}", program.op_name(*op))
            }
            Varied::Orders(orders) => match choice.checked_sub(1) {
                Some(at) => {
                    let order: Vec<String> = orders[at].iter().map(u32::to_string).collect();
                    order.join(",")
                }
                None => "source".to_owned(),
            },
        }
    }

    /// The choice that a saved case has on each axis.
    fn choice_of(&self, axes: &Axes, case: &KeptCase) -> Result<Choice, String> {
        let mut choice = Vec::new();
        for (at, axis) in axes.0.iter().enumerate() {
            let saved = case.values.iter().find(|it| it.name == axis.key());
            let Some(saved) = saved else {
                choice.push(0);
                continue;
            };
            let mut choices = 0..axis.len();
            let found = choices.find(|it| self.choice_text(axes, at, *it) == saved.text);
            let why = || format!("`{}` cannot be `{}` any more", saved.name, saved.text);
            choice.push(found.ok_or_else(why)?);
        }
        Ok(choice.into())
    }

    /// Runs one case of a law again.
    pub(crate) fn replay_law(
        &mut self,
        request: &ReplayRequest,
        report: &mut ClaimReport,
        it: &mut Replaying,
    ) -> ReplayEnd {
        let lowered = self.engines.lowered;
        let ClaimKind::Verify(verify) = &lowered.record.claims[request.claim].kind else {
            return ReplayEnd::Unusable("it is no law".to_owned());
        };
        let settings = Settings::new(0);
        let ways = match &request.case {
            ReplayCase::Word(_) => vec![Exploration::Worlds, Exploration::Values],
            ReplayCase::Kept(file) => match &file.case {
                Ok(case) => match way_of(case) {
                    Some(way) => vec![way],
                    None => {
                        it.fit = Fit::ByValues;
                        return match self.run_hostile_case(
                            request.claim,
                            verify,
                            &settings,
                            case,
                        ) {
                            SavedEnd::Fails(failure) => {
                                it.arguments.clone_from(&failure.arguments);
                                fails(report, *failure)
                            }
                            SavedEnd::Passes => ReplayEnd::Passes,
                            SavedEnd::Stale(why) => ReplayEnd::Unusable(why),
                        };
                    }
                },
                Err(broken) => return ReplayEnd::Unusable(broken.to_string()),
            },
        };
        let mut last = ReplayEnd::Unusable("the block is not explored".to_owned());
        for way in ways {
            let Some(plan) = self.law_plan(request.claim, way, &settings) else { continue };
            let plans: [SitePlan; 1] = [plan];
            last = match &request.case {
                ReplayCase::Word(word) => self.replay_word(word, &plans, report, it),
                ReplayCase::Kept(file) => match &file.case {
                    Ok(case) => self.replay_file((file, case), &plans, report, it),
                    Err(broken) => ReplayEnd::Unusable(broken.to_string()),
                },
            };
            if let ReplayEnd::Fails = last {
                let told = std::mem::take(&mut report.failures).into_iter();
                let told = told.map(|failure| self.law_failure(verify, failure, way));
                report.failures = told.collect();
                break;
            }
            // A word that is used as it is belongs to this way of exploring.
            if it.fit == Fit::Exact {
                break;
            }
        }
        last
    }
}

/// How a saved case is explored; not at all if hostility found it.
fn way_of(case: &KeptCase) -> Option<Exploration> {
    if case.failure.starts_with(EXPLORED) {
        Some(Exploration::Values)
    } else if case.failure.starts_with(GENERATED) {
        Some(Exploration::Worlds)
    } else {
        None
    }
}

impl super::domain::Axis {
    /// What the axis is called in saved cases.
    fn key(&self) -> &str {
        if matches!(self.what, Varied::Orders(_)) { "order" } else { &self.name }
    }
}

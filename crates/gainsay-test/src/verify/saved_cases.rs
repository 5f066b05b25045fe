//! Saved cases of laws: runs them before all others, however they were found, and saves new
//! hostile ones.
//!
//! The id of a saved case says how it was found, because that decides how it is replayed: by its
//! choice on each axis (`hostile-`), or by its recorded draws (`explored-`, `generated-`).

use gainsay_core::{ClaimId, ClaimKind, VerifyBlock};
use gainsay_vm::show;

use super::axes::{Axes, AxisChoices, Combination};
use super::case_text;
use super::explore::{EXPLORED_PREFIX, Exploration, GENERATED_PREFIX};
use super::failure::FailedCase;
use super::verify_case::{VerifyCaseRunner, VerifyOutcome, leave_world};
use crate::claim_runner::{
    ClaimRunner, ReplayDetails, SavedCaseOutcome, SitePlan, report_failure,
};
use crate::replay::{ReplayCase, ReplayEnd, ReplayFit, ReplayRequest};
use crate::report::{ClaimReport, ClaimType, Failure, SavedCaseState, ShrinkSummary};
use crate::saved_cases::{CaseStore, ClaimName, SavedCase, SavedCaseFile, SavedValue};
use crate::settings::{HostileMode, Settings};

/// Prefix of the ids of failures in hostile cases.
const HOSTILE_PREFIX: &str = "hostile-";

/// Which kinds of saved cases of laws there are: the program must be lowered for each.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub struct SavedLawKinds {
    /// Some are hostile cases.
    pub hostile: bool,
    /// Some were found by exploration.
    pub explored: bool,
    /// Some were found with generated worlds.
    pub generated: bool,
}

impl SavedLawKinds {
    /// Looks through the saved cases of all claims.
    pub fn of(store: &CaseStore<'_>) -> Self {
        let mut found = Self::default();
        for case in store.all().iter().filter_map(|it| it.case.as_ref().ok()) {
            if case.claim.ty == ClaimType::Verify {
                match exploration_of(case) {
                    None => found.hostile = true,
                    Some(Exploration::Values) => found.explored = true,
                    Some(Exploration::Worlds) => found.generated = true,
                }
            }
        }
        found
    }
}

/// The outcome of a saved case.
enum SavedLawOutcome {
    Fails(Box<Failure>),
    Passes,
    Stale(String),
    Interrupted,
}

impl ClaimRunner<'_> {
    /// Runs the saved cases of a law. Returns the ways of exploration that still have a failing
    /// case and need no search.
    pub(super) fn run_saved_law_cases(
        &mut self,
        claim: ClaimId,
        verify: &VerifyBlock,
        settings: &Settings,
        report: &mut ClaimReport,
    ) -> Vec<Exploration> {
        let Some(saved_cases) = self.saved_cases else { return Vec::new() };
        let name = ClaimName::new(report.module.clone(), report.ty, report.name.clone());
        let mut found = Vec::new();
        for file in saved_cases.store.cases_of(&name) {
            let case = match &file.case {
                Ok(case) => case,
                Err(broken) => {
                    let state = SavedCaseState::Broken(broken.to_string());
                    report.warnings.extend(self.saved_case_warning(&file.path, state));
                    continue;
                }
            };
            let exploration = exploration_of(case);
            // A hostile run tries its own cases anyway.
            if exploration.is_none() && settings.hostile_mode > HostileMode::None {
                continue;
            }
            let end = self.run_saved_law_case(claim, verify, settings, &file, case);
            let counts = report.verify.as_mut().map(|it| &mut it.hostile);
            match end {
                SavedLawOutcome::Fails(failure) => {
                    self.mark_open(&file.path);
                    if let Some(counts) = counts {
                        counts.failed += 1;
                    }
                    report.failures.push(*failure);
                    found.extend(exploration);
                }
                SavedLawOutcome::Passes => {
                    if let Some(counts) = counts {
                        counts.passed += 1;
                    }
                    if self.mark_fixed(&file.path, case) {
                        report
                            .warnings
                            .extend(self.saved_case_warning(&file.path, SavedCaseState::Fixed));
                    }
                }
                SavedLawOutcome::Stale(why) => {
                    let state = SavedCaseState::Stale(why);
                    report.warnings.extend(self.saved_case_warning(&file.path, state));
                }
                // Neither counted nor marked: the case stays as it was for the next run.
                SavedLawOutcome::Interrupted => {}
            }
        }
        found
    }

    fn run_saved_law_case(
        &mut self,
        claim: ClaimId,
        verify: &VerifyBlock,
        settings: &Settings,
        file: &SavedCaseFile,
        case: &SavedCase,
    ) -> SavedLawOutcome {
        let Some(exploration) = exploration_of(case) else {
            let mut end = self.run_hostile_case(claim, verify, settings, case);
            if let SavedLawOutcome::Fails(failure) = &mut end {
                let saved = self
                    .saved_cases
                    .map(|it| it.case_report(&file.path, SavedCaseState::StillFails));
                failure.saved = saved;
                failure.shrink = Some(ShrinkSummary::from_saved_case());
            }
            return end;
        };
        let Some(plan) = self.law_plan(claim, exploration, settings) else {
            return SavedLawOutcome::Stale("the law is no longer explored".to_owned());
        };
        if !self.inputs_match_site(plan.site, case) {
            return SavedLawOutcome::Stale(self.unmatched_inputs(&[plan.site], case));
        }
        match self.replay_saved(&plan, case) {
            SavedCaseOutcome::Fails(fault, values) => {
                let mut failure = self.saved_failure(&plan, file, &fault);
                failure.id.insert_str(0, exploration.prefix());
                values.add_to(&mut failure);
                SavedLawOutcome::Fails(Box::new(self.law_failure(verify, failure, exploration)))
            }
            SavedCaseOutcome::Passes => SavedLawOutcome::Passes,
            SavedCaseOutcome::Stale(why) => SavedLawOutcome::Stale(why),
            SavedCaseOutcome::Interrupted => SavedLawOutcome::Interrupted,
        }
    }

    /// Runs a saved hostile case.
    fn run_hostile_case(
        &mut self,
        claim: ClaimId,
        verify: &VerifyBlock,
        settings: &Settings,
        case: &SavedCase,
    ) -> SavedLawOutcome {
        let hostility =
            self.engines.lowered.hostile_plans.get(claim.index()).and_then(Option::as_ref);
        let axes = Axes::declared(self, verify, settings.max_block_cases);
        let (Some(hostility), Ok(mut axes)) = (hostility, axes) else {
            return SavedLawOutcome::Stale("the law no longer has such cases".to_owned());
        };
        self.add_hostile_choices(verify, &mut axes, hostility);
        let choice = match self.saved_combination(&axes, case) {
            Ok(choice) => choice,
            Err(why) => return SavedLawOutcome::Stale(why),
        };
        let program = self.engines.program();
        let mut run = VerifyCaseRunner::new(program, verify);
        let worker = &mut self.search.worker;
        run.begin(worker, &axes, &choice);
        let end = match run.guard(worker) {
            VerifyOutcome::Passed => run.compare(worker, program, 0),
            end @ (VerifyOutcome::Skipped
            | VerifyOutcome::Failed(_)
            | VerifyOutcome::Declined(_)
            | VerifyOutcome::Interrupted) => end,
        };
        leave_world(worker);
        match end {
            VerifyOutcome::Failed(how) | VerifyOutcome::Declined(how) => {
                let free = vec![None; choice.len()];
                let failed = FailedCase {
                    combination: choice,
                    assertion: 0,
                    failure: how,
                    free,
                    others: 0,
                };
                SavedLawOutcome::Fails(Box::new(self.failure_of_case(verify, &axes, &failed)))
            }
            VerifyOutcome::Passed => SavedLawOutcome::Passes,
            VerifyOutcome::Interrupted => SavedLawOutcome::Interrupted,
            VerifyOutcome::Skipped => SavedLawOutcome::Stale("`when` now skips it".to_owned()),
        }
    }

    /// Saves a hostile case.
    pub(super) fn save_hostile(
        &self,
        axes: &Axes,
        failed: &FailedCase,
        report: &ClaimReport,
        failure: &mut Failure,
    ) {
        let Some(saved_cases) = self.saved_cases.filter(|it| it.is_writable) else { return };
        let hostile = axes.hostile_axes(&failed.combination);
        let blamed: Vec<String> = hostile
            .map(|at| match &axes.0[at].choices {
                // Without the value, so that a failure keeps its id when another value shows it
                // first.
                AxisChoices::Values(_) => format!("value-of-{}", axes.0[at].name),
                AxisChoices::Stubs(..) | AxisChoices::World(_) | AxisChoices::Profiles(..) => {
                    self.choice_text(axes, at, failed.combination[at])
                }
                AxisChoices::Orders(_) => "order".to_owned(),
            })
            .collect();
        let name = ClaimName::new(report.module.clone(), report.ty, report.name.clone());
        let id = format!("{HOSTILE_PREFIX}{}", blamed.join("-"));
        let mut case = SavedCase::new(name, id, saved_cases.today.clone());
        for (at, choice) in failed.combination.iter().enumerate() {
            // Nothing varies there, so there is nothing to restore.
            if matches!(axes.0[at].choices, AxisChoices::World(_)) {
                continue;
            }
            let text = self.choice_text(axes, at, *choice);
            case.values.push(SavedValue::new(axes.0[at].saved_name(), text));
        }
        self.save_case(failure, &case);
    }

    /// A choice of an axis as saved cases write it.
    fn choice_text(&self, axes: &Axes, at: usize, choice: usize) -> String {
        let (program, files) = (self.engines.program(), self.engines.files);
        match &axes.0[at].choices {
            AxisChoices::Values(values) => show(program, &values[choice]),
            AxisChoices::Stubs(op, stubs) => match &stubs[choice].profile {
                Some(profile) => format!("{}/{}", program.op_name(*op), profile.name),
                None => case_text::stub_text(program, files, &stubs[choice].value),
            },
            AxisChoices::World(_) => String::new(),
            AxisChoices::Profiles(op, stubs) => {
                let profile = choice.checked_sub(1).and_then(|at| stubs[at].profile.as_ref());
                let name = profile.map_or("declared", |it| &it.name);
                format!("{}/{name}", program.op_name(*op))
            }
            AxisChoices::Orders(orders) => match choice.checked_sub(1) {
                Some(at) => {
                    let order: Vec<String> = orders[at].iter().map(u32::to_string).collect();
                    order.join(",")
                }
                None => "source".to_owned(),
            },
        }
    }

    /// The choice of a saved case on each axis.
    fn saved_combination(&self, axes: &Axes, case: &SavedCase) -> Result<Combination, String> {
        let mut choice = Vec::new();
        for (at, axis) in axes.0.iter().enumerate() {
            let saved = case.values.iter().find(|it| it.name == axis.saved_name());
            let Some(saved) = saved else {
                // The axis is newer than the case: it takes the first choice, which is declared.
                choice.push(0);
                continue;
            };
            let mut choices = 0..axis.len();
            // By text and not by position: lists of values and profiles may have grown since.
            let found = choices.find(|it| self.choice_text(axes, at, *it) == saved.text);
            let why = || format!("`{}` can no longer be `{}`", saved.name, saved.text);
            choice.push(found.ok_or_else(why)?);
        }
        Ok(choice.into())
    }

    /// Replays one case of a law.
    pub(crate) fn replay_law(
        &mut self,
        request: &ReplayRequest,
        report: &mut ClaimReport,
        it: &mut ReplayDetails,
    ) -> ReplayEnd {
        let lowered = self.engines.lowered;
        let ClaimKind::Verify(verify) = &lowered.record.claim(request.claim).kind else {
            return ReplayEnd::Unusable("not a law".to_owned());
        };
        let settings = Settings::new(0);
        let explorations = match &request.case {
            // A token does not say how it was found. Worlds first: they draw the values as well.
            ReplayCase::Token(_) => vec![Exploration::Worlds, Exploration::Values],
            ReplayCase::Saved(file) => match &file.case {
                Ok(case) => match exploration_of(case) {
                    Some(exploration) => vec![exploration],
                    None => {
                        it.fit = ReplayFit::ByValues;
                        return match self.run_hostile_case(
                            request.claim,
                            verify,
                            &settings,
                            case,
                        ) {
                            SavedLawOutcome::Fails(failure) => {
                                it.arguments.clone_from(&failure.arguments);
                                report_failure(report, *failure)
                            }
                            SavedLawOutcome::Passes => ReplayEnd::Passes,
                            SavedLawOutcome::Stale(why) => ReplayEnd::Unusable(why),
                            SavedLawOutcome::Interrupted => ReplayEnd::Interrupted,
                        };
                    }
                },
                Err(broken) => return ReplayEnd::Unusable(broken.to_string()),
            },
        };
        let mut last = ReplayEnd::Unusable("the block is not explored".to_owned());
        for exploration in explorations {
            let Some(plan) = self.law_plan(request.claim, exploration, &settings) else {
                continue;
            };
            let plans: [SitePlan; 1] = [plan];
            last = match &request.case {
                ReplayCase::Token(word) => self.replay_token(word, &plans, report, it),
                ReplayCase::Saved(file) => match &file.case {
                    Ok(case) => self.replay_file((file, case), &plans, report, it),
                    Err(broken) => ReplayEnd::Unusable(broken.to_string()),
                },
            };
            if let ReplayEnd::Fails = last {
                let failures = std::mem::take(&mut report.failures).into_iter();
                let failures =
                    failures.map(|failure| self.law_failure(verify, failure, exploration));
                report.failures = failures.collect();
                break;
            }
            // A token whose choices fit exactly belongs to this way of exploration.
            if it.fit == ReplayFit::Exact {
                break;
            }
        }
        last
    }
}

/// How a saved case is explored; `None` for a hostile case.
fn exploration_of(case: &SavedCase) -> Option<Exploration> {
    if case.failure.starts_with(EXPLORED_PREFIX) {
        Some(Exploration::Values)
    } else if case.failure.starts_with(GENERATED_PREFIX) {
        Some(Exploration::Worlds)
    } else {
        None
    }
}

impl super::axes::Axis {
    /// The name of the axis in saved cases.
    fn saved_name(&self) -> &str {
        if matches!(self.choices, AxisChoices::Orders(_)) { "order" } else { &self.name }
    }
}

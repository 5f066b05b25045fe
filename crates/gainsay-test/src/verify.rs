//! `verify` blocks: every combination of what is given, each in its world.
//!
//! The guard, each `let`, the left side and the right side of a case are calls of their own,
//! so that each begins with a world that has not been asked anything yet.

mod case;
mod covering;
mod domain;
mod explore;
mod grouping;
mod hostile;
mod orders;
mod saved;
mod text;
mod told;
mod trial;
mod world_host;
mod world_text;

use std::collections::HashSet;

use gainsay_core::{Verify, VerifyForm};
use gainsay_source::Diagnostic;

use self::case::{CaseEnd, CaseRun, leave_world};
use self::domain::{Axes, Bounds, Choice, Trouble};
use self::explore::Exploration;
pub use self::saved::SavedLaws;
use self::told::Failed;
use crate::attack::{Attacker, worse};
use crate::findings::{TooManyCases, VacuousBlock};
use crate::report::{ClaimReport, Failure, Status, VerifyReport, Warning};
use crate::settings::{Hostility, Settings};

/// Failures of one block that are told in full.
const MOST_TOLD: usize = 5;

impl Attacker<'_> {
    /// Runs the cases of a block.
    pub(crate) fn verify(
        &mut self,
        claim: usize,
        verify: &Verify,
        settings: &Settings,
        report: &mut ClaimReport,
    ) -> Status {
        report.verify = Some(self.blank_verify(verify));
        let status = self.verify_cases(claim, verify, settings, report);
        leave_world(&mut self.search.worker);
        status.unwrap_or_else(|trouble| {
            let fault = match trouble {
                Trouble::TooMany(factors) => {
                    let (span, most) = (report.span, settings.max_block_cases);
                    TooManyCases { span, factors, most }.into()
                }
                Trouble::Fault(fault) => *fault,
                Trouble::Interrupted => return Status::Skipped,
            };
            report.failures.push(self.block_failure(fault));
            Status::Fail
        })
    }

    fn verify_cases(
        &mut self,
        claim: usize,
        verify: &Verify,
        settings: &Settings,
        report: &mut ClaimReport,
    ) -> Result<Status, Trouble> {
        let most = settings.max_block_cases;
        let mut axes = Axes::declared(self, verify, most)?;
        let hostility = self.engines.lowered.hostilities.get(claim).and_then(Option::as_ref);
        let hostility = hostility.filter(|_| settings.hostility > Hostility::None);
        if let Some(hostility) = hostility {
            self.add_hostility(verify, &mut axes, hostility);
        }
        let known = self.run_saved(claim, verify, settings, report);
        let blank = report.verify.clone().unwrap_or_default();
        let mut block = BlockRun {
            report: blank,
            keeps_passed: hostility.is_some(),
            ..BlockRun::default()
        };
        self.run_combinations(verify, &axes, &axes.declared_bounds(), &mut block)?;
        let n_skipped = block.report.skipped;
        if hostility.is_some() {
            block.is_hostile = true;
            self.run_hostile(verify, &axes, most, &mut block)?;
        }
        warn_of_hostility(&block.report, n_skipped, report);
        let status = self.conclude(verify, &axes, block, report);
        // A law that does not hold as it is written needs no search.
        let declared = report.verify.as_ref().map(|it| it.declared).unwrap_or_default();
        let is_worth_it =
            status == Status::Pass || (status == Status::Fail && declared.failed == 0);
        let way = match settings.hostility {
            Hostility::Fuzz => Some(Exploration::Worlds),
            Hostility::None | Hostility::Profiles => {
                settings.explores.then_some(Exploration::Values)
            }
        };
        leave_world(&mut self.search.worker);
        let way = way.filter(|way| is_worth_it && !known.contains(way));
        let plan = way.and_then(|way| Some((way, self.law_plan(claim, way, settings)?)));
        let Some((way, plan)) = plan else { return Ok(status) };
        match self.explore(&plan, way, verify, settings, report) {
            Ok(explored) => Ok(worse(status, explored)),
            Err(flaky) => {
                report.flake = Some(flaky.told());
                Ok(Status::Flaky)
            }
        }
    }

    fn blank_verify(&self, verify: &Verify) -> VerifyReport {
        let law = match &verify.form {
            VerifyForm::Cases => None,
            VerifyForm::Law(name) => Some(name.to_string()),
        };
        let function = self.engines.program().function(verify.function).name.to_string();
        VerifyReport { function, law, traced: verify.traced, ..VerifyReport::default() }
    }

    /// Runs every combination within some bounds, the last given varying fastest.
    fn run_combinations(
        &mut self,
        verify: &Verify,
        axes: &Axes,
        bounds: &Bounds,
        block: &mut BlockRun,
    ) -> Result<(), Trouble> {
        let mut case = CaseRun::new(self.engines.program(), verify);
        let mut choice = domain::first(bounds);
        while let Some(now) = &mut choice {
            // The cases that are written were run before.
            if !block.is_hostile || axes.is_hostile(now) {
                self.run_choice(axes, now, &mut case, block)?;
            }
            if !domain::advance(bounds, now) {
                break;
            }
        }
        Ok(())
    }

    /// Runs the case of one combination, for each of the assertions. Whether it counts.
    fn run_choice(
        &mut self,
        axes: &Axes,
        choice: &[usize],
        case: &mut CaseRun<'_>,
        block: &mut BlockRun,
    ) -> Result<bool, Trouble> {
        let worker = &mut self.search.worker;
        case.begin(worker, axes, choice);
        match case.guard(worker) {
            CaseEnd::Passed => {}
            CaseEnd::Skipped => {
                block.report.skipped += 1;
                return Ok(false);
            }
            CaseEnd::Interrupted => return Err(Trouble::Interrupted),
            end @ (CaseEnd::Failed(_) | CaseEnd::Declined(_)) => {
                block.count(axes, choice, 0, end);
                return Ok(true);
            }
        }
        for at in 0..case.n_assertions() {
            let end = case.compare(worker, self.engines.program(), at);
            if matches!(end, CaseEnd::Interrupted) {
                return Err(Trouble::Interrupted);
            }
            block.count(axes, choice, at, end);
        }
        Ok(true)
    }

    /// What the cases of a block come to.
    fn conclude(
        &mut self,
        verify: &Verify,
        axes: &Axes,
        block: BlockRun,
        report: &mut ClaimReport,
    ) -> Status {
        let BlockRun { report: mut counts, failed, declined, passed, .. } = block;
        let checks = counts.checks();
        report.cases = checks.all();
        report.observed = checks.all();
        report.discards.assumptions = counts.skipped;
        let (n_skipped, n_declined) = (counts.skipped, counts.declined);
        // Saved cases that fail still are told already.
        let mut n_told = report.failures.len() as u64;
        for (at, failed) in self.grouped(verify, axes, failed, passed).iter().enumerate() {
            if at < MOST_TOLD {
                n_told += 1 + failed.others;
                let mut failure = self.told(verify, axes, failed);
                if axes.is_hostile(&failed.choice) {
                    self.save_hostile(axes, failed, report, &mut failure);
                }
                report.failures.push(failure);
            }
            if axes.is_hostile(&failed.choice) {
                counts.failing.push(self.failing_origin(axes, failed));
            }
        }
        told_apart(&mut report.failures);
        counts.untold = checks.failed - n_told;
        report.verify = Some(counts);
        if checks.failed > 0 {
            return Status::Fail;
        }
        if let Some(failed) = declined {
            report.reason = Some(self.told_declined(verify, axes, &failed, n_declined));
            return Status::Limit;
        }
        if checks.all() == 0 {
            let when = verify.when.map(|it| self.engines.program().function(it).span);
            let found = VacuousBlock { span: report.span, when, skipped: n_skipped };
            report.reason = Some(Diagnostic::from(found));
            return Status::Vacuous;
        }
        Status::Pass
    }
}

/// Says what hostility could not do: run every combination, or a single case that counts.
fn warn_of_hostility(block: &VerifyReport, n_skipped: u64, report: &mut ClaimReport) {
    if let Some(coverage) = block.coverage {
        report.warnings.push(Warning::Covered(coverage));
    }
    let left_out = block.skipped - n_skipped;
    if left_out > 0 && block.hostile.all() == 0 && block.declared.all() > 0 {
        report.warnings.push(Warning::NoHostileCase(left_out));
    }
}

/// Gives failures of the same name numbers.
fn told_apart(failures: &mut [Failure]) {
    for at in 1..failures.len() {
        let (before, rest) = failures.split_at_mut(at);
        let id = &mut rest[0].id;
        let n_before = before.iter().filter(|it| it.id.starts_with(id.as_str())).count();
        if n_before > 0 {
            *id = format!("{id}-{}", n_before + 1);
        }
    }
}

/// What the cases of a block have come to so far.
#[derive(Default)]
struct BlockRun {
    report: VerifyReport,
    failed: Vec<Failed>,
    declined: Option<Failed>,
    /// Whether the cases that are run are those of hostility.
    is_hostile: bool,
    /// The cases that passed, if somebody wants to know.
    passed: HashSet<Choice>,
    keeps_passed: bool,
}

impl BlockRun {
    /// The cases that count so far.
    fn ran(&self) -> impl Iterator<Item = Choice> + '_ {
        self.passed.iter().chain(self.failed.iter().map(|it| &it.choice)).cloned()
    }

    fn count(&mut self, axes: &Axes, choice: &[usize], assertion: usize, end: CaseEnd) {
        let is_hostile = axes.is_hostile(choice);
        let counts =
            if is_hostile { &mut self.report.hostile } else { &mut self.report.declared };
        let failed = |how| {
            let free = vec![None; choice.len()];
            Failed { choice: choice.into(), assertion, how, free, others: 0 }
        };
        match end {
            CaseEnd::Passed => {
                counts.passed += 1;
                if self.keeps_passed {
                    self.passed.insert(choice.into());
                }
            }
            CaseEnd::Skipped | CaseEnd::Interrupted => {}
            CaseEnd::Failed(how) => {
                counts.failed += 1;
                self.failed.push(failed(how));
            }
            CaseEnd::Declined(how) => {
                self.report.declined += 1;
                self.declined.get_or_insert_with(|| failed(how));
            }
        }
    }
}

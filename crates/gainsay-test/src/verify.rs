//! `verify` blocks: runs every combination of the givens, each in its world.
//!
//! The guard, each `let`, the left side and the right side of a case are separate calls, so that
//! each starts with a fresh world in which no operation has been performed yet.

mod axes;
mod case_text;
mod covering_array;
mod declared_cases;
mod explore;
mod failure;
mod failure_grouping;
mod hostile;
mod par_orders;
mod saved_cases;
mod verify_case;
mod world_host;
mod world_text;

use std::collections::HashSet;

use gainsay_core::{ClaimId, VerifyBlock, VerifyForm};
use gainsay_source::Diagnostic;

pub use self::axes::EnumerationError;
use self::axes::{Axes, AxisRanges, Combination};
pub use self::declared_cases::DeclaredCase;
use self::explore::Exploration;
use self::failure::FailedCase;
pub use self::saved_cases::SavedLawKinds;
use self::verify_case::{VerifyCaseRunner, leave_world};
pub use self::verify_case::{VerifyFailure, VerifyOutcome, VerifyPart};
use crate::claim_runner::{ClaimRunner, worse_status};
use crate::findings::{TooManyCases, VacuousBlock};
use crate::report::{ClaimReport, ClaimStatus, ClaimWarning, Failure, VerifyReport};
use crate::settings::{HostileMode, Settings};

/// Maximum number of failures of one block that are reported in full.
const MAX_REPORTED: usize = 5;

impl ClaimRunner<'_> {
    /// Runs the cases of a block.
    pub(crate) fn verify(
        &mut self,
        claim: ClaimId,
        verify: &VerifyBlock,
        settings: &Settings,
        report: &mut ClaimReport,
    ) -> ClaimStatus {
        report.verify = Some(self.blank_verify_report(verify));
        let status = self.verify_cases(claim, verify, settings, report);
        leave_world(&mut self.search.worker);
        status.unwrap_or_else(|stop| {
            let fault = match stop {
                EnumerationError::TooMany(factors) => {
                    let (span, most) = (report.span, settings.max_block_cases);
                    TooManyCases { span, factors, most }.into()
                }
                EnumerationError::Fault(fault) => *fault,
                EnumerationError::Interrupted => return ClaimStatus::Skipped,
            };
            report.failures.push(self.block_failure(fault));
            ClaimStatus::Fail
        })
    }

    fn verify_cases(
        &mut self,
        claim: ClaimId,
        verify: &VerifyBlock,
        settings: &Settings,
        report: &mut ClaimReport,
    ) -> Result<ClaimStatus, EnumerationError> {
        let most = settings.max_block_cases;
        let mut axes = Axes::declared(self, verify, most)?;
        let hostility =
            self.engines.lowered.hostile_plans.get(claim.index()).and_then(Option::as_ref);
        let hostility = hostility.filter(|_| settings.hostile_mode > HostileMode::None);
        if let Some(hostility) = hostility {
            self.add_hostile_choices(verify, &mut axes, hostility);
        }
        let tried = self.run_saved_law_cases(claim, verify, settings, report);
        let blank = report.verify.clone().unwrap_or_default();
        let mut block = BlockRun {
            report: blank,
            // Only grouping asks for them, and it groups hostile cases only.
            records_passed: hostility.is_some(),
            ..BlockRun::default()
        };
        self.run_combinations(verify, &axes, &axes.declared_ranges(), &mut block)?;
        let n_skipped = block.report.skipped;
        if hostility.is_some() {
            block.is_hostile = true;
            self.run_hostile(verify, &axes, most, &mut block)?;
        }
        warn_of_hostile_limits(&block.report, n_skipped, report);
        let status = self.report_block(verify, &axes, block, report);
        // A law whose declared cases fail needs no search.
        let declared = report.verify.as_ref().map(|it| it.declared).unwrap_or_default();
        let explores = status == ClaimStatus::Pass
            || (status == ClaimStatus::Fail && declared.failed == 0);
        let exploration = match settings.hostile_mode {
            HostileMode::Fuzz => Some(Exploration::Worlds),
            HostileMode::None | HostileMode::Profiles => {
                settings.explores.then_some(Exploration::Values)
            }
        };
        leave_world(&mut self.search.worker);
        let exploration =
            exploration.filter(|exploration| explores && !tried.contains(exploration));
        let plan = exploration.and_then(|exploration| {
            Some((exploration, self.law_plan(claim, exploration, settings)?))
        });
        let Some((exploration, plan)) = plan else { return Ok(status) };
        match self.explore(&plan, exploration, verify, settings, report) {
            Ok(explored) => Ok(worse_status(status, explored)),
            Err(flaky) => {
                report.flake = Some(flaky.into_flake());
                Ok(ClaimStatus::Flaky)
            }
        }
    }

    fn blank_verify_report(&self, verify: &VerifyBlock) -> VerifyReport {
        let law = match &verify.form {
            VerifyForm::Cases => None,
            VerifyForm::Law(name) => Some(name.to_string()),
        };
        let function = self.engines.program().function(verify.function).name.to_string();
        VerifyReport { function, law, traced: verify.traced, ..VerifyReport::default() }
    }

    /// Runs every combination within the ranges, the last given varying fastest.
    fn run_combinations(
        &mut self,
        verify: &VerifyBlock,
        axes: &Axes,
        bounds: &AxisRanges,
        block: &mut BlockRun,
    ) -> Result<(), EnumerationError> {
        let mut case = VerifyCaseRunner::new(self.engines.program(), verify);
        let mut choice = axes::first_combination(bounds);
        while let Some(now) = &mut choice {
            // The declared cases have already run.
            if !block.is_hostile || axes.is_hostile(now) {
                self.run_combination(axes, now, &mut case, block)?;
            }
            if !axes::next_combination(bounds, now) {
                break;
            }
        }
        Ok(())
    }

    /// Runs the case of one combination, for each assertion. Returns whether it counts.
    fn run_combination(
        &mut self,
        axes: &Axes,
        choice: &[usize],
        case: &mut VerifyCaseRunner<'_>,
        block: &mut BlockRun,
    ) -> Result<bool, EnumerationError> {
        let worker = &mut self.search.worker;
        case.begin(worker, axes, choice);
        match case.guard(worker) {
            VerifyOutcome::Passed => {}
            VerifyOutcome::Skipped => {
                // Once per combination, whatever the number of assertions: `when` belongs to the
                // whole case.
                block.report.skipped += 1;
                return Ok(false);
            }
            VerifyOutcome::Interrupted => return Err(EnumerationError::Interrupted),
            end @ (VerifyOutcome::Failed(_) | VerifyOutcome::Declined(_)) => {
                block.count(axes, choice, 0, end);
                return Ok(true);
            }
        }
        for at in 0..case.n_assertions() {
            let end = case.compare(worker, self.engines.program(), at);
            if matches!(end, VerifyOutcome::Interrupted) {
                return Err(EnumerationError::Interrupted);
            }
            block.count(axes, choice, at, end);
        }
        Ok(true)
    }

    /// Reports the cases of a block.
    fn report_block(
        &mut self,
        verify: &VerifyBlock,
        axes: &Axes,
        block: BlockRun,
        report: &mut ClaimReport,
    ) -> ClaimStatus {
        let BlockRun { report: mut counts, failed, declined, passed, .. } = block;
        let checks = counts.checks();
        report.cases = checks.total();
        report.n_observations = checks.total();
        report.discards.assumptions = counts.skipped;
        let (n_skipped, n_declined) = (counts.skipped, counts.declined);
        // Saved cases that still fail are reported already.
        let mut n_reported = report.failures.len() as u64;
        for (at, failed) in self.group_failures(verify, axes, failed, passed).iter().enumerate()
        {
            if at < MAX_REPORTED {
                n_reported += 1 + failed.others;
                let mut failure = self.failure_of_case(verify, axes, failed);
                if axes.is_hostile(&failed.combination) {
                    self.save_hostile(axes, failed, report, &mut failure);
                }
                report.failures.push(failure);
            }
            if axes.is_hostile(&failed.combination) {
                counts.failing.push(self.failing_origin(axes, failed));
            }
        }
        number_duplicate_ids(&mut report.failures);
        counts.unreported = checks.failed - n_reported;
        report.verify = Some(counts);
        if checks.failed > 0 {
            return ClaimStatus::Fail;
        }
        if let Some(failed) = declined {
            report.reason =
                Some(self.declined_cases_diagnostic(verify, axes, &failed, n_declined));
            // A case without an outcome is no pass, even if all others pass.
            return ClaimStatus::Limit;
        }
        if checks.total() == 0 {
            let when = verify.when.map(|it| self.engines.program().function(it).span);
            let found = VacuousBlock { span: report.span, when, skipped: n_skipped };
            report.reason = Some(Diagnostic::from(found));
            return ClaimStatus::Vacuous;
        }
        ClaimStatus::Pass
    }
}

/// Warns of the limits of hostile cases: not every combination ran, or none of them counts.
fn warn_of_hostile_limits(block: &VerifyReport, n_skipped: u64, report: &mut ClaimReport) {
    if let Some(coverage) = block.coverage {
        report.warnings.push(ClaimWarning::PartialCoverage(coverage));
    }
    // What the declared cases skip is intended; what only hostile cases skip is worth a warning.
    let left_out = block.skipped - n_skipped;
    if left_out > 0 && block.hostile.total() == 0 && block.declared.total() > 0 {
        report.warnings.push(ClaimWarning::NoHostileCase(left_out));
    }
}

/// Numbers failures with the same id.
fn number_duplicate_ids(failures: &mut [Failure]) {
    for at in 1..failures.len() {
        let (before, rest) = failures.split_at_mut(at);
        let id = &mut rest[0].id;
        // By prefix, because earlier duplicates already carry a number.
        let n_before = before.iter().filter(|it| it.id.starts_with(id.as_str())).count();
        if n_before > 0 {
            *id = format!("{id}-{}", n_before + 1);
        }
    }
}

/// The cases of a block so far.
#[derive(Default)]
struct BlockRun {
    report: VerifyReport,
    failed: Vec<FailedCase>,
    declined: Option<FailedCase>,
    /// Whether the hostile cases are running.
    is_hostile: bool,
    /// The cases that passed, if `records_passed`.
    passed: HashSet<Combination>,
    records_passed: bool,
}

impl BlockRun {
    /// The combinations that count so far.
    fn passed_combinations(&self) -> impl Iterator<Item = Combination> + '_ {
        self.passed.iter().chain(self.failed.iter().map(|it| &it.combination)).cloned()
    }

    fn count(&mut self, axes: &Axes, choice: &[usize], assertion: usize, end: VerifyOutcome) {
        let is_hostile = axes.is_hostile(choice);
        let counts =
            if is_hostile { &mut self.report.hostile } else { &mut self.report.declared };
        let failed = |how| {
            let free = vec![None; choice.len()];
            FailedCase { combination: choice.into(), assertion, failure: how, free, others: 0 }
        };
        match end {
            VerifyOutcome::Passed => {
                counts.passed += 1;
                if self.records_passed {
                    self.passed.insert(choice.into());
                }
            }
            VerifyOutcome::Skipped | VerifyOutcome::Interrupted => {}
            VerifyOutcome::Failed(how) => {
                counts.failed += 1;
                self.failed.push(failed(how));
            }
            VerifyOutcome::Declined(how) => {
                self.report.declined += 1;
                // One example is enough: a limit says nothing about the function under test.
                self.declined.get_or_insert_with(|| failed(how));
            }
        }
    }
}

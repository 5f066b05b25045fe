//! `verify` blocks in a trial: their cases as they are written, up to one that does not hold.

use gainsay_core::VerifyBlock;

use super::axes::{self, Axes, EnumerationError};
use super::verify_case::{VerifyCaseRunner, VerifyFailure, VerifyOutcome, leave_world};
use crate::claim_runner::ClaimRunner;
use crate::mutant_runner::{ClaimDetection, DetectingCase, DetectionProgress};
use crate::settings::Settings;

/// Longer values are cut.
const MAX_TEXT: usize = 500;

impl ClaimRunner<'_> {
    /// Runs the cases of a block.
    pub(crate) fn run_mutant_cases(
        &mut self,
        verify: &VerifyBlock,
        settings: &Settings,
        run: &mut DetectionProgress,
    ) {
        match Axes::declared(self, verify, settings.max_block_cases) {
            Ok(axes) => self.run_mutant_combinations(verify, &axes, run),
            Err(EnumerationError::Interrupted) => {
                run.record_detection(ClaimDetection::Interrupted)
            }
            Err(EnumerationError::TooMany(_) | EnumerationError::Fault(_)) => {
                run.record_detection(ClaimDetection::Assertion)
            }
        }
        leave_world(&mut self.search.worker);
    }

    fn run_mutant_combinations(
        &mut self,
        verify: &VerifyBlock,
        axes: &Axes,
        run: &mut DetectionProgress,
    ) {
        let program = self.engines.program();
        let worker = &mut self.search.worker;
        let mut case = VerifyCaseRunner::new(program, verify);
        case.enable_value_log(self.engines.lowered.ops.tell);
        let bounds = axes.declared_ranges();
        let mut choice = axes::first_combination(&bounds);
        let mut n_compared = 0_u64;
        while let Some(now) = &mut choice {
            let before = run.detection.clone();
            case.begin(worker, axes, now);
            let guard = case.guard(worker);
            if matches!(guard, VerifyOutcome::Passed) {
                n_compared += 1;
                for at in 0..case.n_assertions() {
                    let end = case.compare(worker, program, at);
                    run.record_verify_outcome(end);
                }
            } else {
                run.record_verify_outcome(guard);
            }
            if run.detection > before {
                let inputs = case.inputs(&|value| self.record.host.text(value, MAX_TEXT));
                run.detecting_case = Some(DetectingCase::from_inputs(inputs));
            }
            run.add_steps(case.max_steps);
            if run.is_over() || !axes::next_combination(&bounds, now) {
                break;
            }
        }
        self.search.host.value_log.append(case.into_value_log());
        // A block without a case that counts holds of nothing.
        if n_compared == 0 && run.detection == ClaimDetection::Nothing {
            run.is_vacuous = true;
            run.record_detection(ClaimDetection::Assertion);
        }
    }
}

impl DetectionProgress {
    fn record_verify_outcome(&mut self, end: VerifyOutcome) {
        match end {
            VerifyOutcome::Passed | VerifyOutcome::Skipped => {}
            VerifyOutcome::Interrupted => self.record_detection(ClaimDetection::Interrupted),
            VerifyOutcome::Declined(_) => self.record_detection(ClaimDetection::Limit),
            VerifyOutcome::Failed(
                VerifyFailure::Mismatch { .. } | VerifyFailure::UnexpectedErr(_),
            ) => {
                self.record_detection(ClaimDetection::Assertion);
            }
            VerifyOutcome::Failed(VerifyFailure::Fault(_, kind)) => {
                self.record_fault(Some(&kind))
            }
        }
    }
}

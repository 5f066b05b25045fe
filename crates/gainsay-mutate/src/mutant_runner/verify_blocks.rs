//! Runs `verify` blocks on a mutant: the declared cases in order, up to the first that fails.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;

use gainsay_core::VerifyBlock;
use gainsay_test::claims::{DeclaredCase, EnumerationError, VerifyFailure, VerifyOutcome};

use super::{ClaimDetection, DetectingCase, DetectionProgress, MutantRunner};
use crate::value_log::ValueLog;

impl MutantRunner<'_> {
    /// Runs the cases of a block.
    pub(super) fn run_block(&mut self, verify: &VerifyBlock, run: &mut DetectionProgress) {
        // A log of its own, because a block has a host per case.
        let log = Rc::new(RefCell::new(ValueLog::default()));
        let mut n_compared = 0_u64;
        let visited = self.claim_runner.visit_declared_cases(
            verify,
            self.settings.max_block_cases,
            Some(log.clone()),
            &mut |case| {
                n_compared += u64::from(matches!(case.guard, VerifyOutcome::Passed));
                run.record_declared_case(case)
            },
        );
        self.value_log.borrow_mut().append(log.take());
        match visited {
            // A block whose guard rejects every case is vacuous.
            Ok(()) if n_compared == 0 && run.detection == ClaimDetection::Nothing => {
                run.is_vacuous = true;
                run.record_detection(ClaimDetection::Assertion);
            }
            Ok(()) => {}
            Err(EnumerationError::Interrupted) => {
                run.record_detection(ClaimDetection::Interrupted)
            }
            // Without an enumeration of its cases, the block cannot be evaluated.
            Err(EnumerationError::TooMany(_) | EnumerationError::Fault(_)) => {
                run.record_detection(ClaimDetection::Assertion)
            }
        }
    }
}

impl DetectionProgress {
    fn record_declared_case(&mut self, case: DeclaredCase<'_>) -> ControlFlow<()> {
        let before = self.detection.clone();
        self.record_verify_outcome(case.guard);
        // All of them: a stronger detection may come after a weaker one.
        for outcome in case.assertions {
            self.record_verify_outcome(outcome);
        }
        if self.detection > before {
            self.detecting_case = Some(DetectingCase::from_inputs((case.inputs)()));
        }
        self.add_steps(case.max_steps);
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

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

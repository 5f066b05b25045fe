//! `verify` blocks in a trial: their cases as they are written, up to one that does not hold.

use gainsay_core::Verify;

use super::case::{CaseEnd, CaseRun, How, leave_world};
use super::domain::{self, Axes, Trouble};
use crate::attack::Attacker;
use crate::settings::Settings;
use crate::trial::{ClaimRun, Culprit, Noticed};

/// Longer values are cut.
const MAX_TEXT: usize = 500;

impl Attacker<'_> {
    /// Runs the cases of a block.
    pub(crate) fn try_cases(
        &mut self,
        verify: &Verify,
        settings: &Settings,
        run: &mut ClaimRun,
    ) {
        match Axes::declared(self, verify, settings.max_block_cases) {
            Ok(axes) => self.try_combinations(verify, &axes, run),
            Err(Trouble::Interrupted) => run.notice(Noticed::Interrupted),
            Err(Trouble::TooMany(_) | Trouble::Fault(_)) => run.notice(Noticed::Assertion),
        }
        leave_world(&mut self.search.worker);
    }

    fn try_combinations(&mut self, verify: &Verify, axes: &Axes, run: &mut ClaimRun) {
        let program = self.engines.program();
        let worker = &mut self.search.worker;
        let mut case = CaseRun::new(program, verify);
        case.listen(self.engines.lowered.ops.tell);
        let bounds = axes.declared_bounds();
        let mut choice = domain::first(&bounds);
        let mut n_compared = 0_u64;
        while let Some(now) = &mut choice {
            let before = run.noticed.clone();
            case.begin(worker, axes, now);
            let guard = case.guard(worker);
            if matches!(guard, CaseEnd::Passed) {
                n_compared += 1;
                for at in 0..case.n_assertions() {
                    let end = case.compare(worker, program, at);
                    run.compared(end);
                }
            } else {
                run.compared(guard);
            }
            if run.noticed > before {
                let inputs = case.inputs(&|value| self.record.host.text(value, MAX_TEXT));
                run.culprit = Some(Culprit::given(inputs));
            }
            run.took(case.most_steps);
            if run.is_over() || !domain::advance(&bounds, now) {
                break;
            }
        }
        self.search.host.heard.add(case.heard());
        // A block without a case that counts holds of nothing.
        if n_compared == 0 && run.noticed == Noticed::Nothing {
            run.is_vacuous = true;
            run.notice(Noticed::Assertion);
        }
    }
}

impl ClaimRun {
    fn compared(&mut self, end: CaseEnd) {
        match end {
            CaseEnd::Passed | CaseEnd::Skipped => {}
            CaseEnd::Interrupted => self.notice(Noticed::Interrupted),
            CaseEnd::Declined(_) => self.notice(Noticed::Limit),
            CaseEnd::Failed(How::Mismatch { .. } | How::UnexpectedErr(_)) => {
                self.notice(Noticed::Assertion);
            }
            CaseEnd::Failed(How::Fault(_, kind)) => self.fault(Some(&kind)),
        }
    }
}

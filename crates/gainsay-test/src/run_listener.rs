//! Whoever follows a run while it lasts.

use crate::report::{ClaimReport, ObservedCase};

/// Is told what happens, by any thread, in the order in which it happens there. Claims are
/// numbered from 0 in the order in which they were wanted. Nothing it does changes the run.
pub trait RunListener: Sync {
    /// A claim is begun.
    fn claim_started(&self, claim: usize) {
        let _ = claim;
    }

    /// So many cases of a claim were run so far; told now and then.
    fn cases_ran(&self, claim: usize, cases: u64) {
        let _ = (claim, cases);
    }

    /// One case, told only if [`RunListener::wants_cases`].
    fn case_finished(&self, claim: usize, case: ObservedCase) {
        let _ = (claim, case);
    }

    /// This has become of a claim. Told once for each, skipped ones included.
    fn claim_finished(&self, claim: usize, report: &ClaimReport) {
        let _ = (claim, report);
    }

    /// Whether each single case is of interest; telling takes time.
    fn wants_cases(&self) -> bool {
        false
    }
}

/// Nobody.
impl RunListener for () {}

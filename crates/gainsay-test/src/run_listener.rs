//! The interface for following a run in progress.

use crate::report::{ClaimReport, ObservedCase};

/// Receives the events of a run, from any thread, in the order in which they happen there. Claims
/// are numbered from 0 in the order of the job. A listener cannot influence the run.
pub trait RunListener: Sync {
    /// A claim starts.
    fn claim_started(&self, claim: usize) {
        let _ = claim;
    }

    /// This many cases of the `across` or property at hand have run so far; called now and then,
    /// by several threads if they share its cases.
    fn cases_ran(&self, claim: usize, cases: u64) {
        let _ = (claim, cases);
    }

    /// One case has finished; called only if [`RunListener::wants_cases`].
    fn case_finished(&self, claim: usize, case: ObservedCase) {
        let _ = (claim, case);
    }

    /// The final report of a claim. Called once for each, skipped ones included.
    fn claim_finished(&self, claim: usize, report: &ClaimReport) {
        let _ = (claim, report);
    }

    /// Whether the listener wants each single case; reporting them takes time.
    fn wants_cases(&self) -> bool {
        false
    }
}

/// Ignores all events.
impl RunListener for () {}

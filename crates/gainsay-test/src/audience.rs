//! Whoever follows a run while it lasts.

use crate::report::{ClaimReport, Observed};

/// Is told what happens, by any thread, in the order in which it happens there. Claims are
/// numbered from 0 in the order in which they were wanted. Nothing it does changes the run.
pub trait Audience: Sync {
    /// A claim is begun.
    fn begins(&self, claim: usize) {
        let _ = claim;
    }

    /// So many cases of a claim were run so far; told now and then.
    fn goes_on(&self, claim: usize, cases: u64) {
        let _ = (claim, cases);
    }

    /// One case, told only if [`Audience::wants_cases`].
    fn ran(&self, claim: usize, case: Observed) {
        let _ = (claim, case);
    }

    /// This has become of a claim. Told once for each, skipped ones included.
    fn ends(&self, claim: usize, report: &ClaimReport) {
        let _ = (claim, report);
    }

    /// Whether each single case is of interest; telling takes time.
    fn wants_cases(&self) -> bool {
        false
    }
}

/// Nobody.
impl Audience for () {}

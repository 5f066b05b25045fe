//! Runs that do not repeat, on purpose.
//!
//! No claim can tell one run of a case from another: nothing reaches it but what a case has. So
//! that a case which does not go the same way twice is a defect, of ours or of a host. What is
//! told then can only be tested by making it so.

use gainsay_choice::Seed;

/// What differs from run to run.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum FlakeInjection {
    /// Every other time a case is recorded, another case is drawn.
    Draws,
    /// Every other time a case is recorded, observations that do not hold are overlooked.
    Observations,
}

/// What becomes of the runs of one host.
#[derive(Debug, Copy, Clone, Default)]
pub(crate) struct FlakeInjector {
    pub(crate) injection: Option<FlakeInjection>,
    n_runs: u64,
}

impl FlakeInjector {
    /// A run begins.
    #[inline]
    pub(crate) fn start_run(&mut self) {
        self.n_runs += 1;
    }

    /// What a case is drawn from whose run is about to begin.
    pub(crate) fn seed(self, seed: Seed) -> Seed {
        let is_other =
            self.injection == Some(FlakeInjection::Draws) && self.n_runs.is_multiple_of(2);
        let case = if is_other { seed.case ^ 1 } else { seed.case };
        Seed { case, ..seed }
    }

    /// Whether an observation that does not hold in this run is overlooked.
    pub(crate) fn overlooks_failure(self) -> bool {
        self.injection == Some(FlakeInjection::Observations) && !self.n_runs.is_multiple_of(2)
    }
}

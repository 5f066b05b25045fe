//! Flake injection: makes runs unrepeatable on purpose.
//!
//! A claim cannot distinguish one run of a case from another: nothing reaches it but the inputs of
//! the case. So a flaky case is a defect, of Gainsay or of a host, and its report can only be
//! tested by injecting one.

use gainsay_choice::Seed;

/// What differs from run to run.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum FlakeInjection {
    /// Every other recorded run draws another case.
    Draws,
    /// Every other recorded run overlooks failing observations.
    Observations,
}

/// The injection into the runs of one host.
#[derive(Debug, Copy, Clone, Default)]
pub(crate) struct FlakeInjector {
    pub(crate) injection: Option<FlakeInjection>,
    n_runs: u64,
}

impl FlakeInjector {
    /// Counts a run that starts.
    #[inline]
    pub(crate) fn start_run(&mut self) {
        self.n_runs += 1;
    }

    /// The seed of a case whose run is about to start.
    pub(crate) fn seed(self, seed: Seed) -> Seed {
        let is_other =
            self.injection == Some(FlakeInjection::Draws) && self.n_runs.is_multiple_of(2);
        let case = if is_other { seed.case ^ 1 } else { seed.case };
        Seed { case, ..seed }
    }

    /// Whether this run overlooks a failing observation.
    pub(crate) fn overlooks_failure(self) -> bool {
        self.injection == Some(FlakeInjection::Observations) && !self.n_runs.is_multiple_of(2)
    }
}

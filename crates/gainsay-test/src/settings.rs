//! What a run of claims is told.

use std::time::Duration;

/// How claims are run. None of it changes what a case is: that comes from the seed alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Where all random numbers start.
    pub seed: u64,
    /// Cases for each `across` and property that does not say itself.
    pub cases: Option<u64>,
    /// How long each `across` and property may go on, instead of a number of cases.
    pub time: Option<Duration>,
    /// How often a failing case is tried to be made simpler.
    pub max_shrinks: u64,
    /// How long one failing case is made simpler.
    pub shrink_time: Duration,
    /// Threads.
    pub jobs: usize,
    /// Whether claims after the first failing one are run.
    pub profile: Profile,
    /// Whether the first failing claim is the last.
    pub fail_fast: bool,
}

/// For whom a run is.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Profile {
    /// Somebody who waits.
    Default,
    /// A server: the same every time, and nothing is written.
    Ci,
    /// Somebody who sleeps meanwhile.
    Thorough,
}

impl Settings {
    /// Cases unless somebody says otherwise.
    pub const CASES: u64 = 100;
    /// Tries unless somebody says otherwise.
    pub const MAX_SHRINKS: u64 = 20_000;
    /// Time to make a case simpler unless somebody says otherwise.
    pub const SHRINK_TIME: Duration = Duration::from_secs(5);

    /// The usual settings, from a seed.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            cases: None,
            time: None,
            max_shrinks: Self::MAX_SHRINKS,
            shrink_time: Self::SHRINK_TIME,
            jobs: 1,
            profile: Profile::Default,
            fail_fast: true,
        }
    }
}

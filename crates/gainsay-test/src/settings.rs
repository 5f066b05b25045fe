//! What a run of claims is told.

use std::time::Duration;

/// How claims are run. None of it changes what a case is: that comes from the seed alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Where all random numbers start.
    pub seed: u64,
    /// Cases for each `across` and property that does not say itself.
    pub usual_cases: u64,
    /// Cases for each `across` and property, whatever it says itself.
    pub cases: Option<u64>,
    /// How long each `across` and property may go on, instead of a number of cases.
    pub time: Option<Duration>,
    /// How often a failing case is tried to be made simpler.
    pub max_shrinks: u64,
    /// How long one failing case is made simpler.
    pub shrink_time: Duration,
    /// Threads.
    pub jobs: usize,
    /// For whom the run is.
    pub profile: Profile,
    /// After so many claims that failed, in the order of the sources, the others are skipped;
    /// without it, none is.
    pub max_failures: Option<u64>,
    /// What is done with kept cases.
    pub kept: Kept,
    /// Cases that a `verify` block may have.
    pub max_block_cases: u64,
    /// What is done to laws besides running them as they are written.
    pub hostility: Hostility,
    /// Whether laws are run with inputs that are drawn, too.
    pub explores: bool,
}

/// What is done to laws besides running them as they are written.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hostility {
    /// Nothing.
    None,
    /// Boundary values, profiles of effects, and orders of `par`.
    Profiles,
    /// And worlds that are made up.
    Fuzz,
}

/// What is done with kept cases.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Kept {
    /// They are run first, and what is found is kept with them.
    Use,
    /// They are run first, and nothing is written.
    Read,
    /// They are left alone.
    Ignore,
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

    /// Cases of a `verify` block unless somebody says otherwise.
    pub const MAX_BLOCK_CASES: u64 = 10_000;

    /// The usual settings, from a seed.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            usual_cases: Self::CASES,
            cases: None,
            time: None,
            max_shrinks: Self::MAX_SHRINKS,
            shrink_time: Self::SHRINK_TIME,
            jobs: 1,
            profile: Profile::Default,
            max_failures: Some(1),
            kept: Kept::Use,
            max_block_cases: Self::MAX_BLOCK_CASES,
            hostility: Hostility::None,
            explores: false,
        }
    }
}

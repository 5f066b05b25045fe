//! What a run of claims is told.

use std::time::Duration;

use gainsay_vm::Limits;

/// How claims are run. None of it changes what a case is: that comes from the seed alone.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Where all random numbers start.
    pub seed: u64,
    /// Cases for each `across` and property that does not say itself.
    pub default_cases: CaseCount,
    /// Cases for each `across` and property, whatever it says itself.
    pub cases: Option<u64>,
    /// How long each `across` and property may go on, instead of a number of cases.
    pub time: Option<Duration>,
    /// How often a failing case is tried to be made simpler.
    pub max_shrinks: u64,
    /// How long one failing case is made simpler.
    pub shrink_time: Duration,
    /// Steps that a case may take, of each claim that does not say itself.
    pub default_steps: u64,
    /// Steps that a case may take, whatever the claim says itself.
    pub steps: Option<u64>,
    /// Threads.
    pub jobs: usize,
    /// For whom the run is.
    pub profile: RunProfile,
    /// After so many claims that failed, in the order of the sources, the others are skipped;
    /// without it, none is.
    pub max_failures: Option<u64>,
    /// What is done with kept cases.
    pub saved_cases: SavedCasePolicy,
    /// Cases that a `verify` block may have.
    pub max_block_cases: u64,
    /// What is done to laws besides running them as they are written.
    pub hostile_mode: HostileMode,
    /// Whether laws are run with inputs that are drawn, too.
    pub explores: bool,
}

/// How many cases an `across` or property has.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum CaseCount {
    /// Exactly so many.
    Fixed(u64),
    /// At least [`Settings::MIN_CASES`], and up to [`Settings::MAX_CASES`] while they take little.
    /// How much they take is counted in steps, so that the number does not depend on the machine.
    ByEffort,
}

/// What is done to laws besides running them as they are written.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum HostileMode {
    /// Nothing.
    None,
    /// Boundary values, profiles of effects, and orders of `par`.
    Profiles,
    /// And worlds that are made up.
    Fuzz,
}

/// What is done with kept cases.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum SavedCasePolicy {
    /// They are run first, and what is found is kept with them.
    Use,
    /// They are run first, and nothing is written.
    Read,
    /// They are left alone.
    Ignore,
}

/// For whom a run is.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum RunProfile {
    /// Somebody who waits.
    Default,
    /// A server: the same every time, and nothing is written.
    Ci,
    /// Somebody who sleeps meanwhile.
    Thorough,
}

impl Settings {
    /// The fewest cases unless somebody says otherwise.
    pub const MIN_CASES: u64 = 100;
    /// The most cases unless somebody says otherwise.
    pub const MAX_CASES: u64 = 10_000;
    /// Tries unless somebody says otherwise.
    pub const MAX_SHRINKS: u64 = 20_000;
    /// Time to make a case simpler unless somebody says otherwise.
    pub const MAX_SHRINK_TIME: Duration = Duration::from_secs(5);

    /// Cases of a `verify` block unless somebody says otherwise.
    pub const MAX_BLOCK_CASES: u64 = 10_000;

    /// What a case of a property may use that asks for so many steps, or of another claim.
    ///
    /// The JIT frees nothing while a case runs, so memory runs out along with steps: more steps
    /// come with as much more memory, up to what the system is asked for at once.
    pub(crate) fn limits(&self, asked: Option<u64>) -> Limits {
        let usual = Limits::default();
        let steps = self.steps.or(asked).unwrap_or(self.default_steps);
        let words = u128::from(usual.words) * u128::from(steps) / u128::from(usual.steps);
        let words = u64::try_from(words).unwrap_or(u64::MAX).max(usual.words);
        Limits { steps, words, ..usual }
    }

    /// The usual settings, from a seed.
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            default_cases: CaseCount::ByEffort,
            cases: None,
            time: None,
            max_shrinks: Self::MAX_SHRINKS,
            shrink_time: Self::MAX_SHRINK_TIME,
            default_steps: Limits::default().steps,
            steps: None,
            jobs: 1,
            profile: RunProfile::Default,
            max_failures: None,
            saved_cases: SavedCasePolicy::Use,
            max_block_cases: Self::MAX_BLOCK_CASES,
            hostile_mode: HostileMode::None,
            explores: false,
        }
    }
}

//! The settings of a run.

use std::time::Duration;

use gainsay_vm::Limits;

/// How claims are run. Nothing here changes the content of a case, which the seed determines.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The seed of the run.
    pub seed: u64,
    /// Number of cases for each `across` and property that does not set it.
    pub default_cases: CaseCount,
    /// Number of cases for each `across` and property; overrides the source.
    pub cases: Option<u64>,
    /// Time limit for each `across` and property, in place of a number of cases.
    pub time: Option<Duration>,
    /// Maximum number of executions to shrink a failing case.
    pub max_shrinks: u64,
    /// Time limit for shrinking one failing case.
    pub shrink_time: Duration,
    /// Step limit of a case, for each claim that does not set it.
    pub default_steps: u64,
    /// Step limit of a case; overrides the source.
    pub steps: Option<u64>,
    /// Number of threads.
    pub jobs: usize,
    /// The kind of run.
    pub profile: RunProfile,
    /// After this many failed claims, in source order, the others are skipped. `None` skips none.
    pub max_failures: Option<u64>,
    /// How saved cases are used.
    pub saved_cases: SavedCasePolicy,
    /// Maximum number of cases of a `verify` block.
    pub max_block_cases: u64,
    /// Which hostile cases of laws run besides the declared ones.
    pub hostile_mode: HostileMode,
    /// Whether laws are also run with generated inputs.
    pub explores: bool,
}

/// How many cases an `across` or property has.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum CaseCount {
    /// Exactly this many.
    Fixed(u64),
    /// At least [`Settings::MIN_CASES`], and up to [`Settings::MAX_CASES`] while they are cheap.
    /// The cost is counted in steps, so that the number does not depend on the machine.
    ByEffort,
}

/// Which hostile cases of laws run besides the declared ones.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum HostileMode {
    /// None.
    None,
    /// Boundary values, hostile profiles of effects, and orders of `par`.
    Profiles,
    /// Generated worlds as well.
    Fuzz,
}

/// How saved cases are used.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum SavedCasePolicy {
    /// They run first, and new ones are saved.
    Use,
    /// They run first, and nothing is written.
    Read,
    /// They are ignored.
    Ignore,
}

/// The kind of run.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum RunProfile {
    /// Interactive: the user waits for the result.
    Default,
    /// Continuous integration: reproducible, and nothing is written.
    Ci,
    /// Unattended: takes its time.
    Thorough,
}

impl Settings {
    /// Default minimum number of cases.
    pub const MIN_CASES: u64 = 100;
    /// Default maximum number of cases.
    pub const MAX_CASES: u64 = 10_000;
    /// Default maximum number of shrinking executions.
    pub const MAX_SHRINKS: u64 = 20_000;
    /// Default time limit for shrinking a case.
    pub const MAX_SHRINK_TIME: Duration = Duration::from_secs(5);

    /// Default maximum number of cases of a `verify` block.
    pub const MAX_BLOCK_CASES: u64 = 10_000;

    /// The limits of a case of a property that sets this step limit, or of another claim.
    ///
    /// The JIT frees nothing while a case runs, so memory runs out along with steps: the memory
    /// limit grows in proportion to the step limit, as far as the VM's limit of live bytes allows.
    pub(crate) fn limits(&self, asked: Option<u64>) -> Limits {
        let default = Limits::default();
        let steps = self.steps.or(asked).unwrap_or(self.default_steps);
        let words = u128::from(default.words) * u128::from(steps) / u128::from(default.steps);
        let words = u64::try_from(words).unwrap_or(u64::MAX).max(default.words);
        Limits { steps, words, ..default }
    }

    /// The default settings, with a seed.
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

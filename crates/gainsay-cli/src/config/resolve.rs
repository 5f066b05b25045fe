//! Resolves settings from several layers.

use std::env;
use std::ffi::OsString;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use gainsay::test::{CaseCount, RunProfile, SavedCasePolicy, Settings};

use super::environment;
use super::file::ConfigFile;
use super::layer::{ConfigLayer, ReportTarget, TimesChoice};
use crate::cli_error::{CliError, io_error_reason};
use crate::report::DeniableLint;
use crate::systems::SystemBinding;
use crate::world;

/// The resolved configuration.
#[derive(Debug)]
pub(crate) struct ResolvedConfig {
    /// How claims are run.
    pub(crate) settings: Settings,
    /// The default paths.
    pub(crate) paths: Vec<PathBuf>,
    /// The requested reports.
    pub(crate) reports: Vec<ReportTarget>,
    /// Warnings that make a run fail.
    pub(crate) deny: Vec<DeniableLint>,
    /// When durations are shown.
    pub(crate) times: TimesChoice,
    /// The folder for individual cases.
    pub(crate) observe_folder: Option<PathBuf>,
    /// The folder of the configuration file, or the current one: saved cases are there.
    pub(crate) root: PathBuf,
    /// What answers for systems, according to the configuration file.
    pub(crate) systems: Vec<SystemBinding>,
}

/// Which configuration file is read.
#[derive(Debug, Copy, Clone)]
pub(crate) enum ConfigChoice<'a> {
    /// The nearest, if there is one.
    Nearest,
    /// This one.
    File(&'a Path),
    /// None.
    None,
}

/// Combines the command line, the environment and a configuration file.
pub(crate) fn resolve(
    line: ConfigLayer,
    choice: ConfigChoice<'_>,
) -> Result<ResolvedConfig, CliError> {
    let path = match choice {
        ConfigChoice::Nearest => find_nearest()?,
        ConfigChoice::File(path) => Some(path.to_owned()),
        ConfigChoice::None => None,
    };
    let mut file =
        path.as_deref().map_or_else(|| Ok(ConfigFile::default()), ConfigFile::read)?;
    let root = path.as_deref().and_then(Path::parent).map_or_else(PathBuf::new, Path::to_owned);
    file.test.resolve_paths(&root);
    file.profiles.iter_mut().for_each(|(_, layer)| layer.resolve_paths(&root));
    let variable = |name: &str| -> Option<OsString> { env::var_os(name) };
    let systems = std::mem::take(&mut file.systems);
    let resolved = ConfigLayers::new(line, environment::read(variable)?, file).resolve(root)?;
    Ok(ResolvedConfig { systems, ..resolved })
}

fn find_nearest() -> Result<Option<PathBuf>, CliError> {
    let here = env::current_dir().map_err(|error| {
        CliError::usage(format!(
            "cannot determine the current folder: {}",
            io_error_reason(&error)
        ))
    })?;
    Ok(ConfigFile::find(&here))
}

/// The layers, highest precedence first.
struct ConfigLayers {
    profile: RunProfile,
    layers: Vec<ConfigLayer>,
}

/// The number of layers that apply to this run only (command line and environment), and so take
/// precedence over settings in the source, such as `@property(cases = ..)`.
const N_OVERRIDING_LAYERS: usize = 2;

impl ConfigLayers {
    fn new(line: ConfigLayer, environment: ConfigLayer, file: ConfigFile) -> Self {
        let profile = line
            .profile
            .or(environment.profile)
            .or(file.test.profile)
            .unwrap_or(RunProfile::Default);
        let of_profile = file.profiles.into_iter().find(|(it, _)| *it == profile);
        // The table of the active profile comes before `[test]`: it is the more specific one.
        let of_profile = of_profile.map(|(_, layer)| layer).unwrap_or_default();
        let all = vec![line, environment, of_profile, file.test, profile_defaults(profile)];
        Self { profile, layers: all }
    }

    fn first_set<T>(&self, what: impl Fn(&ConfigLayer) -> Option<T>) -> Option<T> {
        self.layers.iter().find_map(what)
    }

    fn resolve(&self, root: PathBuf) -> Result<ResolvedConfig, CliError> {
        let seed = self.first_set(|it| it.seed).map_or_else(short_seed, Ok)?;
        let defaults = Settings::new(seed);
        // `cases` and `time` exclude each other, so the highest layer that sets either one decides
        // both.
        let amount = self.layers.iter().position(|it| it.cases.is_some() || it.time.is_some());
        let amount = amount.map(|at| (at, &self.layers[at]));
        let cases = amount.and_then(|(at, layer)| layer.cases.map(|cases| (at, cases)));
        let layers = self.layers.iter().enumerate();
        let steps = layers.filter_map(|(at, layer)| Some((at, layer.steps?))).next();
        let settings = Settings {
            seed,
            default_cases: cases
                .map_or(defaults.default_cases, |(_, cases)| CaseCount::Fixed(cases)),
            cases: cases.and_then(|(at, cases)| (at < N_OVERRIDING_LAYERS).then_some(cases)),
            time: amount.and_then(|(_, layer)| layer.time),
            max_shrinks: self.first_set(|it| it.max_shrinks).unwrap_or(defaults.max_shrinks),
            shrink_time: self.first_set(|it| it.shrink_time).unwrap_or(defaults.shrink_time),
            default_steps: steps.map_or(defaults.default_steps, |(_, steps)| steps),
            steps: steps.and_then(|(at, steps)| (at < N_OVERRIDING_LAYERS).then_some(steps)),
            jobs: self.first_set(|it| it.jobs).map_or_else(processors, to_usize),
            profile: self.profile,
            max_failures: self.first_set(max_failures).unwrap_or(defaults.max_failures),
            saved_cases: self.first_set(|it| it.saved_cases).unwrap_or(defaults.saved_cases),
            max_block_cases: self
                .first_set(|it| it.max_block_cases)
                .unwrap_or(defaults.max_block_cases),
            hostile_mode: self.first_set(|it| it.hostility).unwrap_or(defaults.hostile_mode),
            explores: self.first_set(|it| it.explores).unwrap_or(defaults.explores),
        };
        let list =
            |layer: &ConfigLayer| (!layer.formats.is_empty()).then(|| layer.formats.clone());
        let paths =
            |layer: &ConfigLayer| (!layer.paths.is_empty()).then(|| layer.paths.clone());
        Ok(ResolvedConfig {
            settings,
            paths: self.first_set(paths).unwrap_or_default(),
            reports: self.first_set(list).unwrap_or_default(),
            // Denied lints accumulate: a higher layer can only add to them.
            deny: self.layers.iter().flat_map(|it| it.deny.iter().copied()).collect(),
            times: self.first_set(|it| it.times).unwrap_or(TimesChoice::Auto),
            observe_folder: self.first_set(|it| it.observe.clone()),
            root,
            systems: Vec::new(),
        })
    }
}

fn max_failures(layer: &ConfigLayer) -> Option<Option<u64>> {
    match (layer.max_fail, layer.fail_fast) {
        (Some(most), _) => Some(Some(most)),
        (None, Some(true)) => Some(Some(1)),
        (None, Some(false)) => Some(None),
        (None, None) => None,
    }
}

/// The default settings of a profile.
fn profile_defaults(profile: RunProfile) -> ConfigLayer {
    match profile {
        RunProfile::Default => ConfigLayer::default(),
        RunProfile::Ci => ConfigLayer {
            seed: Some(0),
            fail_fast: Some(false),
            saved_cases: Some(SavedCasePolicy::Read),
            ..ConfigLayer::default()
        },
        RunProfile::Thorough => ConfigLayer {
            cases: Some(100_000),
            max_shrinks: Some(1_000_000),
            shrink_time: Some(Duration::from_secs(60)),
            fail_fast: Some(false),
            ..ConfigLayer::default()
        },
    }
}

/// A random seed that is short enough to type.
fn short_seed() -> Result<u64, CliError> {
    // A pinned seed has 32 bits for the seed of the run.
    Ok(world::seed_from_system()? >> 32)
}

fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

fn to_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use gainsay::test::{CaseCount, RunProfile, SavedCasePolicy};

    use super::{ConfigFile, ConfigLayer, ConfigLayers, ResolvedConfig};
    use crate::report::DeniableLint;

    fn resolved(line: ConfigLayer, environment: ConfigLayer, file: &str) -> ResolvedConfig {
        let file = ConfigFile::parse("gainsay.toml", file).unwrap();
        ConfigLayers::new(line, environment, file).resolve(PathBuf::new()).unwrap()
    }

    fn ci_layer() -> ConfigLayer {
        ConfigLayer { profile: Some(RunProfile::Ci), ..ConfigLayer::default() }
    }

    fn cases(cases: u64) -> ConfigLayer {
        ConfigLayer { cases: Some(cases), ..ConfigLayer::default() }
    }

    #[test]
    fn the_nearest_to_the_user_counts() {
        let file = "[test]\ncases = 3\nseed = 7\n[profile.ci]\ncases = 4\n";
        let none = ConfigLayer::default;
        let it = resolved(cases(1), cases(2), file).settings;
        assert_eq!((it.cases, it.default_cases, it.seed), (Some(1), CaseCount::Fixed(1), 7));
        let it = resolved(none(), cases(2), file).settings;
        assert_eq!((it.cases, it.default_cases), (Some(2), CaseCount::Fixed(2)));
        // Settings in the file do not override those of a property.
        let it = resolved(none(), none(), file).settings;
        assert_eq!((it.cases, it.default_cases), (None, CaseCount::Fixed(3)));
        let it = resolved(none(), ci_layer(), file).settings;
        assert_eq!(
            (it.cases, it.default_cases, it.profile),
            (None, CaseCount::Fixed(4), RunProfile::Ci)
        );
        let it = resolved(none(), none(), "").settings;
        assert_eq!((it.cases, it.default_cases), (None, CaseCount::ByEffort));
        assert!(it.seed < 1 << 32);
    }

    #[test]
    fn time_and_cases_stand_for_each_other() {
        let time = ConfigLayer { time: Some(Duration::from_secs(1)), ..ConfigLayer::default() };
        let it = resolved(ConfigLayer::default(), time.clone(), "[test]\ncases = 3\n").settings;
        assert_eq!((it.cases, it.time), (None, Some(Duration::from_secs(1))));
        let it = resolved(cases(5), time, "").settings;
        assert_eq!((it.cases, it.time), (Some(5), None));
    }

    #[test]
    fn profiles_bring_their_own() {
        let it = resolved(ConfigLayer::default(), ci_layer(), "").settings;
        assert_eq!(
            (it.seed, it.max_failures, it.saved_cases),
            (0, None, SavedCasePolicy::Read)
        );
        let line =
            ConfigLayer { profile: Some(RunProfile::Thorough), ..ConfigLayer::default() };
        let it = resolved(line, ci_layer(), "[test]\nmax-fail = 3\n").settings;
        assert_eq!((it.default_cases, it.max_failures), (CaseCount::Fixed(100_000), Some(3)));
        assert_eq!((it.cases, it.saved_cases), (None, SavedCasePolicy::Use));
    }

    #[test]
    fn what_is_denied_anywhere_is_denied() {
        let line = ConfigLayer { deny: vec![DeniableLint::Placebo], ..ConfigLayer::default() };
        let it = resolved(line, ConfigLayer::default(), "[test]\ndeny = [\"discards\"]\n");
        assert_eq!(it.deny, [DeniableLint::Placebo, DeniableLint::Discards]);
    }
}

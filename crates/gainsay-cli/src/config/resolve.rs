//! Which of several settings counts.

use std::env;
use std::ffi::OsString;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use gainsay::test::{CaseCount, Kept, Profile, Settings};

use super::environment;
use super::file::ConfigFile;
use super::layer::{Layer, Lint, Target, Times};
use crate::trouble::{Trouble, reason};
use crate::world;

/// Everything that was set, by whomever.
#[derive(Debug)]
pub(crate) struct Resolved {
    /// How claims are run.
    pub(crate) settings: Settings,
    /// What is tested when no path is named.
    pub(crate) paths: Vec<PathBuf>,
    /// The reports, if any were asked for.
    pub(crate) formats: Vec<Target>,
    /// Warnings that make a run fail.
    pub(crate) deny: Vec<Lint>,
    /// When durations are shown.
    pub(crate) times: Times,
    /// Where single cases are written.
    pub(crate) observe: Option<PathBuf>,
    /// The folder of the configuration, or the current one: kept cases are there.
    pub(crate) root: PathBuf,
}

/// Which file is read.
#[derive(Debug, Copy, Clone)]
pub(crate) enum Choice<'a> {
    /// The nearest, if there is one.
    Nearest,
    /// This one.
    File(&'a Path),
    /// None.
    None,
}

/// Brings together what the command line, the environment and a file set.
pub(crate) fn resolve(line: Layer, choice: Choice<'_>) -> Result<Resolved, Trouble> {
    let path = match choice {
        Choice::Nearest => nearest()?,
        Choice::File(path) => Some(path.to_owned()),
        Choice::None => None,
    };
    let mut file =
        path.as_deref().map_or_else(|| Ok(ConfigFile::default()), ConfigFile::read)?;
    let root = path.as_deref().and_then(Path::parent).map_or_else(PathBuf::new, Path::to_owned);
    file.test.see_from(&root);
    file.profiles.iter_mut().for_each(|(_, layer)| layer.see_from(&root));
    let variable = |name: &str| -> Option<OsString> { env::var_os(name) };
    Layers::new(line, environment::read(variable)?, file).resolve(root)
}

fn nearest() -> Result<Option<PathBuf>, Trouble> {
    let here = env::current_dir().map_err(|error| {
        Trouble::usage(format!("cannot tell the current folder: {}", reason(&error)))
    })?;
    Ok(ConfigFile::find(&here))
}

/// The layers, the strongest first.
struct Layers {
    profile: Profile,
    all: Vec<Layer>,
}

/// How many of the layers say something about this run only, and so outweigh the sources.
const OUTWEIGH_SOURCES: usize = 2;

impl Layers {
    fn new(line: Layer, environment: Layer, file: ConfigFile) -> Self {
        let profile = line
            .profile
            .or(environment.profile)
            .or(file.test.profile)
            .unwrap_or(Profile::Default);
        let of_profile = file.profiles.into_iter().find(|(it, _)| *it == profile);
        let of_profile = of_profile.map(|(_, layer)| layer).unwrap_or_default();
        let all = vec![line, environment, of_profile, file.test, by_itself(profile)];
        Self { profile, all }
    }

    fn first<T>(&self, what: impl Fn(&Layer) -> Option<T>) -> Option<T> {
        self.all.iter().find_map(what)
    }

    fn resolve(&self, root: PathBuf) -> Result<Resolved, Trouble> {
        let seed = self.first(|it| it.seed).map_or_else(short_seed, Ok)?;
        let usual = Settings::new(seed);
        // Time and cases stand for each other: the strongest of both decides.
        let amount = self.all.iter().position(|it| it.cases.is_some() || it.time.is_some());
        let amount = amount.map(|at| (at, &self.all[at]));
        let cases = amount.and_then(|(at, layer)| layer.cases.map(|cases| (at, cases)));
        let layers = self.all.iter().enumerate();
        let steps = layers.filter_map(|(at, layer)| Some((at, layer.steps?))).next();
        let settings = Settings {
            seed,
            usual_cases: cases.map_or(usual.usual_cases, |(_, cases)| CaseCount::Fixed(cases)),
            cases: cases.and_then(|(at, cases)| (at < OUTWEIGH_SOURCES).then_some(cases)),
            time: amount.and_then(|(_, layer)| layer.time),
            max_shrinks: self.first(|it| it.max_shrinks).unwrap_or(usual.max_shrinks),
            shrink_time: self.first(|it| it.shrink_time).unwrap_or(usual.shrink_time),
            usual_steps: steps.map_or(usual.usual_steps, |(_, steps)| steps),
            steps: steps.and_then(|(at, steps)| (at < OUTWEIGH_SOURCES).then_some(steps)),
            jobs: self.first(|it| it.jobs).map_or_else(processors, whole),
            profile: self.profile,
            max_failures: self.first(max_failures).unwrap_or(usual.max_failures),
            kept: self.first(|it| it.kept).unwrap_or(usual.kept),
            max_block_cases: self
                .first(|it| it.max_block_cases)
                .unwrap_or(usual.max_block_cases),
            hostility: self.first(|it| it.hostility).unwrap_or(usual.hostility),
            explores: self.first(|it| it.explores).unwrap_or(usual.explores),
        };
        let list = |layer: &Layer| (!layer.formats.is_empty()).then(|| layer.formats.clone());
        let paths = |layer: &Layer| (!layer.paths.is_empty()).then(|| layer.paths.clone());
        Ok(Resolved {
            settings,
            paths: self.first(paths).unwrap_or_default(),
            formats: self.first(list).unwrap_or_default(),
            deny: self.all.iter().flat_map(|it| it.deny.iter().copied()).collect(),
            times: self.first(|it| it.times).unwrap_or(Times::Auto),
            observe: self.first(|it| it.observe.clone()),
            root,
        })
    }
}

fn max_failures(layer: &Layer) -> Option<Option<u64>> {
    match (layer.max_fail, layer.fail_fast) {
        (Some(most), _) => Some(Some(most)),
        (None, Some(true)) => Some(Some(1)),
        (None, Some(false)) => Some(None),
        (None, None) => None,
    }
}

/// What a profile sets unless somebody says otherwise.
fn by_itself(profile: Profile) -> Layer {
    match profile {
        Profile::Default => Layer::default(),
        Profile::Ci => Layer {
            seed: Some(0),
            fail_fast: Some(false),
            kept: Some(Kept::Read),
            ..Layer::default()
        },
        Profile::Thorough => Layer {
            cases: Some(100_000),
            max_shrinks: Some(1_000_000),
            shrink_time: Some(Duration::from_secs(60)),
            fail_fast: Some(false),
            ..Layer::default()
        },
    }
}

/// A seed that people can type.
fn short_seed() -> Result<u64, Trouble> {
    Ok(world::seed_from_system()? >> 32)
}

fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

fn whole(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use gainsay::test::{CaseCount, Kept, Profile};

    use super::{ConfigFile, Layer, Layers, Resolved};
    use crate::config::Lint;

    fn resolved(line: Layer, environment: Layer, file: &str) -> Resolved {
        let file = ConfigFile::parse("gainsay.toml", file).unwrap();
        Layers::new(line, environment, file).resolve(PathBuf::new()).unwrap()
    }

    fn server() -> Layer {
        Layer { profile: Some(Profile::Ci), ..Layer::default() }
    }

    fn cases(cases: u64) -> Layer {
        Layer { cases: Some(cases), ..Layer::default() }
    }

    #[test]
    fn the_nearest_to_the_user_counts() {
        let file = "[test]\ncases = 3\nseed = 7\n[profile.ci]\ncases = 4\n";
        let none = Layer::default;
        let it = resolved(cases(1), cases(2), file).settings;
        assert_eq!((it.cases, it.usual_cases, it.seed), (Some(1), CaseCount::Fixed(1), 7));
        let it = resolved(none(), cases(2), file).settings;
        assert_eq!((it.cases, it.usual_cases), (Some(2), CaseCount::Fixed(2)));
        // What a file says does not outweigh what a property says.
        let it = resolved(none(), none(), file).settings;
        assert_eq!((it.cases, it.usual_cases), (None, CaseCount::Fixed(3)));
        let it = resolved(none(), server(), file).settings;
        assert_eq!(
            (it.cases, it.usual_cases, it.profile),
            (None, CaseCount::Fixed(4), Profile::Ci)
        );
        let it = resolved(none(), none(), "").settings;
        assert_eq!((it.cases, it.usual_cases), (None, CaseCount::ByEffort));
        assert!(it.seed < 1 << 32);
    }

    #[test]
    fn time_and_cases_stand_for_each_other() {
        let time = Layer { time: Some(Duration::from_secs(1)), ..Layer::default() };
        let it = resolved(Layer::default(), time.clone(), "[test]\ncases = 3\n").settings;
        assert_eq!((it.cases, it.time), (None, Some(Duration::from_secs(1))));
        let it = resolved(cases(5), time, "").settings;
        assert_eq!((it.cases, it.time), (Some(5), None));
    }

    #[test]
    fn profiles_bring_their_own() {
        let it = resolved(Layer::default(), server(), "").settings;
        assert_eq!((it.seed, it.max_failures, it.kept), (0, None, Kept::Read));
        let line = Layer { profile: Some(Profile::Thorough), ..Layer::default() };
        let it = resolved(line, server(), "[test]\nmax-fail = 3\n").settings;
        assert_eq!((it.usual_cases, it.max_failures), (CaseCount::Fixed(100_000), Some(3)));
        assert_eq!((it.cases, it.kept), (None, Kept::Use));
    }

    #[test]
    fn what_is_denied_anywhere_is_denied() {
        let line = Layer { deny: vec![Lint::Placebo], ..Layer::default() };
        let it = resolved(line, Layer::default(), "[test]\ndeny = [\"discards\"]\n");
        assert_eq!(it.deny, [Lint::Placebo, Lint::Discards]);
    }
}

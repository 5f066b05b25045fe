//! Every setting, one row each: the file, the environment and the schema are read off here.

use std::path::PathBuf;

use super::layer::{self, FORMATS, HOSTILITIES, KEPT, LINTS, Layer, PROFILES, TIMES};
use crate::arguments::amounts;

/// A setting.
#[derive(Debug)]
pub(crate) struct Key {
    /// Its name in `gainsay.toml`.
    pub(crate) name: &'static str,
    /// What it is set to.
    pub(crate) kind: Kind,
    /// What it does, in a phrase.
    pub(crate) about: &'static str,
    /// What it is set to when nobody says anything, in a phrase.
    pub(crate) usual: &'static str,
    /// Takes in one value; one after the other for lists.
    pub(crate) set: fn(&mut Layer, &str) -> Result<(), String>,
}

/// What a setting is set to.
#[derive(Debug, Copy, Clone)]
pub(crate) enum Kind {
    /// A number from 1.
    Count,
    /// A number from 0.
    Amount,
    /// A number below 2^64, or such a number as text.
    Seed,
    /// A time with its unit, as text.
    Time,
    /// `true` or `false`.
    Flag,
    /// One of these texts.
    Word(fn() -> Vec<&'static str>),
    /// Some of these texts.
    Words(fn() -> Vec<&'static str>),
    /// Formats, each perhaps with a file.
    Formats,
    /// A path.
    Path,
    /// Paths.
    Paths,
}

impl Kind {
    /// Whether there may be several values.
    pub(crate) fn is_list(self) -> bool {
        match self {
            Self::Words(_) | Self::Formats | Self::Paths => true,
            Self::Count
            | Self::Amount
            | Self::Seed
            | Self::Time
            | Self::Flag
            | Self::Word(_)
            | Self::Path => false,
        }
    }

    /// In words, after "expected".
    pub(crate) fn expected(self) -> &'static str {
        match self {
            Self::Count | Self::Amount => "a number",
            Self::Seed => "a number, or a text such as \"0x2a\"",
            Self::Time => "a text such as \"30s\"",
            Self::Flag => "true or false",
            Self::Word(_) | Self::Path => "a text",
            Self::Words(_) | Self::Formats | Self::Paths => "a list of texts",
        }
    }
}

impl Key {
    /// The variable that sets it too; lists are separated by commas there.
    pub(crate) fn variable(&self) -> Option<String> {
        let name = self.name.replace('-', "_").to_ascii_uppercase();
        // Which files are meant depends on where somebody is, not on who it is.
        (!matches!(self.kind, Kind::Paths)).then(|| format!("GAINSAY_{name}"))
    }

    /// Whether a profile can set it.
    pub(crate) fn is_for_profiles(&self) -> bool {
        self.name != "profile"
    }
}

/// Every setting.
pub(crate) const KEYS: &[Key] = &[
    Key {
        name: "paths",
        kind: Kind::Paths,
        about: "files and folders that are tested when none is named",
        usual: "the current folder",
        set: |layer, text| put(&mut layer.paths, Ok(PathBuf::from(text))),
    },
    Key {
        name: "profile",
        kind: Kind::Word(|| names(PROFILES)),
        about: "the profile, unless one is named",
        usual: "ci if CI is set, or else default",
        set: |layer, text| fill(&mut layer.profile, layer::profile(text)),
    },
    Key {
        name: "cases",
        kind: Kind::Count,
        about: "cases of each `across` and property that does not say itself; the command line \
                and the environment set them for all",
        usual: "100",
        set: |layer, text| fill(&mut layer.cases, amounts::count(text)),
    },
    Key {
        name: "time",
        kind: Kind::Time,
        about: "how long each `across` and property goes on, instead of a number of cases",
        usual: "no limit",
        set: |layer, text| fill(&mut layer.time, amounts::duration(text)),
    },
    Key {
        name: "seed",
        kind: Kind::Seed,
        about: "where the random numbers start",
        usual: "from the system",
        set: |layer, text| fill(&mut layer.seed, amounts::seed(text)),
    },
    Key {
        name: "max-shrinks",
        kind: Kind::Amount,
        about: "how often a counterexample is tried to be made simpler",
        usual: "20000",
        set: |layer, text| fill(&mut layer.max_shrinks, amounts::amount(text)),
    },
    Key {
        name: "shrink-time",
        kind: Kind::Time,
        about: "how long a counterexample is made simpler",
        usual: "5s",
        set: |layer, text| fill(&mut layer.shrink_time, amounts::duration(text)),
    },
    Key {
        name: "steps",
        kind: Kind::Count,
        about: "steps that a case of a claim may take; a property may ask for others, and the \
                command line and the environment set them for all",
        usual: "10,000,000",
        set: |layer, text| fill(&mut layer.steps, amounts::count(text)),
    },
    Key {
        name: "jobs",
        kind: Kind::Count,
        about: "threads",
        usual: "as many as there are processors",
        set: |layer, text| fill(&mut layer.jobs, amounts::count(text)),
    },
    Key {
        name: "fail-fast",
        kind: Kind::Flag,
        about: "whether what comes after a claim that failed is skipped",
        usual: "false",
        set: |layer, text| fill(&mut layer.fail_fast, layer::flag(text)),
    },
    Key {
        name: "max-fail",
        kind: Kind::Count,
        about: "after so many claims that failed the rest is skipped",
        usual: "no limit; 1 with fail-fast",
        set: |layer, text| fill(&mut layer.max_fail, amounts::count(text)),
    },
    Key {
        name: "hostile",
        kind: Kind::Word(|| names(HOSTILITIES)),
        about: "what is done to laws besides running them as they are written",
        usual: "none",
        set: |layer, text| fill(&mut layer.hostility, layer::hostility(text)),
    },
    Key {
        name: "explore",
        kind: Kind::Flag,
        about: "whether laws are run with inputs that are drawn, too",
        usual: "false",
        set: |layer, text| fill(&mut layer.explores, layer::flag(text)),
    },
    Key {
        name: "max-block-cases",
        kind: Kind::Count,
        about: "cases that a `verify` block may have; with more it fails",
        usual: "10,000",
        set: |layer, text| fill(&mut layer.max_block_cases, amounts::count(text)),
    },
    Key {
        name: "kept-cases",
        kind: Kind::Word(|| names(KEPT)),
        about: "whether kept cases are run and new ones kept, only run, or left alone",
        usual: "use",
        set: |layer, text| fill(&mut layer.kept, layer::kept(text)),
    },
    Key {
        name: "deny",
        kind: Kind::Words(|| names(LINTS)),
        about: "warnings that make a run fail",
        usual: "none",
        set: |layer, text| put(&mut layer.deny, layer::lint(text)),
    },
    Key {
        name: "format",
        kind: Kind::Formats,
        about: "reports: human, json, ndjson, junit, sarif or github, each perhaps with =FILE",
        usual: "human",
        set: |layer, text| put(&mut layer.formats, layer::target(text)),
    },
    Key {
        name: "times",
        kind: Kind::Word(|| names(TIMES)),
        about: "whether durations are shown",
        usual: "auto",
        set: |layer, text| fill(&mut layer.times, layer::times(text)),
    },
    Key {
        name: "observe",
        kind: Kind::Path,
        about: "a folder that every single case is written into, for Tyche",
        usual: "none",
        set: |layer, text| fill(&mut layer.observe, Ok(PathBuf::from(text))),
    },
];

/// The names of formats.
pub(crate) fn formats() -> Vec<&'static str> {
    names(FORMATS)
}

fn names<T>(table: &[(&'static str, T)]) -> Vec<&'static str> {
    table.iter().map(|(name, _)| *name).collect()
}

fn fill<T>(place: &mut Option<T>, value: Result<T, String>) -> Result<(), String> {
    *place = Some(value?);
    Ok(())
}

fn put<T>(place: &mut Vec<T>, value: Result<T, String>) -> Result<(), String> {
    place.push(value?);
    Ok(())
}

//! The table of all settings. The file parser, the environment and the schema are derived from it.

use std::path::PathBuf;

use super::layer::{self, ConfigLayer, HOSTILITIES, SAVED_CASE_POLICIES, TIMES};
use crate::arguments::parse;
use crate::report::{LINTS, PROFILES, REPORT_FORMATS};

/// A setting.
#[derive(Debug)]
pub(crate) struct SettingKey {
    /// Its name in `gainsay.toml`.
    pub(crate) name: &'static str,
    /// The type of its values.
    pub(crate) kind: SettingKind,
    /// What it does, as a phrase.
    pub(crate) about: &'static str,
    /// Its default, as a phrase.
    pub(crate) default_value: &'static str,
    /// Sets one value; called once per element for lists.
    pub(crate) set: fn(&mut ConfigLayer, &str) -> Result<(), String>,
}

/// The type of a setting.
#[derive(Debug, Copy, Clone)]
pub(crate) enum SettingKind {
    /// An integer of at least 1.
    PositiveInteger,
    /// An integer of at least 0.
    NonNegativeInteger,
    /// An integer below 2^64, or such an integer as text.
    Seed,
    /// A duration with its unit, as text.
    Duration,
    /// `true` or `false`.
    Flag,
    /// One of these words.
    OneOf(fn() -> Vec<&'static str>),
    /// Any of these words.
    AnyOf(fn() -> Vec<&'static str>),
    /// Formats, each optionally with a file.
    Formats,
    /// A path.
    Path,
    /// Paths.
    Paths,
}

impl SettingKind {
    /// Whether it accepts several values.
    pub(crate) fn is_list(self) -> bool {
        match self {
            Self::AnyOf(_) | Self::Formats | Self::Paths => true,
            Self::PositiveInteger
            | Self::NonNegativeInteger
            | Self::Seed
            | Self::Duration
            | Self::Flag
            | Self::OneOf(_)
            | Self::Path => false,
        }
    }

    /// A description for error messages, after "expected".
    pub(crate) fn expected(self) -> &'static str {
        match self {
            Self::PositiveInteger | Self::NonNegativeInteger => "a number",
            Self::Seed => "a number, or a string such as \"0x2a\"",
            Self::Duration => "a string such as \"30s\"",
            Self::Flag => "true or false",
            Self::OneOf(_) | Self::Path => "a string",
            Self::AnyOf(_) | Self::Formats | Self::Paths => "a list of strings",
        }
    }
}

impl SettingKey {
    /// The environment variable that also sets it; list elements are separated by commas.
    pub(crate) fn variable(&self) -> Option<String> {
        // Paths depend on the current folder, so no variable sets them.
        (!matches!(self.kind, SettingKind::Paths)).then(|| variable_name(self.name))
    }

    /// Whether a profile can set it.
    pub(crate) fn is_for_profiles(&self) -> bool {
        self.name != "profile"
    }
}

/// Settings that were renamed: the former name and the present one.
const RENAMED: &[(&str, &str)] = &[("kept-cases", "saved-cases")];

/// The present name of a renamed setting.
pub(crate) fn renamed_setting(name: &str) -> Option<&'static str> {
    RENAMED.iter().find(|(former, _)| *former == name).map(|(_, now)| *now)
}

/// The variables of renamed settings, former and present.
pub(crate) fn renamed_variables() -> impl Iterator<Item = (String, String)> {
    RENAMED.iter().map(|(former, now)| (variable_name(former), variable_name(now)))
}

/// The environment variable of a setting.
pub(crate) fn variable_name(setting: &str) -> String {
    format!("GAINSAY_{}", setting.replace('-', "_").to_uppercase())
}

/// Every setting.
pub(crate) const KEYS: &[SettingKey] = &[
    SettingKey {
        name: "paths",
        kind: SettingKind::Paths,
        about: "files and folders to test when none are named",
        default_value: "the current folder",
        set: |layer, text| append(&mut layer.paths, Ok(PathBuf::from(text))),
    },
    SettingKey {
        name: "profile",
        kind: SettingKind::OneOf(|| table_names(PROFILES)),
        about: "the profile to use when none is named",
        default_value: "ci if CI is set, otherwise default",
        set: |layer, text| assign(&mut layer.profile, layer::profile(text)),
    },
    SettingKey {
        name: "cases",
        kind: SettingKind::PositiveInteger,
        about: "the number of cases of each `across` and property that does not set its own; \
                the command line and the environment override the source",
        default_value: "100 to 10,000, by effort",
        set: |layer, text| assign(&mut layer.cases, parse::count(text)),
    },
    SettingKey {
        name: "time",
        kind: SettingKind::Duration,
        about: "how long each `across` and property runs, instead of a number of cases",
        default_value: "no limit",
        set: |layer, text| assign(&mut layer.time, parse::duration(text)),
    },
    SettingKey {
        name: "seed",
        kind: SettingKind::Seed,
        about: "the random seed",
        default_value: "from the system",
        set: |layer, text| assign(&mut layer.seed, parse::seed(text)),
    },
    SettingKey {
        name: "max-shrinks",
        kind: SettingKind::NonNegativeInteger,
        about: "the maximum number of runs to shrink a counterexample",
        default_value: "20000",
        set: |layer, text| assign(&mut layer.max_shrinks, parse::amount(text)),
    },
    SettingKey {
        name: "shrink-time",
        kind: SettingKind::Duration,
        about: "the maximum time to shrink a counterexample",
        default_value: "5s",
        set: |layer, text| assign(&mut layer.shrink_time, parse::duration(text)),
    },
    SettingKey {
        name: "steps",
        kind: SettingKind::PositiveInteger,
        about: "the step limit of a case, unless a property sets its own; the command line and \
                the environment override the source",
        default_value: "10,000,000",
        set: |layer, text| assign(&mut layer.steps, parse::count(text)),
    },
    SettingKey {
        name: "jobs",
        kind: SettingKind::PositiveInteger,
        about: "the number of threads",
        default_value: "the number of processors",
        set: |layer, text| assign(&mut layer.jobs, parse::count(text)),
    },
    SettingKey {
        name: "fail-fast",
        kind: SettingKind::Flag,
        about: "whether to skip the remaining claims after a failure",
        default_value: "false",
        set: |layer, text| assign(&mut layer.fail_fast, layer::flag(text)),
    },
    SettingKey {
        name: "max-fail",
        kind: SettingKind::PositiveInteger,
        about: "skip the remaining claims after this many failures",
        default_value: "no limit; 1 with fail-fast",
        set: |layer, text| assign(&mut layer.max_fail, parse::count(text)),
    },
    SettingKey {
        name: "hostile",
        kind: SettingKind::OneOf(|| table_names(HOSTILITIES)),
        about: "how to run laws in addition to their declared cases",
        default_value: "none",
        set: |layer, text| assign(&mut layer.hostility, layer::hostility(text)),
    },
    SettingKey {
        name: "explore",
        kind: SettingKind::Flag,
        about: "whether to run laws with generated inputs, too",
        default_value: "false",
        set: |layer, text| assign(&mut layer.explores, layer::flag(text)),
    },
    SettingKey {
        name: "max-block-cases",
        kind: SettingKind::PositiveInteger,
        about: "the maximum number of cases of a `verify` block; a block with more fails",
        default_value: "10,000",
        set: |layer, text| assign(&mut layer.max_block_cases, parse::count(text)),
    },
    SettingKey {
        name: "saved-cases",
        kind: SettingKind::OneOf(|| table_names(SAVED_CASE_POLICIES)),
        about: "whether to run saved cases and save new ones, only run them, or ignore them",
        default_value: "use",
        set: |layer, text| assign(&mut layer.saved_cases, layer::saved_case_policy(text)),
    },
    SettingKey {
        name: "deny",
        kind: SettingKind::AnyOf(|| table_names(LINTS)),
        about: "warnings that make a run fail",
        default_value: "none",
        set: |layer, text| append(&mut layer.deny, layer::lint(text)),
    },
    SettingKey {
        name: "format",
        kind: SettingKind::Formats,
        about: "reports: human, json, ndjson, junit, sarif or github, each optionally with =FILE",
        default_value: "human",
        set: |layer, text| append(&mut layer.formats, layer::target(text)),
    },
    SettingKey {
        name: "times",
        kind: SettingKind::OneOf(|| table_names(TIMES)),
        about: "whether to show durations",
        default_value: "auto",
        set: |layer, text| assign(&mut layer.times, layer::times(text)),
    },
    SettingKey {
        name: "observe",
        kind: SettingKind::Path,
        about: "a folder to write every single case to, for Tyche",
        default_value: "none",
        set: |layer, text| assign(&mut layer.observe, Ok(PathBuf::from(text))),
    },
];

/// The names of formats.
pub(crate) fn format_names() -> Vec<&'static str> {
    table_names(REPORT_FORMATS)
}

fn table_names<T>(table: &[(&'static str, T)]) -> Vec<&'static str> {
    table.iter().map(|(name, _)| *name).collect()
}

fn assign<T>(place: &mut Option<T>, value: Result<T, String>) -> Result<(), String> {
    *place = Some(value?);
    Ok(())
}

fn append<T>(place: &mut Vec<T>, value: Result<T, String>) -> Result<(), String> {
    place.push(value?);
    Ok(())
}

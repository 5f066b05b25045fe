//! One layer of settings (a source of configuration), and the parsers for their values.

use std::path::{Path, PathBuf};
use std::time::Duration;

use gainsay::source::closest_name;
use gainsay::test::{HostileMode, RunProfile, SavedCasePolicy};

use crate::report::{
    DeniableLint, LINTS, MUTANT_REPORT_FORMATS, MutantReportFormat, PROFILES, REPORT_FORMATS,
    ReportFormat,
};

/// The settings from one source: the command line, the environment, or a table of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ConfigLayer {
    pub(crate) cases: Option<u64>,
    pub(crate) time: Option<Duration>,
    pub(crate) seed: Option<u64>,
    pub(crate) max_shrinks: Option<u64>,
    pub(crate) shrink_time: Option<Duration>,
    pub(crate) steps: Option<u64>,
    pub(crate) jobs: Option<u64>,
    pub(crate) fail_fast: Option<bool>,
    pub(crate) max_fail: Option<u64>,
    pub(crate) saved_cases: Option<SavedCasePolicy>,
    pub(crate) max_block_cases: Option<u64>,
    pub(crate) hostility: Option<HostileMode>,
    pub(crate) explores: Option<bool>,
    pub(crate) profile: Option<RunProfile>,
    pub(crate) times: Option<TimesChoice>,
    pub(crate) observe: Option<PathBuf>,
    pub(crate) formats: Vec<ReportTarget>,
    pub(crate) deny: Vec<DeniableLint>,
    pub(crate) paths: Vec<PathBuf>,
}

impl ConfigLayer {
    /// Makes relative paths relative to a folder.
    pub(crate) fn resolve_paths(&mut self, folder: &Path) {
        let files = self.formats.iter_mut().filter_map(|it| it.file.as_mut());
        let paths = self.paths.iter_mut().chain(&mut self.observe).chain(files);
        // A path in the file means the same wherever the command is run.
        paths.for_each(|path| *path = folder.join(&*path));
    }

    /// Two settings of this layer that exclude each other, if any.
    pub(crate) fn conflicting_settings(&self) -> Option<(&'static str, &'static str)> {
        if self.cases.is_some() && self.time.is_some() {
            return Some(("time", "cases"));
        }
        (self.fail_fast.is_some() && self.max_fail.is_some())
            .then_some(("max-fail", "fail-fast"))
    }
}

/// A report and its destination: stdout unless there is a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReportTarget {
    pub(crate) format: ReportFormat,
    pub(crate) file: Option<PathBuf>,
}

/// A mutation report and its destination: stdout unless there is a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MutantReportTarget {
    pub(crate) format: MutantReportFormat,
    pub(crate) file: Option<PathBuf>,
}

/// When durations are shown.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum TimesChoice {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

pub(crate) const TIMES: &[(&str, TimesChoice)] = &[
    ("auto", TimesChoice::Auto),
    ("always", TimesChoice::Always),
    ("never", TimesChoice::Never),
];

pub(crate) const SAVED_CASE_POLICIES: &[(&str, SavedCasePolicy)] = &[
    ("use", SavedCasePolicy::Use),
    ("read", SavedCasePolicy::Read),
    ("ignore", SavedCasePolicy::Ignore),
];

pub(crate) const HOSTILITIES: &[(&str, HostileMode)] = &[
    ("none", HostileMode::None),
    ("profiles", HostileMode::Profiles),
    ("fuzz", HostileMode::Fuzz),
];

/// Parses a profile.
pub(crate) fn profile(text: &str) -> Result<RunProfile, String> {
    one_of(PROFILES, text)
}

/// Parses a lint.
pub(crate) fn lint(text: &str) -> Result<DeniableLint, String> {
    one_of(LINTS, text)
}

/// Parses when durations are shown.
pub(crate) fn times(text: &str) -> Result<TimesChoice, String> {
    one_of(TIMES, text)
}

/// Parses the policy for saved cases.
pub(crate) fn saved_case_policy(text: &str) -> Result<SavedCasePolicy, String> {
    one_of(SAVED_CASE_POLICIES, text)
}

/// Parses the hostile mode of laws.
pub(crate) fn hostility(text: &str) -> Result<HostileMode, String> {
    one_of(HOSTILITIES, text)
}

/// `true` or `false`.
pub(crate) fn flag(text: &str) -> Result<bool, String> {
    one_of(&[("true", true), ("false", false), ("1", true), ("0", false)], text)
}

/// `junit`, or `junit=report.xml`.
pub(crate) fn target(text: &str) -> Result<ReportTarget, String> {
    let (name, file) = split_file(text)?;
    Ok(ReportTarget { format: one_of(REPORT_FORMATS, name)?, file })
}

/// `html=mutants.html`.
pub(crate) fn mutant_target(text: &str) -> Result<MutantReportTarget, String> {
    let (name, file) = split_file(text)?;
    Ok(MutantReportTarget { format: one_of(MUTANT_REPORT_FORMATS, name)?, file })
}

fn split_file(text: &str) -> Result<(&str, Option<PathBuf>), String> {
    match text.split_once('=') {
        Some((_, "")) => Err("expected a file name after `=`".to_owned()),
        Some((name, file)) => Ok((name, Some(PathBuf::from(file)))),
        None => Ok((text, None)),
    }
}

fn one_of<T: Copy>(table: &[(&str, T)], text: &str) -> Result<T, String> {
    if let Some((_, value)) = table.iter().find(|(name, _)| *name == text) {
        return Ok(*value);
    }
    let names: Vec<&str> = table.iter().map(|(name, _)| *name).collect();
    let close = closest_name(text, names.iter().copied());
    let hint = close.map_or_else(String::new, |it| format!("; did you mean `{it}`?"));
    Err(format!("expected one of {}{hint}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{LINTS, PROFILES, ReportFormat, ReportTarget, flag, lint, profile, target};
    use crate::report::profile_name;

    #[test]
    fn words_are_read_and_slips_get_a_hint() {
        assert_eq!(flag("true"), Ok(true));
        let junit =
            ReportTarget { format: ReportFormat::Junit, file: Some(PathBuf::from("a=b.xml")) };
        assert_eq!(target("junit=a=b.xml"), Ok(junit));
        assert_eq!(target("json"), Ok(ReportTarget { format: ReportFormat::Json, file: None }));
        assert!(target("junit=").is_err());
        assert!(profile("thoruogh").unwrap_err().ends_with("; did you mean `thorough`?"));
        for (name, value) in LINTS {
            assert_eq!((lint(name), value.name()), (Ok(*value), *name));
        }
        for (name, value) in PROFILES {
            assert_eq!((profile(name), profile_name(*value)), (Ok(*value), *name));
        }
    }
}

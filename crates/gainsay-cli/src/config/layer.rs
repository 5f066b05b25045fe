//! What one place sets, and how the words for it are read.

use std::path::{Path, PathBuf};
use std::time::Duration;

use gainsay::source::closest_name;
use gainsay::test::{HostileMode, RunProfile, SavedCasePolicy};

/// What one place sets: the command line, the environment, a table of a file.
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
    /// Takes paths to be meant from a folder.
    pub(crate) fn resolve_paths(&mut self, folder: &Path) {
        let files = self.formats.iter_mut().filter_map(|it| it.file.as_mut());
        let paths = self.paths.iter_mut().chain(&mut self.observe).chain(files);
        paths.for_each(|path| *path = folder.join(&*path));
    }

    /// Two settings of one place that exclude each other.
    pub(crate) fn conflicting_settings(&self) -> Option<(&'static str, &'static str)> {
        if self.cases.is_some() && self.time.is_some() {
            return Some(("time", "cases"));
        }
        (self.fail_fast.is_some() && self.max_fail.is_some())
            .then_some(("max-fail", "fail-fast"))
    }
}

/// A report, and where it goes: to the output unless there is a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReportTarget {
    pub(crate) format: ReportFormat,
    pub(crate) file: Option<PathBuf>,
}

/// How a report is written.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum ReportFormat {
    /// For people.
    Human,
    /// One JSON document.
    Json,
    /// A JSON object per line, while the run lasts.
    Ndjson,
    /// XML as Jenkins reads it.
    Junit,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations of GitHub.
    Github,
}

/// A report about mutants, and where it goes: to the output unless there is a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MutantReportTarget {
    pub(crate) format: MutantReportFormat,
    pub(crate) file: Option<PathBuf>,
}

/// How a report about mutants is written.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum MutantReportFormat {
    /// For people.
    Human,
    /// The report schema that tools for mutation testing share.
    Json,
    /// A page to look at.
    Html,
    /// XML as Jenkins reads it.
    Junit,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations of GitHub.
    Github,
}

/// When durations are shown.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum TimesChoice {
    /// To a person at a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What may be refused although it is not wrong.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum DeniableLint {
    /// A claim that observes nothing.
    Placebo,
    /// An observation that comes out the same whatever the code does.
    ConstantObserve,
    /// An observation that is never made.
    DeadObserve,
    /// A test whose observations all leave room for wrong answers.
    LooseTest,
    /// Many cases did not count.
    Discards,
    /// Many cases were the same.
    Duplicates,
    /// A refinement or `where` that is filtered, not solved.
    Filtered,
    /// A refinement that is filtered, and keeps hardly anything but one value.
    WeakGenerator,
    /// An `across` that no case came to.
    UnreachedAcross,
    /// Too few cases to say whether `cover` is met.
    UnclearCover,
    /// A kept case that cannot be used any more.
    StaleCases,
    /// A law of which `when` leaves out every case that hostility adds.
    HostileVacuous,
    /// Every one of them.
    Warnings,
}

const MUTANT_REPORT_FORMATS: &[(&str, MutantReportFormat)] = &[
    ("human", MutantReportFormat::Human),
    ("json", MutantReportFormat::Json),
    ("html", MutantReportFormat::Html),
    ("junit", MutantReportFormat::Junit),
    ("sarif", MutantReportFormat::Sarif),
    ("github", MutantReportFormat::Github),
];

pub(crate) const REPORT_FORMATS: &[(&str, ReportFormat)] = &[
    ("human", ReportFormat::Human),
    ("json", ReportFormat::Json),
    ("ndjson", ReportFormat::Ndjson),
    ("junit", ReportFormat::Junit),
    ("sarif", ReportFormat::Sarif),
    ("github", ReportFormat::Github),
];

pub(crate) const TIMES: &[(&str, TimesChoice)] = &[
    ("auto", TimesChoice::Auto),
    ("always", TimesChoice::Always),
    ("never", TimesChoice::Never),
];

pub(crate) const LINTS: &[(&str, DeniableLint)] = &[
    ("placebo", DeniableLint::Placebo),
    ("constant-observe", DeniableLint::ConstantObserve),
    ("dead-observe", DeniableLint::DeadObserve),
    ("loose-test", DeniableLint::LooseTest),
    ("discards", DeniableLint::Discards),
    ("duplicates", DeniableLint::Duplicates),
    ("filtered", DeniableLint::Filtered),
    ("weak-generator", DeniableLint::WeakGenerator),
    ("unreached-across", DeniableLint::UnreachedAcross),
    ("unclear-cover", DeniableLint::UnclearCover),
    ("stale-cases", DeniableLint::StaleCases),
    ("hostile-vacuous", DeniableLint::HostileVacuous),
    ("warnings", DeniableLint::Warnings),
];

pub(crate) const PROFILES: &[(&str, RunProfile)] = &[
    ("default", RunProfile::Default),
    ("ci", RunProfile::Ci),
    ("thorough", RunProfile::Thorough),
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

impl DeniableLint {
    /// As it is written.
    pub(crate) fn name(self) -> &'static str {
        name_of(LINTS, self)
    }

    /// Whether this lint is among those that are denied.
    pub(crate) fn is_denied(self, deny: &[Self]) -> bool {
        deny.contains(&self) || deny.contains(&Self::Warnings)
    }
}

/// As a profile is written.
pub(crate) fn profile_name(profile: RunProfile) -> &'static str {
    name_of(PROFILES, profile)
}

/// A profile by its name.
pub(crate) fn profile(text: &str) -> Result<RunProfile, String> {
    one_of(PROFILES, text)
}

/// A lint by its name.
pub(crate) fn lint(text: &str) -> Result<DeniableLint, String> {
    one_of(LINTS, text)
}

/// When durations are shown.
pub(crate) fn times(text: &str) -> Result<TimesChoice, String> {
    one_of(TIMES, text)
}

/// What is done with kept cases.
pub(crate) fn saved_case_policy(text: &str) -> Result<SavedCasePolicy, String> {
    one_of(SAVED_CASE_POLICIES, text)
}

/// What is done to laws.
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

fn name_of<T: Copy + PartialEq>(table: &'static [(&'static str, T)], value: T) -> &'static str {
    let found = table.iter().find(|(_, it)| *it == value);
    found.map(|(name, _)| *name).expect("the table has every value")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{
        DeniableLint, LINTS, PROFILES, ReportFormat, ReportTarget, flag, lint, profile, target,
    };

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
            assert_eq!((profile(name), super::profile_name(*value)), (Ok(*value), *name));
        }
    }

    #[test]
    fn to_deny_warnings_is_to_deny_each() {
        assert!(DeniableLint::Placebo.is_denied(&[DeniableLint::Warnings]));
        assert!(DeniableLint::Placebo.is_denied(&[DeniableLint::Placebo]));
        assert!(!DeniableLint::Placebo.is_denied(&[DeniableLint::Discards]));
    }
}

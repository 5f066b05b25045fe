//! The formats of reports, and the names of formats and profiles.

use gainsay::test::RunProfile;

/// The format of a test report.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum ReportFormat {
    /// For people.
    Human,
    /// One JSON document.
    Json,
    /// One JSON object per line, written during the run.
    Ndjson,
    /// JUnit XML, as Jenkins reads it.
    Junit,
    /// SARIF 2.1.0.
    Sarif,
    /// GitHub annotations.
    Github,
}

/// The format of a mutation report.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum MutantReportFormat {
    /// For people.
    Human,
    /// The report schema shared by mutation testing tools.
    Json,
    /// An HTML page.
    Html,
    /// JUnit XML, as Jenkins reads it.
    Junit,
    /// SARIF 2.1.0.
    Sarif,
    /// GitHub annotations.
    Github,
}

/// The names of the formats of mutation reports.
pub(crate) const MUTANT_REPORT_FORMATS: &[(&str, MutantReportFormat)] = &[
    ("human", MutantReportFormat::Human),
    ("json", MutantReportFormat::Json),
    ("html", MutantReportFormat::Html),
    ("junit", MutantReportFormat::Junit),
    ("sarif", MutantReportFormat::Sarif),
    ("github", MutantReportFormat::Github),
];

/// The names of the formats of test reports.
pub(crate) const REPORT_FORMATS: &[(&str, ReportFormat)] = &[
    ("human", ReportFormat::Human),
    ("json", ReportFormat::Json),
    ("ndjson", ReportFormat::Ndjson),
    ("junit", ReportFormat::Junit),
    ("sarif", ReportFormat::Sarif),
    ("github", ReportFormat::Github),
];

/// The names of the profiles.
pub(crate) const PROFILES: &[(&str, RunProfile)] = &[
    ("default", RunProfile::Default),
    ("ci", RunProfile::Ci),
    ("thorough", RunProfile::Thorough),
];

/// The name of a profile.
pub(crate) fn profile_name(profile: RunProfile) -> &'static str {
    name_of(PROFILES, profile)
}

/// The name of a value in a table that names every value.
pub(super) fn name_of<T: Copy + PartialEq>(
    table: &'static [(&'static str, T)],
    value: T,
) -> &'static str {
    let found = table.iter().find(|(_, it)| *it == value);
    found.map(|(name, _)| *name).expect("the table has every value")
}

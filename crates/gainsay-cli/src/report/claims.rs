//! Test reports: the results of claims for people, and in machine-readable formats.
//!
//! **Invariant:** A report is a pure function of a [`TestReportData`]: equal data gives equal
//! bytes.

mod failure;
mod flaky;
mod github;
mod human;
mod json;
mod junit;
mod ndjson;
mod records;
mod sarif;
mod tables;
mod tyche;
mod verify_blocks;
mod walks;
mod warnings;

#[cfg(test)]
mod book_tables;
#[cfg(test)]
mod fixture;

use std::time::Duration;

use gainsay::source::codes::{self, DiagnosticCode};
use gainsay::source::{Diagnostic, FileId, RenderStyle, SourceMap, Span};
use gainsay::test::{ClaimReport, ClaimStatus, Failure, Report, RunProfile};

pub(crate) use self::failure::{sections as human_sections, source as as_source};
pub(crate) use self::human::{ReportLayout, claim as human_claim, closing as human_closing};
pub(crate) use self::ndjson::{
    claim as ndjson_claim, start as ndjson_start, summary as ndjson_summary,
};
pub(crate) use self::tables::bar;
pub(crate) use self::tyche::TycheWriter;

use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::report::{DeniableLint, ReportFormat};

/// The input of a test report.
#[derive(Debug)]
pub(crate) struct TestReportData<'a> {
    /// The source texts.
    pub(crate) files: &'a SourceMap,
    /// The number of texts, from the first, that belong to the standard library.
    pub(crate) n_standard: usize,
    /// The diagnostics of the checker.
    pub(crate) diagnostics: &'a [Diagnostic],
    /// Errors without a location.
    pub(crate) errors: &'a [CliError],
    /// The results of the claims; empty if they could not be run.
    pub(crate) report: &'a Report,
    /// The profile of the run.
    pub(crate) profile: RunProfile,
    /// Warnings that count as failures.
    pub(crate) deny: &'a [DeniableLint],
    /// Whether durations are part of the report.
    pub(crate) durations: DurationDisplay,
    /// The exit status.
    pub(crate) exit: Exit,
}

/// Whether durations are part of a report.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum DurationDisplay {
    /// Yes; then no two reports are the same.
    Shown,
    /// No.
    Hidden,
}

impl DurationDisplay {
    /// The seconds, if durations are shown.
    fn seconds(self, time: Duration) -> Option<f64> {
        // More digits would be noise.
        let rounded = (time.as_secs_f64() * 1_000.0).round() / 1_000.0;
        (self == Self::Shown).then_some(rounded)
    }
}

impl TestReportData<'_> {
    fn is_standard(&self, file: FileId) -> bool {
        (file.0 as usize) < self.n_standard
    }

    /// The location of a failure in the user's sources.
    fn failure_span(&self, claim: &ClaimReport, failure: &Failure) -> Span {
        let primary = std::iter::once(&failure.fault.primary);
        let labels = primary.chain(&failure.fault.secondary).map(|label| label.span);
        let mut places = labels.chain(failure.site);
        places.find(|span| !self.is_standard(span.file)).unwrap_or(claim.span)
    }
}

/// The status of a claim, taking denied warnings into account.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum DisplayStatus {
    Passed,
    Failed,
    Vacuous,
    Limit,
    Declined,
    Interrupted,
    Flaky,
    Ignored,
    Skipped,
    /// Nothing is bound to the system that it needs.
    Unbound,
}

impl DisplayStatus {
    /// The status of a claim.
    pub(crate) fn of(claim: &ClaimReport, deny: &[DeniableLint]) -> Self {
        let denied = || {
            claim.warnings.iter().any(|it| warnings::is_denied(it, deny))
                || (!claim.narrowed.is_empty() && deny.contains(&DeniableLint::Narrowed))
        };
        match &claim.status {
            ClaimStatus::Pass if denied() => Self::Failed,
            ClaimStatus::Pass => Self::Passed,
            ClaimStatus::Fail => Self::Failed,
            ClaimStatus::Vacuous => Self::Vacuous,
            ClaimStatus::Limit => Self::Limit,
            ClaimStatus::Declined => Self::Declined,
            ClaimStatus::Interrupted => Self::Interrupted,
            ClaimStatus::Flaky => Self::Flaky,
            ClaimStatus::Ignored(_) => Self::Ignored,
            ClaimStatus::Skipped => Self::Skipped,
            ClaimStatus::Unbound(_) => Self::Unbound,
        }
    }

    /// The word for people.
    fn label(self) -> &'static str {
        match self {
            Self::Passed => "PASS",
            Self::Failed => "FAIL",
            Self::Vacuous => "VACUOUS",
            Self::Limit => "LIMIT",
            Self::Declined => "DECLINED",
            Self::Interrupted => "INTERRUPTED",
            Self::Flaky => "FLAKY",
            Self::Ignored => "IGNORED",
            Self::Skipped => "SKIPPED",
            Self::Unbound => "UNBOUND",
        }
    }

    /// The name in JSON.
    fn json_name(self) -> &'static str {
        match self {
            Self::Passed => "pass",
            Self::Failed => "fail",
            Self::Vacuous => "vacuous",
            Self::Limit => "limit",
            Self::Declined => "declined",
            Self::Interrupted => "interrupted",
            Self::Flaky => "flaky",
            Self::Ignored => "ignored",
            Self::Skipped => "skipped",
            Self::Unbound => "unbound",
        }
    }

    /// Whether the user needs to act.
    pub(crate) fn needs_attention(self) -> bool {
        match self {
            Self::Failed | Self::Vacuous | Self::Limit | Self::Declined => true,
            Self::Interrupted | Self::Flaky => true,
            Self::Passed | Self::Ignored | Self::Skipped | Self::Unbound => false,
        }
    }

    fn exit(self) -> Exit {
        match self {
            Self::Passed | Self::Ignored | Self::Skipped | Self::Unbound => Exit::Success,
            Self::Failed => Exit::Failed,
            Self::Vacuous | Self::Limit | Self::Declined => Exit::Inconclusive,
            Self::Interrupted => Exit::Interrupted,
            Self::Flaky => Exit::NotDeterministic,
        }
    }
}

/// The exit status of a run. Of several reasons the first of these counts: 130, 1, 6, 3; and 4 if
/// nothing at all was run, or 3 if only systems were missing for it.
pub(crate) fn exit(report: &Report, deny: &[DeniableLint]) -> Exit {
    if report.interrupted {
        return Exit::Interrupted;
    }
    let standings = || report.claims.iter().map(|claim| DisplayStatus::of(claim, deny));
    if standings().all(|it| it == DisplayStatus::Ignored) {
        return Exit::NothingToRun;
    }
    let is_idle = |it| matches!(it, DisplayStatus::Ignored | DisplayStatus::Unbound);
    if standings().all(is_idle) {
        return Exit::Inconclusive;
    }
    standings().map(DisplayStatus::exit).fold(Exit::Success, Exit::combine)
}

/// The deniable warnings of the checker, each with its lint.
const CHECKER_LINTS: [(DiagnosticCode, DeniableLint); 4] = [
    (codes::PLACEBO_TEST, DeniableLint::Placebo),
    (codes::CONSTANT_OBSERVE, DeniableLint::ConstantObserve),
    (codes::DEAD_OBSERVE, DeniableLint::DeadObserve),
    (codes::LOOSE_TEST, DeniableLint::LooseTest),
];

/// The denied warnings of the checker, each with its count.
pub(crate) fn denied_warnings(
    diagnostics: &[Diagnostic],
    deny: &[DeniableLint],
) -> Vec<(DeniableLint, usize)> {
    let denied = CHECKER_LINTS
        .iter()
        .filter(|(_, lint)| lint.is_denied(deny))
        .map(|(code, lint)| (*lint, diagnostics.iter().filter(|it| it.code == *code).count()));
    denied.filter(|(_, n)| *n > 0).collect()
}

/// The number of claims by status.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
struct StatusCounts {
    passed: u64,
    failed: u64,
    vacuous: u64,
    limit: u64,
    declined: u64,
    interrupted: u64,
    flaky: u64,
    ignored: u64,
    skipped: u64,
    unbound: u64,
    cases: u64,
}

impl StatusCounts {
    fn of(data: &TestReportData<'_>) -> Self {
        let mut tally = Self::default();
        for claim in &data.report.claims {
            tally.cases += claim.cases;
            *match DisplayStatus::of(claim, data.deny) {
                DisplayStatus::Passed => &mut tally.passed,
                DisplayStatus::Failed => &mut tally.failed,
                DisplayStatus::Vacuous => &mut tally.vacuous,
                DisplayStatus::Limit => &mut tally.limit,
                DisplayStatus::Declined => &mut tally.declined,
                DisplayStatus::Interrupted => &mut tally.interrupted,
                DisplayStatus::Flaky => &mut tally.flaky,
                DisplayStatus::Ignored => &mut tally.ignored,
                DisplayStatus::Skipped => &mut tally.skipped,
                DisplayStatus::Unbound => &mut tally.unbound,
            } += 1;
        }
        tally
    }
}

/// Renders a whole report in a format.
pub(crate) fn render(
    format: ReportFormat,
    data: &TestReportData<'_>,
    style: RenderStyle,
) -> String {
    match format {
        ReportFormat::Human => human::render(data, style),
        ReportFormat::Json => json::document(data),
        ReportFormat::Ndjson => ndjson::render(data),
        ReportFormat::Junit => junit::document(data),
        ReportFormat::Sarif => sarif::document(data),
        ReportFormat::Github => github::lines(data),
    }
}

/// Quotes a word for the shell, for replay commands.
fn shell_quoted(text: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "_-:./".contains(it);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use gainsay::test::{ClaimStatus, ClaimWarning, Report};

    use super::{DisplayStatus, exit, fixture, shell_quoted};
    use crate::exit::Exit;
    use crate::report::DeniableLint;

    fn exit_of(statuses: &[ClaimStatus]) -> Exit {
        let claims = statuses.iter().map(|it| fixture::claim("a", "b", it.clone())).collect();
        exit(&Report { claims, ..fixture::empty() }, &[])
    }

    #[test]
    fn the_weightiest_standing_decides_how_the_process_ends() {
        use ClaimStatus::{Declined, Fail, Flaky, Pass, Skipped, Vacuous};
        assert_eq!(exit_of(&[Pass, Pass]), Exit::Success);
        assert_eq!(exit_of(&[Pass, Fail, Skipped, Flaky, Vacuous]), Exit::Failed);
        assert_eq!(exit_of(&[Pass, Declined, Flaky]), Exit::NotDeterministic);
        assert_eq!(exit_of(&[Pass, Declined]), Exit::Inconclusive);
        assert_eq!(exit_of(&[Vacuous, Pass]), Exit::Inconclusive);
        let ignored = ClaimStatus::Ignored("slow".to_owned());
        assert_eq!(exit_of(&[ignored.clone(), Pass]), Exit::Success);
        assert_eq!(exit_of(&[ignored]), Exit::NothingToRun);
        assert_eq!(exit_of(&[]), Exit::NothingToRun);
        let claims = vec![fixture::claim("a", "b", Fail)];
        let stopped = Report { claims, interrupted: true, ..fixture::empty() };
        assert_eq!(exit(&stopped, &[]), Exit::Interrupted);
    }

    #[test]
    fn what_is_denied_fails() {
        let mut claim = fixture::claim("a", "b", ClaimStatus::Pass);
        claim.warnings.push(ClaimWarning::Placebo);
        assert_eq!(DisplayStatus::of(&claim, &[]), DisplayStatus::Passed);
        assert_eq!(DisplayStatus::of(&claim, &[DeniableLint::Discards]), DisplayStatus::Passed);
        assert_eq!(DisplayStatus::of(&claim, &[DeniableLint::Placebo]), DisplayStatus::Failed);
        assert_eq!(DisplayStatus::of(&claim, &[DeniableLint::Warnings]), DisplayStatus::Failed);
    }

    #[test]
    fn names_are_words_for_the_shell() {
        assert_eq!(shell_quoted("ledger::transfer"), "ledger::transfer");
        assert_eq!(shell_quoted("ledger::it's $5"), r"'ledger::it'\''s $5'");
        assert_eq!(shell_quoted(""), "''");
    }
}

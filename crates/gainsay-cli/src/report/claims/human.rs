//! The report for people: one line per claim, then the failures, then a summary.

use std::fmt::Write as _;
use std::time::Duration;

use gainsay::source::{RenderStyle, replace_control_characters};
use gainsay::test::{ClaimReport, ClaimStatus, SiteStopReason};

use super::{
    DisplayStatus, DurationDisplay, StatusCounts, TestReportData, failure, tables,
    verify_blocks, walks, warnings,
};
use crate::exit::Exit;
use crate::report::DeniableLint;
use crate::report::Verbosity;
use crate::report::colors::{TextRole, paint};
use crate::report::{on_one_line, pluralize};

/// The maximum width of the name column; longer names overflow.
const WIDEST_NAME: usize = 56;

/// The width of the longest status except `INTERRUPTED`, which may overflow.
const STATUS_WIDTH: usize = 8;

/// The layout of claim lines.
#[derive(Debug, Clone)]
pub(crate) struct ReportLayout {
    /// Colours, if any.
    pub(crate) style: RenderStyle,
    /// How much is said.
    pub(crate) verbosity: Verbosity,
    /// Whether durations are shown.
    pub(crate) durations: DurationDisplay,
    /// The width of the name column.
    pub(crate) name_width: usize,
    /// The width of the terminal, if it is one.
    pub(crate) columns: Option<usize>,
}

impl ReportLayout {
    /// The layout for claims with these names.
    pub(crate) fn new<'a>(
        style: RenderStyle,
        detail: Verbosity,
        times: DurationDisplay,
        names: impl Iterator<Item = &'a str>,
    ) -> Self {
        // A single long name would push the details of all others to the right.
        let widths = names.map(|name| name.chars().count()).filter(|it| *it <= WIDEST_NAME);
        let name_width = widths.max().unwrap_or(0);
        Self { style, verbosity: detail, durations: times, name_width, columns: None }
    }

    /// The same for a terminal of this width.
    #[must_use]
    pub(crate) fn with_columns(self, columns: Option<usize>) -> Self {
        Self { columns, ..self }
    }

    /// A name and its details, starting at a column: side by side or, if the terminal is too
    /// narrow, on two lines.
    fn name_and_details(&self, start: usize, name: &str, details: &str) -> String {
        if details.is_empty() {
            return name.to_owned();
        }
        let width = self.name_width;
        let beside = format!("{name:width$}  {details}");
        if self.columns.is_none_or(|it| start + beside.chars().count() <= it) {
            return beside;
        }
        format!("{name}\n{:start$}{details}", "")
    }
}

/// The whole report, as written to a file.
pub(super) fn render(data: &TestReportData<'_>, style: RenderStyle) -> String {
    let names: Vec<String> = data.report.claims.iter().map(ClaimReport::id).collect();
    let names = names.iter().map(String::as_str);
    let layout = ReportLayout::new(style, Verbosity::Normal, data.durations, names);
    let mut text = String::new();
    for it in &data.report.claims {
        text += &claim(data.files, data.deny, it, &layout);
    }
    text + &closing(data, &layout)
}

/// The line of a claim, followed by its warnings and, if verbose, its tables.
pub(crate) fn claim(
    files: &gainsay::source::SourceMap,
    deny: &[DeniableLint],
    claim: &ClaimReport,
    layout: &ReportLayout,
) -> String {
    let style = layout.style;
    let status = DisplayStatus::of(claim, deny);
    let is_shown = match layout.verbosity {
        Verbosity::Quiet => status.needs_attention(),
        // The summary counts skipped claims; a line for each would bury the failure.
        Verbosity::Normal => status != DisplayStatus::Skipped,
        Verbosity::Verbose => true,
    };
    if !is_shown {
        return String::new();
    }
    let word = format!("{:STATUS_WIDTH$}", status.label());
    let time = match layout.durations {
        DurationDisplay::Shown => format!(" [{}]", duration(claim.time)),
        DurationDisplay::Hidden => String::new(),
    };
    let mut text = paint(style, text_role(status), &word);
    if !time.is_empty() {
        text += &paint(style, TextRole::Dim, &time);
    }
    let start = word.chars().count() + time.chars().count() + 1;
    let name = claim.id().replace('\n', " ");
    let _ = writeln!(text, " {}", layout.name_and_details(start, &name, &details(claim)));
    for it in &claim.warnings {
        let remark = warnings::describe(claim, it);
        let label = match remark.lint {
            Some(lint) if lint.is_denied(deny) => {
                format!("{}[{}]", paint(style, TextRole::Failure, "error"), lint.name())
            }
            Some(lint) => {
                format!("{}[{}]", paint(style, TextRole::Warning, "warning"), lint.name())
            }
            None => "note".to_owned(),
        };
        let place = remark.span.map_or_else(String::new, |span| {
            let file = files.get(span.file);
            let at = file.position(span.start);
            format!(" ({}:{}:{})", file.name, at.line, at.column)
        });
        let _ = writeln!(text, "  {label}: {}{place}", remark.text);
    }
    if layout.verbosity == Verbosity::Verbose {
        text += &tables::tables(files, claim, style);
    }
    text
}

fn text_role(status: DisplayStatus) -> TextRole {
    match status {
        DisplayStatus::Passed => TextRole::Success,
        DisplayStatus::Failed => TextRole::Failure,
        DisplayStatus::Vacuous | DisplayStatus::Limit | DisplayStatus::Declined => {
            TextRole::Warning
        }
        DisplayStatus::Interrupted | DisplayStatus::Flaky => TextRole::Warning,
        DisplayStatus::Ignored | DisplayStatus::Skipped => TextRole::Dim,
        DisplayStatus::Unbound => TextRole::Warning,
    }
}

/// Why a claim did not run without its system.
pub(super) fn unbound_reason(system: &str) -> String {
    format!("nothing answers for `{system}`: name it with `--against`")
}

/// `100 cases, 3 discarded, 7/7 branches`.
fn details(claim: &ClaimReport) -> String {
    match &claim.status {
        ClaimStatus::Ignored(reason) => {
            return replace_control_characters(&on_one_line(reason)).into_owned();
        }
        ClaimStatus::Skipped => return String::new(),
        ClaimStatus::Unbound(system) => return unbound_reason(system),
        ClaimStatus::Pass | ClaimStatus::Fail | ClaimStatus::Vacuous | ClaimStatus::Limit => {}
        ClaimStatus::Declined | ClaimStatus::Interrupted | ClaimStatus::Flaky => {}
    }
    let mut parts = vec![case_counts(claim)];
    if claim.discards.cases() > 0 && claim.verify.is_none() {
        parts.push(format!("{} discarded", claim.discards.cases()));
    }
    parts.extend(walks::deviations(claim));
    let n_runs: u64 = claim.sites.iter().map(|site| site.hill_climbing_runs).sum();
    if n_runs > 0 {
        parts.push(format!("{} for `target`", pluralize(n_runs, "extra run")));
    }
    if let Some(reach) = claim.branch_coverage {
        parts.push(format!("{}/{} branches", reach.reached, reach.total));
    }
    if claim.failures.len() > 1 && claim.verify.is_none() {
        parts.push(format!("{} distinct failures", claim.failures.len()));
    }
    parts.join(", ")
}

fn case_counts(claim: &ClaimReport) -> String {
    if let Some(verify) = &claim.verify {
        return verify_blocks::pass_counts(verify);
    }
    if claim.sites.is_empty() {
        return pluralize(claim.n_observations, "observation");
    }
    let cases = pluralize(claim.cases, "case");
    if claim.sites.iter().all(|site| site.exhaustive) {
        return format!("all {cases}");
    }
    if claim.sites.iter().any(|site| site.stop_reason == SiteStopReason::Timeout) {
        return format!("{cases} in the given time");
    }
    cases
}

/// What follows the claim lines: the failures, then the summary.
pub(crate) fn closing(data: &TestReportData<'_>, layout: &ReportLayout) -> String {
    let mut text = String::new();
    for claim in &data.report.claims {
        text += &failure::sections(data, claim, (layout.style, layout.verbosity));
    }
    // Without failures, too, a blank line separates the claim lines from the summary.
    let gap = if data.report.claims.is_empty() { "" } else { "\n" };
    format!("{gap}{text}{}", summary(data, layout))
}

/// `FAILED: 1 of 3 claims; 2 passed (142 cases, seed 42)`.
fn summary(data: &TestReportData<'_>, layout: &ReportLayout) -> String {
    let tally = StatusCounts::of(data);
    let (word, tone) = outcome_name(data.exit);
    let n_claims = data.report.claims.len() as u64;
    let claims = pluralize(n_claims, "claim");
    // The outcome already names its own status; the others follow.
    let (own, headline) = match data.exit {
        Exit::Success if tally.passed == n_claims => ("passed", claims),
        Exit::Success => ("passed", format!("{} of {claims}", tally.passed)),
        Exit::Failed if tally.failed > 0 => ("failed", format!("{} of {claims}", tally.failed)),
        Exit::Failed | Exit::Usage | Exit::Inconclusive | Exit::NothingToRun => ("", claims),
        Exit::DoesNotCompile | Exit::NotDeterministic => ("", claims),
        Exit::Internal | Exit::Interrupted => ("", claims),
    };
    let mut text = format!("{}: {headline}", paint(layout.style, tone, word));
    let counts = [
        (tally.passed, "passed"),
        (tally.failed, "failed"),
        (tally.vacuous, "vacuous"),
        (tally.limit, "hit a limit"),
        (tally.declined, "declined"),
        (tally.interrupted, "interrupted"),
        (tally.flaky, "flaky"),
        (tally.ignored, "ignored"),
        (tally.unbound, "unbound"),
        (tally.skipped, "skipped"),
    ];
    let others = counts.iter().filter(|(count, word)| *count > 0 && *word != own);
    let others: Vec<String> = others.map(|(count, word)| format!("{count} {word}")).collect();
    if !others.is_empty() {
        let _ = write!(text, "; {}", others.join(", "));
    }
    // An interruption skips claims, too, but that is said elsewhere.
    if tally.skipped > 0 && !data.report.interrupted {
        text += " by --fail-fast";
    }
    let cases = pluralize(tally.cases, "case");
    let _ = write!(text, " ({cases}, seed {}", data.report.seed);
    if layout.durations == DurationDisplay::Shown {
        let _ = write!(text, ", {}", duration(data.report.time).trim_start());
    }
    text += ")\n";
    text
}

/// The outcome of a run, as a word.
fn outcome_name(exit: Exit) -> (&'static str, TextRole) {
    match exit {
        Exit::Success => ("PASSED", TextRole::Success),
        Exit::Failed => ("FAILED", TextRole::Failure),
        Exit::Usage => ("INCOMPLETE", TextRole::Failure),
        Exit::Inconclusive => ("INCONCLUSIVE", TextRole::Warning),
        Exit::NothingToRun => ("NOTHING TO RUN", TextRole::Warning),
        Exit::DoesNotCompile => ("DOES NOT COMPILE", TextRole::Failure),
        Exit::NotDeterministic => ("FLAKY", TextRole::Warning),
        Exit::Internal => ("INTERNAL ERROR", TextRole::Failure),
        Exit::Interrupted => ("INTERRUPTED", TextRole::Warning),
    }
}

/// ` 0.12s`, with a fixed width up to a quarter of an hour.
fn duration(time: Duration) -> String {
    format!("{:6.2}s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use gainsay::source::RenderStyle;
    use gainsay::test::ClaimReport;

    use super::super::{DurationDisplay, TestReportData, fixture};
    use super::{ReportLayout, Verbosity, claim, closing, render};

    #[test]
    fn what_does_not_fit_beside_a_name_stands_below_it() {
        let names = ["bank::split", "bank::a longer name"].into_iter();
        let layout = ReportLayout::new(
            RenderStyle::Plain,
            Verbosity::Normal,
            DurationDisplay::Hidden,
            names,
        );
        let drawn = |columns: Option<usize>| {
            let layout = layout.clone().with_columns(columns);
            layout.name_and_details(9, "bank::split", "100 cases")
        };
        assert_eq!(drawn(None), "bank::split          100 cases");
        assert_eq!(drawn(Some(39)), "bank::split          100 cases");
        assert_eq!(drawn(Some(38)), "bank::split\n         100 cases");
    }

    fn render_with(data: &TestReportData<'_>, detail: Verbosity, style: RenderStyle) -> String {
        let names: Vec<String> = data.report.claims.iter().map(ClaimReport::id).collect();
        let names = names.iter().map(String::as_str);
        let layout = ReportLayout::new(style, detail, data.durations, names);
        let claims = data.report.claims.iter();
        let lines: String =
            claims.map(|it| claim(data.files, data.deny, it, &layout)).collect();
        lines + &closing(data, &layout)
    }

    #[test]
    fn people_get_lines_then_failures_then_a_summary() {
        let text = fixture::with_report_data(DurationDisplay::Hidden, |it| {
            render(it, RenderStyle::Plain)
        });
        fixture::assert_golden("report.txt", &text);
        let text = fixture::with_report_data(DurationDisplay::Shown, |it| {
            render(it, RenderStyle::Coloured)
        });
        fixture::assert_golden("report.coloured.txt", &text);
    }

    #[test]
    fn there_is_more_for_those_who_ask_and_less_for_those_who_do_not() {
        let text = fixture::with_report_data(DurationDisplay::Hidden, |it| {
            render_with(it, Verbosity::Verbose, RenderStyle::Plain)
        });
        fixture::assert_golden("report.verbose.txt", &text);
        let text = fixture::with_report_data(DurationDisplay::Hidden, |it| {
            render_with(it, Verbosity::Quiet, RenderStyle::Plain)
        });
        assert!(!text.contains("PASS") && !text.contains("IGNORED"), "{text}");
        assert!(text.contains("FAIL") && text.ends_with("seed 42)\n"), "{text}");
    }

    #[test]
    fn colours_say_nothing_that_letters_do_not() {
        let plain = fixture::with_report_data(DurationDisplay::Hidden, |it| {
            render(it, RenderStyle::Plain)
        });
        let painted = fixture::with_report_data(DurationDisplay::Hidden, |it| {
            render(it, RenderStyle::Coloured)
        });
        let mut bare = String::new();
        let mut rest = painted.as_str();
        while let Some((text, after)) = rest.split_once('\u{1b}') {
            bare += text;
            rest = after.split_once('m').unwrap().1;
        }
        assert_eq!(bare + rest, plain);
    }
}

//! The report for people: a line for each claim, then what was found, then a summary.

use std::fmt::Write as _;
use std::time::Duration;

use gainsay::source::Style;
use gainsay::test::{ClaimReport, Conclusion, Status};

use super::{Account, Durations, Standing, Tally, failure, tables, verified, warning};
use crate::config::Lint;
use crate::exit::Exit;
use crate::report::Detail;
use crate::report::counted;
use crate::report::paint::{Tone, paint};

/// How wide the names may make their column; longer ones stick out.
const WIDEST_NAME: usize = 56;

/// The width of the longest status but `INTERRUPTED`, for which the rest need not make room.
const STATUS_WIDTH: usize = 8;

/// How lines are laid out.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    /// Colours, if any.
    pub(crate) style: Style,
    /// How much is said.
    pub(crate) detail: Detail,
    /// Whether durations are shown.
    pub(crate) times: Durations,
    /// How wide the column of the names is.
    pub(crate) name_width: usize,
    /// How wide the terminal is, if it is one.
    pub(crate) columns: Option<usize>,
}

impl Layout {
    /// A layout for claims with these names.
    pub(crate) fn new<'a>(
        style: Style,
        detail: Detail,
        times: Durations,
        names: impl Iterator<Item = &'a str>,
    ) -> Self {
        let widths = names.map(|name| name.chars().count()).filter(|it| *it <= WIDEST_NAME);
        let name_width = widths.max().unwrap_or(0);
        Self { style, detail, times, name_width, columns: None }
    }

    /// The same for a terminal so wide.
    #[must_use]
    pub(crate) fn within(self, columns: Option<usize>) -> Self {
        Self { columns, ..self }
    }

    /// A name and what is said of it, from some column on: side by side or, where the terminal is
    /// too narrow for that, one below the other.
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

/// The whole report, as it is written into a file.
pub(super) fn whole(account: &Account<'_>, style: Style) -> String {
    let names: Vec<String> = account.report.claims.iter().map(ClaimReport::id).collect();
    let names = names.iter().map(String::as_str);
    let layout = Layout::new(style, Detail::Usual, account.times, names);
    let mut text = String::new();
    for it in &account.report.claims {
        text += &claim(account.files, account.deny, it, &layout);
    }
    text + &closing(account, &layout)
}

/// The line of a claim, with its warnings and, in full detail, its tables below it.
pub(crate) fn claim(
    files: &gainsay::source::Files,
    deny: &[Lint],
    claim: &ClaimReport,
    layout: &Layout,
) -> String {
    let style = layout.style;
    let standing = Standing::of(claim, deny);
    let is_shown = match layout.detail {
        Detail::Quiet => standing.is_wrong(),
        // The summary counts what was skipped; a line for each would bury the failure.
        Detail::Usual => standing != Standing::Skipped,
        Detail::Full => true,
    };
    if !is_shown {
        return String::new();
    }
    let word = format!("{:STATUS_WIDTH$}", standing.word());
    let time = match layout.times {
        Durations::Shown => format!(" [{}]", duration(claim.time)),
        Durations::Hidden => String::new(),
    };
    let mut text = paint(style, tone(standing), &word);
    if !time.is_empty() {
        text += &paint(style, Tone::Dim, &time);
    }
    let start = word.chars().count() + time.chars().count() + 1;
    let name = claim.id().replace('\n', " ");
    let _ = writeln!(text, " {}", layout.name_and_details(start, &name, &details(claim)));
    for it in &claim.warnings {
        let remark = warning::remark(claim, it);
        let label = match remark.lint {
            Some(lint) if lint.is_denied(deny) => {
                format!("{}[{}]", paint(style, Tone::Bad, "error"), lint.name())
            }
            Some(lint) => format!("{}[{}]", paint(style, Tone::Odd, "warning"), lint.name()),
            None => "note".to_owned(),
        };
        let place = remark.span.map_or_else(String::new, |span| {
            let file = files.get(span.file);
            let at = file.position(span.start);
            format!(" ({}:{}:{})", file.name, at.line, at.column)
        });
        let _ = writeln!(text, "  {label}: {}{place}", remark.text);
    }
    if layout.detail == Detail::Full {
        text += &tables::tables(files, claim, style);
    }
    text
}

fn tone(standing: Standing) -> Tone {
    match standing {
        Standing::Passed => Tone::Good,
        Standing::Failed => Tone::Bad,
        Standing::Vacuous | Standing::Limit | Standing::Declined => Tone::Odd,
        Standing::Interrupted | Standing::Flaky => Tone::Odd,
        Standing::Ignored | Standing::Skipped => Tone::Dim,
    }
}

/// `100 cases, 3 discarded, 7/7 branches`.
fn details(claim: &ClaimReport) -> String {
    match &claim.status {
        Status::Ignored(reason) => return reason.clone(),
        Status::Skipped => return String::new(),
        Status::Pass | Status::Fail | Status::Vacuous | Status::Limit => {}
        Status::Declined | Status::Interrupted | Status::Flaky => {}
    }
    let mut parts = vec![amount(claim)];
    if claim.discards.cases() > 0 && claim.verify.is_none() {
        parts.push(format!("{} discarded", claim.discards.cases()));
    }
    let climbed: u64 = claim.sites.iter().map(|site| site.climbed).sum();
    if climbed > 0 {
        parts.push(format!("{} for `target`", counted(climbed, "more run")));
    }
    if let Some(reach) = claim.reach {
        parts.push(format!("{}/{} branches", reach.reached, reach.total));
    }
    if claim.failures.len() > 1 && claim.verify.is_none() {
        parts.push(format!("{} different failures", claim.failures.len()));
    }
    parts.join(", ")
}

fn amount(claim: &ClaimReport) -> String {
    if let Some(verify) = &claim.verify {
        return verified::amount(verify);
    }
    if claim.sites.is_empty() {
        return counted(claim.observed, "observation");
    }
    let cases = counted(claim.cases, "case");
    if claim.sites.iter().all(|site| site.exhaustive) {
        return format!("all {cases}");
    }
    if claim.sites.iter().any(|site| site.conclusion == Conclusion::TimeOver) {
        return format!("{cases} in the time given");
    }
    cases
}

/// What follows the lines: what was found, then the summary.
pub(crate) fn closing(account: &Account<'_>, layout: &Layout) -> String {
    let mut text = String::new();
    for claim in &account.report.claims {
        text += &failure::sections(account, claim, (layout.style, layout.detail));
    }
    // Lines without sections need a blank line before the summary too.
    let gap = if account.report.claims.is_empty() { "" } else { "\n" };
    format!("{gap}{text}{}", summary(account, layout))
}

/// `gainsaid: 3 claims, 2 passed, 1 failed; 142 cases; seed 42`.
fn summary(account: &Account<'_>, layout: &Layout) -> String {
    let tally = Tally::of(account);
    let (word, tone) = outcome(account.exit);
    let counts = [
        (tally.passed, "passed"),
        (tally.failed, "failed"),
        (tally.vacuous, "vacuous"),
        (tally.limit, "at a limit"),
        (tally.declined, "declined"),
        (tally.interrupted, "interrupted"),
        (tally.flaky, "flaky"),
        (tally.ignored, "ignored"),
        (tally.skipped, "skipped"),
    ];
    let claims = counted(account.report.claims.len() as u64, "claim");
    let mut text = format!("{}: {claims}", paint(layout.style, tone, word));
    for (count, word) in counts {
        if count > 0 {
            let _ = write!(text, ", {count} {word}");
        }
    }
    if tally.skipped > 0 && !account.report.interrupted {
        text += " (--no-fail-fast runs them)";
    }
    let _ = write!(text, "; {}; seed {}", counted(tally.cases, "case"), account.report.seed);
    if layout.times == Durations::Shown {
        let _ = write!(text, "; {}", duration(account.report.time).trim_start());
    }
    text.push('\n');
    text
}

/// How a run ended, in a word.
fn outcome(exit: Exit) -> (&'static str, Tone) {
    match exit {
        Exit::Held => ("held", Tone::Good),
        Exit::Gainsaid => ("gainsaid", Tone::Bad),
        Exit::Usage => ("not all was run", Tone::Bad),
        Exit::Inconclusive => ("inconclusive", Tone::Odd),
        Exit::NothingToRun => ("nothing to run", Tone::Odd),
        Exit::DoesNotCompile => ("does not compile", Tone::Bad),
        Exit::NotDeterministic => ("not deterministic", Tone::Odd),
        Exit::Internal => ("failed internally", Tone::Bad),
        Exit::Interrupted => ("interrupted", Tone::Odd),
    }
}

/// ` 0.12s`, of a fixed width up to a quarter of an hour.
fn duration(time: Duration) -> String {
    format!("{:6.2}s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use gainsay::source::Style;
    use gainsay::test::ClaimReport;

    use super::super::{Account, Durations, sample};
    use super::{Detail, Layout, claim, closing, whole};

    #[test]
    fn what_does_not_fit_beside_a_name_stands_below_it() {
        let names = ["bank::split", "bank::a longer name"].into_iter();
        let layout = Layout::new(Style::Plain, Detail::Usual, Durations::Hidden, names);
        let drawn = |columns: Option<usize>| {
            let layout = layout.clone().within(columns);
            layout.name_and_details(9, "bank::split", "100 cases")
        };
        assert_eq!(drawn(None), "bank::split          100 cases");
        assert_eq!(drawn(Some(39)), "bank::split          100 cases");
        assert_eq!(drawn(Some(38)), "bank::split\n         100 cases");
    }

    fn in_detail(account: &Account<'_>, detail: Detail, style: Style) -> String {
        let names: Vec<String> = account.report.claims.iter().map(ClaimReport::id).collect();
        let names = names.iter().map(String::as_str);
        let layout = Layout::new(style, detail, account.times, names);
        let claims = account.report.claims.iter();
        let lines: String =
            claims.map(|it| claim(account.files, account.deny, it, &layout)).collect();
        lines + &closing(account, &layout)
    }

    #[test]
    fn people_get_lines_then_failures_then_a_summary() {
        let text = sample::with_account(Durations::Hidden, |it| whole(it, Style::Plain));
        sample::assert_golden("report.txt", &text);
        let text = sample::with_account(Durations::Shown, |it| whole(it, Style::Coloured));
        sample::assert_golden("report.coloured.txt", &text);
    }

    #[test]
    fn there_is_more_for_those_who_ask_and_less_for_those_who_do_not() {
        let text = sample::with_account(Durations::Hidden, |it| {
            in_detail(it, Detail::Full, Style::Plain)
        });
        sample::assert_golden("report.verbose.txt", &text);
        let text = sample::with_account(Durations::Hidden, |it| {
            in_detail(it, Detail::Quiet, Style::Plain)
        });
        assert!(!text.contains("PASS") && !text.contains("IGNORED"), "{text}");
        assert!(text.contains("FAIL") && text.ends_with("seed 42\n"), "{text}");
    }

    #[test]
    fn colours_say_nothing_that_letters_do_not() {
        let plain = sample::with_account(Durations::Hidden, |it| whole(it, Style::Plain));
        let painted = sample::with_account(Durations::Hidden, |it| whole(it, Style::Coloured));
        let mut bare = String::new();
        let mut rest = painted.as_str();
        while let Some((text, after)) = rest.split_once('\u{1b}') {
            bare += text;
            rest = after.split_once('m').unwrap().1;
        }
        assert_eq!(bare + rest, plain);
    }
}

//! What became of claims, in words: for people, and in the formats that programs read.
//!
//! **Invariant:** A report is a function of an [`Account`]: the same account gives the same
//! bytes.

mod failure;
mod flaky;
mod github;
mod human;
mod json;
mod junit;
mod ndjson;
mod record;
mod sarif;
mod tables;
mod tyche;
mod verified;
mod warning;

#[cfg(test)]
mod sample;
#[cfg(test)]
mod verdicts;

use std::time::Duration;

use gainsay::source::codes::{self, Code};
use gainsay::source::{Diagnostic, FileId, Files, Span, Style};
use gainsay::test::{ClaimReport, Failure, Profile, Report, Status};

pub(crate) use self::failure::{sections as human_sections, source as as_source};
pub(crate) use self::human::{Layout, claim as human_claim, closing as human_closing};
pub(crate) use self::ndjson::{
    claim as ndjson_claim, start as ndjson_start, summary as ndjson_summary,
};
pub(crate) use self::tables::bar;
pub(crate) use self::tyche::Observer;

use crate::config::{Format, Lint};
use crate::exit::Exit;
use crate::trouble::Trouble;

/// All that `gainsay test` has to tell.
#[derive(Debug)]
pub(crate) struct Account<'a> {
    /// The texts.
    pub(crate) files: &'a Files,
    /// How many of the texts, from the first, are those of the standard library.
    pub(crate) n_standard: usize,
    /// What checking found.
    pub(crate) diagnostics: &'a [Diagnostic],
    /// What is wrong besides.
    pub(crate) troubles: &'a [Trouble],
    /// What became of the claims; none if they could not be run.
    pub(crate) report: &'a Report,
    /// For whom the run was.
    pub(crate) profile: Profile,
    /// Warnings that count as failures.
    pub(crate) deny: &'a [Lint],
    /// Whether durations are part of the report.
    pub(crate) times: Durations,
    /// How the process ends.
    pub(crate) exit: Exit,
}

/// Whether durations are part of a report.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Durations {
    /// They are; then no two reports are the same.
    Shown,
    /// They are not.
    Hidden,
}

impl Durations {
    /// Seconds, if they are shown.
    fn seconds(self, time: Duration) -> Option<f64> {
        // More digits would be noise.
        let rounded = (time.as_secs_f64() * 1_000.0).round() / 1_000.0;
        (self == Self::Shown).then_some(rounded)
    }
}

impl Account<'_> {
    fn is_standard(&self, file: FileId) -> bool {
        (file.0 as usize) < self.n_standard
    }

    /// The place of a failure in the texts of the user.
    fn place_of(&self, claim: &ClaimReport, failure: &Failure) -> Span {
        let primary = std::iter::once(&failure.fault.primary);
        let labels = primary.chain(&failure.fault.secondary).map(|label| label.span);
        let mut places = labels.chain(failure.site);
        places.find(|span| !self.is_standard(span.file)).unwrap_or(claim.span)
    }
}

/// What a claim comes to, with what is denied.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Standing {
    Passed,
    Failed,
    Vacuous,
    Limit,
    Declined,
    Interrupted,
    Flaky,
    Ignored,
    Skipped,
}

impl Standing {
    /// What a claim comes to.
    pub(crate) fn of(claim: &ClaimReport, deny: &[Lint]) -> Self {
        let denied = || claim.warnings.iter().any(|it| warning::is_denied(it, deny));
        match &claim.status {
            Status::Pass if denied() => Self::Failed,
            Status::Pass => Self::Passed,
            Status::Fail => Self::Failed,
            Status::Vacuous => Self::Vacuous,
            Status::Limit => Self::Limit,
            Status::Declined => Self::Declined,
            Status::Interrupted => Self::Interrupted,
            Status::Flaky => Self::Flaky,
            Status::Ignored(_) => Self::Ignored,
            Status::Skipped => Self::Skipped,
        }
    }

    /// The word for people.
    fn word(self) -> &'static str {
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
        }
    }

    /// The word for programs.
    fn name(self) -> &'static str {
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
        }
    }

    /// Whether somebody must do something about it.
    pub(crate) fn is_wrong(self) -> bool {
        match self {
            Self::Failed | Self::Vacuous | Self::Limit | Self::Declined => true,
            Self::Interrupted | Self::Flaky => true,
            Self::Passed | Self::Ignored | Self::Skipped => false,
        }
    }

    fn exit(self) -> Exit {
        match self {
            Self::Passed | Self::Ignored | Self::Skipped => Exit::Held,
            Self::Failed => Exit::Gainsaid,
            Self::Vacuous | Self::Limit | Self::Declined => Exit::Inconclusive,
            Self::Interrupted => Exit::Interrupted,
            Self::Flaky => Exit::NotDeterministic,
        }
    }
}

/// How the process ends after a run. Of several reasons the first of these counts: 130, 1, 6,
/// 3; and 4 if nothing at all was run.
pub(crate) fn exit(report: &Report, deny: &[Lint]) -> Exit {
    if report.interrupted {
        return Exit::Interrupted;
    }
    let standings = || report.claims.iter().map(|claim| Standing::of(claim, deny));
    if standings().all(|it| it == Standing::Ignored) {
        return Exit::NothingToRun;
    }
    standings().map(Standing::exit).fold(Exit::Held, Exit::and)
}

/// The warnings of the checker that can be denied, each with the name for that.
const CHECKED: [(Code, Lint); 4] = [
    (codes::PLACEBO_TEST, Lint::Placebo),
    (codes::CONSTANT_OBSERVE, Lint::ConstantObserve),
    (codes::DEAD_OBSERVE, Lint::DeadObserve),
    (codes::LOOSE_TEST, Lint::LooseTest),
];

/// The warnings of the checker that are denied, each with how many there are of it.
pub(crate) fn denied(diagnostics: &[Diagnostic], deny: &[Lint]) -> Vec<(Lint, usize)> {
    let denied = CHECKED
        .iter()
        .filter(|(_, lint)| lint.is_denied(deny))
        .map(|(code, lint)| (*lint, diagnostics.iter().filter(|it| it.code == *code).count()));
    denied.filter(|(_, n)| *n > 0).collect()
}

/// How many claims came to what.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
struct Tally {
    passed: u64,
    failed: u64,
    vacuous: u64,
    limit: u64,
    declined: u64,
    interrupted: u64,
    flaky: u64,
    ignored: u64,
    skipped: u64,
    cases: u64,
}

impl Tally {
    fn of(account: &Account<'_>) -> Self {
        let mut tally = Self::default();
        for claim in &account.report.claims {
            tally.cases += claim.cases;
            *match Standing::of(claim, account.deny) {
                Standing::Passed => &mut tally.passed,
                Standing::Failed => &mut tally.failed,
                Standing::Vacuous => &mut tally.vacuous,
                Standing::Limit => &mut tally.limit,
                Standing::Declined => &mut tally.declined,
                Standing::Interrupted => &mut tally.interrupted,
                Standing::Flaky => &mut tally.flaky,
                Standing::Ignored => &mut tally.ignored,
                Standing::Skipped => &mut tally.skipped,
            } += 1;
        }
        tally
    }
}

/// A whole report in a format.
pub(crate) fn render(format: Format, account: &Account<'_>, style: Style) -> String {
    match format {
        Format::Human => human::whole(account, style),
        Format::Json => json::document(account),
        Format::Ndjson => ndjson::whole(account),
        Format::Junit => junit::document(account),
        Format::Sarif => sarif::document(account),
        Format::Github => github::lines(account),
    }
}

/// What a run of claims is called, on the command line of its replay: a word for the shell.
fn quoted(text: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "_-:./".contains(it);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use gainsay::test::{Report, Status, Warning};

    use super::{Standing, exit, quoted, sample};
    use crate::config::Lint;
    use crate::exit::Exit;

    fn ends(statuses: &[Status]) -> Exit {
        let claims = statuses.iter().map(|it| sample::claim("a", "b", it.clone())).collect();
        exit(&Report { claims, ..sample::empty() }, &[])
    }

    #[test]
    fn the_weightiest_standing_decides_how_the_process_ends() {
        use Status::{Declined, Fail, Flaky, Pass, Skipped, Vacuous};
        assert_eq!(ends(&[Pass, Pass]), Exit::Held);
        assert_eq!(ends(&[Pass, Fail, Skipped, Flaky, Vacuous]), Exit::Gainsaid);
        assert_eq!(ends(&[Pass, Declined, Flaky]), Exit::NotDeterministic);
        assert_eq!(ends(&[Pass, Declined]), Exit::Inconclusive);
        assert_eq!(ends(&[Vacuous, Pass]), Exit::Inconclusive);
        let ignored = Status::Ignored("slow".to_owned());
        assert_eq!(ends(&[ignored.clone(), Pass]), Exit::Held);
        assert_eq!(ends(&[ignored]), Exit::NothingToRun);
        assert_eq!(ends(&[]), Exit::NothingToRun);
        let claims = vec![sample::claim("a", "b", Fail)];
        let stopped = Report { claims, interrupted: true, ..sample::empty() };
        assert_eq!(exit(&stopped, &[]), Exit::Interrupted);
    }

    #[test]
    fn what_is_denied_fails() {
        let mut claim = sample::claim("a", "b", Status::Pass);
        claim.warnings.push(Warning::Placebo);
        assert_eq!(Standing::of(&claim, &[]), Standing::Passed);
        assert_eq!(Standing::of(&claim, &[Lint::Discards]), Standing::Passed);
        assert_eq!(Standing::of(&claim, &[Lint::Placebo]), Standing::Failed);
        assert_eq!(Standing::of(&claim, &[Lint::Warnings]), Standing::Failed);
    }

    #[test]
    fn names_are_words_for_the_shell() {
        assert_eq!(quoted("ledger::transfer"), "ledger::transfer");
        assert_eq!(quoted("ledger::it's $5"), r"'ledger::it'\''s $5'");
        assert_eq!(quoted(""), "''");
    }
}

//! `--format ndjson`: an object per line, written while the run lasts: `run-start`, then what
//! checking found, a `claim` for each, and `summary`.

use gainsay::source::Files;
use gainsay::test::{ClaimReport, Profile};
use serde::Serialize;

use super::{Account, Durations};
use super::{record, verified};
use crate::config::{Lint, profile_name};
use crate::report::json;

#[derive(Debug, Serialize)]
struct Last<'a> {
    #[serde(flatten)]
    summary: record::SummaryRecord,
    verify_summary: verified::VerifySummary<'a>,
}

#[derive(Debug, Serialize)]
struct Start {
    version: &'static str,
    seed: u64,
    profile: &'static str,
    claims: u64,
}

/// The first line.
pub(crate) fn start(seed: u64, profile: Profile, n_claims: usize) -> String {
    line(&json::line(
        "run-start",
        Start {
            version: env!("CARGO_PKG_VERSION"),
            seed,
            profile: profile_name(profile),
            claims: n_claims as u64,
        },
    ))
}

/// The line of a claim.
pub(crate) fn claim(
    files: &Files,
    deny: &[Lint],
    times: Durations,
    it: &ClaimReport,
) -> String {
    line(&json::line("claim", record::claim(files, deny, times, it)))
}

/// The last line.
pub(crate) fn summary(account: &Account<'_>) -> String {
    let summary = record::summary(account);
    line(&json::line("summary", Last { summary, verify_summary: verified::summary(account) }))
}

/// All lines, as they are written into a file.
pub(super) fn whole(account: &Account<'_>) -> String {
    let Account { files, deny, times, report, .. } = account;
    let mut text = String::new();
    for it in account.troubles {
        text += &line(&json::trouble(it));
    }
    for it in account.diagnostics {
        text += &line(&json::diagnostic(files, it));
    }
    text += &start(report.seed, account.profile, report.claims.len());
    for it in &report.claims {
        text += &claim(files, deny, *times, it);
    }
    text + &summary(account)
}

fn line(record: &impl Serialize) -> String {
    serde_json::to_string(record).expect("records have text keys") + "\n"
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::{Durations, sample};
    use super::whole;

    #[test]
    fn every_line_is_an_object_with_its_type() {
        let text = sample::with_account(Durations::Hidden, whole);
        sample::assert_golden("report.ndjson", &text);
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let kinds: Vec<&str> = lines.iter().map(|it| it["type"].as_str().unwrap()).collect();
        assert_eq!(kinds[..2], ["diagnostic", "run-start"]);
        assert_eq!(kinds.iter().filter(|it| **it == "claim").count(), sample::N_CLAIMS);
        assert_eq!(kinds.last(), Some(&"summary"));
        assert!(lines.iter().all(|it| it["schema"] == 1));
    }
}

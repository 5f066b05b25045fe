//! `--format ndjson`: one object per line, written during the run: `run-start`, then the
//! diagnostics, a `claim` for each claim, and `summary`.

use gainsay::source::SourceMap;
use gainsay::test::{ClaimReport, RunProfile};
use serde::Serialize;

use super::{DurationDisplay, TestReportData};
use super::{records, verify_blocks};
use crate::report::json;
use crate::report::{DeniableLint, profile_name};

#[derive(Debug, Serialize)]
struct SummaryLineRecord<'a> {
    #[serde(flatten)]
    summary: records::TestSummaryRecord,
    verify_summary: verify_blocks::VerifySummaryRecord<'a>,
}

#[derive(Debug, Serialize)]
struct RunStartRecord {
    version: &'static str,
    seed: u64,
    profile: &'static str,
    claims: u64,
}

/// The first line.
pub(crate) fn start(seed: u64, profile: RunProfile, n_claims: usize) -> String {
    line(&json::line(
        "run-start",
        RunStartRecord {
            version: env!("CARGO_PKG_VERSION"),
            seed,
            profile: profile_name(profile),
            claims: n_claims as u64,
        },
    ))
}

/// The line of a claim.
pub(crate) fn claim(
    files: &SourceMap,
    deny: &[DeniableLint],
    times: DurationDisplay,
    it: &ClaimReport,
) -> String {
    line(&json::line("claim", records::claim_record(files, deny, times, it)))
}

/// The last line.
pub(crate) fn summary(data: &TestReportData<'_>) -> String {
    let summary = records::summary_record(data);
    line(&json::line(
        "summary",
        SummaryLineRecord { summary, verify_summary: verify_blocks::summary(data) },
    ))
}

/// All lines, as written to a file.
pub(super) fn render(data: &TestReportData<'_>) -> String {
    let TestReportData { files, deny, durations: times, report, .. } = data;
    let mut text = String::new();
    for it in data.errors {
        text += &line(&json::error_line(it));
    }
    for it in data.diagnostics {
        text += &line(&json::diagnostic_line(files, it));
    }
    text += &start(report.seed, data.profile, report.claims.len());
    for it in &report.claims {
        text += &claim(files, deny, *times, it);
    }
    text + &summary(data)
}

fn line(record: &impl Serialize) -> String {
    serde_json::to_string(record).expect("records have text keys") + "\n"
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::{DurationDisplay, fixture};
    use super::render;

    #[test]
    fn every_line_is_an_object_with_its_type() {
        let text = fixture::with_report_data(DurationDisplay::Hidden, render);
        fixture::assert_golden("report.ndjson", &text);
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let kinds: Vec<&str> = lines.iter().map(|it| it["type"].as_str().unwrap()).collect();
        assert_eq!(kinds[..2], ["diagnostic", "run-start"]);
        assert_eq!(kinds.iter().filter(|it| **it == "claim").count(), fixture::N_CLAIMS);
        assert_eq!(kinds.last(), Some(&"summary"));
        assert!(lines.iter().all(|it| it["schema"] == 1));
    }
}

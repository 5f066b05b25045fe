//! `--format json`: one document with everything.

use serde::Serialize;

use super::TestReportData;
use super::records::{self, ClaimResultRecord, TestSummaryRecord};
use super::verify_blocks::{self, VerifySummaryRecord};
use crate::report::json::{self, CliErrorRecord, DiagnosticRecord};

#[derive(Debug, Serialize)]
struct TestReportRecord<'a> {
    version: &'static str,
    seed: u64,
    claims: Vec<ClaimResultRecord<'a>>,
    diagnostics: Vec<DiagnosticRecord<'a>>,
    errors: Vec<CliErrorRecord<'a>>,
    verify_summary: VerifySummaryRecord<'a>,
    summary: TestSummaryRecord,
}

/// The document.
pub(super) fn document(data: &TestReportData<'_>) -> String {
    let TestReportData { files, deny, durations: times, report, .. } = data;
    let claims = report.claims.iter().map(|it| records::claim_record(files, deny, *times, it));
    let document = TestReportRecord {
        version: env!("CARGO_PKG_VERSION"),
        seed: report.seed,
        claims: claims.collect(),
        diagnostics: data
            .diagnostics
            .iter()
            .map(|it| json::diagnostic_record(files, it))
            .collect(),
        errors: data.errors.iter().map(json::error_record).collect(),
        verify_summary: verify_blocks::summary(data),
        summary: records::summary_record(data),
    };
    let text = serde_json::to_string_pretty(&json::line("report", document));
    text.expect("records have text keys") + "\n"
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::{DurationDisplay, fixture};
    use super::document;

    #[test]
    fn the_document_is_the_one_that_is_documented() {
        let text = fixture::with_report_data(DurationDisplay::Hidden, document);
        fixture::assert_golden("report.json", &text);
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&value["schema"], &value["type"]), (&1.into(), &"report".into()));
        assert_eq!(value["claims"].as_array().unwrap().len(), fixture::N_CLAIMS);
        assert_eq!(value["summary"]["exit"], 1);
    }

    #[test]
    fn durations_are_the_only_thing_that_can_differ() {
        let shown = fixture::with_report_data(DurationDisplay::Shown, document);
        let mut value: Value = serde_json::from_str(&shown).unwrap();
        assert_eq!(value["summary"]["seconds"], 1.5);
        value["summary"].as_object_mut().unwrap().remove("seconds");
        for claim in value["claims"].as_array_mut().unwrap() {
            assert!(claim.as_object_mut().unwrap().remove("seconds").is_some());
        }
        let hidden = fixture::with_report_data(DurationDisplay::Hidden, document);
        assert_eq!(value, serde_json::from_str::<Value>(&hidden).unwrap());
    }
}

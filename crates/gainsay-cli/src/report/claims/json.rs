//! `--format json`: one document with everything.

use serde::Serialize;

use super::Account;
use super::record::{self, ClaimRecord, SummaryRecord};
use super::verified::{self, VerifySummary};
use crate::report::json::{self, DiagnosticRecord, TroubleRecord};

#[derive(Debug, Serialize)]
struct Document<'a> {
    version: &'static str,
    seed: u64,
    claims: Vec<ClaimRecord<'a>>,
    diagnostics: Vec<DiagnosticRecord<'a>>,
    troubles: Vec<TroubleRecord<'a>>,
    verify_summary: VerifySummary<'a>,
    summary: SummaryRecord,
}

/// The document.
pub(super) fn document(account: &Account<'_>) -> String {
    let Account { files, deny, times, report, .. } = account;
    let claims = report.claims.iter().map(|it| record::claim(files, deny, *times, it));
    let document = Document {
        version: env!("CARGO_PKG_VERSION"),
        seed: report.seed,
        claims: claims.collect(),
        diagnostics: account.diagnostics.iter().map(|it| json::record(files, it)).collect(),
        troubles: account.troubles.iter().map(json::trouble_record).collect(),
        verify_summary: verified::summary(account),
        summary: record::summary(account),
    };
    let text = serde_json::to_string_pretty(&json::line("report", document));
    text.expect("records have text keys") + "\n"
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::{Durations, sample};
    use super::document;

    #[test]
    fn the_document_is_the_one_that_is_documented() {
        let text = sample::with_account(Durations::Hidden, document);
        sample::assert_golden("report.json", &text);
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&value["schema"], &value["type"]), (&1.into(), &"report".into()));
        assert_eq!(value["claims"].as_array().unwrap().len(), sample::N_CLAIMS);
        assert_eq!(value["summary"]["exit"], 1);
    }

    #[test]
    fn durations_are_the_only_thing_that_can_differ() {
        let shown = sample::with_account(Durations::Shown, document);
        let mut value: Value = serde_json::from_str(&shown).unwrap();
        assert_eq!(value["summary"]["seconds"], 1.5);
        value["summary"].as_object_mut().unwrap().remove("seconds");
        for claim in value["claims"].as_array_mut().unwrap() {
            assert!(claim.as_object_mut().unwrap().remove("seconds").is_some());
        }
        let hidden = sample::with_account(Durations::Hidden, document);
        assert_eq!(value, serde_json::from_str::<Value>(&hidden).unwrap());
    }
}

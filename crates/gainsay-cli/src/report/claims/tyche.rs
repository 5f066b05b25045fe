//! `--observe`: every individual case as a line of JSON, in the format that Hypothesis writes and
//! Tyche displays (<https://hypothesis.readthedocs.io/en/latest/reference/integrations.html>).

use gainsay::test::{ClaimReport, ObservedCase};
use serde_json::{Map, Value, json};

use super::{DisplayStatus, DurationDisplay, TestReportData, tables};

/// Writes the lines of one run.
#[derive(Debug, Copy, Clone)]
pub(crate) struct TycheWriter {
    /// Seconds since 1970, which identify the run; 0 if durations are hidden.
    pub(crate) run_start: f64,
    /// Whether durations are included.
    pub(crate) durations: DurationDisplay,
}

impl TycheWriter {
    /// The line of a case.
    pub(crate) fn case_line(self, property: &str, case: &ObservedCase) -> String {
        let arguments: Map<String, Value> =
            case.arguments.iter().map(|(name, text)| (name.clone(), value(text))).collect();
        let features: Map<String, Value> =
            case.features.iter().map(|(name, text)| (name.clone(), value(text))).collect();
        let timing = match self.durations {
            DurationDisplay::Shown => json!({ "execute:test": case.seconds }),
            DurationDisplay::Hidden => json!({}),
        };
        let line = json!({
            "type": "test_case",
            "property": property,
            "run_start": self.run_start,
            "status": case.status,
            "status_reason": case.reason,
            "representation": representation(property, case),
            "arguments": arguments,
            "how_generated": case.phase,
            "features": features,
            "coverage": null,
            "timing": timing,
            "metadata": { "gainsay": { "version": env!("CARGO_PKG_VERSION") } },
        });
        format!("{line}\n")
    }

    /// The line with the result of a claim.
    pub(crate) fn claim_line(self, data: &TestReportData<'_>, claim: &ClaimReport) -> String {
        let status = DisplayStatus::of(claim, data.deny);
        let conclusions: Vec<String> = claim
            .sites
            .iter()
            .map(|site| format!("{} cases: {}", site.cases, tables::conclusion_text(site)))
            .collect();
        let line = json!({
            "type": if status.needs_attention() { "alert" } else { "info" },
            "property": claim.id(),
            "run_start": self.run_start,
            "title": status.label(),
            "content": conclusions.join("; "),
        });
        format!("{line}\n")
    }
}

/// The call as source. Tyche treats cases with the same text as duplicates.
fn representation(property: &str, case: &ObservedCase) -> String {
    let name = property.rsplit("::").next().unwrap_or(property);
    let arguments: Vec<String> =
        case.arguments.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    format!("{name}({})", arguments.join(", "))
}

/// A value that is valid JSON is embedded, so that Tyche can plot it; others stay source.
fn value(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value @ (Value::Bool(_) | Value::Number(_) | Value::String(_))) => value,
        Ok(Value::Null | Value::Array(_) | Value::Object(_)) | Err(_) => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use gainsay::test::ObservedCase;
    use serde_json::{Value, json};

    use super::super::{DurationDisplay, fixture};
    use super::TycheWriter;

    fn case() -> ObservedCase {
        ObservedCase {
            arguments: vec![
                ("n".to_owned(), "-3".to_owned()),
                ("to".to_owned(), "Some(\"a\")".to_owned()),
            ],
            status: "failed",
            reason: "this observation does not hold (ledger.say:9:3)".to_owned(),
            phase: "during generate phase",
            features: vec![("size".to_owned(), "2".to_owned())],
            seconds: 0.25,
        }
    }

    #[test]
    fn a_case_has_the_fields_that_tyche_reads() {
        let observer = TycheWriter { run_start: 1.5, durations: DurationDisplay::Shown };
        let line: Value =
            serde_json::from_str(&observer.case_line("ledger::transfer", &case())).unwrap();
        let expected = json!({
            "type": "test_case",
            "property": "ledger::transfer",
            "run_start": 1.5,
            "status": "failed",
            "status_reason": "this observation does not hold (ledger.say:9:3)",
            "representation": "transfer(n = -3, to = Some(\"a\"))",
            "arguments": { "n": -3, "to": "Some(\"a\")" },
            "how_generated": "during generate phase",
            "features": { "size": 2 },
            "coverage": null,
            "timing": { "execute:test": 0.25 },
            "metadata": { "gainsay": { "version": env!("CARGO_PKG_VERSION") } },
        });
        assert_eq!(line, expected);
        let observer = TycheWriter { run_start: 0.0, durations: DurationDisplay::Hidden };
        let line: Value =
            serde_json::from_str(&observer.case_line("ledger::transfer", &case())).unwrap();
        assert_eq!(line["timing"], json!({}));
    }

    #[test]
    fn claims_become_information_or_alerts() {
        let observer = TycheWriter { run_start: 0.0, durations: DurationDisplay::Hidden };
        let text = fixture::with_report_data(DurationDisplay::Hidden, |data| {
            let lines = data.report.claims.iter().map(|it| observer.claim_line(data, it));
            lines.collect::<String>()
        });
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            assert!(["info", "alert"].contains(&line["type"].as_str().unwrap()));
            for field in ["property", "title", "content"] {
                assert!(line[field].is_string(), "{line}");
            }
            assert!(line["run_start"].is_number());
        }
    }
}

//! `--format sarif`: SARIF 2.1.0, with fingerprints that survive edits.

use gainsay::source::Span;
use gainsay::test::{ClaimReport, Failure};
use serde_json::json;

use super::failure::{self, PLAIN};
use super::{DisplayStatus, TestReportData, warnings};
use crate::report::DeniableLint;
use crate::report::sarif::{SarifInvocation, SarifLog, SarifResult, SarifRule};

/// The document.
pub(super) fn document(data: &TestReportData<'_>) -> String {
    let mut log = SarifLog::new(data.files, data.n_standard);
    for diagnostic in data.diagnostics {
        log.push_diagnostic(diagnostic);
    }
    for it in &data.report.claims {
        push_claim(&mut log, data, it);
    }
    log.document(&SarifInvocation {
        exit: data.exit,
        errors: data.errors,
        properties: json!({ "seed": data.report.seed }),
    })
}

fn push_claim(log: &mut SarifLog<'_>, data: &TestReportData<'_>, claim: &ClaimReport) {
    for it in &claim.failures {
        push_failure(log, data, claim, it);
    }
    for it in failure::unmet_covers(claim) {
        push_uncovered(log, claim, &it);
    }
    let status = DisplayStatus::of(claim, data.deny);
    let (about, text) = match status {
        DisplayStatus::Vacuous => (
            "A claim that discarded all or nearly all of its cases.",
            failure::vacuous_reason(claim),
        ),
        DisplayStatus::Declined => {
            let why = claim.reason.as_ref().map_or("", |it| it.message.as_str());
            ("A claim without a verdict.", format!("inconclusive: {why}"))
        }
        DisplayStatus::Limit if claim.failures.is_empty() => {
            let why = claim.reason.as_ref().map_or("", |it| it.message.as_str());
            ("A claim that ran out of steps, depth or memory.", format!("limit reached: {why}"))
        }
        DisplayStatus::Interrupted => (
            "A claim that was running when the run was interrupted.",
            "the run was interrupted before this claim finished".to_owned(),
        ),
        DisplayStatus::Flaky => (
            "A claim with a case that behaved differently when run again.",
            "a case is flaky: it behaved differently when run again".to_owned(),
        ),
        DisplayStatus::Passed | DisplayStatus::Failed | DisplayStatus::Limit => {
            return push_warnings(log, data, claim);
        }
        DisplayStatus::Ignored | DisplayStatus::Skipped | DisplayStatus::Unbound => {
            return push_warnings(log, data, claim);
        }
    };
    let name = status.json_name();
    log.push(SarifResult {
        rule: SarifRule { id: name.to_owned(), name, about },
        level: "error",
        text: format!("{}: {text}", claim.id()),
        span: claim.span,
        related: Vec::new(),
        fingerprint: format!("{}/{name}", claim.id()),
        properties: json!({ "claim": claim.id() }),
    });
    push_warnings(log, data, claim);
}

fn push_uncovered(log: &mut SarifLog<'_>, claim: &ClaimReport, text: &str) {
    let about = "A claim that misses a share required by `cover`.";
    log.push(SarifResult {
        rule: SarifRule { id: "cover".to_owned(), name: "cover", about },
        level: "error",
        text: format!("{}: {text}", claim.id()),
        span: claim.span,
        related: Vec::new(),
        fingerprint: format!("{}/cover", claim.id()),
        properties: json!({ "claim": claim.id() }),
    });
}

fn push_failure(
    log: &mut SarifLog<'_>,
    data: &TestReportData<'_>,
    claim: &ClaimReport,
    it: &Failure,
) {
    let span = data.failure_span(claim, it);
    let mut related: Vec<(Span, &str)> =
        it.fault.secondary.iter().map(|label| (label.span, &*label.text)).collect();
    related.push((claim.span, super::failure::claim_label(claim.ty)));
    let mut text = format!("{}: {}", claim.id(), it.fault.message);
    if !it.arguments.is_empty() {
        text += "\n\n";
        text += failure::source(&it.arguments).trim_end();
    }
    if let Some(command) = failure::replay_command(data.files, claim, it) {
        text += &format!("\n\n{command}");
    }
    let properties = json!({
        "claim": claim.id(),
        "seed": data.report.seed,
        "replayToken": it.replay_token,
        "details": failure::section(data.files, claim, it, PLAIN),
    });
    log.push(SarifResult {
        rule: SarifRule::of(it.fault.code),
        level: "error",
        text,
        span,
        related,
        fingerprint: format!("{}/{}", claim.id(), it.id),
        properties,
    });
}

fn push_warnings(log: &mut SarifLog<'_>, data: &TestReportData<'_>, claim: &ClaimReport) {
    for it in &claim.warnings {
        let remark = warnings::describe(claim, it);
        let name = remark.lint.map_or("note", DeniableLint::name);
        let level = match remark.lint {
            Some(lint) if lint.is_denied(data.deny) => "error",
            Some(_) => "warning",
            None => "note",
        };
        let about = "A warning about a claim.";
        log.push(SarifResult {
            rule: SarifRule { id: name.to_owned(), name, about },
            level,
            text: format!("{}: {}", claim.id(), remark.text),
            span: remark.span.unwrap_or(claim.span),
            related: Vec::new(),
            fingerprint: format!("{}/{name}", claim.id()),
            properties: json!({ "claim": claim.id() }),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::{DurationDisplay, fixture};
    use super::document;
    use crate::report::golden;

    #[test]
    fn the_document_has_what_sarif_requires() {
        let text = fixture::with_report_data(DurationDisplay::Hidden, document);
        fixture::assert_golden("report.sarif", &text);
        golden::parse_sarif(&text);
    }

    #[test]
    fn what_could_not_be_run_is_no_success() {
        let log = golden::parse_sarif(&fixture::with_broken_report_data(document));
        let invocation = &log["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], false);
        assert_eq!(invocation["toolExecutionNotifications"][0]["level"], "error");
        assert_eq!(log["runs"][0]["results"][0]["level"], "error");
    }
}

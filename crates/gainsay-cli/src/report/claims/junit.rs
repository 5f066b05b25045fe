//! `--format junit`: JUnit XML, with one suite per module.

use gainsay::test::{ClaimReport, ClaimStatus, FailureCause};

use super::failure::{self, PLAIN};
use super::human::unbound_reason;
use super::{DisplayStatus, TestReportData, records, warnings};
use crate::report::junit::{self, JunitCase, JunitResult, JunitSuite, problem, skipped};

/// The document.
pub(super) fn document(data: &TestReportData<'_>) -> String {
    junit::document(&suites(data), data.durations.seconds(data.report.time))
}

/// Errors first, then one suite per module in the order of the claims.
fn suites(data: &TestReportData<'_>) -> Vec<JunitSuite> {
    let TestReportData { files, diagnostics, errors, .. } = data;
    let properties = || vec![("seed", data.report.seed.to_string())];
    let not_run = junit::error_suite(files, diagnostics, errors, properties());
    let mut suites: Vec<JunitSuite> = not_run.into_iter().collect();
    for claim in &data.report.claims {
        let status = DisplayStatus::of(claim, data.deny);
        junit::suite_of(&mut suites, &claim.module, properties).push(JunitCase {
            name: &claim.name,
            class: &claim.module,
            result: result(status),
            content: content(data, claim, status),
            seconds: data.durations.seconds(claim.time),
        });
    }
    suites
}

fn result(status: DisplayStatus) -> JunitResult {
    match status {
        DisplayStatus::Passed => JunitResult::Passed,
        DisplayStatus::Failed | DisplayStatus::Flaky => JunitResult::Failed,
        DisplayStatus::Vacuous | DisplayStatus::Limit | DisplayStatus::Declined => {
            JunitResult::Error
        }
        DisplayStatus::Interrupted => JunitResult::Error,
        DisplayStatus::Ignored | DisplayStatus::Skipped | DisplayStatus::Unbound => {
            JunitResult::Skipped
        }
    }
}

/// The content for a claim: its problem, then its warnings.
fn content(data: &TestReportData<'_>, claim: &ClaimReport, status: DisplayStatus) -> String {
    let wrong = match status {
        DisplayStatus::Passed => String::new(),
        DisplayStatus::Failed => failure_element(data, claim),
        DisplayStatus::Flaky => {
            let text = failure::sections(data, claim, PLAIN);
            problem(
                "failure",
                "flaky",
                "a case is flaky: it behaved differently when run again",
                &text,
            )
        }
        DisplayStatus::Vacuous => {
            let text = failure::sections(data, claim, PLAIN);
            problem("error", "vacuous", &failure::vacuous_reason(claim), &text)
        }
        DisplayStatus::Limit => {
            let found = claim.failures.first().map(|it| &it.fault).or(claim.reason.as_ref());
            let message = found.map_or("limit reached", |it| &it.message);
            let text = failure::sections(data, claim, PLAIN);
            problem("error", "limit", message, &text)
        }
        DisplayStatus::Interrupted => {
            let message = "the run was interrupted before this claim finished";
            problem("error", "interrupted", message, message)
        }
        DisplayStatus::Declined => {
            let message = claim.reason.as_ref().map_or("inconclusive", |it| &it.message);
            let text = failure::sections(data, claim, PLAIN);
            problem("error", "declined", message, &text)
        }
        DisplayStatus::Ignored | DisplayStatus::Unbound => match &claim.status {
            ClaimStatus::Ignored(reason) => skipped(reason),
            ClaimStatus::Unbound(system) => skipped(&unbound_reason(system)),
            ClaimStatus::Pass
            | ClaimStatus::Fail
            | ClaimStatus::Vacuous
            | ClaimStatus::Limit
            | ClaimStatus::Declined
            | ClaimStatus::Interrupted
            | ClaimStatus::Flaky
            | ClaimStatus::Skipped => skipped("ignored"),
        },
        DisplayStatus::Skipped => skipped("not run"),
    };
    wrong + &warnings_element(claim)
}

/// A failed claim. Readers expect one element; the text of the first counterexample is followed by
/// the others.
fn failure_element(data: &TestReportData<'_>, claim: &ClaimReport) -> String {
    let covers = failure::unmet_covers(claim);
    let everything = || failure::sections(data, claim, PLAIN);
    match (claim.failures.as_slice(), covers.first()) {
        ([], None) => denied_element(data, claim),
        ([], Some(sentence)) => problem(
            "failure",
            records::cause_name(FailureCause::Cover),
            sentence,
            &everything(),
        ),
        ([one], None) => {
            let text = failure::section(data.files, claim, one, PLAIN);
            problem("failure", records::cause_name(one.cause), &one.fault.message, &text)
        }
        ([first, ..], _) => problem(
            "failure",
            records::cause_name(first.cause),
            &first.fault.message,
            &everything(),
        ),
    }
}

/// A claim that passed with denied warnings.
fn denied_element(data: &TestReportData<'_>, claim: &ClaimReport) -> String {
    let found = claim.warnings.iter().find(|it| warnings::is_denied(it, data.deny));
    match found.map(|it| warnings::describe(claim, it)) {
        Some(remark) => {
            let kind = remark.lint.map_or("denied", crate::report::DeniableLint::name);
            problem("failure", kind, &remark.text, &remark.text)
        }
        None => problem("failure", "denied", "failed", ""),
    }
}

/// The warnings of a claim.
fn warnings_element(claim: &ClaimReport) -> String {
    if claim.warnings.is_empty() {
        return String::new();
    }
    let lines: Vec<String> =
        claim.warnings.iter().map(|it| warnings::describe(claim, it).text).collect();
    junit::system_out(&lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::super::{DurationDisplay, fixture};
    use super::document;
    use crate::report::golden;

    #[test]
    fn the_document_is_well_formed() {
        let text = fixture::with_report_data(DurationDisplay::Hidden, document);
        fixture::assert_golden("report.junit.xml", &text);
        let tags = golden::xml_tags(&text);
        let count = |name: &str| tags.iter().filter(|tag| tag.as_str() == name).count();
        assert_eq!(count("testcase"), fixture::N_CLAIMS);
        assert_eq!((count("failure"), count("error"), count("skipped")), (4, 4, 3));
        assert!(text.contains("tests=\"13\" failures=\"4\" errors=\"4\""), "{text}");
    }

    #[test]
    fn errors_of_checking_are_in_the_document() {
        let text = fixture::with_broken_report_data(document);
        assert_eq!(golden::xml_tags(&text).iter().filter(|it| *it == "error").count(), 2);
    }

    #[test]
    fn durations_are_there_if_they_are_wanted() {
        let text = fixture::with_report_data(DurationDisplay::Shown, document);
        assert!(text.contains("time=\"1.500\""), "{text}");
        golden::xml_tags(&text);
    }
}

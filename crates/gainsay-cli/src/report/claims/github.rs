//! `--format github`: GitHub Actions annotations.

use std::fmt::Write as _;

use gainsay::test::{ClaimReport, Failure};

use super::{DisplayStatus, TestReportData, failure, warnings};
use crate::report::github::{self, annotation};

/// One annotation for everything that needs attention.
pub(super) fn lines(data: &TestReportData<'_>) -> String {
    let mut text = String::new();
    for it in data.errors {
        text += &github::error(it);
    }
    for it in data.diagnostics {
        text += &github::diagnostic(data.files, it);
    }
    for claim in &data.report.claims {
        for it in &claim.failures {
            text += &failure_annotation(data, claim, it);
        }
        for it in failure::unmet_covers(claim) {
            text += &annotation(data.files, "error", claim.span, &claim.id(), &it);
        }
        if let Some(message) = problem(claim, DisplayStatus::of(claim, data.deny)) {
            text += &annotation(data.files, "error", claim.span, &claim.id(), &message);
        }
        for it in &claim.warnings {
            let remark = warnings::describe(claim, it);
            let level = match remark.lint {
                Some(lint) if lint.is_denied(data.deny) => "error",
                Some(_) => "warning",
                None => "notice",
            };
            let span = remark.span.unwrap_or(claim.span);
            text += &annotation(data.files, level, span, &claim.id(), &remark.text);
        }
    }
    text
}

fn failure_annotation(data: &TestReportData<'_>, claim: &ClaimReport, it: &Failure) -> String {
    let mut message = it.fault.message.clone();
    if !it.arguments.is_empty() {
        message += "\n";
        message += failure::source(&it.arguments).trim_end();
    }
    if let Some(sides) = &it.sides {
        let (left, right) = (failure::truncated(&sides.left), failure::truncated(&sides.right));
        let _ = write!(message, "\nleft  {left}\nright {right}");
    }
    if let Some(command) = failure::replay_command(data.files, claim, it) {
        let _ = write!(message, "\n{command}");
    }
    let span = data.failure_span(claim, it);
    annotation(data.files, "error", span, &claim.id(), &message)
}

/// The problem of a claim without a counterexample.
fn problem(claim: &ClaimReport, status: DisplayStatus) -> Option<String> {
    match status {
        DisplayStatus::Vacuous => Some(failure::vacuous_reason(claim)),
        DisplayStatus::Declined => {
            let why = claim.reason.as_ref().map_or("", |it| it.message.as_str());
            Some(format!("inconclusive: {why}"))
        }
        // Most claims that reached a limit have a counterexample, which is reported instead.
        DisplayStatus::Limit if claim.failures.is_empty() => {
            let why = claim.reason.as_ref().map_or("", |it| it.message.as_str());
            Some(format!("limit reached: {why}"))
        }
        DisplayStatus::Interrupted => {
            Some("the run was interrupted before this claim finished".to_owned())
        }
        DisplayStatus::Flaky => {
            Some("a case is flaky: it behaved differently when run again".to_owned())
        }
        DisplayStatus::Passed | DisplayStatus::Failed | DisplayStatus::Limit => None,
        DisplayStatus::Ignored | DisplayStatus::Skipped | DisplayStatus::Unbound => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{DurationDisplay, fixture};
    use super::lines;
    use crate::report::golden::assert_annotations;

    #[test]
    fn there_is_a_line_for_each_problem() {
        let text = fixture::with_report_data(DurationDisplay::Hidden, lines);
        fixture::assert_golden("report.github.txt", &text);
        assert_annotations(&text);
    }
}

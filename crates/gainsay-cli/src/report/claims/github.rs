//! `--format github`: annotations of GitHub Actions.

use std::fmt::Write as _;

use gainsay::test::{ClaimReport, Failure};

use super::{Account, Standing, failure, warning};
use crate::report::github::{self, annotation};

/// The lines: an annotation for everything that somebody should look at.
pub(super) fn lines(account: &Account<'_>) -> String {
    let mut text = String::new();
    for it in account.troubles {
        text += &github::trouble(it);
    }
    for it in account.diagnostics {
        text += &github::diagnostic(account.files, it);
    }
    for claim in &account.report.claims {
        for it in &claim.failures {
            text += &failed(account, claim, it);
        }
        for it in failure::uncovered(claim) {
            text += &annotation(account.files, "error", claim.span, &claim.id(), &it);
        }
        if let Some(message) = odd(claim, Standing::of(claim, account.deny)) {
            text += &annotation(account.files, "error", claim.span, &claim.id(), &message);
        }
        for it in &claim.warnings {
            let remark = warning::remark(claim, it);
            let level = match remark.lint {
                Some(lint) if lint.is_denied(account.deny) => "error",
                Some(_) => "warning",
                None => "notice",
            };
            let span = remark.span.unwrap_or(claim.span);
            text += &annotation(account.files, level, span, &claim.id(), &remark.text);
        }
    }
    text
}

fn failed(account: &Account<'_>, claim: &ClaimReport, it: &Failure) -> String {
    let mut message = it.fault.message.clone();
    if !it.arguments.is_empty() {
        message += "\n";
        message += failure::source(&it.arguments).trim_end();
    }
    if let Some(sides) = &it.sides {
        let (left, right) = (failure::brief(&sides.left), failure::brief(&sides.right));
        let _ = write!(message, "\nleft  {left}\nright {right}");
    }
    if let Some(command) = failure::replay_command(account.files, claim, it) {
        let _ = write!(message, "\n{command}");
    }
    let span = account.place_of(claim, it);
    annotation(account.files, "error", span, &claim.id(), &message)
}

/// What is wrong with a claim that has no counterexample.
fn odd(claim: &ClaimReport, standing: Standing) -> Option<String> {
    match standing {
        Standing::Vacuous => Some(failure::untested(claim)),
        Standing::Declined => {
            let why = claim.reason.as_ref().map_or("", |it| it.message.as_str());
            Some(format!("it could not be decided: {why}"))
        }
        // Most of those that reached a limit have a counterexample.
        Standing::Limit if claim.failures.is_empty() => {
            let why = claim.reason.as_ref().map_or("", |it| it.message.as_str());
            Some(format!("a limit was reached: {why}"))
        }
        Standing::Interrupted => {
            Some("the run was stopped before this claim was decided".to_owned())
        }
        Standing::Flaky => Some("a case did not go the same way twice".to_owned()),
        Standing::Passed | Standing::Failed | Standing::Limit => None,
        Standing::Ignored | Standing::Skipped => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Durations, sample};
    use super::lines;
    use crate::report::golden::assert_annotations;

    #[test]
    fn there_is_a_line_for_everything_worth_a_look() {
        let text = sample::with_account(Durations::Hidden, lines);
        sample::assert_golden("report.github.txt", &text);
        assert_annotations(&text);
    }
}

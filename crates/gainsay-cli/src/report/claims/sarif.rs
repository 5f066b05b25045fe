//! `--format sarif`: SARIF 2.1.0, with fingerprints that outlive edits.

use gainsay::source::Span;
use gainsay::test::{ClaimReport, Failure};
use serde_json::json;

use super::failure::{self, PLAIN};
use super::{Account, Standing, warning};
use crate::config::Lint;
use crate::report::sarif::{Ending, Found, Log, Rule};

/// The document.
pub(super) fn document(account: &Account<'_>) -> String {
    let mut log = Log::new(account.files, account.n_standard);
    for diagnostic in account.diagnostics {
        log.diagnostic(diagnostic);
    }
    for it in &account.report.claims {
        claim(&mut log, account, it);
    }
    log.document(&Ending {
        exit: account.exit,
        troubles: account.troubles,
        properties: json!({ "seed": account.report.seed }),
    })
}

fn claim(log: &mut Log<'_>, account: &Account<'_>, claim: &ClaimReport) {
    for it in &claim.failures {
        failed(log, account, claim, it);
    }
    for it in failure::uncovered(claim) {
        uncovered(log, claim, &it);
    }
    let standing = Standing::of(claim, account.deny);
    let (about, text) = match standing {
        Standing::Vacuous => {
            ("A claim none or hardly any of whose cases count.", failure::untested(claim))
        }
        Standing::Declined => {
            let why = claim.reason.as_ref().map_or("", |it| it.message.as_str());
            ("A claim that could not be decided.", format!("it could not be decided: {why}"))
        }
        Standing::Limit if claim.failures.is_empty() => {
            let why = claim.reason.as_ref().map_or("", |it| it.message.as_str());
            ("A claim that ran out of steps, depth or memory.", format!("it ran out: {why}"))
        }
        Standing::Interrupted => (
            "A claim that was under way when the run was stopped.",
            "the run was stopped before this claim was decided".to_owned(),
        ),
        Standing::Flaky => (
            "A claim whose cases do not go the same way twice.",
            "a case did not go the same way twice".to_owned(),
        ),
        Standing::Passed | Standing::Failed | Standing::Limit => {
            return warnings(log, account, claim);
        }
        Standing::Ignored | Standing::Skipped => {
            return warnings(log, account, claim);
        }
    };
    let name = standing.name();
    log.push(Found {
        rule: Rule { id: name.to_owned(), name, about },
        level: "error",
        text: format!("{}: {text}", claim.id()),
        span: claim.span,
        related: Vec::new(),
        fingerprint: format!("{}/{name}", claim.id()),
        properties: json!({ "claim": claim.id() }),
    });
    warnings(log, account, claim);
}

fn uncovered(log: &mut Log<'_>, claim: &ClaimReport, text: &str) {
    let about = "A claim fewer of whose cases are of a kind than `cover` demands.";
    log.push(Found {
        rule: Rule { id: "cover".to_owned(), name: "cover", about },
        level: "error",
        text: format!("{}: {text}", claim.id()),
        span: claim.span,
        related: Vec::new(),
        fingerprint: format!("{}/cover", claim.id()),
        properties: json!({ "claim": claim.id() }),
    });
}

fn failed(log: &mut Log<'_>, account: &Account<'_>, claim: &ClaimReport, it: &Failure) {
    let span = account.place_of(claim, it);
    let mut related: Vec<(Span, &str)> =
        it.fault.secondary.iter().map(|label| (label.span, &*label.text)).collect();
    related.push((claim.span, "of this claim"));
    let mut text = format!("{}: {}", claim.id(), it.fault.message);
    if !it.arguments.is_empty() {
        text += "\n\n";
        text += failure::source(&it.arguments).trim_end();
    }
    if let Some(command) = failure::replay_command(account.files, claim, it) {
        text += &format!("\n\n{command}");
    }
    let properties = json!({
        "claim": claim.id(),
        "seed": account.report.seed,
        "replay": it.replay,
        "details": failure::section(account.files, claim, it, PLAIN),
    });
    log.push(Found {
        rule: Rule::of(it.fault.code),
        level: "error",
        text,
        span,
        related,
        fingerprint: format!("{}/{}", claim.id(), it.id),
        properties,
    });
}

fn warnings(log: &mut Log<'_>, account: &Account<'_>, claim: &ClaimReport) {
    for it in &claim.warnings {
        let remark = warning::remark(claim, it);
        let name = remark.lint.map_or("note", Lint::name);
        let level = match remark.lint {
            Some(lint) if lint.is_denied(account.deny) => "error",
            Some(_) => "warning",
            None => "note",
        };
        let about = "Something somebody should know of a claim.";
        log.push(Found {
            rule: Rule { id: name.to_owned(), name, about },
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
    use super::super::{Durations, sample};
    use super::document;
    use crate::report::golden;

    #[test]
    fn the_document_has_what_sarif_requires() {
        let text = sample::with_account(Durations::Hidden, document);
        sample::assert_golden("report.sarif", &text);
        golden::sarif(&text);
    }

    #[test]
    fn what_could_not_be_run_is_no_success() {
        let log = golden::sarif(&sample::with_broken_account(document));
        let invocation = &log["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], false);
        assert_eq!(invocation["toolExecutionNotifications"][0]["level"], "error");
        assert_eq!(log["runs"][0]["results"][0]["level"], "error");
    }
}

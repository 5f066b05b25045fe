//! `--format junit`: XML as Jenkins and its like read it, a suite for each module.

use gainsay::test::{Cause, ClaimReport};

use super::failure::{self, PLAIN};
use super::{Account, Standing, record, warning};
use crate::report::junit::{self, Case, Result, Suite, problem, skipped};

/// The document.
pub(super) fn document(account: &Account<'_>) -> String {
    junit::document(&suites(account), account.times.seconds(account.report.time))
}

/// What could not be run, then a suite for each module in the order of the claims.
fn suites(account: &Account<'_>) -> Vec<Suite> {
    let Account { files, diagnostics, troubles, .. } = account;
    let properties = || vec![("seed", account.report.seed.to_string())];
    let not_run = junit::not_run(files, diagnostics, troubles, properties());
    let mut suites: Vec<Suite> = not_run.into_iter().collect();
    for claim in &account.report.claims {
        let standing = Standing::of(claim, account.deny);
        junit::suite_of(&mut suites, &claim.module, properties).push(Case {
            name: &claim.name,
            class: &claim.module,
            result: result(standing),
            content: content(account, claim, standing),
            seconds: account.times.seconds(claim.time),
        });
    }
    suites
}

fn result(standing: Standing) -> Result {
    match standing {
        Standing::Passed => Result::Passed,
        Standing::Failed | Standing::Flaky => Result::Failed,
        Standing::Vacuous | Standing::Limit | Standing::Declined => Result::Error,
        Standing::Interrupted => Result::Error,
        Standing::Ignored | Standing::Skipped => Result::Skipped,
    }
}

/// What there is to say of a claim: what is wrong with it, then its warnings.
fn content(account: &Account<'_>, claim: &ClaimReport, standing: Standing) -> String {
    let wrong = match standing {
        Standing::Passed => String::new(),
        Standing::Failed => failed(account, claim),
        Standing::Flaky => {
            let text = failure::sections(account, claim, PLAIN);
            problem("failure", "flaky", "a case did not go the same way twice", &text)
        }
        Standing::Vacuous => {
            let text = failure::sections(account, claim, PLAIN);
            problem("error", "vacuous", &failure::untested(claim), &text)
        }
        Standing::Limit => {
            let found = claim.failures.first().map(|it| &it.fault).or(claim.reason.as_ref());
            let message = found.map_or("a limit was reached", |it| &it.message);
            let text = failure::sections(account, claim, PLAIN);
            problem("error", "limit", message, &text)
        }
        Standing::Interrupted => {
            let message = "the run was stopped before this claim was decided";
            problem("error", "interrupted", message, message)
        }
        Standing::Declined => {
            let message =
                claim.reason.as_ref().map_or("it could not be decided", |it| &it.message);
            let text = failure::sections(account, claim, PLAIN);
            problem("error", "declined", message, &text)
        }
        Standing::Ignored => match &claim.status {
            gainsay::test::Status::Ignored(reason) => skipped(reason),
            gainsay::test::Status::Pass
            | gainsay::test::Status::Fail
            | gainsay::test::Status::Vacuous
            | gainsay::test::Status::Limit
            | gainsay::test::Status::Declined
            | gainsay::test::Status::Interrupted
            | gainsay::test::Status::Flaky
            | gainsay::test::Status::Skipped => skipped("ignored"),
        },
        Standing::Skipped => skipped("the run ended before"),
    };
    wrong + &remarks(claim)
}

/// A claim that failed. One element is what readers expect; if there are several counterexamples,
/// the others follow in its text.
fn failed(account: &Account<'_>, claim: &ClaimReport) -> String {
    let covers = failure::uncovered(claim);
    let everything = || failure::sections(account, claim, PLAIN);
    match (claim.failures.as_slice(), covers.first()) {
        ([], None) => denied(account, claim),
        ([], Some(sentence)) => {
            problem("failure", record::cause(Cause::Cover), sentence, &everything())
        }
        ([one], None) => {
            let text = failure::section(account.files, claim, one, PLAIN);
            problem("failure", record::cause(one.cause), &one.fault.message, &text)
        }
        ([first, ..], _) => {
            problem("failure", record::cause(first.cause), &first.fault.message, &everything())
        }
    }
}

/// A claim that passed, but not as was demanded.
fn denied(account: &Account<'_>, claim: &ClaimReport) -> String {
    let found = claim.warnings.iter().find(|it| warning::is_denied(it, account.deny));
    match found.map(|it| warning::remark(claim, it)) {
        Some(remark) => {
            let kind = remark.lint.map_or("denied", crate::config::Lint::name);
            problem("failure", kind, &remark.text, &remark.text)
        }
        None => problem("failure", "denied", "it failed", ""),
    }
}

/// The warnings of a claim.
fn remarks(claim: &ClaimReport) -> String {
    if claim.warnings.is_empty() {
        return String::new();
    }
    let lines: Vec<String> =
        claim.warnings.iter().map(|it| warning::remark(claim, it).text).collect();
    junit::remarks(&lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::super::{Durations, sample};
    use super::document;
    use crate::report::golden;

    #[test]
    fn the_document_is_well_formed() {
        let text = sample::with_account(Durations::Hidden, document);
        sample::assert_golden("report.junit.xml", &text);
        let tags = golden::tags(&text);
        let count = |name: &str| tags.iter().filter(|tag| tag.as_str() == name).count();
        assert_eq!(count("testcase"), sample::N_CLAIMS);
        assert_eq!((count("failure"), count("error"), count("skipped")), (4, 4, 2));
        assert!(text.contains("tests=\"12\" failures=\"4\" errors=\"4\""), "{text}");
    }

    #[test]
    fn errors_of_checking_are_in_the_document() {
        let text = sample::with_broken_account(document);
        assert_eq!(golden::tags(&text).iter().filter(|it| *it == "error").count(), 2);
    }

    #[test]
    fn durations_are_there_if_they_are_wanted() {
        let text = sample::with_account(Durations::Shown, document);
        assert!(text.contains("time=\"1.500\""), "{text}");
        golden::tags(&text);
    }
}

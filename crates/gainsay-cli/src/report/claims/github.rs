//! `--format github`: annotations of GitHub Actions.

use std::fmt::Write as _;

use gainsay::source::{Diagnostic, Severity, Span};
use gainsay::test::{ClaimReport, Failure};

use super::{Account, Standing, failure, warning};

/// The lines: an annotation for everything that somebody should look at.
pub(super) fn lines(account: &Account<'_>) -> String {
    let mut text = String::new();
    for it in account.troubles {
        let _ = writeln!(text, "::error::{}", data(&it.message));
    }
    for it in account.diagnostics {
        text += &diagnostic(account, it);
    }
    for claim in &account.report.claims {
        for it in &claim.failures {
            text += &failed(account, claim, it);
        }
        if let Some(message) = odd(claim, Standing::of(claim, account.deny)) {
            text += &annotation(account, "error", claim.span, &claim.id(), &message);
        }
        for it in &claim.warnings {
            let remark = warning::remark(claim, it);
            let level = match remark.lint {
                Some(lint) if lint.is_denied(account.deny) => "error",
                Some(_) => "warning",
                None => "notice",
            };
            let span = remark.span.unwrap_or(claim.span);
            text += &annotation(account, level, span, &claim.id(), &remark.text);
        }
    }
    text
}

fn diagnostic(account: &Account<'_>, it: &Diagnostic) -> String {
    let level = match it.code.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let title = format!("{} {}", it.code.name(), it.code.slug);
    annotation(account, level, it.primary.span, &title, &it.message)
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
    annotation(account, "error", span, &claim.id(), &message)
}

/// What is wrong with a claim that has no counterexample.
fn odd(claim: &ClaimReport, standing: Standing) -> Option<String> {
    match standing {
        Standing::Vacuous => Some(format!(
            "nothing was tested: {} cases counted, {} did not",
            claim.cases,
            claim.discards.cases()
        )),
        Standing::Declined => {
            let why = claim.reason.as_ref().map_or("", |it| it.message.as_str());
            Some(format!("it could not be decided: {why}"))
        }
        Standing::Flaky => Some("a case did not go the same way twice".to_owned()),
        Standing::Passed | Standing::Failed | Standing::Ignored | Standing::Skipped => None,
    }
}

fn annotation(
    account: &Account<'_>,
    level: &str,
    span: Span,
    title: &str,
    message: &str,
) -> String {
    let file = account.files.get(span.file);
    let (start, end) = (file.position(span.start), file.position(span.end));
    let mut place = format!("file={},line={}", property(&file.name), start.line);
    // GitHub takes columns only where a range stays on its line.
    if start.line == end.line {
        let _ = write!(place, ",col={},endColumn={}", start.column, end.column);
    } else {
        let _ = write!(place, ",endLine={}", end.line);
    }
    format!("::{level} {place},title={}::{}\n", property(title), data(message))
}

/// A text after the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A text between the first `::` and the second.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::{Durations, sample};
    use super::{data, lines, property};

    #[test]
    fn there_is_a_line_for_everything_worth_a_look() {
        let text = sample::with_account(Durations::Hidden, lines);
        sample::assert_golden("report.github.txt", &text);
        for line in text.lines() {
            let parts: Vec<&str> = line.splitn(3, "::").collect();
            assert!(parts[0].is_empty() && parts.len() == 3, "{line}");
            let level = parts[1].split(' ').next().unwrap();
            assert!(["error", "warning", "notice"].contains(&level), "{line}");
        }
    }

    #[test]
    fn nothing_breaks_out_of_an_annotation() {
        assert_eq!(data("100 %\r\n::error::"), "100 %25%0D%0A::error::");
        assert_eq!(property("a::b, 100 %\n"), "a%3A%3Ab%2C 100 %25%0A");
    }
}

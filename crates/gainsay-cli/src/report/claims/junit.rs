//! `--format junit`: XML as Jenkins and its like read it, a suite for each module.

use std::fmt::Write as _;

use gainsay::source::{Style, render};
use gainsay::test::{ClaimReport, Failure};

use super::{Account, Standing, failure, record, warning};
use crate::trouble::Trouble;

/// The document.
pub(super) fn document(account: &Account<'_>) -> String {
    let suites = suites(account);
    let total = suites.iter().fold(Counts::default(), |all, suite| all.and(suite.counts));
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let time = attribute_of_time(account.times.seconds(account.report.time));
    let _ = writeln!(text, "<testsuites name=\"gainsay\"{}{time}>", total.attributes());
    for suite in suites {
        let time = attribute_of_time(suite.seconds);
        let name = escaped(&suite.name);
        let counts = suite.counts.attributes();
        let skipped = suite.counts.skipped;
        let _ =
            writeln!(text, "  <testsuite name=\"{name}\"{counts} skipped=\"{skipped}\"{time}>");
        let seed = account.report.seed;
        let _ = writeln!(
            text,
            "    <properties>\n      <property name=\"seed\" value=\"{seed}\"/>\n    </properties>"
        );
        text += &suite.cases;
        text += "  </testsuite>\n";
    }
    text += "</testsuites>\n";
    text
}

#[derive(Debug, Copy, Clone, Default)]
struct Counts {
    tests: u64,
    failures: u64,
    errors: u64,
    skipped: u64,
}

impl Counts {
    fn and(self, other: Self) -> Self {
        Self {
            tests: self.tests + other.tests,
            failures: self.failures + other.failures,
            errors: self.errors + other.errors,
            skipped: self.skipped + other.skipped,
        }
    }

    fn attributes(self) -> String {
        let Self { tests, failures, errors, .. } = self;
        format!(" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"")
    }
}

struct Suite {
    name: String,
    counts: Counts,
    seconds: Option<f64>,
    cases: String,
}

impl Suite {
    fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            counts: Counts::default(),
            seconds: None,
            cases: String::new(),
        }
    }
}

/// What could not be run, then a suite for each module in the order of the claims.
fn suites(account: &Account<'_>) -> Vec<Suite> {
    let mut suites = Vec::new();
    let broken = not_run(account);
    if broken.counts.tests > 0 {
        suites.push(broken);
    }
    for claim in &account.report.claims {
        let at = suites.iter().position(|suite: &Suite| suite.name == claim.module);
        let at = at.unwrap_or_else(|| {
            suites.push(Suite::new(&claim.module));
            suites.len() - 1
        });
        let suite = &mut suites[at];
        let standing = Standing::of(claim, account.deny);
        suite.counts = suite.counts.and(count(standing));
        let seconds = account.times.seconds(claim.time);
        suite.seconds = seconds.map(|it| it + suite.seconds.unwrap_or(0.0));
        suite.cases += &test_case(account, claim, standing);
    }
    suites
}

/// Errors of checking and troubles: whoever reads the report must not take them for success.
fn not_run(account: &Account<'_>) -> Suite {
    let mut suite = Suite::new("gainsay");
    let errors = account.diagnostics.iter().filter(|it| it.is_error());
    let errors = errors.map(|it| {
        let text = render(account.files, it, Style::Plain);
        (failure::place(account.files, it), it.message.clone(), it.code.slug, text)
    });
    let troubles = account.troubles.iter().map(|it: &Trouble| {
        (it.message.clone(), it.message.clone(), "trouble", it.help.join("\n"))
    });
    for (name, message, kind, text) in errors.chain(troubles) {
        suite.counts.tests += 1;
        suite.counts.errors += 1;
        let name = escaped(&name);
        let _ = writeln!(suite.cases, "    <testcase name=\"{name}\" classname=\"gainsay\">");
        suite.cases += &problem("error", kind, &message, &text);
        suite.cases += "    </testcase>\n";
    }
    suite
}

fn count(standing: Standing) -> Counts {
    let one = Counts { tests: 1, ..Counts::default() };
    match standing {
        Standing::Passed => one,
        Standing::Failed | Standing::Flaky => Counts { failures: 1, ..one },
        Standing::Vacuous | Standing::Declined => Counts { errors: 1, ..one },
        Standing::Ignored | Standing::Skipped => Counts { skipped: 1, ..one },
    }
}

fn test_case(account: &Account<'_>, claim: &ClaimReport, standing: Standing) -> String {
    let mut text = format!(
        "    <testcase name=\"{}\" classname=\"{}\"{}",
        escaped(&claim.name),
        escaped(&claim.module),
        attribute_of_time(account.times.seconds(claim.time)),
    );
    let inner = content(account, claim, standing);
    if inner.is_empty() {
        text += "/>\n";
    } else {
        let _ = write!(text, ">\n{inner}    </testcase>\n");
    }
    text
}

fn content(account: &Account<'_>, claim: &ClaimReport, standing: Standing) -> String {
    match standing {
        Standing::Passed => remarks(claim),
        Standing::Failed if claim.failures.is_empty() => denied(account, claim),
        Standing::Failed => {
            let section = |it: &Failure| {
                let text = failure::section(account.files, claim, it, Style::Plain);
                problem("failure", record::cause(it.cause), &it.fault.message, &text)
            };
            // One element is what readers expect; the other failures follow in its text.
            match claim.failures.as_slice() {
                [one] => section(one),
                several => {
                    let text = failure::sections(account, claim, Style::Plain);
                    let first = &several[0];
                    let kind = record::cause(first.cause);
                    problem("failure", kind, &first.fault.message, &text)
                }
            }
        }
        Standing::Flaky => {
            let text = failure::sections(account, claim, Style::Plain);
            problem("failure", "flaky", "a case did not go the same way twice", &text)
        }
        Standing::Vacuous => {
            let text = failure::sections(account, claim, Style::Plain);
            problem("error", "vacuous", "nothing was tested", &text)
        }
        Standing::Declined => {
            let message =
                claim.reason.as_ref().map_or("it could not be decided", |it| &it.message);
            let text = failure::sections(account, claim, Style::Plain);
            problem("error", "declined", message, &text)
        }
        Standing::Ignored => match &claim.status {
            gainsay::test::Status::Ignored(reason) => skipped(reason),
            gainsay::test::Status::Pass
            | gainsay::test::Status::Fail
            | gainsay::test::Status::Vacuous
            | gainsay::test::Status::Declined
            | gainsay::test::Status::Flaky
            | gainsay::test::Status::Skipped => skipped("ignored"),
        },
        Standing::Skipped => skipped("the run ended before"),
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

/// Warnings of a claim that passed.
fn remarks(claim: &ClaimReport) -> String {
    if claim.warnings.is_empty() {
        return String::new();
    }
    let lines: Vec<String> =
        claim.warnings.iter().map(|it| warning::remark(claim, it).text).collect();
    format!("      <system-out>{}</system-out>\n", written(&lines.join("\n")))
}

fn problem(element: &str, kind: &str, message: &str, text: &str) -> String {
    let (message, kind, text) = (escaped(message), escaped(kind), written(text.trim_end()));
    format!("      <{element} message=\"{message}\" type=\"{kind}\">{text}</{element}>\n")
}

fn skipped(message: &str) -> String {
    format!("      <skipped message=\"{}\"/>\n", escaped(message))
}

fn attribute_of_time(seconds: Option<f64>) -> String {
    seconds.map_or_else(String::new, |it| format!(" time=\"{it:.3}\""))
}

/// A text between tags, whose lines stay lines.
fn written(text: &str) -> String {
    escaped(text).replace("&#10;", "\n")
}

/// A text for an attribute. XML 1.0 has no way to write most control
/// characters, so they are shown as in source.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for it in text.chars() {
        match it {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' => out += "&#10;",
            '\t' => out += "&#9;",
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(it));
            }
            it => out.push(it),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::{Durations, sample};
    use super::{document, escaped};

    #[test]
    fn the_document_is_well_formed() {
        let text = sample::with_account(Durations::Hidden, document);
        sample::assert_golden("report.junit.xml", &text);
        let tags = sample::tags(&text);
        let count = |name: &str| tags.iter().filter(|tag| tag.as_str() == name).count();
        assert_eq!(count("testcase"), sample::N_CLAIMS);
        assert_eq!((count("failure"), count("error"), count("skipped")), (3, 2, 2));
        assert!(text.contains("tests=\"9\" failures=\"3\" errors=\"2\""), "{text}");
    }

    #[test]
    fn errors_of_checking_are_in_the_document() {
        let text = sample::with_broken_account(document);
        assert_eq!(sample::tags(&text).iter().filter(|it| *it == "error").count(), 2);
    }

    #[test]
    fn durations_are_there_if_they_are_wanted() {
        let text = sample::with_account(Durations::Shown, document);
        assert!(text.contains("time=\"1.500\""), "{text}");
        sample::tags(&text);
    }

    #[test]
    fn nothing_breaks_out_of_a_text() {
        assert_eq!(escaped("a<b>&\"c\"\n]]>"), "a&lt;b&gt;&amp;&quot;c&quot;&#10;]]&gt;");
        assert_eq!(escaped("\u{0}\u{1b}[31mö\u{ffff}"), "\\u{0}\\u{1b}[31mö\\u{ffff}");
    }
}

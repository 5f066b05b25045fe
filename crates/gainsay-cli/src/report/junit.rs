//! JUnit XML, shared by the reports of that format.

use std::fmt::Write as _;

use gainsay::source::{Diagnostic, RenderStyle, SourceMap, render};

use crate::cli_error::CliError;

/// The properties of a suite, by name.
pub(super) type JunitProperties = Vec<(&'static str, String)>;

/// A group of cases.
pub(super) struct JunitSuite {
    name: String,
    properties: JunitProperties,
    counts: JunitCounts,
    seconds: Option<f64>,
    cases: String,
}

/// A case of a suite.
pub(super) struct JunitCase<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// Its class name.
    pub(super) class: &'a str,
    /// Its result.
    pub(super) result: JunitResult,
    /// Its child elements, perhaps none.
    pub(super) content: String,
    /// Its duration, if that is shown.
    pub(super) seconds: Option<f64>,
}

/// The result of a case.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum JunitResult {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It could not be decided.
    Error,
    /// It was not run.
    Skipped,
}

#[derive(Debug, Copy, Clone, Default)]
struct JunitCounts {
    tests: u64,
    failures: u64,
    errors: u64,
    skipped: u64,
}

/// The document for some suites.
pub(super) fn document(suites: &[JunitSuite], seconds: Option<f64>) -> String {
    let total = suites.iter().fold(JunitCounts::default(), |all, suite| all.plus(suite.counts));
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let time = time_attribute(seconds);
    let _ = writeln!(text, "<testsuites name=\"gainsay\"{}{time}>", total.attributes());
    for suite in suites {
        suite.write(&mut text);
    }
    text += "</testsuites>\n";
    text
}

/// Check errors and errors without a location as a suite, so that readers do not mistake the report
/// for success. `None` if there are none.
pub(super) fn error_suite(
    files: &SourceMap,
    diagnostics: &[Diagnostic],
    cli_errors: &[CliError],
    properties: JunitProperties,
) -> Option<JunitSuite> {
    let mut suite = JunitSuite::new("gainsay", properties);
    let errors = diagnostics.iter().filter(|it| it.is_error());
    let errors = errors.map(|it| {
        let place = super::location_text(files, it.primary.span);
        (place, &*it.message, it.code.slug, render(files, it, RenderStyle::Plain))
    });
    let cli_errors = cli_errors
        .iter()
        .map(|it| (it.message.clone(), &*it.message, "error", it.help.join("\n")));
    for (name, message, kind, text) in errors.chain(cli_errors) {
        suite.push(JunitCase {
            name: &name,
            class: "gainsay",
            result: JunitResult::Error,
            content: problem("error", kind, message, &text),
            seconds: None,
        });
    }
    (suite.counts.tests > 0).then_some(suite)
}

/// The suite of this name, created if necessary.
pub(super) fn suite_of<'a>(
    suites: &'a mut Vec<JunitSuite>,
    name: &str,
    properties: impl FnOnce() -> JunitProperties,
) -> &'a mut JunitSuite {
    let at = suites.iter().position(|suite| suite.name == name);
    let at = at.unwrap_or_else(|| {
        suites.push(JunitSuite::new(name, properties()));
        suites.len() - 1
    });
    &mut suites[at]
}

impl JunitSuite {
    fn new(name: &str, properties: JunitProperties) -> Self {
        Self {
            name: name.to_owned(),
            properties,
            counts: JunitCounts::default(),
            seconds: None,
            cases: String::new(),
        }
    }

    /// Adds a case.
    pub(super) fn push(&mut self, case: JunitCase<'_>) {
        self.counts = self.counts.plus(JunitCounts::of(case.result));
        // Durations are shown for all cases or for none.
        self.seconds = case.seconds.map(|it| it + self.seconds.unwrap_or(0.0));
        let (name, class) = (escape_attribute(case.name), escape_attribute(case.class));
        let time = time_attribute(case.seconds);
        let text = &mut self.cases;
        let _ = write!(text, "    <testcase name=\"{name}\" classname=\"{class}\"{time}");
        if case.content.is_empty() {
            *text += "/>\n";
        } else {
            let _ = write!(text, ">\n{}    </testcase>\n", case.content);
        }
    }

    fn write(&self, text: &mut String) {
        let time = time_attribute(self.seconds);
        let (name, counts) = (escape_attribute(&self.name), self.counts.attributes());
        let skipped = self.counts.skipped;
        let _ =
            writeln!(text, "  <testsuite name=\"{name}\"{counts} skipped=\"{skipped}\"{time}>");
        *text += "    <properties>\n";
        for (name, value) in &self.properties {
            let value = escape_attribute(value);
            let _ = writeln!(text, "      <property name=\"{name}\" value=\"{value}\"/>");
        }
        *text += "    </properties>\n";
        *text += &self.cases;
        *text += "  </testsuite>\n";
    }
}

impl JunitCounts {
    fn of(result: JunitResult) -> Self {
        let one = Self { tests: 1, ..Self::default() };
        match result {
            JunitResult::Passed => one,
            JunitResult::Failed => Self { failures: 1, ..one },
            JunitResult::Error => Self { errors: 1, ..one },
            JunitResult::Skipped => Self { skipped: 1, ..one },
        }
    }

    fn plus(self, other: Self) -> Self {
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

/// The problem of a case, as a `failure` or `error` element.
pub(super) fn problem(element: &str, kind: &str, message: &str, text: &str) -> String {
    let (message, kind, text) =
        (escape_attribute(message), escape_attribute(kind), escape_text(text.trim_end()));
    format!("      <{element} message=\"{message}\" type=\"{kind}\">{text}</{element}>\n")
}

/// Why a case was skipped.
pub(super) fn skipped(message: &str) -> String {
    format!("      <skipped message=\"{}\"/>\n", escape_attribute(message))
}

/// Additional output of a case.
pub(super) fn system_out(text: &str) -> String {
    format!("      <system-out>{}</system-out>\n", escape_text(text))
}

fn time_attribute(seconds: Option<f64>) -> String {
    seconds.map_or_else(String::new, |it| format!(" time=\"{it:.3}\""))
}

/// Escapes text content; line breaks are kept.
fn escape_text(text: &str) -> String {
    // The text itself cannot contain this reference: its `&` is escaped by now.
    escape_attribute(text).replace("&#10;", "\n")
}

/// Escapes an attribute. XML 1.0 cannot represent most control characters, so they are shown as
/// source escapes.
fn escape_attribute(text: &str) -> String {
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
    use super::escape_attribute;

    #[test]
    fn nothing_breaks_out_of_a_text() {
        assert_eq!(
            escape_attribute("a<b>&\"c\"\n]]>"),
            "a&lt;b&gt;&amp;&quot;c&quot;&#10;]]&gt;"
        );
        assert_eq!(escape_attribute("\u{0}\u{1b}[31mö\u{ffff}"), "\\u{0}\\u{1b}[31mö\\u{ffff}");
    }
}

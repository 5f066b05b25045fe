//! XML as Jenkins and its like read it: what the reports of that format are made of.

use std::fmt::Write as _;

use gainsay::source::{Diagnostic, RenderStyle, SourceMap, render};

use crate::cli_error::CliError;

/// What is known of all cases of a suite, by name.
pub(super) type JunitProperties = Vec<(&'static str, String)>;

/// Cases that belong together.
pub(super) struct JunitSuite {
    name: String,
    properties: JunitProperties,
    counts: JunitCounts,
    seconds: Option<f64>,
    cases: String,
}

/// A case of a suite.
pub(super) struct JunitCase<'a> {
    /// What it is called.
    pub(super) name: &'a str,
    /// What it belongs to.
    pub(super) class: &'a str,
    /// What came of it.
    pub(super) result: JunitResult,
    /// What there is to say: elements, perhaps none.
    pub(super) content: String,
    /// How long it took, if that is shown.
    pub(super) seconds: Option<f64>,
}

/// What came of a case.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum JunitResult {
    /// It is as it should be.
    Passed,
    /// It is not.
    Failed,
    /// It could not be found out.
    Error,
    /// Nobody tried.
    Skipped,
}

#[derive(Debug, Copy, Clone, Default)]
struct JunitCounts {
    tests: u64,
    failures: u64,
    errors: u64,
    skipped: u64,
}

/// The document of some suites.
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

/// Errors of checking and troubles: whoever reads the report must not take them for success.
/// Nothing if there are none.
pub(super) fn error_suite(
    files: &SourceMap,
    diagnostics: &[Diagnostic],
    troubles: &[CliError],
    properties: JunitProperties,
) -> Option<JunitSuite> {
    let mut suite = JunitSuite::new("gainsay", properties);
    let errors = diagnostics.iter().filter(|it| it.is_error());
    let errors = errors.map(|it| {
        let place = super::location_text(files, it.primary.span);
        (place, &*it.message, it.code.slug, render(files, it, RenderStyle::Plain))
    });
    let troubles = troubles
        .iter()
        .map(|it| (it.message.clone(), &*it.message, "trouble", it.help.join("\n")));
    for (name, message, kind, text) in errors.chain(troubles) {
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

/// The suite of a name, a new one if there is none.
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

    /// Takes in a case.
    pub(super) fn push(&mut self, case: JunitCase<'_>) {
        self.counts = self.counts.plus(JunitCounts::of(case.result));
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

/// What is wrong with a case, in an element that is called `failure` or `error`.
pub(super) fn problem(element: &str, kind: &str, message: &str, text: &str) -> String {
    let (message, kind, text) =
        (escape_attribute(message), escape_attribute(kind), escape_text(text.trim_end()));
    format!("      <{element} message=\"{message}\" type=\"{kind}\">{text}</{element}>\n")
}

/// Why a case was not tried.
pub(super) fn skipped(message: &str) -> String {
    format!("      <skipped message=\"{}\"/>\n", escape_attribute(message))
}

/// What else there is to say of a case.
pub(super) fn system_out(text: &str) -> String {
    format!("      <system-out>{}</system-out>\n", escape_text(text))
}

fn time_attribute(seconds: Option<f64>) -> String {
    seconds.map_or_else(String::new, |it| format!(" time=\"{it:.3}\""))
}

/// A text between tags, whose lines stay lines.
fn escape_text(text: &str) -> String {
    escape_attribute(text).replace("&#10;", "\n")
}

/// A text for an attribute. XML 1.0 has no way to write most control
/// characters, so they are shown as in source.
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

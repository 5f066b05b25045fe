//! What the commands say: diagnostics, troubles and summaries, for people or as JSON.

pub(crate) mod claims;
mod github;
mod json;
mod junit;
pub(crate) mod mutants;
mod paint;
mod sarif;

#[cfg(test)]
mod golden;

use std::env;
use std::io::{self, IsTerminal as _};

use gainsay::source::{Diagnostic, Files, Severity, Span, Style, printable, render};
use serde::Serialize;

pub(crate) use self::json::{Explanation, FormatRecord, line, severity};

use crate::arguments::{Color, Shared};
use crate::exit::Exit;
use crate::output;
use crate::trouble::{Place, Trouble};

/// Says things, and counts the errors and warnings among them.
#[derive(Debug)]
pub(crate) struct Reporter {
    form: Form,
    detail: Detail,
    color: Color,
    records_to: Stream,
    n_errors: u64,
    n_warnings: u64,
}

/// Who reads the report.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Form {
    /// A person.
    Human(Style),
    /// A program: one JSON object per line.
    Json,
}

/// How much is said besides what is wrong.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Nothing.
    Quiet,
    /// What most people want to know.
    Usual,
    /// Everything there is.
    Full,
}

/// Where JSON lines go.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Stream {
    /// The output, as usual.
    Output,
    /// The error stream, when the output carries something else.
    Error,
}

impl Reporter {
    /// A reporter that does as the command line says.
    pub(crate) fn new(shared: Shared) -> Self {
        let style = style(shared.color, Stream::Error);
        let form = if shared.json { Form::Json } else { Form::Human(style) };
        let detail = match (shared.quiet, shared.verbose) {
            (true, _) => Detail::Quiet,
            (false, true) => Detail::Full,
            (false, false) => Detail::Usual,
        };
        let color = shared.color;
        Self { form, detail, color, records_to: Stream::Output, n_errors: 0, n_warnings: 0 }
    }

    /// From now on a program reads what is said.
    pub(crate) fn speak_json(&mut self) {
        self.form = Form::Json;
    }

    /// From now on a person reads what is said, on the error stream.
    pub(crate) fn speak_to_people(&mut self) {
        self.form = Form::Human(style(self.color, Stream::Error));
    }

    /// How much is said.
    pub(crate) fn detail(&self) -> Detail {
        self.detail
    }

    /// Whether what goes to the output has colours.
    pub(crate) fn output_style(&self) -> Style {
        style(self.color, Stream::Output)
    }

    /// Sends JSON lines to the error stream: the output belongs to something else.
    pub(crate) fn leave_the_output_alone(&mut self) {
        self.records_to = Stream::Error;
    }

    /// Who reads the report.
    pub(crate) fn form(&self) -> Form {
        self.form
    }

    /// Whether a person reads the report.
    pub(crate) fn speaks_to_people(&self) -> bool {
        self.form != Form::Json
    }

    /// Says a diagnostic.
    pub(crate) fn diagnostic(&mut self, files: &Files, diagnostic: &Diagnostic) {
        match diagnostic.code.severity {
            Severity::Error => self.n_errors += 1,
            Severity::Warning => self.n_warnings += 1,
            Severity::Note => {}
        }
        match self.form {
            Form::Human(style) => {
                output::talk(&format!("{}\n\n", render(files, diagnostic, style).trim_end()));
            }
            Form::Json => self.record(&json::diagnostic(files, diagnostic)),
        }
    }

    /// Says several diagnostics.
    pub(crate) fn diagnostics(&mut self, files: &Files, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            self.diagnostic(files, diagnostic);
        }
    }

    /// Says what is the matter, and gives the exit it calls for.
    pub(crate) fn trouble(&mut self, trouble: &Trouble) -> Exit {
        self.n_errors += 1;
        match self.form {
            Form::Human(style) => {
                let (error, help) = match style {
                    Style::Plain => ("error", "help"),
                    Style::Coloured => (
                        "\u{1b}[1m\u{1b}[91merror\u{1b}[0m",
                        "\u{1b}[1m\u{1b}[96mhelp\u{1b}[0m",
                    ),
                };
                let mut text = format!("{error}: {}\n", printable(&trouble.message));
                if let Some(place) = &trouble.place {
                    text.push_str(&drawn(place));
                }
                for line in &trouble.help {
                    text.push_str(&format!("{help}: {}\n", printable(line)));
                }
                output::talk(&text);
            }
            Form::Json => self.record(&json::trouble(trouble)),
        }
        trouble.exit
    }

    /// Says something in passing.
    pub(crate) fn remark(&self, line: &str) {
        if self.detail != Detail::Quiet && self.speaks_to_people() {
            output::talk(&format!("{line}\n"));
        }
    }

    /// Writes a JSON line, if that is how this reporter speaks.
    pub(crate) fn record(&self, record: &impl Serialize) {
        if self.speaks_to_people() {
            return;
        }
        let line = serde_json::to_string(record)
            .expect("records have text keys and no numbers that JSON lacks");
        match self.records_to {
            // What became of the output is asked once, when the command ends.
            Stream::Output => drop(output::write_line(&line)),
            Stream::Error => output::talk(&format!("{line}\n")),
        }
    }

    /// Writes the closing JSON line.
    pub(crate) fn summary(&self, n_files: usize, exit: Exit) {
        self.record(&json::summary(json::Summary {
            errors: self.n_errors,
            warnings: self.n_warnings,
            files: n_files as u64,
            exit: exit.number(),
        }));
    }

    /// `checked 3 files: 1 error, 2 warnings`.
    pub(crate) fn tally(&self, verb: &str, n_files: usize) -> String {
        let files = counted(n_files as u64, "file");
        let errors = counted(self.n_errors, "error");
        let warnings = counted(self.n_warnings, "warning");
        match (self.n_errors, self.n_warnings) {
            (0, 0) => format!("{verb} {files}: no errors"),
            (_, 0) => format!("{verb} {files}: {errors}"),
            (0, _) => format!("{verb} {files}: {warnings}"),
            (_, _) => format!("{verb} {files}: {errors}, {warnings}"),
        }
    }
}

/// `1 file`, `2 files`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Source text that may stand on several lines, on one.
fn in_a_line(source: &str) -> String {
    source.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `ledger.say:3:5`.
fn place_of(files: &Files, span: Span) -> String {
    let file = files.get(span.file);
    let at = file.position(span.start);
    format!("{}:{}:{}", file.name, at.line, at.column)
}

/// A line of a file with the part that is meant.
fn drawn(place: &Place) -> String {
    let number = place.line.to_string();
    let gap = " ".repeat(number.len());
    // Tabs stay, so that the mark stands below what it marks.
    let before = place.text.chars().take(place.column as usize - 1);
    let before: String = before.map(|it| if it == '\t' { it } else { ' ' }).collect();
    let mark = "^".repeat(place.width as usize);
    let Place { line, column, .. } = place;
    let (file, text) = (printable(&place.file), printable(&place.text));
    format!(
        "{gap}--> {file}:{line}:{column}\n{gap} |\n{number} | {text}\n{gap} | {before}{mark}\n"
    )
}

fn style(color: Color, stream: Stream) -> Style {
    let coloured = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let set = |name| env::var_os(name).is_some_and(|it| !it.is_empty());
            let forced = set("CLICOLOR_FORCE")
                && env::var_os("CLICOLOR_FORCE").is_some_and(|it| it != "0");
            let dumb = env::var_os("TERM").is_some_and(|it| it == "dumb");
            let is_terminal = match stream {
                Stream::Output => io::stdout().is_terminal(),
                Stream::Error => io::stderr().is_terminal(),
            };
            !set("NO_COLOR") && (forced || (is_terminal && !dumb))
        }
    };
    if coloured { Style::Coloured } else { Style::Plain }
}

#[cfg(test)]
mod tests {
    use super::{counted, drawn};
    use crate::trouble::Place;

    #[test]
    fn places_in_files_are_drawn() {
        let place = Place::new("gainsay.toml", "[test]\n\tcasses = 5\n", 8..14);
        let text = drawn(&place);
        let drawing = " --> gainsay.toml:2:2\n  |\n2 | \tcasses = 5\n  | \t^^^^^^\n";
        assert_eq!(text, drawing);
    }

    #[test]
    fn one_is_singular() {
        assert_eq!(counted(1, "file"), "1 file");
        assert_eq!(counted(0, "file"), "0 files");
    }
}

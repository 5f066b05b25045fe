//! What the commands say: diagnostics, troubles and summaries, for people or as JSON.

mod json;

use std::env;
use std::io::{self, IsTerminal as _};

use gainsay::source::{Diagnostic, Files, Severity, Style, render};
use serde::Serialize;

pub(crate) use self::json::{Explanation, FormatRecord, severity};

use crate::arguments::{Color, Shared};
use crate::exit::Exit;
use crate::output;
use crate::trouble::Trouble;

/// Says things, and counts the errors and warnings among them.
#[derive(Debug)]
pub(crate) struct Reporter {
    form: Form,
    talk: Talk,
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
enum Talk {
    Usual,
    Quiet,
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
        let form = if shared.json { Form::Json } else { Form::Human(style(shared.color)) };
        let talk = if shared.quiet { Talk::Quiet } else { Talk::Usual };
        Self { form, talk, records_to: Stream::Output, n_errors: 0, n_warnings: 0 }
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
                let mut text = format!("{error}: {}\n", trouble.message);
                for line in &trouble.help {
                    text.push_str(&format!("{help}: {line}\n"));
                }
                output::talk(&text);
            }
            Form::Json => self.record(&json::trouble(trouble)),
        }
        trouble.exit
    }

    /// Says something in passing.
    pub(crate) fn remark(&self, line: &str) {
        if self.talk == Talk::Usual && self.speaks_to_people() {
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

fn style(color: Color) -> Style {
    let coloured = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let set = |name| env::var_os(name).is_some_and(|it| !it.is_empty());
            let forced = set("CLICOLOR_FORCE")
                && env::var_os("CLICOLOR_FORCE").is_some_and(|it| it != "0");
            let dumb = env::var_os("TERM").is_some_and(|it| it == "dumb");
            !set("NO_COLOR") && (forced || (io::stderr().is_terminal() && !dumb))
        }
    };
    if coloured { Style::Coloured } else { Style::Plain }
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_singular() {
        assert_eq!(counted(1, "file"), "1 file");
        assert_eq!(counted(0, "file"), "0 files");
    }
}

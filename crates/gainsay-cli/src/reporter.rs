//! The reporter: prints diagnostics, errors and summaries, for people or as JSON.

use std::env;
use std::io::{self, IsTerminal as _};

use gainsay::source::{
    Diagnostic, RenderStyle, Severity, SourceMap, render, replace_control_characters,
};
use serde::Serialize;

use crate::arguments::{ColorChoice, GlobalOptions};
use crate::cli_error::{CliError, TextLocation};
use crate::exit::Exit;
use crate::output;
use crate::report::{
    DiagnosticsSummaryRecord, Verbosity, diagnostic_line, error_line, pluralize, summary_line,
};

/// Prints messages, and counts errors and warnings.
#[derive(Debug)]
pub(crate) struct Reporter {
    mode: OutputMode,
    verbosity: Verbosity,
    color: ColorChoice,
    json_stream: OutputStream,
    n_errors: u64,
    n_warnings: u64,
}

/// The audience of the messages.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum OutputMode {
    /// A person.
    Human(RenderStyle),
    /// A program: one JSON object per line.
    Json,
}

/// The stream for JSON lines.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum OutputStream {
    /// Stdout, the default.
    Stdout,
    /// Stderr, if stdout carries something else.
    Stderr,
}

impl Reporter {
    /// A reporter configured by the command line.
    pub(crate) fn new(shared: GlobalOptions) -> Self {
        let style = style(shared.color, OutputStream::Stderr);
        let form = if shared.json { OutputMode::Json } else { OutputMode::Human(style) };
        let detail = match (shared.quiet, shared.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, true) => Verbosity::Verbose,
            (false, false) => Verbosity::Normal,
        };
        let color = shared.color;
        Self {
            mode: form,
            verbosity: detail,
            color,
            json_stream: OutputStream::Stdout,
            n_errors: 0,
            n_warnings: 0,
        }
    }

    /// Switches to JSON lines.
    pub(crate) fn switch_to_json(&mut self) {
        self.mode = OutputMode::Json;
    }

    /// Switches to messages for people, on stderr.
    pub(crate) fn switch_to_human(&mut self) {
        self.mode = OutputMode::Human(style(self.color, OutputStream::Stderr));
    }

    /// How much is printed.
    pub(crate) fn verbosity(&self) -> Verbosity {
        self.verbosity
    }

    /// Whether stdout has colors.
    pub(crate) fn output_style(&self) -> RenderStyle {
        style(self.color, OutputStream::Stdout)
    }

    /// Sends JSON lines to stderr, because stdout is used otherwise.
    pub(crate) fn send_json_to_stderr(&mut self) {
        self.json_stream = OutputStream::Stderr;
    }

    /// The audience of the messages.
    pub(crate) fn mode(&self) -> OutputMode {
        self.mode
    }

    /// Whether the messages are for people.
    pub(crate) fn is_human(&self) -> bool {
        self.mode != OutputMode::Json
    }

    /// Prints a diagnostic.
    pub(crate) fn diagnostic(&mut self, files: &SourceMap, diagnostic: &Diagnostic) {
        match diagnostic.code.severity {
            Severity::Error => self.n_errors += 1,
            Severity::Warning => self.n_warnings += 1,
            Severity::Note => {}
        }
        match self.mode {
            OutputMode::Human(style) => {
                output::write_stderr(&format!(
                    "{}\n\n",
                    render(files, diagnostic, style).trim_end()
                ));
            }
            OutputMode::Json => self.write_record(&diagnostic_line(files, diagnostic)),
        }
    }

    /// Prints several diagnostics.
    pub(crate) fn diagnostics(&mut self, files: &SourceMap, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            self.diagnostic(files, diagnostic);
        }
    }

    /// Prints an error, and returns its exit status.
    pub(crate) fn error(&mut self, error: &CliError) -> Exit {
        self.n_errors += 1;
        match self.mode {
            OutputMode::Human(style) => {
                let (error_label, help_label) = match style {
                    RenderStyle::Plain => ("error", "help"),
                    RenderStyle::Coloured => (
                        "\u{1b}[1m\u{1b}[91merror\u{1b}[0m",
                        "\u{1b}[1m\u{1b}[96mhelp\u{1b}[0m",
                    ),
                };
                let mut text =
                    format!("{error_label}: {}\n", replace_control_characters(&error.message));
                if let Some(place) = &error.location {
                    text.push_str(&render_excerpt(place));
                }
                for line in &error.help {
                    text.push_str(&format!(
                        "{help_label}: {}\n",
                        replace_control_characters(line)
                    ));
                }
                output::write_stderr(&text);
            }
            OutputMode::Json => self.write_record(&error_line(error)),
        }
        error.exit
    }

    /// Prints an informational line.
    pub(crate) fn note(&self, line: &str) {
        if self.verbosity != Verbosity::Quiet && self.is_human() {
            output::write_stderr(&format!("{line}\n"));
        }
    }

    /// Writes a JSON line, in JSON mode.
    pub(crate) fn write_record(&self, record: &impl Serialize) {
        if self.is_human() {
            return;
        }
        let line = serde_json::to_string(record)
            .expect("records have text keys and no numbers that JSON lacks");
        match self.json_stream {
            // Output errors are reported once, when the command ends.
            OutputStream::Stdout => drop(output::write_line(&line)),
            OutputStream::Stderr => output::write_stderr(&format!("{line}\n")),
        }
    }

    /// Writes the closing JSON line.
    pub(crate) fn write_summary(&self, n_files: usize, exit: Exit) {
        self.write_record(&summary_line(DiagnosticsSummaryRecord {
            errors: self.n_errors,
            warnings: self.n_warnings,
            files: n_files as u64,
            exit: exit.number(),
        }));
    }

    /// `checked 3 files: 1 error, 2 warnings`.
    pub(crate) fn summary_line(&self, verb: &str, n_files: usize) -> String {
        let files = pluralize(n_files as u64, "file");
        let errors = pluralize(self.n_errors, "error");
        let warnings = pluralize(self.n_warnings, "warning");
        match (self.n_errors, self.n_warnings) {
            (0, 0) => format!("{verb} {files}: no errors"),
            (_, 0) => format!("{verb} {files}: {errors}"),
            (0, _) => format!("{verb} {files}: {warnings}"),
            (_, _) => format!("{verb} {files}: {errors}, {warnings}"),
        }
    }
}

/// A line of a file with the range marked.
fn render_excerpt(place: &TextLocation) -> String {
    let number = place.line.to_string();
    let gap = " ".repeat(number.len());
    // Tabs are kept, so that the marker is aligned with the range.
    let before = place.text.chars().take(place.column as usize - 1);
    let before: String = before.map(|it| if it == '\t' { it } else { ' ' }).collect();
    let mark = "^".repeat(place.width as usize);
    let TextLocation { line, column, .. } = place;
    let (file, text) =
        (replace_control_characters(&place.file), replace_control_characters(&place.text));
    format!(
        "{gap}--> {file}:{line}:{column}\n{gap} |\n{number} | {text}\n{gap} | {before}{mark}\n"
    )
}

fn style(color: ColorChoice, stream: OutputStream) -> RenderStyle {
    let coloured = match color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        // The conventions of no-color.org and bixense.com/clicolors.
        ColorChoice::Auto => {
            let set = |name| env::var_os(name).is_some_and(|it| !it.is_empty());
            let forced = set("CLICOLOR_FORCE")
                && env::var_os("CLICOLOR_FORCE").is_some_and(|it| it != "0");
            let dumb = env::var_os("TERM").is_some_and(|it| it == "dumb");
            let is_terminal = match stream {
                OutputStream::Stdout => io::stdout().is_terminal(),
                OutputStream::Stderr => io::stderr().is_terminal(),
            };
            // A wish of the user for no color outweighs everything, even a forced one.
            !set("NO_COLOR") && (forced || (is_terminal && !dumb))
        }
    };
    if coloured { RenderStyle::Coloured } else { RenderStyle::Plain }
}

#[cfg(test)]
mod tests {
    use super::render_excerpt;
    use crate::cli_error::TextLocation;

    #[test]
    fn places_in_files_are_drawn() {
        let place = TextLocation::new("gainsay.toml", "[test]\n\tcasses = 5\n", 8..14);
        let text = render_excerpt(&place);
        let drawing = " --> gainsay.toml:2:2\n  |\n2 | \tcasses = 5\n  | \t^^^^^^\n";
        assert_eq!(text, drawing);
    }
}

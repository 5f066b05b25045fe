//! Reports as text: functions of facts. Nothing here reads a file, a setting or the environment,
//! and nothing prints; `cargo tidy` checks the imports.

pub(crate) mod claims;
mod colors;
mod denied_lint;
mod format;
mod github;
mod json;
mod junit;
pub(crate) mod mutants;
mod sarif;

#[cfg(test)]
mod golden;

use gainsay::source::{SourceMap, Span};

pub(crate) use self::denied_lint::{DeniableLint, LINTS};
pub(crate) use self::format::{
    MUTANT_REPORT_FORMATS, MutantReportFormat, PROFILES, REPORT_FORMATS, ReportFormat,
    profile_name,
};
pub(crate) use self::json::{
    DiagnosticsSummaryRecord, ExplanationRecord, FormatRecord, diagnostic_line, error_line,
    line, severity_name, summary_line,
};

/// How much is printed besides errors.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Verbosity {
    /// Nothing else.
    Quiet,
    /// The default.
    Normal,
    /// Everything.
    Verbose,
}

/// `1 file`, `2 files`.
pub(crate) fn pluralize(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Joins source text on several lines into one.
fn on_one_line(source: &str) -> String {
    source.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `ledger.say:3:5`.
fn location_text(files: &SourceMap, span: Span) -> String {
    let file = files.get(span.file);
    let at = file.position(span.start);
    format!("{}:{}:{}", file.name, at.line, at.column)
}

#[cfg(test)]
mod tests {
    use super::pluralize;

    #[test]
    fn one_is_singular() {
        assert_eq!(pluralize(1, "file"), "1 file");
        assert_eq!(pluralize(0, "file"), "0 files");
    }
}

//! JSON lines. Field names and meanings are stable within a schema number; new fields may be added,
//! so readers must ignore unknown ones.

use gainsay::source::{Diagnostic, Help, Label, Severity, SourceMap, Span};
use serde::Serialize;

use crate::cli_error::CliError;

/// Incremented when a field changes its meaning or is removed.
const SCHEMA: u32 = 1;

/// One line: an object that starts with its schema and type.
#[derive(Debug, Serialize)]
pub(crate) struct JsonLine<T> {
    schema: u32,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(flatten)]
    content: T,
}

/// A line of a type.
pub(crate) fn line<T>(kind: &'static str, content: T) -> JsonLine<T> {
    JsonLine { schema: SCHEMA, kind, content }
}

/// A range of a file in one-based lines and columns, end exclusive.
#[derive(Debug, Serialize)]
pub(super) struct SpanRecord<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Debug, Serialize)]
pub(crate) struct DiagnosticRecord<'a> {
    code: String,
    slug: &'static str,
    severity: &'static str,
    message: &'a str,
    #[serde(flatten)]
    place: SpanRecord<'a>,
    label: &'a str,
    secondary: Vec<LabelRecord<'a>>,
    notes: &'a [String],
    help: Vec<HelpRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct LabelRecord<'a> {
    #[serde(flatten)]
    place: SpanRecord<'a>,
    label: &'a str,
}

#[derive(Debug, Serialize)]
struct HelpRecord<'a> {
    text: &'a str,
    edit: Option<EditRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct EditRecord<'a> {
    #[serde(flatten)]
    place: SpanRecord<'a>,
    replacement: &'a str,
}

#[derive(Debug, Serialize)]
pub(crate) struct CliErrorRecord<'a> {
    message: &'a str,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    place: Option<SpanRecord<'a>>,
    help: &'a [String],
    exit: u8,
}

/// The last line of a report.
#[derive(Debug, Serialize)]
pub(crate) struct DiagnosticsSummaryRecord {
    /// The number of errors, those without a location included.
    pub(crate) errors: u64,
    /// The number of warnings.
    pub(crate) warnings: u64,
    /// The number of files checked.
    pub(crate) files: u64,
    /// The exit code.
    pub(crate) exit: u8,
}

/// The result of formatting a file.
#[derive(Debug, Serialize)]
pub(crate) struct FormatRecord<'a> {
    /// The file.
    pub(crate) file: &'a str,
    /// Whether formatting changes it.
    pub(crate) changed: bool,
    /// Whether the file was written.
    pub(crate) written: bool,
}

/// The documentation of a diagnostic.
#[derive(Debug, Serialize)]
pub(crate) struct ExplanationRecord<'a> {
    /// As in `GS0102`.
    pub(crate) code: String,
    /// As in `unclosed-string`.
    pub(crate) slug: &'a str,
    /// `error`, `warning` or `note`.
    pub(crate) severity: &'a str,
    /// One sentence.
    pub(crate) summary: &'a str,
    /// The page, in Markdown; absent in a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<&'a str>,
}

impl<'a> FormatRecord<'a> {
    /// The line of the record.
    pub(crate) fn line(self) -> JsonLine<Self> {
        line("format", self)
    }
}

impl<'a> ExplanationRecord<'a> {
    /// The line of the record.
    pub(crate) fn line(self) -> JsonLine<Self> {
        line("explanation", self)
    }
}

/// The line of a diagnostic.
pub(crate) fn diagnostic_line<'a>(
    files: &'a SourceMap,
    it: &'a Diagnostic,
) -> JsonLine<DiagnosticRecord<'a>> {
    line("diagnostic", diagnostic_record(files, it))
}

/// A diagnostic as part of another record.
pub(super) fn diagnostic_record<'a>(
    files: &'a SourceMap,
    it: &'a Diagnostic,
) -> DiagnosticRecord<'a> {
    DiagnosticRecord {
        code: it.code.name(),
        slug: it.code.slug,
        severity: severity_name(it.code.severity),
        message: &it.message,
        place: span_record(files, it.primary.span),
        label: &it.primary.text,
        secondary: it.secondary.iter().map(|label| label_record(files, label)).collect(),
        notes: &it.notes,
        help: it.help.iter().map(|help| help_record(files, help)).collect(),
    }
}

/// The line of an error without a location.
pub(crate) fn error_line(it: &CliError) -> JsonLine<CliErrorRecord<'_>> {
    line("error", error_record(it))
}

/// An error without a location as part of another record.
pub(super) fn error_record(it: &CliError) -> CliErrorRecord<'_> {
    let place = it.location.as_ref().map(|place| SpanRecord {
        file: &place.file,
        line: place.line,
        column: place.column,
        end_line: place.line,
        end_column: place.column + place.width,
    });
    CliErrorRecord { message: &it.message, place, help: &it.help, exit: it.exit.number() }
}

/// The closing line.
pub(crate) fn summary_line(
    content: DiagnosticsSummaryRecord,
) -> JsonLine<DiagnosticsSummaryRecord> {
    line("summary", content)
}

/// The name of a severity.
pub(crate) fn severity_name(it: Severity) -> &'static str {
    match it {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn label_record<'a>(files: &'a SourceMap, it: &'a Label) -> LabelRecord<'a> {
    LabelRecord { place: span_record(files, it.span), label: &it.text }
}

fn help_record<'a>(files: &'a SourceMap, it: &'a Help) -> HelpRecord<'a> {
    let edit = it.edit.as_ref().map(|edit| EditRecord {
        place: span_record(files, edit.span),
        replacement: &edit.replacement,
    });
    HelpRecord { text: &it.text, edit }
}

/// The range of a span.
pub(super) fn span_record(files: &SourceMap, span: Span) -> SpanRecord<'_> {
    let file = files.get(span.file);
    let start = file.position(span.start);
    let end = file.position(span.end);
    SpanRecord {
        file: &file.name,
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

#[cfg(test)]
mod tests {
    use gainsay::source::{Diagnostic, SourceFile, SourceMap, Span, codes};
    use serde_json::json;

    use super::diagnostic_line;

    #[test]
    fn a_diagnostic_says_everything_with_places_from_one() {
        let mut files = SourceMap::default();
        let file = files.add(SourceFile::new("a.say", "one\nzwölf 3\n"));
        let span = |start, end| Span::new(file, start, end);
        let found = Diagnostic::new(codes::BAD_NUMBER, span(11, 12), "a fact")
            .with_primary_label("here")
            .with_label(span(0, 3), "there")
            .with_note("because")
            .with_fix("write 4", span(11, 12), "4")
            .with_help("think");
        let place = |line: u32, from: u32, to: u32| {
            json!({
                "file": "a.say", "line": line, "column": from, "end_line": line, "end_column": to,
            })
        };
        let mut secondary = place(1, 1, 4);
        secondary["label"] = "there".into();
        let mut edit = place(2, 7, 8);
        edit["replacement"] = "4".into();
        let mut expected = place(2, 7, 8);
        let rest = json!({
            "schema": 1, "type": "diagnostic", "code": "GS0104", "slug": "bad-number",
            "severity": "error", "message": "a fact", "label": "here", "secondary": [secondary],
            "notes": ["because"],
            "help": [{"text": "write 4", "edit": edit}, {"text": "think", "edit": null}],
        });
        let all = expected.as_object_mut().unwrap();
        all.extend(rest.as_object().unwrap().clone());
        let line = serde_json::to_string(&diagnostic_line(&files, &found)).unwrap();
        assert_eq!(serde_json::from_str::<serde_json::Value>(&line).unwrap(), expected);
        assert!(line.starts_with(r#"{"schema":1,"type":"diagnostic","#), "{line}");
    }
}

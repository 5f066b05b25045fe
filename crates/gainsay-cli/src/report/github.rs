//! GitHub Actions annotations, shared by the reports of that format.

use std::fmt::Write as _;

use gainsay::source::{Diagnostic, Severity, SourceMap, Span};

use crate::cli_error::CliError;

/// The annotation of an error without a location.
pub(super) fn error(it: &CliError) -> String {
    format!("::error::{}\n", escape_data(&it.message))
}

/// The annotation of a diagnostic.
pub(super) fn diagnostic(files: &SourceMap, it: &Diagnostic) -> String {
    let level = match it.code.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let title = format!("{} {}", it.code.name(), it.code.slug);
    annotation(files, level, it.primary.span, &title, &it.message)
}

/// An annotation.
pub(super) fn annotation(
    files: &SourceMap,
    level: &str,
    span: Span,
    title: &str,
    message: &str,
) -> String {
    let file = files.get(span.file);
    let (start, end) = (file.position(span.start), file.position(span.end));
    let mut place = format!("file={},line={}", escape_property(&file.name), start.line);
    // GitHub accepts columns only for ranges within one line.
    if start.line == end.line {
        let _ = write!(place, ",col={},endColumn={}", start.column, end.column);
    } else {
        let _ = write!(place, ",endLine={}", end.line);
    }
    format!("::{level} {place},title={}::{}\n", escape_property(title), escape_data(message))
}

/// Escapes the text after the second `::`.
fn escape_data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a text between the first `::` and the second.
fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{escape_data, escape_property};

    #[test]
    fn nothing_breaks_out_of_an_annotation() {
        assert_eq!(escape_data("100 %\r\n::error::"), "100 %25%0D%0A::error::");
        assert_eq!(escape_property("a::b, 100 %\n"), "a%3A%3Ab%2C 100 %25%0A");
    }
}

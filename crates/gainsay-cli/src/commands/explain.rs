//! `gainsay explain`: the documentation of a diagnostic.

use gainsay::source::{DiagnosticCode, closest_name, codes};

use crate::arguments::ExplainArguments;
use crate::cli_error::CliError;
use crate::error_pages::page;
use crate::exit::Exit;
use crate::output;
use crate::report::{ExplanationRecord, severity_name};
use crate::reporter::{OutputMode, Reporter};

/// Prints the page of a diagnostic, or the list of all codes.
pub(super) fn explain(args: &ExplainArguments, reporter: &mut Reporter) -> Exit {
    let Some(text) = &args.code else {
        codes::ALL.iter().for_each(|code| list(*code, reporter));
        return Exit::Success;
    };
    match find_code(text) {
        Some(code) => {
            print(code, reporter);
            Exit::Success
        }
        None => reporter.error(&unknown_code(text)),
    }
}

/// The code a user means, ignoring case.
fn find_code(text: &str) -> Option<DiagnosticCode> {
    let text = text.trim().trim_matches(['[', ']']);
    codes::find(text).or_else(|| codes::find(&text.to_lowercase()))
}

fn list(code: DiagnosticCode, reporter: &Reporter) {
    match reporter.mode() {
        OutputMode::Human(_) => {
            let line = format!(
                "{}  {:8} {:28} {}",
                code.name(),
                severity_name(code.severity),
                code.slug,
                code.summary,
            );
            let _ = output::write_line(&line);
        }
        OutputMode::Json => reporter.write_record(&explanation(code, None).line()),
    }
}

fn print(code: DiagnosticCode, reporter: &Reporter) {
    let text = page(code.slug);
    match (reporter.mode(), text) {
        (OutputMode::Json, text) => reporter.write_record(&explanation(code, text).line()),
        (OutputMode::Human(_), Some(text)) => {
            let _ = output::write_line(text.trim_end());
        }
        (OutputMode::Human(_), None) => {
            let heading = format!("# {}: {}\n\n{}", code.name(), code.slug, code.summary);
            let _ = output::write_line(&heading);
        }
    }
}

fn explanation(code: DiagnosticCode, text: Option<&'static str>) -> ExplanationRecord<'static> {
    ExplanationRecord {
        code: code.name(),
        slug: code.slug,
        severity: severity_name(code.severity),
        summary: code.summary,
        text,
    }
}

fn unknown_code(text: &str) -> CliError {
    let names: Vec<String> = codes::ALL.iter().map(|code| code.name()).collect();
    let slugs = codes::ALL.iter().map(|code| code.slug);
    let close = closest_name(text, names.iter().map(String::as_str).chain(slugs));
    let holding: Vec<&str> = codes::ALL
        .iter()
        .map(|code| code.slug)
        .filter(|slug| close.is_none() && text.len() > 2 && slug.contains(text))
        .take(5)
        .collect();
    let mut error = CliError::usage(format!("unknown diagnostic `{text}`"));
    error = error.with_suggestion(close);
    if !holding.is_empty() {
        error = error.with_help(format!("try {}", holding.join(", ")));
    }
    error.with_help("list all diagnostics with `gainsay explain --list`")
}

#[cfg(test)]
mod tests {
    use super::{find_code, unknown_code};

    #[test]
    fn codes_are_found_however_they_are_written() {
        for text in
            ["GS0102", "gs0102", "102", "unclosed-string", "Unclosed-String", "[GS0102]"]
        {
            assert_eq!(find_code(text).map(|code| code.number), Some(102), "{text}");
        }
        assert_eq!(find_code("GS9999"), None);
    }

    #[test]
    fn strangers_get_suggestions() {
        assert!(unknown_code("unclosed-strin").help[0].contains("unclosed-string"));
        assert!(unknown_code("bracket").help[0].contains("unclosed-bracket"));
    }
}

//! SARIF 2.1.0 with fingerprints that survive edits, shared by the reports of that format.

use std::collections::BTreeMap;

use gainsay::source::{Diagnostic, DiagnosticCode, SourceMap, Span};
use serde_json::{Value, json};

use crate::cli_error::CliError;
use crate::exit::Exit;

/// A SARIF log under construction.
pub(super) struct SarifLog<'a> {
    files: &'a SourceMap,
    n_standard: usize,
    rules: Vec<Value>,
    results: Vec<Value>,
    fingerprints: BTreeMap<String, u64>,
}

/// A result whose rule is not indexed yet.
pub(super) struct SarifResult<'a> {
    /// Its rule.
    pub(super) rule: SarifRule,
    /// `error`, `warning` or `note`.
    pub(super) level: &'static str,
    /// Its message.
    pub(super) text: String,
    /// Its location.
    pub(super) span: Span,
    /// Related locations with messages. Those in the standard library are left out.
    pub(super) related: Vec<(Span, &'a str)>,
    /// Identifies the result across edits of the surrounding text.
    pub(super) fingerprint: String,
    /// Additional properties.
    pub(super) properties: Value,
}

/// A kind of result.
pub(super) struct SarifRule {
    /// Its id.
    pub(super) id: String,
    /// Its name.
    pub(super) name: &'static str,
    /// A description, as a sentence.
    pub(super) about: &'static str,
}

/// How a run ended.
pub(super) struct SarifInvocation<'a> {
    /// The exit status.
    pub(super) exit: Exit,
    /// Errors without a location.
    pub(super) errors: &'a [CliError],
    /// Properties of the whole run.
    pub(super) properties: Value,
}

impl SarifRule {
    /// The rule of a diagnostic code.
    pub(super) fn of(code: DiagnosticCode) -> Self {
        Self { id: code.name(), name: code.slug, about: code.summary }
    }
}

impl<'a> SarifLog<'a> {
    /// An empty log. The first `n_standard` files belong to the standard library.
    pub(super) fn new(files: &'a SourceMap, n_standard: usize) -> Self {
        let (rules, results, fingerprints) = (Vec::new(), Vec::new(), BTreeMap::new());
        Self { files, n_standard, rules, results, fingerprints }
    }

    /// Adds a diagnostic.
    pub(super) fn push_diagnostic(&mut self, it: &Diagnostic) {
        // The fingerprint leaves out the line, which changes with every edit above.
        let file = &self.files.get(it.primary.span.file).name;
        self.push(SarifResult {
            rule: SarifRule::of(it.code),
            level: super::severity_name(it.code.severity),
            text: it.message.clone(),
            span: it.primary.span,
            related: it.secondary.iter().map(|label| (label.span, &*label.text)).collect(),
            fingerprint: format!("{}/{file}/{}", it.code.name(), it.message),
            properties: json!({}),
        });
    }

    /// Adds a result.
    pub(super) fn push(&mut self, found: SarifResult<'_>) {
        let at = self.rules.iter().position(|it| it["id"] == *found.rule.id);
        let index = at.unwrap_or_else(|| {
            self.rules.push(json!({
                "id": found.rule.id,
                "name": found.rule.name,
                "shortDescription": { "text": found.rule.about },
            }));
            self.rules.len() - 1
        });
        let related: Vec<Value> = found
            .related
            .iter()
            .filter(|(span, _)| (span.file.0 as usize) >= self.n_standard)
            .map(|(span, text)| {
                let mut place = self.location(*span);
                place["message"] = json!({ "text": text });
                place
            })
            .collect();
        let location = self.location(found.span);
        let unique = self.unique_fingerprint(found.fingerprint);
        self.results.push(json!({
            "ruleId": found.rule.id,
            "ruleIndex": index,
            "level": found.level,
            "message": { "text": found.text },
            "locations": [location],
            "relatedLocations": related,
            "partialFingerprints": { "gainsay/v1": fingerprint(&unique) },
            "properties": found.properties,
        }));
    }

    /// Makes a fingerprint unique by numbering duplicates.
    fn unique_fingerprint(&mut self, fingerprint: String) -> String {
        let count = self.fingerprints.entry(fingerprint.clone()).or_default();
        *count += 1;
        if *count == 1 { fingerprint } else { format!("{fingerprint}/{count}") }
    }

    fn location(&self, span: Span) -> Value {
        let file = self.files.get(span.file);
        let (start, end) = (file.position(span.start), file.position(span.end));
        json!({ "physicalLocation": {
            "artifactLocation": { "uri": uri(&file.name) },
            "region": {
                "startLine": start.line,
                "startColumn": start.column,
                "endLine": end.line,
                "endColumn": end.column,
            },
        } })
    }

    /// The document.
    pub(super) fn document(self, ending: &SarifInvocation<'_>) -> String {
        let notifications: Vec<Value> = ending
            .errors
            .iter()
            .map(|it| json!({ "level": "error", "message": { "text": it.message } }))
            .collect();
        // Failed claims are results like any other: an execution fails if it could not answer.
        let asked = matches!(
            ending.exit,
            Exit::Success | Exit::Failed | Exit::Inconclusive | Exit::NotDeterministic
        );
        let log = json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "Gainsay",
                    "version": env!("CARGO_PKG_VERSION"),
                    "rules": self.rules,
                } },
                "columnKind": "unicodeCodePoints",
                "invocations": [{
                    "executionSuccessful": asked,
                    "exitCode": ending.exit.number(),
                    "toolExecutionNotifications": notifications,
                }],
                "properties": ending.properties,
                "results": self.results,
            }],
        });
        let text = serde_json::to_string_pretty(&log);
        text.expect("a value of JSON can be written") + "\n"
    }
}

/// A relative reference, or a `file` URI for an absolute path.
fn uri(name: &str) -> String {
    let mut text = String::from(if name.starts_with('/') { "file://" } else { "" });
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'_' | b'-' | b'~' => {
                text.push(char::from(byte));
            }
            _ => text += &format!("%{byte:02X}"),
        }
    }
    text
}

/// FNV-1a: a stable hash, the same in every version and on every machine.
fn fingerprint(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::{fingerprint, uri};

    #[test]
    fn names_of_files_become_references() {
        assert_eq!(uri("src/ledger.say"), "src/ledger.say");
        assert_eq!(uri("größe 1#.say"), "gr%C3%B6%C3%9Fe%201%23.say");
        assert_eq!(uri("/src/a.say"), "file:///src/a.say");
    }

    #[test]
    fn fingerprints_are_frozen() {
        assert_eq!(fingerprint(""), "cbf29ce484222325");
        assert_eq!(fingerprint("a"), "af63dc4c8601ec8c");
    }
}

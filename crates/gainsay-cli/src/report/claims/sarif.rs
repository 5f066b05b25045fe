//! `--format sarif`: SARIF 2.1.0, with fingerprints that outlive edits.

use std::collections::BTreeMap;

use gainsay::source::{Diagnostic, Severity, Span, Style};
use gainsay::test::{ClaimReport, Failure};
use serde_json::{Value, json};

use super::{Account, Standing, failure, warning};
use crate::config::Lint;
use crate::exit::Exit;

/// The document.
pub(super) fn document(account: &Account<'_>) -> String {
    let mut log =
        Log { account, rules: Vec::new(), results: Vec::new(), fingerprints: BTreeMap::new() };
    for diagnostic in account.diagnostics {
        log.diagnostic(diagnostic);
    }
    for claim in &account.report.claims {
        log.claim(claim);
    }
    let text = serde_json::to_string_pretty(&log.finish());
    text.expect("a value of JSON can be written") + "\n"
}

struct Log<'a> {
    account: &'a Account<'a>,
    rules: Vec<Value>,
    results: Vec<Value>,
    fingerprints: BTreeMap<String, u64>,
}

/// A result before its rule is looked up.
struct Found<'a> {
    rule: Rule,
    level: &'static str,
    text: String,
    span: Span,
    related: Vec<(Span, &'a str)>,
    fingerprint: String,
    properties: Value,
}

struct Rule {
    id: String,
    name: &'static str,
    about: &'static str,
}

impl Log<'_> {
    fn diagnostic(&mut self, it: &Diagnostic) {
        // Not the line: it changes with every edit above.
        let file = &self.account.files.get(it.primary.span.file).name;
        let found = Found {
            rule: rule_of(it),
            level: level(it.code.severity),
            text: it.message.clone(),
            span: it.primary.span,
            related: it.secondary.iter().map(|label| (label.span, &*label.text)).collect(),
            fingerprint: format!("{}/{file}/{}", it.code.name(), it.message),
            properties: json!({}),
        };
        self.push(found);
    }

    fn claim(&mut self, claim: &ClaimReport) {
        for it in &claim.failures {
            self.failure(claim, it);
        }
        let standing = Standing::of(claim, self.account.deny);
        let (about, text) = match standing {
            Standing::Vacuous => (
                "A claim none or hardly any of whose cases count.",
                "nothing was tested".to_owned(),
            ),
            Standing::Declined => {
                let why = claim.reason.as_ref().map_or("", |it| it.message.as_str());
                (
                    "A claim that could not be decided.",
                    format!("it could not be decided: {why}"),
                )
            }
            Standing::Flaky => (
                "A claim whose cases do not go the same way twice.",
                "a case did not go the same way twice".to_owned(),
            ),
            Standing::Passed | Standing::Failed | Standing::Ignored | Standing::Skipped => {
                return self.warnings(claim);
            }
        };
        let name = standing.name();
        self.push(Found {
            rule: Rule { id: name.to_owned(), name, about },
            level: "error",
            text: format!("{}: {text}", claim.id()),
            span: claim.span,
            related: Vec::new(),
            fingerprint: format!("{}/{name}", claim.id()),
            properties: json!({ "claim": claim.id() }),
        });
        self.warnings(claim);
    }

    fn failure(&mut self, claim: &ClaimReport, it: &Failure) {
        let files = self.account.files;
        let span = self.account.place_of(claim, it);
        let mut related: Vec<(Span, &str)> =
            it.fault.secondary.iter().map(|label| (label.span, &*label.text)).collect();
        related.push((claim.span, "of this claim"));
        let mut text = format!("{}: {}", claim.id(), it.fault.message);
        if !it.arguments.is_empty() {
            text += "\n\n";
            text += failure::source(&it.arguments).trim_end();
        }
        if let Some(command) = failure::replay_command(files, claim, it) {
            text += &format!("\n\n{command}");
        }
        let properties = json!({
            "claim": claim.id(),
            "seed": self.account.report.seed,
            "replay": it.replay,
            "details": failure::section(files, claim, it, Style::Plain),
        });
        self.push(Found {
            rule: rule_of(&it.fault),
            level: "error",
            text,
            span,
            related,
            fingerprint: format!("{}/{}", claim.id(), it.id),
            properties,
        });
    }

    fn warnings(&mut self, claim: &ClaimReport) {
        for it in &claim.warnings {
            let remark = warning::remark(claim, it);
            let name = remark.lint.map_or("note", Lint::name);
            let level = match remark.lint {
                Some(lint) if lint.is_denied(self.account.deny) => "error",
                Some(_) => "warning",
                None => "note",
            };
            let about = "Something somebody should know of a claim.";
            self.push(Found {
                rule: Rule { id: name.to_owned(), name, about },
                level,
                text: format!("{}: {}", claim.id(), remark.text),
                span: remark.span.unwrap_or(claim.span),
                related: Vec::new(),
                fingerprint: format!("{}/{name}", claim.id()),
                properties: json!({ "claim": claim.id() }),
            });
        }
    }

    /// Tells a result from others with the same fingerprint by counting them.
    fn told_apart(&mut self, fingerprint: String) -> String {
        let count = self.fingerprints.entry(fingerprint.clone()).or_default();
        *count += 1;
        if *count == 1 { fingerprint } else { format!("{fingerprint}/{count}") }
    }

    fn push(&mut self, found: Found<'_>) {
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
            .filter(|(span, _)| !self.account.is_standard(span.file))
            .map(|(span, text)| {
                let mut place = self.location(*span);
                place["message"] = json!({ "text": text });
                place
            })
            .collect();
        let location = self.location(found.span);
        let told_apart = self.told_apart(found.fingerprint);
        self.results.push(json!({
            "ruleId": found.rule.id,
            "ruleIndex": index,
            "level": found.level,
            "message": { "text": found.text },
            "locations": [location],
            "relatedLocations": related,
            "partialFingerprints": { "gainsay/v1": fingerprint(&told_apart) },
            "properties": found.properties,
        }));
    }

    fn location(&self, span: Span) -> Value {
        let file = self.account.files.get(span.file);
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

    fn finish(self) -> Value {
        let troubles: Vec<Value> = self
            .account
            .troubles
            .iter()
            .map(|it| json!({ "level": "error", "message": { "text": it.message } }))
            .collect();
        let exit = self.account.exit;
        let asked = matches!(
            exit,
            Exit::Held | Exit::Gainsaid | Exit::Inconclusive | Exit::NotDeterministic
        );
        json!({
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
                    "exitCode": exit.number(),
                    "toolExecutionNotifications": troubles,
                }],
                "properties": { "seed": self.account.report.seed },
                "results": self.results,
            }],
        })
    }
}

fn rule_of(it: &Diagnostic) -> Rule {
    Rule { id: it.code.name(), name: it.code.slug, about: it.code.summary }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
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

/// FNV-1a: the same text gives the same digits, in every version and on every machine.
fn fingerprint(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::{Durations, sample};
    use super::{document, fingerprint, uri};

    #[test]
    fn the_document_has_what_sarif_requires() {
        let text = sample::with_account(Durations::Hidden, document);
        sample::assert_golden("report.sarif", &text);
        let log: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        assert_eq!(run["tool"]["driver"]["name"], "Gainsay");
        let mut prints = Vec::new();
        for result in run["results"].as_array().unwrap() {
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(rules[index]["id"], result["ruleId"]);
            assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
            assert!(result["message"]["text"].is_string());
            let place = &result["locations"][0]["physicalLocation"];
            assert!(place["artifactLocation"]["uri"].is_string());
            let region = &place["region"];
            assert!(region["startLine"].as_u64() >= Some(1));
            assert!(region["startColumn"].as_u64() >= Some(1));
            let print = result["partialFingerprints"]["gainsay/v1"].as_str().unwrap();
            assert_eq!(print.len(), 16);
            assert!(!prints.contains(&print), "{result}");
            prints.push(print);
        }
    }

    #[test]
    fn what_could_not_be_run_is_no_success() {
        let log: Value = serde_json::from_str(&sample::with_broken_account(document)).unwrap();
        let invocation = &log["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], false);
        assert_eq!(invocation["toolExecutionNotifications"][0]["level"], "error");
        assert_eq!(log["runs"][0]["results"][0]["level"], "error");
    }

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

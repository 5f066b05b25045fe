//! Helpers for the tests of all formats: golden files, and validity checks per format.

use std::path::Path;

use serde_json::Value;

/// Compares a text with its file in the `golden` folder of a report kind, or writes it if
/// GAINSAY_BLESS is set.
#[track_caller]
pub(super) fn assert_golden(report: &str, name: &str, text: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/report").join(report);
    let path = folder.join("golden").join(name);
    let text = text.replace(env!("CARGO_PKG_VERSION"), "[version]");
    if std::env::var_os("GAINSAY_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert_eq!(text, golden, "{name} has changed; look at it, then set GAINSAY_BLESS=1");
}

/// Panics if a line is not a GitHub annotation.
#[track_caller]
pub(super) fn assert_annotations(text: &str) {
    for line in text.lines() {
        let parts: Vec<&str> = line.splitn(3, "::").collect();
        assert!(parts[0].is_empty() && parts.len() == 3, "{line}");
        let level = parts[1].split(' ').next().unwrap();
        assert!(["error", "warning", "notice"].contains(&level), "{line}");
    }
}

/// Parses a SARIF log; panics if it lacks required fields.
#[track_caller]
pub(super) fn parse_sarif(text: &str) -> Value {
    let log: Value = serde_json::from_str(text).unwrap();
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
    log
}

/// The tags that an XML text opens, in order; panics if it is not well-formed.
#[track_caller]
pub(super) fn xml_tags(text: &str) -> Vec<String> {
    let body = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").unwrap();
    let mut open: Vec<String> = Vec::new();
    let mut all = Vec::new();
    for piece in body.split('<').skip(1) {
        let (tag, between) = piece.split_once('>').expect("a tag ends");
        assert!(!between.contains('>'), "{between}");
        for entity in tag.split('&').skip(1).chain(between.split('&').skip(1)) {
            let name = entity.split(';').next().unwrap();
            assert!(["amp", "lt", "gt", "quot", "#10", "#9"].contains(&name), "{entity}");
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
        } else {
            let name = tag.split([' ', '/']).next().unwrap().to_owned();
            all.push(name.clone());
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
    }
    assert_eq!(open, [""; 0]);
    all
}

//! Compares the tables of verdicts in the book with the reports.

use std::collections::BTreeSet;
use std::path::Path;

use gainsay::source::RenderStyle;
use gainsay::test::{ClaimReport, ClaimStatus, ClaimWarning, Report};
use serde_json::Value;

use super::human::{ReportLayout, claim as human_line};
use super::{DisplayStatus, DurationDisplay, TestReportData, exit, failure, fixture};
use crate::report::{DeniableLint, ReportFormat};
use crate::report::{Verbosity, golden};

/// The text of an empty cell.
const NOTHING: &str = "–";

/// The rows of the table with this header, without the header.
fn rows(header: &str) -> Vec<Vec<String>> {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src");
    let text = std::fs::read_to_string(book.join("gainsay-test.md")).unwrap();
    let table = text.lines().skip_while(|line| *line != header).skip(2);
    let rows = table.take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches('|').split('|').map(|it| it.trim().to_owned()).collect())
        .collect()
}

/// The row for a verdict.
fn row<'a>(rows: &'a [Vec<String>], word: &str) -> &'a [String] {
    let is_it = |row: &&Vec<String>| row[0] == format!("`{word}`");
    rows.iter().find(is_it).unwrap_or_else(|| panic!("the table has no row of {word}"))
}

/// The code spans of a cell.
fn code(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// A passing claim with a warning that may be denied.
fn with_a_denied_warning(passed: &ClaimReport) -> ClaimReport {
    assert_eq!(passed.status, ClaimStatus::Pass);
    ClaimReport { warnings: vec![ClaimWarning::Placebo], ..passed.clone() }
}

/// Calls `check` with every claim of the fixture, in a report of its own, and its status.
fn for_each_claim(check: impl Fn(&TestReportData<'_>, &ClaimReport, DisplayStatus)) {
    fixture::with_report_data(DurationDisplay::Hidden, |all| {
        let claims = all.report.claims.iter().cloned().map(|mut claim| {
            claim.warnings.clear();
            (claim, &[] as &[DeniableLint])
        });
        let denied = with_a_denied_warning(&all.report.claims[0]);
        for (claim, deny) in
            claims.chain([(denied, &[DeniableLint::Placebo] as &[DeniableLint])])
        {
            let display_status = DisplayStatus::of(&claim, deny);
            let report = Report { claims: vec![claim.clone()], ..fixture::empty() };
            let exit = exit(&report, deny);
            let data = TestReportData { report: &report, deny, exit, diagnostics: &[], ..*all };
            check(&data, &claim, display_status);
        }
    });
}

#[test]
fn the_book_knows_every_verdict() {
    let words = |header: &str| -> Vec<String> {
        rows(header).into_iter().map(|row| code(&row[0])[0].to_owned()).collect()
    };
    let first = words("| verdict | when | what the report shows | saved | exit code |");
    let second = words("| verdict | `json` and `ndjson` | `junit` | `sarif` | `github` |");
    assert_eq!(first, second);
    let shown = fixture::with_report_data(DurationDisplay::Hidden, |all| {
        let standings = all.report.claims.iter().map(|it| DisplayStatus::of(it, &[]));
        standings.map(|it| it.label().to_owned()).collect::<BTreeSet<String>>()
    });
    assert_eq!(first.into_iter().collect::<BTreeSet<String>>(), shown);
}

#[test]
fn people_see_what_the_book_says() {
    let table = rows("| verdict | when | what the report shows | saved | exit code |");
    for_each_claim(|data, claim, display_status| {
        let [_, _, shown, kept, code] = row(&table, display_status.label()) else {
            panic!("a row has five cells")
        };
        let line = |detail| {
            let layout = ReportLayout::new(
                RenderStyle::Plain,
                detail,
                DurationDisplay::Hidden,
                [].into_iter(),
            );
            human_line(data.files, data.deny, claim, &layout)
        };
        assert!(
            line(Verbosity::Verbose).starts_with(&format!("{:8} ", display_status.label()))
        );
        assert_eq!(
            line(Verbosity::Normal).is_empty(),
            display_status == DisplayStatus::Skipped
        );
        let sections = failure::sections(data, claim, failure::PLAIN);
        let is_denied =
            claim.status == ClaimStatus::Pass && display_status == DisplayStatus::Failed;
        assert_eq!(sections.is_empty(), shown == NOTHING || is_denied, "{sections}");
        if kept == NOTHING {
            assert!(claim.failures.is_empty(), "{claim:?}");
        }
        assert_eq!(display_status.exit().number().to_string(), *code, "{display_status:?}");
        let ends = data.exit.number();
        // A run of ignored claims only has nothing to run; without its systems it decides nothing.
        let is_ignored = display_status == DisplayStatus::Ignored && ends == 4
            || display_status == DisplayStatus::Unbound && ends == 3;
        assert!(is_ignored || ends.to_string() == *code, "{display_status:?} ends with {ends}");
    });
}

#[test]
fn programs_read_what_the_book_says() {
    let table = rows("| verdict | `json` and `ndjson` | `junit` | `sarif` | `github` |");
    for_each_claim(|data, claim, display_status| {
        let [_, status, junit, sarif, github] = row(&table, display_status.label()) else {
            panic!("a row has five cells")
        };
        let render = |format| super::render(format, data, RenderStyle::Plain);
        assert_eq!(
            [&*of_json(&render(ReportFormat::Json))],
            code(status)[..],
            "{display_status:?}"
        );
        assert_eq!(
            [&*of_ndjson(&render(ReportFormat::Ndjson))],
            code(status)[..],
            "{display_status:?}"
        );
        let element = of_junit(&render(ReportFormat::Junit));
        assert!(is_element(&element, junit), "{display_status:?}: {element:?} is not {junit}");
        let results = of_sarif(&render(ReportFormat::Sarif));
        assert_eq!(results.is_empty(), sarif == NOTHING, "{display_status:?}: {results:?}");
        for (level, rule) in &results {
            assert_eq!(code(sarif)[0], level, "{display_status:?}");
            assert!(
                code(sarif).get(1).is_none_or(|it| it == rule),
                "{display_status:?}: {rule}"
            );
        }
        let annotations = render(ReportFormat::Github);
        golden::assert_annotations(&annotations);
        assert_eq!(
            annotations.is_empty(),
            github == NOTHING,
            "{display_status:?}: {annotations}"
        );
        let is_level = |line: &str| line.starts_with(code(github)[0]);
        assert!(annotations.lines().all(is_level), "{display_status:?}: {annotations}");
        if !claim.failures.is_empty() {
            assert_eq!(results.len(), claim.failures.len(), "{results:?}");
            assert_eq!(annotations.lines().count(), claim.failures.len(), "{annotations}");
        }
    });
}

fn of_json(text: &str) -> String {
    let document: Value = serde_json::from_str(text).unwrap();
    document["claims"][0]["status"].as_str().unwrap().to_owned()
}

fn of_ndjson(text: &str) -> String {
    let records = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut claims = records.filter(|it| it["type"] == "claim");
    claims.next().unwrap()["status"].as_str().unwrap().to_owned()
}

/// The first element inside the only test case, with its attributes.
fn of_junit(text: &str) -> Option<String> {
    golden::xml_tags(text);
    let inside = text.split("<testcase").nth(1).unwrap();
    let (tag, inside) = inside.split_once('>').unwrap();
    if tag.ends_with('/') {
        return None;
    }
    inside.trim_start().strip_prefix('<')?.split('>').next().map(str::to_owned)
}

/// Whether an element is the one that a cell names, with the attributes that it names.
fn is_element(tag: &Option<String>, cell: &str) -> bool {
    let (Some(tag), Some(named)) = (tag, code(cell).first().copied()) else {
        return tag.is_none() && cell == NOTHING;
    };
    let mut words = named.trim_matches(['<', '>']).split(' ');
    tag.split([' ', '/']).next() == words.next() && words.all(|it| tag.contains(it))
}

/// The results, each with its level and rule.
fn of_sarif(text: &str) -> Vec<(String, String)> {
    let log = golden::parse_sarif(text);
    let results = log["runs"][0]["results"].as_array().unwrap().iter();
    let text = |it: &Value| it.as_str().unwrap().to_owned();
    results.map(|it| (text(&it["level"]), text(&it["ruleId"]))).collect()
}

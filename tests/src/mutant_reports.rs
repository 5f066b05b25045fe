//! Mutation reports for other tools: JSON matches the shared report schema, and the HTML page is
//! self-contained.

#[path = "mutant_reports/schema.rs"]
mod schema;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use gainsay_ui::{CommandBudget, CommandEnd, SourceModule, gainsay, root, run, write_modules};
use serde_json::Value;
use tempfile::TempDir;

/// A program with a mutant for every verdict, a warning, and characters of all widths before the
/// locations of mutants.
const BILL: &str = r#"// "größe 😀"
fn split(cents: Int, people: Int) -> List<Int>
  in { cents >= 0 && people > 0 }
  out (r) { r.sum() == cents }
{
  let share = cents / people
  let extra = cents % people
  List.range(0, people).map(|at| if at < extra { share + 1 } else { share })
}

fn tag(name: Str) -> Str { "ö😀" ++ (if name == "" { "</script><!--<script>" } else { name }) }

fn rounds(n: Int) -> Int { if n == 0 { 0 } else { 1 + rounds(n - 1) } }

fn unseen(n: Int) -> Int { let unused = 1; n + 1 }

@mutants(skip, reason = "only for people")
fn sign(n: Int) -> Str { if n < 0 { "-" } else { "+" } }

test "ten euros for two" { observe split(1000, 2) == [500, 500] }
test "tags" { observe tag("a") == "ö😀a" }
test "rounds" { observe rounds(5) > 0 }

@property
fn rounds_are_there(n: Int{0 <= it && it < 9}) { observe rounds(n) >= 0 }
"#;

/// A project with the program in a subfolder.
fn project() -> TempDir {
    let folder = tempfile::tempdir().expect("the system gives a folder");
    let module =
        |name: &str, text: &str| SourceModule { name: name.to_owned(), text: text.to_owned() };
    let modules = [module("gainsay.toml", ""), module("shop/bill.say", BILL)];
    write_modules(folder.path(), &modules).expect("the folder can be written to");
    folder
}

/// The stdout of `gainsay mutate`.
#[track_caller]
fn mutate(arguments: &[&str], folder: &Path) -> String {
    let arguments: Vec<&str> = ["mutate"].iter().chain(arguments).copied().collect();
    let run =
        run(gainsay(&arguments, folder), b"", CommandBudget::default()).expect("it can be run");
    assert_eq!(run.end, CommandEnd::Code(0), "{}", run.stderr);
    run.stdout
}

fn report(arguments: &[&str], folder: &Path) -> Value {
    serde_json::from_str(&mutate(arguments, folder)).expect("the output is one document")
}

/// The schema violations of a report.
fn complaints(report: &Value) -> Vec<String> {
    let path = root().join("tests/schema/mutation-testing-report-schema.json");
    let schema = fs::read_to_string(path).expect("the schema is there");
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    schema::complaints(&schema, report)
}

/// Each mutant of a report, with the source it is in.
fn mutants(report: &Value) -> Vec<(&str, &Value)> {
    let files = report["files"].as_object().expect("there are files");
    let mut all = Vec::new();
    for file in files.values() {
        let source = file["source"].as_str().expect("a file has its source");
        let mutants = file["mutants"].as_array().expect("a file has its mutants");
        all.extend(mutants.iter().map(|mutant| (source, mutant)));
    }
    all
}

#[test]
fn json_fits_the_schema() {
    let project = project();
    for arguments in [&["--json"][..], &["--json", "--why", "shop/bill.say"]] {
        let report = report(arguments, project.path());
        assert_eq!(complaints(&report), [""; 0]);
        let statuses: BTreeSet<&str> =
            mutants(&report).iter().filter_map(|(_, it)| it["status"].as_str()).collect();
        let all = ["Ignored", "Killed", "NoCoverage", "Survived", "Timeout"];
        assert_eq!(statuses, BTreeSet::from(all));
    }
    let examples = root().join("examples");
    let report = report(&["--json", "--no-config", "--cases", "5", "lease.say"], &examples);
    assert_eq!(complaints(&report), [""; 0]);
}

#[test]
fn the_schema_is_looked_at() {
    let mut report = report(&["--json"], project().path());
    let file = &mut report["files"]["shop/bill.say"];
    file["mutants"][0]["status"] = "Dead".into();
    file["mutants"][1]["location"]["start"]["column"] = 0.into();
    assert_eq!(complaints(&report).len(), 2);
}

#[test]
fn files_are_named_from_the_folder_of_the_project() {
    let project = project();
    let absolute = project.path().join("shop/bill.say");
    let absolute = absolute.to_str().expect("the path is text");
    let shop = project.path().join("shop");
    for (arguments, folder) in [
        (&["--json"][..], project.path()),
        (&["--json", "bill.say"], &shop),
        (&["--json", absolute], project.path()),
    ] {
        let report = report(arguments, folder);
        for key in ["files", "testFiles"] {
            let names: Vec<&String> =
                report[key].as_object().expect("it is an object").keys().collect();
            assert_eq!(names, ["shop/bill.say"]);
        }
    }
}

#[test]
fn places_are_those_that_the_viewer_cuts_at() {
    let report = report(&["--json"], project().path());
    for (source, mutant) in mutants(&report) {
        let at = |end: &str, part: &str| {
            let number = mutant["location"][end][part].as_u64().expect("it is a number");
            number as usize - 1
        };
        // Some mutants span several lines.
        if at("start", "line") != at("end", "line") {
            continue;
        }
        let line = source.lines().nth(at("start", "line")).expect("there is such a line");
        let line: Vec<u16> = line.encode_utf16().collect();
        let cut = &line[at("start", "column")..at("end", "column")];
        let cut = String::from_utf16(cut).expect("no character is cut in two");
        // No replaced text starts or ends with a space.
        assert_eq!(cut.trim(), cut, "{mutant}");
        assert!(!cut.is_empty() && mutant["replacement"] != *cut, "{mutant}");
    }
}

#[test]
fn claims_that_mutants_name_are_there() {
    let report = report(&["--json"], project().path());
    let tests = report["testFiles"]["shop/bill.say"]["tests"].as_array().expect("a list");
    let ids: Vec<&Value> = tests.iter().map(|it| &it["id"]).collect();
    assert_eq!(ids.len(), 4);
    for (_, mutant) in mutants(&report) {
        for key in ["coveredBy", "killedBy"] {
            let claims = mutant[key].as_array().expect("a list");
            assert!(claims.iter().all(|it| ids.contains(&it)), "{mutant}");
        }
        let is_killed = !mutant["killedBy"].as_array().expect("a list").is_empty();
        let status = mutant["status"].as_str().expect("a text");
        assert_eq!(is_killed, ["Killed", "Timeout"].contains(&status), "{mutant}");
    }
}

#[test]
fn the_page_asks_for_nothing() {
    let page = mutate(&["--format", "html"], project().path());
    let mut markup = String::new();
    let mut rest = page.as_str();
    let mut n_scripts = 0;
    while let Some((before, script)) = rest.split_once("<script") {
        let (opening, script) = script.split_once('>').expect("a tag ends");
        markup += &format!("{before}<script{opening}>");
        (_, rest) = script.split_once("</script>").expect("a script ends");
        n_scripts += 1;
    }
    markup += rest;
    assert_eq!(n_scripts, 3);
    for part in ["src=", "href=", "http:", "https:", "@import", "url("] {
        assert!(!markup.contains(part), "{part} in {markup}");
    }
    assert!(markup.contains("default-src 'none'"), "{markup}");
    assert!(markup.contains("<mutation-test-report-app"), "{markup}");
}

//! `gainsay test`: everything that does not depend on how claims are run.

use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::{BROKEN, CommandFolder, CommandOutput, FINE, WRONG};

const CLAIMS: &str = "fn twice(n: Int) -> Int {\n  n * 2\n}\n\n\
    test \"two is doubled\" {\n  observe twice(2) == 4\n}\n\n\
    @property\nfn doubles_are_even(n: Int) {\n  observe twice(n) % 2 == 0\n}\n\n\
    @ignore(reason = \"slow\")\n@property\nfn doubles_grow(n: Int) {\n  observe twice(n) > n\n}\n";

const ALL: &str = "a::two is doubled\na::doubles_are_even\na::doubles_grow\n";

#[test]
fn claims_are_listed_in_the_order_of_the_sources() {
    let place = CommandFolder::with("a.say", CLAIMS);
    place.gainsay(&["test", "--list"]).exits(0).prints(ALL).stays_silent();
    let done = place.gainsay(&["test", "--list", "-v", "a.say"]).exits(0);
    assert!(done.stdout.contains("property  a::doubles_grow  a.say:16:4  (ignored: slow)\n"));
    let done = place.gainsay(&["test", "--list=json"]).exits(0);
    let list: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!((&list["schema"], &list["type"]), (&1.into(), &"list".into()));
    assert_eq!(list["claims"][0]["id"], "a::two is doubled");
    assert_eq!(list["claims"][0]["kind"], "test");
    assert_eq!(list["claims"][2]["ignored"], "slow");
}

#[test]
fn words_are_paths_or_parts_of_names() {
    let place = CommandFolder::with("a.say", CLAIMS);
    place.write("doubles/b.say", "test \"other\" {\n  observe 1 == 1\n}\n");
    let listed = |args: &[&str]| {
        let mut all = vec!["test", "--list"];
        all.extend(args);
        place.gainsay(&all).exits(0).stdout
    };
    assert_eq!(listed(&["doubled"]), "a::two is doubled\n");
    assert_eq!(listed(&["a.say", "even", "grow"]), "a::doubles_are_even\na::doubles_grow\n");
    // A path takes precedence over a claim name; `-k` is never a path.
    assert_eq!(listed(&["doubles"]), "doubles.b::other\n");
    assert_eq!(listed(&["-k", "doubles_"]), "a::doubles_are_even\na::doubles_grow\n");
    assert_eq!(listed(&["--partition", "slice:2/3"]), "a::doubles_are_even\n");
    place
        .gainsay(&["test", "doubles_grwo"])
        .exits(2)
        .prints("")
        .says("`doubles_grwo` is neither a file or folder nor part of a claim name")
        .says("did you mean `doubles_grow`?");
    place.gainsay(&["test", "-k", "nothing"]).exits(4).says("no claim name contains `nothing`");
    place.gainsay(&["test", "none.say"]).exits(2).says("cannot read `none.say`: no such file");
    place.gainsay(&["test", "--partition", "slice:9/9"]).exits(4).says("too few claims");
}

#[test]
fn nothing_to_run_is_no_success() {
    let place = CommandFolder::new();
    place.gainsay(&["test"]).exits(4).says("no `.say` files found");
    place.write("a.say", FINE);
    place.gainsay(&["test"]).exits(4).says("no claims in these files");
    place.write("a.say", CLAIMS);
    place
        .gainsay(&["test", "--failed"])
        .exits(4)
        .says("none of these claims failed in the last run");
    place.gainsay(&["test", "doubles_grow"]).exits(4);
}

#[test]
fn sources_must_compile() {
    for source in [WRONG, BROKEN] {
        let place = CommandFolder::with("a.say", source);
        place.gainsay(&["test"]).exits(5).prints("").says("error[GS").says("checked 1 file");
    }
}

#[test]
fn every_format_reports_that_sources_do_not_compile() {
    let place = CommandFolder::with("a.say", WRONG);
    let report = |format: &str| place.gainsay(&["test", "--format", format]).exits(5).stdout;
    let json: serde_json::Value = serde_json::from_str(&report("json")).unwrap();
    assert_eq!(json["summary"]["exit"], 5);
    assert_eq!(json["diagnostics"][0]["line"], 2);
    let lines = CommandOutput::records(&report("ndjson"));
    assert_eq!(lines[0]["type"], "diagnostic");
    assert_eq!(lines.last().unwrap()["exit"], 5);
    assert!(report("junit").contains("errors=\"1\""));
    assert!(report("sarif").contains("\"executionSuccessful\": false"));
    assert!(report("github").starts_with("::error file=a.say,line=2,"));
}

#[test]
fn reports_go_where_they_are_sent() {
    let place = CommandFolder::with("a.say", CLAIMS);
    let done = place.gainsay(&[
        "test",
        "--seed",
        "7",
        "--format",
        "junit=out/a.xml,json=out/a.json",
        "--format",
        "sarif=a.sarif",
        "-k",
        "doubled",
    ]);
    assert!(done.stdout.contains(", seed 7)\n"), "{done:#?}");
    assert!(place.read("out/a.xml").contains("<testsuite name=\"a\" tests=\"1\""));
    assert!(place.read("out/a.json").contains("\"seed\": 7"));
    assert!(place.read("a.sarif").contains("\"version\": \"2.1.0\""));
    let done = place.gainsay(&["test", "--format", "json", "-o", "b.json"]);
    assert!(done.stdout.contains("claims"), "{done:#?}");
    assert!(place.read("b.json").starts_with("{\n  \"schema\": 1,"));
    place
        .gainsay(&["test", "--format", "json,junit"])
        .exits(2)
        .says("standard output takes one report");
    place.gainsay(&["test", "--format", "json=a.say/x"]).says("cannot write `a.say/x`");
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let place = CommandFolder::with("a.say", CLAIMS);
    for format in ["human", "json", "ndjson", "junit", "sarif", "github"] {
        let report = |jobs: &str| {
            let line = ["test", "--no-cases", "--seed", "3", "-j", jobs, "--format", format];
            place.gainsay(&line).stdout
        };
        assert_eq!(report("1"), report("4"), "{format}");
    }
}

#[test]
fn json_means_a_line_per_object() {
    let place = CommandFolder::with("a.say", CLAIMS);
    let done = place.gainsay(&["test", "--json", "--seed", "5"]);
    let lines = CommandOutput::records(&done.stdout);
    let kinds: Vec<&str> = lines.iter().map(|it| it["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["run-start", "claim", "claim", "claim", "summary"]);
    assert_eq!(lines[0]["seed"], 5);
    assert_eq!(lines[3]["ignored"], "slow");
    assert_eq!(done.stderr, "");
}

#[test]
fn single_cases_are_written_for_tyche() {
    let place = CommandFolder::with("a.say", CLAIMS);
    place.gainsay(&["test", "--observe", "seen", "--times", "never"]);
    let infos = place.read("seen/gainsay_info.jsonl");
    let first: serde_json::Value = serde_json::from_str(infos.lines().next().unwrap()).unwrap();
    assert_eq!(first["property"], "a::two is doubled");
    assert_eq!(first["run_start"], 0.0);
    assert!(place.path("seen/gainsay_testcases.jsonl").exists());
}

#[test]
fn servers_of_github_get_annotations() {
    let place = CommandFolder::with("a.say", "test \"idle\" {\n  let x = 1\n}\n");
    let mut command = place.command(&["test", "--deny", "placebo"]);
    let done: CommandOutput = command.env("GITHUB_ACTIONS", "true").output().unwrap().into();
    let warnings: Vec<&str> =
        done.stdout.lines().filter(|it| it.starts_with("::error file=a.say,line=1")).collect();
    assert_eq!(warnings.len(), 1, "{done:#?}");
    assert!(warnings[0].ends_with("::nothing was observed: this claim cannot fail"));
    done.exits(1);
}

#[cfg(unix)]
#[test]
fn watching_goes_on_until_it_is_interrupted() {
    let place = CommandFolder::with("a.say", FINE);
    let mut command = place.command(&["test", "--watch", "--no-cases"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    thread::sleep(Duration::from_millis(1_500));
    place.write("a.say", CLAIMS);
    thread::sleep(Duration::from_millis(1_500));
    let id = child.id().to_string();
    std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
    let done: CommandOutput = child.wait_with_output().unwrap().into();
    let done = done.exits(130).says("no claims in these files").says("\nchanged: a.say\n");
    assert!(done.stdout.contains("a::two is doubled"), "{done:#?}");
}

#[cfg(unix)]
#[test]
fn what_is_under_way_when_a_run_is_stopped_is_interrupted() {
    let endless = "fn id(n: Int) -> Int { n }\n\
                   @property fn goes_on(n: Int) { observe id(n) == n }\n\
                   test \"never begun\" { observe id(1) == 1 }\n";
    let place = CommandFolder::with("a.say", endless);
    for signal in ["-INT", "-TERM"] {
        let files = ["ndjson=n.json", "junit=j.xml", "sarif=s.json", "github=g.txt"];
        let mut args = vec!["test", "--no-cases", "--time", "60s", "--jobs", "1"];
        args.extend(files.iter().flat_map(|it| ["--format", it]));
        args.extend(["--format", "human"]);
        let mut command = place.command(&args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        thread::sleep(Duration::from_millis(2_000));
        let id = child.id().to_string();
        std::process::Command::new("kill").args([signal, &id]).status().unwrap();
        let done: CommandOutput = child.wait_with_output().unwrap().into();
        let done = done.exits(130);
        assert!(done.stdout.starts_with("INTERRUPTED a::goes_on"), "{done:#?}");
        assert!(done.stdout.contains("2 claims; 1 interrupted, 1 skipped"), "{done:#?}");
        let read = |name: &str| std::fs::read_to_string(place.path(name)).unwrap();
        assert!(read("n.json").contains("\"status\":\"interrupted\""));
        assert!(read("j.xml").contains("type=\"interrupted\">"), "{}", read("j.xml"));
        assert!(read("s.json").contains("\"ruleId\": \"interrupted\""), "{}", read("s.json"));
        assert!(read("g.txt").contains("the run was interrupted before this claim finished"));
    }
}

/// A saved case that is running when the user stops the run says nothing about the bug.
#[cfg(unix)]
#[test]
fn an_interrupted_saved_case_is_not_marked_as_fixed() {
    let slow = "fn count(n: Int) -> Int { if n == 0 { 0 } else { count(n - 1) } }\n\
                @property(steps = 100_000_000_000)\n\
                fn slow(n: Int) { observe count(90_000_000_000) == 0 || n == n }\n";
    let place = CommandFolder::with("a.say", slow);
    let path = "gainsay-cases/a/property.slow/observe-slow-1.case";
    let case = "gainsay case 1\nclaim: a / property \"slow\"\nfailure: observe-slow-1\n\
                found: 2026-11-18\nstatus: open\n\nlet n = 1\n";
    place.write(path, case);
    let mut command = place.command(&["test", "--jobs", "1"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    thread::sleep(Duration::from_millis(1_500));
    let id = child.id().to_string();
    std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
    let done: CommandOutput = child.wait_with_output().unwrap().into();
    let done = done.exits(130);
    assert!(!done.stdout.contains("passes now"), "{done:#?}");
    assert_eq!(place.read(path), case);
}

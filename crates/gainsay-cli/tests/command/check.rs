//! `gainsay check`.

use crate::{BROKEN, CommandFolder, CommandOutput, FINE, WRONG};

#[test]
fn a_fine_file_holds() {
    let place = CommandFolder::with("a.say", FINE);
    place.gainsay(&["check", "a.say"]).exits(0).prints("").says("checked 1 file: no errors\n");
}

#[test]
fn errors_do_not_compile() {
    let place = CommandFolder::with("a.say", WRONG);
    let done = place.gainsay(&["check", "a.say"]).exits(5).prints("");
    done.says("error[GS").says("a.say:2:3").says("checked 1 file: 1 error\n");
    let place = CommandFolder::with("a.say", BROKEN);
    place.gainsay(&["check", "a.say"]).exits(5).says("error[GS01");
}

#[test]
fn a_folder_stands_for_its_sources() {
    let place = CommandFolder::with("lib/a.say", FINE);
    place.write("lib/b.say", "use a\n\nfn four() -> Int {\n  a.twice(2)\n}\n");
    place.write(".hidden/c.say", BROKEN);
    place.write("target/d.say", BROKEN);
    place.write("notes.txt", "not Gainsay");
    place.gainsay(&["check"]).exits(0).says("checked 2 files: no errors\n");
    place.gainsay(&["check", "lib", "lib/a.say"]).exits(0).says("checked 2 files");
}

#[test]
fn an_empty_folder_is_nothing_to_run() {
    let place = CommandFolder::new();
    place.gainsay(&["check"]).exits(4).says("error: no `.say` files found\nhelp: ");
}

#[test]
fn unreadable_files_are_reported_and_the_rest_is_checked() {
    let place = CommandFolder::with("a.say", WRONG);
    place.write("latin.say", b"fine\nnot \xe9");
    place
        .gainsay(&["check", "a.say", "none.say", "latin.say"])
        .exits(2)
        .says("error: cannot read `none.say`: no such file or folder\nhelp: ")
        .says("error: cannot read `latin.say`: line 2 is not valid UTF-8\n")
        .says("a.say:2:3");
    place.write("notes.txt", "");
    place.gainsay(&["check", "notes.txt"]).exits(2).says("`notes.txt` is not a `.say` file");
}

#[test]
fn quiet_says_only_what_is_wrong() {
    let place = CommandFolder::with("a.say", FINE);
    place.gainsay(&["check", "--quiet"]).exits(0).stays_silent();
    let place = CommandFolder::with("a.say", WRONG);
    let done = place.gainsay(&["-q", "check"]).exits(5).says("error[GS");
    assert!(!done.stderr.contains("checked"));
}

#[test]
fn json_has_a_line_per_diagnostic_and_a_summary() {
    let place = CommandFolder::with("a.say", WRONG);
    let done = place.gainsay(&["check", "--json", "a.say"]).exits(5).stays_silent();
    let records = CommandOutput::records(&done.stdout);
    assert_eq!(records.len(), 2, "{records:#?}");
    let found = &records[0];
    assert_eq!(found["type"], "diagnostic");
    assert_eq!(found["severity"], "error");
    assert_eq!(found["file"], "a.say");
    assert_eq!((&found["line"], &found["column"]), (&2.into(), &3.into()));
    assert_eq!((&found["end_line"], &found["end_column"]), (&2.into(), &6.into()));
    assert!(found["code"].as_str().unwrap().starts_with("GS"));
    for name in ["slug", "message", "label"] {
        assert!(found[name].is_string(), "{name}");
    }
    for name in ["secondary", "notes", "help"] {
        assert!(found[name].is_array(), "{name}");
    }
    let summary = &records[1];
    assert_eq!(summary["type"], "summary");
    assert_eq!((&summary["errors"], &summary["warnings"]), (&1.into(), &0.into()));
    assert_eq!((&summary["files"], &summary["exit"]), (&1.into(), &5.into()));
}

#[test]
fn json_reports_errors_too() {
    let place = CommandFolder::new();
    let done = place.gainsay(&["--json", "check", "none.say"]).exits(2);
    let records = CommandOutput::records(&done.stdout);
    assert_eq!(records[0]["type"], "error");
    assert_eq!(records[0]["message"], "cannot read `none.say`: no such file or folder");
    assert_eq!(records.last().unwrap()["exit"], 2);
}

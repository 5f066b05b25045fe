//! `gainsay explain`.

use crate::{CommandFolder, CommandOutput};

#[test]
fn a_page_is_found_by_code_and_by_name() {
    let place = CommandFolder::new();
    let page = place.gainsay(&["explain", "GS0102"]).exits(0).stays_silent().stdout;
    assert!(page.starts_with("# GS0102: unclosed-string\n"), "{page}");
    place.gainsay(&["explain", "unclosed-string"]).exits(0).prints(&page);
}

#[test]
fn an_unknown_code_gets_suggestions() {
    let place = CommandFolder::new();
    place
        .gainsay(&["explain", "unclosed-strign"])
        .exits(2)
        .says("error: unknown diagnostic `unclosed-strign`\n")
        .says("help: did you mean `unclosed-string`?\n");
    place.gainsay(&["explain"]).exits(2);
}

#[test]
fn the_list_has_every_code() {
    let place = CommandFolder::new();
    let list = place.gainsay(&["explain", "--list"]).exits(0).stdout;
    assert!(
        list.lines().any(|it| it.starts_with("GS0102  error    unclosed-string ")),
        "{list}"
    );
    let json = place.gainsay(&["explain", "--list", "--json"]).exits(0).stdout;
    assert_eq!(CommandOutput::records(&json).len(), list.lines().count());
    let json = place.gainsay(&["explain", "102", "--json"]).exits(0).stdout;
    assert_eq!(CommandOutput::records(&json)[0]["slug"], "unclosed-string");
}

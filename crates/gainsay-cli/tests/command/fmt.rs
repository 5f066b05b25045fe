//! `gainsay fmt`.

use std::fs;

use crate::{BROKEN, CommandFolder, CommandOutput, FINE};

const UGLY: &str = "fn twice( n:Int )->Int { \n    n*2 }\n";

/// The formatted form of [`UGLY`].
fn pretty(place: &CommandFolder) -> String {
    let done = place.gainsay_fed(&["fmt", "-"], UGLY.as_bytes()).exits(0).stays_silent();
    assert_ne!(done.stdout, UGLY);
    done.stdout
}

#[test]
fn files_are_rewritten_in_place() {
    let place = CommandFolder::with("a.say", UGLY);
    place.write("b/b.say", FINE);
    place.gainsay(&["fmt"]).exits(0).prints("").says("changed 1 of 2 files\n");
    assert_eq!(place.read("a.say"), pretty(&place));
    assert_eq!(place.read("b/b.say"), FINE);
    place.gainsay(&["fmt"]).exits(0).says("changed 0 of 2 files\n");
    assert_eq!(fs::read_dir(place.path("")).unwrap().count(), 2, "nothing is left behind");
}

#[test]
fn check_shows_what_would_change_and_changes_nothing() {
    let place = CommandFolder::with("a.say", UGLY);
    let done = place.gainsay(&["fmt", "--check"]).exits(1).says("would change 1 of 1 file\n");
    assert!(done.stdout.starts_with("--- a.say\n+++ a.say (formatted)\n@@"), "{}", done.stdout);
    assert!(done.stdout.contains("\n-fn twice( n:Int )->Int {"), "{}", done.stdout);
    assert_eq!(place.read("a.say"), UGLY);
    let done = place.gainsay(&["fmt", "--check", "--json"]).exits(1).stays_silent();
    let records = CommandOutput::records(&done.stdout);
    assert_eq!(records[0]["type"], "format");
    assert_eq!((&records[0]["changed"], &records[0]["written"]), (&true.into(), &false.into()));
    place.gainsay(&["fmt"]).exits(0);
    place.gainsay(&["fmt", "--check"]).exits(0).prints("");
}

#[test]
fn a_broken_file_is_left_alone() {
    let place = CommandFolder::with("a.say", BROKEN);
    place.write("b.say", UGLY);
    place.gainsay(&["fmt"]).exits(5).says("error[GS01").says("changed 1 of 2 files");
    assert_eq!(place.read("a.say"), BROKEN);
    place.gainsay_fed(&["fmt", "-"], BROKEN.as_bytes()).exits(5).prints("").says("<input>:1:");
}

#[test]
fn the_input_stands_alone() {
    let place = CommandFolder::with("a.say", FINE);
    place
        .gainsay(&["fmt", "-", "a.say"])
        .exits(2)
        .says("`-` cannot be combined with other paths");
    place
        .gainsay_fed(&["fmt", "-"], b"\xff")
        .exits(2)
        .says("cannot read `-`: line 1 is not valid UTF-8");
    place.gainsay_fed(&["fmt", "--check", "-"], UGLY.as_bytes()).exits(1);
    place.gainsay_fed(&["fmt", "--check", "-"], FINE.as_bytes()).exits(0).prints("");
}

#[cfg(unix)]
#[test]
fn what_may_not_be_written_is_left_as_it_was() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = CommandFolder::with("a.say", UGLY);
    fs::set_permissions(place.path("a.say"), fs::Permissions::from_mode(0o444)).unwrap();
    place.gainsay(&["fmt"]).exits(2).says("cannot write `a.say`: the file is read-only");
    assert_eq!(place.read("a.say"), UGLY);

    let place = CommandFolder::with("locked/a.say", UGLY);
    fs::set_permissions(place.path("locked"), fs::Permissions::from_mode(0o555)).unwrap();
    let done = place.gainsay(&["fmt"]);
    // A superuser may write even there.
    if fs::write(place.path("locked/probe"), "").is_err() {
        let done = done.exits(2).says("cannot write `locked/a.say`: permission denied");
        assert_eq!(place.read("locked/a.say"), UGLY, "{done:#?}");
    }
    fs::set_permissions(place.path("locked"), fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let place = CommandFolder::with("real.say", UGLY);
    fs::set_permissions(place.path("real.say"), fs::Permissions::from_mode(0o750)).unwrap();
    symlink(place.path("real.say"), place.path("link.say")).unwrap();
    place.gainsay(&["fmt", "link.say"]).exits(0);
    assert!(fs::symlink_metadata(place.path("link.say")).unwrap().is_symlink());
    assert_eq!(place.read("real.say"), pretty(&place));
    let mode = fs::metadata(place.path("real.say")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o750);
}

//! `gainsay new` and the project it creates.

use crate::CommandFolder;

#[test]
fn a_new_project_checks_formats_and_runs() {
    let place = CommandFolder::new();
    place.gainsay(&["new", "shop"]).exits(0).prints("").says("next:\n  cd shop\n");
    for name in ["shop/shop.say", "shop/README.md", "shop/gainsay.toml", "shop/.gitignore"] {
        assert!(place.path(name).exists(), "{name}");
    }
    place.gainsay(&["check", "shop"]).exits(0).says("checked 1 file: no errors");
    place.gainsay(&["fmt", "--check", "shop"]).exits(0).prints("");
    place.gainsay(&["run", "shop/shop.say", "1000", "3"]).exits(0).prints("334\n333\n333\n");
    place.gainsay(&["run", "shop/shop.say"]).exits(1).says("error: expected the cents");
}

#[test]
fn nothing_is_overwritten() {
    let place = CommandFolder::with("shop/keep.txt", "precious");
    place
        .gainsay(&["new", "shop"])
        .exits(2)
        .says("cannot create `shop`: already exists\nhelp: ");
    assert_eq!(place.read("shop/keep.txt"), "precious");
    assert!(!place.path("shop/shop.say").exists());
}

#[test]
fn the_name_must_be_one_of_a_module() {
    let place = CommandFolder::new();
    for name in ["My-Shop", "../shop", "fn", "2", "list"] {
        place.gainsay(&["new", name]).exits(2).says("is not a valid module name");
    }
}

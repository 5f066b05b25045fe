#[path = "collections.rs"]
mod c;
#[test]
fn dbg() {
    let f = c::survey(
        "fn holds(s: Str) -> Bool { s.split(\"-\").len() == 3 }\nfn interesting(s: Str) -> Bool { true }",
        3,
    );
    eprintln!("{f:?}");
}

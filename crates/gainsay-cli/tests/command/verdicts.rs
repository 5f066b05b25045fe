//! Compares the book's table of verdicts with real runs: whether a case is saved, and the exit
//! code.

use std::fs;
use std::path::Path;

use crate::CommandFolder;

/// A claim for each verdict that a program can bring about, after one that passes.
const PROGRAMS: [(&str, &str); 6] = [
    ("PASS", "@property fn p(n: Int) { observe id(n) == n }"),
    ("FAIL", "@property fn p(n: Int) { observe id(n) < 7 }"),
    ("VACUOUS", "@property fn p(n: Int) { assume id(n) != n\n observe id(n) == n }"),
    (
        "LIMIT",
        "fn spin(n: Int) -> Int { spin(n) }\n@property fn p(n: Int) { observe spin(n) == n }",
    ),
    ("DECLINED", "@property fn p(n: Int{1 <= it && it <= 0}) { observe id(n) == n }"),
    ("IGNORED", "@ignore(reason = \"slow\") @property fn p(n: Int) { observe id(n) == n }"),
];

/// The book's row for a verdict: whether a case is saved, and the exit code.
fn in_the_book(word: &str) -> (bool, i32) {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src");
    let text = fs::read_to_string(book.join("gainsay-test.md")).unwrap();
    let row = text.lines().find(|it| it.starts_with(&format!("| `{word}` |"))).unwrap();
    let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
    let [_, _, _, kept, code] = cells[..] else { panic!("{row}") };
    (kept != "–", code.parse().unwrap())
}

#[test]
fn the_book_says_what_is_kept_and_how_the_run_ends() {
    for (word, program) in PROGRAMS {
        let (is_kept, code) = in_the_book(word);
        let id = "fn id(n: Int) -> Int { n }\ntest \"passes\" { observe id(1) == 1 }\n";
        let place = CommandFolder::with("a.say", &format!("{id}{program}\n"));
        let done = place.gainsay(&["test", "--seed", "1", "a.say"]).exits(code);
        assert!(done.stdout.contains(&format!("{word:8} a::p")), "{done:#?}");
        let kept = fs::read_dir(place.path("gainsay-cases/a/property.p"));
        assert_eq!(kept.is_ok_and(|mut it| it.next().is_some()), is_kept, "{done:#?}");
    }
}

#[test]
fn a_run_of_nothing_but_ignored_claims_has_nothing_to_run() {
    let ignored = "@ignore(reason = \"slow\") test \"t\" { observe [1].len() == 1 }\n";
    CommandFolder::with("a.say", ignored).gainsay(&["test", "a.say"]).exits(4);
}

#[test]
fn what_is_skipped_changes_nothing() {
    let claims =
        "@property fn p(n: Int) { observe n < 7 }\ntest \"t\" { observe [1].len() == 1 }\n";
    let place = CommandFolder::with("a.say", claims);
    let done = place.gainsay(&["test", "--fail-fast", "-j", "1", "-v", "a.say"]).exits(1);
    assert!(done.stdout.contains("SKIPPED  a::t"), "{done:#?}");
    assert!(!place.path("gainsay-cases/a/test.t").exists());
    assert_eq!(in_the_book("SKIPPED"), (false, 0));
}

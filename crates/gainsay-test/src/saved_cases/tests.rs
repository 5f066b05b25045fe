//! Tests of saved cases: round trips, files that must stay untouched, and concurrent writers.

use super::{
    CaseFileError, CaseFiles, CaseLineError, CaseStore, CaseStoreError, ClaimName, FolderEntry,
    FolderEntryKind, MarkOutcome, MemoryCaseFiles, ReplaceOutcome, SaveOutcome, SavedCase,
    SavedValue,
};
use crate::report::ClaimType;

const TEXT: &str = r#"gainsay case 1
claim: ledger / test "transfer keeps the sum"
failure: observe in transfer, 1
found: 2026-11-16

let from = Account { id: 1, owner: "Ann", cents: 0 }
let book = Map.of([
  (1, "let it = be"),
])
let cents = -1

--- choices
0 from/id int 1

1 cents int -1
"#;

const FOLDER: &str = "gainsay-cases/ledger/test.transfer-keeps-the-sum";

fn claim() -> ClaimName {
    ClaimName::new("ledger", ClaimType::Test, "transfer keeps the sum")
}

fn case() -> SavedCase {
    let mut case = SavedCase::new(claim(), "observe in transfer, 1", "2026-11-16");
    case.values = vec![
        SavedValue::new("from", r#"Account { id: 1, owner: "Ann", cents: 0 }"#),
        SavedValue::new("book", "Map.of([\n  (1, \"let it = be\"),\n])"),
        SavedValue::new("cents", "-1"),
    ];
    case.choices = Some("0 from/id int 1\n\n1 cents int -1".to_owned());
    case
}

#[test]
fn a_case_is_a_text_to_read() {
    assert_eq!(case().render().as_deref(), Some(TEXT));
    let read = SavedCase::parse(TEXT).unwrap();
    assert!(read.has_same_content(&case()));
    assert_eq!(read.render().as_deref(), Some(TEXT));
    let lines: Vec<Option<u32>> = read.values.iter().map(|it| it.line).collect();
    assert_eq!(lines, [Some(6), Some(7), Some(10)]);
    let bare = SavedCase::new(claim(), "a", "b").render().unwrap();
    assert_eq!(bare.lines().count(), 4);
    assert!(SavedCase::parse(&bare).unwrap().choices.is_none());
}

#[test]
fn line_ends_of_windows_are_line_ends() {
    let text = format!("\u{feff}{}", TEXT.replace('\n', "\r\n"));
    let read = SavedCase::parse(&text).unwrap();
    assert!(read.has_same_content(&case()));
    assert_eq!(read.render().as_deref(), Some(TEXT));
}

#[test]
fn odd_texts_read_back() {
    let odd =
        ["", " ", "a\nb", "\"", "\"a\" b", " a", "let x = 1", "--- choices", "\u{0}\u{85}é\\"];
    for text in odd {
        let claim = ClaimName::new(format!("m{text}"), ClaimType::Property, text);
        let mut case = SavedCase::new(claim, text, text);
        case.fixed = (text.trim() == text && !text.is_empty()).then(|| text.to_owned());
        case.extra.push(("engine".to_owned(), "\"2\" : 3".to_owned()));
        case.values = vec![
            SavedValue::new("x", "[\nlet\n---\n]"),
            SavedValue::new("x", "1 // one\n// two\n+ 2"),
            SavedValue::new("größe_2", "\"=\""),
        ];
        case.choices = Some(String::new());
        let rendered = case.render().unwrap();
        let again = SavedCase::parse(&rendered).unwrap();
        assert!(again.has_same_content(&case), "{rendered}");
        assert_eq!(again.render(), Some(rendered));
    }
}

#[test]
fn what_would_not_read_back_is_not_written() {
    for (name, text) in [("", "1"), ("1a", "1"), ("a b", "1"), ("a", ""), ("a", " \n")] {
        let mut case = case();
        case.values.push(SavedValue::new(name, text));
        assert_eq!(case.render(), None, "let {name} = {text}");
    }
    for (key, text) in [("", "1"), ("A", "1"), ("a b", "1"), ("a", "1\n2"), ("claim", "1")] {
        let mut case = case();
        case.extra.push((key.to_owned(), text.to_owned()));
        assert_eq!(case.render(), None, "{key}: {text}");
    }
    let files = MemoryCaseFiles::default();
    let mut unwritable = case();
    unwritable.values.push(SavedValue::new("", "1"));
    let error = CaseStore::open(&files).save(&unwritable).unwrap_err();
    assert!(error.to_string().starts_with("cannot write `gainsay-cases/ledger/"), "{error}");
    assert!(files.all().is_empty());
}

#[test]
fn broken_files_are_reported_with_their_lines() {
    let with = |line: &str| format!("gainsay case 1\n{line}\n");
    let headers = "claim: a / test \"b\"\nfailure: c\nfound: d";
    for (text, line, what) in [
        (String::new(), 1, CaseLineError::NoVersion),
        ("gainsay case\n".to_owned(), 1, CaseLineError::NoVersion),
        ("gainsay case 0\n".to_owned(), 1, CaseLineError::NoVersion),
        ("gainsay case 1a\n".to_owned(), 1, CaseLineError::NoVersion),
        ("<<<<<<< HEAD\n".to_owned(), 1, CaseLineError::NoVersion),
        (with("what"), 2, CaseLineError::UnknownLine),
        (with("What: is"), 2, CaseLineError::UnknownLine),
        (with("<<<<<<< ours: x"), 2, CaseLineError::UnknownLine),
        (with("claim: b"), 2, CaseLineError::MissingHeader("failure")),
        (with("a: 1\n\na: 2"), 4, CaseLineError::RepeatedHeader("a".to_owned())),
        (with("failure: \"x"), 2, CaseLineError::BadHeader("text")),
        (with("failure: \"x\" y"), 2, CaseLineError::BadHeader("text")),
        (with(""), 2, CaseLineError::MissingHeader("claim")),
        (with("claim: a / test \"b\"\nfailure: c"), 3, CaseLineError::MissingHeader("found")),
        (
            with("claim: a / tset \"b\"\nfailure: c\nfound: d"),
            2,
            CaseLineError::BadHeader("claim"),
        ),
        (with(&format!("{headers}\nstatus: fixed")), 5, CaseLineError::BadHeader("status")),
        (with(&format!("{headers}\nlet x 1")), 5, CaseLineError::BadLet),
        (with(&format!("{headers}\nlet x: Int = 1")), 5, CaseLineError::BadLet),
        (
            with(&format!("{headers}\nlet x =\nlet y = 1")),
            5,
            CaseLineError::NoValue("x".to_owned()),
        ),
        (with(&format!("{headers}\n--- choice")), 5, CaseLineError::UnknownSection),
    ] {
        let broken = SavedCase::parse(&text).unwrap_err();
        assert_eq!(broken, CaseFileError::Malformed { line, what }, "{text}");
        assert!(
            broken.to_string().starts_with(&format!("line {line}: expected"))
                || broken.to_string().ends_with("twice"),
            "{broken}"
        );
    }
    for (version, shown) in [("2", 2), ("99999999999999999999", u64::MAX)] {
        let text = TEXT.replacen("case 1", &format!("case {version}"), 1);
        assert_eq!(
            SavedCase::parse(&text).unwrap_err(),
            CaseFileError::NewerVersion { version: shown }
        );
    }
}

#[test]
fn every_cut_and_scratch_is_read_or_refused() {
    for end in 0..TEXT.len() {
        let _ = SavedCase::parse(&TEXT[..end]);
        let mut scratched = TEXT.to_owned();
        scratched.replace_range(end..=end, "\n");
        if let Ok(case) = SavedCase::parse(&scratched) {
            let rendered = case.render().expect("what was read can be written");
            assert!(SavedCase::parse(&rendered).unwrap().has_same_content(&case));
        }
    }
}

#[test]
fn comments_and_unknown_headers_stay() {
    let text = r#"gainsay case 1
// Found by Ann.
claim: ledger / test "transfer keeps the sum"

engine: "7"
failure: observe in transfer, 1
found: 2026-11-01

// Nobody has so little.
let from = 1 // one
// Below zero.
let cents = [
  // Inside.
  1,
]

// The end.

--- choices
// theirs
"#;
    let path = format!("{FOLDER}/any name.case");
    let files = MemoryCaseFiles::new([(path.as_str(), text)]);
    let store = CaseStore::open(&files);
    assert_eq!(store.mark_open(&path), Ok(MarkOutcome::Same));
    assert_eq!(files.all()[&path], text);
    assert_eq!(store.mark_fixed(&path, "2026-11-20"), Ok(MarkOutcome::Changed));
    let fixed = text.replace("2026-11-01\n", "2026-11-01\nstatus: fixed 2026-11-20\n");
    assert_eq!(files.all()[&path], fixed);
    assert_eq!(store.mark_fixed(&path, "2026-12-24"), Ok(MarkOutcome::Same));
    assert_eq!(files.all()[&path], fixed);
    assert_eq!(store.mark_open(&path), Ok(MarkOutcome::Changed));
    assert_eq!(files.all()[&path], text);
    let mut simpler = case();
    simpler.values = vec![SavedValue::new("cents", "[]")];
    assert_eq!(store.save(&simpler), Ok(SaveOutcome::Replaced(path.clone())));
    let expected = r#"gainsay case 1
// Found by Ann.
claim: ledger / test "transfer keeps the sum"

engine: "7"
failure: observe in transfer, 1
found: 2026-11-01

// Below zero.
let cents = []
// Nobody has so little.

// The end.

--- choices
0 from/id int 1

1 cents int -1
"#;
    assert_eq!(files.all()[&path], expected);
    simpler.found = "2030-01-01".to_owned();
    assert_eq!(store.save(&simpler), Ok(SaveOutcome::Same(path)));
    assert_eq!(files.all().len(), 1);
}

#[test]
fn a_store_saves_lists_and_removes() {
    let files = MemoryCaseFiles::default();
    let store = CaseStore::open(&files);
    assert!(store.all().is_empty() && store.cases_of(&claim()).is_empty());
    let first = store.save(&case()).unwrap();
    let SaveOutcome::New(path) = &first else { panic!("{first:?}") };
    assert!(path.starts_with(&format!("{FOLDER}/observe-in-transfer-1-")), "{path}");
    assert_eq!(store.save(&case()), Ok(SaveOutcome::Same(path.clone())));
    let mut other = case();
    other.failure = "division-by-zero".to_owned();
    other.values.clear();
    assert_eq!(
        store.save(&other),
        Ok(SaveOutcome::New(format!("{FOLDER}/division-by-zero.case")))
    );
    let property = ClaimName::new("ledger", ClaimType::Property, "transfer keeps the sum");
    let mut third = case();
    third.claim = property.clone();
    store.save(&third).unwrap();
    assert_eq!(store.cases_of(&claim()).len(), 2);
    assert_eq!(store.cases_of(&property).len(), 1);
    let all = store.all();
    assert_eq!(all.len(), 3);
    assert!(all.is_sorted_by(|left, right| left.path < right.path));
    assert!(all.iter().all(|it| it.case.is_ok()));
    store.remove(path).unwrap();
    store.remove(path).unwrap();
    assert_eq!(store.cases_of(&claim()).len(), 1);
    for path in
        ["x.case", "gainsay-cases/../x.case", "gainsay-cases/a/b/c", "/gainsay-cases/a.case"]
    {
        assert!(store.remove(path).is_err(), "{path}");
        assert!(store.mark_open(path).is_err(), "{path}");
    }
}

#[test]
fn a_fixed_case_that_is_saved_again_is_open() {
    let files = MemoryCaseFiles::default();
    let store = CaseStore::open(&files);
    let path = store.save(&case()).unwrap().path().to_owned();
    store.mark_fixed(&path, "2026-12-01").unwrap();
    assert_eq!(store.save(&case()), Ok(SaveOutcome::Replaced(path.clone())));
    assert_eq!(files.all()[&path], TEXT);
}

#[test]
fn files_that_cannot_be_read_are_left_alone() {
    let name =
        CaseStore::open(&MemoryCaseFiles::default()).save(&case()).unwrap().path().to_owned();
    let newer = TEXT.replacen("case 1", "case 2", 1);
    let elsewhere = TEXT.replace("ledger /", "bank /");
    let other = format!("{FOLDER}/other.case");
    let files = MemoryCaseFiles::new([
        (name.as_str(), newer.as_str()),
        (other.as_str(), elsewhere.as_str()),
        (&format!("{FOLDER}/.observe.case.7-0.tmp"), "gainsay ca"),
        (&format!("{FOLDER}/notes.txt"), "mine"),
        ("gainsay-cases/README.md", "mine"),
        ("gainsay-cases/lost.case", TEXT),
    ]);
    let before = files.all();
    let store = CaseStore::open(&files);
    let listed = store.cases_of(&claim());
    let broken: Vec<String> =
        listed.iter().map(|it| it.case.as_ref().unwrap_err().to_string()).collect();
    assert_eq!(
        broken,
        [
            "format version 2 is not supported; the newest supported is 1",
            "it belongs to bank / test \"transfer keeps the sum\", whose folder is \
             `gainsay-cases/bank/test.transfer-keeps-the-sum`",
        ]
    );
    assert_eq!(store.all().len(), 3);
    assert!(store.all().iter().all(|it| it.case.is_err()));
    assert!(store.mark_fixed(&name, "2026-12-01").is_err());
    let second = name.replace(".case", "-2.case");
    assert_eq!(store.save(&case()), Ok(SaveOutcome::New(second.clone())));
    assert_eq!(store.save(&case()), Ok(SaveOutcome::Same(second.clone())));
    let mut after = files.all();
    assert_eq!(after.remove(&second).as_deref(), Some(TEXT));
    assert_eq!(after, before);
}

/// Files in which another process saves the same failure right after the first folder listing.
struct RacingFiles {
    files: MemoryCaseFiles,
    looks: std::sync::atomic::AtomicUsize,
}

impl CaseFiles for RacingFiles {
    fn list(&self, folder: &str) -> Result<Vec<FolderEntry>, String> {
        let listed = self.files.list(folder);
        if self.looks.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 0 {
            CaseStore::open(&self.files).save(&case()).unwrap();
        }
        listed
    }

    fn read(&self, path: &str) -> Result<Option<String>, String> {
        self.files.read(path)
    }

    fn write(
        &self,
        path: &str,
        before: Option<&str>,
        text: &str,
    ) -> Result<ReplaceOutcome, String> {
        self.files.write(path, before, text)
    }

    fn remove(&self, path: &str) -> Result<(), String> {
        self.files.remove(path)
    }
}

#[test]
fn two_that_find_the_same_failure_keep_it_once() {
    let files = RacingFiles { files: MemoryCaseFiles::default(), looks: 0.into() };
    let mut simpler = case();
    simpler.values.truncate(1);
    let saved = CaseStore::open(&files).save(&simpler).unwrap();
    assert!(matches!(saved, SaveOutcome::Replaced(_)), "{saved:?}");
    assert_eq!(files.files.all().len(), 1);
}

/// Files that refuse every operation.
struct RefusingFiles;

impl CaseFiles for RefusingFiles {
    fn list(&self, folder: &str) -> Result<Vec<FolderEntry>, String> {
        if folder == super::CASES_FOLDER {
            return Ok(vec![FolderEntry {
                name: "ledger".to_owned(),
                kind: FolderEntryKind::Other,
            }]);
        }
        Err("permission denied".to_owned())
    }

    fn read(&self, _: &str) -> Result<Option<String>, String> {
        Err("permission denied".to_owned())
    }

    fn write(&self, _: &str, _: Option<&str>, _: &str) -> Result<ReplaceOutcome, String> {
        Ok(ReplaceOutcome::Changed)
    }

    fn remove(&self, _: &str) -> Result<(), String> {
        Err("the file system is read-only".to_owned())
    }
}

#[test]
fn refused_files_are_reported_with_their_path() {
    let store = CaseStore::open(&RefusingFiles);
    let text = |result: Result<(), CaseStoreError>| result.unwrap_err().to_string();
    assert_eq!(
        text(store.save(&case()).map(|_| ())),
        format!("cannot write `{FOLDER}`: permission denied")
    );
    let path = format!("{FOLDER}/a.case");
    assert_eq!(
        text(store.remove(&path)),
        format!("cannot remove `{path}`: the file system is read-only")
    );
    assert_eq!(
        text(store.mark_fixed(&path, "today").map(|_| ())),
        format!("cannot read `{path}`: permission denied")
    );
    let listed = store.cases_of(&claim());
    assert_eq!(listed[0].path, FOLDER);
    assert!(listed[0].case.is_err());
    assert_eq!(store.all()[0].path, "gainsay-cases/ledger");
}

#[test]
fn many_writers_lose_nothing() {
    let files = MemoryCaseFiles::default();
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let files = &files;
            scope.spawn(move || {
                let store = CaseStore::open(files);
                for round in 0..20 {
                    let mut case = case();
                    case.failure = format!("failure {}", (writer + round) % 5);
                    case.values = vec![SavedValue::new("x", format!("{}", writer * round))];
                    let path = store.save(&case).unwrap().path().to_owned();
                    store.mark_fixed(&path, "2026-11-20").unwrap();
                    assert!(store.all().iter().all(|it| it.case.is_ok()));
                }
            });
        }
    });
    assert_eq!(CaseStore::open(&files).cases_of(&claim()).len(), 5);
}

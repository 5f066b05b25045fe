//! Saved cases on a real disk: with concurrent writers, killed writers, and denied writes.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

use gainsay::test::{
    CaseFiles as _, CaseStore, ClaimName, ClaimType, FolderEntryKind, MarkOutcome,
    ReplaceOutcome, SaveOutcome, SavedCase, SavedValue,
};

use super::DiskCaseFiles;

/// Tells a child process of this test where to write.
const WRITE_TO: &str = "GAINSAY_TEST_WRITE_CASES_TO";

fn claim() -> ClaimName {
    ClaimName::new("ledger", ClaimType::Test, "keeps the sum")
}

fn case(failure: usize, value: usize) -> SavedCase {
    let mut case = SavedCase::new(claim(), format!("failure-{failure}"), "2026-11-16");
    case.values = vec![SavedValue::new("x", value.to_string())];
    // Long enough for a truncated text to be visible.
    case.choices = Some(format!("{value}\n").repeat(2_000));
    case
}

/// The names of all files in the folder of the claim.
fn names(root: &Path) -> Vec<String> {
    let folder = root.join("gainsay-cases/ledger/test.keeps-the-sum");
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let mut names: Vec<String> =
        entries.map(|it| it.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Checks that every case is complete: its value and its choices come from the same writer.
fn assert_whole(store: CaseStore<'_>) -> usize {
    let all = store.all();
    for file in &all {
        let case = file.case.as_ref().unwrap_or_else(|it| panic!("{}: {it}", file.path));
        let value = &case.values[0].text;
        let choices = case.choices.as_deref().unwrap_or_default();
        assert_eq!(choices.lines().count(), 2_000);
        assert!(choices.lines().all(|it| it == value));
    }
    all.len()
}

#[test]
fn cases_are_saved_marked_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let files = DiskCaseFiles::new(folder.path());
    let store = CaseStore::open(&files);
    assert!(store.all().is_empty());
    let path = "gainsay-cases/ledger/test.keeps-the-sum/failure-1.case".to_owned();
    assert_eq!(store.save(&case(1, 1)), Ok(SaveOutcome::New(path.clone())));
    assert_eq!(store.save(&case(1, 1)), Ok(SaveOutcome::Same(path.clone())));
    assert_eq!(store.save(&case(1, 2)), Ok(SaveOutcome::Replaced(path.clone())));
    assert_eq!(store.mark_fixed(&path, "2026-11-20"), Ok(MarkOutcome::Changed));
    assert_eq!(store.mark_fixed(&path, "2026-11-21"), Ok(MarkOutcome::Same));
    assert_eq!(
        store.cases_of(&claim())[0].case.as_ref().unwrap().fixed.as_deref(),
        Some("2026-11-20")
    );
    assert_eq!(names(folder.path()), ["failure-1.case"]);
    store.remove(&path).unwrap();
    store.remove(&path).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn the_same_text_is_not_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let files = DiskCaseFiles::new(folder.path());
    let store = CaseStore::open(&files);
    let path = folder.path().join(store.save(&case(1, 1)).unwrap().path());
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    fs::File::options().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
    store.save(&case(1, 1)).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), long_ago);
}

#[test]
fn leftovers_are_ignored_and_taken_away_when_they_are_old() {
    let folder = tempfile::tempdir().unwrap();
    let files = DiskCaseFiles::new(folder.path());
    let store = CaseStore::open(&files);
    let path = folder.path().join(store.save(&case(1, 1)).unwrap().path());
    for (name, age) in [
        (".failure-1.case.77-0.tmp", 2 * 60 * 60),
        (".failure-2.case.77-1.tmp", 60),
        (".mine.tmp", 2 * 60 * 60),
        ("notes.txt", 2 * 60 * 60),
    ] {
        let left = path.with_file_name(name);
        fs::write(&left, "gainsay ca").unwrap();
        let now = fs::metadata(&left).unwrap().modified().unwrap();
        let file = fs::File::options().write(true).open(&left).unwrap();
        file.set_modified(now - Duration::from_secs(age)).unwrap();
    }
    assert_eq!(assert_whole(store), 1);
    store.save(&case(2, 1)).unwrap();
    assert_eq!(assert_whole(store), 2);
    assert_eq!(
        names(folder.path()),
        [
            ".failure-2.case.77-1.tmp",
            ".mine.tmp",
            "failure-1.case",
            "failure-2.case",
            "notes.txt"
        ]
    );
}

#[test]
fn a_file_of_somebody_else_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let files = DiskCaseFiles::new(folder.path());
    let path = "gainsay-cases/a/b/c.case";
    assert_eq!(files.write(path, None, "one"), Ok(ReplaceOutcome::Done));
    assert_eq!(files.write(path, None, "two"), Ok(ReplaceOutcome::Changed));
    assert_eq!(files.write(path, Some("zero"), "two"), Ok(ReplaceOutcome::Changed));
    assert_eq!(files.read(path), Ok(Some("one".to_owned())));
    assert_eq!(files.write(path, Some("one"), "two"), Ok(ReplaceOutcome::Done));
    assert_eq!(files.read(path), Ok(Some("two".to_owned())));
    let gone = "gainsay-cases/a/b/d.case";
    assert_eq!(files.write(gone, Some("one"), "two"), Ok(ReplaceOutcome::Changed));
    assert_eq!(files.read(gone), Ok(None));
    assert_eq!(files.list("gainsay-cases/a/b").unwrap().len(), 1);
}

#[test]
fn what_is_no_file_of_text_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let files = DiskCaseFiles::new(folder.path());
    let store = CaseStore::open(&files);
    let path = folder.path().join(store.save(&case(1, 1)).unwrap().path());
    fs::write(path.with_file_name("bytes.case"), b"gainsay case 1\n\xff").unwrap();
    fs::create_dir(path.with_file_name("folder.case")).unwrap();
    let broken: Vec<String> = store
        .cases_of(&claim())
        .into_iter()
        .filter_map(|it| Some(it.case.err()?.to_string()))
        .collect();
    assert_eq!(broken, ["line 2 is not valid UTF-8"]);
    fs::write(folder.path().join("gainsay-cases/file"), "").unwrap();
    assert_eq!(files.list("gainsay-cases/file"), Err("not a folder".to_owned()));
    let refused = files.write("gainsay-cases/file/a.case", None, "");
    assert!(refused.is_err(), "{refused:?}");
    let mut readonly = fs::metadata(&path).unwrap().permissions();
    readonly.set_readonly(true);
    fs::set_permissions(&path, readonly).unwrap();
    let error = store.save(&case(1, 2)).unwrap_err().to_string();
    assert!(error.ends_with("failure-1.case`: the file is read-only"), "{error}");
    assert!(!names(folder.path()).iter().any(|it| it.ends_with(".tmp")));
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let files = DiskCaseFiles::new(folder.path());
    let store = CaseStore::open(&files);
    let path = folder.path().join(store.save(&case(1, 1)).unwrap().path());
    let precious = elsewhere.path().join("precious");
    fs::write(&precious, fs::read(&path).unwrap()).unwrap();
    fs::remove_file(&path).unwrap();
    symlink(&precious, &path).unwrap();
    let listed = store.cases_of(&claim());
    assert_eq!(
        listed[0].case.as_ref().unwrap_err().to_string(),
        "`failure-1.case` is a symbolic link"
    );
    let saved = store.save(&case(1, 2)).unwrap();
    assert!(saved.path().ends_with("failure-1-2.case"));
    assert!(store.remove(&listed[0].path).is_err());
    assert_eq!(fs::read_to_string(&precious).unwrap(), case(1, 1).render().unwrap());
    fs::remove_dir_all(folder.path().join("gainsay-cases/ledger")).unwrap();
    symlink(elsewhere.path(), folder.path().join("gainsay-cases/ledger")).unwrap();
    let error = store.save(&case(1, 1)).unwrap_err();
    assert_eq!(error.reason, "`ledger` is a symbolic link");
    assert_eq!(store.all()[0].path, "gainsay-cases/ledger");
    assert_eq!(files.list("gainsay-cases").unwrap()[0].kind, FolderEntryKind::Other);
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_folder_without_write_permission_is_reported() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let files = DiskCaseFiles::new(folder.path());
    let store = CaseStore::open(&files);
    let path = folder.path().join(store.save(&case(1, 1)).unwrap().path());
    let inner = path.parent().unwrap();
    fs::set_permissions(inner, fs::Permissions::from_mode(0o555)).unwrap();
    // A superuser is never denied.
    let is_refused = fs::write(inner.join("probe"), "").is_err();
    let saved = store.save(&case(2, 1));
    fs::set_permissions(inner, fs::Permissions::from_mode(0o755)).unwrap();
    if is_refused {
        let error = saved.unwrap_err().to_string();
        assert!(error.ends_with("failure-2.case`: permission denied"), "{error}");
    }
}

/// Runs four concurrent writers on the store of a new folder.
fn with_writers(work: impl Fn(CaseStore<'_>, usize) + Sync) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files = DiskCaseFiles::new(folder.path());
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let (store, work) = (CaseStore::open(&files), &work);
            scope.spawn(move || work(store, writer));
        }
    });
    folder
}

#[test]
fn many_threads_lose_nothing() {
    let folder = with_writers(|store, writer| {
        for round in 0..10 {
            let saved = store.save(&case((writer + round) % 3, writer * 10 + round));
            store.mark_fixed(saved.unwrap().path(), "2026-11-20").unwrap();
            assert_whole(store);
        }
    });
    let files = DiskCaseFiles::new(folder.path());
    assert_eq!(assert_whole(CaseStore::open(&files)), 3);
    assert_eq!(names(folder.path()).len(), 3);
}

#[test]
fn folders_may_vanish_while_others_write() {
    let folder = with_writers(|store, writer| {
        for round in 0..20 {
            let saved = store.save(&case(writer, round)).unwrap();
            store.remove(saved.path()).unwrap();
        }
    });
    assert_eq!(names(folder.path()), [] as [&str; 0]);
}

/// A child process of this test that writes until it is killed.
struct CaseWriterProcess(Child);

impl CaseWriterProcess {
    fn start(root: &Path) -> Self {
        let program = std::env::current_exe().unwrap();
        let test = "case_files::tests::writes_on_and_on_when_asked_to";
        let mut command = Command::new(program);
        command.args(["--exact", test]).env(WRITE_TO, root);
        Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for CaseWriterProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Not a test by itself: the body of the child processes in the test below.
#[test]
fn writes_on_and_on_when_asked_to() {
    let Some(root) = std::env::var_os(WRITE_TO) else { return };
    let files = DiskCaseFiles::new(root);
    let store = CaseStore::open(&files);
    for round in 0..50_000 {
        // The folder is deleted at the end of the test.
        if store.save(&case(round % 3, round)).is_err() {
            break;
        }
    }
}

#[test]
fn killed_programs_leave_whole_cases() {
    let folder = tempfile::tempdir().unwrap();
    let files = DiskCaseFiles::new(folder.path());
    let store = CaseStore::open(&files);
    for _ in 0..4 {
        let writers =
            [CaseWriterProcess::start(folder.path()), CaseWriterProcess::start(folder.path())];
        let mut n_looks = 0;
        while n_looks < 20 || (assert_whole(store) < 3 && n_looks < 2_000) {
            std::thread::sleep(Duration::from_millis(10));
            assert_whole(store);
            n_looks += 1;
        }
        drop(writers);
        assert_whole(store);
    }
    assert_eq!(store.cases_of(&claim()).len(), 3);
    store.save(&case(7, 7)).unwrap();
    assert_eq!(assert_whole(store), 4);
}

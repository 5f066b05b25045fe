//! The store of saved cases: finds, saves, marks and removes them.

use std::collections::BTreeSet;
use std::fmt;

use super::CASES_FOLDER;
use super::claim_name::ClaimName;
use super::files::{CaseFiles, FolderEntryKind, ReplaceOutcome};
use super::format::SavedCase;
use super::parse::CaseFileError;
use super::slug::{file_of, folder_of};

/// Maximum number of retries when other processes change a file concurrently.
const MAX_TRIES: usize = 50;

/// The saved cases of a project. Several processes may use the same store concurrently.
#[derive(Copy, Clone)]
pub struct CaseStore<'f> {
    files: &'f dyn CaseFiles,
}

/// A file of the store.
#[derive(Debug, Clone)]
pub struct SavedCaseFile {
    /// Its path, relative to the folder of the run.
    pub path: String,
    /// The case, or why there is none.
    pub case: Result<SavedCase, CaseFileError>,
}

/// The result of saving a case, with the path of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SaveOutcome {
    /// It is in a new file.
    New(String),
    /// It replaced an older case of the same failure.
    Replaced(String),
    /// It was there already, and nothing was written.
    Same(String),
}

impl SaveOutcome {
    /// The file it is in.
    pub fn path(&self) -> &str {
        match self {
            Self::New(path) | Self::Replaced(path) | Self::Same(path) => path,
        }
    }
}

/// Whether marking a case changed its file.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum MarkOutcome {
    /// The file was changed.
    Changed,
    /// The file had that mark before, and nothing was written.
    Same,
}

/// The operation on a file.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum CaseFileOperation {
    /// Reading it.
    Read,
    /// Writing it.
    Write,
    /// Removing it.
    Remove,
}

/// A failed operation on a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseStoreError {
    /// The file or folder.
    pub path: String,
    /// The operation.
    pub action: CaseFileOperation,
    /// Why it failed.
    pub reason: String,
}

impl fmt::Display for CaseStoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let action = match self.action {
            CaseFileOperation::Read => "read",
            CaseFileOperation::Write => "write",
            CaseFileOperation::Remove => "remove",
        };
        write!(f, "cannot {action} `{}`: {}", self.path, self.reason)
    }
}

impl std::error::Error for CaseStoreError {}

/// The direct content of a folder at one time.
struct FolderSnapshot {
    /// The cases, sorted by path.
    files: Vec<StoredCaseFile>,
    /// All names in use.
    used_names: BTreeSet<String>,
}

/// A file as it was read.
struct StoredCaseFile {
    path: String,
    text: String,
    case: Result<SavedCase, CaseFileError>,
}

impl<'f> CaseStore<'f> {
    /// The store in the given files.
    pub fn open(files: &'f dyn CaseFiles) -> Self {
        Self { files }
    }

    /// The cases of a claim, sorted by path. If the folder cannot be read, it is returned as the
    /// only entry, with the error.
    pub fn cases_of(&self, claim: &ClaimName) -> Vec<SavedCaseFile> {
        let folder = folder_of(claim);
        match self.read_folder(&folder) {
            Ok(found) => {
                found.files.into_iter().map(|it| it.into_file_of_claim(claim)).collect()
            }
            Err(reason) => vec![unreadable(folder, reason)],
        }
    }

    /// The cases of all claims, sorted by path.
    pub fn all(&self) -> Vec<SavedCaseFile> {
        let mut found = Vec::new();
        let mut waiting = vec![(CASES_FOLDER.to_owned(), 0)];
        while let Some((folder, depth)) = waiting.pop() {
            let listed = self.files.list(&folder);
            let files = self.read_folder(&folder);
            match (listed, files) {
                (Ok(entries), Ok(files)) => {
                    found.extend(files.files.into_iter().map(StoredCaseFile::into_saved_file));
                    for entry in entries {
                        let path = format!("{folder}/{}", entry.name);
                        match entry.kind {
                            // Files are in `<module>/<claim>`: nothing below that belongs to the
                            // store.
                            FolderEntryKind::Folder if depth < 2 => {
                                waiting.push((path, depth + 1))
                            }
                            FolderEntryKind::Other if depth < 2 => {
                                let reason = "neither a file nor a folder".to_owned();
                                found.push(unreadable(path, reason));
                            }
                            FolderEntryKind::Folder
                            | FolderEntryKind::File
                            | FolderEntryKind::Other => {}
                        }
                    }
                }
                (Err(reason), _) | (_, Err(reason)) => found.push(unreadable(folder, reason)),
            }
        }
        found.sort_by(|left, right| left.path.cmp(&right.path));
        // A link that is named like a case is listed twice: as unreadable, and as no file.
        found.dedup_by(|left, right| left.path == right.path);
        found
    }

    /// Saves a case. It replaces an older case of the same failure unless the content is the same;
    /// the date it was first found stays. Files that cannot be parsed are not touched.
    pub fn save(&self, case: &SavedCase) -> Result<SaveOutcome, CaseStoreError> {
        let folder = folder_of(&case.claim);
        let refused = |path: &str, reason: String| CaseStoreError {
            path: path.to_owned(),
            action: CaseFileOperation::Write,
            reason,
        };
        for _ in 0..MAX_TRIES {
            // One snapshot decides both that the failure is not stored yet and which name is free.
            // With two snapshots, concurrent writers could store the same failure twice.
            let there = self.read_folder(&folder).map_err(|reason| refused(&folder, reason))?;
            let same = there.files.iter().find_map(|it| match &it.case {
                Ok(old) if old.failure == case.failure && old.claim == case.claim => {
                    Some((it, old))
                }
                Ok(_) | Err(_) => None,
            });
            let (path, before, case) = match same {
                // Merge before comparing: a later date of finding alone is no change.
                Some((it, old)) => {
                    let case = case.replacing(old);
                    if case.has_same_content(old) {
                        return Ok(SaveOutcome::Same(it.path.clone()));
                    }
                    (it.path.clone(), Some(it.text.as_str()), case)
                }
                None => {
                    let free = there.unused_name(&case.failure);
                    (format!("{folder}/{free}"), None, case.clone())
                }
            };
            let Some(text) = case.render() else {
                return Err(refused(
                    &path,
                    "it would not parse back to the same case".to_owned(),
                ));
            };
            let written = self.files.write(&path, before, &text);
            match written.map_err(|reason| refused(&path, reason))? {
                ReplaceOutcome::Done if before.is_none() => return Ok(SaveOutcome::New(path)),
                ReplaceOutcome::Done => return Ok(SaveOutcome::Replaced(path)),
                // Someone else wrote the file since the snapshot: start over.
                ReplaceOutcome::Changed => {}
            }
        }
        Err(refused(&folder, "another process keeps changing it".to_owned()))
    }

    /// Marks a case as passing since a date. If it is marked already, the old date stays.
    pub fn mark_fixed(&self, path: &str, day: &str) -> Result<MarkOutcome, CaseStoreError> {
        self.mark(path, |fixed| fixed.or_else(|| Some(day.to_owned())))
    }

    /// Marks a case as failing again.
    pub fn mark_open(&self, path: &str) -> Result<MarkOutcome, CaseStoreError> {
        self.mark(path, |_| None)
    }

    /// Removes a case, whatever its file contains.
    pub fn remove(&self, path: &str) -> Result<(), CaseStoreError> {
        let refused = |reason| CaseStoreError {
            path: path.to_owned(),
            action: CaseFileOperation::Remove,
            reason,
        };
        // Paths come from the command line, and `..` must not lead out of the store.
        if !is_case_path(path) {
            return Err(refused("not a saved case".to_owned()));
        }
        self.files.remove(path).map_err(refused)
    }

    fn mark(
        &self,
        path: &str,
        since: impl Fn(Option<String>) -> Option<String>,
    ) -> Result<MarkOutcome, CaseStoreError> {
        let error =
            |action, reason: String| CaseStoreError { path: path.to_owned(), action, reason };
        for _ in 0..MAX_TRIES {
            let text = match self.files.read(path) {
                Ok(Some(text)) if is_case_path(path) => text,
                Ok(_) => {
                    return Err(error(CaseFileOperation::Read, "not a saved case".to_owned()));
                }
                Err(reason) => return Err(error(CaseFileOperation::Read, reason)),
            };
            let mut case = SavedCase::parse(&text)
                .map_err(|broken| error(CaseFileOperation::Read, broken.to_string()))?;
            let fixed = since(case.fixed.clone());
            if fixed == case.fixed {
                return Ok(MarkOutcome::Same);
            }
            case.fixed = fixed;
            let Some(new) = case.render() else {
                let reason = "it would not parse back to the same case".to_owned();
                return Err(error(CaseFileOperation::Write, reason));
            };
            let written = self.files.write(path, Some(&text), &new);
            match written.map_err(|reason| error(CaseFileOperation::Write, reason))? {
                ReplaceOutcome::Done => return Ok(MarkOutcome::Changed),
                ReplaceOutcome::Changed => {}
            }
        }
        Err(error(CaseFileOperation::Write, "another process keeps changing it".to_owned()))
    }

    /// Reads the direct content of a folder.
    fn read_folder(&self, folder: &str) -> Result<FolderSnapshot, String> {
        let (mut files, mut taken) = (Vec::new(), BTreeSet::new());
        for entry in self.files.list(folder)? {
            let path = format!("{folder}/{}", entry.name);
            taken.insert(entry.name.clone());
            if !is_case_path(&path) || entry.kind == FolderEntryKind::Folder {
                continue;
            }
            let (text, case) = match self.files.read(&path) {
                Ok(Some(text)) => {
                    let case =
                        SavedCase::parse(&text).and_then(|case| check_folder(case, folder));
                    (text, case)
                }
                // Another process removed it since the folder was listed.
                Ok(None) => {
                    taken.remove(&entry.name);
                    continue;
                }
                Err(reason) => (String::new(), Err(CaseFileError::Unreadable(reason))),
            };
            files.push(StoredCaseFile { path, text, case });
        }
        files.sort_by(|left, right| left.path.cmp(&right.path));
        Ok(FolderSnapshot { files, used_names: taken })
    }
}

impl FolderSnapshot {
    /// The first unused file name for a failure.
    fn unused_name(&self, failure: &str) -> String {
        let mut names = (1..).map(|attempt| file_of(failure, attempt));
        names.find(|name| !self.used_names.contains(name)).expect("a folder has an end")
    }
}

impl StoredCaseFile {
    fn into_saved_file(self) -> SavedCaseFile {
        SavedCaseFile { path: self.path, case: self.case }
    }

    /// The file, if it belongs to the claim: folder names are too short to distinguish all claims.
    fn into_file_of_claim(self, claim: &ClaimName) -> SavedCaseFile {
        let case = self.case.and_then(|case| {
            if case.claim == *claim {
                return Ok(case);
            }
            let folder = folder_of(&case.claim);
            Err(CaseFileError::WrongFolder { claim: Box::new(case.claim), folder })
        });
        SavedCaseFile { path: self.path, case }
    }
}

fn unreadable(path: String, reason: String) -> SavedCaseFile {
    SavedCaseFile { path, case: Err(CaseFileError::Unreadable(reason)) }
}

/// The case, if it is in the folder of its claim.
fn check_folder(case: SavedCase, folder: &str) -> Result<SavedCase, CaseFileError> {
    let right = folder_of(&case.claim);
    if right == folder {
        return Ok(case);
    }
    Err(CaseFileError::WrongFolder { claim: Box::new(case.claim), folder: right })
}

/// Whether a path can be that of a saved case: below the cases folder, without a way out of it.
fn is_case_path(path: &str) -> bool {
    let mut parts = path.split('/');
    let is_below = parts.next() == Some(CASES_FOLDER);
    let is_plain = |it: &str| !it.is_empty() && !it.starts_with('.') && !it.contains('\\');
    is_below && path.ends_with(".case") && parts.all(is_plain)
}

//! The store of kept cases: finding, saving, marking and removing them.

use std::collections::BTreeSet;
use std::fmt;

use super::CASES_FOLDER;
use super::claim_name::ClaimName;
use super::files::{CaseFiles, EntryKind, Replaced};
use super::format::KeptCase;
use super::parse::Broken;
use super::slug::{file_of, folder_of};

/// How often something is tried again because others changed a file meanwhile.
const MAX_TRIES: usize = 50;

/// The kept cases of a project. Several programs may use the same one at a time.
#[derive(Copy, Clone)]
pub struct Store<'f> {
    files: &'f dyn CaseFiles,
}

/// A file of the store.
#[derive(Debug, Clone)]
pub struct KeptFile {
    /// Its path, below the folder the run is for.
    pub path: String,
    /// The case, or why there is none.
    pub case: Result<KeptCase, Broken>,
}

/// What became of a case that was to be saved, and its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Saved {
    /// It is in a new file.
    New(String),
    /// It is in the file of the same failure, in place of the case before.
    Replaced(String),
    /// It was there already, and nothing was written.
    Same(String),
}

impl Saved {
    /// The file it is in.
    pub fn path(&self) -> &str {
        match self {
            Self::New(path) | Self::Replaced(path) | Self::Same(path) => path,
        }
    }
}

/// Whether marking a case changed its file.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Marked {
    /// The file says so now.
    Changed,
    /// The file said so before, and nothing was written.
    Same,
}

/// What was tried with a file.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum CaseAction {
    /// Reading it.
    Read,
    /// Writing it.
    Write,
    /// Removing it.
    Remove,
}

/// Something that could not be done with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseError {
    /// The file or folder.
    pub path: String,
    /// What was tried.
    pub action: CaseAction,
    /// Why it failed.
    pub reason: String,
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let action = match self.action {
            CaseAction::Read => "read",
            CaseAction::Write => "write",
            CaseAction::Remove => "remove",
        };
        write!(f, "cannot {action} `{}`: {}", self.path, self.reason)
    }
}

impl std::error::Error for CaseError {}

/// What is right in a folder, at one time.
struct Snapshot {
    /// The cases, in the order of their names.
    stored: Vec<Stored>,
    /// All names that something has.
    taken: BTreeSet<String>,
}

/// A file as it was read.
struct Stored {
    path: String,
    text: String,
    case: Result<KeptCase, Broken>,
}

impl<'f> Store<'f> {
    /// The store in some files.
    pub fn open(files: &'f dyn CaseFiles) -> Self {
        Self { files }
    }

    /// The cases of a claim, in the order of their files. A folder that cannot be read is
    /// there in their place.
    pub fn cases_of(&self, claim: &ClaimName) -> Vec<KeptFile> {
        let folder = folder_of(claim);
        match self.stored_in(&folder) {
            Ok(found) => found.stored.into_iter().map(|it| it.of_claim(claim)).collect(),
            Err(reason) => vec![unreadable(folder, reason)],
        }
    }

    /// The cases of all claims, in the order of their files.
    pub fn all(&self) -> Vec<KeptFile> {
        let mut found = Vec::new();
        let mut waiting = vec![(CASES_FOLDER.to_owned(), 0)];
        while let Some((folder, depth)) = waiting.pop() {
            let listed = self.files.list(&folder);
            let stored = self.stored_in(&folder);
            match (listed, stored) {
                (Ok(entries), Ok(stored)) => {
                    found.extend(stored.stored.into_iter().map(Stored::without_text));
                    for entry in entries {
                        let path = format!("{folder}/{}", entry.name);
                        match entry.kind {
                            EntryKind::Folder if depth < 2 => waiting.push((path, depth + 1)),
                            EntryKind::Other if depth < 2 => {
                                let reason = "it is neither a file nor a folder".to_owned();
                                found.push(unreadable(path, reason));
                            }
                            EntryKind::Folder | EntryKind::File | EntryKind::Other => {}
                        }
                    }
                }
                (Err(reason), _) | (_, Err(reason)) => found.push(unreadable(folder, reason)),
            }
        }
        found.sort_by(|left, right| left.path.cmp(&right.path));
        found.dedup_by(|left, right| left.path == right.path);
        found
    }

    /// Keeps a case. A case of the same failure is replaced, unless it says the same; the day
    /// it was first found stays. Files that cannot be read are not touched.
    pub fn save(&self, case: &KeptCase) -> Result<Saved, CaseError> {
        let folder = folder_of(&case.claim);
        let refused = |path: &str, reason: String| CaseError {
            path: path.to_owned(),
            action: CaseAction::Write,
            reason,
        };
        for _ in 0..MAX_TRIES {
            // A name that is free in an earlier or later look at the folder than the one that
            // did not find the failure would let two writers keep it twice.
            let there = self.stored_in(&folder).map_err(|reason| refused(&folder, reason))?;
            let same = there.stored.iter().find_map(|it| match &it.case {
                Ok(old) if old.failure == case.failure && old.claim == case.claim => {
                    Some((it, old))
                }
                Ok(_) | Err(_) => None,
            });
            let (path, before, case) = match same {
                Some((it, old)) => {
                    let case = case.instead_of(old);
                    if case.says_the_same(old) {
                        return Ok(Saved::Same(it.path.clone()));
                    }
                    (it.path.clone(), Some(it.text.as_str()), case)
                }
                None => {
                    let free = there.free_name(&case.failure);
                    (format!("{folder}/{free}"), None, case.clone())
                }
            };
            let Some(text) = case.render() else {
                return Err(refused(
                    &path,
                    "it would not read back as the same case".to_owned(),
                ));
            };
            let written = self.files.write(&path, before, &text);
            match written.map_err(|reason| refused(&path, reason))? {
                Replaced::Done if before.is_none() => return Ok(Saved::New(path)),
                Replaced::Done => return Ok(Saved::Replaced(path)),
                Replaced::Changed => {}
            }
        }
        Err(refused(&folder, "others keep changing it".to_owned()))
    }

    /// Notes in a file that the case passes since a day. If it did before, that day stays.
    pub fn mark_fixed(&self, path: &str, day: &str) -> Result<Marked, CaseError> {
        self.mark(path, |fixed| fixed.or_else(|| Some(day.to_owned())))
    }

    /// Notes in a file that the case fails again.
    pub fn mark_open(&self, path: &str) -> Result<Marked, CaseError> {
        self.mark(path, |_| None)
    }

    /// Removes a case, whatever is in its file.
    pub fn remove(&self, path: &str) -> Result<(), CaseError> {
        let refused =
            |reason| CaseError { path: path.to_owned(), action: CaseAction::Remove, reason };
        if !is_case_path(path) {
            return Err(refused("it is no kept case".to_owned()));
        }
        self.files.remove(path).map_err(refused)
    }

    fn mark(
        &self,
        path: &str,
        since: impl Fn(Option<String>) -> Option<String>,
    ) -> Result<Marked, CaseError> {
        let error =
            |action, reason: String| CaseError { path: path.to_owned(), action, reason };
        for _ in 0..MAX_TRIES {
            let text = match self.files.read(path) {
                Ok(Some(text)) if is_case_path(path) => text,
                Ok(_) => return Err(error(CaseAction::Read, "it is no kept case".to_owned())),
                Err(reason) => return Err(error(CaseAction::Read, reason)),
            };
            let mut case = KeptCase::parse(&text)
                .map_err(|broken| error(CaseAction::Read, broken.to_string()))?;
            let fixed = since(case.fixed.clone());
            if fixed == case.fixed {
                return Ok(Marked::Same);
            }
            case.fixed = fixed;
            let Some(new) = case.render() else {
                let reason = "it would not read back as the same case".to_owned();
                return Err(error(CaseAction::Write, reason));
            };
            let written = self.files.write(path, Some(&text), &new);
            match written.map_err(|reason| error(CaseAction::Write, reason))? {
                Replaced::Done => return Ok(Marked::Changed),
                Replaced::Changed => {}
            }
        }
        Err(error(CaseAction::Write, "others keep changing it".to_owned()))
    }

    /// What is right in a folder.
    fn stored_in(&self, folder: &str) -> Result<Snapshot, String> {
        let (mut stored, mut taken) = (Vec::new(), BTreeSet::new());
        for entry in self.files.list(folder)? {
            let path = format!("{folder}/{}", entry.name);
            taken.insert(entry.name.clone());
            if !is_case_path(&path) || entry.kind == EntryKind::Folder {
                continue;
            }
            let (text, case) = match self.files.read(&path) {
                Ok(Some(text)) => {
                    let case = KeptCase::parse(&text).and_then(|case| in_place(case, folder));
                    (text, case)
                }
                // Somebody removed it meanwhile.
                Ok(None) => {
                    taken.remove(&entry.name);
                    continue;
                }
                Err(reason) => (String::new(), Err(Broken::Unreadable(reason))),
            };
            stored.push(Stored { path, text, case });
        }
        stored.sort_by(|left, right| left.path.cmp(&right.path));
        Ok(Snapshot { stored, taken })
    }
}

impl Snapshot {
    /// The first name for a failure that nothing has.
    fn free_name(&self, failure: &str) -> String {
        let mut names = (1..).map(|attempt| file_of(failure, attempt));
        names.find(|name| !self.taken.contains(name)).expect("a folder has an end")
    }
}

impl Stored {
    fn without_text(self) -> KeptFile {
        KeptFile { path: self.path, case: self.case }
    }

    /// The file, if it is of a claim: names of folders are too short to tell all claims apart.
    fn of_claim(self, claim: &ClaimName) -> KeptFile {
        let case = self.case.and_then(|case| {
            if case.claim == *claim {
                return Ok(case);
            }
            let folder = folder_of(&case.claim);
            Err(Broken::Misplaced { claim: Box::new(case.claim), folder })
        });
        KeptFile { path: self.path, case }
    }
}

fn unreadable(path: String, reason: String) -> KeptFile {
    KeptFile { path, case: Err(Broken::Unreadable(reason)) }
}

/// The case, if it is in the folder of its claim.
fn in_place(case: KeptCase, folder: &str) -> Result<KeptCase, Broken> {
    let right = folder_of(&case.claim);
    if right == folder {
        return Ok(case);
    }
    Err(Broken::Misplaced { claim: Box::new(case.claim), folder: right })
}

/// Whether a path can be that of a kept case: it leads nowhere else.
fn is_case_path(path: &str) -> bool {
    let mut parts = path.split('/');
    let is_below = parts.next() == Some(CASES_FOLDER);
    let is_plain = |it: &str| !it.is_empty() && !it.starts_with('.') && !it.contains('\\');
    is_below && path.ends_with(".case") && parts.all(is_plain)
}

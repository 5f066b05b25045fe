//! The file system interface of the case store, and an implementation in memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Files below one folder. Paths are relative to it, with forward slashes and without `..`.
///
/// Errors are reasons in words, without the path: `permission denied`.
pub trait CaseFiles: Sync {
    /// The entries of a folder, in any order; none if there is no such folder.
    fn list(&self, folder: &str) -> Result<Vec<FolderEntry>, String>;

    /// The text of a file; `None` if there is no such file.
    fn read(&self, path: &str) -> Result<Option<String>, String>;

    /// Writes a file atomically: a reader sees the old text or the new one, and a crash leaves one
    /// of them. `before` is the text to replace, `None` if no file is expected; if the file has
    /// other content, it stays unchanged.
    fn write(
        &self,
        path: &str,
        before: Option<&str>,
        text: &str,
    ) -> Result<ReplaceOutcome, String>;

    /// Removes a file, if it exists.
    fn remove(&self, path: &str) -> Result<(), String>;
}

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderEntry {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: FolderEntryKind,
}

/// The kinds of folder entries.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum FolderEntryKind {
    /// A folder.
    Folder,
    /// A file.
    File,
    /// A link or a device, which is not followed.
    Other,
}

/// The result of writing a file.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum ReplaceOutcome {
    /// The text was written.
    Done,
    /// The file had other content than expected; nothing was written.
    Changed,
}

/// Files in memory.
#[derive(Debug, Default)]
pub struct MemoryCaseFiles {
    files: Mutex<BTreeMap<String, String>>,
}

impl MemoryCaseFiles {
    /// Files by path and text.
    pub fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let files = files.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned()));
        Self { files: Mutex::new(files.collect()) }
    }

    /// All files, by path and text.
    pub fn all(&self) -> BTreeMap<String, String> {
        self.lock().clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, String>> {
        // Every change is a single call on the map, so a poisoned lock still guards a consistent
        // one.
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CaseFiles for MemoryCaseFiles {
    fn list(&self, folder: &str) -> Result<Vec<FolderEntry>, String> {
        let prefix = format!("{folder}/");
        let files = self.lock();
        let below = files.keys().filter_map(|path| path.strip_prefix(&prefix));
        let mut entries: Vec<FolderEntry> = below
            .map(|rest| match rest.split_once('/') {
                Some((name, _)) => {
                    FolderEntry { name: name.to_owned(), kind: FolderEntryKind::Folder }
                }
                None => FolderEntry { name: rest.to_owned(), kind: FolderEntryKind::File },
            })
            .collect();
        entries.dedup();
        Ok(entries)
    }

    fn read(&self, path: &str) -> Result<Option<String>, String> {
        Ok(self.lock().get(path).cloned())
    }

    fn write(
        &self,
        path: &str,
        before: Option<&str>,
        text: &str,
    ) -> Result<ReplaceOutcome, String> {
        let mut files = self.lock();
        if files.get(path).map(String::as_str) != before {
            return Ok(ReplaceOutcome::Changed);
        }
        files.insert(path.to_owned(), text.to_owned());
        Ok(ReplaceOutcome::Done)
    }

    fn remove(&self, path: &str) -> Result<(), String> {
        self.lock().remove(path);
        Ok(())
    }
}

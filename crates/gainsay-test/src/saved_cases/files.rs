//! The files a store works on: a small part of a file system.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Files below one folder. Paths are relative to it, with forward slashes and without `..`.
///
/// Errors are reasons in words, without the path: `permission denied`.
pub trait CaseFiles: Sync {
    /// What is in a folder, in any order; nothing if there is no such folder.
    fn list(&self, folder: &str) -> Result<Vec<FolderEntry>, String>;

    /// The text of a file; `None` if there is no such file.
    fn read(&self, path: &str) -> Result<Option<String>, String>;

    /// Puts a text into a file, in one step: whoever reads sees the old text or the new one,
    /// and whatever kills the program leaves one of them. `before` is the text that is to be
    /// replaced, `None` where no file is expected; if something else is there it stays.
    fn write(
        &self,
        path: &str,
        before: Option<&str>,
        text: &str,
    ) -> Result<ReplaceOutcome, String>;

    /// Removes a file, if it is there.
    fn remove(&self, path: &str) -> Result<(), String>;
}

/// Something in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderEntry {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: FolderEntryKind,
}

/// What can be in a folder.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum FolderEntryKind {
    /// A folder.
    Folder,
    /// A file.
    File,
    /// A link or a device, which is not followed.
    Other,
}

/// What became of a text that was to be written.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum ReplaceOutcome {
    /// It is there.
    Done,
    /// Something else was there than expected; nothing was written.
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
        // Every change is one call on the map, so that a panic elsewhere leaves it whole.
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

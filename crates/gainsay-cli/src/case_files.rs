//! Kept cases on the disk.
//!
//! A file is written beside its place under a name nobody else has, and then put there in one
//! step. Whoever is killed in between leaves a file with such a name behind, which nobody reads
//! and which later writers take away. Links below the folder are not followed: a folder that
//! comes from elsewhere must not be able to lead anywhere else.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use gainsay::test::{CaseFiles, FolderEntry, FolderEntryKind, ReplaceOutcome};

use crate::cli_error::io_error_reason;

/// Longer files are no kept cases.
const MAX_BYTES: u64 = 1 << 26;

/// What is left behind for so long belongs to nobody any more.
const STALE_AFTER: Duration = Duration::from_secs(60 * 60);

/// How often a folder is made that somebody else removes.
const MAX_TRIES: usize = 50;

/// Files below a folder.
pub(crate) struct DiskCaseFiles {
    root: PathBuf,
}

impl DiskCaseFiles {
    /// The files below a folder, which need not be there.
    pub(crate) fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Where a path leads, if neither it nor a folder on the way is a link.
    fn resolve(&self, path: &str) -> io::Result<PathBuf> {
        let mut resolved = self.root.clone();
        for part in path.split('/') {
            resolved.push(part);
            if fs::symlink_metadata(&resolved).is_ok_and(|it| it.file_type().is_symlink()) {
                return Err(io::Error::other(format!("`{part}` is a symbolic link")));
            }
        }
        Ok(resolved)
    }

    fn try_list(&self, folder: &str) -> io::Result<Vec<FolderEntry>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(self.resolve(folder)?)? {
            let entry = entry?;
            // Names that are no text are none of ours.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let kind = match entry.file_type()? {
                it if it.is_dir() => FolderEntryKind::Folder,
                it if it.is_file() => FolderEntryKind::File,
                _ => FolderEntryKind::Other,
            };
            found.push(FolderEntry { name, kind });
        }
        Ok(found)
    }

    fn try_write(
        &self,
        path: &str,
        before: Option<&str>,
        text: &str,
    ) -> io::Result<ReplaceOutcome> {
        let path = self.resolve(path)?;
        let folder = path.parent().unwrap_or(&self.root);
        let (scratch, mut file) = temporary_file_in(folder, &path)?;
        let written =
            file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).and_then(|()| {
                match before {
                    None => publish(&scratch, &path),
                    Some(before) => replace_if_unchanged(&scratch, &path, before),
                }
            });
        let now = file.metadata().and_then(|it| it.modified());
        drop(file);
        // After an exchange it is not there any more.
        let _ = fs::remove_file(&scratch);
        if let Some(limit) = now.ok().and_then(|now| now.checked_sub(STALE_AFTER)) {
            remove_stale_files(folder, limit);
        }
        // The name must last as well as the text. Not every system can promise it.
        let _ = File::open(folder).and_then(|it| it.sync_all());
        written
    }

    fn try_remove(&self, path: &str) -> io::Result<()> {
        let path = self.resolve(path)?;
        fs::remove_file(&path)?;
        // Folders that are empty now are of no use; the others stay, as they cannot be removed.
        let folders = path.ancestors().skip(1).take_while(|it| **it != *self.root);
        for folder in folders {
            if fs::remove_dir(folder).is_err() {
                break;
            }
        }
        Ok(())
    }
}

impl CaseFiles for DiskCaseFiles {
    fn list(&self, folder: &str) -> Result<Vec<FolderEntry>, String> {
        match self.try_list(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            listed => listed.map_err(|error| io_error_reason(&error)),
        }
    }

    fn read(&self, path: &str) -> Result<Option<String>, String> {
        match self.resolve(path).and_then(|path| read(&path)) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(io_error_reason(&error)),
        }
    }

    fn write(
        &self,
        path: &str,
        before: Option<&str>,
        text: &str,
    ) -> Result<ReplaceOutcome, String> {
        self.try_write(path, before, text).map_err(|error| io_error_reason(&error))
    }

    fn remove(&self, path: &str) -> Result<(), String> {
        match self.try_remove(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.map_err(|error| io_error_reason(&error)),
        }
    }
}

/// The text of a file.
fn read(path: &Path) -> io::Result<String> {
    // Opening a pipe would wait for whoever writes to it.
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other("too large for a saved case"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        io::Error::other(format!("line {line} is not valid UTF-8"))
    })
}

/// A new file beside a path, and its folder if need be.
fn temporary_file_in(folder: &Path, path: &Path) -> io::Result<(PathBuf, File)> {
    // Whoever removes the last case of a folder removes the folder, perhaps right now.
    for _ in 0..MAX_TRIES {
        fs::create_dir_all(folder)?;
        match temporary_file(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            made => return made,
        }
    }
    temporary_file(path)
}

/// A new file beside a path. Its name has the number of the process and one of its own; should
/// a process with the same number have left such a file, the next one is free.
fn temporary_file(path: &Path) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let scratch =
            path.with_file_name(format!(".{name}.{}-{number}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&scratch) {
            Ok(file) => return Ok((scratch, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Gives a file its name, unless something has that name.
fn publish(scratch: &Path, path: &Path) -> io::Result<ReplaceOutcome> {
    match fs::hard_link(scratch, path) {
        Ok(()) => Ok(ReplaceOutcome::Done),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Ok(ReplaceOutcome::Changed)
        }
        // Some file systems have no second names. There, two writers in the same moment may
        // both believe they were first, and one case of the same failure stays.
        Err(_) if fs::symlink_metadata(path).is_ok() => Ok(ReplaceOutcome::Changed),
        Err(_) => fs::rename(scratch, path).map(|()| ReplaceOutcome::Done),
    }
}

/// Puts a file in the place of another, if that has this text.
fn replace_if_unchanged(
    scratch: &Path,
    path: &Path,
    before: &str,
) -> io::Result<ReplaceOutcome> {
    match read(path) {
        Ok(text) if text == before => {}
        Ok(_) => return Ok(ReplaceOutcome::Changed),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(ReplaceOutcome::Changed);
        }
        Err(error) => return Err(error),
    }
    let permissions = fs::metadata(path)?.permissions();
    if permissions.readonly() {
        return Err(io::Error::other("the file is read-only"));
    }
    fs::set_permissions(scratch, permissions)?;
    fs::rename(scratch, path).map(|()| ReplaceOutcome::Done)
}

/// Removes what killed programs left in a folder before a time. That is told by the clock of
/// the file system, which also dates what is written now.
fn remove_stale_files(folder: &Path, limit: SystemTime) {
    for entry in fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        let modified = || entry.metadata().and_then(|it| it.modified());
        if is_temporary_name(&entry.file_name()) && modified().is_ok_and(|it| it < limit) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a name is one that [`temporary_file`] gives.
fn is_temporary_name(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    let has_case = name.windows(6).any(|it| it == b".case.");
    name.starts_with(b".") && name.ends_with(b".tmp") && has_case
}

#[cfg(test)]
mod tests;

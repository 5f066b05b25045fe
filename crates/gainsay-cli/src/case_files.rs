//! Saved cases on disk.
//!
//! A file is written next to its destination under a unique temporary name, and then moved there
//! atomically. A killed process leaves its temporary file behind; readers ignore it and later
//! writers remove it. Symbolic links below the folder are not followed, because a folder from an
//! untrusted source must not be able to redirect writes elsewhere.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use gainsay::test::{CaseFiles, FolderEntry, FolderEntryKind, ReplaceOutcome};

use crate::cli_error::io_error_reason;

/// Longer files are not saved cases.
const MAX_BYTES: u64 = 1 << 26;

/// A temporary file older than this was left by a killed process.
const STALE_AFTER: Duration = Duration::from_secs(60 * 60);

/// The number of attempts to create a folder that another process keeps removing.
const MAX_TRIES: usize = 50;

/// The saved-case files below a folder.
pub(crate) struct DiskCaseFiles {
    root: PathBuf,
}

impl DiskCaseFiles {
    /// The files below a folder, which need not exist.
    pub(crate) fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Resolves a path, unless it or a folder on the way is a symbolic link.
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
            // Our file names are always UTF-8.
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
        // `sync_all` before publishing: otherwise a crash could leave the final name with partial
        // content.
        let written =
            file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).and_then(|()| {
                match before {
                    None => publish(&scratch, &path),
                    Some(before) => replace_if_unchanged(&scratch, &path, before),
                }
            });
        let now = file.metadata().and_then(|it| it.modified());
        drop(file);
        // After a rename it no longer exists; after a hard link or an error it does.
        let _ = fs::remove_file(&scratch);
        if let Some(limit) = now.ok().and_then(|now| now.checked_sub(STALE_AFTER)) {
            remove_stale_files(folder, limit);
        }
        // Sync the folder, too, so that the name is durable. Not every system supports this.
        let _ = File::open(folder).and_then(|it| it.sync_all());
        written
    }

    fn try_remove(&self, path: &str) -> io::Result<()> {
        let path = self.resolve(path)?;
        fs::remove_file(&path)?;
        // Removes folders that are empty now; `remove_dir` fails for the others.
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

/// Reads a file.
fn read(path: &Path) -> io::Result<String> {
    // Opening a named pipe would block until someone writes to it.
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

/// A new temporary file next to a path; creates the folder if necessary.
fn temporary_file_in(folder: &Path, path: &Path) -> io::Result<(PathBuf, File)> {
    // Another process may remove the folder at any time, together with its last case.
    for _ in 0..MAX_TRIES {
        fs::create_dir_all(folder)?;
        match temporary_file(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            made => return made,
        }
    }
    temporary_file(path)
}

/// Creates a temporary file next to a path. Its name contains the process id and a counter; if a
/// process with the same id left such a file, the next number is tried.
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

/// Gives a file its final name, unless that name is taken.
fn publish(scratch: &Path, path: &Path) -> io::Result<ReplaceOutcome> {
    // A hard link fails if the name exists, whereas `rename` would silently overwrite it.
    match fs::hard_link(scratch, path) {
        Ok(()) => Ok(ReplaceOutcome::Done),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Ok(ReplaceOutcome::Changed)
        }
        // Some file systems have no hard links. There, two simultaneous writers may both succeed,
        // and one of two cases of the same failure remains.
        Err(_) if fs::symlink_metadata(path).is_ok() => Ok(ReplaceOutcome::Changed),
        Err(_) => fs::rename(scratch, path).map(|()| ReplaceOutcome::Done),
    }
}

/// Replaces a file if it still has the expected text.
fn replace_if_unchanged(
    scratch: &Path,
    path: &Path,
    before: &str,
) -> io::Result<ReplaceOutcome> {
    // Check and rename are not atomic. A writer in between loses its update, never half a file.
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

/// Removes temporary files older than `limit` from a folder. Both times come from the clock of the
/// file system, which may differ from the system clock.
fn remove_stale_files(folder: &Path, limit: SystemTime) {
    for entry in fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        let modified = || entry.metadata().and_then(|it| it.modified());
        if is_temporary_name(&entry.file_name()) && modified().is_ok_and(|it| it < limit) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether [`temporary_file`] could have created this name.
fn is_temporary_name(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    let has_case = name.windows(6).any(|it| it == b".case.");
    name.starts_with(b".") && name.ends_with(b".tmp") && has_case
}

#[cfg(test)]
mod tests;

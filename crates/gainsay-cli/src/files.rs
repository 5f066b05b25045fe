//! Source files on disk: finding, reading and replacing them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Component, Path, PathBuf};

use crate::cli_error::{CliError, io_error_reason};

/// Longer files are rejected, because offsets in them would not fit.
const MAX_BYTES: u64 = 1 << 30;

/// The source files that the paths on the command line denote.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct FoundSources {
    /// The files in order, without duplicates, with forward slashes.
    pub(crate) files: Vec<String>,
    /// Errors about the other paths.
    pub(crate) errors: Vec<CliError>,
}

/// Finds source files: the paths themselves, or every `.say` file below them except in hidden
/// folders and in `target`. Without paths, in the current folder.
pub(crate) fn find_sources(paths: &[PathBuf]) -> FoundSources {
    let mut found = FoundSources::default();
    if paths.is_empty() {
        walk(Path::new("."), &mut found);
    }
    for path in paths {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => walk(path, &mut found),
            Ok(metadata) if is_source(path) && metadata.is_file() => add_file(path, &mut found),
            Ok(_) if is_source(path) => {
                found.errors.push(FileReadError::special_file().into_cli_error(path))
            }
            Ok(_) => found.errors.push(
                CliError::usage(format!("`{}` is not a `.say` file", path.display()))
                    .with_help("name `.say` files, or folders that contain them"),
            ),
            Err(error) => found.errors.push(FileReadError::from(&error).into_cli_error(path)),
        }
    }
    // By path component, not by byte: otherwise `a-b/x.say` would come between the files of `a/`.
    found.files.sort_by(|left, right| left.split('/').cmp(right.split('/')));
    found.files.dedup();
    found
}

fn walk(root: &Path, found: &mut FoundSources) {
    let mut waiting = vec![root.to_owned()];
    while let Some(folder) = waiting.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                found.errors.push(FileReadError::from(&error).into_cli_error(&folder));
                continue;
            }
        };
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name();
            let hidden = name.as_encoded_bytes().first() == Some(&b'.');
            let path = entry.path();
            match entry.file_type() {
                _ if hidden => {}
                // Links to folders are not followed, because they may form a cycle.
                Ok(kind) if kind.is_dir() && name != "target" => waiting.push(path),
                Ok(kind) if kind.is_dir() => {}
                Ok(_) if is_source(&path) && path.is_file() => add_file(&path, found),
                Ok(_) if is_source(&path) && is_special(&path) => {
                    found.errors.push(FileReadError::special_file().into_cli_error(&path));
                }
                Ok(_) | Err(_) => {}
            }
        }
    }
}

fn add_file(path: &Path, found: &mut FoundSources) {
    match display_path(path) {
        Some(name) => found.files.push(name),
        None => found.errors.push(
            CliError::usage(format!("the file name `{}` is not valid UTF-8", path.display()))
                .with_help("rename the file"),
        ),
    }
}

/// Whether a path is neither a file nor a folder: a pipe, a socket, a device. Opening one may block
/// for ever, and reading may never end.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir())
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "say")
}

/// A path for display: with forward slashes, and without a leading `.`.
pub(crate) fn display_path(path: &Path) -> Option<String> {
    let path: PathBuf = path.components().filter(|it| *it != Component::CurDir).collect();
    let text = path.to_str()?;
    Some(if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() })
}

/// The module name of a source file below a folder: `bank.ledger` for `bank/ledger.say`. For a file
/// elsewhere, only its own name.
pub(crate) fn module_name(root: &Path, file: &str) -> String {
    let name = |path: &Path| {
        let parts = path.with_extension("");
        let parts: Option<Vec<&str>> =
            parts.components().map(|part| part.as_os_str().to_str()).collect();
        parts.map(|parts| parts.join("."))
    };
    let below = strip_folder(root, file).and_then(|below| name(&below));
    let alone = || Path::new(file).file_name().and_then(|it| name(Path::new(it)));
    below.or_else(alone).unwrap_or_else(|| file.to_owned())
}

/// The path of a source file relative to a folder, with forward slashes: `bank/ledger.say`. The
/// path of a file elsewhere is unchanged.
pub(crate) fn relative_path(root: &Path, file: &str) -> String {
    strip_folder(root, file)
        .and_then(|below| display_path(&below))
        .unwrap_or_else(|| file.to_owned())
}

/// The path from a folder to a file in it.
fn strip_folder(root: &Path, file: &str) -> Option<PathBuf> {
    // Links and `..` are resolved on both sides, or a file below the folder might not look it.
    let absolute = |path: &Path| {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        fs::canonicalize(path).ok()
    };
    let path = absolute(Path::new(file))?;
    path.strip_prefix(absolute(root)?).ok().map(Path::to_path_buf)
}

/// Reads a source file.
pub(crate) fn read(path: &str) -> Result<String, CliError> {
    try_read(path).map_err(|unreadable| unreadable.into_cli_error(Path::new(path)))
}

/// Reads stdin.
pub(crate) fn read_input() -> Result<String, CliError> {
    let text = FileReadError::map_error(decode(io::stdin().lock()));
    text.map_err(|unreadable| unreadable.into_cli_error(Path::new("-")))
}

fn try_read(path: &str) -> Result<String, FileReadError> {
    // Asked before opening, which would block on a pipe.
    if is_special(Path::new(path)) {
        return Err(FileReadError::special_file());
    }
    FileReadError::map_error(File::open(path).and_then(decode))
}

fn decode(reader: impl io::Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file that is too long from one that just fits.
    reader.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other("larger than 1 GiB"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count();
        io::Error::other(format!("line {line} is not valid UTF-8"))
    })
}

/// Why a file cannot be read.
struct FileReadError {
    why: String,
    help: Option<&'static str>,
}

impl FileReadError {
    fn map_error(read: io::Result<String>) -> Result<String, Self> {
        read.map_err(|error| Self::from(&error))
    }

    fn special_file() -> Self {
        let why = "not a regular file".to_owned();
        Self { why, help: Some("name a regular file, not a pipe, socket or device") }
    }

    fn into_cli_error(self, path: &Path) -> CliError {
        let error = CliError::usage(format!("cannot read `{}`: {}", path.display(), self.why));
        match self.help {
            Some(help) => error.with_help(help),
            None => error,
        }
    }
}

impl From<&io::Error> for FileReadError {
    fn from(error: &io::Error) -> Self {
        let missing = error.kind() == io::ErrorKind::NotFound;
        let why =
            if missing { "no such file or folder".to_owned() } else { io_error_reason(error) };
        let help = HELP_TO_READ.iter().find(|(kind, _)| *kind == error.kind());
        Self { why, help: help.map(|(_, help)| *help) }
    }
}

const HELP_TO_READ: &[(io::ErrorKind, &str)] = &[
    (io::ErrorKind::NotFound, "check the spelling and the current folder"),
    (io::ErrorKind::IsADirectory, "name a file in the folder"),
    (io::ErrorKind::PermissionDenied, "check its permissions"),
    (io::ErrorKind::Other, "check the content of the file"),
];

/// The sources of a run: the files named on the command line, and on demand those they use.
#[derive(Debug, Default)]
pub(crate) struct DiskSources {
    entries: Vec<String>,
    texts: BTreeMap<String, String>,
}

impl DiskSources {
    /// Reads the files named on the command line; unreadable ones are left out.
    pub(crate) fn read(names: &[String]) -> (Self, Vec<CliError>) {
        let mut sources = Self::default();
        let mut errors = Vec::new();
        for name in names {
            match read(name) {
                Ok(text) => {
                    sources.entries.push(name.clone());
                    sources.texts.insert(name.clone(), text);
                }
                Err(error) => errors.push(error),
            }
        }
        (sources, errors)
    }

    /// The files that were read, in order.
    pub(crate) fn entries(&self) -> &[String] {
        &self.entries
    }
}

impl gainsay::SourceReader for DiskSources {
    fn read(&self, path: &str) -> Result<String, gainsay::SourceReadError> {
        match self.texts.get(path) {
            Some(text) => Ok(text.clone()),
            None => {
                try_read(path).map_err(|unreadable| gainsay::SourceReadError(unreadable.why))
            }
        }
    }

    fn siblings(&self, path: &str) -> Vec<String> {
        let folder = Path::new(path).parent().filter(|it| !it.as_os_str().is_empty());
        let Ok(entries) = fs::read_dir(folder.unwrap_or(Path::new("."))) else {
            return Vec::new();
        };
        let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
        let mut names: Vec<String> = paths
            .filter(|path| is_source(path))
            .filter_map(|path| path.file_stem()?.to_str().map(str::to_owned))
            .collect();
        names.sort();
        names
    }
}

/// Replaces the text of a file atomically: readers see the old text or the new one, and a failure
/// leaves the old one. Permissions are kept.
pub(crate) fn replace(path: &str, text: &str) -> Result<(), CliError> {
    try_replace(Path::new(path), text).map_err(|error| {
        CliError::usage(format!("cannot write `{path}`: {}", io_error_reason(&error)))
            .with_help(
                "check the permissions of the file and its folder; the file is unchanged",
            )
    })
}

fn try_replace(path: &Path, text: &str) -> io::Result<()> {
    // Replace the target of a link, not the link.
    let path = fs::canonicalize(path)?;
    let permissions = fs::metadata(&path)?.permissions();
    if permissions.readonly() {
        return Err(io::Error::other("the file is read-only"));
    }
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", std::process::id()));
    let scratch = path.with_file_name(name);
    // `create_new` fails rather than overwrites if another process uses the same temporary name.
    let mut file = OpenOptions::new().write(true).create_new(true).open(&scratch)?;
    // The data reaches the disk before the name does: a crash in between must not leave an empty
    // file under the old name.
    let written = file
        .write_all(text.as_bytes())
        .and_then(|()| file.set_permissions(permissions))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&scratch, &path));
    if written.is_err() {
        let _ = fs::remove_file(&scratch);
    }
    written
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{display_path, find_sources, read, replace};

    #[test]
    fn folders_stand_for_the_sources_below_them() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for name in ["b", "a/target", "a/.git", "target"] {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        let files = [
            "z.say",
            "a/x.say",
            "a/target/no.say",
            "a/.git/no.say",
            "b/y.say",
            "b/n.txt",
            ".no.say",
        ];
        for name in files {
            fs::write(root.join(name), "").unwrap();
        }
        let found = find_sources(&[root.to_owned(), root.join("z.say")]);
        let prefix = format!("{}/", root.to_str().unwrap());
        let names: Vec<&str> =
            found.files.iter().map(|it| it.strip_prefix(&prefix).unwrap()).collect();
        assert_eq!(names, ["a/x.say", "b/y.say", "z.say"]);
        assert_eq!(found.errors, []);
        let wrong = find_sources(&[root.join("none.say"), root.join("b/n.txt")]);
        assert_eq!(wrong.errors.len(), 2);
        assert!(wrong.errors[0].message.ends_with("no such file or folder"));
    }

    #[test]
    fn names_are_shown_without_a_leading_dot() {
        assert_eq!(display_path(Path::new("./a/./b.say")), Some("a/b.say".to_owned()));
        assert_eq!(display_path(Path::new("../b.say")), Some("../b.say".to_owned()));
    }

    #[test]
    fn replacing_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.say").to_str().unwrap().to_owned();
        fs::write(&path, "old").unwrap();
        replace(&path, "new").unwrap();
        assert_eq!(read(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert!(replace(&path, "newer").unwrap_err().message.contains("read-only"));
        assert_eq!(read(&path).unwrap(), "new");
    }

    #[test]
    fn broken_text_is_reported_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.say").to_str().unwrap().to_owned();
        fs::write(&path, b"fine\nbroken \xff").unwrap();
        assert!(read(&path).unwrap_err().message.contains("line 2"));
        let folder = folder.path().to_str().unwrap();
        assert!(read(folder).unwrap_err().message.contains("is a folder"));
    }
}

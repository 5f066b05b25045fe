//! Errors without a source location: a missing file, a wrong argument, an error in the
//! configuration.

use std::io;
use std::ops::Range;

use gainsay::source::SourceFile;

use crate::exit::Exit;

/// An error of the command, with hints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CliError {
    /// The exit status it leads to.
    pub(crate) exit: Exit,
    /// The fact: one line, lower case, no full stop.
    pub(crate) message: String,
    /// The location in a configuration file, if the error is there.
    pub(crate) location: Option<TextLocation>,
    /// What the user can do, each beginning with a verb.
    pub(crate) help: Vec<String>,
}

/// A range within one line of a text that is not a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextLocation {
    /// The file.
    pub(crate) file: String,
    /// The line, from 1.
    pub(crate) line: u32,
    /// The column, from 1, in characters.
    pub(crate) column: u32,
    /// Its length in characters; at least one.
    pub(crate) width: u32,
    /// The whole line.
    pub(crate) text: String,
}

impl TextLocation {
    /// The location of a byte range.
    pub(crate) fn new(file: &str, text: &str, range: Range<usize>) -> Self {
        let start = range.start.min(text.len()) as u32;
        let end = (range.end.min(text.len()) as u32).max(start);
        let source = SourceFile::new(file, text);
        let (from, to) = (source.position(start), source.position(end));
        let line = source.line(from.line).to_owned();
        let width = if to.line == from.line {
            to.column - from.column
        } else {
            (line.chars().count() as u32 + 1).saturating_sub(from.column)
        };
        Self {
            file: file.to_owned(),
            line: from.line,
            column: from.column,
            width: width.max(1),
            text: line,
        }
    }
}

impl CliError {
    /// An error that leads to an exit status.
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), location: None, help: Vec::new() }
    }

    /// The command line or a file it names is unusable.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// There is nothing to do.
    pub(crate) fn nothing_to_run(message: impl Into<String>) -> Self {
        Self::new(Exit::NothingToRun, message)
    }

    /// Sets the location.
    #[must_use]
    pub(crate) fn with_location(mut self, place: TextLocation) -> Self {
        self.location = Some(place);
        self
    }

    /// Adds a hint.
    #[must_use]
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Adds a "did you mean" suggestion, if there is a close name.
    #[must_use]
    pub(crate) fn with_suggestion(self, name: Option<&str>) -> Self {
        match name {
            Some(name) => self.with_help(format!("did you mean `{name}`?")),
            None => self,
        }
    }
}

/// Why the operating system refused, in words that are the same on every platform.
pub(crate) fn io_error_reason(error: &io::Error) -> String {
    if let Some((_, text)) = REASONS.iter().find(|(kind, _)| *kind == error.kind()) {
        return (*text).to_owned();
    }
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let text = text.trim().trim_end_matches('.');
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => "unknown reason".to_owned(),
    }
}

const REASONS: &[(io::ErrorKind, &str)] = &[
    (io::ErrorKind::NotFound, "no such file or folder"),
    (io::ErrorKind::PermissionDenied, "permission denied"),
    (io::ErrorKind::AlreadyExists, "already exists"),
    (io::ErrorKind::IsADirectory, "is a folder"),
    (io::ErrorKind::NotADirectory, "not a folder"),
    (io::ErrorKind::DirectoryNotEmpty, "the folder is not empty"),
    (io::ErrorKind::ReadOnlyFilesystem, "the file system is read-only"),
    (io::ErrorKind::StorageFull, "no space left on the device"),
    (io::ErrorKind::QuotaExceeded, "disk quota exceeded"),
    (io::ErrorKind::FileTooLarge, "the file is too large"),
    (io::ErrorKind::InvalidFilename, "invalid file name"),
    (io::ErrorKind::InvalidInput, "invalid name"),
    (io::ErrorKind::BrokenPipe, "connection closed by peer"),
    (io::ErrorKind::UnexpectedEof, "connection closed unexpectedly"),
    (io::ErrorKind::ConnectionRefused, "connection refused"),
    (io::ErrorKind::ConnectionReset, "connection reset by peer"),
    (io::ErrorKind::ConnectionAborted, "connection aborted"),
    (io::ErrorKind::NotConnected, "not connected"),
    (io::ErrorKind::AddrInUse, "address already in use"),
    (io::ErrorKind::AddrNotAvailable, "address not available"),
    (io::ErrorKind::HostUnreachable, "host unreachable"),
    (io::ErrorKind::NetworkUnreachable, "network unreachable"),
    (io::ErrorKind::NetworkDown, "network is down"),
    (io::ErrorKind::TimedOut, "timed out"),
    (io::ErrorKind::WouldBlock, "timed out"),
    (io::ErrorKind::OutOfMemory, "out of memory"),
];

#[cfg(test)]
mod tests {
    use std::io;

    use super::io_error_reason;

    #[test]
    fn reasons_do_not_show_numbers_of_the_operating_system() {
        assert_eq!(io_error_reason(&io::Error::from_raw_os_error(2)), "no such file or folder");
        let odd = io::Error::other("Something odd (os error 99).");
        assert_eq!(io_error_reason(&odd), "something odd");
    }
}

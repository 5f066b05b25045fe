//! Failures without a place in a source text: a missing file, a wrong argument.

use std::io;

use crate::exit::Exit;

/// What is the matter, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trouble {
    /// How the process ends because of it.
    pub(crate) exit: Exit,
    /// The fact: one line, lower case, no full stop.
    pub(crate) message: String,
    /// What the user can do, each beginning with a verb.
    pub(crate) help: Vec<String>,
}

impl Trouble {
    /// The command line or a file it names is not usable.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { exit: Exit::Usage, message: message.into(), help: Vec::new() }
    }

    /// There is nothing to do.
    pub(crate) fn nothing_to_run(message: impl Into<String>) -> Self {
        Self { exit: Exit::NothingToRun, message: message.into(), help: Vec::new() }
    }

    /// Adds what the user can do.
    #[must_use]
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Adds "did you mean", if there is a close name.
    #[must_use]
    pub(crate) fn with_suggestion(self, name: Option<&str>) -> Self {
        match name {
            Some(name) => self.with_help(format!("write `{name}`, which is close")),
            None => self,
        }
    }
}

/// Why the operating system refused, in words that are the same on every platform.
pub(crate) fn reason(error: &io::Error) -> String {
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
    (io::ErrorKind::NotFound, "no such file or directory"),
    (io::ErrorKind::PermissionDenied, "permission denied"),
    (io::ErrorKind::AlreadyExists, "it exists already"),
    (io::ErrorKind::IsADirectory, "it is a directory"),
    (io::ErrorKind::NotADirectory, "it is not a directory"),
    (io::ErrorKind::DirectoryNotEmpty, "the directory is not empty"),
    (io::ErrorKind::ReadOnlyFilesystem, "the file system is read-only"),
    (io::ErrorKind::StorageFull, "no space left on the disk"),
    (io::ErrorKind::QuotaExceeded, "the disk quota is used up"),
    (io::ErrorKind::FileTooLarge, "the file is too large"),
    (io::ErrorKind::InvalidFilename, "this is not a valid file name"),
    (io::ErrorKind::InvalidInput, "this is not a valid name"),
    (io::ErrorKind::BrokenPipe, "the other side has closed"),
    (io::ErrorKind::UnexpectedEof, "the other side has closed too early"),
    (io::ErrorKind::ConnectionRefused, "connection refused"),
    (io::ErrorKind::ConnectionReset, "connection reset by the other side"),
    (io::ErrorKind::ConnectionAborted, "connection aborted"),
    (io::ErrorKind::NotConnected, "not connected"),
    (io::ErrorKind::AddrInUse, "the address is in use"),
    (io::ErrorKind::AddrNotAvailable, "the address is not available"),
    (io::ErrorKind::HostUnreachable, "the host cannot be reached"),
    (io::ErrorKind::NetworkUnreachable, "the network cannot be reached"),
    (io::ErrorKind::NetworkDown, "the network is down"),
    (io::ErrorKind::TimedOut, "timed out"),
    (io::ErrorKind::WouldBlock, "timed out"),
    (io::ErrorKind::OutOfMemory, "out of memory"),
];

#[cfg(test)]
mod tests {
    use std::io;

    use super::reason;

    #[test]
    fn reasons_do_not_show_numbers_of_the_operating_system() {
        assert_eq!(reason(&io::Error::from_raw_os_error(2)), "no such file or directory");
        let odd = io::Error::other("Something odd (os error 99).");
        assert_eq!(reason(&odd), "something odd");
    }
}

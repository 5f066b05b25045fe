//! The standard streams: fast to write to, and honest about what becomes of them.
//!
//! There is one output per process, and it must be flushed by whoever ends the process: the
//! command, the handler of Ctrl-C or a panic. So its buffer is the process's, not an object's.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError, TryLockError};

use crate::cli_error::io_error_reason;

/// Why nothing more can be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OutputError {
    /// Whoever read the output has gone, as in `gainsay check | head`.
    Closed,
    /// The output refused, for this reason.
    Failed(String),
}

/// Text is kept back up to this many bytes.
const BUFFER_SIZE: usize = 64 * 1024;

static OUTPUT: Mutex<Output> = Mutex::new(Output { buffer: Vec::new(), error: None });

/// Whether a person watches the output; asking anew for every line would be slow.
static STDOUT_IS_TERMINAL: LazyLock<bool> = LazyLock::new(|| io::stdout().is_terminal());

struct Output {
    buffer: Vec<u8>,
    error: Option<OutputError>,
}

impl Output {
    fn write(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BUFFER_SIZE { self.flush() } else { self.status() }
    }

    fn flush(&mut self) -> Result<(), OutputError> {
        if !self.buffer.is_empty() && self.error.is_none() {
            let mut stream = io::stdout().lock();
            let written = stream.write_all(&self.buffer).and_then(|()| stream.flush());
            self.error = written.err().map(|error| {
                let closed = error.kind() == io::ErrorKind::BrokenPipe;
                if closed {
                    OutputError::Closed
                } else {
                    OutputError::Failed(io_error_reason(&error))
                }
            });
        }
        self.buffer.clear();
        self.status()
    }

    fn status(&self) -> Result<(), OutputError> {
        self.error.clone().map_or(Ok(()), Err)
    }
}

fn output() -> MutexGuard<'static, Output> {
    // A panic while writing leaves at worst a line half kept back.
    OUTPUT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes to the output, or keeps the bytes back until there are enough of them.
pub(crate) fn write(bytes: &[u8]) -> Result<(), OutputError> {
    output().write(bytes)
}

/// Writes a line to the output. On a terminal it appears at once.
pub(crate) fn write_line(line: &str) -> Result<(), OutputError> {
    let mut output = output();
    output.buffer.extend_from_slice(line.as_bytes());
    output.write(b"\n")?;
    if *STDOUT_IS_TERMINAL { output.flush() } else { Ok(()) }
}

/// Sends on what was kept back.
pub(crate) fn flush() -> Result<(), OutputError> {
    output().flush()
}

/// Sends on what was kept back unless another thread is in the middle of writing.
pub(crate) fn flush_if_unlocked() {
    match OUTPUT.try_lock() {
        Ok(mut output) => drop(output.flush()),
        Err(TryLockError::Poisoned(poisoned)) => drop(poisoned.into_inner().flush()),
        Err(TryLockError::WouldBlock) => {}
    }
}

/// Writes to the error stream, after the output so far. Nobody is left to tell if it fails.
pub(crate) fn write_stderr(text: &str) {
    let _ = flush();
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Like [`write_stderr`], for when the thread that writes the output may be the one in trouble.
pub(crate) fn write_stderr_if_unlocked(text: &str) {
    flush_if_unlocked();
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

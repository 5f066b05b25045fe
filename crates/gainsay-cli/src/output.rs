//! Buffered stdout and stderr, with error tracking.
//!
//! There is one stdout per process, and whatever ends the process must flush it: the command, the
//! Ctrl-C handler or a panic. So the buffer is a static, not a field of some object.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError, TryLockError};

use crate::cli_error::io_error_reason;

/// Why output failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OutputError {
    /// The reader is gone, as in `gainsay check | head`.
    Closed,
    /// Writing failed, with the reason.
    Failed(String),
}

/// The buffer size in bytes.
const BUFFER_SIZE: usize = 64 * 1024;

static OUTPUT: Mutex<Output> = Mutex::new(Output { buffer: Vec::new(), error: None });

/// Whether stdout is a terminal. Cached, because a query per line would be slow.
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
        // After the first error everything is discarded: writing on would leave a gap.
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
    // A panic while writing leaves at most a partial line in the buffer.
    OUTPUT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes to stdout, or to the buffer until it is full.
pub(crate) fn write(bytes: &[u8]) -> Result<(), OutputError> {
    output().write(bytes)
}

/// Writes a line to stdout. On a terminal it appears at once.
pub(crate) fn write_line(line: &str) -> Result<(), OutputError> {
    let mut output = output();
    output.buffer.extend_from_slice(line.as_bytes());
    output.write(b"\n")?;
    if *STDOUT_IS_TERMINAL { output.flush() } else { Ok(()) }
}

/// Flushes the buffer.
pub(crate) fn flush() -> Result<(), OutputError> {
    output().flush()
}

/// Flushes the buffer unless another thread is writing.
pub(crate) fn flush_if_unlocked() {
    match OUTPUT.try_lock() {
        Ok(mut output) => drop(output.flush()),
        Err(TryLockError::Poisoned(poisoned)) => drop(poisoned.into_inner().flush()),
        Err(TryLockError::WouldBlock) => {}
    }
}

/// Writes to stderr, after flushing stdout. Errors are ignored: there is nowhere to report them.
pub(crate) fn write_stderr(text: &str) {
    // In this order on a terminal: what was printed first must appear first.
    let _ = flush();
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Like [`write_stderr`], but does not wait if another thread, perhaps a blocked one, is writing.
pub(crate) fn write_stderr_if_unlocked(text: &str) {
    flush_if_unlocked();
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

//! Writes the recording of a run. The file is written under a temporary name during the run, and
//! moved to its destination at the end, however the run ends.
//!
//! There is one run per process, and whatever ends the process may end it: the command, or the
//! Ctrl-C handler. So the writer is a static, not a field of some object.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use super::{RecordedEffect, RecordedEnd, RecordedLimits, VERSION, is_recording};
use crate::cli_error::{CliError, io_error_reason};

static WRITER: Mutex<Option<RecordingWriter>> = Mutex::new(None);

struct RecordingWriter {
    path: PathBuf,
    temporary: PathBuf,
    file: BufWriter<File>,
    n_effects: u64,
    /// The first write error; nothing is written after it.
    failure: Option<io::Error>,
}

/// The header before the effects.
#[derive(Debug, Copy, Clone, Serialize)]
pub(crate) struct RecordingStart<'a> {
    gainsay_recording: u64,
    program: &'a str,
    entry: &'static str,
    limits: RecordedLimits,
}

impl<'a> RecordingStart<'a> {
    /// The header for a run of the `main` of a file.
    pub(crate) fn new(program: &'a str, limits: RecordedLimits) -> Self {
        Self { gainsay_recording: VERSION, program, entry: "main", limits }
    }
}

fn writer() -> MutexGuard<'static, Option<RecordingWriter>> {
    // A panic while writing leaves a temporary file that never gets its final name.
    WRITER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts recording to a file. An existing file must be a recording: nothing else is overwritten.
pub(crate) fn begin(path: &Path, start: RecordingStart<'_>) -> Result<(), CliError> {
    let taken = match fs::read(path) {
        Ok(bytes) => !str::from_utf8(&bytes).is_ok_and(is_recording),
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(write_error(path, &error)),
    };
    if taken {
        let message = format!("`{}` already exists and is not a recording", path.display());
        return Err(CliError::usage(message).with_help("record to another file"));
    }
    let made = RecordingWriter::new(path, start).map_err(|error| write_error(path, &error))?;
    *writer() = Some(made);
    Ok(())
}

/// Appends an effect, if a recording is active.
pub(super) fn append(effect: &RecordedEffect) {
    if let Some(tape) = &mut *writer() {
        tape.append(effect);
    }
}

/// Completes the recording and moves it to its destination, if one is active.
pub(crate) fn finish(end: &RecordedEnd) -> Result<(), CliError> {
    match writer().take() {
        None => Ok(()),
        Some(tape) => {
            let path = tape.path.clone();
            tape.finish(end).map_err(|error| write_error(&path, &error))
        }
    }
}

/// Completes the recording of a run that is being interrupted.
pub(crate) fn finish_interrupted() {
    // There is nobody to report an error to.
    let _ = finish(&RecordedEnd::Interrupted);
}

fn write_error(path: &Path, error: &io::Error) -> CliError {
    let missing = error.kind() == io::ErrorKind::NotFound;
    let why =
        if missing { "the folder does not exist".to_owned() } else { io_error_reason(error) };
    CliError::usage(format!("cannot record to `{}`: {why}", path.display()))
        .with_help("check the folder and its permissions; the run is not recorded")
}

impl RecordingWriter {
    fn new(path: &Path, start: RecordingStart<'_>) -> io::Result<Self> {
        let mut name = OsString::from(".");
        name.push(path.file_name().ok_or(io::ErrorKind::IsADirectory)?);
        // In the same folder, since a rename to another file system would not be atomic.
        name.push(format!(".{}.tmp", std::process::id()));
        let scratch = path.with_file_name(name);
        let file = OpenOptions::new().write(true).create(true).truncate(true).open(&scratch)?;
        let mut file = BufWriter::new(file);
        let start = serde_json::to_string(&start)?;
        // The header is an object whose closing brace is written at the end, so that effects can be
        // streamed into it.
        let start = start.strip_suffix('}').unwrap_or(&start);
        let written = write!(file, "{start},\"effects\":[");
        let path = path.to_owned();
        Ok(Self { path, temporary: scratch, file, n_effects: 0, failure: written.err() })
    }

    fn append(&mut self, effect: &RecordedEffect) {
        let separator = if self.n_effects == 0 { "\n" } else { ",\n" };
        self.n_effects += 1;
        self.write(separator, effect);
    }

    fn write(&mut self, before: &str, what: &impl Serialize) {
        if self.failure.is_some() {
            return;
        }
        let text = serde_json::to_string(what).map_err(io::Error::from);
        let written = text.and_then(|text| write!(self.file, "{before}{text}"));
        self.failure = written.err();
    }

    fn finish(mut self, end: &RecordedEnd) -> io::Result<()> {
        self.write("\n],\"ended\":", end);
        let closed = match self.failure.take() {
            Some(failure) => Err(failure),
            None => self.file.write_all(b"}\n").and_then(|()| self.file.flush()),
        };
        let placed = closed
            // Synced before the rename: otherwise a crash could leave a partial file at the
            // destination.
            .and_then(|()| self.file.get_ref().sync_all())
            .and_then(|()| fs::rename(&self.temporary, &self.path));
        if placed.is_err() {
            let _ = fs::remove_file(&self.temporary);
        }
        placed
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::{
        EffectCoordinates, RecordedEffect, RecordedEnd, RecordedLimits, RecordedOutcome, parse,
    };
    use super::{RecordingStart, append, begin, finish, finish_interrupted};

    /// A single test, because there is a single writer per process.
    #[test]
    fn a_recording_is_whole_or_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.json");
        let at =
            EffectCoordinates { op: "Random.int".to_owned(), path: "0.1".to_owned(), n: 3 };
        let effect = RecordedEffect {
            at,
            dimension: "generative".to_owned(),
            args: vec!["\"\\n\"".to_owned()],
            outcome: RecordedOutcome::Answer("4".to_owned()),
        };
        let start = RecordingStart::new(
            "a.say",
            RecordedLimits { steps: Some(5), ..RecordedLimits::default() },
        );
        begin(&path, start).unwrap();
        append(&effect);
        append(&effect);
        assert!(!path.exists());
        finish_interrupted();
        // Two effects with the same coordinates are rejected, which shows that both are in the
        // file.
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 4);
        assert!(parse(&text).is_err());
        begin(&path, start).unwrap();
        append(&effect);
        finish(&RecordedEnd::Value("()".to_owned())).unwrap();
        let recording = parse(&fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(recording.effects, std::slice::from_ref(&effect));
        assert_eq!(recording.limits.steps, Some(5));
        assert_eq!(recording.ended, RecordedEnd::Value("()".to_owned()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // Nothing is recorded after the end.
        append(&effect);
        finish(&RecordedEnd::Interrupted).unwrap();
        assert_eq!(parse(&fs::read_to_string(&path).unwrap()).unwrap(), recording);
        let other = folder.path().join("a.txt");
        fs::write(&other, "{}").unwrap();
        assert!(begin(&other, start).unwrap_err().message.contains("not a recording"));
        let lost = folder.path().join("no/run.json");
        assert!(begin(&lost, start).unwrap_err().message.contains("folder"));
        assert!(begin(folder.path(), start).is_err());
    }
}

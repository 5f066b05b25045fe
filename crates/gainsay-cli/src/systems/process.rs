//! An adapter: a child process that answers requests on its standard output.
//!
//! Three threads serve the pipes, so that a process that neither reads nor writes, or that floods
//! its error stream, cannot block the run. The process has a group of its own, which is killed as a
//! whole: no process outlives the run.

use std::collections::VecDeque;
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use gainsay::vm::Refusal;
use rustix::process::{Pid, Signal, kill_process_group};

use super::AdapterSettings;
use super::protocol::{self, AdapterAnswer, Message};
use crate::cli_error::io_error_reason;

/// The longest line that is read.
const MAX_LINE: u64 = 64 << 20;
/// How many lines are read ahead. A process that floods its output has to wait.
const MAX_WAITING_LINES: usize = 256;
/// How much of the end of the error stream is shown with a failure, in bytes and lines.
const ERROR_TAIL: usize = 4 << 10;
const MAX_ERROR_LINES: usize = 8;
/// How often a wait looks for Ctrl-C.
const WAIT_STEP: Duration = Duration::from_millis(50);
/// How long a process that closed its output may take to end.
const END_TIMEOUT: Duration = Duration::from_millis(500);

/// What a request is for, which decides what the end of the process means.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum AskedFor {
    /// To begin, or to start over: ending here says nothing about the system.
    SetUp,
    /// An operation of the system.
    Operation,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AdapterFailure {
    /// Nothing is known about the system; a sentence, and lines that explain it.
    Adapter(String),
    /// The process ended while it performed an operation; how, and what it wrote last.
    Crashed(String),
    /// The user stopped the run.
    Interrupted,
}

impl From<AdapterFailure> for Refusal {
    fn from(it: AdapterFailure) -> Self {
        match it {
            AdapterFailure::Adapter(why) => Self::AdapterFailed(why),
            AdapterFailure::Crashed(how) => Self::SystemCrashed(how),
            AdapterFailure::Interrupted => Self::Interrupted,
        }
    }
}

/// A running adapter.
pub(super) struct AdapterProcess {
    name: String,
    child: Child,
    requests: Option<Sender<String>>,
    lines: Option<Receiver<io::Result<String>>>,
    error_tail: Arc<Mutex<VecDeque<u8>>>,
    threads: Vec<JoinHandle<()>>,
    settings: AdapterSettings,
    next_id: u64,
}

impl AdapterProcess {
    /// Starts a process.
    pub(super) fn start(
        command: &[String],
        settings: &AdapterSettings,
    ) -> Result<Self, AdapterFailure> {
        let name = super::command_text(command);
        let spawned = Command::new(&command[0])
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn();
        let mut child = spawned.map_err(|error| {
            let why = io_error_reason(&error);
            AdapterFailure::Adapter(format!("cannot start the adapter `{name}`: {why}"))
        })?;
        let (requests, waiting) = mpsc::channel();
        let (sent, lines) = mpsc::sync_channel(MAX_WAITING_LINES);
        let error_tail = Arc::new(Mutex::new(VecDeque::new()));
        let (input, output, errors) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let tail = Arc::clone(&error_tail);
        let threads = vec![
            thread::spawn(move || write_requests(input, &waiting)),
            thread::spawn(move || read_lines(output, &sent)),
            thread::spawn(move || keep_tail(errors, &tail)),
        ];
        let settings = settings.clone();
        let (requests, lines) = (Some(requests), Some(lines));
        Ok(Self { name, child, requests, lines, error_tail, threads, settings, next_id: 0 })
    }

    /// Sends a request, and waits for the answer.
    pub(super) fn ask(
        &mut self,
        op: &str,
        args: &str,
        asked_for: AskedFor,
    ) -> Result<AdapterAnswer, AdapterFailure> {
        let id = self.next_id;
        self.next_id += 1;
        if let Some(requests) = &self.requests {
            // If the process has ended, waiting for its answer says how.
            let _ = requests.send(protocol::request(id, op, args));
        }
        loop {
            let line = match self.wait_for_line(op)? {
                Some(Ok(line)) => line,
                Some(Err(error)) => {
                    let why = io_error_reason(&error);
                    return Err(self.adapter(format!("cannot read from the adapter: {why}")));
                }
                None => return Err(self.ended(op, asked_for)),
            };
            match protocol::message(line.trim_end()) {
                Ok(Message::Answer(answered, answer)) if answered == id => return Ok(answer),
                Ok(Message::Answer(other, _)) => {
                    let what = format!("the adapter answered request {other} instead of {id}");
                    return Err(self.adapter(what));
                }
                Ok(Message::Event) => {}
                Err(what) => return Err(self.adapter(format!("the adapter {what}"))),
            }
        }
    }

    /// The next line; `None` at the end of the output.
    fn wait_for_line(&self, op: &str) -> Result<Option<io::Result<String>>, AdapterFailure> {
        let mut waited = Duration::ZERO;
        loop {
            let Some(lines) = &self.lines else { return Ok(None) };
            match lines.recv_timeout(WAIT_STEP) {
                Ok(line) => return Ok(Some(line)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => waited += WAIT_STEP,
            }
            if self.settings.interrupt.load(Ordering::Relaxed) {
                return Err(AdapterFailure::Interrupted);
            }
            if waited >= self.settings.silence {
                let seconds = self.settings.silence.as_secs_f64();
                let what = format!("the adapter did not answer `{op}` for {seconds} s");
                return Err(self.adapter(what));
            }
        }
    }

    /// A failure of the adapter, with what it wrote to its error stream.
    fn adapter(&self, message: String) -> AdapterFailure {
        let mut lines = vec![message, format!("adapter: `{}`", self.name)];
        lines.extend(self.error_lines());
        AdapterFailure::Adapter(lines.join("\n"))
    }

    fn ended(&mut self, op: &str, asked_for: AskedFor) -> AdapterFailure {
        let how = self.how_it_ended();
        // The rest of what it wrote arrives with the end of the stream.
        self.join_threads();
        match asked_for {
            AskedFor::SetUp => self.adapter(format!("the adapter {how} during `{op}`")),
            AskedFor::Operation => {
                let mut lines = vec![format!("the adapter {how}")];
                lines.extend(self.error_lines());
                AdapterFailure::Crashed(lines.join("\n"))
            }
        }
    }

    fn how_it_ended(&mut self) -> String {
        let mut waited = Duration::ZERO;
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return describe(status);
            }
            if waited >= END_TIMEOUT {
                self.kill();
                return "closed its standard output".to_owned();
            }
            thread::sleep(Duration::from_millis(5));
            waited += Duration::from_millis(5);
        }
    }

    fn error_lines(&self) -> Vec<String> {
        let tail = self.error_tail.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = tail.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().filter(|it| !it.trim().is_empty()).collect();
        let skipped = lines.len().saturating_sub(MAX_ERROR_LINES);
        lines[skipped..].iter().map(|it| format!("standard error: {}", it.trim_end())).collect()
    }

    fn kill(&mut self) {
        if let Some(group) = Pid::from_raw(self.child.id() as i32) {
            // It fails only if no process of the group is left.
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.kill();
    }

    fn join_threads(&mut self) {
        // Without the other end of their channels the threads stop waiting.
        self.requests = None;
        self.lines = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl Drop for AdapterProcess {
    fn drop(&mut self) {
        // The end of its input is the polite way to ask; the group is killed in any case.
        self.requests = None;
        self.kill();
        let _ = self.child.wait();
        self.join_threads();
    }
}

fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exited with status {code}"),
        (None, Some(signal)) => format!("was killed by signal {signal}"),
        (None, None) => "ended".to_owned(),
    }
}

fn write_requests(input: Option<ChildStdin>, waiting: &Receiver<String>) {
    let Some(mut input) = input else { return };
    while let Ok(request) = waiting.recv() {
        // A closed pipe means that the process is ending, which the reader notices.
        if input.write_all(request.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(output: Option<impl Read>, sent: &SyncSender<io::Result<String>>) {
    let Some(output) = output else { return };
    let mut reader = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
        let message = match read {
            Ok(0) => return,
            Ok(_) if line.len() as u64 == MAX_LINE && line.last() != Some(&b'\n') => {
                let why = format!("a line is longer than {} MiB", MAX_LINE >> 20);
                Err(io::Error::new(io::ErrorKind::InvalidData, why))
            }
            Ok(_) if line.iter().all(u8::is_ascii_whitespace) => continue,
            Ok(_) => String::from_utf8(line).map_err(|_| {
                io::Error::new(io::ErrorKind::InvalidData, "a line is not valid UTF-8")
            }),
            Err(error) => Err(error),
        };
        let is_end = message.is_err();
        if sent.send(message).is_err() || is_end {
            return;
        }
    }
}

/// Reads the error stream to its end, and keeps only the last part.
fn keep_tail(errors: Option<impl Read>, tail: &Mutex<VecDeque<u8>>) {
    let Some(mut errors) = errors else { return };
    let mut buffer = [0; 1 << 10];
    while let Ok(n @ 1..) = errors.read(&mut buffer) {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend(&buffer[..n]);
        let excess = tail.len().saturating_sub(ERROR_TAIL);
        tail.drain(..excess);
    }
}

//! The real `gainsay` command: built once, run under time and memory limits.

use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// The resources a run may use before it is killed.
#[derive(Debug, Copy, Clone)]
pub struct CommandBudget {
    /// The time limit.
    pub time: Duration,
    /// The memory limit in bytes.
    pub memory: u64,
}

impl Default for CommandBudget {
    fn default() -> Self {
        Self { time: Duration::from_secs(60), memory: 4 << 30 }
    }
}

/// The output and end of a run.
#[derive(Debug, Clone)]
pub struct CommandRun {
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
    /// How it ended.
    pub end: CommandEnd,
    /// The peak memory in bytes; 0 where the system does not report it.
    pub peak_memory: u64,
}

/// How a run ended.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum CommandEnd {
    /// With an exit code.
    Code(i32),
    /// By a signal: it crashed.
    Crashed,
    /// Killed: it took too long.
    TooSlow,
    /// Killed: it used too much memory.
    TooBig,
}

impl std::fmt::Display for CommandEnd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Code(code) => write!(f, "{code}"),
            Self::Crashed => write!(f, "crashed"),
            Self::TooSlow => write!(f, "took too long"),
            Self::TooBig => write!(f, "held too much memory"),
        }
    }
}

/// The folder of the `gainsay` command, which is built first if necessary.
pub fn command_folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| build().expect("`cargo build --package gainsay-cli` succeeds"))
}

/// Builds the command beside the running test, in the same profile.
fn build() -> io::Result<PathBuf> {
    // A test runs as `<target>/<profile>/deps/<name>`, a tool as `<target>/<profile>/<name>`.
    let this = env::current_exe()?;
    let folder = this.parent().unwrap_or(Path::new("."));
    let profile_folder = if folder.file_name() == Some(OsStr::new("deps")) {
        folder.parent().unwrap_or(folder)
    } else {
        folder
    };
    let is_release = profile_folder.file_name() == Some(OsStr::new("release"));
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--package", "gainsay-cli", "--bin", "gainsay"])
        .args(["--profile", if is_release { "release" } else { "dev" }])
        .arg("--target-dir")
        .arg(profile_folder.parent().unwrap_or(profile_folder))
        .current_dir(crate::root())
        .status()?;
    if status.success() {
        Ok(profile_folder.to_path_buf())
    } else {
        Err(io::Error::other("the command does not build"))
    }
}

/// `gainsay` with arguments, in a folder and independent of this machine's settings.
pub fn gainsay<S: AsRef<OsStr>>(arguments: &[S], folder: &Path) -> Command {
    let mut command =
        Command::new(command_folder().join(format!("gainsay{}", env::consts::EXE_SUFFIX)));
    command.args(arguments);
    settle(&mut command, folder);
    command
}

/// A shell command line, with `gainsay` in the path.
pub fn shell(line: &str, folder: &Path) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(line);
    settle(&mut command, folder);
    command
}

fn settle(command: &mut Command, folder: &Path) {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders =
        std::iter::once(command_folder().to_path_buf()).chain(env::split_paths(&path));
    command
        .env_clear()
        .env("PATH", env::join_paths(folders).expect("no folder of the path holds a colon"))
        .env("HOME", folder)
        .env("LC_ALL", "C")
        .env("TZ", "UTC")
        .current_dir(folder);
}

/// Runs a command until it ends or exceeds its budget.
pub fn run(
    mut command: Command,
    stdin: &[u8],
    budget: CommandBudget,
) -> io::Result<CommandRun> {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().expect("standard input is piped");
    let output = child.stdout.take().expect("standard output is piped");
    let errors = child.stderr.take().expect("standard error is piped");
    thread::scope(|scope| {
        // A program that does not read its input closes the pipe: that is not an error.
        scope.spawn(move || drop(input.write_all(stdin)));
        let stdout = scope.spawn(move || read_all(output));
        let stderr = scope.spawn(move || read_all(errors));
        let (end, peak_memory) = watch(&mut child, budget)?;
        let stdout = stdout.join().expect("reading does not panic");
        let stderr = stderr.join().expect("reading does not panic");
        Ok(CommandRun { stdout, stderr, end, peak_memory })
    })
}

fn read_all(mut pipe: impl Read) -> String {
    let mut bytes = Vec::new();
    // Output read before an error is still worth showing.
    let _ = pipe.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Waits for a child, and kills it when it exceeds its budget.
#[expect(clippy::disallowed_methods, reason = "the budget is one of time")]
fn watch(child: &mut Child, budget: CommandBudget) -> io::Result<(CommandEnd, u64)> {
    let start = Instant::now();
    // Short at first, because most commands end within milliseconds; then backing off.
    let mut pause = Duration::from_micros(200);
    let mut peak_memory = 0;
    let end = loop {
        // Before `try_wait`: once the process is reaped, its status can no longer be read.
        peak_memory = peak_memory.max(memory_peak(child.id()));
        if let Some(status) = child.try_wait()? {
            break status.code().map_or(CommandEnd::Crashed, CommandEnd::Code);
        }
        let excess = if peak_memory > budget.memory {
            Some(CommandEnd::TooBig)
        } else {
            (start.elapsed() > budget.time).then_some(CommandEnd::TooSlow)
        };
        if let Some(end) = excess {
            child.kill()?;
            child.wait()?;
            break end;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    };
    Ok((end, peak_memory))
}

/// The peak memory of a process in bytes, where the system reports it.
pub fn memory_peak(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

//! End-to-end tests of the command: the real binary, in a temporary folder.
#![expect(clippy::unwrap_used, reason = "a test whose setting cannot be made has failed")]

mod address_space;
mod check;
mod explain;
mod fmt;
mod interrupts;
mod memory_limit;
mod network;
mod new;
#[cfg(target_os = "linux")]
mod resource_usage;
mod run;
mod scaling;
mod settings;
mod streams;
mod systems;
mod test;
mod usage;
mod verdicts;
mod world;

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A temporary folder in which the command runs.
struct CommandFolder {
    folder: TempDir,
}

/// The output and exit code of the command.
#[derive(Debug)]
struct CommandOutput {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl CommandFolder {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// A folder with one file.
    fn with(name: &str, text: &str) -> Self {
        let place = Self::new();
        place.write(name, text);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The command in this folder, independent of the settings of whoever runs the tests.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gainsay"));
        command.args(args).current_dir(self.folder.path()).stdin(Stdio::null());
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "http_proxy", "HTTP_PROXY", "ALL_PROXY"] {
            command.env_remove(name);
        }
        for (name, _) in env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("GAINSAY_") || text == "CI" || text == "GITHUB_ACTIONS" {
                command.env_remove(&name);
            }
        }
        command
    }

    fn gainsay(&self, args: &[&str]) -> CommandOutput {
        self.command(args).output().unwrap().into()
    }

    fn gainsay_fed(&self, args: &[&str], input: &[u8]) -> CommandOutput {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A program that reads nothing may have exited already.
        let _ = child.stdin.take().unwrap().write_all(input);
        child.wait_with_output().unwrap().into()
    }
}

impl From<Output> for CommandOutput {
    fn from(it: Output) -> Self {
        Self {
            code: it.status.code(),
            stdout: String::from_utf8(it.stdout).unwrap(),
            stderr: String::from_utf8(it.stderr).unwrap(),
        }
    }
}

impl CommandOutput {
    #[track_caller]
    fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    #[track_caller]
    fn prints(self, text: &str) -> Self {
        assert_eq!(self.stdout, text, "{self:#?}");
        self
    }

    #[track_caller]
    fn says(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "expected {text:?} in {self:#?}");
        self
    }

    #[track_caller]
    fn stays_silent(self) -> Self {
        assert_eq!(self.stderr, "", "{self:#?}");
        self
    }

    /// The JSON lines of a text.
    #[track_caller]
    fn records(text: &str) -> Vec<serde_json::Value> {
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for line in &lines {
            assert_eq!(line["schema"], 1, "{line}");
            assert!(line["type"].is_string(), "{line}");
        }
        lines
    }
}

/// A program without errors.
const FINE: &str = "fn twice(n: Int) -> Int {\n  n * 2\n}\n";

/// A program with a type error.
const WRONG: &str = "fn twice(n: Int) -> Int {\n  \"n\"\n}\n";

/// A program with a syntax error.
const BROKEN: &str = "fn twice(n: Int -> Int {\n";

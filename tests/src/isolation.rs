//! Claims are isolated from the real world: programs that would write, delete, connect, sleep and
//! print do none of it under test, hostile or not.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use gainsay_ui::{CommandBudget, CommandEnd, CommandRun, command_folder, gainsay, run};

/// A program that performs every effect; `PORT` is an open port.
const PROGRAM: &str = r#"
fn everything(name: Str) -> Bool ! [Disk.write_text, Disk.delete, Disk.make_dir, Disk.read_text, Http.get, Tcp.send, Time.now, Time.sleep, Random.int, Env.set, Args.get, Console.print, Console.error, Terminal.clear] {
  Console.print("printed by a claim")
  Console.error("printed by a claim")
  Env.set("GAINSAY_TOUCHED", "yes")
  Time.sleep(100_000)
  let written = Disk.write_text("touched.txt", "by a claim")
  let deleted = Disk.delete("precious.txt")
  let made = Disk.make_dir("touched")
  let read = Disk.read_text("secret.txt")
  let page = Http.get("http://127.0.0.1:PORT/")
  let sent = Tcp.send("127.0.0.1", PORT, "hello")
  let _ = (deleted, made, page, sent, Random.int(0, 9), Time.now(), Args.get())
  Terminal.clear()
  written.is_ok() || read.is_ok() || name != name || true
}

world calm {
  Disk.write_text = |_, _, _, _| Ok(())
  Disk.delete = |_, _, _| Ok(())
  Disk.make_dir = |_, _, _| Ok(())
  Disk.read_text = |_, _, _| Err("nothing there")
  Http.get = |_, _, _| Err("no network")
  Tcp.send = |_, _, _, _, _| Err("no network")
  Random.int = |_, _, min, _| min
  Time.now = |_, _| "2025-01-01T00:00:00.000Z"
  Args.get = || []
}

verify everything law holds {
  given name: Str = ["a"]
  given world: calm
  everything(name) => true
}

verify everything trace {
  given world: calm
  let done = everything("b")
  done.trace.contains(Disk.delete("precious.txt")) => true
  done.trace.contains(Console.print(_)) => true
}

test "under a world" {
  under calm { observe everything("c") }
}
"#;

const COMMANDS: [&[&str]; 4] = [
    &["test", "--no-cases", "--seed", "1", "all.say"],
    &[
        "test",
        "--no-cases",
        "--seed",
        "1",
        "--max-block-cases",
        "100_000_000",
        "all.say",
        "-k",
        "trace",
    ],
    &["test", "--no-cases", "--seed", "1", "--explore", "all.say"],
    &[
        "test",
        "--no-cases",
        "--seed",
        "1",
        "--hostile=fuzz",
        "--cases",
        "50",
        "all.say",
        "-k",
        "under",
    ],
];

fn folder(port: u16) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("the system gives a folder");
    let text = PROGRAM.replace("PORT", &port.to_string());
    for (name, text) in
        [("all.say", text.as_str()), ("precious.txt", "keep"), ("secret.txt", "hide")]
    {
        fs::write(folder.path().join(name), text).expect("the folder takes a file");
    }
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut names: Vec<String> = entries
        .map(|it| it.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[track_caller]
fn held(answer: &CommandRun) {
    assert_eq!(answer.end, CommandEnd::Code(0), "{}\n{}", answer.stdout, answer.stderr);
    let all = format!("{}{}", answer.stdout, answer.stderr);
    assert!(!all.contains("printed by a claim"), "{all}");
}

#[test]
fn nothing_happens_outside() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.set_nonblocking(true).expect("it does not wait");
    let port = listener.local_addr().expect("it has a port").port();
    let folder = folder(port);
    let before = names(folder.path());
    // Real sleeping would take longer than this.
    let budget = CommandBudget { time: Duration::from_secs(50), ..CommandBudget::default() };
    for args in COMMANDS {
        let answer =
            run(gainsay(args, folder.path()), b"", budget).expect("the command starts");
        held(&answer);
        assert_eq!(names(folder.path()), before, "{args:?}");
        assert!(listener.accept().is_err(), "{args:?}: somebody connected");
    }
    assert_eq!(fs::read_to_string(folder.path().join("precious.txt")).unwrap(), "keep");
}

/// The view of the system, if `strace` is installed: no sockets, and no files but the program, the
/// configuration and what the system itself opens.
#[test]
#[expect(clippy::print_stderr, reason = "whoever runs it should know what was not watched")]
fn the_system_sees_no_socket_and_no_other_file() {
    if Command::new("strace").arg("--version").output().is_err() {
        eprintln!("strace is not there: only the decoys were watched");
        return;
    }
    let folder = folder(9);
    for args in COMMANDS {
        let log = folder.path().join("strace.log");
        let mut traced = Command::new("strace");
        traced
            .args(["-f", "-qq", "-e", "trace=openat,open,creat,socket,connect,unlink,unlinkat,mkdir,mkdirat,rename,renameat2"])
            .arg("-o")
            .arg(&log)
            .arg(command_folder().join("gainsay"))
            .args(args)
            .current_dir(folder.path());
        let answer = run(traced, b"", CommandBudget::default()).expect("the command starts");
        let text = fs::read_to_string(&log).expect("strace writes");
        if text.contains("Operation not permitted") && !text.contains("all.say") {
            eprintln!("strace may not look here: only the decoys were watched");
            return;
        }
        held(&answer);
        for line in text.lines() {
            assert!(is_harmless(line), "{args:?}: {line}");
        }
        fs::remove_file(log).expect("it was written");
    }
}

/// Whether a line of strace shows normal process startup, or the program's own input.
fn is_harmless(line: &str) -> bool {
    let call = line.split_whitespace().nth(1).unwrap_or("");
    if call.starts_with("+++") || call.starts_with("---") || call.starts_with("<...") {
        return true;
    }
    let is_open = call.starts_with("openat(") || call.starts_with("open(");
    let path = line.split('"').nth(1).unwrap_or("");
    let of_system = ["/etc/", "/lib", "/usr/", "/proc/", "/sys/", "/dev/"];
    let is_input = path.ends_with("all.say") || path.ends_with("gainsay.toml") || path == ".";
    // The loader also looks for libraries beside the command.
    let is_library = path.contains(".so");
    is_open
        && (is_input
            || is_library
            || of_system.iter().any(|it| path.starts_with(it))
            || path.is_empty())
}

//! Limited address space, as in containers and batch systems: what fits runs, and what does not
//! ends with a documented exit code, never by a signal.
#![cfg(target_os = "linux")]

use std::process::Command;

use crate::{CommandFolder, CommandOutput};

/// Tests a program in this many MiB of address space, on this many threads.
fn tested_in(mebibytes: u32, threads: &str, program: &str) -> CommandOutput {
    let place = CommandFolder::with("a.say", program);
    let command = place.command(&["test", "--no-cases", "--seed", "1", "-j", threads, "a.say"]);
    let limited = format!("ulimit -v {}; exec \"$0\" \"$@\"", mebibytes * 1024);
    let mut shell = Command::new("sh");
    shell.args(["-c", &limited]).arg(command.get_program()).args(command.get_args());
    shell.current_dir(place.folder.path());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.output().unwrap().into()
}

#[test]
fn claims_that_need_little_run_in_little() {
    let program = "fn f(n: Int) -> Int { n * 2 }\n\
                   @property fn a(n: Int) { observe f(n) == n + n }\n\
                   @property fn b(n: Int) { observe f(n) == n + n }\n";
    for mebibytes in [1_024, 2_048, 8_192] {
        for threads in ["1", "8"] {
            tested_in(mebibytes, threads, program).exits(0).stays_silent();
        }
    }
}

#[test]
fn claims_that_grow_at_the_same_time_end_at_a_limit() {
    let grow = "fn grow(xs: List<Int>) -> List<Int> { grow([1, ..xs]) }\n";
    let tests: String = (0..8)
        .map(|n| format!("test \"{n}\" {{ observe grow([{n}]).len() == 0 }}\n"))
        .collect();
    let done = tested_in(2_048, "8", &format!("{grow}{tests}")).exits(3);
    // Which of the two it is depends on which thread allocates first.
    let is_at_limit = done.stdout.contains("8 claims; 8 hit a limit");
    assert!(is_at_limit || done.stderr.contains("out of memory"), "{done:#?}");
}

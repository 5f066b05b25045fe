//! Limits of the process: little address space, and one limit on memory for all threads.
#![cfg(target_os = "linux")]

use std::process::Command;

use crate::measured::measure;
use crate::{Done, Place};

const PROGRAM: &str = "\
fn double(n: Int) -> Int { n * 2 }

@property
fn doubling_adds(n: Int) { observe double(n) == n + n }

@property
fn doubling_a_list_keeps_its_length(xs: List<Int>) {
  observe xs.map(|x| double(x)).len() == xs.len()
}
";

/// The command in a shell that limits its address space, in KiB.
fn limited(place: &Place, kibibytes: u64, args: &[&str]) -> Command {
    let plain = place.command(args);
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("ulimit -v {kibibytes}; exec \"$0\" \"$@\""));
    command.arg(plain.get_program()).args(plain.get_args());
    command.current_dir(plain.get_current_dir().unwrap());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

#[test]
fn little_address_space_is_enough() {
    let place = Place::with("a.say", PROGRAM);
    for gibibytes in [1, 2, 4, 8] {
        for jobs in ["1", "2", "8"] {
            let args = ["test", "-j", jobs, "--no-cases", "a.say"];
            let done: Done = limited(&place, gibibytes << 20, &args).output().unwrap().into();
            done.exits(0).stays_silent();
        }
    }
}

/// Each test takes all memory that it may.
fn greedy(n_tests: usize) -> String {
    let mut text = "fn grow(xs: List<Int>) -> List<Int> { grow([1, ..xs]) }\n\n".to_owned();
    for at in 0..n_tests {
        text += &format!("test \"t{at}\" {{ observe grow([{at}]).len() == 0 }}\n");
    }
    text
}

#[test]
fn a_process_without_memory_ends_with_a_message() {
    let place = Place::with("a.say", &greedy(8));
    for gibibytes in [1, 2] {
        let args = ["test", "-j", "8", "--no-cases", "a.say"];
        let done: Done = limited(&place, gibibytes << 20, &args).output().unwrap().into();
        done.exits(3);
    }
}

#[test]
fn the_memory_limit_holds_for_all_threads_together() {
    let place = Place::with("a.say", &greedy(4));
    let taken = measure(&mut place.command(&["test", "-j", "4", "--no-cases", "a.say"]));
    assert_eq!(taken.code, Some(3));
    assert!(taken.memory < 1_200 << 20, "{taken:?}");
}

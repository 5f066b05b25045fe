//! Processes that answer for systems: none outlives the run.
#![cfg(unix)]

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::{CommandFolder, CommandOutput};

const PROGRAM: &str = "system Counter { next() -> Nat }\n\n\
                       test \"count\" { observe Counter.next() == 1 }\n";

/// An adapter that has started a process of its own, and then says nothing.
fn silent_adapter(seconds: &str) -> String {
    format!("sh -c 'echo started >&2; sleep {seconds} & wait'")
}

/// Whether a process with this argument is running.
fn is_running(argument: &str) -> bool {
    let processes = fs::read_dir("/proc").expect("there are processes").flatten();
    let mut commands = processes.filter_map(|it| fs::read(it.path().join("cmdline")).ok());
    commands.any(|it| {
        it.starts_with(b"sleep\0")
            && it.split(|it| *it == 0).any(|it| it == argument.as_bytes())
    })
}

#[test]
fn a_silent_adapter_is_given_up_with_all_its_processes() {
    let place = CommandFolder::with("a.say", PROGRAM);
    let adapter = silent_adapter("7001");
    let done: CommandOutput =
        place.command(&["test", "a.say", "--against", &adapter]).output().unwrap().into();
    let text = done.exits(3).stdout.clone();
    assert!(text.contains("the adapter did not answer `gainsay.hello` for 5 s"), "{text}");
    assert!(text.contains("standard error: started"), "{text}");
    assert!(!is_running("7001"));
}

#[test]
fn waiting_for_an_adapter_can_be_stopped() {
    let place = CommandFolder::with("a.say", PROGRAM);
    let adapter = silent_adapter("7002");
    let mut command = place.command(&["test", "a.say", "--against", &adapter]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !is_running("7002") {
        thread::sleep(Duration::from_millis(5));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let done: CommandOutput = child.wait_with_output().unwrap().into();
    done.exits(130);
    assert!(!is_running("7002"));
}

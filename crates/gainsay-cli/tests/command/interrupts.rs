//! Ctrl-C.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use crate::{CommandFolder, CommandOutput};

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

fn interrupted(program: &str) -> (Vec<String>, CommandOutput) {
    let place = CommandFolder::with("a.say", program);
    let mut command = place.command(&["run", "a.say"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    interrupt(&child);
    let rest = lines.map(Result::unwrap);
    let printed = std::iter::once(first).chain(rest).collect();
    (printed, child.wait_with_output().unwrap().into())
}

#[test]
fn an_endless_loop_can_be_stopped() {
    let (printed, done) = interrupted(
        "fn spin(n: Int) -> Int {\n  spin(n + 1)\n}\n\n\
         fn main() ! [Console, Time] {\n  Console.print(\"ready\")\n  Time.sleep(1)\n  \
         Console.print(show(spin(0)))\n}\n",
    );
    assert_eq!(printed, ["ready"]);
    done.exits(130).stays_silent();
}

#[test]
fn waiting_for_input_can_be_stopped_and_the_terminal_is_put_back() {
    let (printed, done) = interrupted(
        "fn main() ! [Console, Terminal] {\n  Terminal.hide_cursor()\n  \
         Console.print(\"ready\")\n  Console.print(show(Console.read_line()))\n}\n",
    );
    assert_eq!(printed, ["\u{1b}[?25lready", "\u{1b}[?25h"]);
    done.exits(130).stays_silent();
}

//! Output errors: readers that go away, full disks, large outputs.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use crate::run::main_of;
use crate::{CommandFolder, CommandOutput};

/// Prints numbers for as long as they are read.
const ENDLESS: &str = "fn count(n: Int) -> Unit ! [Console.print] {\n  \
                       Console.print(show(n))\n  count(n + 1)\n}\n\n\
                       fn main() ! [Console] {\n  count(0)\n}\n";

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    let place = CommandFolder::with("a.say", ENDLESS);
    let mut command = place.command(&["run", "a.say"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "0");
    assert_eq!(lines.next().unwrap().unwrap(), "1");
    drop(lines);
    let done: CommandOutput = child.wait_with_output().unwrap().into();
    done.exits(0).stays_silent();
}

#[test]
fn a_report_nobody_reads_keeps_its_exit_code() {
    let place = CommandFolder::with("a.say", crate::WRONG);
    let mut command = place.command(&["check", "--json"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let done: CommandOutput = child.wait_with_output().unwrap().into();
    done.exits(5).stays_silent();
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let place = CommandFolder::with("a.say", ENDLESS);
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for args in [&["run", "a.say"][..], &["explain", "--list"], &["completions", "bash"]] {
        let mut command = place.command(args);
        let done: CommandOutput = command.stdout(full()).output().unwrap().into();
        done.exits(2).says(
            "error: cannot write to standard output: no space left on the device\nhelp: ",
        );
    }
}

#[test]
fn many_lines_are_complete_and_in_order() {
    let place = CommandFolder::with(
        "a.say",
        &main_of("  List.range(0, 100_000).each(|n| Console.print(show(n)))"),
    );
    let done = place.gainsay(&["run", "a.say"]).exits(0);
    assert!(done.stdout.lines().map(str::to_owned).eq((0..100_000).map(|n| n.to_string())));
}

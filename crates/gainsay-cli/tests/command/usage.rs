//! Invalid command lines, and flags that every command has.

use crate::{CommandFolder, CommandOutput, FINE, WRONG};

#[test]
fn no_command_and_unknown_commands_are_usage_errors() {
    let place = CommandFolder::with("a.say", FINE);
    place.gainsay(&[]).exits(2).prints("").says("no command given");
    place.gainsay(&["a.say"]).exits(2).says("run `gainsay test a.say` or `gainsay run a.say`");
    place
        .gainsay(&["prove", "a.say"])
        .exits(2)
        .says("`gainsay prove` is not available yet\nhelp: use one of `check`, `test`");
    place.gainsay(&["chekc"]).exits(2).says("did you mean `check`?");
    place.gainsay(&["check", "--wrong"]).exits(2).says("--wrong");
    place.gainsay(&["run"]).exits(2).says("FILE");
    place.gainsay(&["run", "--seed", "x", "a.say"]).exits(2).says("--seed");
    let done = place.gainsay(&["check", "--json", "--wrong"]).exits(2);
    assert_eq!(CommandOutput::records(&done.stdout)[0]["type"], "error");
}

#[test]
fn help_and_version_are_data() {
    let place = CommandFolder::new();
    let done = place.gainsay(&["--help"]).exits(0).stays_silent();
    assert!(done.stdout.contains("Exit codes: 0"), "{}", done.stdout);
    let done = place.gainsay(&["help", "run"]).exits(0).stays_silent();
    assert!(done.stdout.contains("--seed"), "{}", done.stdout);
    let version = concat!("gainsay ", env!("CARGO_PKG_VERSION"), "\n");
    place.gainsay(&["--version"]).exits(0).prints(version);
    let done = place.gainsay(&["--version", "--verbose"]).exits(0);
    let rest = done.stdout.strip_prefix(version).unwrap();
    let engines = ["engine: jit\n", "engine: interpreter\n"];
    assert!(engines.iter().any(|it| rest.starts_with(it)), "{rest}");
    assert!(rest.contains("\ntarget: "), "{rest}");
}

#[test]
fn completions_are_there_for_every_shell() {
    let place = CommandFolder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let done = place.gainsay(&["completions", shell]).exits(0).stays_silent();
        assert!(done.stdout.contains("gainsay"), "{shell}");
    }
    place.gainsay(&["completions", "tcsh"]).exits(2);
}

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    let place = CommandFolder::with("a.say", WRONG);
    let coloured = |args: &[&str], settings: &[(&str, &str)]| {
        let mut command = place.command(args);
        command.envs(settings.iter().copied());
        CommandOutput::from(command.output().unwrap()).exits(5).stderr.contains('\u{1b}')
    };
    assert!(!coloured(&["check"], &[]));
    assert!(coloured(&["check", "--color", "always"], &[]));
    assert!(coloured(&["check", "--color=always"], &[("NO_COLOR", "1")]));
    assert!(coloured(&["check"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&["check"], &[("CLICOLOR_FORCE", "0")]));
    assert!(!coloured(&["check"], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!coloured(&["check", "--color", "never"], &[("CLICOLOR_FORCE", "1")]));
}

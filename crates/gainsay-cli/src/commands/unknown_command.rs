//! Errors for unknown commands: a file name, a planned command, a typo.

use std::ffi::OsString;
use std::path::Path;

use clap::CommandFactory as _;
use gainsay::source::closest_name;

use crate::arguments::CommandLine;
use crate::cli_error::CliError;

/// Planned commands that do not exist yet.
const PLANNED: &[&str] = &["prove", "repl", "watch", "report", "lsp"];

/// The error for a command line that names no command.
pub(super) fn unknown_command(words: &[OsString]) -> CliError {
    let word = words.first().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
    let names = command_names();
    let list = names.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
    if PLANNED.contains(&word.as_str()) {
        return CliError::usage(format!("`gainsay {word}` is not available yet"))
            .with_help(format!("use one of {list}"));
    }
    let path = Path::new(&word);
    if path.extension().is_some_and(|it| it == "say") || path.exists() {
        return CliError::usage(format!("`{word}` is not a command"))
            .with_help(format!("run `gainsay test {word}` or `gainsay run {word}`"));
    }
    let near = closest_name(&word, names.iter().map(String::as_str)).map(str::to_owned);
    CliError::usage(format!("unknown command `{word}`"))
        .with_suggestion(near.as_deref())
        .with_help(format!("use one of {list}"))
}

fn command_names() -> Vec<String> {
    CommandLine::command().get_subcommands().map(|it| it.get_name().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::unknown_command;

    #[test]
    fn each_kind_of_stranger_gets_its_own_hint() {
        let error_for = |word: &str| unknown_command(&[OsString::from(word)]);
        assert!(error_for("prove").message.contains("`gainsay prove` is not available yet"));
        assert!(error_for("ledger.say").help[0].contains("gainsay run ledger.say"));
        assert!(error_for("chekc").help[0].contains("`check`"));
        assert_eq!(error_for("banana").help.len(), 1);
    }
}

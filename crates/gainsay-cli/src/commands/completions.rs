//! `gainsay completions`: shell completion scripts.

use clap::CommandFactory as _;

use crate::arguments::{CommandLine, CompletionsArguments};
use crate::exit::Exit;
use crate::output;

/// Prints the completion script for a shell.
pub(super) fn completions(args: &CompletionsArguments) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut CommandLine::command(), "gainsay", &mut script);
    // Output errors are reported once, when the command ends.
    let _ = output::write(&script);
    Exit::Success
}

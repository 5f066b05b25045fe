//! The commands, one file each.

mod cases;
mod check;
mod completions;
mod config;
mod explain;
mod fmt;
mod mutate;
mod new;
mod replay;
mod run;
mod sample;
mod spec_mutation;
mod spec_traces;
mod synth;
mod test;
mod unknown_command;
mod version;

use self::version::VersionDetail;
use crate::arguments::{CliCommand, CommandLine};
use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::reporter::Reporter;

/// Runs the command that the command line names.
pub(crate) fn dispatch(line: CommandLine, reporter: &mut Reporter) -> Exit {
    if line.version {
        let detail =
            if line.global.verbose { VersionDetail::Full } else { VersionDetail::Brief };
        return version::version(detail, reporter);
    }
    match line.command {
        Some(CliCommand::Check(args)) => check::check(&args, reporter),
        Some(CliCommand::Test(args)) => test::test(&args, reporter),
        Some(CliCommand::Mutate(args)) => mutate::mutate(&args, reporter),
        Some(CliCommand::Replay(args)) => replay::replay(&args, reporter),
        Some(CliCommand::Cases(args)) => cases::cases(&args, reporter),
        Some(CliCommand::Sample(args)) => sample::sample(&args, reporter),
        Some(CliCommand::Synth(args)) => synth::synth(&args, reporter),
        Some(CliCommand::Spec(args)) => spec_traces::spec(&args.command, reporter),
        Some(CliCommand::Config(args)) => config::config(args.what),
        Some(CliCommand::Run(args)) => run::run(args, reporter),
        Some(CliCommand::Fmt(args)) => fmt::fmt(&args, reporter),
        Some(CliCommand::Explain(args)) => explain::explain(&args, reporter),
        Some(CliCommand::New(args)) => new::new(&args, reporter),
        Some(CliCommand::Completions(args)) => completions::completions(&args),
        Some(CliCommand::Unknown(words)) => {
            reporter.error(&unknown_command::unknown_command(&words))
        }
        None => reporter.error(
            &CliError::usage("no command given")
                .with_help("run `gainsay check`, or see `gainsay --help`"),
        ),
    }
}

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
mod test;
mod unknown;
mod version;

use self::version::Detail;
use crate::arguments::{Command, CommandLine};
use crate::exit::Exit;
use crate::report::Reporter;
use crate::trouble::Trouble;

/// Does what the command line asks for.
pub(crate) fn perform(line: CommandLine, reporter: &mut Reporter) -> Exit {
    if line.version {
        let detail = if line.shared.verbose { Detail::Full } else { Detail::Brief };
        return version::version(detail, reporter);
    }
    match line.command {
        Some(Command::Check(args)) => check::check(&args, reporter),
        Some(Command::Test(args)) => test::test(&args, reporter),
        Some(Command::Mutate(args)) => mutate::mutate(&args, reporter),
        Some(Command::Replay(args)) => replay::replay(&args, reporter),
        Some(Command::Cases(args)) => cases::cases(&args, reporter),
        Some(Command::Sample(args)) => sample::sample(&args, reporter),
        Some(Command::Config(args)) => config::config(args.what),
        Some(Command::Run(args)) => run::run(args, reporter),
        Some(Command::Fmt(args)) => fmt::fmt(&args, reporter),
        Some(Command::Explain(args)) => explain::explain(&args, reporter),
        Some(Command::New(args)) => new::new(&args, reporter),
        Some(Command::Completions(args)) => completions::completions(&args),
        Some(Command::Other(words)) => reporter.trouble(&unknown::unknown(&words)),
        None => reporter.trouble(
            &Trouble::usage("no command is given")
                .with_help("write `gainsay check`, or see `gainsay --help`"),
        ),
    }
}

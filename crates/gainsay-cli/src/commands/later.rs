//! Commands whose arguments are read, and that do not work yet.

use crate::arguments::{CasesArguments, CasesCommand, ReplayArguments, SampleArguments};
use crate::exit::Exit;
use crate::report::Reporter;
use crate::trouble::Trouble;

/// `gainsay replay`.
pub(super) fn replay(args: &ReplayArguments, reporter: &mut Reporter) -> Exit {
    let ReplayArguments { claim, case, paths } = args;
    let _ = (claim, case, paths);
    not_yet("replay", reporter)
}

/// `gainsay cases`.
pub(super) fn cases(args: &CasesArguments, reporter: &mut Reporter) -> Exit {
    match &args.what {
        None => {}
        Some(CasesCommand::List { filters }) => drop(filters.len()),
        Some(CasesCommand::Prune { fixed, stale, filters }) => {
            let _ = (fixed, stale, filters);
        }
    }
    not_yet("cases", reporter)
}

/// `gainsay sample`.
pub(super) fn sample(args: &SampleArguments, reporter: &mut Reporter) -> Exit {
    let SampleArguments { what, file, n, seed, stats } = args;
    let _ = (what, file, n, seed, stats);
    not_yet("sample", reporter)
}

fn not_yet(command: &str, reporter: &mut Reporter) -> Exit {
    let message = format!("this version does not have `gainsay {command}` yet");
    reporter.trouble(&Trouble::usage(message).with_help("use a later version"))
}

//! `gainsay check`: what is wrong with files before anything is run.

use crate::arguments::CheckArguments;
use crate::exit::Exit;
use crate::files::{self, Sources};
use crate::report::Reporter;
use crate::trouble::Trouble;

/// Reports what is wrong with files.
pub(super) fn check(args: &CheckArguments, reporter: &mut Reporter) -> Exit {
    let found = files::find(&args.paths);
    let mut exit = Exit::Held;
    for trouble in &found.troubles {
        exit = exit.and(reporter.trouble(trouble));
    }
    let (sources, troubles) = Sources::read(&found.files);
    for trouble in &troubles {
        exit = exit.and(reporter.trouble(trouble));
    }
    if found.files.is_empty() && found.troubles.is_empty() {
        exit = reporter.trouble(
            &Trouble::nothing_to_run("there are no `.say` files here").with_help(
                "name a file or a folder that has some, or start with `gainsay new`",
            ),
        );
    }
    if sources.entries().is_empty() {
        reporter.summary(0, exit);
        return exit;
    }
    let checked = gainsay::check(sources.entries(), &sources);
    reporter.diagnostics(&checked.files, &checked.diagnostics);
    if checked.has_errors() {
        exit = exit.and(Exit::DoesNotCompile);
    }
    reporter.remark(&reporter.tally("checked", sources.entries().len()));
    reporter.summary(sources.entries().len(), exit);
    exit
}

//! `gainsay check`: reports diagnostics without running anything.

use crate::arguments::CheckArguments;
use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::files::{self, DiskSources};
use crate::reporter::Reporter;

/// Reports the diagnostics of files.
pub(super) fn check(args: &CheckArguments, reporter: &mut Reporter) -> Exit {
    let found = files::find_sources(&args.paths);
    let mut exit = Exit::Success;
    for error in &found.errors {
        exit = exit.combine(reporter.error(error));
    }
    let (sources, errors) = DiskSources::read(&found.files);
    for error in &errors {
        exit = exit.combine(reporter.error(error));
    }
    if found.files.is_empty() && found.errors.is_empty() {
        exit = reporter.error(
            &CliError::nothing_to_run("no `.say` files found")
                .with_help("name a file or a folder, or create a project with `gainsay new`"),
        );
    }
    if sources.entries().is_empty() {
        reporter.write_summary(0, exit);
        return exit;
    }
    let checked = gainsay::check(sources.entries(), &sources);
    reporter.diagnostics(&checked.files, &checked.diagnostics);
    if checked.has_errors() {
        exit = exit.combine(Exit::DoesNotCompile);
    }
    reporter.note(&reporter.summary_line("checked", sources.entries().len()));
    reporter.write_summary(sources.entries().len(), exit);
    exit
}

//! `gainsay cases`: lists and prunes saved cases.

mod rerun;

use std::path::{Path, PathBuf};

use gainsay::source::closest_name;
use gainsay::test::{CaseStore, SavedCase};
use serde::Serialize;

use self::rerun::{RerunCase, RerunCases, RerunStatus};
use crate::arguments::{CasesArguments, CasesCommand};
use crate::case_files::DiskCaseFiles;
use crate::cli_error::CliError;
use crate::config::{self, ConfigChoice, ConfigLayer, ResolvedConfig};
use crate::exit::Exit;
use crate::files;
use crate::output;
use crate::report::{Verbosity, line, pluralize};
use crate::reporter::Reporter;

/// Lists or prunes cases.
pub(super) fn cases(args: &CasesArguments, reporter: &mut Reporter) -> Exit {
    let done = match &args.what {
        None => list(&[], reporter),
        Some(CasesCommand::List { filters }) => list(filters, reporter),
        Some(CasesCommand::Prune { fixed, stale, filters }) => {
            prune(&PruneFilter { fixed: *fixed, stale: *stale, filters }, reporter)
        }
    };
    done.unwrap_or_else(|error| reporter.error(&error))
}

/// Which cases to prune.
struct PruneFilter<'a> {
    fixed: bool,
    stale: bool,
    filters: &'a [String],
}

/// A saved case, as a JSON record.
#[derive(Debug, Serialize)]
struct SavedCaseFileRecord<'a> {
    file: &'a str,
    claim: Option<String>,
    failure: Option<&'a str>,
    found: Option<&'a str>,
    fixed: Option<&'a str>,
    state: &'static str,
    reason: Option<&'a str>,
    removed: bool,
}

/// What happened to a file.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum PruneAction {
    Retained,
    Removed,
}

fn list(filters: &[String], reporter: &mut Reporter) -> Result<Exit, CliError> {
    let resolved = config::resolve(ConfigLayer::default(), ConfigChoice::Nearest)?;
    let disk = DiskCaseFiles::new(&resolved.root);
    let all = rerun::rerun_cases(
        &CaseStore::open(&disk),
        (&claim_paths(&resolved), &resolved.root),
        reporter,
    )?;
    let wanted = filtered(&all, &resolved.root, filters)?;
    for rerun_case in &wanted {
        report_case(rerun_case, &resolved.root, PruneAction::Retained, reporter);
    }
    reporter.note(&summary(&wanted));
    Ok(Exit::Success)
}

fn prune(pruning: &PruneFilter<'_>, reporter: &mut Reporter) -> Result<Exit, CliError> {
    let resolved = config::resolve(ConfigLayer::default(), ConfigChoice::Nearest)?;
    let disk = DiskCaseFiles::new(&resolved.root);
    let store = CaseStore::open(&disk);
    // Run before anything is removed: what a file recorded about its case may be out of date.
    let all = rerun::rerun_cases(&store, (&claim_paths(&resolved), &resolved.root), reporter)?;
    let by_state = pruning.fixed || pruning.stale;
    if !by_state && pruning.filters.is_empty() {
        return Err(no_criteria(&all.cases));
    }
    // Not by the recorded state: a case that passed once may fail by now.
    if by_state && !all.were_run {
        return Err(CliError::new(
            Exit::DoesNotCompile,
            "cannot run the saved cases: the sources do not compile",
        )
        .with_help("fix the errors first, or name the cases to remove"));
    }
    let mut exit = Exit::Success;
    let mut n_removed = 0;
    for rerun_case in filtered(&all, &resolved.root, pruning.filters)? {
        let goes = match &rerun_case.status {
            RerunStatus::Passes(_) => pruning.fixed || !by_state,
            RerunStatus::Stale(_) => pruning.stale || !by_state,
            RerunStatus::Fails
            | RerunStatus::LastFailed
            | RerunStatus::LastPassed(_)
            | RerunStatus::Declined => !by_state,
            // Nobody knows what a broken file contains, so only its own path selects it.
            RerunStatus::Broken(_) => {
                let path = display_path(&resolved.root, &rerun_case.file.path);
                let is_named = pruning.filters.iter().any(|it| matches_path(it, &path));
                if !is_named {
                    report_broken(rerun_case, &path, reporter);
                }
                is_named
            }
        };
        if !goes {
            continue;
        }
        match store.remove(&rerun_case.file.path) {
            Ok(()) => {
                n_removed += 1;
                report_case(rerun_case, &resolved.root, PruneAction::Removed, reporter);
            }
            Err(error) => {
                let path = display_path(&resolved.root, &error.path);
                let message = format!("cannot remove `{path}`: {}", error.reason);
                let error =
                    CliError::usage(message).with_help("check the permissions of the folder");
                exit = exit.combine(reporter.error(&error));
            }
        }
    }
    reporter.note(&match n_removed {
        0 => "no cases removed".to_owned(),
        n => format!("removed {}", pluralize(n, "case")),
    });
    Ok(exit)
}

/// The paths to search for the claims of saved cases: the whole project, because a case whose claim
/// is not found would look orphaned.
fn claim_paths(resolved: &ResolvedConfig) -> Vec<PathBuf> {
    if !resolved.paths.is_empty() {
        return resolved.paths.clone();
    }
    let is_here = resolved.root.as_os_str().is_empty();
    vec![if is_here { PathBuf::from(".") } else { resolved.root.clone() }]
}

/// The error if no criteria for pruning are given.
fn no_criteria(all: &[RerunCase]) -> CliError {
    let count =
        |is_it: fn(&RerunStatus) -> bool| all.iter().filter(|it| is_it(&it.status)).count();
    let n_fixed = count(|it| matches!(it, RerunStatus::Passes(_)));
    let n_stale = count(|it| matches!(it, RerunStatus::Stale(_)));
    CliError::usage("no cases selected for removal")
        .with_help(format!("use `--fixed` to remove the cases that pass now ({n_fixed})"))
        .with_help(format!(
            "use `--stale` to remove the cases that are no longer usable ({n_stale})"
        ))
        .with_help("name claims or files to remove only their cases")
}

/// The cases of claims whose name contains a word, and those named by path.
fn filtered<'k>(
    all: &'k RerunCases,
    root: &Path,
    filters: &[String],
) -> Result<Vec<&'k RerunCase>, CliError> {
    if filters.is_empty() {
        return Ok(all.cases.iter().collect());
    }
    let fits = |rerun_case: &&RerunCase, filter: &String| {
        rerun_case.claim.as_ref().is_some_and(|claim| claim.contains(filter.as_str()))
            || matches_path(filter, &display_path(root, &rerun_case.file.path))
    };
    for filter in filters {
        // Each by itself, so that a mistyped name among several is not overlooked.
        if !all.cases.iter().any(|rerun_case| fits(&rerun_case, filter)) {
            let claims = all.cases.iter().filter_map(|it| it.claim.as_deref());
            return Err(CliError::nothing_to_run(format!("no saved case matches `{filter}`"))
                .with_suggestion(closest_name(filter, claims))
                .with_help("list saved cases with `gainsay cases`"));
        }
    }
    let fits_any =
        |rerun_case: &&RerunCase| filters.iter().any(|filter| fits(rerun_case, filter));
    Ok(all.cases.iter().filter(fits_any).collect())
}

/// Whether a word is the path of a file.
fn matches_path(word: &str, path: &str) -> bool {
    files::display_path(Path::new(word)).is_some_and(|it| it == path)
}

/// The path of a case relative to the current folder.
fn display_path(root: &Path, path: &str) -> String {
    files::display_path(&root.join(path)).unwrap_or_else(|| path.to_owned())
}

fn report_broken(rerun_case: &RerunCase, path: &str, reporter: &Reporter) {
    if let RerunStatus::Broken(why) = &rerun_case.status {
        let help = "name the file to remove it";
        reporter.note(&format!("note: `{path}` was left unchanged: {why}; {help}"));
    }
}

fn report_case(rerun_case: &RerunCase, root: &Path, fate: PruneAction, reporter: &Reporter) {
    let path = display_path(root, &rerun_case.file.path);
    let case = rerun_case.file.case.as_ref().ok();
    if !reporter.is_human() {
        reporter.write_record(&line("case", case_record(rerun_case, &path, case, fate)));
        return;
    }
    let word = match fate {
        PruneAction::Removed => "removed",
        PruneAction::Retained => rerun_case.status.label(),
    };
    let mut text = format!("{word:8} {path}\n");
    if let Some(case) = case {
        let claim = rerun_case.claim.as_deref().unwrap_or_default();
        text += &format!("         {claim}: {}, found {}", case.failure, case.found);
        text += &rerun_case.status.since();
        text.push('\n');
    }
    if let Some(why) = rerun_case.status.reason() {
        text += &format!("         {why}\n");
    }
    if reporter.verbosity() == Verbosity::Verbose {
        for value in case.iter().flat_map(|it| &it.values) {
            text += &format!("         let {} = {}\n", value.name, value.text);
        }
    }
    // Output errors are reported once, when the command ends.
    let _ = output::write(text.as_bytes());
}

fn case_record<'a>(
    rerun_case: &'a RerunCase,
    path: &'a str,
    case: Option<&'a SavedCase>,
    fate: PruneAction,
) -> SavedCaseFileRecord<'a> {
    SavedCaseFileRecord {
        file: path,
        claim: rerun_case.claim.clone(),
        failure: case.map(|it| it.failure.as_str()),
        found: case.map(|it| it.found.as_str()),
        fixed: case.and_then(|it| it.fixed.as_deref()),
        state: rerun_case.status.label(),
        reason: rerun_case.status.reason(),
        removed: fate == PruneAction::Removed,
    }
}

/// `3 cases: 1 fails, 2 pass`.
fn summary(wanted: &[&RerunCase]) -> String {
    if wanted.is_empty() {
        return "no saved cases".to_owned();
    }
    let mut counts: Vec<(&str, u64)> = Vec::new();
    for rerun_case in wanted {
        let word = rerun_case.status.label();
        match counts.iter_mut().find(|(it, _)| *it == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    let counts = counts.iter().map(|(word, n)| match (*word, *n) {
        ("fails", 2..) => format!("{n} fail"),
        ("passes", 2..) => format!("{n} pass"),
        (word, n) => format!("{n} {word}"),
    });
    let counts: Vec<String> = counts.collect();
    format!("{}: {}", pluralize(wanted.len() as u64, "case"), counts.join(", "))
}

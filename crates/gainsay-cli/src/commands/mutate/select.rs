//! Selects the mutants to run, and the files whose claims are used.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use gainsay::core::FunctionId;
use gainsay::mutate::Mutants;
use gainsay::source::{FileId, closest_name};

use super::super::test::CheckedProject;
use super::diff::UnifiedDiff;
use super::plan::MutationPlan;
use crate::cli_error::{CliError, io_error_reason};

/// The files, and the test files next to them: `money_test.say` or `test_money.say` for
/// `money.say`.
pub(super) fn with_tests(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut all = paths.to_vec();
    for path in paths {
        let stem = path.file_stem().and_then(|it| it.to_str());
        let Some(stem) = stem.filter(|_| path.extension().is_some_and(|it| it == "say")) else {
            continue;
        };
        for name in [format!("{stem}_test.say"), format!("test_{stem}.say")] {
            let beside = path.with_file_name(name);
            if beside.is_file() && !all.contains(&beside) {
                all.push(beside);
            }
        }
    }
    all
}

/// Whether a file is a test file, judging by its name.
fn is_test(name: &str) -> bool {
    let stem = Path::new(name).file_stem().and_then(|it| it.to_str()).unwrap_or_default();
    stem.starts_with("test_") || stem.ends_with("_test")
}

/// The selected mutants.
pub(super) fn select(
    plan: &MutationPlan,
    project: &CheckedProject,
    mut mutants: Mutants,
) -> Result<Mutants, CliError> {
    let runnable = project.program().expect("errors were looked for");
    let (program, files) = (runnable.program, runnable.files);
    let entries: BTreeSet<FileId> = project
        .checked
        .entries
        .iter()
        .map(|it| program.module(*it).file)
        .filter(|it| !is_test(&files.get(*it).name))
        .collect();
    // Used files are run as well, but whoever names a file asks about that file.
    mutants.list.retain(|it| entries.contains(&it.span.file));
    mutants.excluded.retain(|it| entries.contains(&program.function(*it).span.file));
    if mutants.list.is_empty() {
        let message = "nothing to mutate in these files";
        let help = "name files with functions; claims are not mutated";
        return Err(no_mutants(&mutants, message, help));
    }
    if let Some(id) = &plan.replay {
        return single_mutant(mutants, id);
    }
    if !plan.filters.is_empty() {
        let fits = |it: FunctionId| {
            let function = program.function(it);
            let module = &runnable.modules[function.module.index()];
            let name = format!("{module}::{}", function.name);
            plan.filters.iter().any(|word| name.contains(word.as_str()))
        };
        mutants.list.retain(|it| fits(it.declaration));
        mutants.excluded.retain(|it| fits(*it));
    }
    if mutants.list.is_empty() {
        return Err(no_match(&mutants));
    }
    if !plan.operators.is_empty() {
        mutants.list.retain(|it| plan.operators.iter().any(|name| name == it.operator));
    }
    if let Some(path) = &plan.in_diff {
        let diff = UnifiedDiff::parse(&read_diff(path)?);
        mutants.list.retain(|it| {
            let file = files.get(it.span.file);
            let lines = file.position(it.span.start).line..=file.position(it.span.end).line;
            diff.touches(&file.name, lines)
        });
    }
    // After all filters: the slices of one selection are disjoint, and together they are all of it.
    if let Some(partition) = plan.partition {
        let mut at = 0..;
        mutants.list.retain(|_| at.next().is_some_and(|at| partition.contains(at)));
    }
    if mutants.list.is_empty() {
        mutants.excluded.clear();
        return Err(no_match(&mutants));
    }
    Ok(mutants)
}

fn no_match(mutants: &Mutants) -> CliError {
    let message = "no mutants match";
    no_mutants(mutants, message, "list all mutants with `gainsay mutate --list`")
}

/// The error if there are no mutants. Excluded functions, if any, are the reason.
fn no_mutants(mutants: &Mutants, message: &str, help: &str) -> CliError {
    let help = match mutants.excluded.as_slice() {
        [] => help,
        [_] => "pass `--all-functions` to mutate the function that only supports claims",
        [_, _, ..] => "pass `--all-functions` to mutate functions that only support claims",
    };
    CliError::nothing_to_run(message).with_help(help)
}

fn single_mutant(mut mutants: Mutants, id: &str) -> Result<Mutants, CliError> {
    let ids: Vec<String> = mutants.list.iter().map(|it| it.id.clone()).collect();
    mutants.list.retain(|it| it.id == id);
    mutants.excluded.clear();
    if mutants.list.is_empty() {
        let near = closest_name(id, ids.iter().map(String::as_str));
        return Err(CliError::usage(format!("no mutant `{id}` in these files"))
            .with_suggestion(near)
            .with_help("list all mutants with `gainsay mutate --list`"));
    }
    Ok(mutants)
}

/// The text of a diff; `-` is stdin.
fn read_diff(path: &Path) -> Result<String, CliError> {
    let text = if path.as_os_str() == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(path)
    };
    text.map_err(|error| {
        CliError::usage(format!(
            "cannot read `{}`: {}",
            path.display(),
            io_error_reason(&error)
        ))
        .with_help("name a unified diff, as `git diff` prints it, or `-` for standard input")
    })
}

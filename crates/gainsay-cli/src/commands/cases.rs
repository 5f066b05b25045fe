//! `gainsay cases`: which cases are kept, and taking some away.

mod judge;

use std::path::{Path, PathBuf};

use gainsay::source::closest;
use gainsay::test::{KeptCase, Store};
use serde::Serialize;

use self::judge::{Judged, Kept, State};
use crate::arguments::{CasesArguments, CasesCommand};
use crate::case_files::DiskCases;
use crate::config::{self, Choice, Layer, Resolved};
use crate::exit::Exit;
use crate::files;
use crate::output;
use crate::report::{Detail, Reporter, counted, line};
use crate::trouble::Trouble;

/// Lists cases, or takes some away.
pub(super) fn cases(args: &CasesArguments, reporter: &mut Reporter) -> Exit {
    let done = match &args.what {
        None => list(&[], reporter),
        Some(CasesCommand::List { filters }) => list(filters, reporter),
        Some(CasesCommand::Prune { fixed, stale, filters }) => {
            prune(&Pruning { fixed: *fixed, stale: *stale, filters }, reporter)
        }
    };
    done.unwrap_or_else(|trouble| reporter.trouble(&trouble))
}

/// Which cases are to go.
struct Pruning<'a> {
    fixed: bool,
    stale: bool,
    filters: &'a [String],
}

/// A kept case, for programs.
#[derive(Debug, Serialize)]
struct CaseRecord<'a> {
    file: &'a str,
    claim: Option<String>,
    failure: Option<&'a str>,
    found: Option<&'a str>,
    fixed: Option<&'a str>,
    state: &'static str,
    reason: Option<&'a str>,
    removed: bool,
}

/// What became of a file.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum Fate {
    Stays,
    Removed,
}

fn list(filters: &[String], reporter: &mut Reporter) -> Result<Exit, Trouble> {
    let resolved = config::resolve(Layer::default(), Choice::Nearest)?;
    let disk = DiskCases::new(&resolved.root);
    let all =
        judge::judge(&Store::open(&disk), (&sources(&resolved), &resolved.root), reporter)?;
    let wanted = filtered(&all, &resolved.root, filters)?;
    for kept in &wanted {
        tell(kept, &resolved.root, Fate::Stays, reporter);
    }
    reporter.remark(&summary(&wanted));
    Ok(Exit::Held)
}

fn prune(pruning: &Pruning<'_>, reporter: &mut Reporter) -> Result<Exit, Trouble> {
    let resolved = config::resolve(Layer::default(), Choice::Nearest)?;
    let disk = DiskCases::new(&resolved.root);
    let store = Store::open(&disk);
    let all = judge::judge(&store, (&sources(&resolved), &resolved.root), reporter)?;
    let by_state = pruning.fixed || pruning.stale;
    if !by_state && pruning.filters.is_empty() {
        return Err(unsaid(&all.cases));
    }
    if by_state && !all.is_certain {
        return Err(Trouble::new(Exit::DoesNotCompile, "which cases pass is not known")
            .with_help("mend the sources first, or name the cases that are to go"));
    }
    let mut exit = Exit::Held;
    let mut n_removed = 0;
    for kept in filtered(&all, &resolved.root, pruning.filters)? {
        let goes = match &kept.state {
            State::Passes(_) => pruning.fixed || !by_state,
            State::Stale(_) => pruning.stale || !by_state,
            State::Fails | State::Open | State::Fixed(_) | State::Declined => !by_state,
            State::Broken(_) => {
                let path = shown(&resolved.root, &kept.file.path);
                let is_named = pruning.filters.iter().any(|it| names(it, &path));
                if !is_named {
                    tell_broken(kept, &path, reporter);
                }
                is_named
            }
        };
        if !goes {
            continue;
        }
        match store.remove(&kept.file.path) {
            Ok(()) => {
                n_removed += 1;
                tell(kept, &resolved.root, Fate::Removed, reporter);
            }
            Err(error) => {
                let path = shown(&resolved.root, &error.path);
                let message = format!("cannot remove `{path}`: {}", error.reason);
                let trouble = Trouble::usage(message).with_help("look at who may write there");
                exit = exit.and(reporter.trouble(&trouble));
            }
        }
    }
    reporter.remark(&match n_removed {
        0 => "nothing was removed".to_owned(),
        n => format!("removed {}", counted(n, "case")),
    });
    Ok(exit)
}

/// Where the claims of kept cases are looked for: everywhere, as a case whose claim is elsewhere
/// would seem to have none.
fn sources(resolved: &Resolved) -> Vec<PathBuf> {
    if !resolved.paths.is_empty() {
        return resolved.paths.clone();
    }
    let is_here = resolved.root.as_os_str().is_empty();
    vec![if is_here { PathBuf::from(".") } else { resolved.root.clone() }]
}

/// Nothing was said of which cases are to go.
fn unsaid(all: &[Kept]) -> Trouble {
    let count = |is_it: fn(&State) -> bool| all.iter().filter(|it| is_it(&it.state)).count();
    let n_fixed = count(|it| matches!(it, State::Passes(_)));
    let n_stale = count(|it| matches!(it, State::Stale(_)));
    Trouble::usage("nothing says which cases are to go")
        .with_help(format!("write `--fixed` for the {n_fixed} that pass again"))
        .with_help(format!("write `--stale` for the {n_stale} that cannot be used any more"))
        .with_help("name claims, or files, for those and no others")
}

/// The cases of claims with a word in their name, and those that are named by their path.
fn filtered<'k>(
    all: &'k Judged,
    root: &Path,
    filters: &[String],
) -> Result<Vec<&'k Kept>, Trouble> {
    if filters.is_empty() {
        return Ok(all.cases.iter().collect());
    }
    let fits = |kept: &&Kept, filter: &String| {
        kept.claim.as_ref().is_some_and(|claim| claim.contains(filter.as_str()))
            || names(filter, &shown(root, &kept.file.path))
    };
    for filter in filters {
        if !all.cases.iter().any(|kept| fits(&kept, filter)) {
            let claims = all.cases.iter().filter_map(|it| it.claim.as_deref());
            return Err(Trouble::nothing_to_run(format!("no case is kept of `{filter}`"))
                .with_suggestion(closest(filter, claims))
                .with_help("see all of them with `gainsay cases`"));
        }
    }
    let fits_any = |kept: &&Kept| filters.iter().any(|filter| fits(kept, filter));
    Ok(all.cases.iter().filter(fits_any).collect())
}

/// Whether a word is the path of a file.
fn names(word: &str, path: &str) -> bool {
    files::shown(Path::new(word)).is_some_and(|it| it == path)
}

/// The path of a case as it is seen from the current folder.
fn shown(root: &Path, path: &str) -> String {
    files::shown(&root.join(path)).unwrap_or_else(|| path.to_owned())
}

fn tell_broken(kept: &Kept, path: &str, reporter: &Reporter) {
    if let State::Broken(why) = &kept.state {
        let help = "name the file to remove it";
        reporter.remark(&format!("note: `{path}` is left alone: {why}; {help}"));
    }
}

fn tell(kept: &Kept, root: &Path, fate: Fate, reporter: &Reporter) {
    let path = shown(root, &kept.file.path);
    let case = kept.file.case.as_ref().ok();
    if !reporter.speaks_to_people() {
        reporter.record(&line("case", record(kept, &path, case, fate)));
        return;
    }
    let word = match fate {
        Fate::Removed => "removed",
        Fate::Stays => kept.state.word(),
    };
    let mut text = format!("{word:8} {path}\n");
    if let Some(case) = case {
        let claim = kept.claim.as_deref().unwrap_or_default();
        text += &format!("         {claim}: {}, found {}", case.failure, case.found);
        text += &kept.state.since();
        text.push('\n');
    }
    if let Some(why) = kept.state.reason() {
        text += &format!("         {why}\n");
    }
    if reporter.detail() == Detail::Full {
        for value in case.iter().flat_map(|it| &it.values) {
            text += &format!("         let {} = {}\n", value.name, value.text);
        }
    }
    // What became of the output is asked when the command ends.
    let _ = output::write(text.as_bytes());
}

fn record<'a>(
    kept: &'a Kept,
    path: &'a str,
    case: Option<&'a KeptCase>,
    fate: Fate,
) -> CaseRecord<'a> {
    CaseRecord {
        file: path,
        claim: kept.claim.clone(),
        failure: case.map(|it| it.failure.as_str()),
        found: case.map(|it| it.found.as_str()),
        fixed: case.and_then(|it| it.fixed.as_deref()),
        state: kept.state.word(),
        reason: kept.state.reason(),
        removed: fate == Fate::Removed,
    }
}

/// `3 cases: 1 fails, 2 pass`.
fn summary(wanted: &[&Kept]) -> String {
    if wanted.is_empty() {
        return "no cases are kept".to_owned();
    }
    let mut counts: Vec<(&str, u64)> = Vec::new();
    for kept in wanted {
        let word = kept.state.word();
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
    format!("{}: {}", counted(wanted.len() as u64, "case"), counts.join(", "))
}

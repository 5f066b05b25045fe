//! `gainsay fmt`: formats files.

use std::path::Path;

use gainsay::source::{Diagnostic, SourceFile, SourceMap, sort_diagnostics};
use gainsay::syntax;
use similar::TextDiff;

use crate::arguments::FmtArguments;
use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::report::{FormatRecord, pluralize};
use crate::reporter::Reporter;
use crate::{files, output};

/// Context lines in a diff.
const CONTEXT: usize = 1;

/// Larger changes are not shown: diffing texts with little in common takes quadratic time.
const MAX_DIFF_LINES: usize = 10_000;

/// Formats files in place, shows a diff, or formats stdin to stdout.
pub(super) fn fmt(args: &FmtArguments, reporter: &mut Reporter) -> Exit {
    let is_input = |path: &Path| path.as_os_str() == "-";
    match args.paths.as_slice() {
        [path] if is_input(path) => {
            reporter.send_json_to_stderr();
            let exit = match files::read_input() {
                Ok(text) => format_stdin(&text, format_action(args), reporter),
                Err(error) => reporter.error(&error),
            };
            reporter.write_summary(1, exit);
            exit
        }
        paths if paths.iter().any(|path| is_input(path)) => reporter.error(
            &CliError::usage("`-` cannot be combined with other paths")
                .with_help("format standard input by itself: `gainsay fmt -`"),
        ),
        _ => format_paths(args, reporter),
    }
}

/// What to do with a file that is not formatted.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum FormatAction {
    Rewrite,
    ShowDiff,
}

fn format_action(args: &FmtArguments) -> FormatAction {
    if args.check { FormatAction::ShowDiff } else { FormatAction::Rewrite }
}

/// The result of formatting a text.
enum FormatResult {
    Same,
    Changed(String),
    Broken(SourceMap, Vec<Diagnostic>),
}

fn format_text(name: &str, text: &str) -> FormatResult {
    let mut files = SourceMap::default();
    let file = files.add(SourceFile::new(name, text));
    let parse = syntax::parse(file, text);
    match syntax::format(&parse) {
        Some(new) if new == text => FormatResult::Same,
        // A formatter bug must not destroy the user's text.
        Some(new) if syntax::parse(file, &new).has_errors() => {
            panic!("the formatted text of {name} does not parse")
        }
        Some(new) => FormatResult::Changed(new),
        None => {
            let mut errors = parse.errors;
            sort_diagnostics(&mut errors);
            FormatResult::Broken(files, errors)
        }
    }
}

fn format_stdin(text: &str, plan: FormatAction, reporter: &mut Reporter) -> Exit {
    match (format_text("<input>", text), plan) {
        (FormatResult::Broken(files, errors), _) => {
            reporter.diagnostics(&files, &errors);
            Exit::DoesNotCompile
        }
        (FormatResult::Same, FormatAction::ShowDiff) => Exit::Success,
        (FormatResult::Same, FormatAction::Rewrite) => print(text),
        (FormatResult::Changed(new), FormatAction::ShowDiff) => {
            print_diff("<input>", text, &new);
            Exit::Failed
        }
        (FormatResult::Changed(new), FormatAction::Rewrite) => print(&new),
    }
}

fn print(text: &str) -> Exit {
    // Output errors are reported once, when the command ends.
    let _ = output::write(text.as_bytes());
    Exit::Success
}

fn format_paths(args: &FmtArguments, reporter: &mut Reporter) -> Exit {
    let found = files::find_sources(&args.paths);
    let mut exit = Exit::Success;
    for error in &found.errors {
        exit = exit.combine(reporter.error(error));
    }
    if found.files.is_empty() && exit == Exit::Success {
        exit = reporter.error(
            &CliError::nothing_to_run("no `.say` files found")
                .with_help("name a file or a folder"),
        );
    }
    let mut n_changed = 0;
    for name in &found.files {
        let (outcome, changed) = format_file(name, format_action(args), reporter);
        exit = exit.combine(outcome);
        n_changed += u64::from(changed == FileChange::Yes);
    }
    if !found.files.is_empty() {
        let verb = if args.check { "would change" } else { "changed" };
        let all = pluralize(found.files.len() as u64, "file");
        reporter.note(&format!("{verb} {n_changed} of {all}"));
    }
    reporter.write_summary(found.files.len(), exit);
    exit
}

#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum FileChange {
    Yes,
    No,
}

fn format_file(name: &str, plan: FormatAction, reporter: &mut Reporter) -> (Exit, FileChange) {
    let text = match files::read(name) {
        Ok(text) => text,
        Err(error) => return (reporter.error(&error), FileChange::No),
    };
    let new = match format_text(name, &text) {
        FormatResult::Same => {
            reporter.write_record(
                &FormatRecord { file: name, changed: false, written: false }.line(),
            );
            return (Exit::Success, FileChange::No);
        }
        FormatResult::Broken(files, errors) => {
            reporter.diagnostics(&files, &errors);
            return (Exit::DoesNotCompile, FileChange::No);
        }
        FormatResult::Changed(new) => new,
    };
    let (exit, written) = match plan {
        FormatAction::ShowDiff => {
            if reporter.is_human() {
                print_diff(name, &text, &new);
            }
            (Exit::Failed, false)
        }
        FormatAction::Rewrite => match files::replace(name, &new) {
            Ok(()) => (Exit::Success, true),
            Err(error) => return (reporter.error(&error), FileChange::No),
        },
    };
    reporter.write_record(&FormatRecord { file: name, changed: true, written }.line());
    (exit, FileChange::Yes)
}

/// Prints a diff of the formatting changes.
fn print_diff(name: &str, old: &str, new: &str) {
    // Output errors are reported once, when the command ends.
    let _ = output::write(unified_diff(name, old, new).as_bytes());
}

/// The formatting changes as a unified diff.
fn unified_diff(name: &str, old: &str, new: &str) -> String {
    let heading = format!("{name} (formatted)");
    let (at, n_old, n_new) = changed_lines(old, new);
    if n_old + n_new > MAX_DIFF_LINES {
        return format!(
            "--- {name}\n+++ {heading}\n@@ -{at},{n_old} +{at},{n_new} @@ diff too large to show\n"
        );
    }
    let diff = TextDiff::from_lines(old, new);
    diff.unified_diff().context_radius(CONTEXT).header(name, &heading).to_string()
}

/// The first changed line, and the number of lines from it to the last changed one, in the old text
/// and in the new one.
fn changed_lines(old: &str, new: &str) -> (usize, usize, usize) {
    let n_same = old.lines().zip(new.lines()).take_while(|(old, new)| old == new).count();
    let rest = |text: &str| text.lines().count() - n_same;
    let (n_old, n_new) = (rest(old), rest(new));
    let ends = old.lines().rev().zip(new.lines().rev()).take_while(|(old, new)| old == new);
    // Clamped, because equal lines may count for both ends: from `a a` to `a a a` one line is new.
    let n_same_at_end = ends.count().min(n_old).min(n_new);
    (n_same + 1, n_old - n_same_at_end, n_new - n_same_at_end)
}

#[cfg(test)]
mod tests {
    use super::{MAX_DIFF_LINES, changed_lines, unified_diff};

    #[test]
    fn the_changed_lines_are_between_the_same_ones() {
        assert_eq!(changed_lines("a\nb\nc\n", "a\nx\ny\nc\n"), (2, 1, 2));
        assert_eq!(changed_lines("a\na\n", "a\na\na\n"), (3, 0, 1));
        assert_eq!(changed_lines("", "a\n"), (1, 0, 1));
        assert_eq!(changed_lines("a", "a\n"), (2, 0, 0));
    }

    #[test]
    fn a_change_of_too_many_lines_is_not_compared() {
        let long = "x\n".repeat(MAX_DIFF_LINES + 10);
        let text = unified_diff("a", "same\ny\n", &format!("same\n{long}"));
        assert!(text.ends_with("\n@@ -2,1 +2,10010 @@ diff too large to show\n"), "{text}");
        let text = unified_diff("a", "b\n", "c\n");
        assert_eq!(text, "--- a\n+++ a (formatted)\n@@ -1 +1 @@\n-b\n+c\n");
    }
}

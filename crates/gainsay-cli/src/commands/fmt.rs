//! `gainsay fmt`: the one way to lay out a file.

use std::path::Path;

use gainsay::source::{Diagnostic, Files, SourceFile, sort};
use gainsay::syntax;
use similar::TextDiff;

use crate::arguments::FmtArguments;
use crate::exit::Exit;
use crate::report::{FormatRecord, Reporter, counted};
use crate::trouble::Trouble;
use crate::{files, output};

/// Lines shown around a change.
const CONTEXT: usize = 1;

/// A change that takes in more lines is not shown: comparing texts that have little in common
/// takes time in proportion to the square of their lines.
const MOST_LINES: usize = 10_000;

/// Formats files in place, shows what would change, or formats the input to the output.
pub(super) fn fmt(args: &FmtArguments, reporter: &mut Reporter) -> Exit {
    let is_input = |path: &Path| path.as_os_str() == "-";
    match args.paths.as_slice() {
        [path] if is_input(path) => {
            reporter.leave_the_output_alone();
            let exit = match files::read_input() {
                Ok(text) => input(&text, plan(args), reporter),
                Err(trouble) => reporter.trouble(&trouble),
            };
            reporter.summary(1, exit);
            exit
        }
        paths if paths.iter().any(|path| is_input(path)) => reporter.trouble(
            &Trouble::usage("`-` stands among other paths")
                .with_help("format the input by itself: `gainsay fmt -`"),
        ),
        _ => folder(args, reporter),
    }
}

/// What is done with a file whose layout is not the canonical one.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum Plan {
    Rewrite,
    Show,
}

fn plan(args: &FmtArguments) -> Plan {
    if args.check { Plan::Show } else { Plan::Rewrite }
}

/// What formatting makes of a text.
enum Formatted {
    Same,
    Changed(String),
    Broken(Files, Vec<Diagnostic>),
}

fn formatted(name: &str, text: &str) -> Formatted {
    let mut files = Files::default();
    let file = files.add(SourceFile::new(name, text));
    let parse = syntax::parse(file, text);
    match syntax::format(&parse) {
        Some(new) if new == text => Formatted::Same,
        // Nothing the user had is lost to a mistake of ours.
        Some(new) if syntax::parse(file, &new).has_errors() => {
            panic!("the formatted text of {name} cannot be read")
        }
        Some(new) => Formatted::Changed(new),
        None => {
            let mut errors = parse.errors;
            sort(&mut errors);
            Formatted::Broken(files, errors)
        }
    }
}

fn input(text: &str, plan: Plan, reporter: &mut Reporter) -> Exit {
    match (formatted("<input>", text), plan) {
        (Formatted::Broken(files, errors), _) => {
            reporter.diagnostics(&files, &errors);
            Exit::DoesNotCompile
        }
        (Formatted::Same, Plan::Show) => Exit::Held,
        (Formatted::Same, Plan::Rewrite) => print(text),
        (Formatted::Changed(new), Plan::Show) => {
            show("<input>", text, &new);
            Exit::Gainsaid
        }
        (Formatted::Changed(new), Plan::Rewrite) => print(&new),
    }
}

fn print(text: &str) -> Exit {
    // What became of the output is asked when the command ends.
    let _ = output::write(text.as_bytes());
    Exit::Held
}

fn folder(args: &FmtArguments, reporter: &mut Reporter) -> Exit {
    let found = files::find(&args.paths);
    let mut exit = Exit::Held;
    for trouble in &found.troubles {
        exit = exit.and(reporter.trouble(trouble));
    }
    if found.files.is_empty() && exit == Exit::Held {
        exit = reporter.trouble(
            &Trouble::nothing_to_run("there are no `.say` files here")
                .with_help("name a file or a folder that has some"),
        );
    }
    let mut n_changed = 0;
    for name in &found.files {
        let (outcome, changed) = file(name, plan(args), reporter);
        exit = exit.and(outcome);
        n_changed += u64::from(changed == Changed::Yes);
    }
    if !found.files.is_empty() {
        let verb = if args.check { "would change" } else { "changed" };
        let all = counted(found.files.len() as u64, "file");
        reporter.remark(&format!("{verb} {n_changed} of {all}"));
    }
    reporter.summary(found.files.len(), exit);
    exit
}

#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum Changed {
    Yes,
    No,
}

fn file(name: &str, plan: Plan, reporter: &mut Reporter) -> (Exit, Changed) {
    let text = match files::read(name) {
        Ok(text) => text,
        Err(trouble) => return (reporter.trouble(&trouble), Changed::No),
    };
    let new = match formatted(name, &text) {
        Formatted::Same => {
            reporter
                .record(&FormatRecord { file: name, changed: false, written: false }.line());
            return (Exit::Held, Changed::No);
        }
        Formatted::Broken(files, errors) => {
            reporter.diagnostics(&files, &errors);
            return (Exit::DoesNotCompile, Changed::No);
        }
        Formatted::Changed(new) => new,
    };
    let (exit, written) = match plan {
        Plan::Show => {
            if reporter.speaks_to_people() {
                show(name, &text, &new);
            }
            (Exit::Gainsaid, false)
        }
        Plan::Rewrite => match files::replace(name, &new) {
            Ok(()) => (Exit::Held, true),
            Err(trouble) => return (reporter.trouble(&trouble), Changed::No),
        },
    };
    reporter.record(&FormatRecord { file: name, changed: true, written }.line());
    (exit, Changed::Yes)
}

/// Prints what formatting would change.
fn show(name: &str, old: &str, new: &str) {
    // What became of the output is asked when the command ends.
    let _ = output::write(difference(name, old, new).as_bytes());
}

/// What formatting would change, as a unified diff.
fn difference(name: &str, old: &str, new: &str) -> String {
    let heading = format!("{name} (formatted)");
    let (at, n_old, n_new) = changed_lines(old, new);
    if n_old + n_new > MOST_LINES {
        return format!(
            "--- {name}\n+++ {heading}\n@@ -{at},{n_old} +{at},{n_new} @@ too much to show\n"
        );
    }
    let diff = TextDiff::from_lines(old, new);
    diff.unified_diff().context_radius(CONTEXT).header(name, &heading).to_string()
}

/// The first line that changes, and how many lines there are from it to the last one that
/// changes, in the old text and in the new one.
fn changed_lines(old: &str, new: &str) -> (usize, usize, usize) {
    let n_same = old.lines().zip(new.lines()).take_while(|(old, new)| old == new).count();
    let rest = |text: &str| text.lines().count() - n_same;
    let (n_old, n_new) = (rest(old), rest(new));
    let ends = old.lines().rev().zip(new.lines().rev()).take_while(|(old, new)| old == new);
    let n_same_at_end = ends.count().min(n_old).min(n_new);
    (n_same + 1, n_old - n_same_at_end, n_new - n_same_at_end)
}

#[cfg(test)]
mod tests {
    use super::{MOST_LINES, changed_lines, difference};

    #[test]
    fn the_changed_lines_are_between_the_same_ones() {
        assert_eq!(changed_lines("a\nb\nc\n", "a\nx\ny\nc\n"), (2, 1, 2));
        assert_eq!(changed_lines("a\na\n", "a\na\na\n"), (3, 0, 1));
        assert_eq!(changed_lines("", "a\n"), (1, 0, 1));
        assert_eq!(changed_lines("a", "a\n"), (2, 0, 0));
    }

    #[test]
    fn a_change_of_too_many_lines_is_not_compared() {
        let long = "x\n".repeat(MOST_LINES + 10);
        let text = difference("a", "same\ny\n", &format!("same\n{long}"));
        assert!(text.ends_with("\n@@ -2,1 +2,10010 @@ too much to show\n"), "{text}");
        let text = difference("a", "b\n", "c\n");
        assert_eq!(text, "--- a\n+++ a (formatted)\n@@ -1 +1 @@\n-b\n+c\n");
    }
}

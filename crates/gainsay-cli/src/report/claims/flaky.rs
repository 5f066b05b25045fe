//! Two runs of one case that did not go the same way, side by side.

use std::fmt::Write as _;

use gainsay::source::{Diagnostic, Files, Style};
use gainsay::test::{Flake, Went, WentEnd};
use similar::{ChangeTag, TextDiff};

use super::failure::source;
use crate::report::paint::{Tone, paint};
use crate::report::{counted, place_of};

/// At most so many choices are shown that were drawn differently.
const MOST_CHOICES: usize = 10;

/// What two runs of a case did, and where they part.
pub(super) fn section(files: &Files, flake: &Flake, style: Style) -> String {
    let mut text = format!(
        "  case {} did not go the same way in {}: one (-) and another (+)\n",
        flake.case,
        counted(flake.runs, "run"),
    );
    let (first, second) = (&flake.first, &flake.second);
    text += &changes(&inputs(first), &inputs(second), style);
    text += &drawn(first, second, style);
    text += &changes(&course(files, first), &course(files, second), style);
    text += "  help: report this: nothing a claim can reach differs from run to run\n";
    text
}

/// Lines of both, those of only one of them marked.
fn changes(first: &str, second: &str, style: Style) -> String {
    let mut text = String::new();
    for change in TextDiff::from_lines(first, second).iter_all_changes() {
        let line = change.value().trim_end_matches('\n');
        let _ = writeln!(text, "    {}", marked(change.tag(), line, style));
    }
    text
}

fn marked(tag: ChangeTag, line: &str, style: Style) -> String {
    match tag {
        ChangeTag::Equal => format!("  {line}"),
        ChangeTag::Delete => paint(style, Tone::Bad, &format!("- {line}")),
        ChangeTag::Insert => paint(style, Tone::Good, &format!("+ {line}")),
    }
}

fn inputs(went: &Went) -> String {
    source(&went.arguments)
}

/// The choices that differ: where the runs parted is above all others.
fn drawn(first: &Went, second: &Went, style: Style) -> String {
    if first.drawn.is_empty() || first.drawn == second.drawn {
        return String::new();
    }
    let lines = |went: &Went| went.drawn.join("\n") + "\n";
    let (first, second) = (lines(first), lines(second));
    let diff = TextDiff::from_lines(first.as_str(), second.as_str());
    let differ: Vec<_> =
        diff.iter_all_changes().filter(|it| it.tag() != ChangeTag::Equal).collect();
    let mut text = String::new();
    for change in differ.iter().take(MOST_CHOICES) {
        let line = format!("choice {}", change.value().trim_end_matches('\n'));
        let _ = writeln!(text, "    {}", marked(change.tag(), &line, style));
    }
    if differ.len() > MOST_CHOICES {
        let more = counted((differ.len() - MOST_CHOICES) as u64, "more choice");
        let _ = writeln!(text, "      .. and {more}");
    }
    text
}

/// What happened, a line for each thing that is known.
fn course(files: &Files, went: &Went) -> String {
    let mut text = String::new();
    if let Some(observed) = went.observed {
        let _ = writeln!(text, "{}", counted(observed, "observation"));
    }
    if let Some(steps) = went.steps {
        let _ = writeln!(text, "{}", counted(steps, "step"));
    }
    let (word, why) = end(&went.end);
    let _ = match why {
        Some(why) => {
            writeln!(text, "{word}: {} ({})", why.message, place_of(files, why.primary.span))
        }
        None => writeln!(text, "{word}"),
    };
    for note in why.iter().flat_map(|it| &it.notes) {
        let _ = writeln!(text, "  {note}");
    }
    text
}

/// The word for how a run ended, and what there is to say of it.
fn end(end: &WentEnd) -> (&'static str, Option<&Diagnostic>) {
    match end {
        WentEnd::Passed => ("passes", None),
        WentEnd::Failed(why) => ("fails", why.as_ref()),
        WentEnd::Unfinished(why) => ("is not finished", why.as_ref()),
        WentEnd::Discarded => ("does not count", None),
    }
}

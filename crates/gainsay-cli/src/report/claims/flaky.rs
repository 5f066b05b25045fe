//! Flaky cases: two different runs of one case, side by side.

use std::fmt::Write as _;

use gainsay::source::{Diagnostic, RenderStyle, SourceMap};
use gainsay::test::{CaseRunEnd, CaseRunReport, Flake};
use similar::{ChangeTag, TextDiff};

use super::failure::source;
use crate::report::colors::{TextRole, paint};
use crate::report::{location_text, pluralize};

/// The maximum number of differing choices that are shown.
const MAX_CHOICES: usize = 10;

/// What two runs of a case did, and where they diverge. `against` is what answered for systems.
pub(super) fn section(
    files: &SourceMap,
    flake: &Flake,
    against: &[String],
    style: RenderStyle,
) -> String {
    let mut text = format!(
        "  case {} behaved differently in {}: one run (-), another (+)\n",
        flake.case,
        pluralize(flake.runs, "run"),
    );
    let (first, second) = (&flake.first, &flake.second);
    text += &line_diff(&inputs(first), &inputs(second), style);
    text += &choice_differences(first, second, style);
    text += &line_diff(&run_lines(files, first), &run_lines(files, second), style);
    text += if against.is_empty() {
        "  help: please report this bug: a claim has no access to nondeterminism\n"
    } else {
        "  help: let the adapter start over completely at `gainsay.reset`, or try `--fresh`\n"
    };
    text
}

/// A line diff of two texts.
fn line_diff(first: &str, second: &str, style: RenderStyle) -> String {
    let mut text = String::new();
    for change in TextDiff::from_lines(first, second).iter_all_changes() {
        let line = change.value().trim_end_matches('\n');
        let _ = writeln!(text, "    {}", diff_line(change.tag(), line, style));
    }
    text
}

fn diff_line(tag: ChangeTag, line: &str, style: RenderStyle) -> String {
    match tag {
        ChangeTag::Equal => format!("  {line}"),
        ChangeTag::Delete => paint(style, TextRole::Failure, &format!("- {line}")),
        ChangeTag::Insert => paint(style, TextRole::Success, &format!("+ {line}")),
    }
}

fn inputs(went: &CaseRunReport) -> String {
    source(&went.arguments)
}

/// The choices that differ; the first one is where the runs diverged.
fn choice_differences(
    first: &CaseRunReport,
    second: &CaseRunReport,
    style: RenderStyle,
) -> String {
    if first.drawn.is_empty() || first.drawn == second.drawn {
        return String::new();
    }
    let lines = |went: &CaseRunReport| went.drawn.join("\n") + "\n";
    let (first, second) = (lines(first), lines(second));
    let diff = TextDiff::from_lines(first.as_str(), second.as_str());
    let differ: Vec<_> =
        diff.iter_all_changes().filter(|it| it.tag() != ChangeTag::Equal).collect();
    let mut text = String::new();
    for change in differ.iter().take(MAX_CHOICES) {
        let line = format!("choice {}", change.value().trim_end_matches('\n'));
        let _ = writeln!(text, "    {}", diff_line(change.tag(), &line, style));
    }
    if differ.len() > MAX_CHOICES {
        let more = pluralize((differ.len() - MAX_CHOICES) as u64, "more choice");
        let _ = writeln!(text, "      .. and {more}");
    }
    text
}

/// What happened in a run, one line per fact.
fn run_lines(files: &SourceMap, went: &CaseRunReport) -> String {
    let mut text = String::new();
    if let Some(observed) = went.observed {
        let _ = writeln!(text, "{}", pluralize(observed, "observation"));
    }
    if let Some(steps) = went.steps {
        let _ = writeln!(text, "{}", pluralize(steps, "step"));
    }
    let (word, why) = end_text(&went.end);
    let _ = match why {
        Some(why) => {
            writeln!(
                text,
                "{word}: {} ({})",
                why.message,
                location_text(files, why.primary.span)
            )
        }
        None => writeln!(text, "{word}"),
    };
    for note in why.iter().flat_map(|it| &it.notes) {
        let _ = writeln!(text, "  {note}");
    }
    text
}

/// The word for how a run ended, and its diagnostic.
fn end_text(end: &CaseRunEnd) -> (&'static str, Option<&Diagnostic>) {
    match end {
        CaseRunEnd::Passed => ("passes", None),
        CaseRunEnd::Failed(why) => ("fails", why.as_ref()),
        CaseRunEnd::Unfinished(why) => ("stopped early", why.as_ref()),
        CaseRunEnd::Discarded => ("discarded", None),
    }
}

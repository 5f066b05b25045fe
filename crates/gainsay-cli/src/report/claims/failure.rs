//! Something found against a claim, in full.

use std::fmt::Write as _;

use gainsay::source::{Diagnostic, Files, Span, Style, render};
use gainsay::test::{
    Argument, Cause, ClaimReport, ClaimType, Failure, Found, Outcome, Sides, Stored,
    StoredState, Verdict, Warning,
};

use super::{Account, Standing, flaky, quoted, verified, warning};
use crate::report::paint::{Tone, paint};
use crate::report::{Detail, counted, in_a_line, place_of};

/// Texts of values are cut off after about so many bytes: a report is for reading. The JSON
/// formats have them whole.
const LONGEST_VALUE: usize = 2_000;

/// Choices of a generator that failed that are shown; the saved case has all of them.
const MOST_CHOICES: usize = 40;

/// At most so many places are shown in which two values differ.
const MOST_DIFFERENCES: usize = 10;

/// How failures are told where nobody can choose.
pub(super) const PLAIN: (Style, Detail) = (Style::Plain, Detail::Usual);

/// Everything found against a claim, or nothing.
pub(crate) fn sections(
    account: &Account<'_>,
    claim: &ClaimReport,
    (style, detail): (Style, Detail),
) -> String {
    let mut text = String::new();
    for (at, failure) in claim.failures.iter().enumerate() {
        let nth = format!(" ({} of {})", at + 1, claim.failures.len());
        let nth = if claim.failures.len() > 1 { nth } else { String::new() };
        let is_limit = failure.cause == Cause::Limit;
        let standing = if is_limit { Standing::Limit } else { Standing::Failed };
        text += &heading(claim, standing, &nth, style);
        text += &section(account.files, claim, failure, (style, detail));
        text.push('\n');
    }
    text += &verified::untold(claim);
    let covers = uncovered(claim);
    if !covers.is_empty() {
        text += &heading(claim, Standing::Failed, "", style);
        text += &indented(&covers.join("\n"), 2);
        text += "  help: make such inputs more often by a generator, or demand less\n\n";
    }
    let standing = Standing::of(claim, account.deny);
    if let Some(reason) = &claim.reason {
        let is_said = matches!(standing, Standing::Vacuous | Standing::Limit);
        let standing = if is_said { standing } else { Standing::Declined };
        text += &heading(claim, standing, "", style);
        text += &diagnostic(account.files, claim, reason, style);
        text.push('\n');
    }
    if let Some(flake) = &claim.flake {
        text += &heading(claim, Standing::Flaky, "", style);
        text += &flaky::section(account.files, flake, style);
        text.push('\n');
    }
    if standing == Standing::Vacuous && claim.reason.is_none() {
        text += &heading(claim, Standing::Vacuous, "", style);
        text += &vacuous(account.files, claim);
        text.push('\n');
    }
    text
}

fn heading(claim: &ClaimReport, standing: Standing, nth: &str, style: Style) -> String {
    let tone = if standing == Standing::Failed { Tone::Bad } else { Tone::Odd };
    let word = paint(style, tone, standing.word());
    format!("{word} {}{nth}\n", paint(style, Tone::Strong, &claim.id()))
}

/// One failure: what happened where, the counterexample, what differed, how it was found, and
/// how to see it again.
pub(super) fn section(
    files: &Files,
    claim: &ClaimReport,
    failure: &Failure,
    (style, detail): (Style, Detail),
) -> String {
    let mut fault = failure.fault.clone();
    if failure.sides.is_some() {
        // The notes of an observation are its sides, which are shown in full below.
        fault.notes.clear();
    }
    let mut text = diagnostic(files, claim, &fault, style);
    if let Some(case) = &failure.verified {
        text += &verified::lines(failure, case, style);
        text += &failure.sides.as_ref().map_or_else(String::new, |it| inner(it, style));
    } else {
        if !failure.arguments.is_empty() {
            text += "  counterexample:\n";
            text += &indented(&source(&failure.arguments), 4);
        }
        text += &failure.sides.as_ref().map_or_else(String::new, |it| both_sides(it, style));
    }
    text += &parts(files, &failure.parts);
    text += &locals(&failure.locals);
    if !failure.drawn.is_empty() {
        text += "  drawn before it failed:\n";
        let n_shown = failure.drawn.len().min(MOST_CHOICES);
        text += &indented(&failure.drawn[..n_shown].join("\n"), 4);
        let n_more = failure.drawn.len() - n_shown;
        if n_more > 0 {
            let _ = writeln!(text, "    and {}", counted(n_more as u64, "more choice"));
        }
    }
    // Of a case that was kept, its file says as much.
    let is_kept = |it: &&Found| it.outcome == Outcome::Kept && failure.stored.is_some();
    if let Some(found) = failure.found.as_ref().filter(|it| !is_kept(it)) {
        let _ = writeln!(text, "  {}", how_found(found));
        let is_property = claim.ty == ClaimType::Property;
        if let Some(seed) = found.seed.filter(|_| is_property) {
            let _ =
                writeln!(text, "  pin it: `@property(seed = {seed:#x})` draws this case alone");
        }
        let is_other =
            |it: &Argument| !failure.arguments.iter().any(|new| new.value == it.value);
        if detail == Detail::Full && found.original.iter().any(is_other) {
            text += "  as it was found:\n";
            text += &indented(&source(&found.original), 4);
        }
    }
    if let Some(command) = replay_command(files, claim, failure) {
        let _ = writeln!(text, "  replay: {}", paint(style, Tone::Strong, &command));
    }
    if let Some(stored) = &failure.stored {
        let _ = writeln!(text, "  {}", warning::kept_case(stored));
    }
    for similar in &failure.similar {
        let place = place_of(files, similar.fault.primary.span);
        let _ =
            writeln!(text, "  also, with the same inputs: {} ({place})", similar.fault.message);
    }
    text
}

/// A diagnostic that also points at the name of the claim.
fn diagnostic(files: &Files, claim: &ClaimReport, it: &Diagnostic, style: Style) -> String {
    let mut shown = it.clone();
    let seen = |span| shown.secondary.iter().any(|label| label.span == span);
    if it.primary.span != claim.span && !seen(claim.span) {
        shown = shown.with_label(claim.span, "of this claim");
    }
    render(files, &shown, style)
}

/// The inputs as lines that can be pasted.
pub(crate) fn source(arguments: &[Argument]) -> String {
    let mut text = String::new();
    for argument in arguments {
        let nth = (argument.time > 1).then(|| format!("drawn for the {}", nth(argument.time)));
        let remarks: Vec<String> = nth.into_iter().chain(others_fail(argument)).collect();
        let _ = write!(text, "let {} = {}", argument.name, brief(&argument.value));
        if !remarks.is_empty() {
            let _ = write!(text, "  // {}", remarks.join("; "));
        }
        text.push('\n');
    }
    text
}

/// That an input makes no difference, and how many others say so.
pub(super) fn others_fail(it: &Argument) -> Option<String> {
    match it.others_tried.filter(|_| it.is_irrelevant)? {
        1 => Some("fails with the one other value tried".to_owned()),
        n => Some(format!("fails with {n} of {n} other values tried")),
    }
}

/// `2nd time`, `3rd time`, ...
fn nth(time: u64) -> String {
    let ending = match (time % 100, time % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        (_, _) => "th",
    };
    format!("{time}{ending} time")
}

fn both_sides(sides: &Sides, style: Style) -> String {
    let left = |text: &str| paint(style, Tone::Bad, &brief(text));
    let right = |text: &str| paint(style, Tone::Good, &brief(text));
    let mut text = format!("  both sides of `{}`:\n", sides.operator);
    let _ = writeln!(text, "    left   {}", left(&sides.left));
    let _ = writeln!(text, "    right  {}", right(&sides.right));
    text + &inner(sides, style)
}

/// Where inside two values differ.
fn inner(sides: &Sides, style: Style) -> String {
    let left = |text: &str| paint(style, Tone::Bad, &brief(text));
    let right = |text: &str| paint(style, Tone::Good, &brief(text));
    let mut text = String::new();
    // A difference at the top would only repeat the sides.
    let inner: Vec<_> =
        sides.differences.iter().filter(|(path, ..)| !path.is_empty()).collect();
    if inner.is_empty() {
        return text;
    }
    text += "  where they differ:\n";
    let width = inner.iter().take(MOST_DIFFERENCES).map(|it| it.0.chars().count()).max();
    let width = width.unwrap_or_default();
    for (path, a, b) in inner.iter().take(MOST_DIFFERENCES) {
        let _ = writeln!(text, "    {path:width$}  left {}, right {}", left(a), right(b));
    }
    if inner.len() > MOST_DIFFERENCES {
        let more = counted((inner.len() - MOST_DIFFERENCES) as u64, "more place");
        let _ = writeln!(text, "    .. and {more}");
    }
    text
}

fn parts(files: &Files, parts: &[(Span, String)]) -> String {
    if parts.is_empty() {
        return String::new();
    }
    let mut text = String::from("  values of its parts:\n");
    let mut lines: Vec<(String, &String)> = Vec::new();
    for (span, value) in parts {
        let line = (in_a_line(files.text(*span)), value);
        // The same expression may stand there twice.
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let width = lines.iter().map(|(part, _)| part.chars().count()).max().unwrap_or_default();
    // One long part would push the values of all others away.
    let width = width.min(40);
    for (part, value) in &lines {
        let _ = writeln!(text, "    {part:width$} = {}", brief(value));
    }
    text
}

/// The locals of a claim, each with its value.
fn locals(locals: &[(String, String)]) -> String {
    if locals.is_empty() {
        return String::new();
    }
    let mut text = String::from("  locals:\n");
    let width = locals.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    for (name, value) in locals {
        let _ = writeln!(text, "    {name:width$} = {}", brief(value));
    }
    text
}

/// How a case was found and made simpler, in a sentence.
pub(super) fn how_found(found: &Found) -> String {
    let Found { case, choices_found, choices, executions, .. } = found;
    let mut text = match case {
        0 => "found by an earlier run".to_owned(),
        case => format!("found in case {case}"),
    };
    if *executions > 0 {
        let _ = write!(text, "; made simpler in {}", counted(*executions, "more run"));
    }
    if choices < choices_found {
        let _ = write!(text, ", from {} to {choices}", counted(*choices_found, "choice"));
    }
    match found.outcome {
        Outcome::Minimal => format!("{text}; locally minimal"),
        Outcome::TooSlow => format!("{text}; then no more were made: each takes long"),
        Outcome::TimeOver => format!("{text}; then the time was over (--shrink-time)"),
        Outcome::TriesOver => format!("{text}; then the tries were over (--max-shrinks)"),
        Outcome::Interrupted => format!("{text}; then it was interrupted"),
        Outcome::Kept => "this case was kept, and fails still".to_owned(),
    }
}

/// The command line that shows a failure again.
pub(super) fn replay_command(
    files: &Files,
    claim: &ClaimReport,
    failure: &Failure,
) -> Option<String> {
    let is_kept = failure.found.as_ref().is_some_and(|it| it.outcome == Outcome::Kept);
    let is_named = |it: &&Stored| is_kept || it.state == StoredState::New;
    let kept = failure.stored.as_ref().filter(is_named).map(|it| it.path.as_str());
    let case = quoted(failure.replay.as_deref().or(kept)?);
    let file = &files.get(claim.span.file).name;
    Some(format!("gainsay replay {} {case} {}", quoted(&claim.id()), quoted(file)))
}

/// What `cover` demands and does not get, a sentence for each.
pub(super) fn uncovered(claim: &ClaimReport) -> Vec<String> {
    let mut sentences = Vec::new();
    for site in &claim.sites {
        for cover in site.covers.iter().filter(|it| it.verdict == Verdict::Fails) {
            let share = cover.cases as f64 * 100.0 / (site.cases as f64).max(1.0);
            let cases = counted(site.cases, "case");
            sentences.push(format!(
                "`{}` holds in {share:.1} % of {cases}; `cover` demands {} %",
                cover.name, cover.percent
            ));
        }
    }
    sentences
}

/// Why a vacuous claim is one, in a sentence.
pub(super) fn untested(claim: &ClaimReport) -> String {
    if let Some(reason) = &claim.reason {
        return reason.message.clone();
    }
    if is_unreached(claim) {
        return "nothing was observed: no case reached an `across` of it".to_owned();
    }
    let counted = counted(claim.cases, "case");
    format!("{counted} counted, and {} did not: nothing was tested", claim.discards.cases())
}

/// Whether it is not for want of cases that nothing was tested.
fn is_unreached(claim: &ClaimReport) -> bool {
    let is_unreached = |it: &Warning| matches!(it, Warning::Unreached(_));
    claim.discards.cases() == 0 && claim.warnings.iter().any(is_unreached)
}

/// Where the cases of a vacuous claim were lost.
fn vacuous(files: &Files, claim: &ClaimReport) -> String {
    let mut text = format!("  {}\n", untested(claim));
    if is_unreached(claim) {
        return text + "  help: let cases reach the `across`, or remove it\n";
    }
    text += &super::tables::discards(files, claim);
    text += if claim.discards.cut_off > 0 {
        "  help: let the generator end, with `Gen.sized` or a smaller bound; or make the type \
         smaller\n"
    } else {
        "  help: make the inputs by a generator, or by a refinement that can be solved\n"
    };
    text
}

/// A text that is not too long to be read.
pub(super) fn brief(text: &str) -> String {
    if text.len() <= LONGEST_VALUE {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(LONGEST_VALUE);
    format!("{} .. ({} more bytes)", &text[..end], text.len() - end)
}

fn indented(text: &str, by: usize) -> String {
    let gap = " ".repeat(by);
    text.lines().fold(String::new(), |mut all, line| {
        let _ = writeln!(all, "{gap}{line}");
        all
    })
}

#[cfg(test)]
mod tests {
    use super::brief;

    #[test]
    fn long_values_are_cut_between_characters() {
        assert_eq!(brief("short"), "short");
        let text = brief(&"ö".repeat(1_500));
        assert!(text.ends_with("ö .. (1000 more bytes)"), "{text}");
    }
}

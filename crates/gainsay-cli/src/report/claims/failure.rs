//! Failures of a claim in full: fault, counterexample, differences, and how to replay it.

use std::fmt::Write as _;

use gainsay::source::{Diagnostic, RenderStyle, SourceMap, Span, render};
use gainsay::test::{
    ClaimReport, ClaimType, ClaimWarning, ComparisonSides, CoverVerdict, Failure, FailureCause,
    ReportedInput, SavedCaseReport, SavedCaseState, ShrinkOutcome, ShrinkSummary,
};

use super::{
    DisplayStatus, TestReportData, flaky, shell_quoted, verify_blocks, walks, warnings,
};
use crate::report::colors::{TextRole, paint};
use crate::report::{Verbosity, location_text, on_one_line, pluralize};

/// Longer values are truncated at about this many bytes, for readability. The JSON formats contain
/// them in full.
const MAX_VALUE_BYTES: usize = 2_000;

/// The maximum number of calls of systems that are shown without `-v`.
const MAX_CALLS: usize = 12;
/// The number of choices shown for a failed generator; the saved case contains all.
const MAX_CHOICES: usize = 40;

/// The maximum number of differences shown between two values.
const MAX_DIFFERENCES: usize = 10;

/// The style and verbosity where the user cannot choose.
pub(super) const PLAIN: (RenderStyle, Verbosity) = (RenderStyle::Plain, Verbosity::Normal);

/// All failures of a claim, or nothing.
pub(crate) fn sections(
    data: &TestReportData<'_>,
    claim: &ClaimReport,
    (style, detail): (RenderStyle, Verbosity),
) -> String {
    let mut text = String::new();
    for (at, failure) in claim.failures.iter().enumerate() {
        let nth = format!(" ({} of {})", at + 1, claim.failures.len());
        let nth = if claim.failures.len() > 1 { nth } else { String::new() };
        let is_limit = failure.cause == FailureCause::Limit;
        let status = if is_limit { DisplayStatus::Limit } else { DisplayStatus::Failed };
        text += &heading(claim, status, &nth, style);
        text += &section(data.files, claim, failure, (style, detail));
        text.push('\n');
    }
    text += &verify_blocks::unreported_failures(claim);
    let covers = unmet_covers(claim);
    if !covers.is_empty() {
        text += &heading(claim, DisplayStatus::Failed, "", style);
        text += &indented(&covers.join("\n"), 2);
        text += "  help: generate such inputs more often, or require a smaller share\n\n";
    }
    let status = DisplayStatus::of(claim, data.deny);
    if let Some(reason) = &claim.reason {
        let is_explained = matches!(status, DisplayStatus::Vacuous | DisplayStatus::Limit);
        let status = if is_explained { status } else { DisplayStatus::Declined };
        text += &heading(claim, status, "", style);
        text += &diagnostic(data.files, claim, reason, style);
        text.push('\n');
    }
    if let Some(flake) = &claim.flake {
        text += &heading(claim, DisplayStatus::Flaky, "", style);
        text += &flaky::section(data.files, flake, &claim.against, style);
        text.push('\n');
    }
    if status == DisplayStatus::Vacuous && claim.reason.is_none() {
        text += &heading(claim, DisplayStatus::Vacuous, "", style);
        text += &vacuous_details(data.files, claim);
        text.push('\n');
    }
    text
}

fn heading(
    claim: &ClaimReport,
    status: DisplayStatus,
    nth: &str,
    style: RenderStyle,
) -> String {
    let tone =
        if status == DisplayStatus::Failed { TextRole::Failure } else { TextRole::Warning };
    let word = paint(style, tone, status.label());
    format!("{word} {}{nth}\n", paint(style, TextRole::Heading, &claim.id()))
}

/// One failure: what happened where, the counterexample, the difference, how it was found, and how
/// to replay it.
pub(super) fn section(
    files: &SourceMap,
    claim: &ClaimReport,
    failure: &Failure,
    (style, detail): (RenderStyle, Verbosity),
) -> String {
    let mut fault = failure.fault.clone();
    if failure.sides.is_some() {
        // The notes of an observation are its two sides, which are shown in full below.
        fault.notes.clear();
    }
    let mut text = diagnostic(files, claim, &fault, style);
    if let Some(case) = &failure.verify_case {
        text += &verify_blocks::case_lines(failure, case, style);
        text +=
            &failure.sides.as_ref().map_or_else(String::new, |it| difference_lines(it, style));
    } else {
        text += &match &claim.walks {
            Some(_) => walks::trace(&failure.arguments),
            None => counterexample(&failure.arguments),
        };
        text += &failure.sides.as_ref().map_or_else(String::new, |it| sides_text(it, style));
    }
    text += &system_call_lines(&failure.system_calls, detail);
    text += &subexpression_lines(files, &failure.subexpressions);
    text += &local_lines(&failure.locals);
    if !failure.drawn.is_empty() {
        text += "  choices drawn before the failure:\n";
        let n_shown = failure.drawn.len().min(MAX_CHOICES);
        text += &indented(&failure.drawn[..n_shown].join("\n"), 4);
        let n_more = failure.drawn.len() - n_shown;
        if n_more > 0 {
            let _ = writeln!(text, "    and {}", pluralize(n_more as u64, "more choice"));
        }
    }
    // For a saved case the line with its file says the same.
    let is_saved = |it: &&ShrinkSummary| {
        it.outcome == ShrinkOutcome::FromSavedCase && failure.saved.is_some()
    };
    if let Some(found) = failure.shrink.as_ref().filter(|it| !is_saved(it)) {
        let _ = writeln!(text, "  {}", shrink_summary_text(found));
        let is_property = claim.ty == ClaimType::Property;
        if let Some(seed) = found.seed.filter(|_| is_property) {
            let _ = writeln!(text, "  pin: `@property(seed = {seed:#x})` runs only this case");
        }
        let is_other =
            |it: &ReportedInput| !failure.arguments.iter().any(|new| new.value == it.value);
        // Only if shrinking changed something; else the same inputs would be shown twice.
        if detail == Verbosity::Verbose && found.original_inputs.iter().any(is_other) {
            text += "  original counterexample:\n";
            text += &indented(&source(&found.original_inputs), 4);
        }
    }
    if let Some(command) = replay_command(files, claim, failure) {
        let _ = writeln!(text, "  replay: {}", paint(style, TextRole::Heading, &command));
    }
    if let Some(saved) = &failure.saved {
        let _ = writeln!(text, "  {}", warnings::saved_case_text(saved));
    }
    for similar in &failure.related {
        let place = location_text(files, similar.fault.primary.span);
        let _ = writeln!(
            text,
            "  another failure with these inputs: {} ({place})",
            similar.fault.message
        );
    }
    text
}

/// The diagnostic, with a label at the name of the claim.
fn diagnostic(
    files: &SourceMap,
    claim: &ClaimReport,
    it: &Diagnostic,
    style: RenderStyle,
) -> String {
    let mut shown = it.clone();
    let seen = |span| shown.secondary.iter().any(|label| label.span == span);
    if it.primary.span != claim.span && !seen(claim.span) {
        shown = shown.with_label(claim.span, claim_label(claim.ty));
    }
    render(files, &shown, style)
}

/// The label at the name of a claim that fails elsewhere.
pub(super) fn claim_label(ty: ClaimType) -> &'static str {
    match ty {
        ClaimType::Test => "in this test",
        ClaimType::Property => "in this property",
        ClaimType::Verify => "in this block",
    }
}

fn counterexample(arguments: &[ReportedInput]) -> String {
    if arguments.is_empty() {
        return String::new();
    }
    format!("  counterexample:\n{}", indented(&source(arguments), 4))
}

/// The inputs as lines that can be pasted.
pub(crate) fn source(arguments: &[ReportedInput]) -> String {
    let mut text = String::new();
    for argument in arguments {
        let nth =
            (argument.occurrence > 1).then(|| format!("{} draw", ordinal(argument.occurrence)));
        let remarks: Vec<String> = nth.into_iter().chain(irrelevant_note(argument)).collect();
        let _ = write!(text, "let {} = {}", argument.name, truncated(&argument.value));
        if !remarks.is_empty() {
            // As a comment, so that the line stays valid source.
            let _ = write!(text, "  // {}", remarks.join("; "));
        }
        text.push('\n');
    }
    text
}

/// The note that an input is irrelevant, with the number of alternatives tried.
pub(super) fn irrelevant_note(it: &ReportedInput) -> Option<String> {
    match it.others_tried.filter(|_| it.is_irrelevant)? {
        1 => Some("or the other value tried".to_owned()),
        n => Some(format!("or any of the {n} other values tried")),
    }
}

/// `2nd`, `3rd`, ...
fn ordinal(time: u64) -> String {
    let ending = match (time % 100, time % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        (_, _) => "th",
    };
    format!("{time}{ending}")
}

fn sides_text(sides: &ComparisonSides, style: RenderStyle) -> String {
    let left = |text: &str| paint(style, TextRole::Failure, &truncated(text));
    let right = |text: &str| paint(style, TextRole::Success, &truncated(text));
    let mut text = format!("  operands of `{}`:\n", sides.operator);
    let _ = writeln!(text, "    left   {}", left(&sides.left));
    let _ = writeln!(text, "    right  {}", right(&sides.right));
    text + &difference_lines(sides, style)
}

/// The paths at which two values differ.
fn difference_lines(sides: &ComparisonSides, style: RenderStyle) -> String {
    let left = |text: &str| paint(style, TextRole::Failure, &truncated(text));
    let right = |text: &str| paint(style, TextRole::Success, &truncated(text));
    let mut text = String::new();
    // A difference at the top level would only repeat the two sides.
    let inner: Vec<_> =
        sides.differences.iter().filter(|(path, ..)| !path.is_empty()).collect();
    if inner.is_empty() {
        return text;
    }
    text += "  difference:\n";
    let width = inner.iter().take(MAX_DIFFERENCES).map(|it| it.0.chars().count()).max();
    let width = width.unwrap_or_default();
    for (path, a, b) in inner.iter().take(MAX_DIFFERENCES) {
        let _ = writeln!(text, "    {path:width$}  left {}, right {}", left(a), right(b));
    }
    if inner.len() > MAX_DIFFERENCES {
        let more = pluralize((inner.len() - MAX_DIFFERENCES) as u64, "more difference");
        let _ = writeln!(text, "    .. and {more}");
    }
    text
}

fn subexpression_lines(files: &SourceMap, parts: &[(Span, String)]) -> String {
    if parts.is_empty() {
        return String::new();
    }
    let mut text = String::from("  subexpressions:\n");
    let mut lines: Vec<(String, &String)> = Vec::new();
    for (span, value) in parts {
        let line = (on_one_line(files.text(*span)), value);
        // The same expression may occur twice.
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let width = lines.iter().map(|(part, _)| part.chars().count()).max().unwrap_or_default();
    // One long expression would push the values of all others to the right.
    let width = width.min(40);
    for (part, value) in &lines {
        let _ = writeln!(text, "    {part:width$} = {}", truncated(value));
    }
    text
}

/// The locals of a claim with their values.
fn local_lines(locals: &[(String, String)]) -> String {
    if locals.is_empty() {
        return String::new();
    }
    let mut text = String::from("  locals:\n");
    let width = locals.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    for (name, value) in locals {
        let _ = writeln!(text, "    {name:width$} = {}", truncated(value));
    }
    text
}

/// How a case was found and shrunk, as a sentence.
pub(super) fn shrink_summary_text(found: &ShrinkSummary) -> String {
    let ShrinkSummary { case, original_choices: choices_found, choices, executions, .. } =
        found;
    let mut text = match case {
        0 => "found by an earlier run".to_owned(),
        case => format!("found in case {case}"),
    };
    if *executions > 0 {
        let _ = write!(text, "; shrunk in {}", pluralize(*executions, "run"));
    }
    if choices < choices_found {
        let _ = write!(text, " from {} to {choices}", pluralize(*choices_found, "choice"));
    }
    match found.outcome {
        ShrinkOutcome::Minimal => format!("{text}; locally minimal"),
        ShrinkOutcome::TooSlow => format!("{text}; shrinking stopped because each run is slow"),
        ShrinkOutcome::Timeout => format!("{text}; shrinking ran out of time (--shrink-time)"),
        ShrinkOutcome::BudgetExhausted => {
            format!("{text}; shrinking ran out of attempts (--max-shrinks)")
        }
        ShrinkOutcome::Interrupted => format!("{text}; shrinking was interrupted"),
        ShrinkOutcome::FromSavedCase => "saved case still fails".to_owned(),
    }
}

/// What the case asked of systems; the last calls lead to the failure.
fn system_call_lines(calls: &[String], detail: Verbosity) -> String {
    if calls.is_empty() {
        return String::new();
    }
    let n_shown = if detail == Verbosity::Verbose { calls.len() } else { MAX_CALLS };
    let n_hidden = calls.len().saturating_sub(n_shown);
    let mut text = "  calls:\n".to_owned();
    if n_hidden > 0 {
        let _ = writeln!(
            text,
            "    {} (shown with -v)",
            pluralize(n_hidden as u64, "earlier call")
        );
    }
    text + &indented(&calls[n_hidden..].join("\n"), 4)
}

/// The command line that replays a failure.
pub(super) fn replay_command(
    files: &SourceMap,
    claim: &ClaimReport,
    failure: &Failure,
) -> Option<String> {
    let is_saved =
        failure.shrink.as_ref().is_some_and(|it| it.outcome == ShrinkOutcome::FromSavedCase);
    // A token works without the file, so a path is only named if there is no token.
    let is_named = |it: &&SavedCaseReport| is_saved || it.state == SavedCaseState::New;
    let path = failure.saved.as_ref().filter(is_named).map(|it| it.path.as_str());
    let case = shell_quoted(failure.replay_token.as_deref().or(path)?);
    let file = &files.get(claim.span.file).name;
    let mut command =
        format!("gainsay replay {} {case} {}", shell_quoted(&claim.id()), shell_quoted(file));
    for binding in &claim.against {
        command += &format!(" --against {}", shell_quoted(binding));
    }
    Some(command)
}

/// The unmet demands of `cover`, one sentence each.
pub(super) fn unmet_covers(claim: &ClaimReport) -> Vec<String> {
    let mut sentences = Vec::new();
    for site in &claim.sites {
        for cover in site.covers.iter().filter(|it| it.verdict == CoverVerdict::Fails) {
            let share = cover.cases as f64 * 100.0 / (site.cases as f64).max(1.0);
            let cases = pluralize(site.cases, "case");
            sentences.push(format!(
                "`{}` holds in {share:.1} % of {cases}; `cover` requires {} %",
                cover.name, cover.percent
            ));
        }
    }
    sentences
}

/// Why a claim is vacuous, as a sentence.
pub(super) fn vacuous_reason(claim: &ClaimReport) -> String {
    if let Some(reason) = &claim.reason {
        return reason.message.clone();
    }
    if let Some(reason) = walks::vacuous_reason(claim) {
        return reason;
    }
    if is_unreached(claim) {
        return "nothing was tested: no case reached an `across` block".to_owned();
    }
    let counted = pluralize(claim.cases, "case");
    format!("nothing was tested: {counted} ran and {} were discarded", claim.discards.cases())
}

/// Whether the claim is vacuous for another reason than a lack of cases.
fn is_unreached(claim: &ClaimReport) -> bool {
    let is_unreached = |it: &ClaimWarning| matches!(it, ClaimWarning::Unreached(_));
    claim.discards.cases() == 0 && claim.warnings.iter().any(is_unreached)
}

/// Where the cases of a vacuous claim were discarded.
fn vacuous_details(files: &SourceMap, claim: &ClaimReport) -> String {
    let mut text = format!("  {}\n", vacuous_reason(claim));
    if is_unreached(claim) {
        return text + "  help: make the `across` reachable, or remove it\n";
    }
    text += &super::tables::discards(files, claim);
    text += if claim.walks.is_some() {
        "  help: compare the system with the traces that `gainsay spec traces` and `gainsay synth` show\n"
    } else if claim.discards.cut_off > 0 {
        "  help: bound the generator with `Gen.sized` or a smaller limit, or use a smaller type\n"
    } else if has_unsatisfiable_condition(claim) {
        "  help: relax the condition: no value satisfies it\n"
    } else {
        "  help: relax the condition, or generate inputs that satisfy it\n"
    };
    text
}

/// Whether a search proved that no input satisfies a condition of the claim.
fn has_unsatisfiable_condition(claim: &ClaimReport) -> bool {
    claim
        .warnings
        .iter()
        .any(|it| matches!(it, ClaimWarning::GaveUp(predicate) if predicate.is_unsatisfiable()))
}

/// Truncates a long text.
pub(super) fn truncated(text: &str) -> String {
    if text.len() <= MAX_VALUE_BYTES {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(MAX_VALUE_BYTES);
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
    use super::truncated;

    #[test]
    fn long_values_are_cut_between_characters() {
        assert_eq!(truncated("short"), "short");
        let text = truncated(&"ö".repeat(1_500));
        assert!(text.ends_with("ö .. (1000 more bytes)"), "{text}");
    }
}

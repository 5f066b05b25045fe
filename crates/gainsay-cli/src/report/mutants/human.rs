//! The report for people: the survivors, then the score.

use std::fmt::Write as _;

use gainsay::mutate::{
    ClaimMutationReport, MutantCounts, MutantGroup, MutantReport, MutantStatus,
};
use gainsay::source::{RenderStyle, SourceMap, replace_control_characters};

use super::{MutationReportData, SurvivorExplanations, descriptions, percent};
use crate::exit::Exit;
use crate::report::colors::{TextRole, paint};
use crate::report::{Verbosity, location_text, pluralize};

/// The whole report.
pub(super) fn render(data: &MutationReportData<'_>, style: RenderStyle) -> String {
    let mut text = String::new();
    for it in data.report.mutants.iter().filter(|it| is_shown(data, &it.status)) {
        text += &mutant(data, it, style);
    }
    text + &reasons(data, style)
        + &leverage(data, style)
        + &ineffective_claims(data, style)
        + &undecided_claims(data, style)
        + &interrupted(data, style)
        + &score_summary(data, style)
}

fn is_shown(data: &MutationReportData<'_>, verdict: &MutantStatus) -> bool {
    let is_open = matches!(verdict, MutantStatus::Survived | MutantStatus::Unreached);
    let is_asked = data.explanations == SurvivorExplanations::Shown
        && matches!(verdict, MutantStatus::NoDifference { .. });
    match data.verbosity {
        Verbosity::Quiet => false,
        Verbosity::Normal => is_open || is_asked || data.report.mutants.len() == 1,
        Verbosity::Verbose => true,
    }
}

fn mutant(data: &MutationReportData<'_>, it: &MutantReport, style: RenderStyle) -> String {
    let word = format!("{:<9}", descriptions::verdict_name(&it.status));
    let mut text = format!(
        "{} {} {}\n",
        paint(style, text_role(&it.status), &word),
        location_text(data.files, it.mutant.span),
        paint(style, TextRole::Dim, &format!("{} {}", it.mutant.id, it.mutant.operator)),
    );
    for (sign, line) in diff(data.files, it) {
        let tone = if sign == '-' { TextRole::Failure } else { TextRole::Success };
        let _ = writeln!(text, "  {}", paint(style, tone, &format!("{sign} {line}")));
    }
    let has_explanation =
        it.status.is_detected() || matches!(it.status, MutantStatus::Suppressed(_));
    if (data.explanations == SurvivorExplanations::Shown || has_explanation)
        && let Some(reason) = descriptions::verdict_reason(data, it)
    {
        let reason = replace_control_characters(&reason);
        let _ = writeln!(text, "  {}: {reason}", paint(style, TextRole::Heading, "why"));
    }
    let explanation =
        it.explanation.as_ref().filter(|_| data.explanations == SurvivorExplanations::Shown);
    if let Some(suggestion) = explanation.and_then(|it| it.suggestion.as_ref()) {
        let _ = writeln!(text, "  {}", descriptions::difference(suggestion));
        let _ =
            writeln!(text, "  {}: {}", paint(style, TextRole::Heading, "add"), suggestion.line);
    }
    text.push('\n');
    text
}

/// Claims that kill no mutant, with the problem of each.
fn ineffective_claims(data: &MutationReportData<'_>, style: RenderStyle) -> String {
    let idle = data.report.claims.iter();
    let idle = idle.filter_map(|it| Some((it, descriptions::claim_problem(it.weakness?)?)));
    let lines: Vec<String> = idle
        .map(|(it, what)| {
            let place = location_text(data.files, it.span);
            format!("  {place} `{}::{}` {what}\n", it.module, it.name)
        })
        .collect();
    if lines.is_empty() || data.verbosity == Verbosity::Quiet {
        return String::new();
    }
    let head = paint(style, TextRole::Heading, "These claims kill no mutant:");
    format!("{head}\n{}\n", lines.concat())
}

/// The number of survivors by reason.
fn reasons(data: &MutationReportData<'_>, style: RenderStyle) -> String {
    let is_asked =
        data.explanations == SurvivorExplanations::Shown && data.verbosity != Verbosity::Quiet;
    let reasons = descriptions::survival_counts(data.report);
    // A summary of a single reason would repeat what was just printed.
    if !is_asked || reasons.len() < 2 {
        return String::new();
    }
    let width = reasons.iter().map(|it| it.0.to_string().len()).max().unwrap_or_default();
    let lines = reasons.iter().map(|(count, what)| format!("  {count:>width$} {what}\n"));
    let head = paint(style, TextRole::Heading, "Survivors by reason:");
    format!("{head}\n{}\n", lines.collect::<String>())
}

/// Claims that were left out.
fn undecided_claims(data: &MutationReportData<'_>, style: RenderStyle) -> String {
    if data.report.interrupted {
        return String::new();
    }
    let undecided = data.report.claims.iter().filter(|it| it.is_undecided);
    let vacuous = data.report.claims.iter().filter(|it| it.is_vacuous);
    let head = "These claims have no verdict on the original program and were excluded:";
    let text = claim_list(head, undecided.collect(), style);
    let head = "These claims are vacuous (they test nothing) and were excluded:";
    text + &claim_list(head, vacuous.collect(), style)
}

fn claim_list(head: &str, claims: Vec<&ClaimMutationReport>, style: RenderStyle) -> String {
    if claims.is_empty() {
        return String::new();
    }
    let names = claims.iter().map(|it| format!("  `{}::{}`\n", it.module, it.name));
    format!("{}\n{}\n", paint(style, TextRole::Warning, head), names.collect::<String>())
}

/// What is missing because the user interrupted the run.
fn interrupted(data: &MutationReportData<'_>, style: RenderStyle) -> String {
    let report = data.report;
    if !report.interrupted {
        return String::new();
    }
    let what = if report.n_remaining > 0 {
        let all = pluralize((report.mutants.len() + report.n_remaining) as u64, "mutant");
        format!("{} of {all} were not run", report.n_remaining)
    } else {
        "survivors were not analyzed".to_owned()
    };
    format!("{}: {what}\n\n", paint(style, TextRole::Warning, "Interrupted"))
}

/// Suggested lines that kill many survivors at once.
fn leverage(data: &MutationReportData<'_>, style: RenderStyle) -> String {
    let mut text = String::new();
    let is_quiet =
        data.verbosity == Verbosity::Quiet || data.explanations == SurvivorExplanations::Hidden;
    if is_quiet || data.report.leverage.is_empty() {
        return text;
    }
    let counts = data.report.counts(MutantGroup::Code);
    let _ = writeln!(
        text,
        "{}",
        paint(style, TextRole::Heading, "These tests kill the most survivors:")
    );
    let mut n_detected = counts.detected();
    for it in &data.report.leverage {
        let code = it.kills.iter();
        let code =
            code.filter(|at| data.report.mutants[**at].mutant.group == MutantGroup::Code);
        let before = percentage(n_detected, counts.total());
        n_detected += code.count();
        let after = percentage(n_detected, counts.total());
        let survivors = pluralize(it.kills.len() as u64, "survivor");
        let _ = writeln!(text, "  {}", it.line);
        let _ = writeln!(text, "    kills {survivors} ({before} -> {after})");
    }
    text.push('\n');
    text
}

fn percentage(n_detected: usize, all: usize) -> String {
    percent(n_detected as f64 * 100.0 / all.max(1) as f64)
}

/// The lines that a mutant changes, before and after.
pub(super) fn diff(files: &SourceMap, it: &MutantReport) -> Vec<(char, String)> {
    let source = files.get(it.mutant.span.file);
    let (start, end) = (it.mutant.span.start as usize, it.mutant.span.end as usize);
    let text = &source.text;
    let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let to = text[end..].find('\n').map_or(text.len(), |at| end + at);
    let before = &text[from..to];
    let after = format!("{}{}{}", &text[from..start], it.mutant.replacement, &text[end..to]);
    let indent = before.len() - before.trim_start().len();
    let cut = |line: &str| {
        line.get(indent.min(line.len() - line.trim_start().len())..).unwrap_or(line).to_owned()
    };
    let before = before.lines().map(|line| ('-', cut(line)));
    let after = after.lines().map(|line| ('+', cut(line)));
    before.chain(after).collect::<Vec<_>>()
}

/// The role of a verdict, which decides its color.
fn text_role(verdict: &MutantStatus) -> TextRole {
    match verdict {
        MutantStatus::Killed | MutantStatus::KilledByContract(_) | MutantStatus::Timeout => {
            TextRole::Success
        }
        MutantStatus::Survived | MutantStatus::Unreached => TextRole::Failure,
        MutantStatus::NoDifference { .. } | MutantStatus::Suppressed(_) => TextRole::Dim,
    }
}

/// The scores.
fn score_summary(data: &MutationReportData<'_>, style: RenderStyle) -> String {
    let counts = data.report.counts(MutantGroup::Code);
    let mut text = format!("{}\n", paint(style, TextRole::Heading, &score("Score", &counts)));
    let contracts = data.report.counts(MutantGroup::Contract);
    if contracts.total() > 0 {
        let _ = writeln!(text, "{}", score("Contracts", &contracts));
    }
    if data.report.n_equivalent > 0 && data.verbosity == Verbosity::Verbose {
        let dropped = pluralize(data.report.n_equivalent, "equivalent mutant");
        let were = if data.report.n_equivalent == 1 { "was" } else { "were" };
        let _ = writeln!(text, "{dropped} {were} not generated");
    }
    text + &not_mutated(data) + &inconclusive(data, style)
}

/// Why the score is not conclusive. A failed gate takes precedence.
fn inconclusive(data: &MutationReportData<'_>, style: RenderStyle) -> String {
    let n_vacuous = data.report.claims.iter().filter(|it| it.is_vacuous).count();
    if n_vacuous == 0 || data.exit != Exit::Inconclusive {
        return String::new();
    }
    let claims = pluralize(n_vacuous as u64, "claim");
    let (are, them) = if n_vacuous == 1 { ("is", "it") } else { ("are", "them") };
    let head = paint(style, TextRole::Warning, "inconclusive");
    format!("{head}: {claims} {are} vacuous; the score does not include {them}\n")
}

/// Functions that were not mutated.
fn not_mutated(data: &MutationReportData<'_>) -> String {
    let left_out = &data.report.excluded;
    if left_out.is_empty() || data.verbosity == Verbosity::Quiet {
        return String::new();
    }
    let (they, were, them) = match left_out.len() {
        1 => ("only supports", "was", "it"),
        _ => ("only support", "were", "them"),
    };
    let functions = pluralize(left_out.len() as u64, "function");
    let what = format!("{functions} that {they} claims {were} not mutated");
    if data.verbosity == Verbosity::Verbose {
        let names = left_out.iter().map(|it| format!("`{}`", descriptions::function_name(it)));
        format!("{what}: {}\n", names.collect::<Vec<_>>().join(", "))
    } else {
        format!("{what}; --all-functions includes {them}\n")
    }
}

/// `Score: 81 % (39/48 killed, 7 by contract)  6 survived, 2 unreached`.
fn score(name: &str, counts: &MutantCounts) -> String {
    let Some(share) = counts.score() else {
        return format!("{name}: no mutants were run");
    };
    let mut text =
        format!("{name}: {} ({}/{} killed", percent(share), counts.detected(), counts.total());
    for (count, what) in [(counts.by_contract, "by contract"), (counts.timeouts, "by timeout")]
    {
        if count > 0 {
            let _ = write!(text, ", {count} {what}");
        }
    }
    text.push(')');
    let no_difference = descriptions::no_difference_text(counts.n_inputs.unwrap_or_default());
    let rest = [
        (counts.survived, "survived"),
        (counts.unreached, "unreached"),
        (counts.no_difference, &*format!("with {no_difference}")),
        (counts.suppressed, "suppressed"),
    ];
    let rest: Vec<String> = rest
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if !rest.is_empty() {
        let _ = write!(text, "  {}", rest.join(", "));
    }
    text
}

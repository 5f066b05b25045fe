//! The statistics of `collect`, `classify`, `cover` and `target`, as small tables.

use std::fmt::Write as _;

use gainsay::source::{RenderStyle, SourceMap};
use gainsay::test::{ClaimReport, CoverReport, CoverVerdict, SiteReport, SiteStopReason};

use super::failure::truncated;
use super::walks;
use crate::report::colors::{TextRole, paint};
use crate::report::pluralize;

/// The length of the longest bar.
const MAX_BAR_WIDTH: u64 = 30;

/// The maximum number of `collect` values that are shown.
const MAX_LABELS: usize = 12;

/// The maximum width of a name; longer ones are truncated.
const MAX_NAME_WIDTH: usize = 32;

/// All statistics of a claim's cases.
pub(super) fn tables(files: &SourceMap, claim: &ClaimReport, style: RenderStyle) -> String {
    let mut text = String::new();
    for site in &claim.sites {
        if claim.sites.len() > 1 {
            let file = files.get(site.span.file);
            let at = file.position(site.span.start);
            let _ = writeln!(text, "  across at {}:{}:{}", file.name, at.line, at.column);
        }
        text += &site_table(site, style);
    }
    text += &narrowed(files, claim);
    if claim.discards.cases() > 0 || claim.discards.filtered > 0 {
        text += &discards(files, claim);
    }
    text
}

fn site_table(site: &SiteReport, style: RenderStyle) -> String {
    let mut text = format!("  {}: {}\n", pluralize(site.cases, "case"), conclusion_text(site));
    let inputs = site.inputs.iter().map(|(name, ty)| format!("{name}: {ty}"));
    let inputs: Vec<String> = inputs.collect();
    if !inputs.is_empty() {
        let _ = writeln!(text, "  inputs: {}", inputs.join(", "));
    }
    if site.duplicates > 0 {
        let of = match site.compared {
            n if n < site.cases => format!(" of the first {n}"),
            _ => String::new(),
        };
        let _ = writeln!(text, "  duplicates: {}{of}", site.duplicates);
    }
    let rows: Vec<BarRow> =
        site.labels.iter().map(|it| row(&it.text, it.cases, site)).collect();
    text += &rows_with_bars("collected", &rows);
    let rows: Vec<BarRow> =
        site.classes.iter().map(|it| row(&it.name, it.cases, site)).collect();
    text += &rows_with_bars("classes", &rows);
    text += &covers(site, style);
    if let Some(score) = site.best_score {
        let runs = pluralize(site.hill_climbing_runs, "extra run");
        let after =
            if site.hill_climbing_runs > 0 { format!(", after {runs}") } else { String::new() };
        let _ = writeln!(text, "  best score: {score}{after}");
    }
    text
}

/// Why a site stopped, in words.
pub(super) fn conclusion_text(site: &SiteReport) -> &'static str {
    match site.stop_reason {
        SiteStopReason::EnoughCases => "completed",
        SiteStopReason::Exhausted => "exhaustive",
        SiteStopReason::Failed => "stopped at a failure",
        SiteStopReason::Timeout => "stopped by the time limit",
        SiteStopReason::TooManyDiscards => "gave up: too many discards",
        SiteStopReason::TooManyLimits => "gave up: too many cases reached a limit",
        SiteStopReason::Interrupted => "interrupted",
    }
}

struct BarRow {
    name: String,
    share: f64,
}

fn row(name: &str, cases: u64, site: &SiteReport) -> BarRow {
    BarRow { name: truncated_name(name), share: share(cases, site.cases) }
}

fn share(cases: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { cases as f64 / all as f64 }
}

fn rows_with_bars(title: &str, rows: &[BarRow]) -> String {
    let mut text = String::new();
    if rows.is_empty() {
        return text;
    }
    let _ = writeln!(text, "  {title}");
    let shown = &rows[..rows.len().min(MAX_LABELS)];
    let width = shown.iter().map(|row| row.name.chars().count()).max().unwrap_or_default();
    for BarRow { name, share } in shown {
        let _ = writeln!(text, "    {name:width$}  {:5.1} %  {}", share * 100.0, bar(*share));
    }
    if rows.len() > MAX_LABELS {
        // A case may have several labels, so shares do not add up to one; the largest is shown.
        let rest = rows[MAX_LABELS..].iter().map(|row| row.share).fold(0.0, f64::max);
        let more = format!("{} more", rows.len() - MAX_LABELS);
        let _ = writeln!(text, "    {more:width$}  {:5.1} % at most each", rest * 100.0);
    }
    text
}

fn covers(site: &SiteReport, style: RenderStyle) -> String {
    let mut text = String::new();
    if site.covers.is_empty() {
        return text;
    }
    text += "  covered\n";
    let names = site.covers.iter().map(|it| truncated_name(&it.name).chars().count());
    let width = names.max().unwrap_or_default();
    for cover in &site.covers {
        let share = share(cover.cases, site.cases);
        let name = truncated_name(&cover.name);
        let demand = cover_line(cover, style);
        let percent = share * 100.0;
        let bar = bar(share);
        let _ = writeln!(text, "    {name:width$}  {percent:5.1} %  {demand}  {bar}");
    }
    text
}

fn cover_line(cover: &CoverReport, style: RenderStyle) -> String {
    let (word, tone) = match cover.verdict {
        CoverVerdict::Holds => ("met", TextRole::Success),
        CoverVerdict::Fails => ("not met", TextRole::Failure),
        CoverVerdict::Unclear => ("unclear", TextRole::Warning),
    };
    let (low, high) = cover.interval;
    let word = paint(style, tone, word);
    format!("{} % required: {word} (interval {low:.1} to {high:.1} %)", cover.percent)
}

/// The note that cases were aborted while their inputs were generated.
pub(super) fn cut_off(cases: u64) -> String {
    format!("{cases} cut off after a million choices")
}

/// Where cases were discarded, and how often.
pub(super) fn discards(files: &SourceMap, claim: &ClaimReport) -> String {
    let mut text = String::new();
    let discards = &claim.discards;
    let mut reasons = Vec::new();
    if discards.assumptions > 0 {
        reasons.push(format!("{} by `assume` and `where`", discards.assumptions));
    }
    let given_up = discards.generators - discards.cut_off;
    if given_up > 0 {
        reasons.push(format!("{given_up} by generators"));
    }
    if discards.cut_off > 0 {
        reasons.push(cut_off(discards.cut_off));
    }
    if discards.filtered > 0 {
        reasons.push(format!("{} filtered out", pluralize(discards.filtered, "value")));
    }
    if !reasons.is_empty() {
        let _ = writeln!(text, "  discarded: {}", reasons.join(", "));
    }
    for line in walks::untested(claim) {
        let _ = writeln!(text, "    {line}");
    }
    if claim.walks.is_some() {
        return text;
    }
    for (span, times) in &discards.places {
        let file = files.get(span.file);
        let at = file.position(span.start);
        let source = one_line(files.text(*span));
        let _ =
            writeln!(text, "    {times:6}  {}:{}:{}  {source}", file.name, at.line, at.column);
    }
    text
}

/// The predicates whose values a solver found, and how often it had to take a choice back.
fn narrowed(files: &SourceMap, claim: &ClaimReport) -> String {
    let mut text = String::new();
    for predicate in &claim.narrowed {
        let source = one_line(files.text(predicate.span));
        let counts = predicate.counts;
        let dead_ends = counts.n_dead_ends as f64 / counts.n_found.max(1) as f64;
        let _ = writeln!(text, "  narrowed: `{source}`, {dead_ends:.1} dead ends per value");
    }
    text
}

/// Source text on one line, cut off where it is long.
fn one_line(source: &str) -> String {
    truncated_name(&source.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A bar for a share. A share above zero gets at least a thin one.
pub(crate) fn bar(share: f64) -> String {
    const PARTS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    if share <= 0.0 {
        return String::new();
    }
    let eighths = ((share * (MAX_BAR_WIDTH * 8) as f64).round() as usize).max(1);
    let mut text = "█".repeat(eighths / 8);
    let rest = eighths % 8;
    if rest > 0 {
        text.push(PARTS[rest]);
    }
    text
}

fn truncated_name(name: &str) -> String {
    let name = truncated(name).replace('\n', " ");
    if name.chars().count() <= MAX_NAME_WIDTH {
        return name;
    }
    let mut cut: String = name.chars().take(MAX_NAME_WIDTH - 2).collect();
    cut.push_str("..");
    cut
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn bars_grow_with_the_share() {
        assert_eq!(bar(0.0), "");
        assert_eq!(bar(0.000_1), "▏");
        assert_eq!(bar(0.5).chars().count(), 15);
        assert_eq!(bar(1.0).chars().count(), 30);
    }
}

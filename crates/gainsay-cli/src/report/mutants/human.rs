//! The report for people: the mutants that nothing noticed, then the score.

use std::fmt::Write as _;

use gainsay::mutate::{ClaimReport, Counts, Group, MutantReport, Verdict};
use gainsay::source::{Files, Style};

use super::{Account, Explained, percent, words};
use crate::exit::Exit;
use crate::report::paint::{Tone, paint};
use crate::report::{Detail, counted, place_of};

/// The whole report.
pub(super) fn whole(account: &Account<'_>, style: Style) -> String {
    let mut text = String::new();
    for it in account.report.mutants.iter().filter(|it| is_shown(account, &it.verdict)) {
        text += &mutant(account, it, style);
    }
    text + &reasons(account, style)
        + &leverage(account, style)
        + &idle(account, style)
        + &undecided(account, style)
        + &interrupted(account, style)
        + &closing(account, style)
}

fn is_shown(account: &Account<'_>, verdict: &Verdict) -> bool {
    let is_open = matches!(verdict, Verdict::Survived | Verdict::Unreached);
    let is_asked =
        account.why == Explained::Each && matches!(verdict, Verdict::NoDifference { .. });
    match account.detail {
        Detail::Quiet => false,
        Detail::Usual => is_open || is_asked || account.report.mutants.len() == 1,
        Detail::Full => true,
    }
}

fn mutant(account: &Account<'_>, it: &MutantReport, style: Style) -> String {
    let word = format!("{:<9}", words::verdict(&it.verdict));
    let mut text = format!(
        "{} {} {}\n",
        paint(style, tone(&it.verdict), &word),
        place_of(account.files, it.mutant.span),
        paint(style, Tone::Dim, &format!("{} {}", it.mutant.id, it.mutant.operator)),
    );
    for (sign, line) in diff(account.files, it) {
        let tone = if sign == '-' { Tone::Bad } else { Tone::Good };
        let _ = writeln!(text, "  {}", paint(style, tone, &format!("{sign} {line}")));
    }
    let is_said = it.verdict.is_noticed() || matches!(it.verdict, Verdict::Suppressed(_));
    if (account.why == Explained::Each || is_said)
        && let Some(reason) = words::reason(account, it)
    {
        let _ = writeln!(text, "  {}: {reason}", paint(style, Tone::Strong, "why"));
    }
    let explanation = it.explanation.as_ref().filter(|_| account.why == Explained::Each);
    if let Some(suggestion) = explanation.and_then(|it| it.suggestion.as_ref()) {
        let _ = writeln!(text, "  {}", words::difference(suggestion));
        let _ = writeln!(text, "  {}: {}", paint(style, Tone::Strong, "add"), suggestion.line);
    }
    text.push('\n');
    text
}

/// Claims that notice no mutant, with what is the matter with each.
fn idle(account: &Account<'_>, style: Style) -> String {
    let idle = account.report.claims.iter();
    let idle = idle.filter_map(|it| Some((it, words::judgement(it.judgement?)?)));
    let lines: Vec<String> = idle
        .map(|(it, what)| {
            let place = place_of(account.files, it.span);
            format!("  {place} `{}::{}` {what}\n", it.module, it.name)
        })
        .collect();
    if lines.is_empty() || account.detail == Detail::Quiet {
        return String::new();
    }
    let head = paint(style, Tone::Strong, "These claims notice no mutant:");
    format!("{head}\n{}\n", lines.concat())
}

/// How many mutants survived for which reason.
fn reasons(account: &Account<'_>, style: Style) -> String {
    let is_asked = account.why == Explained::Each && account.detail != Detail::Quiet;
    let reasons = words::reasons(account.report);
    // A summary of a single reason is what was just said.
    if !is_asked || reasons.len() < 2 {
        return String::new();
    }
    let width = reasons.iter().map(|it| it.0.to_string().len()).max().unwrap_or_default();
    let lines = reasons.iter().map(|(count, what)| format!("  {count:>width$} {what}\n"));
    let head = paint(style, Tone::Strong, "Why mutants survived:");
    format!("{head}\n{}\n", lines.collect::<String>())
}

/// Claims that were left out.
fn undecided(account: &Account<'_>, style: Style) -> String {
    if account.report.interrupted {
        return String::new();
    }
    let undecided = account.report.claims.iter().filter(|it| it.is_undecided);
    let vacuous = account.report.claims.iter().filter(|it| it.is_vacuous);
    let head = "These claims cannot be decided of the program itself, and were left out:";
    let text = left_out(head, undecided.collect(), style);
    let head = "These claims are vacuous: they test nothing, and were left out:";
    text + &left_out(head, vacuous.collect(), style)
}

fn left_out(head: &str, claims: Vec<&ClaimReport>, style: Style) -> String {
    if claims.is_empty() {
        return String::new();
    }
    let names = claims.iter().map(|it| format!("  `{}::{}`\n", it.module, it.name));
    format!("{}\n{}\n", paint(style, Tone::Odd, head), names.collect::<String>())
}

/// What is missing because the user ended it.
fn interrupted(account: &Account<'_>, style: Style) -> String {
    let report = account.report;
    if !report.interrupted {
        return String::new();
    }
    let what = if report.n_left > 0 {
        let all = counted((report.mutants.len() + report.n_left) as u64, "mutant");
        format!("{} of {all} were not tried", report.n_left)
    } else {
        "nothing is known of why mutants survived".to_owned()
    };
    format!("{}: {what}\n\n", paint(style, Tone::Odd, "Interrupted"))
}

/// Lines that kill many survivors at once.
fn leverage(account: &Account<'_>, style: Style) -> String {
    let mut text = String::new();
    let is_quiet = account.detail == Detail::Quiet || account.why == Explained::None;
    if is_quiet || account.report.leverage.is_empty() {
        return text;
    }
    let counts = account.report.counts(Group::Code);
    let _ = writeln!(text, "{}", paint(style, Tone::Strong, "These lines kill most:"));
    let mut noticed = counts.noticed();
    for it in &account.report.leverage {
        let code = it.kills.iter();
        let code = code.filter(|at| account.report.mutants[**at].mutant.group == Group::Code);
        let before = share(noticed, counts.all());
        noticed += code.count();
        let after = share(noticed, counts.all());
        let survivors = counted(it.kills.len() as u64, "survivor");
        let _ = writeln!(text, "  {}", it.line);
        let _ = writeln!(text, "    kills {survivors} ({before} -> {after})");
    }
    text.push('\n');
    text
}

fn share(noticed: usize, all: usize) -> String {
    percent(noticed as f64 * 100.0 / all.max(1) as f64)
}

/// The lines that a mutant changes, before and after.
pub(super) fn diff(files: &Files, it: &MutantReport) -> Vec<(char, String)> {
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

/// How a verdict is painted.
fn tone(verdict: &Verdict) -> Tone {
    match verdict {
        Verdict::Killed | Verdict::KilledByContract(_) | Verdict::Timeout => Tone::Good,
        Verdict::Survived | Verdict::Unreached => Tone::Bad,
        Verdict::NoDifference { .. } | Verdict::Suppressed(_) => Tone::Dim,
    }
}

/// The scores.
fn closing(account: &Account<'_>, style: Style) -> String {
    let counts = account.report.counts(Group::Code);
    let mut text = format!("{}\n", paint(style, Tone::Strong, &score("Score", &counts)));
    let contracts = account.report.counts(Group::Contract);
    if contracts.all() > 0 {
        let _ = writeln!(text, "{}", score("Contracts", &contracts));
    }
    if account.report.dropped > 0 && account.detail == Detail::Full {
        let dropped = counted(account.report.dropped, "mutant");
        let were = if account.report.dropped == 1 { "was" } else { "were" };
        let _ = writeln!(text, "{dropped} that would have changed nothing {were} not made");
    }
    text + &not_mutated(account) + &inconclusive(account, style)
}

/// What keeps the score from being an answer. A gate that failed is one.
fn inconclusive(account: &Account<'_>, style: Style) -> String {
    let n_vacuous = account.report.claims.iter().filter(|it| it.is_vacuous).count();
    if n_vacuous == 0 || account.exit != Exit::Inconclusive {
        return String::new();
    }
    let claims = counted(n_vacuous as u64, "claim");
    let (are, them) = if n_vacuous == 1 { ("is", "it") } else { ("are", "them") };
    let head = paint(style, Tone::Odd, "inconclusive");
    format!("{head}: {claims} {are} vacuous; the score does not include {them}\n")
}

/// Functions that were not mutated.
fn not_mutated(account: &Account<'_>) -> String {
    let left_out = &account.report.left_out;
    if left_out.is_empty() || account.detail == Detail::Quiet {
        return String::new();
    }
    let (they, were, them) = match left_out.len() {
        1 => ("only supports", "was", "it"),
        _ => ("only support", "were", "them"),
    };
    let functions = counted(left_out.len() as u64, "function");
    let what = format!("{functions} that {they} claims {were} not mutated");
    if account.detail == Detail::Full {
        let names = left_out.iter().map(|it| format!("`{}`", words::left_out(it)));
        format!("{what}: {}\n", names.collect::<Vec<_>>().join(", "))
    } else {
        format!("{what}; --all-functions includes {them}\n")
    }
}

/// `Score: 81 % (39/48 killed, 7 by contract)  6 survived, 2 unreached`.
fn score(name: &str, counts: &Counts) -> String {
    let Some(share) = counts.score() else {
        return format!("{name}: nothing was tried");
    };
    let mut text =
        format!("{name}: {} ({}/{} killed", percent(share), counts.noticed(), counts.all());
    for (count, what) in [(counts.by_contract, "by contract"), (counts.timeouts, "by timeout")]
    {
        if count > 0 {
            let _ = write!(text, ", {count} {what}");
        }
    }
    text.push(')');
    let no_difference = words::no_difference_in(counts.n_inputs.unwrap_or_default());
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

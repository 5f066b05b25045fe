//! The report for people: the mutants that nothing noticed, then the score.

use std::fmt::Write as _;

use gainsay::mutate::{Counts, Group, MutantReport, Verdict};
use gainsay::source::{Files, Style};

use super::{Account, Explained, percent};
use crate::report::paint::{Tone, paint};
use crate::report::{Detail, counted};

/// The whole report.
pub(super) fn whole(account: &Account<'_>, style: Style) -> String {
    let mut text = String::new();
    for it in &account.report.mutants {
        let is_shown = match account.detail {
            Detail::Quiet => false,
            Detail::Usual => {
                is_open(&it.verdict)
                    || account.why == Explained::Each && is_shown_with_why(&it.verdict)
            }
            Detail::Full => true,
        };
        if is_shown {
            text += &mutant(account, it, style);
        }
    }
    text + &closing(account, style)
}

fn is_open(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Survived | Verdict::Unreached)
}

fn is_shown_with_why(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::LikelyEquivalent)
}

fn mutant(account: &Account<'_>, it: &MutantReport, style: Style) -> String {
    let file = account.files.get(it.mutant.span.file);
    let at = file.position(it.mutant.span.start);
    let (word, tone) = word(&it.verdict);
    let mut text = format!(
        "{} {}:{}:{} {}\n",
        paint(style, tone, &format!("{word:<9}")),
        file.name,
        at.line,
        at.column,
        paint(style, Tone::Dim, &format!("{} {}", it.mutant.id, it.mutant.operator)),
    );
    for (sign, line) in diff(account.files, it) {
        let tone = if sign == '-' { Tone::Bad } else { Tone::Good };
        let _ = writeln!(text, "  {}", paint(style, tone, &format!("{sign} {line}")));
    }
    text.push('\n');
    text
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

/// The verdict in a word.
fn word(verdict: &Verdict) -> (&'static str, Tone) {
    match verdict {
        Verdict::Killed => ("killed", Tone::Good),
        Verdict::KilledByContract(_) => ("contract", Tone::Good),
        Verdict::Timeout => ("timeout", Tone::Good),
        Verdict::Survived => ("survived", Tone::Bad),
        Verdict::LikelyEquivalent => ("likely equivalent", Tone::Dim),
        Verdict::Unreached => ("unreached", Tone::Bad),
        Verdict::Suppressed(_) => ("suppressed", Tone::Dim),
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
        let _ = writeln!(text, "{dropped} that would have changed nothing were not made");
    }
    text
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
    let rest = [
        (counts.survived, "survived"),
        (counts.unreached, "unreached"),
        (counts.equivalent, "likely equivalent"),
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

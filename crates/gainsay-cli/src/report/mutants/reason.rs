//! Why a mutant has its verdict, in words.

use gainsay::mutate::{Explanation, MutantReport, Reason, Suggestion, Verdict};
use gainsay::source::Span;
use gainsay::test::Boundary;

use super::Account;
use crate::report::in_a_line;

/// The verdict in a word, or two.
pub(super) fn word(it: &Verdict) -> &'static str {
    match it {
        Verdict::Killed => "killed",
        Verdict::KilledByContract(_) => "killed by contract",
        Verdict::Timeout => "timeout",
        Verdict::Survived => "survived",
        Verdict::LikelyEquivalent => "likely equivalent",
        Verdict::Unreached => "unreached",
        Verdict::Suppressed(_) => "suppressed",
    }
}

/// Why a mutant has its verdict, as far as there is more to say than the verdict.
pub(super) fn of(account: &Account<'_>, it: &MutantReport) -> Option<String> {
    let explained = || it.explanation.as_ref().map(|it| explained(account, it));
    match &it.verdict {
        Verdict::Killed => None,
        Verdict::KilledByContract(boundary) => {
            Some(format!("killed by contract: {}", clause(account, *boundary)))
        }
        Verdict::Timeout => {
            Some("a claim takes more than ten times the steps with it".to_owned())
        }
        Verdict::Survived => explained(),
        Verdict::LikelyEquivalent => {
            let why = explained().unwrap_or_else(|| "no input tells it apart".to_owned());
            Some(format!("likely equivalent: {why}"))
        }
        Verdict::Unreached => Some("no claim evaluates it".to_owned()),
        Verdict::Suppressed(reason) => Some(format!("suppressed: {reason}")),
    }
}

/// What says no to a mutant: `POST r.len() == people of split`.
fn clause(account: &Account<'_>, it: Boundary) -> String {
    let shown = |kind: &str, span: Span| {
        let source = in_a_line(account.files.text(span));
        let clause = account.report.clauses.iter().find(|it| it.span == span);
        match clause {
            Some(clause) => format!("{kind} `{source}` of `{}`", clause.function),
            None => format!("{kind} `{source}`"),
        }
    };
    match it {
        Boundary::In(span) => shown("PRE", span),
        Boundary::Out(span) => shown("POST", span),
        Boundary::Refinement => "a refinement type".to_owned(),
    }
}

/// Why nothing noticed a mutant, and what would, in a sentence.
fn explained(account: &Account<'_>, it: &Explanation) -> String {
    let why = why(account, &it.reason);
    match &it.suggestion {
        Some(suggestion) => format!("{why}; {}", would_kill(suggestion)),
        None => why,
    }
}

/// Why nothing noticed a mutant.
pub(super) fn why(account: &Account<'_>, it: &Reason) -> String {
    match it {
        Reason::Unreached => "no claim evaluates it".to_owned(),
        Reason::Unobserved => {
            "claims evaluate it, and what it changes comes to no observation".to_owned()
        }
        Reason::Loose { observe, claim, .. } => {
            let source = in_a_line(account.files.text(*observe));
            let claim = &account.report.claims[*claim];
            format!(
                "what it changes comes to `{source}` of `{}::{}`, which holds either way",
                claim.module, claim.name
            )
        }
        Reason::Same => "it changes nothing on any input of any claim".to_owned(),
    }
}

/// The line that would have noticed.
pub(super) fn would_kill(it: &Suggestion) -> String {
    let Suggestion { line, original, mutant, .. } = it;
    format!("`{line}` would kill it: the program gives {original}, the mutant {mutant}")
}

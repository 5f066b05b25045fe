//! A mutant that nothing noticed, as a diagnostic.

use gainsay::mutate::{MutantReport, Reason, Verdict};
use gainsay::source::Diagnostic;
use gainsay::source::codes::{MUTANT_SURVIVED, MUTANT_UNREACHED, NO_DIFFERENCE_FOUND};

use super::{Account, human, words};

/// The diagnostic of a mutant; none if it was noticed, or was not to be tried.
pub(super) fn diagnostic(account: &Account<'_>, it: &MutantReport) -> Option<Diagnostic> {
    let what = &it.mutant.description;
    let (code, message) = match it.verdict {
        Verdict::Survived => (MUTANT_SURVIVED, format!("no claim notices this change: {what}")),
        Verdict::Unreached => (
            MUTANT_UNREACHED,
            format!("no claim evaluates this, and so none notices this change: {what}"),
        ),
        Verdict::NoDifference { n_inputs } => {
            let no_difference = words::no_difference_in((n_inputs, n_inputs));
            (NO_DIFFERENCE_FOUND, format!("{no_difference} for this change: {what}"))
        }
        Verdict::Killed
        | Verdict::KilledByContract(_)
        | Verdict::Timeout
        | Verdict::Suppressed(_) => return None,
    };
    let mut found = Diagnostic::new(code, it.mutant.span, message);
    // Of the others the message says all there is to say.
    if it.verdict == Verdict::Survived
        && let Some(reason) = words::reason(account, it)
    {
        found = found.with_note(reason);
    }
    let Some(explanation) = &it.explanation else { return Some(found) };
    if let Reason::Loose { observe, .. } = &explanation.reason {
        found = found.with_label(*observe, "this holds either way");
    }
    if let Some(suggestion) = &explanation.suggestion {
        found = found
            .with_note(words::difference(suggestion))
            .with_help(format!("add `{}`", suggestion.line));
    }
    Some(found)
}

/// What there is to say besides the message: what the mutant changes, why nothing noticed, and what
/// would.
pub(super) fn details(account: &Account<'_>, it: &MutantReport, found: &Diagnostic) -> String {
    let diff = human::diff(account.files, it);
    let diff = diff.iter().map(|(sign, line)| format!("{sign} {line}"));
    let said = found.notes.iter().chain(found.help.iter().map(|it| &it.text)).cloned();
    diff.chain(said).collect::<Vec<_>>().join("\n")
}

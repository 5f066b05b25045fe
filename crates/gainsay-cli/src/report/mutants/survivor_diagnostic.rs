//! A survivor as a diagnostic.

use gainsay::mutate::{MutantReport, MutantStatus, SurvivalReason};
use gainsay::source::Diagnostic;
use gainsay::source::codes::{MUTANT_SURVIVED, MUTANT_UNREACHED, NO_DIFFERENCE_FOUND};

use super::{MutationReportData, descriptions, human};

/// The diagnostic of a mutant; `None` if it was killed, or was not to be run.
pub(super) fn diagnostic(
    data: &MutationReportData<'_>,
    it: &MutantReport,
) -> Option<Diagnostic> {
    let what = &it.mutant.description;
    let (code, message) = match it.status {
        MutantStatus::Survived => (MUTANT_SURVIVED, format!("this mutant survived: {what}")),
        MutantStatus::Unreached => {
            (MUTANT_UNREACHED, format!("no claim covers this mutant: {what}"))
        }
        MutantStatus::NoDifference { n_inputs } => {
            let no_difference = descriptions::no_difference_text((n_inputs, n_inputs));
            (NO_DIFFERENCE_FOUND, format!("{no_difference} for this mutant: {what}"))
        }
        MutantStatus::Killed
        | MutantStatus::KilledByContract(_)
        | MutantStatus::Timeout
        | MutantStatus::Suppressed(_) => return None,
    };
    let mut found = Diagnostic::new(code, it.mutant.span, message);
    // For the other verdicts the message already says everything.
    if it.status == MutantStatus::Survived
        && let Some(reason) = descriptions::verdict_reason(data, it)
    {
        found = found.with_note(reason);
    }
    let Some(explanation) = &it.explanation else { return Some(found) };
    if let SurvivalReason::WeaklyObserved { observe, .. } = &explanation.reason {
        found = found.with_label(*observe, "this holds for the original and the mutant");
    }
    if let Some(suggestion) = &explanation.suggestion {
        found = found
            .with_note(descriptions::difference(suggestion))
            .with_help(format!("add `{}`", suggestion.line));
    }
    Some(found)
}

/// What to add to the message: the change, why the mutant survived, and what would kill it.
pub(super) fn details(
    data: &MutationReportData<'_>,
    it: &MutantReport,
    found: &Diagnostic,
) -> String {
    let diff = human::diff(data.files, it);
    let diff = diff.iter().map(|(sign, line)| format!("{sign} {line}"));
    let texts = found.notes.iter().chain(found.help.iter().map(|it| &it.text)).cloned();
    diff.chain(texts).collect::<Vec<_>>().join("\n")
}

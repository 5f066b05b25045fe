//! A mutant that nothing noticed, as a diagnostic.

use gainsay::mutate::{MutantReport, Reason, Verdict};
use gainsay::source::Diagnostic;
use gainsay::source::codes::{LIKELY_EQUIVALENT, MUTANT_SURVIVED, MUTANT_UNREACHED};

use super::{Account, reason};

/// The diagnostic of a mutant; none if it was noticed, or was not to be tried.
pub(super) fn diagnostic(account: &Account<'_>, it: &MutantReport) -> Option<Diagnostic> {
    let what = &it.mutant.description;
    let (code, message) = match it.verdict {
        Verdict::Survived => (MUTANT_SURVIVED, format!("no claim notices when {what}")),
        Verdict::Unreached => (
            MUTANT_UNREACHED,
            format!("no claim evaluates this, and so none notices when {what}"),
        ),
        Verdict::LikelyEquivalent => {
            (LIKELY_EQUIVALENT, format!("no input was found that tells when {what}"))
        }
        Verdict::Killed
        | Verdict::KilledByContract(_)
        | Verdict::Timeout
        | Verdict::Suppressed(_) => return None,
    };
    let mut found = Diagnostic::new(code, it.mutant.span, message);
    if let Some(explanation) = &it.explanation {
        match &explanation.reason {
            Reason::Loose { observe, .. } => {
                found = found.with_label(*observe, "this holds either way");
            }
            // That is said already.
            Reason::Unreached => {}
            why @ (Reason::Unobserved | Reason::Same) => {
                found = found.with_note(reason::why(account, why));
            }
        }
        if let Some(suggestion) = &explanation.suggestion {
            let told = format!("the mutant gives {}", suggestion.mutant);
            found = found.with_help(format!("add `{}`: {told}", suggestion.line));
        }
    }
    Some(found)
}

//! The wording of warnings about claims.

use gainsay::source::Span;
use gainsay::test::{ClaimReport, ClaimStatus, ClaimWarning, SavedCaseReport, SavedCaseState};

use crate::report::{DeniableLint, pluralize};

/// A warning in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WarningText {
    /// The lint under which it can be denied; `None` if it is only informational.
    pub(super) lint: Option<DeniableLint>,
    /// The location, if it is not the whole claim.
    pub(super) span: Option<Span>,
    /// The message.
    pub(super) text: String,
}

/// Whether a warning counts as a failure.
pub(super) fn is_denied(warning: &ClaimWarning, deny: &[DeniableLint]) -> bool {
    lint(warning).is_some_and(|lint| lint.is_denied(deny))
}

fn lint(warning: &ClaimWarning) -> Option<DeniableLint> {
    match warning {
        ClaimWarning::Placebo => Some(DeniableLint::Placebo),
        ClaimWarning::ManyDiscards => Some(DeniableLint::Discards),
        ClaimWarning::ManyDuplicates => Some(DeniableLint::Duplicates),
        ClaimWarning::Filtered { .. } => Some(DeniableLint::Filtered),
        ClaimWarning::GaveUp(_) => Some(DeniableLint::Discards),
        ClaimWarning::WeakGenerator { .. } => Some(DeniableLint::WeakGenerator),
        ClaimWarning::TrivialInputs { .. } => Some(DeniableLint::TrivialInputs),
        ClaimWarning::Unreached(_) => Some(DeniableLint::UnreachedAcross),
        ClaimWarning::UnclearCover(_) => Some(DeniableLint::UnclearCover),
        ClaimWarning::SavedCase(saved) => match saved.state {
            SavedCaseState::Stale(_) | SavedCaseState::Broken(_) => {
                Some(DeniableLint::StaleCases)
            }
            SavedCaseState::New | SavedCaseState::StillFails | SavedCaseState::Fixed => None,
            SavedCaseState::WriteFailed(_) => None,
        },
        ClaimWarning::PartialCoverage(_) => None,
        ClaimWarning::NoHostileCase(_) => Some(DeniableLint::HostileVacuous),
    }
}

/// A warning of a claim in words.
pub(super) fn describe(claim: &ClaimReport, warning: &ClaimWarning) -> WarningText {
    let (span, text) = match warning {
        ClaimWarning::Placebo => {
            let consequence = match claim.status {
                ClaimStatus::Pass => ": this claim cannot fail",
                // For these verdicts the sentence does not apply: the claim did not pass.
                ClaimStatus::Fail
                | ClaimStatus::Vacuous
                | ClaimStatus::Limit
                | ClaimStatus::Declined => "",
                ClaimStatus::Interrupted | ClaimStatus::Flaky | ClaimStatus::Ignored(_) => "",
                ClaimStatus::Skipped | ClaimStatus::Unbound(_) => "",
            };
            (None, format!("nothing was observed{consequence}"))
        }
        ClaimWarning::ManyDiscards => {
            let discarded = claim.discards.cases();
            let all = discarded + claim.cases;
            let were = if discarded == 1 { "was" } else { "were" };
            let mut text =
                format!("{discarded} of {} {were} discarded", pluralize(all, "case"));
            if claim.discards.cut_off > 0 {
                text += &format!(": {}", super::tables::cut_off(claim.discards.cut_off));
            }
            (None, text)
        }
        ClaimWarning::ManyDuplicates => {
            let same: u64 = claim.sites.iter().map(|site| site.duplicates).sum();
            let compared: u64 = claim.sites.iter().map(|site| site.compared).sum();
            let of = if compared < claim.cases { "of the first " } else { "of " };
            (None, format!("{same} {of}{compared} cases are duplicates"))
        }
        ClaimWarning::Filtered { span, predicate, tried, kept } => {
            let predicate = super::failure::truncated(predicate);
            let text = format!(
                "`{predicate}` is filtered, not solved: {kept} of {tried} values passed"
            );
            (Some(*span), text)
        }
        ClaimWarning::GaveUp(predicate) => {
            let counts = predicate.counts;
            let n_searches = counts.n_found + counts.n_gave_up + counts.n_unsatisfiable;
            let text = if predicate.is_unsatisfiable() {
                "no value satisfies this predicate".to_owned()
            } else {
                let n = counts.n_gave_up + counts.n_unsatisfiable;
                format!("found no value for this predicate in {n} of {n_searches} searches")
            };
            (Some(predicate.span), text)
        }
        ClaimWarning::WeakGenerator { span, name, same, all } => {
            let text = format!(
                "{same} of {all} values of `{name}` are the same: relax the refinement, \
                 or write a generator"
            );
            (Some(*span), text)
        }
        ClaimWarning::TrivialInputs { span, name, n_trivial, n_seen } => {
            let text = format!(
                "{n_trivial} of {n_seen} sampled values of `{name}` have at most one element: \
                 few larger values satisfy the condition"
            );
            (Some(*span), text)
        }
        ClaimWarning::Unreached(span) => {
            (Some(*span), "no case reached this `across`: it tested nothing".to_owned())
        }
        ClaimWarning::UnclearCover(name) => {
            (None, format!("too few cases to decide whether `{name}` reaches its share"))
        }
        ClaimWarning::SavedCase(saved) => (None, saved_case_text(saved)),
        ClaimWarning::PartialCoverage(coverage) => {
            (None, super::verify_blocks::coverage_text(coverage))
        }
        ClaimWarning::NoHostileCase(n) => {
            let text = match n {
                1 => "`when` skips the only hostile case".to_owned(),
                n => format!("`when` skips all {n} hostile cases"),
            };
            (None, format!("{text}: only the declared cases ran"))
        }
    };
    WarningText { lint: lint(warning), span, text }
}

/// The message about a saved case.
pub(super) fn saved_case_text(saved: &SavedCaseReport) -> String {
    let path = &saved.path;
    match &saved.state {
        SavedCaseState::New => {
            format!("saved to `{path}`; commit this file so that future runs try it first")
        }
        SavedCaseState::StillFails => format!("saved case `{path}` still fails"),
        SavedCaseState::Fixed => format!("saved case `{path}` passes now"),
        SavedCaseState::Stale(why) => {
            format!("saved case `{path}` is stale: {why}")
        }
        SavedCaseState::Broken(why) => {
            format!("saved case `{path}` cannot be read and was left unchanged: {why}")
        }
        SavedCaseState::WriteFailed(why) => {
            format!("not saved: cannot write `{path}`: {why}")
        }
    }
}

/// The name of a saved case's state, and its reason.
pub(super) fn saved_case_state(state: &SavedCaseState) -> (&'static str, Option<&str>) {
    match state {
        SavedCaseState::New => ("new", None),
        SavedCaseState::StillFails => ("still-fails", None),
        SavedCaseState::Fixed => ("fixed", None),
        SavedCaseState::Stale(why) => ("stale", Some(why)),
        SavedCaseState::Broken(why) => ("broken", Some(why)),
        SavedCaseState::WriteFailed(why) => ("write-failed", Some(why)),
    }
}

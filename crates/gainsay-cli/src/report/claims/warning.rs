//! The words for what somebody should know of a claim.

use gainsay::source::Span;
use gainsay::test::{ClaimReport, Status, Stored, StoredState, Warning};

use crate::config::Lint;

/// A warning in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Remark {
    /// Under which name it can be denied; what cannot is good to know.
    pub(super) lint: Option<Lint>,
    /// Where, if not at the claim as a whole.
    pub(super) span: Option<Span>,
    /// What is the case.
    pub(super) text: String,
}

/// Whether a warning counts as a failure.
pub(super) fn is_denied(warning: &Warning, deny: &[Lint]) -> bool {
    lint(warning).is_some_and(|lint| lint.is_denied(deny))
}

fn lint(warning: &Warning) -> Option<Lint> {
    match warning {
        Warning::Placebo => Some(Lint::Placebo),
        Warning::ManyDiscards => Some(Lint::Discards),
        Warning::ManyDuplicates => Some(Lint::Duplicates),
        Warning::Filtered { .. } => Some(Lint::Filtered),
        Warning::WeakGenerator { .. } => Some(Lint::WeakGenerator),
        Warning::Unreached(_) => Some(Lint::UnreachedAcross),
        Warning::UnclearCover(_) => Some(Lint::UnclearCover),
        Warning::Stored(stored) => match stored.state {
            StoredState::Stale(_) | StoredState::Broken(_) => Some(Lint::StaleCases),
            StoredState::New | StoredState::Known | StoredState::Fixed => None,
            StoredState::Unwritten(_) => None,
        },
        Warning::Covered(_) => None,
        Warning::NoHostileCase(_) => Some(Lint::HostileVacuous),
    }
}

/// A warning of a claim in words.
pub(super) fn remark(claim: &ClaimReport, warning: &Warning) -> Remark {
    let (span, text) = match warning {
        Warning::Placebo => {
            let consequence = match claim.status {
                Status::Pass => ": it passes whatever the code does",
                // The verdict is not that it passes.
                Status::Fail | Status::Vacuous | Status::Limit | Status::Declined => "",
                Status::Interrupted | Status::Flaky | Status::Ignored(_) => "",
                Status::Skipped => "",
            };
            (None, format!("nothing was observed{consequence}"))
        }
        Warning::ManyDiscards => {
            let discarded = claim.discards.cases();
            let all = discarded + claim.cases;
            let mut text = format!("{discarded} of {all} cases did not count");
            if claim.discards.cut_off > 0 {
                text += &format!(": {}", super::tables::cut_off(claim.discards.cut_off));
            }
            (None, text)
        }
        Warning::ManyDuplicates => {
            let same: u64 = claim.sites.iter().map(|site| site.duplicates).sum();
            let compared: u64 = claim.sites.iter().map(|site| site.compared).sum();
            let of = if compared < claim.cases { "of the first " } else { "of " };
            (None, format!("{same} {of}{compared} cases were the same as earlier ones"))
        }
        Warning::Filtered { span, predicate, tried, kept } => {
            let predicate = super::failure::brief(predicate);
            let text = format!(
                "`{predicate}` is filtered, not solved: {kept} of {tried} values were kept"
            );
            (Some(*span), text)
        }
        Warning::WeakGenerator { span, name, same, all } => {
            let text = format!(
                "{same} of {all} values of `{name}` were the same: draw it by a generator, or \
                 by a refinement that can be solved"
            );
            (Some(*span), text)
        }
        Warning::Unreached(span) => {
            (Some(*span), "no case reached this `across`: nothing in it was tested".to_owned())
        }
        Warning::UnclearCover(name) => {
            (None, format!("there were too few cases to tell whether enough are `{name}`"))
        }
        Warning::Stored(stored) => (None, kept_case(stored)),
        Warning::Covered(coverage) => (None, super::verified::coverage(coverage)),
        Warning::NoHostileCase(n) => {
            let text = match n {
                1 => "`when` leaves out the one case that hostility adds".to_owned(),
                n => format!("`when` leaves out all {n} cases that hostility adds"),
            };
            (None, format!("{text}: nothing but what is given was tried"))
        }
    };
    Remark { lint: lint(warning), span, text }
}

/// What is to be said of a kept case.
pub(super) fn kept_case(stored: &Stored) -> String {
    let path = &stored.path;
    match &stored.state {
        StoredState::New => format!("kept in `{path}`: commit it, and it is run first"),
        StoredState::Known => format!("kept in `{path}`, and fails still"),
        StoredState::Fixed => format!("the case kept in `{path}` passes now"),
        StoredState::Stale(why) => {
            format!("the case kept in `{path}` cannot be used any more: {why}")
        }
        StoredState::Broken(why) => {
            format!("the case kept in `{path}` cannot be read, and is left alone: {why}")
        }
        StoredState::Unwritten(why) => {
            format!("not kept: `{path}` cannot be written: {why}")
        }
    }
}

/// The word for what is to be said of a kept case, and why.
pub(super) fn state(state: &StoredState) -> (&'static str, Option<&str>) {
    match state {
        StoredState::New => ("new", None),
        StoredState::Known => ("known", None),
        StoredState::Fixed => ("fixed", None),
        StoredState::Stale(why) => ("stale", Some(why)),
        StoredState::Broken(why) => ("broken", Some(why)),
        StoredState::Unwritten(why) => ("unwritten", Some(why)),
    }
}

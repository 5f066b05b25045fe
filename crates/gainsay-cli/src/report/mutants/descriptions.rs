//! The words for what came of a mutant.

use gainsay::core::{FailureKind, ObserveStrength};
use gainsay::mutate::{
    CallOutcome, ClaimWeakness, ExcludedFunction, KillingCase, MutantReport, MutantStatus,
    MutationReport, SurvivalReason, TestSuggestion,
};
use gainsay::test::ContractBoundary;

use super::MutationReportData;
use crate::report::{location_text, pluralize};

/// The verdict in a word.
pub(super) fn verdict_name(verdict: &MutantStatus) -> &'static str {
    match verdict {
        MutantStatus::Killed => "killed",
        MutantStatus::KilledByContract(_) => "contract",
        MutantStatus::Timeout => "timeout",
        MutantStatus::Survived => "survived",
        MutantStatus::NoDifference { .. } => "no difference",
        MutantStatus::Unreached => "unreached",
        MutantStatus::Suppressed(_) => "suppressed",
    }
}

/// Why a mutant was noticed or not, in a sentence without a full stop.
pub(super) fn verdict_reason(
    account: &MutationReportData<'_>,
    it: &MutantReport,
) -> Option<String> {
    let by = |claims: &[usize]| {
        let claims = claims.iter().map(|at| &account.report.claims[*at]);
        let names: Vec<String> =
            claims.map(|it| format!("`{}::{}`", it.module, it.name)).collect();
        names.join(", ")
    };
    match &it.status {
        MutantStatus::Killed => {
            let killing = it.killing_case.as_ref()?;
            Some(format!("killed by {}{}", by(&[killing.claim]), with_inputs(killing)))
        }
        MutantStatus::KilledByContract(boundary) => {
            let what = match boundary {
                ContractBoundary::In(span) => {
                    format!("an `in` clause (PRE), {}", location_text(account.files, *span))
                }
                ContractBoundary::Out(span) => {
                    format!("an `out` clause (POST), {}", location_text(account.files, *span))
                }
                ContractBoundary::Refinement => "a refinement type".to_owned(),
            };
            let with = it.killing_case.as_ref().map(with_inputs).unwrap_or_default();
            Some(format!("refused by {what}, in {}{with}", by(&it.detected_by)))
        }
        MutantStatus::Timeout => {
            let with = it.killing_case.as_ref().map(with_inputs).unwrap_or_default();
            Some(format!(
                "takes more than ten times the steps in {}{with}",
                by(&it.detected_by)
            ))
        }
        MutantStatus::NoDifference { n_inputs } => {
            Some(no_difference_text((*n_inputs, *n_inputs)))
        }
        MutantStatus::Suppressed(reason) if reason.is_empty() => None,
        MutantStatus::Suppressed(reason) => Some(reason.clone()),
        MutantStatus::Survived | MutantStatus::Unreached => {
            it.explanation.as_ref().map(|it| survival_reason(account, &it.reason))
        }
    }
}

/// The full name of a function that has no mutants.
pub(super) fn function_name(it: &ExcludedFunction) -> String {
    format!("{}::{}", it.module, it.name)
}

/// The inputs with which a claim noticed a mutant, as they were found.
fn with_inputs(it: &KillingCase) -> String {
    if it.inputs.is_empty() {
        return String::new();
    }
    let inputs = it.inputs.iter().map(|(name, value)| format!("{name} = {value}"));
    format!(", with {}", inputs.collect::<Vec<_>>().join(", "))
}

/// How many inputs were tried without finding a difference, at least and at most.
pub(super) fn no_difference_text((least, most): (u64, u64)) -> String {
    let inputs = pluralize(most, "input");
    if least == most {
        format!("no difference found in {inputs}")
    } else {
        format!("no difference found in {least} to {inputs}")
    }
}

fn survival_reason(account: &MutationReportData<'_>, reason: &SurvivalReason) -> String {
    match reason {
        SurvivalReason::Unreached => "no claim evaluates this".to_owned(),
        SurvivalReason::Unobserved => {
            "it runs, but what it changes comes to no observation".to_owned()
        }
        SurvivalReason::WeaklyObserved { observe, strength, claim } => {
            let text = first_line(account.files.text(*observe));
            let claim = &account.report.claims[*claim];
            let how = match strength {
                ObserveStrength::Exact => "holds either way",
                ObserveStrength::Relation => "only compares, and holds either way",
                ObserveStrength::Truth => "only asks for a truth value, and holds either way",
            };
            format!(
                "`{text}` {how} ({}, `{}::{}`)",
                location_text(account.files, *observe),
                claim.module,
                claim.name
            )
        }
        SurvivalReason::SameOnClaimInputs => {
            "the claims run it, and it changes nothing on their inputs".to_owned()
        }
    }
}

/// How many mutants survived for which reason, as far as there are any.
pub(super) fn survival_counts(report: &MutationReport) -> Vec<(usize, &'static str)> {
    let it = report.survivors();
    let all = [
        (it.unreached, "because no claim evaluates them"),
        (it.unobserved, "because what they change comes to no observation"),
        (it.weakly_observed, "because an observation holds either way"),
        (it.same_on_claim_inputs, "because they change nothing on the inputs of the claims"),
        (it.no_difference, "with no difference found"),
        (it.unexplained, "for a reason that was not looked for"),
    ];
    all.into_iter().filter(|it| it.0 > 0).collect()
}

/// How an input tells a mutant from the program.
pub(super) fn difference(it: &TestSuggestion) -> String {
    let TestSuggestion { call, original, mutant, .. } = it;
    let mutant = match mutant {
        CallOutcome::Undecided => "comes to no end".to_owned(),
        CallOutcome::Value(_) | CallOutcome::Failure(_) => outcome_text(mutant),
    };
    format!("{call} gives {}; the mutant {mutant}", outcome_text(original))
}

fn outcome_text(outcome: &CallOutcome) -> String {
    let failure = match outcome {
        CallOutcome::Value(value) => return value.clone(),
        CallOutcome::Undecided => return "no value within the limits".to_owned(),
        CallOutcome::Failure(kind) => match kind {
            FailureKind::Contract => "of a contract",
            FailureKind::Refinement => "of a refinement",
            FailureKind::DivByZero => "a division by zero",
            FailureKind::OutOfRange => "out of range",
            FailureKind::Fail => "by `fail`",
        },
    };
    format!("a failure, {failure}")
}

fn first_line(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().trim_end();
    if lines.next().is_some() { format!("{first} ..") } else { first.to_owned() }
}

/// What is the matter with a claim that notices no mutant; nothing if that is no wonder.
pub(super) fn claim_problem(it: ClaimWeakness) -> Option<&'static str> {
    match it {
        ClaimWeakness::Placebo => Some("observes nothing: a placebo"),
        ClaimWeakness::ReachesNone => None,
        ClaimWeakness::WeaklyObserves => Some("only compares loosely: weak assertions only"),
        ClaimWeakness::DetectsNone => Some("holds of every mutant it reaches"),
    }
}

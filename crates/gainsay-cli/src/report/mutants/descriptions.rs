//! The wording of mutant verdicts.

use gainsay::core::{FailureKind, ObserveStrength};
use gainsay::mutate::{
    CallOutcome, ClaimWeakness, ContractBoundary, ExcludedFunction, KillingCase, MutantReport,
    MutantStatus, MutationReport, SurvivalReason, TestSuggestion,
};

use super::MutationReportData;
use crate::report::{location_text, pluralize};

/// The verdict as a word.
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

/// Why a mutant was killed or survived, as a sentence without a full stop.
pub(super) fn verdict_reason(
    data: &MutationReportData<'_>,
    it: &MutantReport,
) -> Option<String> {
    let by = |claims: &[usize]| {
        let claims = claims.iter().map(|at| &data.report.claims[*at]);
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
                    format!("an `in` clause, {}", location_text(data.files, *span))
                }
                ContractBoundary::Out(span) => {
                    format!("an `out` clause, {}", location_text(data.files, *span))
                }
                ContractBoundary::Refinement => "a refinement type".to_owned(),
            };
            let with = it.killing_case.as_ref().map(with_inputs).unwrap_or_default();
            Some(format!("violates {what}, in {}{with}", by(&it.detected_by)))
        }
        MutantStatus::Timeout => {
            let with = it.killing_case.as_ref().map(with_inputs).unwrap_or_default();
            Some(format!(
                "takes more than ten times as many steps as the original in {}{with}",
                by(&it.detected_by)
            ))
        }
        MutantStatus::NoDifference { n_inputs } => {
            Some(no_difference_text((*n_inputs, *n_inputs)))
        }
        MutantStatus::Suppressed(reason) if reason.is_empty() => None,
        MutantStatus::Suppressed(reason) => Some(reason.clone()),
        MutantStatus::Survived | MutantStatus::Unreached => {
            it.explanation.as_ref().map(|it| survival_reason(data, &it.reason))
        }
    }
}

/// The full name of a function without mutants.
pub(super) fn function_name(it: &ExcludedFunction) -> String {
    format!("{}::{}", it.module, it.name)
}

/// The inputs with which a claim killed a mutant, unshrunk.
fn with_inputs(it: &KillingCase) -> String {
    if it.inputs.is_empty() {
        return String::new();
    }
    let inputs = it.inputs.iter().map(|(name, value)| format!("{name} = {value}"));
    format!(", with {}", inputs.collect::<Vec<_>>().join(", "))
}

/// The minimum and maximum number of inputs tried without finding a difference, in words.
pub(super) fn no_difference_text((least, most): (u64, u64)) -> String {
    let inputs = pluralize(most, "input");
    if least == most {
        format!("no difference found in {inputs}")
    } else {
        format!("no difference found in {least} to {inputs}")
    }
}

fn survival_reason(data: &MutationReportData<'_>, reason: &SurvivalReason) -> String {
    match reason {
        SurvivalReason::Unreached => "no claim evaluates this code".to_owned(),
        SurvivalReason::Unobserved => {
            "covered, but its effect reaches no observation".to_owned()
        }
        SurvivalReason::WeaklyObserved { observe, strength, claim } => {
            let text = first_line(data.files.text(*observe));
            let claim = &data.report.claims[*claim];
            let how = match strength {
                ObserveStrength::Exact => "holds for both",
                ObserveStrength::Relation => "is only an inequality and holds for both",
                ObserveStrength::Truth => "only checks a Bool and holds for both",
            };
            format!(
                "`{text}` {how} ({}, `{}::{}`)",
                location_text(data.files, *observe),
                claim.module,
                claim.name
            )
        }
        SurvivalReason::SameOnClaimInputs => {
            "covered, but identical on every input the claims use".to_owned()
        }
    }
}

/// The number of survivors by reason, for reasons that occur.
pub(super) fn survival_counts(report: &MutationReport) -> Vec<(usize, &'static str)> {
    let it = report.survivors();
    let all = [
        (it.unreached, "not covered by any claim"),
        (it.unobserved, "covered, but never observed"),
        (it.weakly_observed, "observed too weakly"),
        (it.same_on_claim_inputs, "identical on every input the claims use"),
        (it.no_difference, "with no difference found"),
        (it.unexplained, "not analyzed"),
    ];
    all.into_iter().filter(|it| it.0 > 0).collect()
}

/// How an input distinguishes a mutant from the original.
pub(super) fn difference(it: &TestSuggestion) -> String {
    let TestSuggestion { call, original, mutant, .. } = it;
    let mutant = match mutant {
        CallOutcome::Undecided => "does not terminate".to_owned(),
        CallOutcome::Value(_) | CallOutcome::Failure(_) => outcome_text(mutant),
    };
    format!("{call}: original {}, mutant {mutant}", outcome_text(original))
}

fn outcome_text(outcome: &CallOutcome) -> String {
    let failure = match outcome {
        CallOutcome::Value(value) => return value.clone(),
        CallOutcome::Undecided => return "no value within the limits".to_owned(),
        CallOutcome::Failure(kind) => match kind {
            FailureKind::Contract => "contract violated",
            FailureKind::Refinement => "outside its refinement",
            FailureKind::DivByZero => "division by zero",
            FailureKind::OutOfRange => "out of range",
            FailureKind::Fail => "`fail` called",
            FailureKind::System => "failed by the system",
        },
    };
    format!("fails ({failure})")
}

fn first_line(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().trim_end();
    if lines.next().is_some() { format!("{first} ..") } else { first.to_owned() }
}

/// The problem of a claim that kills no mutant; `None` if that is expected.
pub(super) fn claim_problem(it: ClaimWeakness) -> Option<&'static str> {
    match it {
        ClaimWeakness::Placebo => Some("observes nothing (placebo)"),
        ClaimWeakness::ReachesNone => None,
        ClaimWeakness::WeaklyObserves => Some("has only weak assertions"),
        ClaimWeakness::DetectsNone => Some("passes on every mutant it reaches"),
    }
}

//! The words for what came of a mutant.

use gainsay::core::Strength;
use gainsay::mutate::{
    Judgement, Killing, LeftOut, MutantReport, Reason, Report, Suggestion, Verdict,
};
use gainsay::test::Boundary;

use super::Account;
use crate::report::{counted, place_of};

/// The verdict in a word.
pub(super) fn verdict(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Killed => "killed",
        Verdict::KilledByContract(_) => "contract",
        Verdict::Timeout => "timeout",
        Verdict::Survived => "survived",
        Verdict::NoDifference { .. } => "no difference",
        Verdict::Unreached => "unreached",
        Verdict::Suppressed(_) => "suppressed",
    }
}

/// Why a mutant was noticed or not, in a sentence without a full stop.
pub(super) fn reason(account: &Account<'_>, it: &MutantReport) -> Option<String> {
    let by = |claims: &[usize]| {
        let claims = claims.iter().map(|at| &account.report.claims[*at]);
        let names: Vec<String> =
            claims.map(|it| format!("`{}::{}`", it.module, it.name)).collect();
        names.join(", ")
    };
    match &it.verdict {
        Verdict::Killed => {
            let killing = it.killing.as_ref()?;
            Some(format!("killed by {}{}", by(&[killing.claim]), with_inputs(killing)))
        }
        Verdict::KilledByContract(boundary) => {
            let what = match boundary {
                Boundary::In(span) => {
                    format!("an `in` clause (PRE), {}", place_of(account.files, *span))
                }
                Boundary::Out(span) => {
                    format!("an `out` clause (POST), {}", place_of(account.files, *span))
                }
                Boundary::Refinement => "a refinement type".to_owned(),
            };
            let with = it.killing.as_ref().map(with_inputs).unwrap_or_default();
            Some(format!("refused by {what}, in {}{with}", by(&it.noticed_by)))
        }
        Verdict::Timeout => {
            let with = it.killing.as_ref().map(with_inputs).unwrap_or_default();
            Some(format!("takes more than ten times the steps in {}{with}", by(&it.noticed_by)))
        }
        Verdict::NoDifference { n_inputs } => Some(no_difference_in((*n_inputs, *n_inputs))),
        Verdict::Suppressed(reason) if reason.is_empty() => None,
        Verdict::Suppressed(reason) => Some(reason.clone()),
        Verdict::Survived | Verdict::Unreached => {
            it.explanation.as_ref().map(|it| survival(account, &it.reason))
        }
    }
}

/// The full name of a function that has no mutants.
pub(super) fn left_out(it: &LeftOut) -> String {
    format!("{}::{}", it.module, it.name)
}

/// The inputs with which a claim noticed a mutant, as they were found.
fn with_inputs(it: &Killing) -> String {
    if it.inputs.is_empty() {
        return String::new();
    }
    let inputs = it.inputs.iter().map(|(name, value)| format!("{name} = {value}"));
    format!(", with {}", inputs.collect::<Vec<_>>().join(", "))
}

/// How many inputs were tried without finding a difference, at least and at most.
pub(super) fn no_difference_in((least, most): (u64, u64)) -> String {
    let inputs = counted(most, "input");
    if least == most {
        format!("no difference found in {inputs}")
    } else {
        format!("no difference found in {least} to {inputs}")
    }
}

fn survival(account: &Account<'_>, reason: &Reason) -> String {
    match reason {
        Reason::Unreached => "no claim evaluates this".to_owned(),
        Reason::Unobserved => "it runs, but what it changes comes to no observation".to_owned(),
        Reason::Loose { observe, strength, claim } => {
            let text = first_line(account.files.text(*observe));
            let claim = &account.report.claims[*claim];
            let how = match strength {
                Strength::Exact => "holds either way",
                Strength::Relation => "only compares, and holds either way",
                Strength::Truth => "only asks for a truth value, and holds either way",
            };
            format!(
                "`{text}` {how} ({}, `{}::{}`)",
                place_of(account.files, *observe),
                claim.module,
                claim.name
            )
        }
        Reason::Same => "the claims run it, and it changes nothing on their inputs".to_owned(),
    }
}

/// How many mutants survived for which reason, as far as there are any.
pub(super) fn reasons(report: &Report) -> Vec<(usize, &'static str)> {
    let it = report.survivors();
    let all = [
        (it.unreached, "because no claim evaluates them"),
        (it.unobserved, "because what they change comes to no observation"),
        (it.loose, "because an observation holds either way"),
        (it.same, "because they change nothing on the inputs of the claims"),
        (it.no_difference, "with no difference found"),
        (it.unexplained, "for a reason that was not looked for"),
    ];
    all.into_iter().filter(|it| it.0 > 0).collect()
}

/// How an input tells a mutant from the program.
pub(super) fn difference(it: &Suggestion) -> String {
    let Suggestion { call, original, mutant, .. } = it;
    let mutant = if mutant.starts_with("no value") { "comes to no end" } else { mutant };
    format!("{call} gives {original}; the mutant {mutant}")
}

fn first_line(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().trim_end();
    if lines.next().is_some() { format!("{first} ..") } else { first.to_owned() }
}

/// What is the matter with a claim that notices no mutant; nothing if that is no wonder.
pub(super) fn judgement(it: Judgement) -> Option<&'static str> {
    match it {
        Judgement::Placebo => Some("observes nothing: a placebo"),
        Judgement::Elsewhere => None,
        Judgement::Loose => Some("only compares loosely: weak assertions only"),
        Judgement::Idle => Some("holds of every mutant it reaches"),
    }
}

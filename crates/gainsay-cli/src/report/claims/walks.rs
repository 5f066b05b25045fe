//! Words about walks: what became of the cases of a test against a specification.

use std::fmt::Write as _;

use gainsay::test::{ClaimReport, ReportedInput, UntestedReason, WalkCounts};
use serde::Serialize;

use crate::report::pluralize;

/// `1200 deviated`, if the system left the trace of the generator.
pub(super) fn deviations(claim: &ClaimReport) -> Option<String> {
    let walks = claim.walks.as_ref().filter(|it| it.deviated > 0)?;
    Some(format!("{} deviated", walks.deviated))
}

/// Why walks tested nothing, the most frequent reason first: one line each.
pub(super) fn untested(claim: &ClaimReport) -> Vec<String> {
    let Some(walks) = &claim.walks else { return Vec::new() };
    let reasons = by_count(walks).into_iter();
    reasons.map(|(why, count)| format!("{count:>6}  {}", reason(why))).collect()
}

/// Why all walks of a vacuous claim tested nothing, as a sentence.
pub(super) fn vacuous_reason(claim: &ClaimReport) -> Option<String> {
    let walks = claim.walks.as_ref()?;
    if walks.expects_answers && walks.deviated > 0 {
        let runs = pluralize(walks.deviated, "run");
        return Some(format!(
            "no answer was tested: the system left the trace of the specification in all {runs}"
        ));
    }
    let (why, count) = by_count(walks).into_iter().next()?;
    let others = walks.untested.iter().map(|it| it.1).sum::<u64>() - count;
    let cases = pluralize(claim.cases, "case");
    let most = if others > 0 { "mostly: " } else { "" };
    Some(format!("nothing was tested: {cases} ran; {most}{}", reason(why)))
}

fn by_count(walks: &WalkCounts) -> Vec<(&UntestedReason, u64)> {
    let mut reasons: Vec<(&UntestedReason, u64)> =
        walks.untested.iter().map(|it| (&it.0, it.1)).collect();
    reasons.sort_by_key(|it| std::cmp::Reverse(it.1));
    reasons
}

fn reason(why: &UntestedReason) -> String {
    match why {
        UntestedReason::Unreachable => {
            "no trace of the specification reaches the goal".to_owned()
        }
        UntestedReason::SearchGaveUp => {
            "the search for a trace to the goal was cut off before it found one".to_owned()
        }
        UntestedReason::NoValues => {
            "no values were found that satisfy the conditions of the trace".to_owned()
        }
        UntestedReason::NeverPending(operation) => {
            format!("the test waited for `{operation}`, but it never occurred")
        }
    }
}

/// The events that led to a failure, in order.
pub(super) fn trace(inputs: &[ReportedInput]) -> String {
    // The other input is the number of the generator that the run followed.
    let events: Vec<&ReportedInput> = inputs.iter().filter(|it| it.name == EVENT).collect();
    let mut text = String::new();
    for (at, event) in events.iter().enumerate() {
        let title = if at == 0 { "  trace:\n" } else { "" };
        let _ = writeln!(text, "{title}    {:>2}  {}", at + 1, event.value);
    }
    text
}

/// The name of the input that an event is, in `std/walk.say`.
const EVENT: &str = "event";

/// The walks of a claim in JSON.
#[derive(Debug, Serialize)]
pub(super) struct WalksRecord<'a> {
    as_expected: u64,
    deviated: u64,
    untested: Vec<UntestedRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct UntestedRecord<'a> {
    reason: &'static str,
    operation: Option<&'a str>,
    cases: u64,
}

pub(super) fn record(walks: &WalkCounts) -> WalksRecord<'_> {
    let untested = walks.untested.iter().map(|(why, cases)| {
        let (reason, operation) = match why {
            UntestedReason::Unreachable => ("unreachable", None),
            UntestedReason::SearchGaveUp => ("search_gave_up", None),
            UntestedReason::NoValues => ("no_values", None),
            UntestedReason::NeverPending(operation) => ("never_pending", Some(&**operation)),
        };
        UntestedRecord { reason, operation, cases: *cases }
    });
    let untested = untested.collect();
    WalksRecord { as_expected: walks.as_expected, deviated: walks.deviated, untested }
}

//! Queries: conditions on unknowns, and conditions without.

use std::ops::ControlFlow;

use gainsay::generate::{ConditionWay, SearchMode};
use gainsay::test::{SampleEnd, SampleReport, SampledValue, Statistics};
use gainsay::vm::Value;
use gainsay::{CheckedSample, QueryExplainer, SampleSettings, SampleSubject};

use super::{report_errors, why, write_value};
use crate::arguments::{QueryWay, SampleArguments};
use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::json_values;
use crate::report::pluralize;
use crate::reporter::Reporter;

/// How inputs are found. Only queries can be asked for a way.
pub(super) fn search_mode(
    args: &SampleArguments,
    sampling: &CheckedSample,
) -> Result<SearchMode, CliError> {
    let is_query = unknowns(sampling).is_some();
    match args.way {
        // Without a claim the sample does not check, and that is reported first.
        Some(_) if sampling.claim.is_some() && !is_query => Err(needs_query("--way")),
        Some(QueryWay::Narrowed) => Ok(SearchMode::Narrowed),
        Some(QueryWay::Filtered) => Ok(SearchMode::Filtered),
        None if is_query => Ok(SearchMode::Solutions),
        None => Ok(SearchMode::Usual),
    }
}

pub(super) fn needs_query(option: &str) -> CliError {
    CliError::usage(format!("`{option}` needs a query"))
        .with_help("mark the unknowns with `?`, as in `is_sorted(?xs)`")
}

/// The names of the unknowns of a query.
fn unknowns(sampling: &CheckedSample) -> Option<&[String]> {
    match &sampling.subject {
        SampleSubject::Query(names) => Some(names),
        SampleSubject::Values | SampleSubject::Condition => None,
    }
}

/// A value as source, or a solution as `x = .., y = ..`.
pub(super) fn source(sampling: &CheckedSample, sampled: &SampledValue<'_>) -> String {
    let Some(names) = unknowns(sampling) else { return sampled.text.clone() };
    let parts = names.iter().zip(&sampled.inputs);
    let parts = parts.map(|(name, it)| format!("{name} = {}", it.text));
    parts.collect::<Vec<_>>().join(", ")
}

/// A value as JSON, or a solution as an object.
pub(super) fn json(sampling: &CheckedSample, sampled: &SampledValue<'_>) -> String {
    match unknowns(sampling) {
        Some(names) => json_values::solution(names, sampled),
        None => json_values::value(sampled),
    }
}

/// Counts a value, or all values of a solution as one.
pub(super) fn count(
    sampling: &CheckedSample,
    statistics: &mut Statistics,
    sampled: &SampledValue<'_>,
) {
    match unknowns(sampling) {
        Some(names) if names.len() > 1 => {
            let parts = sampled.inputs.iter().map(|it| it.value.clone());
            let all = Value::tuple(parts.collect());
            statistics.add(sampled.program, &all, &source(sampling, sampled));
        }
        _ => statistics.add(sampled.program, sampled.value, &sampled.text),
    }
}

/// Says whether a condition without unknowns holds.
pub(super) fn decide(
    sampling: &CheckedSample,
    settings: &SampleSettings,
    mut explainer: Option<&mut QueryExplainer<'_>>,
    reporter: &mut Reporter,
) -> Exit {
    let is_human = reporter.is_human();
    let mut holds = None;
    let report = gainsay::sample(sampling, settings, &mut |sampled| {
        let Value::Bool(it) = sampled.value else { return ControlFlow::Break(()) };
        holds = Some(*it);
        match (is_human, it) {
            (true, true) => {
                let why =
                    explainer.as_mut().map(|it| why::derivations(it, sampled.program, &[]));
                write_value(&("holds".to_owned() + &why.unwrap_or_default()))
            }
            (true, false) => write_value("does not hold"),
            (false, _) => write_value(&format!("{{\"holds\":{it}}}")),
        }
    });
    let Some(report) = report else { return report_errors(sampling, reporter) };
    match (holds, &report.end) {
        (Some(true), _) => Exit::Success,
        (Some(false), _) => Exit::Failed,
        (None, SampleEnd::Fault(fault)) => {
            let mut located = sampling.with_original_spans(fault.diagnostic.clone());
            // That the condition calls what failed goes without saying.
            located.secondary.retain(|it| !sampling.is_in_sample(it.span));
            reporter.diagnostic(&sampling.checked.files, &located);
            if fault.is_limit { Exit::Inconclusive } else { Exit::Failed }
        }
        (None, SampleEnd::StoppedByVisitor) => super::interrupted(),
        (None, _) => {
            let error = CliError::new(Exit::Inconclusive, "could not decide the condition");
            reporter.error(&error)
        }
    }
}

/// Says that a query did not get the way that was asked for.
pub(super) fn note_way(args: &SampleArguments, report: &SampleReport, reporter: &Reporter) {
    let is_filtered = matches!(report.condition, Some((_, ConditionWay::Filtered)));
    if args.way == Some(QueryWay::Narrowed) && is_filtered {
        reporter.note("the query cannot be narrowed; its values were filtered");
    }
}

pub(super) fn unsatisfiable_error(what: &str) -> CliError {
    CliError::new(
        Exit::Inconclusive,
        format!("no value satisfies `{}`; the search was exhaustive", one_line(what)),
    )
    .with_help("relax the condition")
}

pub(super) fn exhausted_error(what: &str, report: &SampleReport) -> CliError {
    let what = one_line(what);
    let message = if report.n_drawn == 0 {
        format!("found no value that satisfies `{what}` within the search budget")
    } else {
        let found = pluralize(report.n_drawn, "value");
        format!("found only {found} of `{what}` within the search budget")
    };
    CliError::new(Exit::Inconclusive, message)
        .with_help("relax the condition, or bound the unknowns")
}

fn one_line(what: &str) -> String {
    what.split_whitespace().collect::<Vec<_>>().join(" ")
}

//! `gainsay sample --complete`: compares all small solutions of a query with those that a search
//! finds.

use gainsay::{CheckedSample, Completeness, SampleSettings, SampleSubject};
use serde::Serialize;

use super::{report_errors, write_value};
use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::report::{line, pluralize};
use crate::reporter::Reporter;

/// The differences that are listed.
const MAX_LISTED: usize = 10;

#[derive(Debug, Serialize)]
struct CompletenessRecord<'a> {
    height: u32,
    solutions: usize,
    reached: usize,
    missed: &'a [Vec<String>],
    invalid: &'a [Vec<String>],
    undecided: usize,
    cut_off: bool,
    exit: u8,
}

/// Compares, and prints the differences.
pub(super) fn compare(
    sampling: &CheckedSample,
    height: u32,
    settings: &SampleSettings,
    reporter: &mut Reporter,
) -> Exit {
    if sampling.claim.is_none() {
        return report_errors(sampling, reporter);
    }
    let SampleSubject::Query(names) = &sampling.subject else {
        return reporter.error(&super::query::needs_query("--complete"));
    };
    let result = match gainsay::check_completeness(sampling, height, settings) {
        // Floats are drawn whole, so that no list of them is ever complete.
        Some(Ok(result)) if !result.has_opaque => result,
        Some(Ok(_)) => {
            let message = "cannot enumerate floats";
            let error = CliError::new(Exit::Inconclusive, message)
                .with_help("use unknowns of other types, such as lists of characters");
            return reporter.error(&error);
        }
        Some(Err(_)) | None => {
            let error = CliError::new(Exit::Inconclusive, "the query cannot be narrowed");
            return reporter.error(&error);
        }
    };
    let has_differences = !result.missed.is_empty() || !result.invalid.is_empty();
    let exit = match (has_differences, is_partial(&result)) {
        (true, _) => Exit::Failed,
        (false, true) => Exit::Inconclusive,
        (false, false) => Exit::Success,
    };
    write(names, height, &result, exit, reporter);
    exit
}

/// Whether some values were not compared.
fn is_partial(result: &Completeness) -> bool {
    result.is_cut_off || result.n_undecided > 0
}

fn write(
    names: &[String],
    height: u32,
    result: &Completeness,
    exit: Exit,
    reporter: &Reporter,
) {
    if !reporter.is_human() {
        let record = CompletenessRecord {
            height,
            solutions: result.n_solutions,
            reached: result.n_reached,
            missed: &result.missed,
            invalid: &result.invalid,
            undecided: result.n_undecided,
            cut_off: result.is_cut_off,
            exit: exit.number(),
        };
        let text = serde_json::to_string(&line("sample-complete", record));
        let _ = write_value(&text.expect("records have text keys"));
        return;
    }
    let _ = write_value(&summary(height, result));
    list("not reached", names, &result.missed);
    list("invalid", names, &result.invalid);
    if result.n_undecided > 0 {
        let n = pluralize(result.n_undecided as u64, "value");
        reporter.note(&format!("{n} left out: the predicate reached a limit"));
    }
    if result.is_cut_off {
        reporter.note("cut off: there are more than 20000 values of this height");
    }
}

fn summary(height: u32, result: &Completeness) -> String {
    let Completeness { n_solutions, n_reached, .. } = result;
    let verdict = match (result.missed.is_empty(), is_partial(result)) {
        (false, _) => "incomplete",
        (true, true) => "partly compared",
        (true, false) => "complete",
    };
    let invalid = match result.invalid.len() {
        0 => "none".to_owned(),
        n => n.to_string(),
    };
    format!(
        "{verdict}: {n_reached} of {n_solutions} values of height {height} reached, {invalid} \
         invalid"
    )
}

fn list(title: &str, names: &[String], solutions: &[Vec<String>]) {
    for values in solutions.iter().take(MAX_LISTED) {
        let parts = names.iter().zip(values).map(|(name, it)| format!("{name} = {it}"));
        let _ = write_value(&format!("{title}: {}", parts.collect::<Vec<_>>().join(", ")));
    }
    if solutions.len() > MAX_LISTED {
        let _ = write_value(&format!("{title}: {} more", solutions.len() - MAX_LISTED));
    }
}

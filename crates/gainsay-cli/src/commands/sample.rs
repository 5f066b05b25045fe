//! `gainsay sample`: prints values of a type or generator, or solutions of a query.

mod completeness;
mod query;
mod stats;
mod why;

use std::ops::ControlFlow;
use std::path::Path;

use gainsay::source::Diagnostic;
use gainsay::test::{SampleEnd, SampleReport, Statistics};
use gainsay::vm::Value;
use gainsay::{CheckedSample, SampleSettings, SampleSubject};
use serde::Serialize;

use crate::arguments::SampleArguments;
use crate::cli_error::CliError;
use crate::config::{self, ConfigChoice, ConfigLayer};
use crate::exit::Exit;
use crate::files::{self, DiskSources};
use crate::report::{line, pluralize};
use crate::reporter::Reporter;
use crate::{engine, interrupt, output};

/// The default number of values.
const DEFAULT_COUNT: u64 = 10;

/// The default number of values for statistics.
const DEFAULT_STATS_COUNT: u64 = 1000;

/// The JSON record about a run, on stderr.
#[derive(Debug, Serialize)]
struct SampleRecord {
    seed: u64,
    values: u64,
    given_up: u64,
    filtered: u64,
    exit: u8,
}

/// The output format.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum SampleFormat {
    Source,
    Json,
    Statistics,
}

/// Prints values, or their distribution.
pub(super) fn sample(args: &SampleArguments, reporter: &mut Reporter) -> Exit {
    // Stdout is for the values.
    reporter.send_json_to_stderr();
    let exit = try_sample(args, reporter);
    exit.unwrap_or_else(|trouble| reporter.error(&trouble))
}

fn try_sample(args: &SampleArguments, reporter: &mut Reporter) -> Result<Exit, CliError> {
    let line = ConfigLayer { seed: args.seed, ..ConfigLayer::default() };
    let seed = config::resolve(line, ConfigChoice::Nearest)?.settings.seed;
    let engine = engine::select_engine()?;
    let (entry, sources) = read(args.file.as_deref())?;
    let sampling = gainsay::check_sample(&args.what, entry.as_deref(), &sources);
    let search_mode = query::search_mode(args, &sampling)?;
    let usual = if args.stats { DEFAULT_STATS_COUNT } else { DEFAULT_COUNT };
    let is_condition = sampling.subject == SampleSubject::Condition;
    let settings = SampleSettings {
        // Without unknowns, every run gives the same answer.
        n_wanted: if is_condition { 1 } else { args.n.unwrap_or(usual) },
        seed,
        search_mode,
        engine,
        interrupt: interrupt::stop_gracefully(),
    };
    if let Some(height) = args.complete {
        return Ok(completeness::compare(&sampling, height, &settings, reporter));
    }
    let mut explainer = why::explainer(args, &sampling, reporter)?;
    if is_condition {
        return Ok(query::decide(&sampling, &settings, explainer.as_mut(), reporter));
    }
    let form = match (args.stats, reporter.is_human()) {
        (true, _) => SampleFormat::Statistics,
        (false, true) => SampleFormat::Source,
        (false, false) => SampleFormat::Json,
    };
    let mut statistics = Statistics::new();
    let report = gainsay::sample(&sampling, &settings, &mut |sampled| match form {
        SampleFormat::Source => {
            let text = query::source(&sampling, sampled);
            let solution: Vec<Value> =
                sampled.inputs.iter().map(|it| it.value.clone()).collect();
            let why =
                explainer.as_mut().map(|it| why::derivations(it, sampled.program, &solution));
            write_value(&(text + &why.unwrap_or_default()))
        }
        SampleFormat::Json => write_value(&query::json(&sampling, sampled)),
        SampleFormat::Statistics => {
            query::count(&sampling, &mut statistics, sampled);
            ControlFlow::Continue(())
        }
    });
    let Some(report) = report else { return Ok(report_errors(&sampling, reporter)) };
    if form == SampleFormat::Statistics {
        stats::write(&statistics, &report, &sampling, reporter);
    }
    query::note_way(args, &report, reporter);
    Ok(report_end((&args.what, &sampling), &report, seed, reporter))
}

/// The file whose names may be used.
fn read(file: Option<&Path>) -> Result<(Option<String>, DiskSources), CliError> {
    let Some(path) = file else { return Ok((None, DiskSources::default())) };
    let Some(name) = files::display_path(path) else {
        return Err(CliError::usage(format!(
            "the file name `{}` is not valid UTF-8",
            path.display()
        ))
        .with_help("rename the file"));
    };
    let (sources, mut troubles) = DiskSources::read(std::slice::from_ref(&name));
    match troubles.pop() {
        Some(trouble) => Err(trouble),
        None => Ok((Some(name), sources)),
    }
}

/// Reports why nothing can be generated. An error in the sample is an error of the command line.
fn report_errors(sampling: &CheckedSample, reporter: &mut Reporter) -> Exit {
    let checked = &sampling.checked;
    reporter.diagnostics(&checked.files, &checked.diagnostics);
    // What is sampled comes from the command line, so an error in it is a usage error.
    if checked.diagnostics.iter().any(|it| sampling.is_in_sample(it.primary.span)) {
        Exit::Usage
    } else {
        Exit::DoesNotCompile
    }
}

fn write_value(text: &str) -> ControlFlow<()> {
    match output::write_line(text) {
        Ok(()) => ControlFlow::Continue(()),
        // Output errors are reported once, when the command ends.
        Err(_) => ControlFlow::Break(()),
    }
}

/// Reports how the run ended.
fn report_end(
    (what, sampling): (&str, &CheckedSample),
    report: &SampleReport,
    seed: u64,
    reporter: &mut Reporter,
) -> Exit {
    let mut say = |diagnostic: &Diagnostic, exit: Exit| {
        let located = sampling.with_original_spans(diagnostic.clone());
        reporter.diagnostic(&sampling.checked.files, &located);
        exit
    };
    let exit = match &report.end {
        SampleEnd::Enough => Exit::Success,
        SampleEnd::StoppedByVisitor => interrupted(),
        SampleEnd::NoGenerator(why) => say(why, Exit::Inconclusive),
        SampleEnd::Fault(fault) if fault.is_limit => say(&fault.diagnostic, Exit::Inconclusive),
        SampleEnd::Fault(fault) => say(&fault.diagnostic, Exit::Failed),
        SampleEnd::Unsatisfiable => reporter.error(&query::unsatisfiable_error(what)),
        SampleEnd::GaveUp if matches!(sampling.subject, SampleSubject::Query(_)) => {
            reporter.error(&query::exhausted_error(what, report))
        }
        SampleEnd::GaveUp => reporter.error(&exhausted_error(report)),
        SampleEnd::TooManyChoices => reporter.error(&limit_error(report)),
    };
    let mut text = format!("{}; seed {seed}", pluralize(report.n_drawn, "value"));
    let said = matches!(
        report.end,
        SampleEnd::GaveUp | SampleEnd::TooManyChoices | SampleEnd::Unsatisfiable
    );
    if report.n_given_up > 0 && !said {
        let is_query = matches!(sampling.subject, SampleSubject::Query(_));
        let who = if is_query { "search" } else { "generator" };
        text = format!("{text}; the {who} gave up {}", times(report.n_given_up));
    }
    reporter.note(&text);
    reporter.write_record(&line(
        "sample",
        SampleRecord {
            seed,
            values: report.n_drawn,
            given_up: report.n_given_up,
            filtered: report.filtered.iter().map(|it| it.n_rejected).sum(),
            exit: exit.number(),
        },
    ));
    exit
}

fn interrupted() -> Exit {
    // A closed stdout means that the reader has seen enough.
    if interrupt::stop_gracefully().load(std::sync::atomic::Ordering::Relaxed) {
        Exit::Interrupted
    } else {
        Exit::Success
    }
}

fn exhausted_error(report: &SampleReport) -> CliError {
    let message = format!(
        "the generator gave up {} and produced {}",
        times(report.n_given_up),
        pluralize(report.n_drawn, "value")
    );
    CliError::new(Exit::Inconclusive, message)
        .with_help("relax its conditions, or generate values that satisfy them by construction")
}

fn limit_error(report: &SampleReport) -> CliError {
    let message = format!(
        "the generator exceeded a million choices {} and produced {}",
        times(report.n_given_up),
        pluralize(report.n_drawn, "value")
    );
    CliError::new(Exit::Inconclusive, message).with_help(
        "bound the generator with `Gen.sized` or a smaller limit, or use a smaller type",
    )
}

fn times(n: u64) -> String {
    pluralize(n, "time")
}

//! `gainsay spec`: what a trace specification allows and needs, shown to its author. This file shows
//! its traces.

use gainsay::synth::{SourceSpec, SynthesisLimits, SynthesisStatus, first_traces, trace_text};
use serde::Serialize;

use super::spec_mutation::try_mutate;
use super::synth::{is_interrupted, read_specs, status_name};
use crate::arguments::{SpecCommand, TracesArguments};
use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::interrupt;
use crate::output::write_line;
use crate::report::line;
use crate::reporter::Reporter;

/// Does what is asked with the specifications of a file.
pub(super) fn spec(command: &SpecCommand, reporter: &mut Reporter) -> Exit {
    reporter.send_json_to_stderr();
    let exit = match command {
        SpecCommand::Traces(args) => try_traces(args, reporter),
        SpecCommand::Mutate(args) => try_mutate(args, reporter),
    };
    exit.unwrap_or_else(|error| reporter.error(&error))
}

fn try_traces(args: &TracesArguments, reporter: &mut Reporter) -> Result<Exit, CliError> {
    let checked = match read_specs(&args.file, reporter)? {
        Ok(checked) => checked,
        Err(exit) => return Ok(exit),
    };
    let traces = usize::try_from(args.traces).unwrap_or(usize::MAX);
    let interrupt = Some(interrupt::stop_gracefully());
    let limits = SynthesisLimits { traces, interrupt, ..SynthesisLimits::default() };
    let mut exit = Exit::Success;
    for spec in &checked.specs {
        exit = exit.combine(show_traces(spec, &limits, reporter));
        if is_interrupted(&limits) {
            return Ok(Exit::Interrupted);
        }
    }
    Ok(exit)
}

fn show_traces(spec: &SourceSpec, limits: &SynthesisLimits, reporter: &mut Reporter) -> Exit {
    let name = &spec.spec.name;
    let Ok(found) = first_traces(&spec.spec, limits) else {
        let message = format!("the patterns of `{name}` are too large");
        return reporter.error(&CliError::new(Exit::Inconclusive, message));
    };
    let mut exit = Exit::Success;
    for (op, synthesis) in found {
        if synthesis.status == SynthesisStatus::GaveUp {
            exit = exit.combine(Exit::Inconclusive);
        }
        let traces = synthesis.traces.iter();
        let traces = traces.map(|it| trace_text(&spec.spec, &synthesis.terms, it)).collect();
        let operation = &spec.spec.operation(op).name;
        let status = status_name(synthesis.status);
        let record = TracesRecord { spec: name, operation, status, traces };
        if reporter.is_human() {
            print_traces(&record, synthesis.status);
        } else {
            let text = serde_json::to_string(&line("spec-traces", record));
            let _ = write_line(&text.expect("records have text keys"));
        }
    }
    exit
}

/// The JSON record about an operation.
#[derive(Debug, Serialize)]
struct TracesRecord<'a> {
    spec: &'a str,
    operation: &'a str,
    status: &'static str,
    traces: Vec<String>,
}

fn print_traces(record: &TracesRecord<'_>, status: SynthesisStatus) {
    let TracesRecord { spec, operation, traces, .. } = record;
    match status {
        SynthesisStatus::Reached => {}
        SynthesisStatus::Unreachable => {
            let _ = write_line(&format!("{spec}.{operation}: never"));
        }
        SynthesisStatus::GaveUp => {
            let text = format!("{spec}.{operation}: gave up before the search was complete");
            let _ = write_line(&text);
        }
    }
    for trace in traces {
        let _ = write_line(&format!("{spec}.{operation}: {trace}"));
    }
}

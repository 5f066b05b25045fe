//! `gainsay synth`: generators of operation sequences for the goals of trace specifications.

use std::path::Path;

use gainsay::CheckedSources;
use gainsay::synth::{
    Goal, GoalKind, SourceSpec, Spec, Synthesis, SynthesisLimits, SynthesisStatus,
    generator_text, goal_text, synthesize,
};
use serde::Serialize;

use crate::arguments::SynthArguments;
use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::files::{self, DiskSources};
use crate::interrupt;
use crate::output::write_line;
use crate::report::{line, pluralize};
use crate::reporter::Reporter;

/// Synthesizes generators, and prints them.
pub(super) fn synth(args: &SynthArguments, reporter: &mut Reporter) -> Exit {
    // Stdout is for the generators.
    reporter.send_json_to_stderr();
    try_synth(args, reporter).unwrap_or_else(|error| reporter.error(&error))
}

fn try_synth(args: &SynthArguments, reporter: &mut Reporter) -> Result<Exit, CliError> {
    let checked = match read_specs(&args.file, reporter)? {
        Ok(checked) => checked,
        Err(exit) => return Ok(exit),
    };
    let goals = wanted_goals(&checked.specs, args.goal.as_deref())?;
    let mut exit = Exit::Success;
    let defaults = SynthesisLimits::default();
    let limits = SynthesisLimits {
        traces: usize::try_from(args.traces).unwrap_or(usize::MAX),
        steps: args.steps.unwrap_or(defaults.steps),
        interrupt: Some(interrupt::stop_gracefully()),
        ..defaults
    };
    let form = if args.show { TraceForm::Goals } else { TraceForm::Generators };
    for (spec, goal) in goals {
        exit = exit.combine(synthesize_goal(spec, goal, &limits, form, reporter));
        if is_interrupted(&limits) {
            return Ok(Exit::Interrupted);
        }
    }
    Ok(exit)
}

pub(super) fn is_interrupted(limits: &SynthesisLimits) -> bool {
    limits.is_interrupted()
}

/// The checked file, or how the command ends because of its errors.
pub(super) fn read_specs(
    file: &Path,
    reporter: &mut Reporter,
) -> Result<Result<CheckedSources, Exit>, CliError> {
    let found = files::find_sources(&[file.to_owned()]);
    if let Some(error) = found.errors.into_iter().next() {
        return Err(error);
    }
    let (sources, errors) = DiskSources::read(&found.files);
    if let Some(error) = errors.into_iter().next() {
        return Err(error);
    }
    let checked = gainsay::check(sources.entries(), &sources);
    reporter.diagnostics(&checked.files, &checked.diagnostics);
    if checked.has_errors() {
        return Ok(Err(Exit::DoesNotCompile));
    }
    if checked.specs.is_empty() {
        let error = CliError::nothing_to_run(format!("no `spec` in `{}`", file.display()));
        return Err(error.with_help("see `gainsay explain impossible-event` for an example"));
    }
    Ok(Ok(checked))
}

/// The goals with a name, or all.
pub(super) fn wanted_goals<'s>(
    specs: &'s [SourceSpec],
    name: Option<&str>,
) -> Result<Vec<(&'s SourceSpec, &'s Goal)>, CliError> {
    let all = specs.iter().flat_map(|spec| spec.spec.goals.iter().map(move |it| (spec, it)));
    let is_wanted = |(spec, goal): &(&SourceSpec, &Goal)| {
        name.is_none_or(|name| name == goal.name || name == full_name(spec, goal))
    };
    let wanted: Vec<_> = all.clone().filter(is_wanted).collect();
    if !wanted.is_empty() {
        return Ok(wanted);
    }
    let Some(name) = name else {
        return Err(CliError::nothing_to_run("no goals in these specifications")
            .with_help("add a `violation` or a `scenario`"));
    };
    let names: Vec<String> = all.map(|(spec, goal)| full_name(spec, goal)).collect();
    let close = gainsay::source::closest_name(name, names.iter().map(String::as_str));
    let close = close.map(str::to_owned);
    Err(CliError::usage(format!("no goal `{name}`")).with_suggestion(close.as_deref()))
}

fn full_name(spec: &SourceSpec, goal: &Goal) -> String {
    format!("{}.{}", spec.spec.name, goal.name)
}

/// How traces are printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TraceForm {
    /// As programs that read well.
    Generators,
    /// As goals that can be put into the specification.
    Goals,
}

/// The JSON record about a goal.
#[derive(Debug, Serialize)]
struct SynthRecord<'a> {
    goal: &'a str,
    status: &'static str,
    generators: Vec<GeneratorRecord>,
    events: Option<usize>,
    steps: u64,
    solver_calls: u64,
}

/// The JSON record of a generator.
#[derive(Debug, Serialize)]
struct GeneratorRecord {
    source: String,
}

fn synthesize_goal(
    spec: &SourceSpec,
    goal: &Goal,
    limits: &SynthesisLimits,
    form: TraceForm,
    reporter: &mut Reporter,
) -> Exit {
    let name = full_name(spec, goal);
    let Ok(synthesis) = synthesize(&spec.spec, goal, limits) else {
        let message = format!("the patterns of `{name}` are too large");
        let error = CliError::new(Exit::Inconclusive, message)
            .with_help("use fewer alternatives in each pattern");
        return reporter.error(&error);
    };
    let texts = match form {
        TraceForm::Goals => goal_texts(&spec.spec, goal, &synthesis),
        TraceForm::Generators => {
            let generators = synthesis.generators(&spec.spec, goal);
            let texts = generators.iter();
            texts.map(|it| generator_text(&spec.spec, &synthesis.terms, it)).collect()
        }
    };
    if reporter.is_human() {
        print_goal(&name, goal, &synthesis, &texts);
    } else {
        let record = SynthRecord {
            goal: &name,
            status: status_name(synthesis.status),
            events: synthesis.traces.first().map(|it| it.events.len()),
            generators: texts.into_iter().map(|source| GeneratorRecord { source }).collect(),
            steps: synthesis.total.steps,
            solver_calls: synthesis.total.solver_calls,
        };
        let text = serde_json::to_string(&line("synth", record));
        let _ = write_line(&text.expect("records have text keys"));
    }
    match synthesis.status {
        SynthesisStatus::Reached => Exit::Success,
        SynthesisStatus::Unreachable => Exit::Failed,
        SynthesisStatus::GaveUp => Exit::Inconclusive,
    }
}

/// The traces as goals, numbered after the goal that they reach.
fn goal_texts(spec: &Spec, goal: &Goal, synthesis: &Synthesis) -> Vec<String> {
    let mut number = 0;
    let texts = synthesis.traces.iter().map(|trace| {
        let name = loop {
            number += 1;
            let name = format!("{}_{number}", goal.name);
            if spec.goals.iter().all(|it| it.name != name) {
                break name;
            }
        };
        goal_text(spec, goal, &synthesis.terms, trace, &name)
    });
    texts.collect()
}

/// The name of a result in JSON.
pub(super) fn status_name(status: SynthesisStatus) -> &'static str {
    match status {
        SynthesisStatus::Reached => "reached",
        SynthesisStatus::Unreachable => "unreachable",
        SynthesisStatus::GaveUp => "gave-up",
    }
}

fn print_goal(name: &str, goal: &Goal, synthesis: &Synthesis, texts: &[String]) {
    let effort = format!(
        "{}, {}",
        pluralize(synthesis.total.steps, "step"),
        pluralize(synthesis.total.solver_calls, "solver call")
    );
    let text = match synthesis.status {
        SynthesisStatus::Reached => {
            let events = synthesis.traces.first().map_or(0, |it| it.events.len());
            format!("// {name}: reached with {} ({effort})", pluralize(events as u64, "event"))
        }
        SynthesisStatus::Unreachable => {
            let hint = match goal.kind {
                GoalKind::Violation => {
                    "\n// the rules exclude this violation; to test that the system prevents it,\n\
                     // write a `scenario` that leads up to it, with `expect`"
                }
                GoalKind::Scenario => "",
            };
            format!(
                "// {name}: unreachable, no trace of the specification matches ({effort}){hint}"
            )
        }
        SynthesisStatus::GaveUp => {
            format!("// {name}: gave up before the search was complete ({effort})")
        }
    };
    let _ = write_line(&text);
    for text in texts {
        let _ = write_line(text);
    }
}

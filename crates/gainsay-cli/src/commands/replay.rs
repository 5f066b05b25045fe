//! `gainsay replay`: reruns one case of one claim. [`recording`] replays recorded runs.

mod recording;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use gainsay::source::{RenderStyle, closest_name};
use gainsay::test::{
    ClaimName, ClaimStatus, ReplayCase, ReplayEnd, ReplayFit, ReplayReport, ReplayRequest,
    Report, ReportedInput, RunProfile, SavedCase, SavedCaseFile,
};
use gainsay::{NamedClaim, ReplaySession};
use serde::Serialize;

use super::test::CheckedProject;
use crate::arguments::ReplayArguments;
use crate::cli_error::{CliError, io_error_reason};
use crate::config::{self, ConfigChoice, ConfigLayer};
use crate::exit::Exit;
use crate::files;
use crate::report::claims::{self as report, DurationDisplay, TestReportData};
use crate::report::{Verbosity, line, pluralize};
use crate::reporter::Reporter;
use crate::systems::{AdapterSettings, BoundSystems};
use crate::{engine, interrupt, output};

/// The maximum number of names listed.
const MAX_NAMES: usize = 10;

/// Replays one case, or a recorded run.
pub(super) fn replay(args: &ReplayArguments, reporter: &mut Reporter) -> Exit {
    if recording::is_recording_argument(args) {
        return recording::replay(args, reporter);
    }
    try_replay(args, reporter).unwrap_or_else(|error| reporter.error(&error))
}

fn try_replay(args: &ReplayArguments, reporter: &mut Reporter) -> Result<Exit, CliError> {
    // Only for the paths and the project folder: limits come from the claim.
    let resolved = config::resolve(ConfigLayer::default(), ConfigChoice::Nearest)?;
    if args.as_stubs {
        let message =
            format!("`{}` is not a recording (a `.json` file)", truncated(&args.claim));
        return Err(CliError::usage(message).with_help("see `gainsay replay --help`"));
    }
    let Some(word) = &args.case else {
        let message = format!("no case given for `{}`", truncated(&args.claim));
        return Err(CliError::usage(message)
            .with_help("pass a replay token from a report (`gs1-..`) or a `.case` file"));
    };
    let case = parse_case(word)?;
    let engine = engine::select_engine()?;
    let paths = if args.paths.is_empty() { &resolved.paths } else { &args.paths };
    let project = CheckedProject::of(paths, &resolved.root);
    let Some(program) = project.program() else {
        return Ok(project.report(reporter));
    };
    let all = project.claims();
    let wanted = find_claim(&args.claim, &all)?;
    if let ReplayCase::Saved(file) = &case
        && let Ok(saved) = &file.case
    {
        note_other_claim(wanted, &saved.claim, &file.path, reporter);
    }
    let interrupt = interrupt::stop_gracefully();
    let systems = BoundSystems::new(
        program.program,
        &[resolved.systems, args.against.clone()].concat(),
        AdapterSettings::new(Arc::clone(&interrupt)),
    )?;
    let session = ReplaySession { program, engine, interrupt, systems: Some(&systems) };
    let request = ReplayRequest { claim: wanted.claim, case };
    let replayed = gainsay::replay(&session, &[request]).pop();
    let replayed = replayed.expect("there is an answer to each request");
    Ok(report_replay(&project, &replayed, reporter))
}

/// The case that a replay token or a file name denotes.
fn parse_case(text: &str) -> Result<ReplayCase, CliError> {
    let path = Path::new(text);
    let is_file = path.extension().is_some_and(|it| it == "case") || path.is_file();
    if !is_file {
        // A word with a slash is a mistyped path, not a mistyped token.
        if text.trim_start().starts_with("gs") && !text.contains(['/', '\\']) {
            return ReplayCase::from_token(text.trim()).map_err(|why| {
                CliError::usage(format!(
                    "`{}` is not a valid replay token: {why}",
                    truncated(text)
                ))
                .with_help("copy the whole replay token from the report")
            });
        }
        return Err(CliError::usage(format!(
            "`{}` is neither a replay token nor a file",
            truncated(text)
        ))
        .with_help("pass a replay token from a report (`gs1-..`) or a `.case` file"));
    }
    let unreadable = |why: String| CliError::usage(format!("cannot read `{text}`: {why}"));
    let content = fs::read_to_string(path).map_err(|error| {
        unreadable(io_error_reason(&error)).with_help("list saved cases with `gainsay cases`")
    })?;
    let case = SavedCase::parse(&content).map_err(|broken| {
        unreadable(broken.to_string()).with_help("fix the file, or name another one")
    })?;
    let path = files::display_path(path).unwrap_or_else(|| text.to_owned());
    Ok(ReplayCase::Saved(Box::new(SavedCaseFile { path, case: Ok(case) })))
}

/// The name of a claim without its module.
fn bare_name(it: &NamedClaim) -> &str {
    it.id.split_once("::").map_or(it.id.as_str(), |(_, name)| name)
}

/// The claim with a name: the full name, or a part that matches only one claim.
fn find_claim<'a>(name: &str, all: &'a [NamedClaim]) -> Result<&'a NamedClaim, CliError> {
    // Exact matches take precedence, so that a claim whose name is part of another's can be
    // replayed.
    let matchers: [&dyn Fn(&&NamedClaim) -> bool; 3] =
        [&|it| it.id == name, &|it| bare_name(it) == name, &|it| it.id.contains(name)];
    for matches in matchers {
        let found: Vec<&NamedClaim> = all.iter().filter(|it| matches(it)).collect();
        match found.as_slice() {
            [] => {}
            [one] => return Ok(one),
            [_, _, ..] => return Err(ambiguous(name, &found)),
        }
    }
    let names = all.iter().flat_map(|it| [it.id.as_str(), bare_name(it)]);
    let error = if all.is_empty() {
        CliError::usage("no claims in these files")
    } else {
        CliError::usage(format!("no claim matches `{name}`"))
    };
    Err(error
        .with_suggestion(closest_name(name, names))
        .with_help("list claims with `gainsay test --list`"))
}

fn ambiguous(name: &str, found: &[&NamedClaim]) -> CliError {
    let mut names: Vec<String> =
        found.iter().take(MAX_NAMES).map(|it| format!("`{}`", it.id)).collect();
    if found.len() > MAX_NAMES {
        names.push(format!("{} more", found.len() - MAX_NAMES));
    }
    let message = format!("`{name}` matches several claims: {}", names.join(", "));
    CliError::usage(message)
        .with_help("write the full name, or name the file that contains the claim")
}

fn note_other_claim(wanted: &NamedClaim, claim: &ClaimName, path: &str, reporter: &Reporter) {
    let of = format!("{}::{}", claim.module, claim.name);
    if of != wanted.id {
        reporter.note(&format!("note: `{path}` was saved for `{of}`"));
    }
}

/// The result of the case, as a JSON record.
#[derive(Debug, Serialize)]
struct ReplayRecord<'a> {
    claim: String,
    result: &'static str,
    reason: Option<&'a str>,
    fits: bool,
    inputs: Vec<ReplayInputRecord<'a>>,
    exit: u8,
}

#[derive(Debug, Serialize)]
struct ReplayInputRecord<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    ty: &'a str,
    value: &'a str,
}

/// Reports the result of the case.
fn report_replay(
    project: &CheckedProject,
    replayed: &ReplayReport,
    reporter: &Reporter,
) -> Exit {
    let (result, reason, exit) = match &replayed.end {
        ReplayEnd::Fails if replayed.report.status == ClaimStatus::Limit => {
            ("limit", None, Exit::Inconclusive)
        }
        ReplayEnd::Fails => ("fails", None, Exit::Failed),
        // If the case had to be adapted, passing says nothing about the original case.
        ReplayEnd::Passes if is_adapted(replayed) => {
            let why = "the inputs of the claim have changed since the case was found";
            ("adapted", Some(why), Exit::Inconclusive)
        }
        ReplayEnd::Passes => ("passes", None, Exit::Success),
        ReplayEnd::Unusable(why) => ("unusable", Some(why.as_str()), Exit::Inconclusive),
        ReplayEnd::Declined(_) => ("declined", None, Exit::Inconclusive),
        ReplayEnd::Interrupted => ("interrupted", None, Exit::Interrupted),
    };
    let files = &project.checked.files;
    if reporter.is_human() {
        let text = describe(project, replayed, exit, reporter.output_style());
        // Output errors are reported once, when the command ends.
        let _ = output::write(text.as_bytes());
        return exit;
    }
    let claim = report::ndjson_claim(files, &[], DurationDisplay::Hidden, &replayed.report);
    let _ = output::write(claim.as_bytes());
    let inputs = replayed.arguments.iter();
    let inputs =
        inputs.map(|it| ReplayInputRecord { name: &it.name, ty: &it.ty, value: &it.value });
    reporter.write_record(&line(
        "replay",
        ReplayRecord {
            claim: replayed.report.id(),
            result,
            reason,
            fits: !is_adapted(replayed),
            inputs: inputs.collect(),
            exit: exit.number(),
        },
    ));
    exit
}

fn describe(
    project: &CheckedProject,
    replayed: &ReplayReport,
    exit: Exit,
    style: RenderStyle,
) -> String {
    let report = Report {
        seed: 0,
        claims: vec![replayed.report.clone()],
        interrupted: false,
        time: Duration::ZERO,
    };
    let data = TestReportData {
        files: &project.checked.files,
        n_standard: gainsay::std_modules().len(),
        diagnostics: &[],
        errors: &[],
        report: &report,
        profile: RunProfile::Default,
        deny: &[],
        durations: DurationDisplay::Hidden,
        exit,
    };
    let id = replayed.report.id();
    let mut text = report::human_sections(&data, &replayed.report, (style, Verbosity::Normal));
    match &replayed.end {
        ReplayEnd::Fails => {}
        ReplayEnd::Declined(_) => text += &inputs(&replayed.arguments),
        ReplayEnd::Passes if is_adapted(replayed) => {
            let _ = writeln!(text, "{id}: passes with the choices that still fit");
            text += &inputs(&replayed.arguments);
        }
        ReplayEnd::Passes => {
            let _ = writeln!(text, "PASS {id}\n  the case passes now");
            text += &inputs(&replayed.arguments);
        }
        ReplayEnd::Unusable(why) => {
            let _ = writeln!(text, "{id}: the case is no longer usable: {why}");
            text += &inputs(&replayed.arguments);
        }
        ReplayEnd::Interrupted => text += "interrupted\n",
    }
    match &replayed.end {
        ReplayEnd::Fails | ReplayEnd::Passes | ReplayEnd::Declined(_) => {
            text + &fit_text(replayed.fit)
        }
        ReplayEnd::Unusable(_) | ReplayEnd::Interrupted => text,
    }
}

/// Whether the case that was run differs from the one that was found.
fn is_adapted(replayed: &ReplayReport) -> bool {
    matches!(replayed.fit, ReplayFit::Adapted { .. })
}

/// How well the case matched, if there is anything to report.
fn fit_text(fit: ReplayFit) -> String {
    match fit {
        ReplayFit::Exact | ReplayFit::ByValues => String::new(),
        ReplayFit::ByChoices => {
            "note: some inputs in the file cannot be read; all inputs were regenerated from \
             its choices\n"
                .to_owned()
        }
        ReplayFit::Adapted { n_given, n_made } => format!(
            "note: the inputs of the claim have changed since the case was found: the case has \
             {}, this run drew {n_made}; choices that no longer fit were replaced by the \
             simplest ones\n",
            pluralize(n_given, "choice")
        ),
    }
}

fn inputs(arguments: &[ReportedInput]) -> String {
    if arguments.is_empty() {
        return String::new();
    }
    let lines = report::as_source(arguments);
    let lines: String = lines.lines().map(|line| format!("    {line}\n")).collect();
    format!("  inputs:\n{lines}")
}

/// Truncates a word that may be very long.
fn truncated(text: &str) -> String {
    if text.chars().count() <= 40 {
        return text.to_owned();
    }
    let start: String = text.chars().take(36).collect();
    format!("{start}..")
}

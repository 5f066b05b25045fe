//! `gainsay replay` of a recording: reruns a program against it, and reports the first divergence.

use std::path::Path;
use std::sync::Arc;

use gainsay::solve::RelationSolver;
use gainsay::source::{SourceMap, Span};
use gainsay::vm::{Engine, Fault, Value};
use serde::Serialize;

use super::super::run::{self, LoadError, LoadedMain};
use crate::arguments::ReplayArguments;
use crate::cli_error::{CliError, TextLocation};
use crate::exit::Exit;
use crate::output::{self, OutputError};
use crate::recording::{
    self, EffectCoordinates, RecordedEnd, RecordingPlayer, ReplayDivergence, RunRecording,
};
use crate::report::{line, pluralize};
use crate::reporter::Reporter;
use crate::{engine, files};

/// Longer texts are truncated for display.
const MAX_SHOWN_CHARS: usize = 200;

/// Whether the argument is a recording, not a claim.
pub(super) fn is_recording_argument(args: &ReplayArguments) -> bool {
    let has = |text: &str, wanted: &str| {
        Path::new(text).extension().is_some_and(|extension| extension == wanted)
    };
    let has_source = || args.case.as_deref().is_none_or(|it| has(it, "say"));
    has(&args.claim, "json") && (Path::new(&args.claim).is_file() || has_source())
}

/// Replays a recording.
pub(super) fn replay(args: &ReplayArguments, reporter: &mut Reporter) -> Exit {
    // Stdout belongs to the program.
    reporter.send_json_to_stderr();
    match try_replay(args, reporter) {
        Ok(exit) | Err(LoadError::Reported(exit)) => exit,
        Err(LoadError::Cli(error)) => reporter.error(&error),
    }
}

fn try_replay(args: &ReplayArguments, reporter: &mut Reporter) -> Result<Exit, LoadError> {
    let recording = recording::read(&args.claim)?;
    if args.as_stubs {
        let world = recording::as_world(&args.claim, &recording)?;
        // Output errors are reported once, when the command ends.
        let _ = output::write(world.as_bytes());
        return Ok(Exit::Success);
    }
    let loaded = load(args, &recording, reporter)?;
    let limits = recording.limits.into();
    let player = RecordingPlayer::new(Arc::clone(&loaded.program), recording);
    let engine = Engine::new(Arc::clone(&loaded.program), engine::select_engine()?)
        .with_relations(RelationSolver::for_program(&loaded.program));
    let mut replay = RecordingReplay { recording: &args.claim, loaded, player };
    let mut worker = engine.worker(limits);
    let outcome = worker.call(replay.loaded.main, &[], &mut replay.player);
    Ok(replay.report(&outcome.result, reporter))
}

/// The recorded program, or the one that is named.
fn load(
    args: &ReplayArguments,
    recording: &RunRecording,
    reporter: &mut Reporter,
) -> Result<LoadedMain, LoadError> {
    if let Some(path) = args.paths.first() {
        let message = format!("unexpected argument `{}`", path.display());
        let help = "name only the recording and the file with `main`";
        return Err(CliError::usage(message).with_help(help).into());
    }
    if recording.entry != "main" {
        let message = format!("`{}` is a recording of `{}`", args.claim, recording.entry);
        let help = "record a `main` with `gainsay run --record`";
        return Err(CliError::usage(message).with_help(help).into());
    }
    // The second argument is a case for a claim and a program for a recording.
    let named = args.case.as_deref().and_then(|name| files::display_path(Path::new(name)));
    let loaded = run::load(named.as_deref().unwrap_or(&recording.program), reporter);
    loaded.map_err(|stop| match (stop, named) {
        (LoadError::Cli(error), None) => {
            let help = "name the recorded file if it has moved";
            LoadError::Cli(error.with_help(help))
        }
        (stop, _) => stop,
    })
}

/// A recording and the result of its replay.
struct RecordingReplay<'a> {
    recording: &'a str,
    loaded: LoadedMain,
    player: RecordingPlayer,
}

/// The result of a replay, as a JSON record.
#[derive(Debug, Serialize)]
struct RecordingRecord<'a> {
    recording: &'a str,
    result: &'static str,
    effects: usize,
    exit: u8,
}

impl RecordingReplay<'_> {
    fn report(&self, result: &Result<Value, Fault>, reporter: &mut Reporter) -> Exit {
        match self.player.output_error() {
            // The reader is gone, so there is nobody to report to.
            Some(OutputError::Closed) => return Exit::Success,
            // The end of the command reports the reason.
            Some(OutputError::Failed(_)) => return Exit::Usage,
            None => {}
        }
        let LoadedMain { files, program, .. } = &self.loaded;
        let now = RecordedEnd::of(program, result);
        let diverged = self.player.first_divergence(&now);
        // A fault is part of the recorded behavior, so it is shown even if it is the expected one.
        if let (Err(fault), RecordedEnd::Fault(_) | RecordedEnd::Limit(_)) = (result, &now) {
            let _ = output::flush();
            reporter.diagnostic(files, &fault.to_diagnostic(program));
        }
        let (outcome, exit) = match &diverged {
            None => ("same", Exit::Success),
            Some((divergence, site)) => {
                let error = divergence_error(divergence);
                let error = match site {
                    Some(site) => error.with_location(text_location(files, *site)),
                    None => error,
                };
                ("diverges", reporter.error(&error))
            }
        };
        let n_effects = self.player.n_effects();
        if diverged.is_none() {
            let effects = pluralize(n_effects as u64, "effect");
            let far = if self.player.recorded_end().is_cut_short() {
                " up to where it stops"
            } else {
                ""
            };
            reporter.note(&format!("the run matches the recording{far}: {effects}"));
        }
        let record = RecordingRecord {
            recording: self.recording,
            result: outcome,
            effects: n_effects,
            exit: exit.number(),
        };
        reporter.write_record(&line("recording", record));
        exit
    }
}

fn text_location(files: &SourceMap, site: Span) -> TextLocation {
    let file = files.get(site.file);
    TextLocation::new(&file.name, &file.text, site.start as usize..site.end as usize)
}

/// The error for a divergence, with both sides.
fn divergence_error(divergence: &ReplayDivergence) -> CliError {
    let message = match divergence {
        ReplayDivergence::Unrecorded { at, args } => {
            let call = truncated(&format!("{}({})", at.op, args.join(", ")));
            let recorded = match at.n {
                0 => "none".to_owned(),
                n => format!("only {n}"),
            };
            format!(
                "the program performs `{call}` ({}); the recording has {recorded}",
                coordinates_text(at)
            )
        }
        ReplayDivergence::Arguments { at, now, recorded } => {
            let [now, recorded] = [now, recorded].map(|args| truncated(&args.join(", ")));
            let call = coordinates_text(at);
            format!("{call} has the arguments `{now}`; the recording has `{recorded}`")
        }
        ReplayDivergence::Unreadable { at, answer, why } => {
            let (call, answer) = (coordinates_text(at), truncated(answer));
            format!("cannot read the recorded answer `{answer}` of {call}: {why}")
        }
        ReplayDivergence::Missing { effect, n_others } => {
            let call = truncated(&format!("{}({})", effect.at.op, effect.args.join(", ")));
            let others = match n_others {
                0 => String::new(),
                n => format!(", and {n} more"),
            };
            let which = coordinates_text(&effect.at);
            format!("the program ends without the recorded `{call}` ({which}){others}")
        }
        ReplayDivergence::End { now, recorded } => {
            format!(
                "the program {}; the recorded run {}",
                end_text(now),
                recorded_end_text(recorded)
            )
        }
    };
    let (exit, help) = match divergence {
        // The world's types are fixed, so no change of the program makes an answer unreadable.
        ReplayDivergence::Unreadable { .. } => (Exit::Usage, "record the run again"),
        ReplayDivergence::Unrecorded { .. }
        | ReplayDivergence::Arguments { .. }
        | ReplayDivergence::Missing { .. }
        | ReplayDivergence::End { .. } => {
            (Exit::Failed, "record the run again if the program was meant to change")
        }
    };
    CliError::new(exit, message).with_help(help)
}

fn coordinates_text(at: &EffectCoordinates) -> String {
    let branch =
        if at.path.is_empty() { String::new() } else { format!(" in branch {}", at.path) };
    format!("call {} of `{}`{branch}", at.n.saturating_add(1), at.op)
}

fn end_text(end: &RecordedEnd) -> String {
    match end {
        RecordedEnd::Value(value) => format!("returns `{}`", truncated(value)),
        RecordedEnd::Fault(words) | RecordedEnd::Limit(words) => format!("fails: {words}"),
        RecordedEnd::Interrupted => "was interrupted".to_owned(),
    }
}

fn recorded_end_text(end: &RecordedEnd) -> String {
    match end {
        RecordedEnd::Value(value) => format!("returned `{}`", truncated(value)),
        RecordedEnd::Fault(words) | RecordedEnd::Limit(words) => format!("failed: {words}"),
        RecordedEnd::Interrupted => "was interrupted".to_owned(),
    }
}

fn truncated(text: &str) -> String {
    if text.len() <= MAX_SHOWN_CHARS {
        return text.to_owned();
    }
    format!("{}..", &text[..text.floor_char_boundary(MAX_SHOWN_CHARS)])
}

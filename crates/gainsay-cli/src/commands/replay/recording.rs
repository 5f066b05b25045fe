//! `gainsay replay` of a recording: a run goes again as it went, or shows where it does not.

use std::path::Path;
use std::sync::Arc;

use gainsay::source::{Files, Span};
use gainsay::vm::{Engine, Fault, Value};
use serde::Serialize;

use super::super::run::{self, Loaded, Stop};
use crate::arguments::ReplayArguments;
use crate::exit::Exit;
use crate::output::{self, Lost};
use crate::recording::{self, Coordinates, Divergence, End, Player, Recording};
use crate::report::{Reporter, counted, line};
use crate::trouble::{Place, Trouble};
use crate::{engine, files};

/// Longer texts are cut off when they are shown.
const LONGEST: usize = 200;

/// Whether a recording is to be replayed, and not a claim.
pub(super) fn is_meant(args: &ReplayArguments) -> bool {
    let has = |text: &str, wanted: &str| {
        Path::new(text).extension().is_some_and(|extension| extension == wanted)
    };
    let has_source = || args.case.as_deref().is_none_or(|it| has(it, "say"));
    has(&args.claim, "json") && (Path::new(&args.claim).is_file() || has_source())
}

/// Replays a recording.
pub(super) fn replay(args: &ReplayArguments, reporter: &mut Reporter) -> Exit {
    // The output belongs to the program.
    reporter.leave_the_output_alone();
    match try_replay(args, reporter) {
        Ok(exit) | Err(Stop::Told(exit)) => exit,
        Err(Stop::Trouble(trouble)) => reporter.trouble(&trouble),
    }
}

fn try_replay(args: &ReplayArguments, reporter: &mut Reporter) -> Result<Exit, Stop> {
    let recording = recording::read(&args.claim)?;
    if args.as_stubs {
        let world = recording::as_world(&args.claim, &recording)?;
        // What became of the output is asked when the command ends.
        let _ = output::write(world.as_bytes());
        return Ok(Exit::Held);
    }
    let loaded = load(args, &recording, reporter)?;
    let limits = recording.limits.into();
    let player = Player::new(Arc::clone(&loaded.program), recording);
    let engine = Engine::new(Arc::clone(&loaded.program), engine::chosen()?);
    let mut replay = Replay { recording: &args.claim, loaded, player };
    let mut worker = engine.worker(limits);
    let outcome = worker.call(replay.loaded.main, &[], &mut replay.player);
    Ok(replay.tell(&outcome.result, reporter))
}

/// The program that was recorded, or the one that is named.
fn load(
    args: &ReplayArguments,
    recording: &Recording,
    reporter: &mut Reporter,
) -> Result<Loaded, Stop> {
    if let Some(path) = args.paths.first() {
        let message = format!("`{}` is one file too many", path.display());
        let help = "name at most the recording and the file with the `main`";
        return Err(Trouble::usage(message).with_help(help).into());
    }
    if recording.entry != "main" {
        let message = format!("`{}` is a recording of `{}`", args.claim, recording.entry);
        let help = "record a `main`, with `gainsay run --record`";
        return Err(Trouble::usage(message).with_help(help).into());
    }
    let named = args.case.as_deref().and_then(|name| files::shown(Path::new(name)));
    let loaded = run::load(named.as_deref().unwrap_or(&recording.program), reporter);
    loaded.map_err(|stop| match (stop, named) {
        (Stop::Trouble(trouble), None) => {
            let help = "name the file that was recorded, if it is elsewhere now";
            Stop::Trouble(trouble.with_help(help))
        }
        (stop, _) => stop,
    })
}

/// A recording and what became of it.
struct Replay<'a> {
    recording: &'a str,
    loaded: Loaded,
    player: Player,
}

/// What became of a recording, for programs.
#[derive(Debug, Serialize)]
struct RecordingRecord<'a> {
    recording: &'a str,
    result: &'static str,
    effects: usize,
    exit: u8,
}

impl Replay<'_> {
    fn tell(&self, result: &Result<Value, Fault>, reporter: &mut Reporter) -> Exit {
        match self.player.lost() {
            // Nobody reads any more, and nobody is there to tell.
            Some(Lost::Closed) => return Exit::Held,
            // The end of the command tells why.
            Some(Lost::Failed(_)) => return Exit::Usage,
            None => {}
        }
        let Loaded { files, program, .. } = &self.loaded;
        let now = End::of(program, result);
        let diverged = self.player.diverged(&now);
        // A fault is a part of what happened, recorded or not.
        if let (Err(fault), End::Fault(_) | End::Limit(_)) = (result, &now) {
            let _ = output::flush();
            reporter.diagnostic(files, &fault.to_diagnostic(program));
        }
        let (outcome, exit) = match &diverged {
            None => ("same", Exit::Held),
            Some((divergence, site)) => {
                let trouble = trouble(divergence);
                let trouble = match site {
                    Some(site) => trouble.with_place(place(files, *site)),
                    None => trouble,
                };
                ("diverges", reporter.trouble(&trouble))
            }
        };
        let n_effects = self.player.n_effects();
        if diverged.is_none() {
            let effects = counted(n_effects as u64, "effect");
            let far = if self.player.ended().is_early() { ", as far as that goes" } else { "" };
            reporter.remark(&format!("the run went as recorded{far}: {effects}"));
        }
        let record = RecordingRecord {
            recording: self.recording,
            result: outcome,
            effects: n_effects,
            exit: exit.number(),
        };
        reporter.record(&line("recording", record));
        exit
    }
}

fn place(files: &Files, site: Span) -> Place {
    let file = files.get(site.file);
    Place::new(&file.name, &file.text, site.start as usize..site.end as usize)
}

/// What is different, with both sides.
fn trouble(divergence: &Divergence) -> Trouble {
    let message = match divergence {
        Divergence::Unrecorded { at, args } => {
            let call = cut(&format!("{}({})", at.op, args.join(", ")));
            let recorded = match at.n {
                0 => "none".to_owned(),
                n => format!("{n} there"),
            };
            format!("the program performs `{call}`, {}; the recording has {recorded}", nth(at))
        }
        Divergence::Arguments { at, now, recorded } => {
            let [now, recorded] = [now, recorded].map(|args| cut(&args.join(", ")));
            let call = nth(at);
            format!("{call} has the arguments `{now}`; the recording has `{recorded}`")
        }
        Divergence::Unreadable { at, answer, why } => {
            let (call, answer) = (nth(at), cut(answer));
            format!("{call} has the recorded answer `{answer}`, which cannot be read: {why}")
        }
        Divergence::Missing { effect, n_others } => {
            let call = cut(&format!("{}({})", effect.at.op, effect.args.join(", ")));
            let others = match n_others {
                0 => String::new(),
                n => format!(", and {n} more"),
            };
            let which = nth(&effect.at);
            format!("the program ends without `{call}`, {which}, which is recorded{others}")
        }
        Divergence::End { now, recorded } => {
            format!("the program {}; the recorded run {}", ends(now), ended(recorded))
        }
    };
    let (exit, help) = match divergence {
        // The types of the world are ours: no change of the program makes an answer unreadable.
        Divergence::Unreadable { .. } => (Exit::Usage, "record the run again"),
        Divergence::Unrecorded { .. }
        | Divergence::Arguments { .. }
        | Divergence::Missing { .. }
        | Divergence::End { .. } => {
            (Exit::Gainsaid, "record the run again if the program was meant to change")
        }
    };
    Trouble::new(exit, message).with_help(help)
}

fn nth(at: &Coordinates) -> String {
    let branch =
        if at.path.is_empty() { String::new() } else { format!(" in branch {}", at.path) };
    format!("call {} of `{}`{branch}", at.n.saturating_add(1), at.op)
}

fn ends(end: &End) -> String {
    match end {
        End::Value(value) => format!("gives `{}`", cut(value)),
        End::Fault(words) | End::Limit(words) => format!("fails: {words}"),
        End::Interrupted => "was stopped".to_owned(),
    }
}

fn ended(end: &End) -> String {
    match end {
        End::Value(value) => format!("gave `{}`", cut(value)),
        End::Fault(words) | End::Limit(words) => format!("failed: {words}"),
        End::Interrupted => "was stopped".to_owned(),
    }
}

fn cut(text: &str) -> String {
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    format!("{}..", &text[..text.floor_char_boundary(LONGEST)])
}

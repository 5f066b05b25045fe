//! Recordings: the effects of a run and their answers, so that it can be replayed.
//!
//! A recording is a JSON file. Its effects are in the order in which they happened, but the
//! position has no meaning: an effect is identified by its operation, the enclosing branches of
//! `par`, and the number of earlier performances there.

mod player;
mod recorder;
mod stubs;
mod writer;

use std::collections::{BTreeMap, BTreeSet};

use gainsay::core::{OpId, OperationKind, Program};
use gainsay::vm::{EffectCall, Fault, FaultKind, Limits, Value, show};
use serde::{Deserialize, Serialize};

pub(crate) use self::player::{RecordingPlayer, ReplayDivergence};
pub(crate) use self::recorder::RunRecorder;
pub(crate) use self::stubs::as_world;
pub(crate) use self::writer::{RecordingStart, begin, finish, finish_interrupted};

use crate::cli_error::CliError;
use crate::files;

/// The format version that is written, and the only one that is read.
const VERSION: u64 = 1;

/// A recorded run.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct RunRecording {
    /// The file of the program.
    pub(crate) program: String,
    /// The function that was run.
    pub(crate) entry: String,
    /// The limits, as far as they were set.
    #[serde(default)]
    pub(crate) limits: RecordedLimits,
    /// The effects, in the order in which they happened.
    pub(crate) effects: Vec<RecordedEffect>,
    /// How the run ended.
    pub(crate) ended: RecordedEnd,
}

/// The limits of a run, as far as they were set; reaching one ends the run.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct RecordedLimits {
    /// Steps.
    pub(crate) steps: Option<u64>,
    /// Nested calls.
    pub(crate) depth: Option<u64>,
    /// Bytes of memory.
    pub(crate) memory: Option<u64>,
}

impl From<RecordedLimits> for Limits {
    fn from(it: RecordedLimits) -> Self {
        let defaults = Self::UNLIMITED_STEPS;
        Self {
            steps: it.steps.unwrap_or(defaults.steps),
            depth: it.depth.map_or(defaults.depth, |it| it.try_into().unwrap_or(u32::MAX)),
            words: defaults.words,
            live_bytes: it.memory.unwrap_or(defaults.live_bytes),
        }
    }
}

/// An effect and its outcome. Values are printed as source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecordedEffect {
    /// The identity of the effect.
    #[serde(flatten)]
    pub(crate) at: EffectCoordinates,
    /// The kind of the operation: `snapshot`, `generative`, `output` or `both`.
    pub(crate) dimension: String,
    /// The arguments.
    pub(crate) args: Vec<String>,
    /// The outcome.
    pub(crate) outcome: RecordedOutcome,
}

/// The identity of an effect within a run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct EffectCoordinates {
    /// The operation, as in `Random.int`.
    pub(crate) op: String,
    /// The enclosing branches of `par`, as in `0.1`.
    pub(crate) path: String,
    /// The number of earlier performances of the operation there.
    pub(crate) n: u64,
}

/// The outcome of an effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RecordedOutcome {
    /// It was answered with this value.
    Answer(String),
    /// The world failed.
    Failed(String),
    /// The program passed an invalid argument.
    OutOfRange(String),
    /// Nothing in the world answers it.
    Unanswered,
    /// The run was stopped there.
    Interrupted,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RecordedEnd {
    /// With this value.
    Value(String),
    /// With a fault, as text.
    Fault(String),
    /// With a limit, as text.
    Limit(String),
    /// It was interrupted.
    Interrupted,
}

impl RecordedEnd {
    /// How a call ended.
    pub(crate) fn of(program: &Program, result: &Result<Value, Fault>) -> Self {
        let fault = match result {
            Ok(value) => return Self::Value(show(program, value)),
            Err(fault) => fault,
        };
        let words = fault.to_diagnostic(program).message;
        if fault.kind.is_limit() {
            Self::Limit(words)
        } else if fault.kind == FaultKind::Interrupted {
            Self::Interrupted
        } else {
            Self::Fault(words)
        }
    }

    /// Whether the program might have continued.
    pub(crate) fn is_cut_short(&self) -> bool {
        match self {
            Self::Value(_) | Self::Fault(_) => false,
            Self::Limit(_) | Self::Interrupted => true,
        }
    }
}

/// Counts effects, so that each has unique coordinates.
#[derive(Debug, Default)]
struct EffectCounter(BTreeMap<(OpId, Box<[u32]>), u64>);

impl EffectCounter {
    /// The coordinates of the current effect.
    fn next(&mut self, program: &Program, call: &EffectCall<'_>) -> EffectCoordinates {
        let count = self.0.entry((call.op, call.path.into())).or_default();
        let n = *count;
        *count += 1;
        let path = call.path.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
        EffectCoordinates { op: program.op_name(call.op), path, n }
    }
}

fn shown_args(program: &Program, call: &EffectCall<'_>) -> Vec<String> {
    call.args.iter().map(|arg| show(program, arg)).collect()
}

fn dimension_name(dimension: OperationKind) -> &'static str {
    match dimension {
        OperationKind::Snapshot => "snapshot",
        OperationKind::Generative => "generative",
        OperationKind::Output => "output",
        OperationKind::GenerativeOutput => "both",
    }
}

/// The fields that every version of the format has.
#[derive(Debug, Deserialize)]
struct RecordingHeader {
    #[serde(rename = "gainsay_recording")]
    version: Option<u64>,
}

/// Reads a recording.
pub(crate) fn read(path: &str) -> Result<RunRecording, CliError> {
    let text = files::read(path)?;
    parse(&text).map_err(|why| {
        let error = CliError::usage(format!("cannot replay `{path}`: {}", why.message()));
        error.with_help(why.help())
    })
}

/// Why a text is not a usable recording.
#[derive(Debug, PartialEq, Eq)]
enum RecordingError {
    /// The text is truncated.
    CutOff,
    /// Not a recording.
    Foreign,
    /// A recording of another version.
    Version(u64),
    /// It was edited and is inconsistent.
    Damaged(String),
}

impl RecordingError {
    fn message(&self) -> String {
        match self {
            Self::CutOff => "the file is truncated".to_owned(),
            Self::Foreign => "not a recording".to_owned(),
            Self::Version(version) => format!(
                "it has format version {version}, but this gainsay reads version {VERSION}"
            ),
            Self::Damaged(why) => format!("the recording is damaged: {why}"),
        }
    }

    fn help(&self) -> &'static str {
        match self {
            Self::CutOff | Self::Damaged(_) => "record the run again",
            Self::Foreign => "name a file written by `gainsay run --record`",
            Self::Version(_) => {
                "replay it with the version that recorded it, or record it again"
            }
        }
    }
}

fn parse(text: &str) -> Result<RunRecording, RecordingError> {
    // The header is read by itself first: a newer version may have other fields, and the error
    // should name the version, not a field.
    let header: RecordingHeader = serde_json::from_str(text).map_err(|error| {
        // Text without the marker is some other file, however its JSON is broken.
        let is_ours = text.contains("\"gainsay_recording\"");
        match (is_ours, error.is_eof()) {
            (true, true) => RecordingError::CutOff,
            (true, false) => damaged(&error),
            (false, _) => RecordingError::Foreign,
        }
    })?;
    let version = header.version.ok_or(RecordingError::Foreign)?;
    if version != VERSION {
        return Err(RecordingError::Version(version));
    }
    let recording: RunRecording =
        serde_json::from_str(text).map_err(|error| damaged(&error))?;
    // The player finds effects by their coordinates: of two with the same ones, it would never
    // answer with the second.
    let mut seen = BTreeSet::new();
    match recording.effects.iter().find(|it| !seen.insert(&it.at)) {
        None => Ok(recording),
        Some(twice) => {
            let EffectCoordinates { op, path, n } = &twice.at;
            let which = format!("operation {op}, path \"{path}\", n {n}");
            Err(RecordingError::Damaged(format!(
                "two effects have the same coordinates: {which}"
            )))
        }
    }
}

/// Where a recording is damaged. The words of the parser would be about types of this program.
fn damaged(error: &serde_json::Error) -> RecordingError {
    let (line, column) = (error.line(), error.column());
    RecordingError::Damaged(format!("invalid content at line {line}, column {column}"))
}

/// Whether a text is a recording, of any version.
fn is_recording(text: &str) -> bool {
    serde_json::from_str::<RecordingHeader>(text).is_ok_and(|it| it.version.is_some())
}

#[cfg(test)]
mod tests {
    use super::{RecordingError, parse};

    const WHOLE: &str = r#"{"gainsay_recording":1,"program":"a.say","entry":"main","effects":[
{"op":"Random.int","path":"","n":0,"dimension":"generative","args":["1","6"],"outcome":{"answer":"4"}}
],"ended":"interrupted"}"#;

    #[test]
    fn a_recording_that_is_cut_off_is_distinguished_from_other_texts() {
        assert!(parse(WHOLE).is_ok());
        for end in 0..WHOLE.len() {
            let cut = parse(&WHOLE[..end]).unwrap_err();
            let is_recognizable = end > WHOLE.find(':').unwrap() - 1;
            assert_eq!(
                cut,
                if is_recognizable { RecordingError::CutOff } else { RecordingError::Foreign },
                "{end}"
            );
        }
        for other in ["null", "[]", "{}", "1", "{\"version\":1}", "fn main() {}", "\u{0}"] {
            assert_eq!(parse(other).unwrap_err(), RecordingError::Foreign, "{other}");
        }
    }

    #[test]
    fn other_versions_and_damages_are_reported() {
        let newer = WHOLE.replacen(":1,", ":2,", 1);
        assert_eq!(parse(&newer).unwrap_err(), RecordingError::Version(2));
        let line = WHOLE.lines().nth(1).unwrap();
        for broken in [
            WHOLE.replacen("\"n\":0", "\"n\":-1", 1),
            WHOLE.replacen("answer", "anser", 1),
            WHOLE.replacen("\"args\":[\"1\",\"6\"],", "", 1),
            WHOLE.replacen(line, &format!("{line},\n{line}"), 1),
            format!("{WHOLE}x"),
        ] {
            assert!(matches!(parse(&broken), Err(RecordingError::Damaged(_))), "{broken}");
        }
    }
}

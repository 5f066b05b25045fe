//! Replays single cases, by the replay token of a report or from a saved file.

use gainsay_core::ClaimId;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gainsay_choice::{Case, SpanLabels};
use gainsay_gen::LoweredProgram;
use gainsay_source::{Diagnostic, SourceMap};
use gainsay_vm::{EngineKind, run_on_big_stack};

use crate::claim_runner::{ClaimEngines, ClaimRunner, SavedCases};
use crate::report::{ClaimReport, ReportedInput};
use crate::saved_cases::SavedCaseFile;
use crate::systems::Systems;

/// What replaying needs.
pub struct ReplayJob<'a> {
    /// The lowered program.
    pub lowered: &'a LoweredProgram,
    /// Its source texts, for reports that quote them.
    pub files: Option<&'a SourceMap>,
    /// The engine to run them with.
    pub engine: EngineKind,
    /// Stops the run soon after it is set.
    pub interrupt: Arc<AtomicBool>,
    /// Display names of modules by module index; the program's own names where absent.
    pub modules: &'a [String],
    /// Parses the values of saved cases. Nothing is written.
    pub saved_cases: SavedCases<'a>,
    /// What answers the operations of systems, if anything.
    pub systems: Option<&'a dyn Systems>,
}

/// A case to replay.
#[derive(Debug, Clone)]
pub struct ReplayRequest {
    /// The claim, by its position in the program.
    pub claim: ClaimId,
    /// The case.
    pub case: ReplayCase,
}

/// Where a case comes from.
#[derive(Debug, Clone)]
pub enum ReplayCase {
    /// The replay token of a report: `gs1-..`.
    Token(String),
    /// A file.
    Saved(Box<SavedCaseFile>),
}

impl ReplayCase {
    /// Checks a replay token, or says why it is damaged.
    pub fn from_token(word: &str) -> Result<Self, String> {
        match Case::from_replay_token(word, &mut SpanLabels::default()) {
            Ok(_) => Ok(Self::Token(word.to_owned())),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// The result of replaying a case.
#[derive(Debug, Clone)]
pub struct ReplayReport {
    /// The claim; with the failure if the case fails.
    pub report: ClaimReport,
    /// The inputs of this run, as far as they were drawn.
    pub arguments: Vec<ReportedInput>,
    /// How it ended.
    pub end: ReplayEnd,
    /// How well the case fits the claim.
    pub fit: ReplayFit,
}

/// How the replay of a case ended.
#[derive(Debug, Clone)]
pub enum ReplayEnd {
    /// It fails.
    Fails,
    /// It passes.
    Passes,
    /// It cannot be used, and why.
    Unusable(String),
    /// It could not be finished: the engine does not support something in it.
    Declined(Diagnostic),
    /// The user interrupted it.
    Interrupted,
}

/// How well a case fits the claim as it is now.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum ReplayFit {
    /// Every choice was consumed unchanged.
    Exact,
    /// The inputs are the values in the file.
    ByValues,
    /// The inputs were regenerated from the choices in the file.
    ByChoices,
    /// The claim draws differently than when the case was found. Choices were used where they still
    /// apply, and the simplest ones elsewhere.
    Adapted {
        /// Number of choices of the case.
        n_given: u64,
        /// Number of choices of this run.
        n_made: u64,
    },
}

/// Replays single cases, in order.
pub fn replay(job: &ReplayJob<'_>, requests: &[ReplayRequest]) -> Vec<ReplayReport> {
    let still = || Duration::ZERO;
    let engines =
        ClaimEngines::new(job.lowered, job.engine, Arc::clone(&job.interrupt), &still, 1)
            .with_modules(job.modules)
            .with_files(job.files)
            .with_systems(job.systems);
    run_on_big_stack(|| {
        let mut attacker = ClaimRunner::new(&engines, Some(&job.saved_cases));
        requests.iter().map(|it| attacker.replay(it)).collect()
    })
}

//! Single cases, run again: by the word that a report gives for one, or as it is kept.

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

/// What running single cases needs.
pub struct ReplayJob<'a> {
    /// The program, ready for cases.
    pub lowered: &'a LoweredProgram,
    /// Its texts, for reports that quote them.
    pub files: Option<&'a SourceMap>,
    /// What runs them.
    pub engine: EngineKind,
    /// Ends the run soon after it is set.
    pub interrupt: Arc<AtomicBool>,
    /// What modules are called, by their number; as in the program if it is not said.
    pub modules: &'a [String],
    /// How the values of kept cases are read. Nothing is written.
    pub saved_cases: SavedCases<'a>,
}

/// A case that is to be run.
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
    /// What a report gives for it: `gs1-..`.
    Token(String),
    /// A file.
    Saved(Box<SavedCaseFile>),
}

impl ReplayCase {
    /// The case that a word stands for; why not, if it is damaged.
    pub fn from_token(word: &str) -> Result<Self, String> {
        match Case::from_replay_token(word, &mut SpanLabels::default()) {
            Ok(_) => Ok(Self::Token(word.to_owned())),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// How a single case went.
#[derive(Debug, Clone)]
pub struct ReplayReport {
    /// The claim; with the failure if the case fails.
    pub report: ClaimReport,
    /// The inputs as they were in this run, as far as they were made.
    pub arguments: Vec<ReportedInput>,
    /// What became of it.
    pub end: ReplayEnd,
    /// How the case and the claim went together.
    pub fit: ReplayFit,
}

/// What became of a single case.
#[derive(Debug, Clone)]
pub enum ReplayEnd {
    /// It fails.
    Fails,
    /// It passes.
    Passes,
    /// It cannot be used, and why.
    Unusable(String),
    /// It could not be finished: a limit was reached.
    Declined(Diagnostic),
    /// The user.
    Interrupted,
}

/// How a case and the claim as it is now went together.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum ReplayFit {
    /// Every choice was used as it is.
    Exact,
    /// The inputs are those that are written in the file.
    ByValues,
    /// The inputs were made from the choices in the file.
    ByChoices,
    /// The claim draws other things than when the case was found. Choices were used where they
    /// still belong, and the simplest where there is none.
    Adapted {
        /// Choices of the case.
        n_given: u64,
        /// Choices that this run made.
        n_made: u64,
    },
}

/// Runs single cases, in their order.
pub fn replay(job: &ReplayJob<'_>, requests: &[ReplayRequest]) -> Vec<ReplayReport> {
    let still = || Duration::ZERO;
    let engines =
        ClaimEngines::new(job.lowered, job.engine, Arc::clone(&job.interrupt), &still, 1)
            .with_modules(job.modules)
            .with_files(job.files);
    run_on_big_stack(|| {
        let mut attacker = ClaimRunner::new(&engines, Some(&job.saved_cases));
        requests.iter().map(|it| attacker.replay(it)).collect()
    })
}

//! Reruns saved cases to find their current status, if the sources compile.

use std::path::{Path, PathBuf};

use gainsay::core::ClaimId;
use gainsay::test::{CaseStore, ReplayCase, ReplayEnd, ReplayRequest, SavedCaseFile};
use gainsay::{NamedClaim, ReplaySession};

use crate::cli_error::CliError;
use crate::commands::test::CheckedProject;
use crate::exit::Exit;
use crate::reporter::Reporter;
use crate::{engine, interrupt};

/// All saved cases.
pub(super) struct RerunCases {
    pub(super) cases: Vec<RerunCase>,
    /// Whether they were run.
    pub(super) were_run: bool,
}

/// A saved case with its status.
pub(super) struct RerunCase {
    pub(super) file: SavedCaseFile,
    /// Its claim, as `ledger::transfer`, if the file can be read.
    pub(super) claim: Option<String>,
    pub(super) status: RerunStatus,
}

/// The status of a saved case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RerunStatus {
    /// It fails.
    Fails,
    /// It passes; with the date since when, if known.
    Passes(Option<String>),
    /// It could not be completed.
    Declined,
    /// It can no longer be used, with the reason.
    Stale(String),
    /// It cannot be read, with the reason.
    Broken(String),
    /// It failed in the last run; it could not be run now.
    LastFailed,
    /// It passed in the last run, with the date since when; it could not be run now.
    LastPassed(String),
}

impl RerunStatus {
    /// The name of the status.
    pub(super) fn label(&self) -> &'static str {
        match self {
            Self::Fails => "fails",
            Self::Passes(_) => "passes",
            Self::Declined => "declined",
            Self::Stale(_) => "stale",
            Self::Broken(_) => "broken",
            Self::LastFailed => "open",
            Self::LastPassed(_) => "fixed",
        }
    }

    /// The reason, if there is one.
    pub(super) fn reason(&self) -> Option<&str> {
        match self {
            Self::Stale(why) | Self::Broken(why) => Some(why),
            Self::Declined => Some("a limit was reached before the case finished"),
            Self::Fails | Self::Passes(_) | Self::LastFailed | Self::LastPassed(_) => None,
        }
    }

    /// `, passes since 2026-11-20`.
    pub(super) fn since(&self) -> String {
        match self {
            Self::Passes(Some(day)) | Self::LastPassed(day) => format!(", passing since {day}"),
            Self::Passes(None) | Self::Fails | Self::Declined => String::new(),
            Self::Stale(_) | Self::Broken(_) | Self::LastFailed => String::new(),
        }
    }
}

/// Determines the status of all saved cases.
pub(super) fn rerun_cases(
    store: &CaseStore<'_>,
    (sources, root): (&[PathBuf], &Path),
    reporter: &mut Reporter,
) -> Result<RerunCases, CliError> {
    let mut cases: Vec<RerunCase> = store.all().into_iter().map(without_running).collect();
    // Nothing to run, and so no reason to fail if the sources do not compile.
    if cases.iter().all(|it| it.claim.is_none()) {
        return Ok(RerunCases { cases, were_run: true });
    }
    let engine = engine::select_engine()?;
    let project = CheckedProject::of(sources, root);
    let Some(program) = project.program() else {
        reporter.note("note: the sources do not compile; showing the last recorded states");
        return Ok(RerunCases { cases, were_run: false });
    };
    let all = project.claims();
    let mut requests = Vec::new();
    let mut asked = Vec::new();
    for (at, rerun_case) in cases.iter_mut().enumerate() {
        let Some(claim) = claim_of(rerun_case, &all) else {
            if rerun_case.claim.is_some() {
                rerun_case.status = RerunStatus::Stale("the claim no longer exists".to_owned());
            }
            continue;
        };
        let case = ReplayCase::Saved(Box::new(rerun_case.file.clone()));
        requests.push(ReplayRequest { claim, case });
        asked.push(at);
    }
    let interrupt = interrupt::stop_gracefully();
    let session = ReplaySession { program, engine, interrupt, systems: None };
    for (at, replayed) in asked.into_iter().zip(gainsay::replay(&session, &requests)) {
        let rerun_case = &mut cases[at];
        rerun_case.status = match replayed.end {
            ReplayEnd::Fails => RerunStatus::Fails,
            ReplayEnd::Passes => RerunStatus::Passes(fixed_since(&rerun_case.file)),
            ReplayEnd::Unusable(why) => RerunStatus::Stale(why),
            ReplayEnd::Declined(_) => RerunStatus::Declined,
            ReplayEnd::Interrupted => {
                // A partial list could be taken for all cases.
                return Err(CliError::new(Exit::Interrupted, "interrupted"));
            }
        };
    }
    Ok(RerunCases { cases, were_run: true })
}

/// The status recorded in the file.
fn without_running(file: SavedCaseFile) -> RerunCase {
    let (claim, state) = match &file.case {
        Err(broken) => (None, RerunStatus::Broken(broken.to_string())),
        Ok(case) => {
            let claim = format!("{}::{}", case.claim.module, case.claim.name);
            let state =
                case.fixed.clone().map_or(RerunStatus::LastFailed, RerunStatus::LastPassed);
            (Some(claim), state)
        }
    };
    RerunCase { file, claim, status: state }
}

fn fixed_since(file: &SavedCaseFile) -> Option<String> {
    file.case.as_ref().ok()?.fixed.clone()
}

/// The claim of a case, by its index in the program.
fn claim_of(rerun_case: &RerunCase, all: &[NamedClaim]) -> Option<ClaimId> {
    let case = rerun_case.file.case.as_ref().ok()?;
    let id = rerun_case.claim.as_ref()?;
    let mut alike = all.iter().filter(|it| it.ty == case.claim.ty);
    if let Some(found) = alike.clone().find(|it| it.id == *id) {
        return Some(found.claim);
    }
    // Older versions identified files by the last component of the module name.
    let found = alike.find(|it| {
        let (module, name) = it.id.split_once("::").unwrap_or_default();
        name == case.claim.name
            && module.rsplit_once('.').is_some_and(|(_, last)| last == case.claim.module)
    });
    found.map(|it| it.claim)
}

//! What has become of kept cases: each is run, if the sources compile.

use std::path::{Path, PathBuf};

use gainsay::generate::{Purpose, Worlds};
use gainsay::test::{KeptFile, ReplayCase, ReplayEnd, ReplayJob, ReplayRequest, Store};

use crate::case_files::DiskCases;
use crate::commands::replay::keeper;
use crate::commands::test::{Project, Wanted, claims};
use crate::exit::Exit;
use crate::report::Reporter;
use crate::trouble::Trouble;
use crate::{engine, interrupt};

/// All kept cases.
pub(super) struct Judged {
    pub(super) cases: Vec<Kept>,
    /// Whether they were run.
    pub(super) is_certain: bool,
}

/// A kept case, and what has become of it.
pub(super) struct Kept {
    pub(super) file: KeptFile,
    /// Its claim, as `ledger::transfer`, if the file can be read.
    pub(super) claim: Option<String>,
    pub(super) state: State,
}

/// What has become of a kept case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum State {
    /// It fails.
    Fails,
    /// It passes; perhaps since a day.
    Passes(Option<String>),
    /// It cannot be finished.
    Declined,
    /// It cannot be used any more, and why.
    Stale(String),
    /// It cannot be read, and why.
    Broken(String),
    /// It failed when it was run last; it could not be run now.
    Open,
    /// It passed when it was run last, since a day; it could not be run now.
    Fixed(String),
}

impl State {
    /// The word for it.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Fails => "fails",
            Self::Passes(_) => "passes",
            Self::Declined => "declined",
            Self::Stale(_) => "stale",
            Self::Broken(_) => "broken",
            Self::Open => "open",
            Self::Fixed(_) => "fixed",
        }
    }

    /// Why, where that needs to be said.
    pub(super) fn reason(&self) -> Option<&str> {
        match self {
            Self::Stale(why) | Self::Broken(why) => Some(why),
            Self::Declined => Some("a limit was reached before it was decided"),
            Self::Fails | Self::Passes(_) | Self::Open | Self::Fixed(_) => None,
        }
    }

    /// `, passes since 2026-11-20`.
    pub(super) fn since(&self) -> String {
        match self {
            Self::Passes(Some(day)) | Self::Fixed(day) => format!(", passes since {day}"),
            Self::Passes(None) | Self::Fails | Self::Declined => String::new(),
            Self::Stale(_) | Self::Broken(_) | Self::Open => String::new(),
        }
    }
}

/// Finds out what has become of all kept cases.
pub(super) fn judge(
    store: &Store<'_>,
    (sources, root): (&[PathBuf], &Path),
    reporter: &mut Reporter,
) -> Result<Judged, Trouble> {
    let mut cases: Vec<Kept> = store.all().into_iter().map(unjudged).collect();
    if cases.iter().all(|it| it.claim.is_none()) {
        return Ok(Judged { cases, is_certain: true });
    }
    let engine = engine::chosen()?;
    let project = Project::of(sources, root);
    let Some(program) = project.program() else {
        reporter
            .remark("note: the sources do not compile, so that cases are shown as they were");
        return Ok(Judged { cases, is_certain: false });
    };
    let all = claims(&project);
    let mut requests = Vec::new();
    let mut asked = Vec::new();
    for (at, kept) in cases.iter_mut().enumerate() {
        let Some(claim) = claim_of(kept, &all) else {
            if kept.claim.is_some() {
                kept.state = State::Stale("there is no such claim any more".to_owned());
            }
            continue;
        };
        let case = ReplayCase::Kept(Box::new(kept.file.clone()));
        requests.push(ReplayRequest { claim, case });
        asked.push(at);
    }
    let explores = &[Worlds::Given, Worlds::MadeUp];
    let purpose = Purpose { is_hostile: true, explores, ..Purpose::default() };
    let lowered = gainsay::generate::lower_for(program, &purpose);
    let no_files = DiskCases::new("");
    let job = ReplayJob {
        lowered: &lowered,
        files: Some(&project.checked.files),
        engine,
        interrupt: interrupt::ask_first(),
        modules: &project.modules,
        keeper: keeper(&no_files),
    };
    for (at, replayed) in asked.into_iter().zip(gainsay::test::replay(&job, &requests)) {
        let kept = &mut cases[at];
        kept.state = match replayed.end {
            ReplayEnd::Fails => State::Fails,
            ReplayEnd::Passes => State::Passes(fixed(&kept.file)),
            ReplayEnd::Unusable(why) => State::Stale(why),
            ReplayEnd::Declined(_) => State::Declined,
            ReplayEnd::Interrupted => {
                return Err(Trouble::new(Exit::Interrupted, "interrupted"));
            }
        };
    }
    Ok(Judged { cases, is_certain: true })
}

/// What its file says.
fn unjudged(file: KeptFile) -> Kept {
    let (claim, state) = match &file.case {
        Err(broken) => (None, State::Broken(broken.to_string())),
        Ok(case) => {
            let claim = format!("{}::{}", case.claim.module, case.claim.name);
            let state = case.fixed.clone().map_or(State::Open, State::Fixed);
            (Some(claim), state)
        }
    };
    Kept { file, claim, state }
}

fn fixed(file: &KeptFile) -> Option<String> {
    file.case.as_ref().ok()?.fixed.clone()
}

/// The claim of a case, by its position in the program.
fn claim_of(kept: &Kept, all: &[Wanted]) -> Option<usize> {
    let case = kept.file.case.as_ref().ok()?;
    let id = kept.claim.as_ref()?;
    let mut alike = all.iter().filter(|it| it.ty == case.claim.ty);
    if let Some(found) = alike.clone().find(|it| it.id == *id) {
        return Some(found.claim);
    }
    // Files were told apart by their last part alone once.
    let found = alike.find(|it| {
        let (module, name) = it.id.split_once("::").unwrap_or_default();
        name == case.claim.name
            && module.rsplit_once('.').is_some_and(|(_, last)| last == case.claim.module)
    });
    found.map(|it| it.claim)
}

//! Runs claims, and replays single cases of them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gainsay_core::{ClaimId, Datum, Program, TyId};
use gainsay_gen::{ExploredWorlds, LoweringOptions, lower_with_options};
use gainsay_test::{
    CaseFiles, CaseStore, HostileMode, MemoryCaseFiles, ReplayJob, ReplayReport, ReplayRequest,
    Report, RunListener, SavedCasePolicy, SavedCases, SavedLawKinds, Settings, Systems,
    TestJob,
};
use gainsay_vm::EngineKind;

use crate::{RunnableProgram, parse_value};

/// Which claims to run, and how.
pub struct TestRequest<'a> {
    /// The program.
    pub program: RunnableProgram<'a>,
    /// The claims to run, in the order of the report.
    pub claims: &'a [ClaimId],
    /// How they are run.
    pub settings: &'a Settings,
    /// The engine that runs them.
    pub engine: EngineKind,
    /// The saved cases, if there are any; [`Settings::saved_cases`] says how they are used.
    pub saved_cases: Option<SavedCaseAccess<'a>>,
    /// The time since the run started. Limits of time and reported durations depend on it.
    pub clock: &'a (dyn Fn() -> Duration + Sync),
    /// Receives progress events.
    pub listener: &'a dyn RunListener,
    /// Stops the run soon after it is set; the results so far are reported.
    pub interrupt: Arc<AtomicBool>,
    /// What answers the operations of systems, if anything.
    pub systems: Option<&'a dyn Systems>,
}

/// The files of saved cases, and what is written into them.
pub struct SavedCaseAccess<'a> {
    /// The files.
    pub files: &'a dyn CaseFiles,
    /// Prefix of their paths in reports.
    pub folder: String,
    /// Today's date, as `2026-11-16`.
    pub today: String,
}

impl<'a> TestRequest<'a> {
    /// Runs claims with the fastest engine, without saved cases, progress or a clock.
    pub fn new(
        program: RunnableProgram<'a>,
        claims: &'a [ClaimId],
        settings: &'a Settings,
    ) -> Self {
        Self {
            program,
            claims,
            settings,
            engine: EngineKind::best(),
            saved_cases: None,
            clock: &|| Duration::ZERO,
            listener: &(),
            interrupt: Arc::default(),
            systems: None,
        }
    }

    fn open_saved_cases(&self) -> Option<SavedCases<'a>> {
        let access = self.saved_cases.as_ref()?;
        let is_writable = match self.settings.saved_cases {
            SavedCasePolicy::Ignore => return None,
            SavedCasePolicy::Use => true,
            SavedCasePolicy::Read => false,
        };
        Some(SavedCases {
            store: CaseStore::open(access.files),
            read: &read_value,
            today: access.today.clone(),
            is_writable,
            folder: access.folder.clone(),
        })
    }
}

/// Runs claims: first their saved cases, then the search for new ones.
pub fn test(request: &TestRequest<'_>) -> Report {
    let saved_cases = request.open_saved_cases();
    // Saved cases run whatever the settings say, so what they were found with is lowered, too.
    let saved = saved_cases.as_ref().map(|it| SavedLawKinds::of(&it.store)).unwrap_or_default();
    let settings = request.settings;
    let is_fuzz = settings.hostile_mode == HostileMode::Fuzz;
    let mut explored_worlds = Vec::new();
    if saved.explored || (settings.explores && !is_fuzz) {
        explored_worlds.push(ExploredWorlds::Declared);
    }
    if saved.generated || is_fuzz {
        explored_worlds.push(ExploredWorlds::Generated);
    }
    let options = LoweringOptions {
        is_hostile: settings.hostile_mode > HostileMode::None || saved.hostile,
        explored_worlds: &explored_worlds,
        ..LoweringOptions::default()
    };
    let job = TestJob {
        lowered: &lower_with_options(request.program.program, &options),
        files: Some(request.program.files),
        claims: request.claims,
        engine: request.engine,
        clock: request.clock,
        interrupt: Arc::clone(&request.interrupt),
        listener: request.listener,
        modules: request.program.modules,
        saved_cases,
        systems: request.systems,
    };
    gainsay_test::run(&job, settings)
}

/// Where cases are replayed.
pub struct ReplaySession<'a> {
    /// The program.
    pub program: RunnableProgram<'a>,
    /// The engine that runs them.
    pub engine: EngineKind,
    /// Stops the run soon after it is set.
    pub interrupt: Arc<AtomicBool>,
    /// What answers the operations of systems, if anything.
    pub systems: Option<&'a dyn Systems>,
}

/// Replays single cases, in order. Nothing is saved.
pub fn replay(session: &ReplaySession<'_>, requests: &[ReplayRequest]) -> Vec<ReplayReport> {
    // A case may come from a run in any mode, so everything is lowered.
    let options = LoweringOptions {
        is_hostile: true,
        explored_worlds: &[ExploredWorlds::Declared, ExploredWorlds::Generated],
        ..LoweringOptions::default()
    };
    let no_files = MemoryCaseFiles::new([]);
    let job = ReplayJob {
        lowered: &lower_with_options(session.program.program, &options),
        files: Some(session.program.files),
        engine: session.engine,
        interrupt: Arc::clone(&session.interrupt),
        modules: session.program.modules,
        saved_cases: SavedCases {
            store: CaseStore::open(&no_files),
            read: &read_value,
            today: String::new(),
            is_writable: false,
            folder: String::new(),
        },
        systems: session.systems,
    };
    gainsay_test::replay(&job, requests)
}

/// Parses the inputs of saved cases.
fn read_value(program: &Program, ty: TyId, text: &str) -> Result<Datum, String> {
    parse_value(program, ty, text).map_err(|why| why.to_string())
}

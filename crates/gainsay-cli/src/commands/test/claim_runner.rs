//! Calls the claim runner of `gainsay-test` with the command's files, clock and engine.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay::core::{ClaimId, Program};
use gainsay::generate::{ExploredWorlds, LoweringOptions};
use gainsay::source::SourceMap;
use gainsay::test::{
    CaseStore, HostileMode, Report, RunListener, SavedCasePolicy, SavedCases, SavedLawKinds,
    Settings,
};
use gainsay::vm::EngineKind;

use crate::case_files::DiskCaseFiles;
use crate::{files, world};

/// What to run, and how.
pub(super) struct CliTestJob<'a> {
    /// The program.
    pub(super) program: &'a Arc<Program>,
    /// Its texts.
    pub(super) files: &'a SourceMap,
    /// The claims to run, in the order in which they are reported.
    pub(super) claims: &'a [ClaimId],
    /// The names of its modules, by module id.
    pub(super) modules: &'a [String],
    /// The settings.
    pub(super) settings: &'a Settings,
    /// The engine.
    pub(super) engine: EngineKind,
    /// The folder of the saved cases.
    pub(super) root: &'a Path,
    /// Set when the user wants to stop; results so far are reported.
    pub(super) stop: Arc<AtomicBool>,
}

/// Runs claims.
pub(super) fn run_claims(job: &CliTestJob<'_>, audience: &dyn RunListener) -> Report {
    let files = DiskCaseFiles::new(job.root);
    let read = |program: &Program, ty, text: &str| {
        gainsay::parse_value(program, ty, text).map_err(|why| why.to_string())
    };
    let keeper = match job.settings.saved_cases {
        SavedCasePolicy::Ignore => None,
        SavedCasePolicy::Use | SavedCasePolicy::Read => Some(SavedCases {
            store: CaseStore::open(&files),
            read: &read,
            today: world::today(),
            is_writable: job.settings.saved_cases == SavedCasePolicy::Use,
            folder: folder_prefix(job.root),
        }),
    };
    let saved =
        keeper.as_ref().map_or_else(SavedLawKinds::default, |it| SavedLawKinds::of(&it.store));
    let is_hostile = job.settings.hostile_mode > HostileMode::None || saved.hostile;
    let is_fuzz = job.settings.hostile_mode == HostileMode::Fuzz;
    let mut explores = Vec::new();
    if saved.explored || (job.settings.explores && !is_fuzz) {
        explores.push(ExploredWorlds::Declared);
    }
    if saved.generated || is_fuzz {
        explores.push(ExploredWorlds::Generated);
    }
    let purpose = LoweringOptions {
        is_hostile,
        explored_worlds: &explores,
        ..LoweringOptions::default()
    };
    let lowered = gainsay::generate::lower_with_options(job.program, &purpose);
    let watch = world::Stopwatch::start();
    let inner = gainsay::test::TestJob {
        lowered: &lowered,
        files: Some(job.files),
        claims: job.claims,
        engine: job.engine,
        clock: &|| watch.elapsed(),
        interrupt: Arc::clone(&job.stop),
        listener: audience,
        modules: job.modules,
        saved_cases: keeper,
    };
    gainsay::test::run(&inner, job.settings)
}

/// A folder as a prefix for the paths of files in it.
fn folder_prefix(root: &Path) -> String {
    let shown = files::display_path(root).unwrap_or_default();
    if shown.is_empty() || shown.ends_with('/') { shown } else { format!("{shown}/") }
}

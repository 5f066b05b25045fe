//! The door to the runner.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay::core::Program;
use gainsay::generate::{Purpose, Worlds};
use gainsay::source::Files;
use gainsay::test::{Audience, Hostility, Keeper, Kept, Report, SavedLaws, Settings, Store};
use gainsay::vm::EngineKind;

use crate::case_files::DiskCases;
use crate::{files, world};

/// What is run, and how.
pub(super) struct Job<'a> {
    /// The program.
    pub(super) program: &'a Arc<Program>,
    /// Its texts.
    pub(super) files: &'a Files,
    /// Which of its claims, in the order in which they are reported.
    pub(super) claims: &'a [usize],
    /// What its modules are called, by their number.
    pub(super) modules: &'a [String],
    /// How.
    pub(super) settings: &'a Settings,
    /// By which engine.
    pub(super) engine: EngineKind,
    /// The folder in which cases are kept.
    pub(super) root: &'a Path,
    /// Becomes true when the user wants it to stop: what is known by then is reported.
    pub(super) stop: Arc<AtomicBool>,
}

/// Runs claims.
pub(super) fn run_claims(job: &Job<'_>, audience: &dyn Audience) -> Report {
    let files = DiskCases::new(job.root);
    let read = |program: &Program, ty, text: &str| {
        gainsay::read(program, ty, text).map_err(|why| why.to_string())
    };
    let keeper = match job.settings.kept {
        Kept::Ignore => None,
        Kept::Use | Kept::Read => Some(Keeper {
            store: Store::open(&files),
            read: &read,
            today: world::today(),
            writes: job.settings.kept == Kept::Use,
            folder: folder(job.root),
        }),
    };
    let saved = keeper.as_ref().map_or_else(SavedLaws::default, |it| SavedLaws::of(&it.store));
    let is_hostile = job.settings.hostility > Hostility::None || saved.hostile;
    let is_fuzz = job.settings.hostility == Hostility::Fuzz;
    let mut explores = Vec::new();
    if saved.explored || (job.settings.explores && !is_fuzz) {
        explores.push(Worlds::Given);
    }
    if saved.generated || is_fuzz {
        explores.push(Worlds::MadeUp);
    }
    let purpose = Purpose { is_hostile, explores: &explores, ..Purpose::default() };
    let lowered = gainsay::generate::lower_for(job.program, &purpose);
    let watch = world::Stopwatch::start();
    let inner = gainsay::test::Job {
        lowered: &lowered,
        files: Some(job.files),
        claims: job.claims,
        engine: job.engine,
        clock: &|| watch.elapsed(),
        interrupt: Arc::clone(&job.stop),
        audience,
        modules: job.modules,
        keeper,
    };
    gainsay::test::run(&inner, job.settings)
}

/// A folder, as it is written before the path of a file in it.
fn folder(root: &Path) -> String {
    let shown = files::shown(root).unwrap_or_default();
    if shown.is_empty() || shown.ends_with('/') { shown } else { format!("{shown}/") }
}

//! Draws values of a checked sample.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay_gen::{LoweringOptions, SearchMode, lower_with_options};
use gainsay_test::{SampleJob, SampleReport, SampledValue};
use gainsay_vm::EngineKind;

use crate::{CheckedSample, SampleSubject};

/// The steps of deciding a condition: a search that takes longer hardly ever ends.
const DECISION_STEPS: u64 = 5_000_000;

/// How values are drawn.
pub struct SampleSettings {
    /// How many values to draw; sizes grow from the first to the last.
    pub n_wanted: u64,
    /// The seed of the run.
    pub seed: u64,
    /// How solutions of a query are found.
    pub search_mode: SearchMode,
    /// The engine that runs generators.
    pub engine: EngineKind,
    /// Stops the run soon after it is set.
    pub interrupt: Arc<AtomicBool>,
}

/// Draws values and shows them to a visitor, which may stop. `None` if the sample has errors.
pub fn sample(
    sample: &CheckedSample,
    settings: &SampleSettings,
    visit: &mut (dyn FnMut(&SampledValue<'_>) -> ControlFlow<()> + Send),
) -> Option<SampleReport> {
    let (claim, program) = (sample.claim?, sample.checked.program.as_ref()?);
    let is_query = matches!(sample.subject, SampleSubject::Query(_));
    let options =
        LoweringOptions { search_mode: settings.search_mode, ..LoweringOptions::default() };
    let job = SampleJob {
        lowered: &lower_with_options(program, &options),
        claim,
        is_query,
        steps: (sample.subject == SampleSubject::Condition).then_some(DECISION_STEPS),
        n_wanted: settings.n_wanted,
        seed: settings.seed,
        engine: settings.engine,
        interrupt: Arc::clone(&settings.interrupt),
    };
    Some(gainsay_test::sample(&job, visit))
}

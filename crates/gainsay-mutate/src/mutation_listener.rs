//! Progress reporting of a mutation run.

/// The stages of a mutation run.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum MutationStage {
    /// Running claims on the original.
    Claims,
    /// Running mutants.
    Mutants,
    /// Searching for differences of survivors, function by function.
    Survivors,
}

/// Receives the progress of a mutation run. Results never depend on it.
pub trait MutationListener: Sync {
    /// So many items of a stage are done.
    fn progress(&self, stage: MutationStage, done: usize, of: usize) {
        let _ = (stage, done, of);
    }
}

/// Ignores progress.
impl MutationListener for () {}

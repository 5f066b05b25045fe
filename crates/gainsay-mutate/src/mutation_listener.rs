//! Who is told how far a hunt has come.

/// What a hunt is about.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum MutationStage {
    /// Claims are run on the program itself.
    Claims,
    /// Mutants are tried.
    Mutants,
    /// Differences of survivors are searched for, function by function.
    Survivors,
}

/// Somebody who is told how far a hunt has come. Nothing depends on it.
pub trait MutationListener: Sync {
    /// So many of all were done in a stage.
    fn progress(&self, stage: MutationStage, done: usize, of: usize) {
        let _ = (stage, done, of);
    }
}

/// Nobody.
impl MutationListener for () {}

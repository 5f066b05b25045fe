//! The subject: a generator and a test in one, run once per case.

use crate::source::Source;

/// Identifies a failure: failures with different identities have different causes.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FailureIdentity(pub u128);

/// How a run ended.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum RunVerdict {
    /// The test passed.
    Pass,
    /// The case is discarded: an assumption does not hold for it.
    Invalid,
    /// The test failed.
    Fail(FailureIdentity),
    /// The source stopped the run.
    Stopped,
}

/// Draws a case and judges it. Must be deterministic: equal draws give equal verdicts.
pub trait Subject {
    /// Draws a case from the source and judges it.
    fn run(&mut self, source: &mut Source) -> RunVerdict;
}

impl<F: FnMut(&mut Source) -> RunVerdict> Subject for F {
    fn run(&mut self, source: &mut Source) -> RunVerdict {
        self(source)
    }
}

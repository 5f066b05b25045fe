//! What is run again and again: a generator and a test in one.

use crate::source::Source;

/// Which failure it is: failures with different identities have different causes.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FailureIdentity(pub u128);

/// How a run ended.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum RunVerdict {
    /// Nothing was wrong.
    Pass,
    /// The case does not count: an assumption does not hold for it.
    Invalid,
    /// Something was wrong.
    Fail(FailureIdentity),
    /// The source stopped the run.
    Stopped,
}

/// Something that draws a case and judges it. Given equal draws it gives equal verdicts.
pub trait Subject {
    /// Draws a case from the source and judges it.
    fn run(&mut self, source: &mut Source) -> RunVerdict;
}

impl<F: FnMut(&mut Source) -> RunVerdict> Subject for F {
    fn run(&mut self, source: &mut Source) -> RunVerdict {
        self(source)
    }
}

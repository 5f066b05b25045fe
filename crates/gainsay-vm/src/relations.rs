//! Relations: the engines run functions; whether a relation holds is decided by proof search, which
//! an engine is given.

use gainsay_core::RelId;

use crate::fault::FaultKind;
use crate::value::Value;

/// Decides whether relations hold.
pub trait RelationDecider: Send + Sync {
    /// Decides whether a relation holds of known arguments, in at most so many steps. The answer
    /// depends on the arguments alone, so that both engines get the same one.
    fn decide(&self, rel: RelId, args: &[Value], max_steps: u64) -> RelationAnswer;
}

impl RelationAnswer {
    /// Whether the relation holds, or why a run cannot go on.
    pub(crate) fn truth(self, max_steps: u64) -> Result<bool, FaultKind> {
        match self.holds {
            Some(holds) => Ok(holds),
            // A search that used up its steps might have succeeded with more: that is a limit and
            // not a refusal.
            None if self.steps >= max_steps => Err(FaultKind::StepLimit),
            None => Err(FaultKind::Unsupported("this use of a relation")),
        }
    }
}

/// The answer of a [`RelationDecider`].
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct RelationAnswer {
    /// Whether the relation holds; `None` if that was not found out.
    pub holds: Option<bool>,
    /// Steps of the search.
    pub steps: u64,
}

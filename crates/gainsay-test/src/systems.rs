//! Systems under test: what answers the operations of a `system` while claims run.
//!
//! Claims decide what is performed and judge the answers; how the answers come about (a process, a
//! database) is up to the caller, because only the command touches the real world.

use std::cell::Cell;
use std::rc::Rc;

use gainsay_core::OpId;
use gainsay_vm::{Refusal, Value};

/// Connects claims to the systems that they test.
pub trait Systems: Sync {
    /// Connections for one thread. Nothing starts before the first operation.
    fn connect(&self) -> Box<dyn SystemConnections + '_>;
}

/// The connections of one thread to all systems.
pub trait SystemConnections {
    /// A case begins: every system that it uses starts over.
    fn begin_case(&self);

    /// Performs an operation. [`Refusal::Unanswered`] if nothing is bound to its system. The answer
    /// is checked against its type by the caller.
    fn perform(&self, op: OpId, args: &[Value]) -> Result<Value, Refusal>;

    /// What answers for the system of an operation, as the argument of `--against`.
    fn binding(&self, op: OpId) -> Option<String>;
}

/// How often an operation was performed.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub struct SystemCallCounts {
    /// All calls that were answered, with a result or an error.
    pub answered: u64,
    /// Those that were answered with a result.
    pub succeeded: u64,
}

/// The connections of a thread, shared by the hosts of its two programs: a thread has one process
/// for each system.
#[derive(Clone, Default)]
pub(crate) struct SharedConnections<'s> {
    connections: Option<Rc<dyn SystemConnections + 's>>,
    /// Whether an operation was performed since the last case began, by either program.
    is_used: Rc<Cell<bool>>,
}

impl<'s> SharedConnections<'s> {
    /// Connects one thread.
    pub(crate) fn to(systems: Option<&'s dyn Systems>) -> Self {
        let connections = systems.map(|it| Rc::from(it.connect()));
        Self { connections, is_used: Rc::default() }
    }

    /// A case begins.
    #[inline]
    pub(crate) fn begin_case(&self) {
        if let Some(connections) = &self.connections
            && self.is_used.take()
        {
            connections.begin_case();
        }
    }

    /// Performs an operation.
    pub(crate) fn perform(&self, op: OpId, args: &[Value]) -> Result<Value, Refusal> {
        let Some(connections) = &self.connections else { return Err(Refusal::Unanswered) };
        self.is_used.set(true);
        connections.perform(op, args)
    }

    /// What answers for the system of an operation.
    pub(crate) fn binding(&self, op: OpId) -> Option<String> {
        self.connections.as_ref()?.binding(op)
    }
}

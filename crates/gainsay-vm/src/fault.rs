//! Faults: why a run ended without a value, where, with which values, and through which calls.

use gainsay_core::{FailureKind, FunctionId, OpId, TyId};
use gainsay_source::Span;

use crate::value::Value;

/// Why a run ended without a value.
#[derive(Debug, Clone)]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// The location. For a mistake of the caller, the call.
    pub span: Span,
    /// The function that contains the location; the callee if the call came from outside.
    pub function: FunctionId,
    /// Named values that explain the fault.
    pub values: Vec<(String, Value)>,
    /// The enclosing calls.
    pub call_stack: CallStack,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultKind {
    /// A contract clause did not hold.
    Contract {
        /// The kind of clause, which determines who is to blame.
        clause: ClauseKind,
        /// The function with the contract.
        function: FunctionId,
        /// The location of the clause.
        at: Span,
    },
    /// A value is outside its refinement type.
    Refinement {
        /// The type.
        ty: TyId,
        /// The role of the value.
        role: RefinedRole,
    },
    /// A division by zero.
    DivByZero,
    /// An index, count or conversion out of range.
    OutOfRange {
        /// What is out of which range, as a phrase.
        what: String,
    },
    /// `fail("why")`.
    Fail {
        /// Why.
        message: String,
    },
    /// An `observe` did not hold.
    Observe,
    /// Too many steps.
    StepLimit,
    /// Calls are nested too deeply.
    DepthLimit,
    /// Too much memory.
    MemoryLimit,
    /// Nothing answers an effect.
    Unanswered(OpId),
    /// The outside world failed.
    HostFailed(String),
    /// A system under test failed to perform an operation.
    SystemError {
        /// The operation.
        op: OpId,
        /// What the system says.
        error: SystemError,
    },
    /// A system under test ended while it performed an operation.
    SystemCrashed {
        /// The operation.
        op: OpId,
        /// How it ended, as a phrase.
        how: String,
    },
    /// A system under test could not be asked, as a phrase.
    AdapterFailed(String),
    /// The user stopped the run.
    Interrupted,
    /// The case was discarded.
    Discarded,
    /// This engine does not support a term yet.
    Unsupported(&'static str),
}

/// An error that a system answers an operation with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemError {
    /// Its kind, such as a class of exceptions or a code.
    pub kind: String,
    /// Its description.
    pub text: String,
    /// Whether the operation may have taken effect all the same.
    pub may_have_happened: bool,
}

/// The kind of a contract clause, which determines who is to blame.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum ClauseKind {
    /// `in`: the caller.
    In,
    /// `out`: the function itself.
    Out,
}

/// The role of a value outside its refinement type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefinedRole {
    /// An argument: the caller is to blame.
    Argument {
        /// The function.
        function: FunctionId,
        /// Which parameter.
        param: u32,
    },
    /// The result of a function: the function is to blame.
    Result(FunctionId),
    /// A field, a constant, or another value in a function.
    Part,
}

impl FaultKind {
    /// Whether a limit was reached: the program might have continued.
    pub fn is_limit(&self) -> bool {
        matches!(self, Self::StepLimit | Self::DepthLimit | Self::MemoryLimit)
    }

    /// The kind that `throws(Kind)` matches; `None` for limits, hosts and observations.
    pub fn failure_kind(&self) -> Option<FailureKind> {
        match self {
            Self::Contract { .. } => Some(FailureKind::Contract),
            Self::Refinement { .. } => Some(FailureKind::Refinement),
            Self::DivByZero => Some(FailureKind::DivByZero),
            Self::OutOfRange { .. } => Some(FailureKind::OutOfRange),
            Self::Fail { .. } => Some(FailureKind::Fail),
            // Whether an operation that may have happened failed is not known.
            Self::SystemError { error, .. } if !error.may_have_happened => {
                Some(FailureKind::System)
            }
            Self::SystemError { .. } | Self::SystemCrashed { .. } | Self::AdapterFailed(_) => {
                None
            }
            Self::Observe | Self::StepLimit | Self::DepthLimit | Self::MemoryLimit => None,
            Self::Unanswered(_) | Self::HostFailed(_) | Self::Interrupted => None,
            Self::Discarded | Self::Unsupported(_) => None,
        }
    }
}

/// How many calls are stored at each end of a call stack.
const MAX_FRAMES_PER_END: usize = 16;

/// The calls around a fault. A deep stack stores both ends and counts the rest.
#[derive(Debug, Clone, Default)]
pub struct CallStack {
    inner: Vec<Frame>,
    outer: std::collections::VecDeque<Frame>,
    n_skipped: u64,
}

/// A call that had not returned.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The function that was called.
    pub function: FunctionId,
    /// The call site, unless the call came from outside the program.
    pub call: Option<Span>,
}

impl CallStack {
    /// Appends the next outer call.
    pub(crate) fn push(&mut self, frame: Frame) {
        if self.inner.len() < MAX_FRAMES_PER_END {
            self.inner.push(frame);
            return;
        }
        // A ring of the most recent frames: what falls out was neither innermost nor outermost.
        self.outer.push_back(frame);
        if self.outer.len() > MAX_FRAMES_PER_END {
            self.outer.pop_front();
            self.n_skipped += 1;
        }
    }

    /// The innermost calls, innermost first.
    pub fn inner(&self) -> &[Frame] {
        &self.inner
    }

    /// How many calls are omitted between [`Self::inner`] and [`Self::outer`].
    pub fn n_skipped(&self) -> u64 {
        self.n_skipped
    }

    /// The outermost calls, innermost first.
    pub fn outer(&self) -> impl Iterator<Item = &Frame> {
        self.outer.iter()
    }

    /// The total number of calls.
    pub fn depth(&self) -> u64 {
        (self.inner.len() + self.outer.len()) as u64 + self.n_skipped
    }
}

//! Faults: why a run ended without a value, where, with which values, and through which calls.

use gainsay_core::{FailureKind, FunctionId, OpId, TyId};
use gainsay_source::Span;

use crate::value::Value;

/// Why a run ended without a value.
#[derive(Debug, Clone)]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// Where. For what a caller did wrong, the call.
    pub span: Span,
    /// The function in which that is; the one called when the call came from outside.
    pub function: FunctionId,
    /// Values that explain it, by name.
    pub values: Vec<(String, Value)>,
    /// The calls around it.
    pub call_stack: CallStack,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultKind {
    /// A clause of a contract did not hold.
    Contract {
        /// Which kind of clause, and with it who is to blame.
        clause: ClauseKind,
        /// The function with the contract.
        function: FunctionId,
        /// Where the clause stands.
        at: Span,
    },
    /// A value is outside its refinement type.
    Refinement {
        /// The type.
        ty: TyId,
        /// What the value was to be.
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
    /// Too many calls inside each other.
    DepthLimit,
    /// Too much memory.
    MemoryLimit,
    /// Nobody answers an effect.
    Unanswered(OpId),
    /// The outside world failed.
    HostFailed(String),
    /// The user stopped the run.
    Interrupted,
    /// The case was given up.
    Discarded,
    /// This engine cannot run such a term yet.
    Unsupported(&'static str),
}

/// Which clause of a contract, and so who is to blame.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum ClauseKind {
    /// `in`: the caller.
    In,
    /// `out`: the function itself.
    Out,
}

/// What a value outside its refinement type was to be.
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
    /// Whether a limit was reached: the program might have gone on.
    pub fn is_limit(&self) -> bool {
        matches!(self, Self::StepLimit | Self::DepthLimit | Self::MemoryLimit)
    }

    /// What `throws(Kind)` sees; nothing for limits, hosts and observations.
    pub fn failure_kind(&self) -> Option<FailureKind> {
        match self {
            Self::Contract { .. } => Some(FailureKind::Contract),
            Self::Refinement { .. } => Some(FailureKind::Refinement),
            Self::DivByZero => Some(FailureKind::DivByZero),
            Self::OutOfRange { .. } => Some(FailureKind::OutOfRange),
            Self::Fail { .. } => Some(FailureKind::Fail),
            Self::Observe | Self::StepLimit | Self::DepthLimit | Self::MemoryLimit => None,
            Self::Unanswered(_) | Self::HostFailed(_) | Self::Interrupted => None,
            Self::Discarded | Self::Unsupported(_) => None,
        }
    }
}

/// How many calls at each end of a trace are kept.
const MAX_FRAMES_PER_END: usize = 16;

/// The calls around a fault. A deep one keeps both ends and counts the rest.
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
    /// Where it was called, unless from outside the program.
    pub call: Option<Span>,
}

impl CallStack {
    /// Adds the next call outward.
    pub(crate) fn push(&mut self, frame: Frame) {
        if self.inner.len() < MAX_FRAMES_PER_END {
            self.inner.push(frame);
            return;
        }
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

    /// How many calls are left out between [`Self::inner`] and [`Self::outer`].
    pub fn n_skipped(&self) -> u64 {
        self.n_skipped
    }

    /// The outermost calls, innermost first.
    pub fn outer(&self) -> impl Iterator<Item = &Frame> {
        self.outer.iter()
    }

    /// How many calls there were.
    pub fn depth(&self) -> u64 {
        (self.inner.len() + self.outer.len()) as u64 + self.n_skipped
    }
}

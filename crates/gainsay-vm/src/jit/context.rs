//! The context: what one worker shares with the compiled code it runs.
//!
//! Compiled code gets its address as first argument everywhere, and knows the first fields
//! by their offsets; the rest belongs to the runtime.

use std::any::Any;
use std::mem::offset_of;
use std::sync::Arc;

use gainsay_core::{FunctionId, OpId, Program, TypeTable};
use gainsay_source::Span;

use super::arena::Arena;
use super::compiled_program::JitCode;
use super::replay_log::HostLog;
use super::runtime::fast_answers::NO_FAST_ANSWERS;
use super::step_counter::StepCounter;
use super::word::Word;
use crate::effect_trace::CallTraceRecorder;
use crate::fault::FaultKind;
use crate::host::Host;
use crate::limits::Limits;
use crate::par_order::ParOrder;
use crate::world_stack::WorldStack;

/// Answers operations on small integers, or declines to with the word 0: context, operation,
/// and as many integers as the operation takes. Compiled code finds each by its place.
#[derive(Copy, Clone)]
#[repr(C)]
pub(crate) struct FastIntAnswers {
    pub(crate) on_none: extern "C" fn(*mut JitContext, u64) -> Word,
    pub(crate) on_one: extern "C" fn(*mut JitContext, u64, i64) -> Word,
    pub(crate) on_two: extern "C" fn(*mut JitContext, u64, i64, i64) -> Word,
}

/// All the functions that ask a host for a quick answer. Lists and other values are taken as they
/// are.
pub(crate) struct FastAnswers {
    pub(crate) on_ints: FastIntAnswers,
    /// The answer to an operation on a list of integers.
    pub(crate) on_list: extern "C" fn(*mut JitContext, u64, Word) -> Word,
    /// The element that is the answer to an operation on a list.
    pub(crate) on_choice: extern "C" fn(*mut JitContext, u64, Word) -> Word,
    /// The value at a place, if it passes there.
    pub(crate) on_passthrough: extern "C" fn(*mut JitContext, u64, i64, Word) -> Word,
}

/// What a worker shares with compiled code.
#[repr(C)]
pub(crate) struct JitContext {
    pub(crate) heap: Arena,
    pub(crate) steps: StepCounter,
    /// What a function of the runtime that was called in the rare way has answered.
    pub(crate) rare_result: Word,
    /// What is passed to such a function.
    pub(crate) rare_args: [u64; 4],
    /// The address the stack may not grow below.
    pub(crate) stack_floor: u64,
    /// The values of constants; 0 where there is none yet.
    pub(crate) constants: *mut Word,
    /// How often each branch was taken, in instrumented code.
    pub(crate) counters: *mut u64,
    /// For each term with mutants whether to look which of them is on, in instrumented code. Where
    /// none is, that is how it is seen that the term was come to.
    pub(crate) switches: *mut bool,
    /// The mutant that is switched on; 0 for none.
    pub(crate) mutant: u64,
    /// Whether the host hears of observations that hold; 0 if not.
    pub(crate) reports_passing: u64,
    /// How many observations held that the host did not hear of.
    pub(crate) n_unreported: u64,
    /// Answers operations on small integers.
    pub(crate) fast_answers: FastIntAnswers,
    /// What only the runtime looks at.
    pub(crate) state: RuntimeState,
}

/// The offsets that compiled code knows.
pub(crate) mod offset {
    use super::{Arena, JitContext, StepCounter, offset_of};

    pub(crate) const BUMP: i32 = (offset_of!(JitContext, heap) + Arena::BUMP) as i32;
    pub(crate) const LIMIT: i32 = (offset_of!(JitContext, heap) + Arena::LIMIT) as i32;
    pub(crate) const FUEL: i32 = (offset_of!(JitContext, steps) + StepCounter::FUEL) as i32;
    pub(crate) const RARE_RESULT: i32 = offset_of!(JitContext, rare_result) as i32;
    pub(crate) const RARE_ARGS: i32 = offset_of!(JitContext, rare_args) as i32;
    pub(crate) const STACK_FLOOR: i32 = offset_of!(JitContext, stack_floor) as i32;
    pub(crate) const CONSTANTS: i32 = offset_of!(JitContext, constants) as i32;
    pub(crate) const COUNTERS: i32 = offset_of!(JitContext, counters) as i32;
    pub(crate) const SWITCHES: i32 = offset_of!(JitContext, switches) as i32;
    pub(crate) const MUTANT: i32 = offset_of!(JitContext, mutant) as i32;
    pub(crate) const REPORTS_PASSING: i32 = offset_of!(JitContext, reports_passing) as i32;
    pub(crate) const N_UNREPORTED: i32 = offset_of!(JitContext, n_unreported) as i32;
    pub(crate) const FAST_ANSWERS: i32 = offset_of!(JitContext, fast_answers) as i32;
}

/// What only the runtime looks at.
pub(crate) struct RuntimeState {
    pub(crate) code: Arc<JitCode>,
    pub(crate) limits: Limits,
    pub(crate) host: HostPointer,
    /// What [`JitContext::fast_answers`] is while nothing inside the program answers effects.
    pub(crate) host_fast_answers: &'static FastAnswers,
    pub(crate) worlds: WorldStack<Word>,
    pub(crate) par_path: Vec<u32>,
    pub(crate) recorders: Vec<CallTraceRecorder<Word>>,
    pub(crate) par_order: Option<ParOrder>,
    pub(crate) raised: Option<RaisedFault>,
    /// Faults of constants, which are raised again at each use.
    pub(crate) constant_faults: Vec<Option<RaisedFault>>,
    /// Where the values of constants live.
    pub(crate) constant_arena: Option<Box<Arena>>,
    /// The types of the program and instances of them met while checking refinements.
    pub(crate) types: Option<Box<TypeTable>>,
    /// What was answered from outside, so that a faulty case can be run again.
    pub(crate) log: HostLog,
    /// A panic of the host, which goes on once compiled code has been left.
    pub(crate) panic: Option<Box<dyn Any + Send>>,
}

impl RuntimeState {
    /// Whether a call that ended without a fault has left nothing behind but its log.
    pub(crate) fn is_clean(&self) -> bool {
        self.raised.is_none()
            && self.worlds.is_outermost()
            && self.par_path.is_empty()
            && self.recorders.is_empty()
    }

    /// Forgets what the last call left behind.
    #[cold]
    pub(crate) fn clear(&mut self) {
        self.raised = None;
        self.worlds.clear();
        self.par_path.clear();
        self.recorders.clear();
        self.log.clear();
    }
}

/// A fault on its way out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RaisedFault {
    pub(crate) kind: FaultKind,
    pub(crate) site: TermSite,
}

impl RaisedFault {
    /// Where that is, as well as compiled code knows.
    pub(crate) fn location(&self, program: &Program) -> (FunctionId, Span) {
        let function = program.function(self.site.function);
        let span = function.body.spans.get(self.site.node as usize);
        (self.site.function, span.copied().unwrap_or(function.span))
    }
}

/// A term of a function.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) struct TermSite {
    pub(crate) function: FunctionId,
    pub(crate) node: u32,
}

impl TermSite {
    /// As one number, which compiled code passes around.
    pub(crate) fn packed(self) -> u64 {
        u64::from(self.function.0) << 32 | u64::from(self.node)
    }

    pub(crate) fn unpacked(packed: u64) -> Self {
        Self { function: FunctionId((packed >> 32) as u32), node: packed as u32 }
    }
}

/// The host of the call that runs.
#[derive(Copy, Clone)]
pub(crate) struct HostPointer {
    /// The `&mut H` behind the door, for the quick way, which knows `H`.
    pub(crate) concrete: *mut (),
    pub(crate) dynamic: Option<*mut (dyn Host + 'static)>,
}

impl HostPointer {
    pub(crate) const NONE: Self = Self { concrete: std::ptr::null_mut(), dynamic: None };
}

impl JitContext {
    pub(crate) fn program(&self) -> &Program {
        &self.state.code.program
    }

    /// Raises a fault: what compiled code returns then is [`Word::FAULT`].
    #[cold]
    pub(crate) fn raise(&mut self, kind: FaultKind, site: u64) -> Word {
        self.state.raised = Some(RaisedFault { kind, site: TermSite::unpacked(site) });
        Word::FAULT
    }

    /// The stub that answers an operation, if one does.
    pub(crate) fn stub(&self, op: OpId) -> Option<(usize, Word)> {
        self.state.worlds.find_stub(op)
    }

    /// Whether nothing but the host would hear of an operation.
    pub(crate) fn is_host_only(&self) -> bool {
        self.state.worlds.is_outermost() && self.state.recorders.is_empty()
    }

    /// Lets the host answer quickly while nothing else would hear of it.
    pub(crate) fn select_fast_answers(&mut self) {
        self.fast_answers = if self.is_host_only() {
            self.state.host_fast_answers.on_ints
        } else {
            NO_FAST_ANSWERS.on_ints
        };
    }
}

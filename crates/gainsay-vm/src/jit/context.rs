//! The context: the state that a worker shares with the compiled code it runs.
//!
//! Every compiled function receives its address as first argument and accesses the first fields by
//! their offsets; the rest belongs to the runtime.

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
use crate::relations::RelationDecider;
use crate::world_stack::WorldStack;

/// Functions that answer operations on small integers, or return the word 0 to decline: context,
/// operation, and as many integers as the operation takes. Compiled code indexes them by arity.
#[derive(Copy, Clone)]
#[repr(C)]
pub(crate) struct FastIntAnswers {
    pub(crate) on_none: extern "C" fn(ContextPtr, u64) -> Word,
    pub(crate) on_one: extern "C" fn(ContextPtr, u64, i64) -> Word,
    pub(crate) on_two: extern "C" fn(ContextPtr, u64, i64, i64) -> Word,
    pub(crate) on_three: extern "C" fn(ContextPtr, u64, i64, i64, i64) -> Word,
}

/// All fast-path functions of a host. Lists and other values are passed unconverted.
pub(crate) struct FastAnswers {
    pub(crate) on_ints: FastIntAnswers,
    /// Answers an operation on a list of integers.
    pub(crate) on_list: extern "C" fn(ContextPtr, u64, Word) -> Word,
    /// Answers an operation on a list with one of its elements.
    pub(crate) on_choice: extern "C" fn(ContextPtr, u64, Word) -> Word,
    /// Answers an operation with its second argument, if the host lets it pass.
    pub(crate) on_passthrough: extern "C" fn(ContextPtr, u64, i64, Word) -> Word,
}

/// The address of a context, as compiled code receives it and passes it on to the runtime.
#[derive(Copy, Clone)]
#[repr(transparent)]
pub(crate) struct ContextPtr(*mut JitContext);

impl ContextPtr {
    /// The pointer to pass to compiled code.
    ///
    /// # Safety
    ///
    /// The context must live until the call that gets the pointer has returned, and be used by
    /// nothing but that call in the meantime.
    #[inline(always)]
    pub(crate) unsafe fn new(context: &mut JitContext) -> Self {
        Self(context)
    }

    /// The context. The runtime must not keep the reference while it calls compiled code, which
    /// uses the context, too; it asks again afterwards.
    #[inline(always)]
    pub(super) fn context<'a>(self) -> &'a mut JitContext {
        // SAFETY: `new` requires that the context lives, and that only the running call uses it;
        // a call runs on one thread, and its runtime functions one at a time.
        unsafe { &mut *self.0 }
    }
}

/// The state that a worker shares with compiled code.
#[repr(C)]
pub(crate) struct JitContext {
    pub(crate) heap: Arena,
    pub(crate) steps: StepCounter,
    /// The result of a runtime function called through a rare-call stub.
    pub(crate) rare_result: Word,
    /// The arguments of such a call.
    pub(crate) rare_args: [u64; 4],
    /// The lowest address the stack may reach.
    pub(crate) stack_floor: u64,
    /// The values of constants; 0 where a constant has not been evaluated.
    pub(crate) constants: *mut Word,
    /// How often each branch was taken, in instrumented code.
    pub(crate) counters: *mut u64,
    /// For each term with mutants, whether to test which of them is active, in instrumented code.
    /// If none is, compiled code clears the flag, which records that the term was reached.
    pub(crate) switches: *mut bool,
    /// The active mutant; 0 for none.
    pub(crate) mutant: u64,
    /// Whether passing observations are reported to the host; 0 if not.
    pub(crate) reports_passing: u64,
    /// Number of passing observations that were not reported.
    pub(crate) n_unreported: u64,
    /// Fast paths for operations on small integers.
    pub(crate) fast_answers: FastIntAnswers,
    /// State that only the runtime accesses.
    pub(crate) state: RuntimeState,
}

/// The offsets that compiled code uses.
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

/// State that only the runtime accesses.
pub(crate) struct RuntimeState {
    pub(crate) code: Arc<JitCode>,
    pub(crate) limits: Limits,
    pub(crate) host: HostPointer,
    /// The value of [`JitContext::fast_answers`] while nothing inside the program answers effects.
    pub(crate) host_fast_answers: &'static FastAnswers,
    pub(crate) worlds: WorldStack<Word>,
    pub(crate) par_path: Vec<u32>,
    pub(crate) recorders: Vec<CallTraceRecorder<Word>>,
    pub(crate) par_order: Option<ParOrder>,
    pub(crate) relations: Option<Arc<dyn RelationDecider>>,
    pub(crate) raised: Option<RaisedFault>,
    /// Faults of constants, which are raised again at each use.
    pub(crate) constant_faults: Vec<Option<RaisedFault>>,
    /// Holds the values of constants, which outlive a case.
    pub(crate) constant_arena: Option<Box<Arena>>,
    /// The program's types and the instances of them created while checking refinements.
    pub(crate) types: Option<Box<TypeTable>>,
    /// The host's answers, logged so that a faulting case can be replayed.
    pub(crate) log: HostLog,
    /// A panic of the host, resumed after compiled code has returned.
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

    /// Clears what the last call left behind.
    #[cold]
    pub(crate) fn clear(&mut self) {
        self.raised = None;
        self.worlds.clear();
        self.par_path.clear();
        self.recorders.clear();
        self.log.clear();
    }
}

/// A fault being propagated.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RaisedFault {
    pub(crate) kind: FaultKind,
    pub(crate) site: TermSite,
}

impl RaisedFault {
    /// Its location, as precisely as compiled code knows it.
    pub(crate) fn location(&self, program: &Program) -> (FunctionId, Span) {
        let function = program.function(self.site.function);
        // A clause has an index in place of a term, so the span may be missing.
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
    /// Packed into one integer, which compiled code passes around.
    pub(crate) fn packed(self) -> u64 {
        u64::from(self.function.0) << 32 | u64::from(self.node)
    }

    pub(crate) fn unpacked(packed: u64) -> Self {
        Self { function: FunctionId((packed >> 32) as u32), node: packed as u32 }
    }
}

/// The host of the running call.
#[derive(Copy, Clone)]
pub(crate) struct HostPointer {
    /// The host behind [`CheckedHost`](crate::checked_host::CheckedHost), for the fast path, which
    /// knows its type.
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

    /// Raises a fault: compiled code then returns [`Word::FAULT`].
    #[cold]
    pub(crate) fn raise(&mut self, kind: FaultKind, site: u64) -> Word {
        self.state.raised = Some(RaisedFault { kind, site: TermSite::unpacked(site) });
        Word::FAULT
    }

    /// The stub that answers an operation, if there is one.
    pub(crate) fn stub(&self, op: OpId) -> Option<(usize, Word)> {
        self.state.worlds.find_stub(op)
    }

    /// Whether operations concern only the host: no stub could answer and no trace records them.
    pub(crate) fn is_host_only(&self) -> bool {
        self.state.worlds.is_outermost() && self.state.recorders.is_empty()
    }

    /// Enables the host's fast paths if operations concern only the host.
    pub(crate) fn select_fast_answers(&mut self) {
        self.fast_answers = if self.is_host_only() {
            self.state.host_fast_answers.on_ints
        } else {
            NO_FAST_ANSWERS.on_ints
        };
    }
}

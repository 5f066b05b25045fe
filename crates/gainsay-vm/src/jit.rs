//! The JIT engine: compiles core to machine code with Cranelift.
//!
//! **Invariant:** It agrees with the interpreter on value, fault, trace, draws and steps.
//!
//! A function is compiled at its first call, together with everything it refers to. A case starts
//! with an empty arena and has no fixed overhead: no allocation, no lock, no unwinding. Compiled
//! code detects faults; the interpreter explains them by replaying the case with the recorded host
//! answers.

mod arena;
mod base_case;
mod calling_convention;
mod codegen_unit;
mod compiled_program;
mod context;
mod emit;
mod infection;
mod instrumentation;
mod int_range;
mod integer_specialization;
mod match_compiler;
mod replay_log;
mod runtime;
mod size_limit;
mod specialization;
mod step_counter;
mod word;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay_core::{FunctionId, OpId};

use self::arena::Arena;
use self::calling_convention::SMALL_FRAME;
use self::context::{ContextPtr, HostPointer, JitContext, RuntimeState};
use self::runtime::call_value;
use self::runtime::convert::{immediate, to_value};
use self::runtime::effect::from_host;
use self::runtime::fast_answers::{
    HostFastAnswers, LoggedAnswers, NO_FAST_ANSWERS, UnloggedAnswers,
};
use self::step_counter::StepCounter;
use self::word::Word;
use crate::checked_host::CheckedHost;
use crate::fault::FaultKind;
use crate::host::Host;
use crate::limits::Limits;
use crate::mutant_ids::{MutantId, SwitchId};
use crate::par_order::ParOrder;
use crate::relations::RelationDecider;
use crate::stack::{floor, known_floor, stack_position};
use crate::value::Value;
use crate::world_stack::WorldStack;

use self::compiled_program::FunctionEntryPoint;
pub(crate) use self::compiled_program::JitCode;
pub use self::compiled_program::{CodeListing, CodeSize};
pub(crate) use self::context::RaisedFault;
pub use self::instrumentation::{Branch, Instrumentation, TermMutant};
pub(crate) use self::replay_log::ReplayHost;
pub use self::size_limit::can_switch_mutants;

/// The per-thread state of compiled code.
pub(crate) struct JitMachine {
    context: Box<JitContext>,
    constants: Box<[Word]>,
    counters: Box<[u64]>,
    switches: Box<[bool]>,
    /// The lowest address the stack may reach, if this thread knows it.
    floor: Option<usize>,
    /// Whether the last call left state behind that must be cleared.
    needs_cleanup: bool,
    /// The entry point of the function called last.
    cached_entry: Option<CachedEntry>,
}

/// The entry point of a function without captures.
#[derive(Copy, Clone)]
struct CachedEntry {
    function: FunctionId,
    // Compared as well, so that a hit proves the number of arguments: `ready_entry` relies on it.
    n_args: usize,
    entry: FunctionEntryPoint,
}

impl CachedEntry {
    #[inline(always)]
    fn is_for(&self, function: FunctionId, n_args: usize) -> bool {
        self.function == function && self.n_args == n_args
    }
}

/// The entry point of a function without parameters.
#[derive(Copy, Clone)]
pub(crate) struct ReadyEntry(FunctionEntryPoint);

/// How many arguments are passed in a fixed array instead of a heap allocation.
const MAX_INLINE_ARGS: usize = 6;

/// The outcome of a call of compiled code.
#[derive(Copy, Clone)]
pub(crate) struct JitOutcome {
    word: Word,
    pub(crate) steps: u64,
    pub(crate) words: u64,
}

impl JitOutcome {
    /// The value, if it is a small integer.
    #[inline(always)]
    pub(crate) fn small_int(self) -> Option<i64> {
        self.word.as_small_int()
    }

    /// The value, unless there was a fault. Must be called before the next call, which resets the
    /// arena.
    #[inline(always)]
    pub(crate) fn value(self) -> Option<Value> {
        if let Some(int) = self.word.as_small_int() {
            return Some(Value::Int(int));
        }
        match self.word {
            Word::FAULT => None,
            Word::TRUE => Some(Value::Bool(true)),
            Word::FALSE => Some(Value::Bool(false)),
            word => Some(to_value(word)),
        }
    }
}

/// Whether faults are explained by a replay, which requires logging host answers.
#[derive(Copy, Clone)]
pub(crate) enum ExplainMode {
    Replay,
    Never,
}

/// The callee of a call.
#[derive(Copy, Clone)]
pub(crate) enum CallTarget<'a> {
    /// A function without captures.
    Function(FunctionId),
    /// A function value.
    Value(&'a Value),
}

impl JitMachine {
    pub(crate) fn new(
        code: Arc<JitCode>,
        limits: &Limits,
        relations: Option<Arc<dyn RelationDecider>>,
    ) -> Self {
        let n_constants = code.program.constants.len();
        let n_counters = code.instruments.n_counters();
        let n_flags = code.instruments.n_flags();
        let state = RuntimeState {
            code,
            limits: *limits,
            host: HostPointer::NONE,
            host_fast_answers: &NO_FAST_ANSWERS,
            worlds: WorldStack::new(&[]),
            par_path: Vec::new(),
            recorders: Vec::new(),
            par_order: None,
            relations,
            raised: None,
            constant_faults: vec![None; n_constants],
            constant_arena: None,
            types: None,
            log: replay_log::HostLog::default(),
            panic: None,
        };
        let mut machine = Self {
            context: Box::new(JitContext {
                heap: Arena::new(word_limit(limits)),
                steps: StepCounter::new(),
                rare_result: Word::FAULT,
                rare_args: [0; 4],
                stack_floor: 0,
                constants: std::ptr::null_mut(),
                counters: std::ptr::null_mut(),
                switches: std::ptr::null_mut(),
                mutant: 0,
                reports_passing: 1,
                n_unreported: 0,
                fast_answers: NO_FAST_ANSWERS.on_ints,
                state,
            }),
            constants: vec![Word::FAULT; n_constants].into(),
            counters: vec![0; n_counters].into(),
            switches: vec![false; n_flags].into(),
            floor: known_floor(),
            needs_cleanup: false,
            cached_entry: None,
        };
        machine.context.stack_floor = machine.floor.unwrap_or(0) as u64;
        machine.set_limits(limits);
        // The context holds raw pointers into these boxes; every method that writes to one through
        // `&mut` stores its pointer anew, since the write invalidates the earlier one.
        machine.context.constants = machine.constants.as_mut_ptr();
        machine.context.counters = machine.counters.as_mut_ptr();
        machine.context.switches = machine.switches.as_mut_ptr();
        machine
    }

    pub(crate) fn set_limits(&mut self, limits: &Limits) {
        // The arena only grows: a lower limit fits in the one that is there.
        if word_limit(limits) > word_limit(&self.context.state.limits) {
            self.context.heap = Arena::new(word_limit(limits));
        }
        self.context.state.limits = *limits;
        self.context.heap.grant(word_limit(limits));
        self.context.steps.set_limit(limits.steps);
    }

    pub(crate) fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.context.steps.set_interrupt(flag);
    }

    pub(crate) fn set_par_order(&mut self, order: Option<ParOrder>) {
        self.context.state.par_order = order;
    }

    /// Number of passing observations in the last call that were not reported to the host.
    pub(crate) fn n_unreported_observations(&self) -> u64 {
        self.context.n_unreported
    }

    /// How often each branch was taken since the counters were cleared.
    pub(crate) fn counters(&self) -> &[u64] {
        &self.counters
    }

    pub(crate) fn clear_counters(&mut self) {
        self.counters.fill(0);
        self.context.counters = self.counters.as_mut_ptr();
    }

    /// Activates a mutant, or none.
    pub(crate) fn set_mutant(&mut self, mutant: Option<MutantId>) {
        let instruments = &self.context.state.code.instruments;
        // A mutant that is not part of this code is none: the original runs.
        let on = mutant.and_then(|it| instruments.number(it));
        self.context.mutant = on.map_or(0, |it| it.0);
        // At most one switch is on, so that all other terms cost a single untaken branch.
        self.switches.fill(false);
        if let Some((_, switch)) = on {
            self.switches[switch.index()] = true;
        }
        self.context.switches = self.switches.as_mut_ptr();
        // The value of a constant may depend on the mutant.
        self.forget_constants();
    }

    /// Starts recording which terms with mutants are reached, with no mutant active.
    pub(crate) fn watch_mutants(&mut self) {
        self.context.mutant = 0;
        // All switches are on; compiled code turns a switch off when it reaches it, and finds no
        // mutant number to apply.
        self.switches.fill(true);
        self.context.switches = self.switches.as_mut_ptr();
    }

    /// Whether the term of a mutant has been reached since recording started.
    pub(crate) fn is_reached(&self, mutant: MutantId) -> bool {
        self.context.mutant == 0
            && self.switch_of(mutant).is_some_and(|it| !self.switches[it.index()])
    }

    /// Whether a mutant may have changed the state since recording started.
    pub(crate) fn may_infect(&self, mutant: MutantId) -> bool {
        self.context.mutant == 0
            && self.infection_flag(mutant).is_some_and(|it| !self.switches[it.index()])
    }

    /// The switches reached since recording started, and the flags of mutants that would have
    /// changed a value.
    pub(crate) fn reached_flags(&self) -> Vec<SwitchId> {
        /// Most switches are not reached: these are skipped eight at a time.
        const UP: [bool; 8] = [true; 8];
        let mut reached = Vec::new();
        for (at, some) in self.switches.chunks(UP.len()).enumerate() {
            if some != UP {
                let down = some.iter().enumerate().filter(|it| !it.1);
                reached.extend(down.map(|it| SwitchId((at * UP.len() + it.0) as u32)));
            }
        }
        reached
    }

    /// The switch that controls a mutant.
    pub(crate) fn switch_of(&self, mutant: MutantId) -> Option<SwitchId> {
        self.context.state.code.instruments.number(mutant).map(|it| it.1)
    }

    /// The infection flag of a mutant: its own, or else its switch.
    pub(crate) fn infection_flag(&self, mutant: MutantId) -> Option<SwitchId> {
        // Without a comparison, reaching the term is all the evidence there is.
        let own = self.context.state.code.instruments.infection_flag(mutant);
        own.or_else(|| self.switch_of(mutant))
    }

    /// Invalidates all constants.
    fn forget_constants(&mut self) {
        // 0 makes compiled code ask the runtime, which computes the constant again.
        self.constants.fill(Word::FAULT);
        self.context.state.constant_faults.fill(None);
        self.context.state.constant_arena = None;
        self.context.constants = self.constants.as_mut_ptr();
    }

    /// The entry point of a function without parameters, if it was the last to be called.
    #[inline(always)]
    pub(crate) fn ready_entry(&self, function: FunctionId) -> Option<ReadyEntry> {
        let cached = self.cached_entry.filter(|cached| cached.is_for(function, 0));
        cached.map(|cached| ReadyEntry(cached.entry))
    }

    /// Calls a function through its entry point, with no stubs set.
    #[inline(always)]
    pub(crate) fn run_ready<H: Host + ?Sized>(
        &mut self,
        ReadyEntry(entry): ReadyEntry,
        explained: ExplainMode,
        door: &mut CheckedHost<'_, H>,
    ) -> JitOutcome {
        self.begin_case(explained, door);
        // Depth is computed per call, because it depends on the current stack position.
        let depth = depth_left(&self.context);
        // SAFETY: the context is not used before the call returns, and a function without
        // parameters reads no words.
        let word =
            unsafe { entry(ContextPtr::new(&mut self.context), depth, std::ptr::null()) };
        self.end_case(Some(word));
        self.outcome(word)
    }

    /// Calls a function; `None` if it cannot be compiled.
    #[inline]
    pub(crate) fn run<H: Host + ?Sized>(
        &mut self,
        callee: CallTarget<'_>,
        args: &[Value],
        answers: &[(OpId, Value)],
        explained: ExplainMode,
        door: &mut CheckedHost<'_, H>,
    ) -> Option<JitOutcome> {
        self.begin_case(explained, door);
        let word = self.call(callee, args, answers);
        self.end_case(word);
        Some(self.outcome(word?))
    }

    /// Begins a case with a host.
    #[inline(always)]
    fn begin_case<H: Host + ?Sized>(
        &mut self,
        explained: ExplainMode,
        door: &mut CheckedHost<'_, H>,
    ) {
        let context = &mut *self.context;
        context.reports_passing = u64::from(door.wants_passing_observations());
        context.n_unreported = 0;
        // A sized host is passed by its own address; an unsized one needs a fat pointer, so the
        // address of the reference is passed instead. `HostFastAnswers` makes the same distinction.
        let is_thin = size_of::<&mut H>() == size_of::<*mut ()>();
        let concrete =
            if is_thin { (&raw mut *door.host).cast() } else { (&raw mut door.host).cast() };
        let dynamic: *mut (dyn Host + '_) = door;
        // SAFETY: only the lifetime changes; `end_case` clears the pointer while `door` is alive.
        let dynamic = unsafe {
            std::mem::transmute::<*mut (dyn Host + '_), *mut (dyn Host + 'static)>(dynamic)
        };
        context.state.host = HostPointer { concrete, dynamic: Some(dynamic) };
        let quick = match explained {
            ExplainMode::Replay => HostFastAnswers::<H, LoggedAnswers>::FAST_ANSWERS,
            ExplainMode::Never => HostFastAnswers::<H, UnloggedAnswers>::FAST_ANSWERS,
        };
        context.state.host_fast_answers = quick;
        context.fast_answers = quick.on_ints;
        self.reset();
    }

    /// Ends a case: the host is no longer referenced.
    #[inline(always)]
    fn end_case(&mut self, word: Option<Word>) {
        self.context.state.host = HostPointer::NONE;
        // Before anything that may unwind: other threads may be waiting for the permit.
        self.context.heap.release_permit();
        if word.is_none_or(|word| word == Word::FAULT) {
            self.needs_cleanup = true;
            self.resume_panic();
        }
    }

    #[inline(always)]
    fn outcome(&self, word: Word) -> JitOutcome {
        JitOutcome { word, steps: self.context.steps.taken(), words: self.context.heap.words() }
    }

    /// Resumes a panic of the host after compiled code has returned, which unwinding cannot cross.
    #[cold]
    fn resume_panic(&mut self) {
        if let Some(panic) = self.context.state.panic.take() {
            std::panic::resume_unwind(panic);
        }
    }

    /// The fault of the last call, which returned no value.
    #[cold]
    pub(crate) fn take_raised_fault(&mut self) -> RaisedFault {
        self.context.state.raised.take().unwrap_or_else(unexplained_fault)
    }

    /// Returns large amounts of memory that a faulting call used. The fault must have been taken.
    pub(crate) fn release_memory(&mut self) {
        // SAFETY: the call has ended, and its fault holds values instead of words.
        unsafe { self.context.heap.release_memory() };
    }

    /// Resets the state for a new case.
    #[inline(always)]
    fn reset(&mut self) {
        let context = &mut *self.context;
        // SAFETY: the last call has ended. Its result was converted, constants have an arena of
        // their own, and what it left in the state is cleared below before it is read.
        unsafe { context.heap.reset() };
        context.steps.reset();
        // Unknown stack bounds are estimated anew for each call.
        if self.floor.is_none() {
            context.stack_floor = floor() as u64;
        }
        let state = &mut context.state;
        state.log.clear_fast_answers();
        if self.needs_cleanup || state.log.is_touched() {
            self.needs_cleanup = false;
            state.clear();
        }
        // Otherwise state of one case would leak into the next.
        debug_assert!(state.is_clean(), "a call without a fault tidies up");
    }

    #[inline(always)]
    fn call(
        &mut self,
        callee: CallTarget<'_>,
        args: &[Value],
        answers: &[(OpId, Value)],
    ) -> Option<Word> {
        if let CallTarget::Function(function) = callee
            && answers.is_empty()
            && args.len() <= MAX_INLINE_ARGS
        {
            // Most runs call one function many times, so one entry is cache enough.
            let cached = self.cached_entry.filter(|cached| cached.is_for(function, args.len()));
            let cached = cached.or_else(|| self.resolve_entry(function, args.len()))?;
            let context = &mut *self.context;
            let depth = depth_left(context);
            let mut words = [Word::UNIT; MAX_INLINE_ARGS];
            for (word, arg) in words.iter_mut().zip(args) {
                *word = immediate(arg).unwrap_or_else(|| from_host(context, arg, 0));
                // The arena is full, or a function value has no code: leave the call to the
                // interpreter.
                if *word == Word::FAULT {
                    return None;
                }
            }
            // SAFETY: the context is not used before the call returns, and there is a word for each
            // parameter.
            let word =
                unsafe { (cached.entry)(ContextPtr::new(context), depth, words.as_ptr()) };
            return Some(word);
        }
        self.call_uncached(callee, args, answers)
    }

    /// Looks up the entry point of a function, compiling it if necessary.
    #[cold]
    fn resolve_entry(&mut self, function: FunctionId, n_args: usize) -> Option<CachedEntry> {
        let entry = self.context.state.code.function_entry(function).ok()?;
        self.cached_entry = Some(CachedEntry { function, n_args, entry });
        self.cached_entry
    }

    #[inline(never)]
    fn call_uncached(
        &mut self,
        callee: CallTarget<'_>,
        args: &[Value],
        answers: &[(OpId, Value)],
    ) -> Option<Word> {
        let context = &mut *self.context;
        let from_host = |context: &mut JitContext, value: &Value| {
            let word = from_host(context, value, 0);
            (word != Word::FAULT).then_some(word)
        };
        if !answers.is_empty() {
            let stubs = answers.iter();
            let stubs = stubs.map(|(op, stub)| Some((*op, from_host(context, stub)?)));
            let stubs = stubs.collect::<Option<Vec<(OpId, Word)>>>()?;
            // The stubs stay entered after the call, so the next case has to clear them.
            self.needs_cleanup = true;
            context.state.worlds.enter(stubs);
            context.select_fast_answers();
        }
        let words = args.iter().map(|arg| from_host(context, arg));
        let words = words.collect::<Option<Vec<Word>>>()?;
        let depth = depth_left(context);
        let closure = match callee {
            CallTarget::Function(function) => {
                context.state.code.function_value(function).ok()?
            }
            CallTarget::Value(value) => {
                if let Value::Closure(function, _) = value {
                    // Compile first: failing here leaves the call to the interpreter without
                    // raising a fault.
                    context.state.code.function_value(*function).ok()?;
                }
                from_host(context, value)?
            }
        };
        // SAFETY: the context is not used before the call returns.
        let context = unsafe { ContextPtr::new(context) };
        Some(call_value(context, closure, &words, depth, 0))
    }

    /// The constants that have been evaluated.
    pub(crate) fn constants(&self) -> impl Iterator<Item = (usize, Value)> {
        let known = self.constants.iter().enumerate();
        known.filter(|(_, word)| **word != Word::FAULT).map(|(at, word)| (at, to_value(*word)))
    }

    /// A host that replays the answers of the last call, unless a mutant was active: the
    /// interpreter does not know mutants.
    pub(crate) fn replay(&mut self, kind: &FaultKind) -> Option<ReplayHost> {
        if self.context.mutant != 0 {
            return None;
        }
        self.context.state.log.replay(kind)
    }
}

/// How deeply calls may nest. Most functions do not check the remaining stack: their frames are
/// known to be small, so the depth counter alone bounds it.
#[inline(always)]
fn depth_left(context: &JitContext) -> i64 {
    // `SMALL_FRAME` bytes per call at most: so many calls fit the stack without further checks.
    let n_frames = stack_position().saturating_sub(context.stack_floor as usize) / SMALL_FRAME;
    i64::from(context.state.limits.depth).min(n_frames as i64) - 1
}

/// The words that fit the memory limit of a run.
fn word_limit(limits: &Limits) -> u64 {
    limits.words.min(limits.live_bytes / 8)
}

fn unexplained_fault() -> RaisedFault {
    let site = context::TermSite { function: FunctionId(0), node: 0 };
    RaisedFault { kind: FaultKind::Unsupported("a fault without a reason"), site }
}

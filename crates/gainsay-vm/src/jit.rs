//! The engine that compiles: core becomes machine code, by way of Cranelift.
//!
//! **Invariant:** It agrees with the interpreter on value, fault, trace, draws and steps.
//!
//! A function is compiled, with all it refers to, when it is first called. A case begins with
//! an empty arena and costs what it does: no allocation, no lock, no unwinding. Faults are
//! found by compiled code and explained by the interpreter, which runs the case again with
//! the same answers from outside.

mod base;
mod code;
mod context;
mod copies;
mod decide;
mod emit;
mod frames;
mod heap;
mod instruments;
mod log;
mod runtime;
mod steps;
mod unit;
mod word;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay_core::{FunctionId, OpId};

use self::context::{Context, HostPointer, State};
use self::frames::SMALL_FRAME;
use self::heap::Heap;
use self::runtime::call_value;
use self::runtime::convert::{immediate, to_value};
use self::runtime::effect::{Forgotten, Noted, decline, from_host, quick};
use self::steps::Steps;
use self::word::Word;
use crate::fault::FaultKind;
use crate::host::Host;
use crate::limits::Limits;
use crate::par_order::ParOrder;
use crate::stack::{floor, here, known_floor};
use crate::value::Value;
use crate::worlds::Worlds;

pub(crate) use self::code::Code;
pub use self::code::CodeSize;
use self::code::EntryOf;
pub(crate) use self::context::Raised;
pub use self::instruments::{Branch, Instruments, Mutant};
pub(crate) use self::log::Replay;

/// What compiled code needs on one thread.
pub(crate) struct Machine {
    context: Box<Context>,
    constants: Box<[Word]>,
    counters: Box<[u64]>,
    switches: Box<[bool]>,
    /// The address the stack may not grow below, if this thread knows.
    floor: Option<usize>,
    /// Words that each call may take.
    n_words: u64,
    /// How the last function was called.
    known: Option<Known>,
}

/// How a function without captures is called.
#[derive(Copy, Clone)]
struct Known {
    function: FunctionId,
    n_args: usize,
    entry: EntryOf,
}

impl Known {
    #[inline(always)]
    fn is_for(&self, function: FunctionId, n_args: usize) -> bool {
        self.function == function && self.n_args == n_args
    }
}

/// How many words are passed without memory of their own.
const FEW: usize = 6;

/// How a call of compiled code went.
#[derive(Copy, Clone)]
pub(crate) struct Ran {
    word: Word,
    pub(crate) steps: u64,
    pub(crate) words: u64,
}

impl Ran {
    /// The value, if it is a small integer.
    #[inline(always)]
    pub(crate) fn small(self) -> Option<i64> {
        self.word.as_small()
    }

    /// The value, unless a fault was raised. It must be asked for before the next call.
    #[inline(always)]
    pub(crate) fn value(self) -> Option<Value> {
        if let Some(int) = self.word.as_small() {
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

/// Whether a fault of a call is explained, by running the call again.
#[derive(Copy, Clone)]
pub(crate) enum Explained {
    Later,
    Never,
}

/// What is called.
#[derive(Copy, Clone)]
pub(crate) enum Callee<'a> {
    /// A function without captures.
    Function(FunctionId),
    /// A function value.
    Value(&'a Value),
}

impl Machine {
    pub(crate) fn new(code: Arc<Code>, limits: &Limits) -> Self {
        let n_constants = code.program.constants.len();
        let n_counters = code.instruments.n_counters();
        let n_switches = code.instruments.n_switches();
        let state = State {
            code,
            limits: *limits,
            host: HostPointer::NONE,
            host_quick: decline,
            worlds: Worlds::new(&[]),
            path: Vec::new(),
            recorders: Vec::new(),
            par_order: None,
            raised: None,
            constant_faults: vec![None; n_constants],
            kept: None,
            types: None,
            log: log::Log::default(),
            panic: None,
        };
        let mut machine = Self {
            context: Box::new(Context {
                heap: Heap::new(words_of(limits)),
                steps: Steps::new(),
                answer: Word::FAULT,
                passed: [0; 4],
                stack_floor: 0,
                constants: std::ptr::null_mut(),
                counters: std::ptr::null_mut(),
                switches: std::ptr::null_mut(),
                mutant: 0,
                hears: 1,
                n_unheard: 0,
                quick: decline,
                state,
            }),
            constants: vec![Word::FAULT; n_constants].into(),
            counters: vec![0; n_counters].into(),
            switches: vec![false; n_switches].into(),
            floor: known_floor(),
            n_words: words_of(limits),
            known: None,
        };
        machine.context.constants = machine.constants.as_mut_ptr();
        machine.context.counters = machine.counters.as_mut_ptr();
        machine.context.switches = machine.switches.as_mut_ptr();
        machine
    }

    pub(crate) fn set_limits(&mut self, limits: &Limits) {
        if words_of(limits) > words_of(&self.context.state.limits) {
            self.context.heap = Heap::new(words_of(limits));
        }
        self.context.state.limits = *limits;
        self.n_words = words_of(limits);
    }

    pub(crate) fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.context.steps.set_interrupt(flag);
    }

    pub(crate) fn set_par_order(&mut self, order: Option<ParOrder>) {
        self.context.state.par_order = order;
    }

    /// How many observations held in the last call that the host did not hear of.
    pub(crate) fn n_unheard(&self) -> u64 {
        self.context.n_unheard
    }

    /// How often each branch was taken since the counters were cleared.
    pub(crate) fn counters(&self) -> &[u64] {
        &self.counters
    }

    pub(crate) fn clear_counters(&mut self) {
        self.counters.fill(0);
        self.context.counters = self.counters.as_mut_ptr();
    }

    /// Switches a mutant on, by its position in the list of mutants.
    pub(crate) fn set_mutant(&mut self, mutant: Option<usize>) {
        let instruments = &self.context.state.code.instruments;
        let on = mutant.and_then(|it| instruments.number(it));
        self.context.mutant = on.map_or(0, |it| it.0);
        self.switches.fill(false);
        if let Some((_, switch)) = on {
            self.switches[switch] = true;
        }
        self.context.switches = self.switches.as_mut_ptr();
        // What a constant is may depend on the mutant.
        self.forget_constants();
    }

    /// Watches from now on which terms with mutants are come to, with none of them on.
    pub(crate) fn watch(&mut self) {
        self.context.mutant = 0;
        self.switches.fill(true);
        self.context.switches = self.switches.as_mut_ptr();
    }

    /// Whether the term of a mutant was come to since it is watched.
    pub(crate) fn is_reached(&self, mutant: usize) -> bool {
        self.context.mutant == 0 && self.switch(mutant).is_some_and(|it| !self.switches[it])
    }

    /// The switches that were come to since it is watched.
    pub(crate) fn reached(&self) -> Vec<u32> {
        /// Most are not come to: these are passed by together.
        const UP: [bool; 8] = [true; 8];
        let mut reached = Vec::new();
        for (at, some) in self.switches.chunks(UP.len()).enumerate() {
            if some != UP {
                let down = some.iter().enumerate().filter(|it| !it.1);
                reached.extend(down.map(|it| (at * UP.len() + it.0) as u32));
            }
        }
        reached
    }

    /// Which switch a mutant is behind.
    pub(crate) fn switch(&self, mutant: usize) -> Option<usize> {
        self.context.state.code.instruments.number(mutant).map(|it| it.1)
    }

    /// Lets constants be evaluated again.
    fn forget_constants(&mut self) {
        self.constants.fill(Word::FAULT);
        self.context.state.constant_faults.fill(None);
        self.context.state.kept = None;
        self.context.constants = self.constants.as_mut_ptr();
    }

    /// Calls a function. Nothing when it cannot be compiled.
    #[inline]
    pub(crate) fn run<H: Host + ?Sized>(
        &mut self,
        callee: Callee<'_>,
        args: &[Value],
        answers: &[(OpId, Value)],
        explained: Explained,
        host: &mut H,
    ) -> Option<Ran> {
        let mut host: &mut H = host;
        self.context.hears = u64::from(host.hears_what_holds());
        self.context.n_unheard = 0;
        let dynamic: *mut (dyn Host + '_) = &raw mut host;
        // SAFETY: only the lifetime changes; the pointer is cleared before `host` is gone.
        let dynamic = unsafe {
            std::mem::transmute::<*mut (dyn Host + '_), *mut (dyn Host + 'static)>(dynamic)
        };
        let state = &mut self.context.state;
        let is_thin = size_of::<&mut H>() == size_of::<*mut ()>();
        let concrete = if is_thin { (&raw mut *host).cast() } else { (&raw mut host).cast() };
        state.host = HostPointer { concrete, dynamic: Some(dynamic) };
        state.host_quick = match explained {
            Explained::Later => quick::<H, Noted>,
            Explained::Never => quick::<H, Forgotten>,
        };
        self.reset();
        let word = self.call(callee, args, answers);
        let context = &mut *self.context;
        context.state.host = HostPointer::NONE;
        let word = word?;
        if word == Word::FAULT {
            self.go_on_panicking();
        }
        let context = &self.context;
        Some(Ran { word, steps: context.steps.taken(), words: context.heap.words() })
    }

    /// A panic of the host goes on now that compiled code has been left.
    #[cold]
    fn go_on_panicking(&mut self) {
        if let Some(panic) = self.context.state.panic.take() {
            std::panic::resume_unwind(panic);
        }
    }

    /// The fault of the last call, which gave no value.
    #[cold]
    pub(crate) fn raised(&mut self) -> Raised {
        self.context.state.raised.take().unwrap_or_else(unexplained)
    }

    /// Begins a case.
    #[inline(always)]
    fn reset(&mut self) {
        let context = &mut *self.context;
        context.heap.reset(self.n_words);
        context.steps.reset(context.state.limits.steps);
        context.stack_floor = self.floor.unwrap_or_else(floor) as u64;
        context.quick = context.state.host_quick;
        let state = &mut context.state;
        state.log.forget_quick();
        if state.raised.is_some()
            || !state.worlds.is_outermost()
            || !state.path.is_empty()
            || !state.recorders.is_empty()
            || state.log.is_touched()
        {
            state.clear();
        }
    }

    #[inline(always)]
    fn call(
        &mut self,
        callee: Callee<'_>,
        args: &[Value],
        answers: &[(OpId, Value)],
    ) -> Option<Word> {
        if let Callee::Function(function) = callee
            && answers.is_empty()
            && args.len() <= FEW
        {
            let known = self.known.filter(|known| known.is_for(function, args.len()));
            let known = known.or_else(|| self.find_out(function, args.len()))?;
            let context = &mut *self.context;
            let depth = depth_left(context);
            if args.is_empty() {
                return Some((known.entry)(context, depth, std::ptr::null()));
            }
            let mut words = [Word::UNIT; FEW];
            for (word, arg) in words.iter_mut().zip(args) {
                *word = immediate(arg).unwrap_or_else(|| from_host(context, arg, 0));
                if *word == Word::FAULT {
                    return None;
                }
            }
            return Some((known.entry)(context, depth, words.as_ptr()));
        }
        self.call_in_full(callee, args, answers)
    }

    /// How a function is called; compiles it first if need be.
    #[cold]
    fn find_out(&mut self, function: FunctionId, n_args: usize) -> Option<Known> {
        let entry = self.context.state.code.entry_of(function).ok()?;
        self.known = Some(Known { function, n_args, entry });
        self.known
    }

    #[inline(never)]
    fn call_in_full(
        &mut self,
        callee: Callee<'_>,
        args: &[Value],
        answers: &[(OpId, Value)],
    ) -> Option<Word> {
        let context = &mut *self.context;
        let from_host = |context: &mut Context, value: &Value| {
            let word = from_host(context, value, 0);
            (word != Word::FAULT).then_some(word)
        };
        if !answers.is_empty() {
            let stubs = answers.iter();
            let stubs = stubs.map(|(op, stub)| Some((*op, from_host(context, stub)?)));
            let stubs = stubs.collect::<Option<Vec<(OpId, Word)>>>()?;
            context.state.worlds.enter(stubs);
            context.choose_quick();
        }
        let words = args.iter().map(|arg| from_host(context, arg));
        let words = words.collect::<Option<Vec<Word>>>()?;
        let depth = depth_left(context);
        let closure = match callee {
            Callee::Function(function) => context.state.code.value_of(function).ok()?,
            Callee::Value(value) => {
                if let Value::Closure(function, _) = value {
                    context.state.code.value_of(*function).ok()?;
                }
                from_host(context, value)?
            }
        };
        Some(call_value(context, closure, &words, depth, 0))
    }

    /// The constants that have values.
    pub(crate) fn constants(&self) -> impl Iterator<Item = (usize, Value)> {
        let known = self.constants.iter().enumerate();
        known.filter(|(_, word)| **word != Word::FAULT).map(|(at, word)| (at, to_value(*word)))
    }

    /// A host that gives the answers of the last call again, unless a mutant was on: the
    /// interpreter knows nothing of it.
    pub(crate) fn replay(&mut self, kind: &FaultKind) -> Option<Replay> {
        if self.context.mutant != 0 {
            return None;
        }
        self.context.state.log.replay(kind)
    }
}

/// How many calls may be inside each other. Most functions do not look how much of the stack
/// is left: their frames are known to be small.
#[inline(always)]
fn depth_left(context: &Context) -> i64 {
    let n_frames = here().saturating_sub(context.stack_floor as usize) / SMALL_FRAME;
    i64::from(context.state.limits.depth).min(n_frames as i64) - 1
}

/// Words that fit the memory that a run may hold.
fn words_of(limits: &Limits) -> u64 {
    limits.words.min(limits.live_bytes / 8)
}

fn unexplained() -> Raised {
    let site = context::Site { function: FunctionId(0), node: 0 };
    Raised { kind: FaultKind::Unsupported("a fault without a reason"), site }
}

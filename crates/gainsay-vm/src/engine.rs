//! Engines and workers: how callers run functions without knowing what runs them.
//!
//! An [`Engine`] is made once for a program and shared between threads. Each thread has a
//! [`Worker`], which keeps what may not be shared: values, evaluated constants, the stack.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock, OnceLock};

use gainsay_core::{FunctionId, OpId, Program};
use gainsay_source::Span;

use crate::checked_host::CheckedHost;
use crate::fault::{CallStack, Fault, FaultKind};
use crate::host::Host;
use crate::interpret::{CallSetup, InterpreterCode, InterpreterMemory, run};
use crate::jit::{
    self, CallTarget, CodeSize, ExplainMode, Instrumentation, JitOutcome, RaisedFault,
};
use crate::limits::Limits;
use crate::par_order::ParOrder;
use crate::value::{Fields, Value};
use crate::value_check::ValueChecker;

/// What runs a program.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineKind {
    /// The reference interpreter: the definition of what a program means.
    Interpreter,
    /// Machine code, made when it is needed.
    Jit,
}

impl EngineKind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Interpreter, Self::Jit];

    /// The fastest that can run here.
    pub fn best() -> Self {
        if Self::Jit.is_available() { Self::Jit } else { Self::Interpreter }
    }

    /// Whether it can run here.
    pub fn is_available(self) -> bool {
        match self {
            Self::Interpreter => true,
            Self::Jit => *CAN_COMPILE,
        }
    }

    /// Its name, as in `GAINSAY_ENGINE`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Interpreter => "interpreter",
            Self::Jit => "jit",
        }
    }
}

/// Whether code can be made on this system: tried once, on a program without functions.
static CAN_COMPILE: LazyLock<bool> =
    LazyLock::new(|| jit::JitCode::new(Arc::default(), Instrumentation::default()).is_ok());

/// Steps beyond which a faulty call is not run again to be explained: the interpreter would
/// take too long for somebody who waits.
const MAX_REPLAYED_STEPS: u64 = 100_000_000;

/// A program, ready to run; cheap to clone.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<EngineShared>,
}

struct EngineShared {
    program: Arc<Program>,
    /// The program made ready for the interpreter, once it is wanted.
    interpreted: OnceLock<Arc<InterpreterCode>>,
    compiled: Option<Arc<jit::JitCode>>,
}

impl EngineShared {
    fn interpreted(&self) -> Arc<InterpreterCode> {
        let make = || Arc::new(InterpreterCode::new(Arc::clone(&self.program)));
        Arc::clone(self.interpreted.get_or_init(make))
    }
}

impl Engine {
    /// Makes a program ready. It must have been checked without errors. Where the kind cannot
    /// run, the interpreter does.
    pub fn new(program: Arc<Program>, kind: EngineKind) -> Self {
        Self::make(program, kind, Instrumentation::default())
    }

    /// Makes a program ready to be compiled with instruments, which only compiled code has;
    /// nothing where code cannot be made. Where some function is too large to be compiled, there
    /// are no mutants: the interpreter would run the function without them.
    pub fn instrumented(program: Arc<Program>, instruments: Instrumentation) -> Option<Self> {
        let has_mutants = instruments.has_mutants();
        let engine = Self::make(program, EngineKind::Jit, instruments);
        let code = engine.shared.compiled.as_ref()?;
        (code.can_compile_all() || !has_mutants).then_some(engine)
    }

    fn make(program: Arc<Program>, kind: EngineKind, instruments: Instrumentation) -> Self {
        let compiled = match kind {
            EngineKind::Interpreter => None,
            EngineKind::Jit => jit::JitCode::new(Arc::clone(&program), instruments).ok(),
        };
        let compiled = compiled.map(Arc::new);
        let interpreted = OnceLock::new();
        Self { shared: Arc::new(EngineShared { program, interpreted, compiled }) }
    }

    /// What runs the program.
    pub fn kind(&self) -> EngineKind {
        match self.shared.compiled {
            Some(_) => EngineKind::Jit,
            None => EngineKind::Interpreter,
        }
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.shared.program
    }

    /// Whether a function runs as machine code; nothing is counted in one that does not.
    pub fn compiles(&self, function: FunctionId) -> bool {
        self.shared.compiled.as_ref().is_some_and(|code| code.can_compile(function))
    }

    /// Compiles a function and all it refers to, if that is how it is run, and says how much
    /// has been compiled in all.
    pub fn prepare(&self, function: FunctionId) -> CodeSize {
        let Some(code) = &self.shared.compiled else { return CodeSize::default() };
        // What cannot be compiled is interpreted.
        match self.shared.program.function(function).n_captures {
            0 => drop(code.function_entry(function)),
            _ => drop(code.function_value(function)),
        }
        code.size()
    }

    /// A worker for one thread.
    pub fn worker(&self, limits: Limits) -> Worker {
        let compiled = self.shared.compiled.as_ref();
        Worker {
            shared: Arc::clone(&self.shared),
            interpreter: None,
            machine: compiled.map(|code| jit::JitMachine::new(Arc::clone(code), &limits)),
            limits,
            stubs: Vec::new(),
            stubs_conform: true,
            value_checker: ValueChecker::new(Arc::clone(&self.shared.program)),
            interrupt: None,
            par_order: None,
        }
    }
}

/// Runs functions on one thread. Run it inside [`run_on_big_stack`](crate::run_on_big_stack)
/// for programs that recurse deeply.
pub struct Worker {
    shared: Arc<EngineShared>,
    interpreter: Option<(Arc<InterpreterCode>, InterpreterMemory)>,
    machine: Option<jit::JitMachine>,
    limits: Limits,
    stubs: Vec<(OpId, Value)>,
    /// Whether all answers are functions that can answer.
    stubs_conform: bool,
    value_checker: ValueChecker,
    interrupt: Option<Arc<AtomicBool>>,
    par_order: Option<ParOrder>,
}

/// How a call went.
#[derive(Debug, Clone)]
pub struct CallOutcome {
    /// The value, or why there is none.
    pub result: Result<Value, Fault>,
    /// Steps taken.
    pub steps: u64,
    /// Words of memory taken.
    pub words: u64,
}

/// How a call went, in brief: a fault without the values and calls around it.
#[derive(Debug, Clone)]
pub struct ProbeOutcome {
    /// The value, or what kind of fault there was instead.
    pub result: Result<Value, FaultKind>,
    /// Where the fault was, in which function; the same for the same fault on one engine.
    pub fault_location: Option<(FunctionId, Span)>,
    /// Steps taken.
    pub steps: u64,
    /// Words of memory taken.
    pub words: u64,
}

impl Worker {
    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.shared.program
    }

    /// Sets what each later call may use.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        if let Some(machine) = &mut self.machine {
            machine.set_limits(&limits);
        }
    }

    /// Operations that stubs answer in each later call, before the host is asked: the world
    /// of a claim. A generative stub gets `(path, n, ..args)`, another one the plain arguments.
    pub fn set_stubs(&mut self, answers: Vec<(OpId, Value)>) {
        self.stubs_conform =
            answers.iter().all(|(op, stub)| self.value_checker.stub_conforms(*op, stub));
        self.stubs = answers;
    }

    /// A flag that ends a run soon after it is set.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        if let Some(machine) = &mut self.machine {
            machine.set_interrupt(Arc::clone(&flag));
        }
        self.interrupt = Some(flag);
    }

    /// Sets in which order the branches of each `par` run in each later call; as written when
    /// there is none. Constants are computed as written in any case.
    pub fn set_par_order(&mut self, order: Option<ParOrder>) {
        if let Some(machine) = &mut self.machine {
            machine.set_par_order(order.clone());
        }
        self.par_order = order;
    }

    /// Switches a mutant on, by its position in the list the engine was instrumented with.
    pub fn set_mutant(&mut self, mutant: Option<usize>) {
        if let Some(machine) = &mut self.machine {
            machine.set_mutant(mutant);
        }
    }

    /// Watches from now on which terms with mutants are come to, with none of them on. Constants
    /// that have values are not evaluated again.
    pub fn watch_mutants(&mut self) {
        if let Some(machine) = &mut self.machine {
            machine.watch_mutants();
        }
    }

    /// Whether the term of a mutant was come to since it is watched.
    pub fn is_reached(&self, mutant: usize) -> bool {
        self.machine.as_ref().is_some_and(|it| it.is_reached(mutant))
    }

    /// Whether a mutant may have changed something since it is watched: its term was come to
    /// and, if that can be seen, has another value with it.
    pub fn may_infect(&self, mutant: usize) -> bool {
        self.machine.as_ref().is_some_and(|it| it.may_infect(mutant))
    }

    /// The switches that were come to since it is watched, and the marks of mutants that would
    /// have changed a value. Mutants of one term share a switch.
    pub fn reached_flags(&self) -> Vec<u32> {
        self.machine.as_ref().map_or_else(Vec::new, jit::JitMachine::reached_flags)
    }

    /// Which switch a mutant is behind.
    pub fn switch_of(&self, mutant: usize) -> Option<u32> {
        self.machine.as_ref()?.switch_of(mutant).map(|it| it as u32)
    }

    /// What tells that a mutant may have changed something: its own mark, or its switch.
    pub fn infection_flag(&self, mutant: usize) -> Option<u32> {
        self.machine.as_ref()?.infection_flag(mutant).map(|it| it as u32)
    }

    /// How many observations held in the last call that the host did not want to hear of.
    pub fn n_unreported_observations(&self) -> u64 {
        self.machine.as_ref().map_or(0, jit::JitMachine::n_unreported_observations)
    }

    /// How often each branch of the instruments was taken since the counters were cleared.
    pub fn counters(&self) -> &[u64] {
        self.machine.as_ref().map_or(&[], jit::JitMachine::counters)
    }

    /// Clears the counters of branches.
    pub fn clear_counters(&mut self) {
        if let Some(machine) = &mut self.machine {
            machine.clear_counters();
        }
    }

    /// Calls a function that has no captures. Arguments of other types than its parameters
    /// have are left to the interpreter, which fails where they matter.
    pub fn call<H: Host + ?Sized>(
        &mut self,
        function: FunctionId,
        args: &[Value],
        host: &mut H,
    ) -> CallOutcome {
        self.run(CallTarget::Function(function), args, host)
    }

    /// Calls a function value.
    pub fn call_value<H: Host + ?Sized>(
        &mut self,
        callee: &Value,
        args: &[Value],
        host: &mut H,
    ) -> CallOutcome {
        self.run(CallTarget::Value(callee), args, host)
    }

    /// Calls a function that has no captures, without finding out more about a fault than
    /// what kind it is: for calls of which many fail.
    pub fn probe<H: Host + ?Sized>(
        &mut self,
        function: FunctionId,
        args: &[Value],
        host: &mut H,
    ) -> ProbeOutcome {
        if args.is_empty()
            && self.stubs.is_empty()
            && let Some(machine) = &mut self.machine
            && let Some(ready) = machine.ready_entry(function)
        {
            let mut door = CheckedHost { checker: &mut self.value_checker, host };
            let ran = machine.run_ready(ready, ExplainMode::Never, &mut door);
            return self.probe_outcome(ran);
        }
        self.probe_uncached(function, args, host)
    }

    #[inline(never)]
    fn probe_uncached<H: Host + ?Sized>(
        &mut self,
        function: FunctionId,
        args: &[Value],
        host: &mut H,
    ) -> ProbeOutcome {
        let callee = CallTarget::Function(function);
        match self.run_compiled(callee, args, ExplainMode::Never, host) {
            Some(ran) => self.probe_outcome(ran),
            None => self.probe_interpreted(callee, args, host),
        }
    }

    #[inline(always)]
    fn probe_outcome(&mut self, ran: JitOutcome) -> ProbeOutcome {
        // The value is written at once, here: put together with the others, it would be
        // written in pieces, and whoever reads it would wait for them.
        if let Some(int) = ran.small_int() {
            let JitOutcome { steps, words, .. } = ran;
            return ProbeOutcome {
                result: Ok(Value::Int(int)),
                fault_location: None,
                steps,
                words,
            };
        }
        self.probe_outcome_slow(ran)
    }

    #[inline(never)]
    fn probe_outcome_slow(&mut self, ran: JitOutcome) -> ProbeOutcome {
        let JitOutcome { steps, words, .. } = ran;
        match ran.value() {
            Some(value) => {
                ProbeOutcome { result: Ok(value), fault_location: None, steps, words }
            }
            None => {
                let raised = self.take_raised_fault();
                let place = raised.as_ref().map(|it| it.location(&self.shared.program));
                let kind = raised.map_or(FaultKind::Discarded, |it| it.kind);
                ProbeOutcome { result: Err(kind), fault_location: place, steps, words }
            }
        }
    }

    #[inline(never)]
    fn probe_interpreted<H: Host + ?Sized>(
        &mut self,
        callee: CallTarget<'_>,
        args: &[Value],
        host: &mut H,
    ) -> ProbeOutcome {
        let CallOutcome { result, steps, words } = self.interpret(callee, args, host);
        let place = result.as_ref().err().map(|fault| (fault.function, fault.span));
        ProbeOutcome {
            result: result.map_err(|fault| fault.kind),
            fault_location: place,
            steps,
            words,
        }
    }

    fn take_raised_fault(&mut self) -> Option<RaisedFault> {
        let machine = self.machine.as_mut()?;
        let raised = machine.take_raised_fault();
        machine.release_memory();
        Some(raised)
    }

    /// Runs compiled code, if there is any. It trusts types: what does not fit them is left
    /// to the interpreter, which does not.
    #[inline]
    fn run_compiled<H: Host + ?Sized>(
        &mut self,
        callee: CallTarget<'_>,
        args: &[Value],
        explained: ExplainMode,
        host: &mut H,
    ) -> Option<JitOutcome> {
        let machine = self.machine.as_mut()?;
        let fits = match callee {
            CallTarget::Function(function) => self.value_checker.args_conform(function, args),
            CallTarget::Value(callee) => self.value_checker.callee_conforms(callee, args),
        };
        if !fits || !self.stubs_conform {
            return None;
        }
        let mut door = CheckedHost { checker: &mut self.value_checker, host };
        machine.run(callee, args, &self.stubs, explained, &mut door)
    }

    fn run<H: Host + ?Sized>(
        &mut self,
        callee: CallTarget<'_>,
        args: &[Value],
        host: &mut H,
    ) -> CallOutcome {
        let Some(ran) = self.run_compiled(callee, args, ExplainMode::Replay, host) else {
            return self.interpret(callee, args, host);
        };
        let JitOutcome { steps, words, .. } = ran;
        if let Some(value) = ran.value() {
            return CallOutcome { result: Ok(value), steps, words };
        }
        match self.take_raised_fault() {
            Some(raised) => {
                let fault = self.explain(callee, args, raised, steps);
                CallOutcome { result: Err(fault), steps, words }
            }
            None => self.interpret(callee, args, host),
        }
    }

    fn interpret<H: Host + ?Sized>(
        &mut self,
        callee: CallTarget<'_>,
        args: &[Value],
        host: &mut H,
    ) -> CallOutcome {
        let (code, memory) = interpreter_state(&mut self.interpreter, &self.shared);
        let setup = CallSetup {
            limits: self.limits,
            stubs: &self.stubs,
            interrupt: self.interrupt.as_deref(),
            par_order: self.par_order.as_ref(),
        };
        let function;
        let callee = match callee {
            CallTarget::Value(value) => value,
            CallTarget::Function(id) => {
                function = Value::Closure(id, Fields::EMPTY);
                &function
            }
        };
        let mut door = CheckedHost { checker: &mut self.value_checker, host };
        run(code, memory, &setup, &mut door, callee, args)
    }

    /// What there is to know of a fault: the interpreter runs the same case again.
    #[cold]
    fn explain(
        &mut self,
        callee: CallTarget<'_>,
        args: &[Value],
        raised: RaisedFault,
        steps: u64,
    ) -> Fault {
        let replay = self.machine.as_mut().and_then(|machine| machine.replay(&raised.kind));
        // What was computed before the call is not computed again, at another depth.
        if let Some(machine) = &self.machine {
            let (_, memory) = interpreter_state(&mut self.interpreter, &self.shared);
            machine.constants().for_each(|(at, value)| memory.set_constant(at, value));
        }
        if let Some(mut replay) = replay.filter(|_| steps <= MAX_REPLAYED_STEPS)
            && let Err(fault) = self.interpret(callee, args, &mut replay).result
            && fault.kind == raised.kind
        {
            return fault;
        }
        let (function, span) = raised.location(&self.shared.program);
        Fault {
            kind: raised.kind,
            span,
            function,
            values: Vec::new(),
            call_stack: CallStack::default(),
        }
    }
}

/// The program made ready for the interpreter and what it remembers, made when wanted.
fn interpreter_state<'a>(
    memory: &'a mut Option<(Arc<InterpreterCode>, InterpreterMemory)>,
    shared: &EngineShared,
) -> &'a mut (Arc<InterpreterCode>, InterpreterMemory) {
    memory.get_or_insert_with(|| {
        let code = shared.interpreted();
        let memory = InterpreterMemory::new(&code);
        (code, memory)
    })
}

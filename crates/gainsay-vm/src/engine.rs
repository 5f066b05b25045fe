//! Engines and workers: the API that runs functions, independent of how they are executed.
//!
//! An [`Engine`] is created once for a program and shared between threads. Each thread has a
//! [`Worker`], which owns what cannot be shared: values, evaluated constants, the stack.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock, OnceLock};

use gainsay_core::{FunctionId, OpId, Program};
use gainsay_source::Span;

use crate::checked_host::CheckedHost;
use crate::fault::{CallStack, Fault, FaultKind};
use crate::host::Host;
use crate::interpret::{CallSetup, InterpreterCode, InterpreterMemory, run};
use crate::jit::{
    self, CallTarget, CodeListing, CodeSize, ExplainMode, Instrumentation, JitOutcome,
    RaisedFault,
};
use crate::limits::Limits;
use crate::mutant_ids::{MutantId, SwitchId};
use crate::par_order::ParOrder;
use crate::relations::RelationDecider;
use crate::value::{Fields, Value};
use crate::value_check::ValueChecker;

/// The ways to execute a program.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EngineKind {
    /// The reference interpreter, which defines the semantics of a program.
    Interpreter,
    /// Machine code, compiled on demand.
    Jit,
}

impl EngineKind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Interpreter, Self::Jit];

    /// The fastest kind available on this system.
    pub fn best() -> Self {
        if Self::Jit.is_available() { Self::Jit } else { Self::Interpreter }
    }

    /// Whether it is available on this system.
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

/// Whether the JIT works on this system: tried once, on a program without functions.
static CAN_COMPILE: LazyLock<bool> =
    LazyLock::new(|| jit::JitCode::new(Arc::default(), Instrumentation::default()).is_ok());

/// A faulting call with more steps than this is not replayed for an explanation: the interpreter
/// would keep the user waiting too long.
const MAX_REPLAYED_STEPS: u64 = 100_000_000;

/// A program, ready to run; cheap to clone.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<EngineShared>,
}

struct EngineShared {
    program: Arc<Program>,
    /// The program compiled for the interpreter, on first use.
    interpreted: OnceLock<Arc<InterpreterCode>>,
    compiled: Option<Arc<jit::JitCode>>,
    relations: Option<Arc<dyn RelationDecider>>,
}

impl EngineShared {
    fn interpreted(&self) -> Arc<InterpreterCode> {
        let make = || Arc::new(InterpreterCode::new(Arc::clone(&self.program)));
        Arc::clone(self.interpreted.get_or_init(make))
    }
}

/// Compiles a function for reading: the function and its specializations, in the order in which they
/// are compiled. Fails if the JIT is not available.
pub fn list_code(
    program: &Arc<Program>,
    function: FunctionId,
) -> Result<Vec<CodeListing>, String> {
    jit::JitCode::new(Arc::clone(program), Instrumentation::default())?.list(function)
}

impl Engine {
    /// Prepares a program, which must have been checked without errors. Falls back to the
    /// interpreter if the kind is not available.
    pub fn new(program: Arc<Program>, kind: EngineKind) -> Self {
        Self::make(program, kind, Instrumentation::default())
    }

    /// Prepares a program to be compiled with instrumentation, which only the JIT supports; `None`
    /// if the JIT is not available. Also `None` if there are mutants and some function is too large
    /// to be compiled: the interpreter would run that function without its mutants.
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
        let shared = EngineShared { program, interpreted, compiled, relations: None };
        Self { shared: Arc::new(shared) }
    }

    /// The same engine with a decider for relations; without one they cannot be run.
    #[must_use]
    pub fn with_relations(self, relations: Option<Arc<dyn RelationDecider>>) -> Self {
        let EngineShared { program, interpreted, compiled, .. } = &*self.shared;
        // Code is shared: it asks the decider of the worker that runs it.
        let (program, interpreted) = (Arc::clone(program), interpreted.clone());
        let compiled = compiled.clone();
        let shared = EngineShared { program, interpreted, compiled, relations };
        Self { shared: Arc::new(shared) }
    }

    /// The decider for relations.
    pub fn relations(&self) -> Option<Arc<dyn RelationDecider>> {
        self.shared.relations.clone()
    }

    /// How the program is executed.
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

    /// Whether a function runs as machine code. Branches of other functions are not counted.
    pub fn compiles(&self, function: FunctionId) -> bool {
        self.shared.compiled.as_ref().is_some_and(|code| code.can_compile(function))
    }

    /// Compiles a function and everything it refers to, if the engine compiles, and returns how
    /// much has been compiled in total.
    pub fn prepare(&self, function: FunctionId) -> CodeSize {
        let Some(code) = &self.shared.compiled else { return CodeSize::default() };
        // A function that cannot be compiled is interpreted, so failure is not an error here.
        // A function with captures has no entry point of its own, only a value.
        match self.shared.program.function(function).n_captures {
            0 => drop(code.function_entry(function)),
            _ => drop(code.function_value(function)),
        }
        code.size()
    }

    /// Creates a worker for one thread.
    pub fn worker(&self, limits: Limits) -> Worker {
        let compiled = self.shared.compiled.as_ref();
        Worker {
            shared: Arc::clone(&self.shared),
            interpreter: None,
            machine: compiled.map(|code| {
                let relations = self.shared.relations.clone();
                jit::JitMachine::new(Arc::clone(code), &limits, relations)
            }),
            limits,
            stubs: Vec::new(),
            stubs_conform: true,
            value_checker: ValueChecker::new(Arc::clone(&self.shared.program)),
            interrupt: None,
            par_order: None,
        }
    }
}

/// Runs functions on one thread. Use it inside [`run_on_big_stack`](crate::run_on_big_stack) for
/// programs that recurse deeply.
pub struct Worker {
    shared: Arc<EngineShared>,
    interpreter: Option<(Arc<InterpreterCode>, InterpreterMemory)>,
    machine: Option<jit::JitMachine>,
    limits: Limits,
    stubs: Vec<(OpId, Value)>,
    /// Whether every stub is a function of the right type.
    stubs_conform: bool,
    value_checker: ValueChecker,
    interrupt: Option<Arc<AtomicBool>>,
    par_order: Option<ParOrder>,
}

/// The outcome of a call.
#[derive(Debug, Clone)]
pub struct CallOutcome {
    /// The value, or why there is none.
    pub result: Result<Value, Fault>,
    /// Steps executed.
    pub steps: u64,
    /// Words of memory allocated.
    pub words: u64,
}

/// The outcome of a probe: a fault comes without values and call stack.
#[derive(Debug, Clone)]
pub struct ProbeOutcome {
    /// The value, or the kind of the fault.
    pub result: Result<Value, FaultKind>,
    /// Function and location of a fault; deterministic for a given engine.
    pub fault_location: Option<(FunctionId, Span)>,
    /// Steps executed.
    pub steps: u64,
    /// Words of memory allocated.
    pub words: u64,
}

impl Worker {
    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.shared.program
    }

    /// Sets the limits of later calls.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        if let Some(machine) = &mut self.machine {
            machine.set_limits(&limits);
        }
    }

    /// Sets the stubs that answer operations in later calls before the host does: the world of a
    /// claim. A generative stub receives `(path, n, ..args)`, any other the plain arguments.
    pub fn set_stubs(&mut self, answers: Vec<(OpId, Value)>) {
        // Checked here once instead of at each call.
        self.stubs_conform =
            answers.iter().all(|(op, stub)| self.value_checker.stub_conforms(*op, stub));
        self.stubs = answers;
    }

    /// Sets a flag that, once raised, stops a run soon.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        if let Some(machine) = &mut self.machine {
            machine.set_interrupt(Arc::clone(&flag));
        }
        self.interrupt = Some(flag);
    }

    /// Sets the order in which later calls run the branches of each `par`; `None` means source
    /// order. Constants are always evaluated in source order.
    pub fn set_par_order(&mut self, order: Option<ParOrder>) {
        if let Some(machine) = &mut self.machine {
            machine.set_par_order(order.clone());
        }
        self.par_order = order;
    }

    /// Activates a mutant, or none.
    pub fn set_mutant(&mut self, mutant: Option<MutantId>) {
        if let Some(machine) = &mut self.machine {
            machine.set_mutant(mutant);
        }
    }

    /// Starts recording which terms with mutants are reached, with no mutant active. Constants that
    /// already have values are not evaluated again.
    pub fn watch_mutants(&mut self) {
        if let Some(machine) = &mut self.machine {
            machine.watch_mutants();
        }
    }

    /// Whether the term of a mutant has been reached since recording started.
    pub fn is_reached(&self, mutant: MutantId) -> bool {
        self.machine.as_ref().is_some_and(|it| it.is_reached(mutant))
    }

    /// Whether a mutant may have changed the state since recording started: its term was reached
    /// and, where that can be determined, has a different value under the mutant.
    pub fn may_infect(&self, mutant: MutantId) -> bool {
        self.machine.as_ref().is_some_and(|it| it.may_infect(mutant))
    }

    /// The switches reached since recording started, and the infection flags of mutants that would
    /// have changed a value. Mutants of one term share a switch.
    pub fn reached_flags(&self) -> Vec<SwitchId> {
        self.machine.as_ref().map_or_else(Vec::new, jit::JitMachine::reached_flags)
    }

    /// The switch that controls a mutant.
    pub fn switch_of(&self, mutant: MutantId) -> Option<SwitchId> {
        self.machine.as_ref()?.switch_of(mutant)
    }

    /// The flag that indicates a possible infection by a mutant: its own, or else its switch.
    pub fn infection_flag(&self, mutant: MutantId) -> Option<SwitchId> {
        self.machine.as_ref()?.infection_flag(mutant)
    }

    /// Number of passing observations in the last call that were not reported to the host.
    pub fn n_unreported_observations(&self) -> u64 {
        self.machine.as_ref().map_or(0, jit::JitMachine::n_unreported_observations)
    }

    /// How often each instrumented branch was taken since the counters were cleared.
    pub fn counters(&self) -> &[u64] {
        self.machine.as_ref().map_or(&[], jit::JitMachine::counters)
    }

    /// Clears the branch counters.
    pub fn clear_counters(&mut self) {
        if let Some(machine) = &mut self.machine {
            machine.clear_counters();
        }
    }

    /// Calls a function without captures. If the arguments do not have the parameter types, the
    /// interpreter runs the call and faults where the mismatch matters.
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

    /// Calls a function without captures and reports only the kind and location of a fault: for
    /// workloads in which many calls fail.
    pub fn probe<H: Host + ?Sized>(
        &mut self,
        function: FunctionId,
        args: &[Value],
        host: &mut H,
    ) -> ProbeOutcome {
        // Fast path: no arguments or stubs to type-check, and the entry point is already compiled.
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
        // Construct the value here, where it is stored whole. Merged with the other outcomes it
        // would be stored in pieces, and the reader's wider load would stall on store forwarding.
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

    /// Runs compiled code, if there is any. Compiled code trusts types, so ill-typed arguments are
    /// left to the interpreter, which does not.
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
        // Stubs enter compiled code as function values, so they must conform as well.
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
            relations: self.shared.relations.as_deref(),
        };
        // Declared outside the match, so that the reference to it outlives the arm.
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

    /// Explains a fault by replaying the same case in the interpreter.
    #[cold]
    fn explain(
        &mut self,
        callee: CallTarget<'_>,
        args: &[Value],
        raised: RaisedFault,
        steps: u64,
    ) -> Fault {
        let replay = self.machine.as_mut().and_then(|machine| machine.replay(&raised.kind));
        // Copy the constants already evaluated: the replay must not evaluate them again, at another
        // depth.
        if let Some(machine) = &self.machine {
            let (_, memory) = interpreter_state(&mut self.interpreter, &self.shared);
            machine.constants().for_each(|(at, value)| memory.set_constant(at, value));
        }
        // A replay that ends differently would explain another fault; report only what is certain.
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

/// The program compiled for the interpreter and the worker's interpreter memory, created on demand.
fn interpreter_state<'a>(
    memory: &'a mut Option<(Arc<InterpreterCode>, InterpreterMemory)>,
    shared: &EngineShared,
) -> &'a mut (Arc<InterpreterCode>, InterpreterMemory) {
    // Most workers never interpret anything.
    memory.get_or_insert_with(|| {
        let code = shared.interpreted();
        let memory = InterpreterMemory::new(&code);
        (code, memory)
    })
}

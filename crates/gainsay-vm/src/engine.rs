//! Engines and workers: how callers run functions without knowing what runs them.
//!
//! An [`Engine`] is made once for a program and shared between threads. Each thread has a
//! [`Worker`], which keeps what may not be shared: values, evaluated constants, the stack.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock, OnceLock};

use gainsay_core::{FunctionId, OpId, Program};
use gainsay_source::Span;

use crate::door::Door;
use crate::fault::{Fault, FaultKind, Trace};
use crate::host::Host;
use crate::interpret::{Code, Memory, Setup, run};
use crate::jit::{self, Callee, CodeSize, Explained, Instruments, Raised, Ran};
use crate::limits::Limits;
use crate::par_order::ParOrder;
use crate::shape::Shapes;
use crate::value::{Fields, Value};

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
    LazyLock::new(|| jit::Code::new(Arc::default(), Instruments::default()).is_ok());

/// Steps beyond which a faulty call is not run again to be explained: the interpreter would
/// take too long for somebody who waits.
const EXPLAINED_STEPS: u64 = 100_000_000;

/// A program, ready to run; cheap to clone.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<Shared>,
}

struct Shared {
    program: Arc<Program>,
    /// The program made ready for the interpreter, once it is wanted.
    interpreted: OnceLock<Arc<Code>>,
    compiled: Option<Arc<jit::Code>>,
}

impl Shared {
    fn interpreted(&self) -> Arc<Code> {
        let make = || Arc::new(Code::new(Arc::clone(&self.program)));
        Arc::clone(self.interpreted.get_or_init(make))
    }
}

impl Engine {
    /// Makes a program ready. It must have been checked without errors. Where the kind cannot
    /// run, the interpreter does.
    pub fn new(program: Arc<Program>, kind: EngineKind) -> Self {
        Self::make(program, kind, Instruments::default())
    }

    /// Makes a program ready to be compiled with instruments, which only compiled code has;
    /// nothing where code cannot be made. Where some function is too large to be compiled, there
    /// are no mutants: the interpreter would run the function without them.
    pub fn instrumented(program: Arc<Program>, instruments: Instruments) -> Option<Self> {
        let has_mutants = instruments.has_mutants();
        let engine = Self::make(program, EngineKind::Jit, instruments);
        let code = engine.shared.compiled.as_ref()?;
        (code.compiles_all() || !has_mutants).then_some(engine)
    }

    fn make(program: Arc<Program>, kind: EngineKind, instruments: Instruments) -> Self {
        let compiled = match kind {
            EngineKind::Interpreter => None,
            EngineKind::Jit => jit::Code::new(Arc::clone(&program), instruments).ok(),
        };
        let compiled = compiled.map(Arc::new);
        let interpreted = OnceLock::new();
        Self { shared: Arc::new(Shared { program, interpreted, compiled }) }
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
        self.shared.compiled.as_ref().is_some_and(|code| code.compiles(function))
    }

    /// Compiles a function and all it refers to, if that is how it is run, and says how much
    /// has been compiled in all.
    pub fn prepare(&self, function: FunctionId) -> CodeSize {
        let Some(code) = &self.shared.compiled else { return CodeSize::default() };
        // What cannot be compiled is interpreted.
        match self.shared.program.function(function).n_captures {
            0 => drop(code.entry_of(function)),
            _ => drop(code.value_of(function)),
        }
        code.size()
    }

    /// A worker for one thread.
    pub fn worker(&self, limits: Limits) -> Worker {
        let compiled = self.shared.compiled.as_ref();
        Worker {
            shared: Arc::clone(&self.shared),
            memory: None,
            machine: compiled.map(|code| jit::Machine::new(Arc::clone(code), &limits)),
            limits,
            answers: Vec::new(),
            answers_fit: true,
            shapes: Shapes::new(Arc::clone(&self.shared.program)),
            interrupt: None,
            par_order: None,
        }
    }
}

/// Runs functions on one thread. Run it inside [`run_on_big_stack`](crate::run_on_big_stack)
/// for programs that recurse deeply.
pub struct Worker {
    shared: Arc<Shared>,
    memory: Option<(Arc<Code>, Memory)>,
    machine: Option<jit::Machine>,
    limits: Limits,
    answers: Vec<(OpId, Value)>,
    /// Whether all answers are functions that can answer.
    answers_fit: bool,
    shapes: Shapes,
    interrupt: Option<Arc<AtomicBool>>,
    par_order: Option<ParOrder>,
}

/// How a call went.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The value, or why there is none.
    pub result: Result<Value, Fault>,
    /// Steps taken.
    pub steps: u64,
    /// Words of memory taken.
    pub words: u64,
}

/// How a call went, in brief: a fault without the values and calls around it.
#[derive(Debug, Clone)]
pub struct Probe {
    /// The value, or what kind of fault there was instead.
    pub result: Result<Value, FaultKind>,
    /// Where the fault was, in which function; the same for the same fault on one engine.
    pub place: Option<(FunctionId, Span)>,
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
    pub fn answer_with(&mut self, answers: Vec<(OpId, Value)>) {
        self.answers_fit = answers.iter().all(|(op, stub)| self.shapes.is_stub(*op, stub));
        self.answers = answers;
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
    pub fn watch(&mut self) {
        if let Some(machine) = &mut self.machine {
            machine.watch();
        }
    }

    /// Whether the term of a mutant was come to since it is watched.
    pub fn is_reached(&self, mutant: usize) -> bool {
        self.machine.as_ref().is_some_and(|it| it.is_reached(mutant))
    }

    /// Whether a mutant may have changed something since it is watched: its term was come to
    /// and, if that can be seen, has another value with it.
    pub fn infects(&self, mutant: usize) -> bool {
        self.machine.as_ref().is_some_and(|it| it.infects(mutant))
    }

    /// The switches that were come to since it is watched, and the marks of mutants that would
    /// have changed a value. Mutants of one term share a switch.
    pub fn reached(&self) -> Vec<u32> {
        self.machine.as_ref().map_or_else(Vec::new, jit::Machine::reached)
    }

    /// Which switch a mutant is behind.
    pub fn switch(&self, mutant: usize) -> Option<u32> {
        self.machine.as_ref()?.switch(mutant).map(|it| it as u32)
    }

    /// What tells that a mutant may have changed something: its own mark, or its switch.
    pub fn mark(&self, mutant: usize) -> Option<u32> {
        self.machine.as_ref()?.mark(mutant).map(|it| it as u32)
    }

    /// How many observations held in the last call that the host did not want to hear of.
    pub fn n_unheard(&self) -> u64 {
        self.machine.as_ref().map_or(0, jit::Machine::n_unheard)
    }

    /// How often each branch of the instruments was taken since the counters were cleared.
    pub fn counters(&self) -> &[u64] {
        self.machine.as_ref().map_or(&[], jit::Machine::counters)
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
    ) -> Outcome {
        self.run(Callee::Function(function), args, host)
    }

    /// Calls a function value.
    pub fn call_value<H: Host + ?Sized>(
        &mut self,
        callee: &Value,
        args: &[Value],
        host: &mut H,
    ) -> Outcome {
        self.run(Callee::Value(callee), args, host)
    }

    /// Calls a function that has no captures, without finding out more about a fault than
    /// what kind it is: for calls of which many fail.
    pub fn probe<H: Host + ?Sized>(
        &mut self,
        function: FunctionId,
        args: &[Value],
        host: &mut H,
    ) -> Probe {
        if args.is_empty()
            && self.answers.is_empty()
            && let Some(machine) = &mut self.machine
            && let Some(ready) = machine.ready(function)
        {
            let mut door = Door { shapes: &mut self.shapes, host };
            let ran = machine.run_ready(ready, Explained::Never, &mut door);
            return self.probe_of(ran);
        }
        self.probe_in_full(function, args, host)
    }

    #[inline(never)]
    fn probe_in_full<H: Host + ?Sized>(
        &mut self,
        function: FunctionId,
        args: &[Value],
        host: &mut H,
    ) -> Probe {
        let callee = Callee::Function(function);
        match self.compiled(callee, args, Explained::Never, host) {
            Some(ran) => self.probe_of(ran),
            None => self.probe_interpreted(callee, args, host),
        }
    }

    #[inline(always)]
    fn probe_of(&mut self, ran: Ran) -> Probe {
        // The value is written at once, here: put together with the others, it would be
        // written in pieces, and whoever reads it would wait for them.
        if let Some(int) = ran.small() {
            let Ran { steps, words, .. } = ran;
            return Probe { result: Ok(Value::Int(int)), place: None, steps, words };
        }
        self.probed(ran)
    }

    #[inline(never)]
    fn probed(&mut self, ran: Ran) -> Probe {
        let Ran { steps, words, .. } = ran;
        match ran.value() {
            Some(value) => Probe { result: Ok(value), place: None, steps, words },
            None => {
                let raised = self.raised();
                let place = raised.as_ref().map(|it| it.place(&self.shared.program));
                let kind = raised.map_or(FaultKind::Discarded, |it| it.kind);
                Probe { result: Err(kind), place, steps, words }
            }
        }
    }

    #[inline(never)]
    fn probe_interpreted<H: Host + ?Sized>(
        &mut self,
        callee: Callee<'_>,
        args: &[Value],
        host: &mut H,
    ) -> Probe {
        let Outcome { result, steps, words } = self.interpret(callee, args, host);
        let place = result.as_ref().err().map(|fault| (fault.function, fault.span));
        Probe { result: result.map_err(|fault| fault.kind), place, steps, words }
    }

    fn raised(&mut self) -> Option<Raised> {
        let machine = self.machine.as_mut()?;
        let raised = machine.raised();
        machine.let_go();
        Some(raised)
    }

    /// Runs compiled code, if there is any. It trusts types: what does not fit them is left
    /// to the interpreter, which does not.
    #[inline]
    fn compiled<H: Host + ?Sized>(
        &mut self,
        callee: Callee<'_>,
        args: &[Value],
        explained: Explained,
        host: &mut H,
    ) -> Option<Ran> {
        let machine = self.machine.as_mut()?;
        let fits = match callee {
            Callee::Function(function) => self.shapes.fit_params(function, args),
            Callee::Value(callee) => self.shapes.fit_callee(callee, args),
        };
        if !fits || !self.answers_fit {
            return None;
        }
        let mut door = Door { shapes: &mut self.shapes, host };
        machine.run(callee, args, &self.answers, explained, &mut door)
    }

    fn run<H: Host + ?Sized>(
        &mut self,
        callee: Callee<'_>,
        args: &[Value],
        host: &mut H,
    ) -> Outcome {
        let Some(ran) = self.compiled(callee, args, Explained::Later, host) else {
            return self.interpret(callee, args, host);
        };
        let Ran { steps, words, .. } = ran;
        if let Some(value) = ran.value() {
            return Outcome { result: Ok(value), steps, words };
        }
        match self.raised() {
            Some(raised) => {
                let fault = self.explain(callee, args, raised, steps);
                Outcome { result: Err(fault), steps, words }
            }
            None => self.interpret(callee, args, host),
        }
    }

    fn interpret<H: Host + ?Sized>(
        &mut self,
        callee: Callee<'_>,
        args: &[Value],
        host: &mut H,
    ) -> Outcome {
        let (code, memory) = remembered(&mut self.memory, &self.shared);
        let setup = Setup {
            limits: self.limits,
            answers: &self.answers,
            interrupt: self.interrupt.as_deref(),
            par_order: self.par_order.as_ref(),
        };
        let function;
        let callee = match callee {
            Callee::Value(value) => value,
            Callee::Function(id) => {
                function = Value::Closure(id, Fields::EMPTY);
                &function
            }
        };
        let mut door = Door { shapes: &mut self.shapes, host };
        run(code, memory, &setup, &mut door, callee, args)
    }

    /// What there is to know of a fault: the interpreter runs the same case again.
    #[cold]
    fn explain(
        &mut self,
        callee: Callee<'_>,
        args: &[Value],
        raised: Raised,
        steps: u64,
    ) -> Fault {
        let replay = self.machine.as_mut().and_then(|machine| machine.replay(&raised.kind));
        // What was computed before the call is not computed again, at another depth.
        if let Some(machine) = &self.machine {
            let (_, memory) = remembered(&mut self.memory, &self.shared);
            machine.constants().for_each(|(at, value)| memory.know(at, value));
        }
        if let Some(mut replay) = replay.filter(|_| steps <= EXPLAINED_STEPS)
            && let Err(fault) = self.interpret(callee, args, &mut replay).result
            && fault.kind == raised.kind
        {
            return fault;
        }
        let (function, span) = raised.place(&self.shared.program);
        Fault { kind: raised.kind, span, function, values: Vec::new(), trace: Trace::default() }
    }
}

/// The program made ready for the interpreter and what it remembers, made when wanted.
fn remembered<'a>(
    memory: &'a mut Option<(Arc<Code>, Memory)>,
    shared: &Shared,
) -> &'a mut (Arc<Code>, Memory) {
    memory.get_or_insert_with(|| {
        let code = shared.interpreted();
        let memory = Memory::new(&code);
        (code, memory)
    })
}

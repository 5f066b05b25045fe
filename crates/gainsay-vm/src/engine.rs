//! Engines and workers: how callers run functions without knowing what runs them.
//!
//! An [`Engine`] is made once for a program and shared between threads. Each thread has a
//! [`Worker`], which keeps what may not be shared: values, evaluated constants, the stack.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay_core::{FunctionId, OpId, Program};

use crate::fault::Fault;
use crate::host::Host;
use crate::interpret::{Code, Memory, Setup, run};
use crate::limits::Limits;
use crate::value::Value;

/// What runs a program.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum EngineKind {
    /// The reference interpreter: the definition of what a program means.
    #[default]
    Interpreter,
}

/// A program, ready to run; cheap to clone.
#[derive(Clone)]
pub struct Engine {
    code: Arc<Code>,
}

impl Engine {
    /// Makes a program ready. It must have been checked without errors.
    pub fn new(program: Arc<Program>, kind: EngineKind) -> Self {
        match kind {
            EngineKind::Interpreter => Self { code: Arc::new(Code::new(program)) },
        }
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.code.program
    }

    /// A worker for one thread.
    pub fn worker(&self, limits: Limits) -> Worker {
        Worker {
            code: Arc::clone(&self.code),
            memory: Memory::new(&self.code),
            limits,
            answers: Vec::new(),
            interrupt: None,
        }
    }
}

/// Runs functions on one thread. Run it inside [`run_on_big_stack`](crate::run_on_big_stack)
/// for programs that recurse deeply.
pub struct Worker {
    code: Arc<Code>,
    memory: Memory,
    limits: Limits,
    answers: Vec<(OpId, Value)>,
    interrupt: Option<Arc<AtomicBool>>,
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

impl Worker {
    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.code.program
    }

    /// Sets what each later call may use.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Operations that stubs answer in each later call, before the host is asked: the world
    /// of a claim. A generative stub gets `(path, n, ..args)`, another one the plain arguments.
    pub fn answer_with(&mut self, answers: Vec<(OpId, Value)>) {
        self.answers = answers;
    }

    /// A flag that ends a run soon after it is set.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = Some(flag);
    }

    /// Calls a function that has no captures.
    pub fn call(
        &mut self,
        function: FunctionId,
        args: &[Value],
        host: &mut dyn Host,
    ) -> Outcome {
        self.call_value(&Value::Closure(function, crate::value::Fields::EMPTY), args, host)
    }

    /// Calls a function value.
    pub fn call_value(
        &mut self,
        callee: &Value,
        args: &[Value],
        host: &mut dyn Host,
    ) -> Outcome {
        let setup = Setup {
            limits: self.limits,
            answers: &self.answers,
            interrupt: self.interrupt.as_deref(),
        };
        run(&self.code, &mut self.memory, &setup, host, callee, args)
    }
}

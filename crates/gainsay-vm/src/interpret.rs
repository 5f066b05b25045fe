//! The reference interpreter: the definition of what a program means.
//!
//! It walks the terms of core, strictly and from left to right. All locals and arguments lie
//! on one stack of values; native recursion follows the nesting of terms and calls, and is
//! kept thin and watched, so that running out of it is a fault. A term in tail position is
//! evaluated in a loop, so that tail calls take no stack at all.

mod call;
mod code;
mod effect;
mod eval;
mod pattern;
mod refine;
mod traced;
mod world;

use std::sync::atomic::AtomicBool;

use gainsay_core::{FunctionId, OpId, Program, TypeTable};
use gainsay_source::Span;

use self::code::FunctionCode;
use self::traced::Recorder;
use self::world::Worlds;
use crate::engine::Outcome;
use crate::fault::{Fault, FaultKind, Trace};
use crate::host::Host;
use crate::limits::Limits;
use crate::meter::Meter;
use crate::stack::floor;
use crate::value::Value;

pub(crate) use self::code::{Code, TraceTypes, find_std, find_trace_types};
pub(crate) use self::traced::{called, written_in};

/// What a worker keeps from call to call.
pub(crate) struct Memory {
    stack: Vec<Value>,
    literals: Vec<Option<Value>>,
    constants: Vec<Option<Result<Value, Box<Fault>>>>,
    /// The types of the program and instances of them met while checking refinements.
    types: Option<Box<TypeTable>>,
}

impl Memory {
    pub(crate) fn new(code: &Code) -> Self {
        Self {
            stack: Vec::new(),
            literals: vec![None; code.literals.len()],
            constants: vec![None; code.program.constants.len()],
            types: None,
        }
    }
}

/// What one call of a worker is given besides a function.
pub(crate) struct Setup<'a> {
    pub(crate) limits: Limits,
    pub(crate) answers: &'a [(OpId, Value)],
    pub(crate) interrupt: Option<&'a AtomicBool>,
}

/// Calls a function value.
pub(crate) fn run(
    code: &Code,
    memory: &mut Memory,
    setup: &Setup<'_>,
    host: &mut dyn Host,
    callee: &Value,
    args: &[Value],
) -> Outcome {
    memory.stack.clear();
    let mut machine = Machine {
        code,
        program: &code.program,
        stack: std::mem::take(&mut memory.stack),
        memory,
        host,
        meter: Meter::new(setup.limits, setup.interrupt),
        depth: 0,
        floor: floor(),
        worlds: Worlds::new(setup.answers),
        path: Vec::new(),
        leaving: None,
        recorders: Vec::new(),
    };
    let result = machine.call_value(callee, args, None).map_err(|stop| match stop {
        Stop::Fault(fault) => *fault,
        Stop::Leave => machine.outside_fault(FaultKind::Unsupported("`?` outside a function")),
    });
    let (steps, words) = (machine.meter.steps, machine.meter.words);
    let stack = machine.stack;
    memory.stack = stack;
    memory.stack.clear();
    Outcome { result, steps, words }
}

/// Why evaluation does not go on to the next term.
enum Stop {
    /// The function returns what is in [`Machine::leaving`].
    Leave,
    /// The run ends, unless a `throws` catches it.
    Fault(Box<Fault>),
}

/// The value of a term, or why there is none.
type Eval = Result<Value, Stop>;

const _: () = assert!(size_of::<Eval>() == 16, "results travel in registers");

/// The function that is running, and where its locals begin on the stack.
#[derive(Copy, Clone)]
struct At<'a> {
    code: &'a FunctionCode,
    base: usize,
}

/// The term that calls.
#[derive(Copy, Clone)]
struct Site<'a> {
    code: &'a FunctionCode,
    node: u32,
}

struct Machine<'a> {
    code: &'a Code,
    program: &'a Program,
    stack: Vec<Value>,
    memory: &'a mut Memory,
    host: &'a mut dyn Host,
    meter: Meter<'a>,
    depth: u32,
    floor: usize,
    worlds: Worlds,
    path: Vec<u32>,
    leaving: Option<Value>,
    recorders: Vec<Recorder>,
}

impl<'a> Machine<'a> {
    fn span(&self, at: At<'a>, node: u32) -> Span {
        self.code.span(at.code, node)
    }

    /// A fault at a node.
    #[cold]
    #[inline(never)]
    fn fault(&self, at: At<'a>, node: u32, kind: FaultKind) -> Stop {
        self.fault_with(at, node, kind, Vec::new())
    }

    #[cold]
    #[inline(never)]
    fn fault_with(
        &self,
        at: At<'a>,
        node: u32,
        kind: FaultKind,
        values: Vec<(String, Value)>,
    ) -> Stop {
        let span = self.span(at, node);
        let function = at.code.id;
        Stop::Fault(Box::new(Fault { kind, span, function, values, trace: Trace::default() }))
    }

    /// A fault on the side of the caller: at the call, or at the function when it was called
    /// from outside.
    #[cold]
    #[inline(never)]
    fn caller_fault(
        &self,
        site: Option<Site<'a>>,
        callee: FunctionId,
        kind: FaultKind,
        values: Vec<(String, Value)>,
    ) -> Stop {
        let (span, function) = match site {
            Some(site) => (self.code.span(site.code, site.node), site.code.id),
            None => (self.program.function(callee).span, callee),
        };
        Stop::Fault(Box::new(Fault { kind, span, function, values, trace: Trace::default() }))
    }

    /// A fault of a call that comes from outside and reaches no function.
    fn outside_fault(&self, kind: FaultKind) -> Fault {
        let file = gainsay_source::FileId(0);
        let span = self.program.functions.first().map(|function| function.span);
        Fault {
            kind,
            span: span.unwrap_or(Span::new(file, 0, 0)),
            function: FunctionId(0),
            values: Vec::new(),
            trace: Trace::default(),
        }
    }
}

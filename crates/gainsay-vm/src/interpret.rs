//! The reference interpreter: the definition of what a program means.
//!
//! It walks the terms of core, strictly and from left to right. All locals and arguments lie
//! on one stack of values; native recursion follows the nesting of terms and calls, and is
//! kept thin and watched, so that running out of it is a fault. A term in tail position is
//! evaluated in a loop, so that tail calls take no stack at all.
//!
//! Whoever evaluates a term says in which slot of the stack the value is wanted.

mod call;
mod code;
mod compile;
mod effect;
mod eval;
mod parts;
mod pattern;
mod places;
mod rare;
mod refine;
mod rows;
mod slots;
mod traced;

use std::sync::atomic::AtomicBool;

use gainsay_core::{FunctionId, OpId, Program, TypeTable};
use gainsay_source::Span;

use self::code::{FunctionCode, Node};
use self::slots::Slots;
use crate::engine::Outcome;
use crate::fault::{Fault, FaultKind, Trace};
use crate::host::Host;
use crate::limits::Limits;
use crate::meter::Meter;
use crate::par_order::ParOrder;
use crate::stack::floor;
use crate::traces::Recorder;
use crate::value::Value;
use crate::worlds::Worlds;

pub(crate) use self::code::Code;
pub(crate) use self::refine::generic_fields;

/// What a worker keeps from call to call.
pub(crate) struct Memory {
    stack: Slots,
    literals: Vec<Option<Value>>,
    constants: Vec<Option<Result<Value, Box<Fault>>>>,
    /// The types of the program and instances of them met while checking refinements.
    types: Option<Box<TypeTable>>,
}

impl Memory {
    /// Takes the value of a constant from elsewhere.
    pub(crate) fn know(&mut self, constant: usize, value: Value) {
        self.constants[constant] = Some(Ok(value));
    }

    pub(crate) fn new(code: &Code) -> Self {
        Self {
            stack: Slots::default(),
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
    pub(crate) par_order: Option<&'a ParOrder>,
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
        fault: None,
        recorders: Vec::new(),
        par_order: setup.par_order,
    };
    let result = machine.call_value(callee, args, 0, None);
    let result = result.map_err(|Stop| *machine.take_fault());
    let (steps, words) = (machine.meter.steps, machine.meter.words);
    let (stack, turn) = (machine.stack, machine.meter.turn);
    match turn {
        None => memory.stack = stack,
        // What lies on the stack is not left there until something else lies in its place.
        Some(turn) => {
            drop(stack);
            turn.end();
        }
    }
    Outcome { result, steps, words }
}

/// Evaluation does not go on to the next term. Either [`Machine::leaving`] holds what the
/// function returns, or [`Machine::fault`] says why the run ends, unless a `throws` catches it.
#[derive(Debug)]
struct Stop;

/// The value of a term.
#[derive(Copy, Clone)]
enum Out {
    /// An integer, not stored: those that fit a machine word travel in registers.
    Int(i64),
    /// Truth values, not stored either. A payload that is no word would travel in memory.
    True,
    False,
    /// Whatever is in the slot in which the value was wanted.
    Stored,
}

impl From<bool> for Out {
    #[inline(always)]
    fn from(holds: bool) -> Self {
        if holds { Self::True } else { Self::False }
    }
}

/// The value of a term, or that there is none.
type Eval = Result<Out, Stop>;

const _: () = assert!(size_of::<Eval>() == 16, "results travel in registers");

/// A value on its own, or that there is none: for what is rare.
type Made = Result<Value, Stop>;

/// The function that is running, and where its frame begins on the stack.
#[derive(Copy, Clone)]
struct At<'a> {
    code: &'a FunctionCode,
    base: usize,
}

impl At<'_> {
    /// The place of a node on the stack. Its parts have the next ones.
    #[inline(always)]
    fn home(self, node: &Node) -> usize {
        self.base + node.home as usize
    }

    /// The first place on the stack that belongs to no node.
    fn top(self) -> usize {
        self.base + self.code.n_slots as usize
    }
}

/// The term that calls.
#[derive(Copy, Clone)]
struct Site<'a> {
    code: &'a FunctionCode,
    node: &'a Node,
}

struct Machine<'a> {
    code: &'a Code,
    program: &'a Program,
    /// As long as the frames that are on it, at least.
    stack: Slots,
    memory: &'a mut Memory,
    host: &'a mut dyn Host,
    meter: Meter<'a>,
    depth: u32,
    floor: usize,
    worlds: Worlds<Value>,
    path: Vec<u32>,
    leaving: Option<Value>,
    fault: Option<Box<Fault>>,
    recorders: Vec<Recorder<Value>>,
    par_order: Option<&'a ParOrder>,
}

impl<'a> Machine<'a> {
    fn span(&self, at: At<'a>, node: &Node) -> Span {
        self.code.span(at.code, node.term)
    }

    /// Stores the value of a term where it is wanted.
    #[inline(always)]
    #[expect(clippy::unnecessary_wraps, reason = "the last word of many evaluations")]
    fn store(&mut self, to: usize, value: impl FnOnce() -> Value) -> Eval {
        self.stack.put(to, value);
        Ok(Out::Stored)
    }

    /// A fault at a node.
    #[cold]
    #[inline(never)]
    fn fault(&mut self, at: At<'a>, node: &Node, kind: FaultKind) -> Stop {
        self.fault_with(at, node, kind, Vec::new())
    }

    #[cold]
    #[inline(never)]
    fn fault_with(
        &mut self,
        at: At<'a>,
        node: &Node,
        kind: FaultKind,
        values: Vec<(String, Value)>,
    ) -> Stop {
        self.fault_at(at, node.term, kind, values)
    }

    fn fault_at(
        &mut self,
        at: At<'a>,
        term: u32,
        kind: FaultKind,
        values: Vec<(String, Value)>,
    ) -> Stop {
        let span = self.code.span(at.code, term);
        let function = at.code.id;
        self.stop(Fault { kind, span, function, values, trace: Trace::default() })
    }

    /// A fault on the side of the caller: at the call, or at the function when it was called
    /// from outside.
    #[cold]
    #[inline(never)]
    fn caller_fault(
        &mut self,
        site: Option<Site<'a>>,
        callee: FunctionId,
        kind: FaultKind,
        values: Vec<(String, Value)>,
    ) -> Stop {
        let (span, function) = match site {
            Some(site) => (self.code.span(site.code, site.node.term), site.code.id),
            None => (self.program.function(callee).span, callee),
        };
        self.stop(Fault { kind, span, function, values, trace: Trace::default() })
    }

    fn stop(&mut self, fault: Fault) -> Stop {
        self.fault = Some(Box::new(fault));
        Stop
    }

    /// Why evaluation stopped, when no function is left that `?` could leave.
    fn take_fault(&mut self) -> Box<Fault> {
        self.fault.take().unwrap_or_else(|| {
            Box::new(self.outside_fault(FaultKind::Unsupported("a lost `?`")))
        })
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

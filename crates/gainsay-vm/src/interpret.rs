//! The reference interpreter, which defines the semantics of a program.
//!
//! It walks the terms of core, strictly and from left to right. All locals and arguments live on
//! one stack of values. Native recursion follows the nesting of terms and calls; its frames are
//! kept small and its depth is checked, so that exhausting it is a fault. A term in tail position
//! is evaluated in a loop, so tail calls take no stack at all.
//!
//! The caller of each evaluation function names the stack slot that receives the value.

mod aggregates;
mod call;
mod compile;
mod effect;
mod eval;
mod flat_patterns;
mod node_code;
mod pattern;
mod rare_terms;
mod refine;
mod slot_layout;
mod slot_stack;
mod tracing;

use std::sync::atomic::AtomicBool;

use gainsay_core::{FunctionId, OpId, Program, TypeTable};
use gainsay_source::Span;

use self::node_code::{CodeNode, FunctionCode};
use self::slot_stack::SlotStack;
use crate::effect_trace::CallTraceRecorder;
use crate::engine::CallOutcome;
use crate::fault::{CallStack, Fault, FaultKind};
use crate::host::Host;
use crate::limits::Limits;
use crate::meter::Meter;
use crate::par_order::ParOrder;
use crate::relations::RelationDecider;
use crate::stack::floor;
use crate::value::Value;
use crate::world_stack::WorldStack;

pub(crate) use self::node_code::InterpreterCode;
pub(crate) use self::refine::generic_fields;

/// State that a worker carries from call to call.
pub(crate) struct InterpreterMemory {
    stack: SlotStack,
    literals: Vec<Option<Value>>,
    constants: Vec<Option<Result<Value, Box<Fault>>>>,
    /// The program's types and the instances of them created while checking refinements.
    types: Option<Box<TypeTable>>,
}

impl InterpreterMemory {
    /// Sets the value of a constant that was evaluated elsewhere.
    pub(crate) fn set_constant(&mut self, constant: usize, value: Value) {
        self.constants[constant] = Some(Ok(value));
    }

    pub(crate) fn new(code: &InterpreterCode) -> Self {
        Self {
            stack: SlotStack::default(),
            literals: vec![None; code.literals.len()],
            constants: vec![None; code.program.constants.len()],
            types: None,
        }
    }
}

/// The parameters of one call besides the function.
pub(crate) struct CallSetup<'a> {
    pub(crate) limits: Limits,
    pub(crate) stubs: &'a [(OpId, Value)],
    pub(crate) interrupt: Option<&'a AtomicBool>,
    pub(crate) par_order: Option<&'a ParOrder>,
    pub(crate) relations: Option<&'a dyn RelationDecider>,
}

/// Calls a function value.
pub(crate) fn run(
    code: &InterpreterCode,
    memory: &mut InterpreterMemory,
    setup: &CallSetup<'_>,
    host: &mut dyn Host,
    callee: &Value,
    args: &[Value],
) -> CallOutcome {
    let mut machine = Interpreter {
        code,
        program: &code.program,
        // Taken out for the call: the machine borrows the rest of the memory.
        stack: std::mem::take(&mut memory.stack),
        memory,
        host,
        meter: Meter::new(setup.limits, setup.interrupt),
        depth: 0,
        stack_floor: floor(),
        worlds: WorldStack::new(setup.stubs),
        par_path: Vec::new(),
        early_return: None,
        fault: None,
        recorders: Vec::new(),
        par_order: setup.par_order,
        relations: setup.relations,
    };
    let result = machine.call_value(callee, args, 0, None);
    let result = result.map_err(|Unwind| *machine.take_fault());
    let (steps, words) = (machine.meter.steps, machine.meter.words);
    let (stack, turn) = (machine.stack, machine.meter.permit);
    match turn {
        // Put back, so that the next call finds the capacity and the free cells.
        None => memory.stack = stack,
        // Free the values on the stack before releasing the permit. A stack put back would hold
        // them until later calls overwrite their slots.
        Some(turn) => {
            drop(stack);
            turn.release();
        }
    }
    CallOutcome { result, steps, words }
}

/// Evaluation does not continue with the next term. Either [`Interpreter::early_return`] holds the
/// function's return value, or [`Interpreter::fault`] says why the run ends, unless a `throws`
/// catches it.
#[derive(Debug)]
struct Unwind;

/// The value of a term.
#[derive(Copy, Clone)]
enum EvalOutput {
    /// An integer that is not stored: those that fit a machine word travel in registers.
    Int(i64),
    /// Booleans, not stored either. As separate variants, because a payload smaller than a word
    /// would make the result travel in memory.
    True,
    False,
    /// The value is in the slot that the caller named.
    Stored,
}

impl From<bool> for EvalOutput {
    #[inline(always)]
    fn from(holds: bool) -> Self {
        if holds { Self::True } else { Self::False }
    }
}

/// The value of a term, or an unwind.
type EvalResult = Result<EvalOutput, Unwind>;

// Larger results would be returned through memory.
const _: () = assert!(size_of::<EvalResult>() == 16, "results travel in registers");

/// A materialized value or an unwind: for rare cases.
type ValueResult = Result<Value, Unwind>;

/// The running function, and where its frame begins on the stack.
#[derive(Copy, Clone)]
struct FrameRef<'a> {
    code: &'a FunctionCode,
    base: usize,
}

impl FrameRef<'_> {
    /// The stack slot of a node. The slots of its subterms follow.
    #[inline(always)]
    fn home_slot(self, node: &CodeNode) -> usize {
        self.base + node.home as usize
    }

    /// The first stack slot that belongs to no node.
    fn first_free_slot(self) -> usize {
        self.base + self.code.n_slots as usize
    }
}

/// The calling term.
#[derive(Copy, Clone)]
struct CallSite<'a> {
    code: &'a FunctionCode,
    node: &'a CodeNode,
}

struct Interpreter<'a> {
    code: &'a InterpreterCode,
    program: &'a Program,
    /// At least as long as the frames on it.
    stack: SlotStack,
    memory: &'a mut InterpreterMemory,
    host: &'a mut dyn Host,
    meter: Meter<'a>,
    depth: u32,
    stack_floor: usize,
    worlds: WorldStack<Value>,
    par_path: Vec<u32>,
    early_return: Option<Value>,
    fault: Option<Box<Fault>>,
    recorders: Vec<CallTraceRecorder<Value>>,
    par_order: Option<&'a ParOrder>,
    relations: Option<&'a dyn RelationDecider>,
}

impl<'a> Interpreter<'a> {
    fn span(&self, at: FrameRef<'a>, node: &CodeNode) -> Span {
        self.code.span(at.code, node.term)
    }

    /// Stores the value of a term in its slot.
    #[inline(always)]
    #[expect(clippy::unnecessary_wraps, reason = "the last word of many evaluations")]
    fn store(&mut self, to: usize, value: impl FnOnce() -> Value) -> EvalResult {
        self.stack.put(to, value);
        Ok(EvalOutput::Stored)
    }

    /// A fault at a node.
    #[cold]
    #[inline(never)]
    fn fault(&mut self, at: FrameRef<'a>, node: &CodeNode, kind: FaultKind) -> Unwind {
        self.fault_with(at, node, kind, Vec::new())
    }

    #[cold]
    #[inline(never)]
    fn fault_with(
        &mut self,
        at: FrameRef<'a>,
        node: &CodeNode,
        kind: FaultKind,
        values: Vec<(String, Value)>,
    ) -> Unwind {
        self.fault_at(at, node.term, kind, values)
    }

    fn fault_at(
        &mut self,
        at: FrameRef<'a>,
        term: u32,
        kind: FaultKind,
        values: Vec<(String, Value)>,
    ) -> Unwind {
        let span = self.code.span(at.code, term);
        let function = at.code.id;
        self.unwind_with(Fault {
            kind,
            span,
            function,
            values,
            call_stack: CallStack::default(),
        })
    }

    /// A fault blamed on the caller: at the call, or at the function if it was called from outside.
    #[cold]
    #[inline(never)]
    fn caller_fault(
        &mut self,
        site: Option<CallSite<'a>>,
        callee: FunctionId,
        kind: FaultKind,
        values: Vec<(String, Value)>,
    ) -> Unwind {
        let (span, function) = match site {
            Some(site) => (self.code.span(site.code, site.node.term), site.code.id),
            None => (self.program.function(callee).span, callee),
        };
        self.unwind_with(Fault {
            kind,
            span,
            function,
            values,
            call_stack: CallStack::default(),
        })
    }

    fn unwind_with(&mut self, fault: Fault) -> Unwind {
        self.fault = Some(Box::new(fault));
        Unwind
    }

    /// The fault that stopped evaluation, when no function is left for `?` to return from.
    fn take_fault(&mut self) -> Box<Fault> {
        self.fault
            .take()
            .unwrap_or_else(|| Box::new(self.entry_fault(FaultKind::Unsupported("a lost `?`"))))
    }

    /// A fault of a call from outside that reaches no function.
    fn entry_fault(&self, kind: FaultKind) -> Fault {
        let file = gainsay_source::FileId(0);
        // No place is right for it; any existing one keeps reports from failing.
        let span = self.program.functions.first().map(|function| function.span);
        Fault {
            kind,
            span: span.unwrap_or(Span::new(file, 0, 0)),
            function: FunctionId(0),
            values: Vec::new(),
            call_stack: CallStack::default(),
        }
    }
}

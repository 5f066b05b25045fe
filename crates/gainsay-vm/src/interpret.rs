//! The reference interpreter.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay_core::{FunctionId, OpId, Program};

use crate::engine::Outcome;
use crate::fault::{Fault, FaultKind, Trace};
use crate::host::Host;
use crate::limits::Limits;
use crate::value::Value;

pub(crate) struct Code {
    pub(crate) program: Arc<Program>,
}

impl Code {
    pub(crate) fn new(program: Arc<Program>) -> Self {
        Self { program }
    }
}

pub(crate) struct Memory;

impl Memory {
    pub(crate) fn new(_: &Code) -> Self {
        Self
    }
}

pub(crate) struct Setup<'a> {
    pub(crate) limits: Limits,
    pub(crate) answers: &'a [(OpId, Value)],
    pub(crate) interrupt: Option<&'a AtomicBool>,
}

pub(crate) fn run(
    code: &Code,
    _: &mut Memory,
    _: &Setup<'_>,
    _: &mut dyn Host,
    callee: &Value,
    _: &[Value],
) -> Outcome {
    let function =
        if let Value::Closure(function, _) = callee { *function } else { FunctionId(0) };
    let span = code.program.function(function).span;
    let fault = Fault {
        kind: FaultKind::Unsupported("a function"),
        span,
        function,
        values: Vec::new(),
        trace: Trace::default(),
    };
    Outcome { result: Err(fault), steps: 0, words: 0 }
}

//! Stands in for the engine that compiles where code may not be made: there is none.

#[path = "jit/infection.rs"]
mod infection;
#[path = "jit/instruments.rs"]
mod instruments;

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay_core::{FunctionId, OpId, Program};
use gainsay_source::Span;

use crate::door::Door;
use crate::fault::FaultKind;
use crate::host::{Host, NoEffects};
use crate::limits::Limits;
use crate::par_order::ParOrder;
use crate::value::Value;

pub use self::instruments::{Branch, Instruments, Mutant};

/// How much was compiled.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default)]
pub struct CodeSize {
    /// Pieces of code: functions, and ways into them.
    pub pieces: usize,
    /// Bytes of machine code.
    pub bytes: usize,
}

/// Nothing can be compiled.
pub fn can_switch_mutants(_: &Program) -> bool {
    false
}

/// There is none.
pub(crate) struct Code(Infallible);

impl Code {
    pub(crate) fn new(_: Arc<Program>, _: Instruments) -> Result<Self, String> {
        Err("code cannot be made on this system".to_owned())
    }

    pub(crate) fn value_of(&self, _: FunctionId) -> Result<u64, String> {
        match self.0 {}
    }

    pub(crate) fn entry_of(&self, _: FunctionId) -> Result<u64, String> {
        match self.0 {}
    }

    pub(crate) fn compiles(&self, _: FunctionId) -> bool {
        match self.0 {}
    }

    pub(crate) fn compiles_all(&self) -> bool {
        match self.0 {}
    }

    pub(crate) fn size(&self) -> CodeSize {
        match self.0 {}
    }
}

/// There is none.
pub(crate) struct Machine(Infallible);

/// How a call of compiled code went.
#[derive(Copy, Clone)]
pub(crate) struct Ran {
    infallible: Infallible,
    pub(crate) steps: u64,
    pub(crate) words: u64,
}

impl Ran {
    pub(crate) fn small(self) -> Option<i64> {
        match self.infallible {}
    }

    pub(crate) fn value(self) -> Option<Value> {
        match self.infallible {}
    }
}

/// A fault that compiled code found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Raised {
    pub(crate) kind: FaultKind,
    infallible: Infallible,
}

impl Raised {
    pub(crate) fn place(&self, _: &Program) -> (FunctionId, Span) {
        match self.infallible {}
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
    pub(crate) fn new(code: Arc<Code>, _: &Limits) -> Self {
        match code.0 {}
    }

    pub(crate) fn set_limits(&mut self, _: &Limits) {
        match self.0 {}
    }

    pub(crate) fn set_interrupt(&mut self, _: Arc<AtomicBool>) {
        match self.0 {}
    }

    pub(crate) fn n_unheard(&self) -> u64 {
        match self.0 {}
    }

    pub(crate) fn counters(&self) -> &[u64] {
        match self.0 {}
    }

    pub(crate) fn clear_counters(&mut self) {
        match self.0 {}
    }

    pub(crate) fn set_mutant(&mut self, _: Option<usize>) {
        match self.0 {}
    }

    pub(crate) fn watch(&mut self) {
        match self.0 {}
    }

    pub(crate) fn is_reached(&self, _: usize) -> bool {
        match self.0 {}
    }

    pub(crate) fn infects(&self, _: usize) -> bool {
        match self.0 {}
    }

    pub(crate) fn mark(&self, _: usize) -> Option<usize> {
        match self.0 {}
    }

    pub(crate) fn reached(&self) -> Vec<u32> {
        match self.0 {}
    }

    pub(crate) fn switch(&self, _: usize) -> Option<usize> {
        match self.0 {}
    }

    pub(crate) fn set_par_order(&mut self, _: Option<ParOrder>) {
        match self.0 {}
    }

    pub(crate) fn ready(&self, _: FunctionId) -> Option<Infallible> {
        match self.0 {}
    }

    pub(crate) fn run_ready<H: Host + ?Sized>(
        &mut self,
        _: Infallible,
        _: Explained,
        _: &mut Door<'_, H>,
    ) -> Ran {
        match self.0 {}
    }

    pub(crate) fn run<H: Host + ?Sized>(
        &mut self,
        _: Callee<'_>,
        _: &[Value],
        _: &[(OpId, Value)],
        _: Explained,
        _: &mut Door<'_, H>,
    ) -> Option<Ran> {
        match self.0 {}
    }

    pub(crate) fn constants(&self) -> std::iter::Empty<(usize, Value)> {
        match self.0 {}
    }

    pub(crate) fn let_go(&mut self) {
        match self.0 {}
    }

    pub(crate) fn raised(&mut self) -> Raised {
        match self.0 {}
    }

    pub(crate) fn replay(&mut self, _: &FaultKind) -> Option<NoEffects> {
        match self.0 {}
    }
}

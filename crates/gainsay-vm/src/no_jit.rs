//! A stand-in for the JIT on systems that do not support it: nothing is ever compiled.

#[path = "jit/infection.rs"]
mod infection;
#[path = "jit/instrumentation.rs"]
mod instrumentation;

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay_core::{FunctionId, OpId, Program};
use gainsay_source::Span;

use crate::checked_host::CheckedHost;
use crate::fault::FaultKind;
use crate::host::{Host, NoEffects};
use crate::limits::Limits;
use crate::mutant_ids::{MutantId, SwitchId};
use crate::par_order::ParOrder;
use crate::relations::RelationDecider;
use crate::value::Value;

pub use self::instrumentation::{Branch, Instrumentation, TermMutant};

/// How much has been compiled.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Default)]
pub struct CodeSize {
    /// Pieces of code: functions and their entry points.
    pub pieces: usize,
    /// Bytes of machine code.
    pub bytes: usize,
}

/// One compiled version of a function, for reading.
#[derive(Debug, Clone)]
pub struct CodeListing {
    /// The intermediate code of Cranelift, as emitted.
    pub clif: String,
    /// The assembly, as Cranelift prints it.
    pub assembly: String,
}

/// Nothing can be compiled.
pub fn can_switch_mutants(_: &Program) -> bool {
    false
}

/// Never exists.
pub(crate) struct JitCode(Infallible);

impl JitCode {
    pub(crate) fn new(_: Arc<Program>, _: Instrumentation) -> Result<Self, String> {
        Err("native compilation is not supported on this system".to_owned())
    }

    pub(crate) fn function_value(&self, _: FunctionId) -> Result<u64, String> {
        match self.0 {}
    }

    pub(crate) fn function_entry(&self, _: FunctionId) -> Result<u64, String> {
        match self.0 {}
    }

    pub(crate) fn can_compile(&self, _: FunctionId) -> bool {
        match self.0 {}
    }

    pub(crate) fn can_compile_all(&self) -> bool {
        match self.0 {}
    }

    pub(crate) fn list(&self, _: FunctionId) -> Result<Vec<CodeListing>, String> {
        match self.0 {}
    }

    pub(crate) fn size(&self) -> CodeSize {
        match self.0 {}
    }
}

/// Never exists.
pub(crate) struct JitMachine(Infallible);

/// The outcome of a call of compiled code.
#[derive(Copy, Clone)]
pub(crate) struct JitOutcome {
    infallible: Infallible,
    pub(crate) steps: u64,
    pub(crate) words: u64,
}

impl JitOutcome {
    pub(crate) fn small_int(self) -> Option<i64> {
        match self.infallible {}
    }

    pub(crate) fn value(self) -> Option<Value> {
        match self.infallible {}
    }
}

/// A fault detected by compiled code.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RaisedFault {
    pub(crate) kind: FaultKind,
    infallible: Infallible,
}

impl RaisedFault {
    pub(crate) fn location(&self, _: &Program) -> (FunctionId, Span) {
        match self.infallible {}
    }
}

/// Whether faults are explained by a replay.
#[derive(Copy, Clone)]
pub(crate) enum ExplainMode {
    Replay,
    Never,
}

/// The callee of a call.
#[derive(Copy, Clone)]
pub(crate) enum CallTarget<'a> {
    /// A function without captures.
    Function(FunctionId),
    /// A function value.
    Value(&'a Value),
}

impl JitMachine {
    pub(crate) fn new(
        code: Arc<JitCode>,
        _: &Limits,
        _: Option<Arc<dyn RelationDecider>>,
    ) -> Self {
        match code.0 {}
    }

    pub(crate) fn set_limits(&mut self, _: &Limits) {
        match self.0 {}
    }

    pub(crate) fn set_interrupt(&mut self, _: Arc<AtomicBool>) {
        match self.0 {}
    }

    pub(crate) fn n_unreported_observations(&self) -> u64 {
        match self.0 {}
    }

    pub(crate) fn counters(&self) -> &[u64] {
        match self.0 {}
    }

    pub(crate) fn clear_counters(&mut self) {
        match self.0 {}
    }

    pub(crate) fn set_mutant(&mut self, _: Option<MutantId>) {
        match self.0 {}
    }

    pub(crate) fn watch_mutants(&mut self) {
        match self.0 {}
    }

    pub(crate) fn is_reached(&self, _: MutantId) -> bool {
        match self.0 {}
    }

    pub(crate) fn may_infect(&self, _: MutantId) -> bool {
        match self.0 {}
    }

    pub(crate) fn infection_flag(&self, _: MutantId) -> Option<SwitchId> {
        match self.0 {}
    }

    pub(crate) fn reached_flags(&self) -> Vec<SwitchId> {
        match self.0 {}
    }

    pub(crate) fn switch_of(&self, _: MutantId) -> Option<SwitchId> {
        match self.0 {}
    }

    pub(crate) fn set_par_order(&mut self, _: Option<ParOrder>) {
        match self.0 {}
    }

    pub(crate) fn ready_entry(&self, _: FunctionId) -> Option<Infallible> {
        match self.0 {}
    }

    pub(crate) fn run_ready<H: Host + ?Sized>(
        &mut self,
        _: Infallible,
        _: ExplainMode,
        _: &mut CheckedHost<'_, H>,
    ) -> JitOutcome {
        match self.0 {}
    }

    pub(crate) fn run<H: Host + ?Sized>(
        &mut self,
        _: CallTarget<'_>,
        _: &[Value],
        _: &[(OpId, Value)],
        _: ExplainMode,
        _: &mut CheckedHost<'_, H>,
    ) -> Option<JitOutcome> {
        match self.0 {}
    }

    pub(crate) fn constants(&self) -> std::iter::Empty<(usize, Value)> {
        match self.0 {}
    }

    pub(crate) fn release_memory(&mut self) {
        match self.0 {}
    }

    pub(crate) fn take_raised_fault(&mut self) -> RaisedFault {
        match self.0 {}
    }

    pub(crate) fn replay(&mut self, _: &FaultKind) -> Option<NoEffects> {
        match self.0 {}
    }
}

//! A failing case run once more, for the values of what the claim computes on the way.

use std::sync::Arc;

use gainsay_core::Program;
use gainsay_source::Span;
use gainsay_vm::{Engine, EngineKind, Fault, FaultKind, Value};

use super::ClaimRunner;
use super::flaky_case::CaseRerun;
use crate::host::CaseHost;
use crate::report::Failure;
use crate::trace_locals::trace_locals;
use crate::trace_subexpressions::trace_subexpressions;

/// Values of a failing case.
#[derive(Debug, Default)]
pub(crate) struct SubexpressionValues {
    /// The parts of the observation that did not hold: where each stands, and its value.
    subexpressions: Vec<(Span, String)>,
    /// The locals of the claim that were bound by then: names and values.
    locals: Vec<(String, String)>,
}

impl SubexpressionValues {
    /// Puts them into the failure they belong to.
    pub(crate) fn add_to(self, failure: &mut Failure) {
        failure.subexpressions = self.subexpressions;
        failure.locals = self.locals;
    }
}

impl ClaimRunner<'_> {
    /// The values of a case that failed. The case is begun in a host by whoever knows it.
    pub(super) fn subexpression_values(
        &self,
        fault: &Fault,
        again: &CaseRerun<'_>,
        begin: &dyn Fn(&mut CaseHost<'_>),
    ) -> SubexpressionValues {
        // A case that reaches a limit takes as long as a case may.
        if fault.kind.is_limit() {
            return SubexpressionValues::default();
        }
        let lowered = self.engines.lowered;
        let place = (fault.function, fault.span);
        let is_observe = fault.kind == FaultKind::Observe;
        let telling = if is_observe {
            trace_subexpressions(&lowered.record, place, lowered.ops.bound)
        } else {
            None
        };
        let (mut program, parts) = match telling {
            Some(telling) => (telling.program, telling.subexpressions),
            None => (Program::clone(&lowered.record), Vec::new()),
        };
        let generator = self.fails_in_generator(fault).then_some(fault.function);
        let ops = (lowered.ops.across, lowered.ops.bound);
        let locals = trace_locals(&mut program, generator, ops);
        if parts.is_empty() && locals.is_empty() {
            return SubexpressionValues::default();
        }
        let program = Arc::new(program);
        let engine = Engine::new(Arc::clone(&program), EngineKind::Interpreter);
        let mut worker = engine.worker(self.limits);
        worker.set_interrupt(Arc::clone(&self.engines.interrupt));
        let mut host = CaseHost::new(lowered, &program);
        begin(&mut host);
        host.begin();
        host.entered = again.entered;
        // How it ends is known.
        drop(worker.call(again.entry, &[], &mut host));
        let parts = parts.iter().filter_map(|(number, span)| {
            let value = host.subexpressions.get(number)?;
            Some((*span, host.text(value, usize::MAX)))
        });
        let locals = locals.iter().filter_map(|local| {
            let value = host.subexpressions.get(&local.number)?;
            // A function that somebody wrote says nothing that its source does not.
            let is_function = matches!(value, Value::Closure(..));
            let text = || (local.name.to_string(), host.text(value, usize::MAX));
            (!is_function).then(text)
        });
        SubexpressionValues { subexpressions: parts.collect(), locals: locals.collect() }
    }

    /// Whether a fault is in a function that draws.
    fn fails_in_generator(&self, fault: &Fault) -> bool {
        let program = self.engines.program();
        let function = program.function(fault.function);
        let row = program.types.get_row(function.row);
        let is_std = program.module(function.module).is_std;
        !is_std && row.ops.contains(&self.engines.lowered.ops.int)
    }
}

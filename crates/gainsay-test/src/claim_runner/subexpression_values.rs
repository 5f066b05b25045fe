//! Reruns a failing case with value tracing, for the values of subexpressions and locals in the
//! report.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
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
use crate::value_tracer::ValueTracer;

/// Traced values of a failing case.
#[derive(Debug, Default)]
pub(crate) struct SubexpressionValues {
    /// The subexpressions of the failed observation: the span of each, and its value.
    subexpressions: Vec<(Span, String)>,
    /// The locals of the claim that were bound by then: names and values.
    locals: Vec<(String, String)>,
}

impl SubexpressionValues {
    /// Moves them into the failure they belong to.
    pub(crate) fn add_to(self, failure: &mut Failure) {
        failure.subexpressions = self.subexpressions;
        failure.locals = self.locals;
    }
}

/// The last value of each traced term.
#[derive(Default)]
struct LastValues(BTreeMap<i64, Value>);

impl ValueTracer for LastValues {
    fn skips_next(&mut self, _: i64) -> bool {
        false
    }

    fn record(&mut self, number: i64, value: &Value) {
        self.0.insert(number, value.clone());
    }
}

impl ClaimRunner<'_> {
    /// The traced values of a failed case. `begin` starts the case in a new host.
    pub(super) fn subexpression_values(
        &self,
        fault: &Fault,
        again: &CaseRerun<'_>,
        begin: &dyn Fn(&mut CaseHost<'_>),
    ) -> SubexpressionValues {
        // A case that hits a limit takes as long as a case may: not worth another run.
        if fault.kind.is_limit() {
            return SubexpressionValues::default();
        }
        let lowered = self.engines.lowered;
        let place = (fault.function, fault.span);
        let is_observe = fault.kind == FaultKind::Observe;
        // A copy, made only once a case has failed: tracing would slow down every other run.
        let mut program = Program::clone(&lowered.record);
        let parts = if is_observe {
            trace_subexpressions(&mut program, place, lowered.ops.tell)
        } else {
            Vec::new()
        };
        let generator = self.fails_in_generator(fault).then_some(fault.function);
        let ops = (lowered.ops.across, lowered.ops.tell);
        // The numbers of locals follow those of subexpressions, because both share one tracer.
        let locals = trace_locals(&mut program, generator, ops, parts.len() as i64);
        if parts.is_empty() && locals.is_empty() {
            return SubexpressionValues::default();
        }
        let program = Arc::new(program);
        // The traced program runs only once: not worth compiling.
        let engine = Engine::new(Arc::clone(&program), EngineKind::Interpreter)
            .with_relations(self.engines.search.relations());
        let mut worker = engine.worker(self.limits);
        worker.set_interrupt(Arc::clone(&self.engines.interrupt));
        let mut host = CaseHost::new(lowered, &program);
        host.connections = self.record.host.connections.clone();
        let values = Rc::new(RefCell::new(LastValues::default()));
        host.tracer = Some(values.clone());
        begin(&mut host);
        host.begin();
        host.entered = again.entered;
        // The outcome is already known; only the traced values matter.
        drop(worker.call(again.entry, &[], &mut host));
        let LastValues(values) = values.take();
        let parts = (0..).zip(parts).filter_map(|(number, span)| {
            Some((span, host.text(values.get(&number)?, usize::MAX)))
        });
        let locals = locals.iter().filter_map(|local| {
            let value = values.get(&local.number)?;
            // A closure has no more to say than its source.
            let is_function = matches!(value, Value::Closure(..));
            let text = || (local.name.to_string(), host.text(value, usize::MAX));
            (!is_function).then(text)
        });
        SubexpressionValues { subexpressions: parts.collect(), locals: locals.collect() }
    }

    /// Whether a fault is in a generator function.
    fn fails_in_generator(&self, fault: &Fault) -> bool {
        let program = self.engines.program();
        let function = program.function(fault.function);
        let row = program.types.get_row(function.row);
        let is_std = program.module(function.module).is_std;
        !is_std && row.ops.contains(&self.engines.lowered.ops.int)
    }
}

//! A failing case run once more, for the values of the parts of what was observed.

use std::sync::Arc;

use gainsay_source::Span;
use gainsay_vm::{Engine, EngineKind, Fault, FaultKind, Limits};

use super::Attacker;
use super::flaky::Again;
use crate::host::CaseHost;
use crate::parts::telling;

impl Attacker<'_> {
    /// The parts of an observation that did not hold: where each stands, and its value. The case
    /// is begun in a host by whoever knows it.
    pub(super) fn parts(
        &self,
        fault: &Fault,
        again: &Again<'_>,
        begin: &dyn Fn(&mut CaseHost<'_>),
    ) -> Vec<(Span, String)> {
        if fault.kind != FaultKind::Observe {
            return Vec::new();
        }
        let lowered = self.engines.lowered;
        let place = (fault.function, fault.span);
        let Some(telling) = telling(&lowered.record, place, lowered.ops.bound) else {
            return Vec::new();
        };
        let program = Arc::new(telling.program);
        let engine = Engine::new(Arc::clone(&program), EngineKind::Interpreter);
        let mut worker = engine.worker(Limits::default());
        worker.set_interrupt(Arc::clone(&self.engines.interrupt));
        let mut host = CaseHost::new(lowered, &program);
        begin(&mut host);
        host.begin();
        host.entered = again.entered;
        // How it ends is known.
        drop(worker.call(again.entry, &[], &mut host));
        let values = telling.parts.iter().filter_map(|(number, span)| {
            let value = host.parts.get(number)?;
            Some((*span, host.text(value, usize::MAX)))
        });
        values.collect()
    }
}
